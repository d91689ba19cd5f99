"""Words that tell of events, and whole texts tagged with events and dates."""

import re
import xml.etree.ElementTree as ET
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.core import When
from chronoscore.errors import UsageError
from chronoscore.formats.corpora import timeml
from chronoscore.text import events as module
from chronoscore.text.events import EventMention, Tagger, is_event_noun, tag_events
from chronoscore.text.tagging import tag_text
from chronoscore.text.verbs import are_verbs, verb_forms, verb_lemma
from dates.tagged_dates import ANNOTATED, data

needs_hanta = pytest.mark.skipif(find_spec("HanTa") is None, reason="HanTa is not installed")
BOTH: list[Any] = ["rules", pytest.param("hanta", marks=needs_hanta)]


def words(text: str, tagger: Tagger = "rules") -> list[str]:
    return [text[event.start : event.end] for event in tag_events(text, tagger=tagger)]


@pytest.mark.parametrize("tagger", BOTH)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dam broke on Thursday.", ["broke"]),
        ("The museum said that thieves had stolen the astrolabe.", ["said", "stolen"]),
        ("Islanders began to leave after the announcement.", ["began", "leave", "announcement"]),
        ("The strike was called off.", ["strike", "called"]),
        ("It will not open before the investigation.", ["open", "investigation"]),
        ("The negotiations failed quickly.", ["negotiations", "failed"]),
        ("The old stone bridge over the river is green.", []),
        ("The government has a department of information.", []),
    ],
)
def test_verbs_and_event_nouns_are_found_and_other_words_are_not(
    text: str, expected: list[str], tagger: Tagger
) -> None:
    assert words(text, tagger) == expected


def test_an_event_knows_its_place_its_lemma_and_its_class() -> None:
    assert tag_events("He said so.", tagger="rules") == [EventMention(3, 7, "say", "verb")]
    kinds = [event.kind for event in tag_events("He said the war began.", tagger="rules")]
    assert kinds == ["REPORTING", "OCCURRENCE", "ASPECTUAL"]


def test_a_name_is_no_event_unless_it_names_one() -> None:
    assert words("The Thirty Years War and Operation Advance") == ["War"]


def test_auxiliaries_are_no_events() -> None:
    assert are_verbs("He has been seen and would have gone".split()) == [  # noqa: SIM905
        *(False, False, False, True, False, False, False, True)
    ]


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        *(("stopped", "stop"), ("tried", "try"), ("went", "go"), ("taken", "take")),
        *(("reaches", "reach"), ("making", "make"), ("unheard", "unheard")),
    ],
)
def test_a_form_leads_to_its_verb(form: str, lemma: str) -> None:
    assert verb_lemma(form) == lemma


def test_the_word_lists_hold_together() -> None:
    events, others = module._nouns()
    assert len(verb_forms()) > 3000
    assert is_event_noun("war")
    assert is_event_noun("fortification")
    assert not is_event_noun("government")
    assert len(events) > 300
    assert len(others) > 100


def test_an_unknown_tagger_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown tagger 'rule'"):
        tag_events("It rained.", tagger="rule")  # type: ignore[arg-type]


@pytest.mark.skipif(find_spec("HanTa") is not None, reason="HanTa is installed")
def test_asking_for_a_tagger_that_is_not_there_says_how_to_get_it() -> None:
    with pytest.raises(UsageError, match=r"HanTa is not installed"):
        tag_events("It rained.", tagger="hanta")


@given(st.text(max_size=60))
def test_any_text_can_be_tagged_and_words_stand_in_order(text: str) -> None:
    end = 0
    for event in tag_events(text, tagger="rules"):
        assert end <= event.start < event.end <= len(text)
        end = event.end


def test_raw_text_becomes_timeml_that_is_read_back_the_same(tmp_path: Path) -> None:
    text = "Dam fails\n\nThe dam & the mill broke on Thursday. By the end of May <all> left."
    marked = tag_text(text, name="a01", created=When.day(2031, 3, 14), title="Dam", tagger="rules")
    assert [time.value for time in marked.times] == ["2031-03-13", "2031-05"]
    assert [event.text for event in marked.events] == ["fails", "broke", "left"]
    assert [text[s.start : s.end] for s in marked.sentences][1].endswith("on Thursday.")
    timeml.save(marked, tmp_path / "a01.tml")
    assert timeml.load(tmp_path / "a01.tml") == marked


def agreement(pairs: list[tuple[set[Any], set[Any]]]) -> tuple[float, float]:
    """Precision and recall of the second sets against the first, pooled."""
    shared = sum(len(gold & found) for gold, found in pairs)
    return shared / sum(len(f) for _, f in pairs), shared / sum(len(g) for g, _ in pairs)


def f1(pairs: list[tuple[set[Any], set[Any]]]) -> float:
    precision, recall = agreement(pairs)
    return 2 * precision * recall / (precision + recall)


def event_tokens(path: Path, tag: Any) -> tuple[set[str], set[str]]:
    """Token ids of events by people and by us, in the annotated sentences of a MEANTIME file."""
    root = ET.parse(path).getroot()
    sentences: dict[str, list[tuple[str, str]]] = {}
    for token in root.iter("token"):
        if int(token.get("sentence", "")) <= ANNOTATED:
            row = sentences.setdefault(token.get("sentence", ""), [])
            row.append((token.get("t_id", ""), token.text or ""))
    known = {name for row in sentences.values() for name, _ in row}
    anchors = [
        a.get("t_id", "") for e in root.iter("EVENT_MENTION") for a in e.iter("token_anchor")
    ]
    found = {
        name
        for row in sentences.values()
        for (name, _), (kind, _) in zip(row, tag([word for _, word in row]), strict=True)
        if kind
    }
    return known.intersection(anchors), found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tagger", "least"), [("rules", 0.80), pytest.param("hanta", 0.82, marks=needs_hanta)]
)
def test_events_of_real_news_are_found(tagger: str, least: float) -> None:
    tag = module.tag_words_by_rules if tagger == "rules" else module.tag_words_by_hanta
    files = sorted((data("meantime") / "intra-doc_annotation").glob("*/*.xml"))
    # The word lists were completed with every other article in view; these had no say.
    assert f1([event_tokens(path, tag) for path in files[1::2]]) > least


def test_most_events_of_the_content_unit_papers_tagger_are_found() -> None:
    pairs = []
    for path in sorted(data("history-timeml").glob("*.tml")):
        body = path.read_text(encoding="utf-8").split("<TEXT>")[1].split("</TEXT>")[0]
        text, start, theirs = "", 0, set()
        for part in re.split(r"(<[^>]+>)", body):
            if part.startswith("<EVENT"):
                start = len(text)
            elif part.startswith("</EVENT"):
                theirs.add((start, len(text)))
            elif not part.startswith("<"):
                text += unescape(part)
        pairs.append((theirs, {(e.start, e.end) for e in tag_events(text, tagger="rules")}))
    precision, recall = agreement(pairs)
    assert recall > 0.94
    assert precision > 0.60
