"""The report's parts in the order in which a reader needs them."""

import platform
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from chronoscore.errors import UsageError, number_with_noun
from chronoscore.explanations import explain
from chronoscore.explanations.days import counts_shared_words
from chronoscore.measures import Measure
from chronoscore.progress import track
from chronoscore.reports import rails
from chronoscore.reports.page import card, document, encode
from chronoscore.reports.score_page import loss_view
from chronoscore.reports.score_page.board_view import leaderboard_section
from chronoscore.reports.score_page.certificate_view import certificates_section
from chronoscore.reports.score_page.conflict_view import conflicts_section
from chronoscore.reports.score_page.contents import Contents
from chronoscore.reports.score_page.day_view import day_charts, missed_most
from chronoscore.reports.score_page.headline import (
    caution,
    conclusions,
    describe_power,
    is_lead_significant,
)
from chronoscore.reports.score_page.loss_view import compare_section, points_section
from chronoscore.reports.score_page.topic_view import (
    deciding_topics,
    heat_maps,
    measure_agreement_section,
)
from chronoscore.stats.corpus import sign
from chronoscore.version import __version__

LISTED = 200
"""Messages that one warning unfolds to."""
EXPLAINED = 240
ROOM = 2_500_000
"""Explanations that a page holds, and their characters, so that it stays small; the best systems
come first."""


def score_page(contents: Contents) -> str:
    """The whole page."""
    scores = contents.scores
    title = contents.title or _describe_title(contents)
    explanations, measure = _explain_all(contents)
    cards = [
        Card("leaderboard", "Leaderboard", leaderboard_section(contents)),
        *(Card(*one) for one in contents.cards),
        Card("points", "Where the points went", points_section(contents)),
        Card("compare", "Compare two", compare_section(contents), kind="long"),
        Card("topics", "By topic", heat_maps(contents) if len(scores.topics) > 1 else ""),
        Card("deciding", "Which topics decide", deciding_topics(contents)),
        Card("dates", "Dates covered", day_charts(contents)),
        Card("missed", "Missed most", missed_most(contents), kind="texts"),
        Card("conflicts", "Contradictions", conflicts_section(contents), kind="texts"),
        Card("judges", "Machine judges", certificates_section(contents.certificates)),
        Card("published", "Beside published figures", _published(contents)),
        Card("agreement", "Do the measures agree?", measure_agreement_section(contents)),
        _explanation_card(contents, measure if explanations else None),
        Card("notes", "Notes on the data", _notes(contents)),
    ]
    cards = [one for one in cards if one.content]
    body = _headline(contents) + _draw(cards) + _reproduction_card(contents)
    links = [(one.anchor, one.name or one.heading) for one in cards if one.anchor != "deciding"]
    data = {
        "data": {
            "explanations": explanations,
            "missing": rails.MISSING,
            "measure": measure.title if measure else "",
            "open": _most_to_gain(contents, explanations),
        },
        **loss_view.page_data(contents),
    }
    return document(title, body, _describe_size(contents), data, links)


class Card(NamedTuple):
    """A part of the page; one without content is left out."""

    anchor: str
    heading: str
    content: str
    kind: str = ""
    name: str = ""
    """What the table of contents calls it, where the heading is long."""


def _draw(cards: Sequence[Card]) -> str:
    """The cards one below the other; those of topics side by side."""
    drawn = {
        one.anchor: card(one.heading, one.content, kind=one.kind, anchor=one.anchor)
        for one in cards
    }
    if pair := drawn.pop("deciding", ""):
        drawn["topics"] = f'<div class="two">{drawn["topics"]}{pair}</div>'
    return "".join(drawn.values())


def _published(contents: Contents) -> str:
    """The averages with published figures below, if they were asked for."""
    return contents.published.html() if contents.published else ""


def _most_to_gain(contents: Contents, explanations: dict[str, dict[str, Any]]) -> list[str]:
    """The system and topic whose best change gains most; not the winner, where there are others."""
    first = contents.boards[0].figures[0].system
    gains = [
        (explained["changes"][0][1], system, topic)
        for system, topics in explanations.items()
        for topic, explained in topics.items()
        if explained.get("changes") and (system != first or len(explanations) == 1)
    ]
    return list(max(gains, default=(0.0, "", ""), key=lambda one: one[0])[1:]) if gains else []


def _describe_title(contents: Contents) -> str:
    """What was scored, as a heading."""
    systems, topics = contents.scores.systems, contents.scores.topics
    who = systems[0] if len(systems) == 1 else f"{len(systems)} systems"
    what = topics[0] if len(topics) == 1 else f"{len(topics)} topics"
    return f"{who} on {what}"


def _describe_size(contents: Contents) -> str:
    """How much was scored."""
    scores = contents.scores
    counts = [
        len(topic.timelines) or len(topic.summaries)
        for topic in (contents.collection or ())
        if topic.timelines or topic.summaries
    ]
    parts = [
        number_with_noun(len(scores.systems), "system"),
        number_with_noun(len(scores.topics), "topic"),
    ]
    if counts:
        low, high = min(counts), max(counts)
        several = f"{low}–{high} references" if low < high else number_with_noun(high, "reference")
        parts.append(f"{several} each")
    return " · ".join(parts)


def _headline(contents: Contents) -> str:
    """The conclusion in words."""
    first, *others = conclusions(contents)
    lines = [f'<p class="big">{escape(first)}</p>', *(f"<p>{escape(one)}</p>" for one in others)]
    if doubt := caution(contents):
        kind = "" if is_lead_significant(contents) else ' class="caution"'
        lines.append(f"<p{kind}>{escape(doubt)}</p>")
    if power := describe_power(contents):
        lines.append(f'<p class="note">{escape(power)}</p>')
    return card("", "".join(lines))


def _explain_all(contents: Contents) -> tuple[dict[str, dict[str, Any]], Measure | None]:
    """By system and topic: why it scores so, by the first measure that can be explained."""
    if contents.collection is None:
        return {}, None
    measures = sorted(
        contents.scores.measures, key=lambda measure: not counts_shared_words(measure)
    )
    order = [one.system for one in contents.boards[0].figures]
    runs = sorted(contents.shown_runs, key=lambda run: order.index(run.system))
    for measure in measures:
        found: dict[str, dict[str, Any]] = {}
        wanted = [
            (run, topic)
            for run in runs
            for topic in contents.collection
            if topic.id in run.outputs and not run.human
        ]
        try:
            chosen = wanted[:EXPLAINED]
            room = ROOM
            for run, topic in track(f"explaining {measure.title}", chosen, len(chosen)):
                explained = rails.page_data(explain(measure, topic, run.outputs[topic.id]))
                if notes := contents.notes_on(run.system, topic.id):
                    explained["notes"] = notes
                room -= len(encode(explained))
                if room < 0:
                    break
                found.setdefault(run.system, {})[topic.id] = explained
        except UsageError:
            continue
        return found, measure
    return {}, None


def _explanation_card(contents: Contents, measure: Measure | None) -> Card:
    """The place for explanations, with a choice of system and topic."""
    if measure is None:
        return Card("why", "", "")
    heading = f"Why these scores: {measure.title}, topic by topic"
    systems = [one.system for one in contents.boards[0].figures]
    return Card("why", heading, rails.chooser(systems, contents.scores.topics), "long", "Why")


def _notes(contents: Contents) -> str:
    """What readers warned of; a warning that stands for several unfolds."""
    items = [f'<li dir="auto">{escape(line)}</li>' for line in contents.notes]
    items += [
        f'<li dir="auto">{warning(line, all_of)}</li>' for line, all_of in contents.warnings.items()
    ]
    return f"<ul>{''.join(items)}</ul>" if items else ""


def warning(line: str, all_of: Sequence[str]) -> str:
    """One warning, or a folded list of all that it stands for."""
    if not all_of:
        return escape(line)
    listed = "".join(f"<li>{escape(one)}</li>" for one in all_of[:LISTED])
    rest = len(all_of) - LISTED
    more = f"<li>and {rest:,} more; <code>-v</code> lists them</li>" if rest > 0 else ""
    return f"<details><summary>{escape(line)}</summary><ul>{listed}{more}</ul></details>"


def _reproduction_card(contents: Contents) -> str:
    """Command, versions and signature, folded."""
    command = f"<pre><code>{escape(contents.command)}</code></pre>" if contents.command else ""
    cited = [one.citation for one in contents.certificates]
    signature = escape(" ".join([sign(contents.scores, contents.resampling), *cited]))
    versions = f"chronoscore {__version__}, Python {platform.python_version()}"
    return (
        "<details><summary>Reproduce: command, versions, data, signature</summary>"
        f"{command}<p>{escape(versions)}</p><p><code>{signature}</code></p></details>"
    )
