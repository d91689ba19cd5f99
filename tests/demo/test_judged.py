"""The judged parts of the demo corpus are sound: events, links, units and their anchors."""

import hashlib
import json
import re
from collections import Counter
from datetime import date
from typing import Any

import pytest

from demo.raw_files import JUDGED, articles, judgements, of_kind, rows, sentences, units


@pytest.mark.parametrize("topic", JUDGED)
@pytest.mark.parametrize("kind", [judgements, units])
def test_a_footer_counts_and_hashes_what_stands_before_it(topic: str, kind: Any) -> None:
    *before, last = kind(topic).read_bytes().splitlines(keepends=True)
    footer = json.loads(last)
    assert footer["kind"] == "footer"
    assert footer["lines"] == len(before)
    assert footer["sha256"] == hashlib.sha256(b"".join(before)).hexdigest()


@pytest.mark.parametrize("topic", JUDGED)
@pytest.mark.parametrize(("kind", "workflow"), [(judgements, "stream"), (units, "units")])
def test_every_row_opens_with_its_kind_and_ids_are_unique(
    topic: str, kind: Any, workflow: str
) -> None:
    found = rows(kind(topic))
    assert all(next(iter(row)) == "kind" for row in found)
    assert found[0]["format"] == "chronoscore-judgements"
    assert found[0]["workflow"] == workflow
    ids = [row["id"] for row in found if "id" in row]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("topic", JUDGED)
def test_judged_stories_and_sentences_are_the_articles(topic: str) -> None:
    stories = [
        (row["id"], row["time"], row["title"]) for row in of_kind(judgements(topic), "story")
    ]
    assert stories == [(row["id"], row["time"], row["title"]) for row in articles(topic)]
    judged = of_kind(judgements(topic), "sentence")
    assert {row["id"]: row["text"] for row in judged} == sentences(topic)
    assert all(row["id"] == f"{row['story']}-s{row['n']:02}" for row in judged)


@pytest.mark.parametrize("topic", JUDGED)
def test_links_join_known_sentences_and_events_once(topic: str) -> None:
    events = of_kind(judgements(topic), "event")
    links = of_kind(judgements(topic), "link")
    pairs = [(row["sentence"], row["event"]) for row in links]
    assert 10 <= len(events) <= 16
    assert len(set(pairs)) == len(pairs)
    assert {sentence for sentence, _ in pairs} <= set(sentences(topic))
    assert {event for _, event in pairs} == {row["id"] for row in events}
    assert {(row["from"], row["id"]) for row in events} <= set(pairs)


@pytest.mark.parametrize("topic", JUDGED)
def test_the_judges_differ_and_the_third_decides(topic: str) -> None:
    links = of_kind(judgements(topic), "link")
    assert {tuple(row["marked_by"]) for row in links} == {(), ("j1",), ("j2",), ("j1", "j2")}
    assert {row["verdict"] for row in links} == {"kept", "dropped", "added"}
    assert all((row["verdict"] == "added") == (not row["marked_by"]) for row in links)


@pytest.mark.parametrize("topic", JUDGED)
def test_sentences_of_no_one_and_several_events_all_occur(topic: str) -> None:
    links = of_kind(judgements(topic), "link")
    events = Counter(row["sentence"] for row in links if row["verdict"] != "dropped")
    shapes = Counter(min(events[sentence], 2) for sentence in sentences(topic))
    assert shapes[1] > shapes[0] > shapes[2] > 0


@pytest.mark.parametrize("topic", JUDGED)
def test_a_group_joins_several_sentences_of_one_event(topic: str) -> None:
    grouped = [row for row in of_kind(judgements(topic), "link") if "group" in row]
    names = {row["group"] for row in grouped}
    assert 1 <= len(names) <= 2
    for name in names:
        members = [row for row in grouped if row["group"] == name]
        assert len({row["sentence"] for row in members}) >= 2
        assert len({row["event"] for row in members}) == 1


@pytest.mark.parametrize("topic", JUDGED)
def test_six_writers_wrote_six_to_nine_dated_lines_each(topic: str) -> None:
    writers = [row["id"] for row in of_kind(units(topic), "writer")]
    lines = of_kind(units(topic), "line")
    counts = Counter(row["writer"] for row in lines)
    assert len(writers) == 6
    assert set(counts) == set(writers)
    assert all(6 <= count <= 9 for count in counts.values())
    assert all(date.fromisoformat(row["when"]) and row["text"] for row in lines)


@pytest.mark.parametrize("topic", JUDGED)
def test_a_units_weight_is_its_number_of_distinct_writers(topic: str) -> None:
    writer = {row["id"]: row["writer"] for row in of_kind(units(topic), "line")}
    found = of_kind(units(topic), "hcu")
    assert 12 <= len(found) <= 18
    for unit in found:
        assert unit["topic"] == topic
        assert unit["weight"] == len({writer[line] for line in unit["lines"]}) > 0


@pytest.mark.parametrize("topic", JUDGED)
def test_units_form_a_pyramid(topic: str) -> None:
    weights = Counter(row["weight"] for row in of_kind(units(topic), "hcu"))
    widths = [weights[weight] for weight in range(1, 7)]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("topic", JUDGED)
def test_an_anchors_offsets_hit_a_whole_word(topic: str) -> None:
    texts = sentences(topic)
    for row in of_kind(units(topic), "anchor"):
        text, start, end = texts[row["source"]], row["start"], row["end"]
        assert re.fullmatch(r"[^\W\d_]+", text[start:end]), (row["id"], text[start:end])
        assert not text[:start][-1:].isalnum()
        assert not text[end:][:1].isalnum()


@pytest.mark.parametrize("topic", JUDGED)
def test_every_unit_has_one_tree_of_groups_that_uses_an_anchor_once(topic: str) -> None:
    anchors = {row["id"] for row in of_kind(units(topic), "anchor")}
    groups = {row["id"]: row for row in of_kind(units(topic), "group")}
    roots = {row["hcu"]: row["id"] for row in groups.values() if row["root"]}
    assert set(roots) == {row["id"] for row in of_kind(units(topic), "hcu")}
    assert len(roots) == sum(row["root"] for row in groups.values())

    def leaves(group: str, above: tuple[str, ...]) -> list[str]:
        assert group not in above
        refs = [member["ref"] for member in groups[group]["members"]]
        assert refs
        inner = [leaves(ref, (*above, group)) if ref in groups else [ref] for ref in refs]
        return [leaf for found in inner for leaf in found]

    reached = [leaves(root, ()) for root in roots.values()]
    assert all(len(set(refs)) == len(refs) for refs in reached)
    assert {ref for refs in reached for ref in refs} == anchors


@pytest.mark.parametrize("topic", JUDGED)
def test_some_members_count_in_part_and_one_inner_group_means_or(topic: str) -> None:
    groups = of_kind(units(topic), "group")
    values = [member["v"] for row in groups for member in row["members"]]
    assert all(0 < value <= 1 for value in values)
    assert any(value < 1 for value in values)
    inner = [row for row in groups if not row["root"]]
    assert any([member["v"] for member in row["members"]] == [1.0, 1.0] for row in inner)
