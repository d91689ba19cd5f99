"""What an action refuses beyond roles and steps: the wrong, the unknown, the too long, the late."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from msgspec import structs
from sqlalchemy import Connection, Table, delete

from chronoscore.core import Judgements
from chronoscore.errors import DataError
from chronoscore.workbench.domain import accounts, links, sessions, tokens, trees
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess, find_topic
from chronoscore.workbench.domain.actions import (
    guiding,
    judging,
    matching,
    merging,
    practice,
    projects,
    steps,
    topics,
    writing,
)
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.domain.errors import InvalidError, RefusedError
from chronoscore.workbench.domain.keys import check_own_keys
from chronoscore.workbench.domain.queries import stream as stream_queries
from chronoscore.workbench.domain.queries import units as unit_queries
from chronoscore.workbench.exchange import files, stories
from chronoscore.workbench.store import tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.settings import Settings
from chronoscore.workbench.store.source import load
from chronoscore.workbench.web import forms, guard, operations, visit, watch
from chronoscore.workbench.web.routes import accounts as account_pages
from chronoscore.workbench.web.routes import data
from workbench.office import Office
from workbench.team import StreamTeam, UnitsTeam

SOURCE = object()
"""Stands for the text of the topic."""

PROJECT = object()
"""Stands for the project in place of the topic."""


@dataclass(frozen=True)
class Refused:
    """Something that an action must not take, with what it says then."""

    words: str
    who: str
    step: str
    action: Callable[..., Any]
    given: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...] = ()
    on: object = None


def refused(
    words: str, who: str, step: str, action: Callable[..., Any], *given: Any, **options: Any
) -> Refused:
    on = options.pop("on", None)
    return Refused(words, who, step, action, given, tuple(options.items()), on)


def marks(*changes: dict[str, Any]) -> dict[str, Any]:
    usual = {"sentence": "a1-s02", "base": 0, "off": False, "links": [], "joined": False}
    return {"changes": [{**usual, **change} for change in changes]}


def units(unit: str, **fields: str) -> tuple[Any, ...]:
    usual = {"action": "leak", "agent": "", "patient": "", "time": "", "location": ""}
    return unit, *{**usual, **fields}.values()


def verdicts(**change: Any) -> dict[str, Any]:
    return {"changes": [{"event": "E1", "item": "a1-s01", "kept": True, "base": 0, **change}]}


def story(**fields: str) -> TopicDraft:
    usual = {"id": "s", "time": "", "title": "", "publisher": "", "text": "It rained."}
    return TopicDraft("new", "New", stories=[{**usual, **fields, "sentences": []}])


def open_without_writers(connection: Connection, topic: TopicAccess, key: str) -> LogEntry:
    connection.execute(delete(tables.assignment).where(tables.assignment.c.topic == topic.id))
    return topics.open_next(connection, topic, key)


def hand_in_with_the_rest_off(
    connection: Connection, topic: TopicAccess, key: str, source: Any
) -> LogEntry:
    judging.mark_rest_off(connection, topic, f"{key}:rest", source)
    return steps.submit(connection, topic, key, source)


def hand_in_without(table: Table) -> Callable[..., LogEntry]:
    def hand_in(connection: Connection, topic: TopicAccess, key: str, source: Any) -> LogEntry:
        connection.execute(delete(table).where(table.c.topic == topic.id))
        return steps.submit(connection, topic, key, source)

    return hand_in


LONG = "x" * 1_001
JUDGED = Judgements(sentences=(), events=(), links=())
REFUSED = [
    refused("no such story", "ann", "identify", judging.read_story, SOURCE, "none", read=True),
    refused("no such sentence", "ann", "identify", judging.add_candidate, SOURCE, "none", "x"),
    refused("1 to 500 char", "ann", "identify", judging.add_candidate, SOURCE, "a1-s01", ""),
    refused("1 to 500 char", "ann", "identify", judging.add_candidate, SOURCE, "a1-s01", LONG),
    refused("no such cand", "ann", "identify", judging.edit_candidate, "none", "x"),
    refused("not open yet", "ann", "draft", judging.read_story, SOURCE, "a1", read=True),
    refused("no such sentence", "ann", "link", judging.mark_sentences, SOURCE,
            marks({"sentence": "none"})),
    refused("1 to 500 changes", "ann", "link", judging.mark_sentences, SOURCE, marks()),
    refused("1 to 500 changes", "ann", "link", judging.mark_sentences, SOURCE, marks(*[{}] * 501)),
    refused("no such event", "ann", "link", judging.mark_sentences, SOURCE,
            marks({"links": [["E9", ""]]})),
    *(
        refused(f"links[0]{where}`", "ann", "link", judging.mark_sentences, SOURCE,
                marks({"links": [link]}))
        for where, link in (("[0]", [["E1"], ""]), ("[1]", ["E1", 7]), ("[1]", ["E1", "g" * 61]),
                            ("", ["E1"]))
    ),
    refused("off or linked", "ann", "link", judging.mark_sentences, SOURCE,
            marks({"off": True, "links": [["E1", ""]]})),
    refused("has none before it", "ann", "link", judging.mark_sentences, SOURCE,
            marks({"sentence": "a1-s01", "joined": True})),
    refused("these marks", "ann", "link", judging.mark_sentences, SOURCE, marks({"base": 7})),
    refused("decide every", "ann", "link", practice.repeat_decisions, SOURCE, {}),
    refused("decide every", "ann", "link", practice.repeat_decisions, SOURCE, {"a2-s03": []}),
    refused("no such event", "ann", "link", practice.repeat_decisions, SOURCE,
            {"a1-s01": ["E9"]}),
    refused("again already", "bob", "link", practice.repeat_decisions, SOURCE, {"a1-s02": []}),
    refused("are undecided", "ann", "link", steps.submit, SOURCE),
    refused("one page is left", "ann", "link", hand_in_with_the_rest_off, SOURCE),
    refused("no event yet", "ann", "merge", hand_in_without(tables.event), SOURCE),
    refused("has no line yet", "will", "write", hand_in_without(tables.line), SOURCE),
    refused("choose one or more", "ann", "merge", merging.merge_candidates, [], ""),
    refused("no such candidate", "ann", "merge", merging.merge_candidates, ["none"], "x"),
    refused("no such event", "ann", "merge", merging.rename_event, "E9", "x"),
    refused("1 to 500 char", "ann", "merge", merging.rename_event, "E1", LONG),
    refused("not in this event", "ann", "merge", merging.take_from_event, "none", "E1"),
    refused("say why the event", "ann", "merge", merging.omit_event, "E1", ""),
    refused("say why the cand", "ann", "merge", merging.omit_candidates, ["ANN"], ""),
    refused("changes[0].kept`", "eve", "verify", judging.judge_links, SOURCE, verdicts(kept=1)),
    refused("additions are closed", "eve", "verify", judging.judge_links, SOURCE,
            verdicts(item="a2-s03")),
    refused("no such event", "eve, who adds", "verify", judging.judge_links, SOURCE,
            verdicts(event="E9", item="a2-s03")),
    refused("these verdicts", "eve", "verify", judging.judge_links, SOURCE, verdicts(base=3)),
    refused("a line needs its date", "will", "write", writing.add_line, "", "It leaks"),
    refused("Thorsday", "will", "write", writing.add_line, "Thorsday", "It leaks"),
    refused("a line has 1 to 500", "will", "write", writing.add_line, "2031", ""),
    refused("a line has 1 to 500", "will", "write", writing.add_line, "2031", LONG),
    refused("which is the most", "will", "write", writing.add_line, "2031", "It leaks"),
    refused("no such line", "will", "write", writing.edit_line, "none", "2031", "It leaks"),
    refused("choose one or more lines", "uma", "make", writing.make_unit, []),
    refused("choose one or more lines", "uma", "make", writing.make_unit, ["none"]),
    refused("no such unit", "uma", "make", writing.edit_unit, *units("U9")),
    refused("needs its action", "uma", "make", writing.edit_unit, *units("U1", action="")),
    refused("Thorsday", "uma", "make", writing.edit_unit,
            *units("U1", time="Thorsday")),
    refused("keep them apart", "uma", "make", writing.edit_unit,
            *units("U1", time="1999")),
    refused("keep them apart", "uma", "make", writing.put_lines, ["BREAKS"], "U1"),
    refused("keep them apart", "uma", "make", writing.merge_units, "U1", "U2"),
    refused("two different units", "uma", "make", writing.merge_units, "U1", "U1"),
    refused("not in this unit", "uma", "make", writing.take_line, "none", "U1"),
    refused("say why the lines", "uma", "make", writing.omit_lines, ["BREAKS"], ""),
    refused("no such sentence", "max", "match", matching.add_anchor, SOURCE,
            {"sentence": "none", "start": 0, "stop": 1}),
    *(
        refused("lies within", "max", "match", matching.add_anchor, SOURCE,
                {"sentence": "a1-s01", "start": start, "stop": stop})
        for start, stop in ((-1, 2), (3, 3), (0, 999))
    ),
    refused("anchored already", "max", "match", matching.add_anchor, SOURCE,
            {"sentence": "a1-s02", "start": 0, "stop": 3}),
    refused("this unit", "max", "match", matching.match_unit, SOURCE,
            {"unit": "U1", "tree": {"members": []}, "done": False, "base": 4}),
    refused("not marked as matched", "max", "match", steps.submit, SOURCE),
    refused("choose the matching", "mara", "final", matching.adjudicate, "U9", "", 0),
    refused("a title has 1 to", "mara", "draft", topics.rename, ""),
    refused("a title has 1 to", "mara", "draft", topics.rename, LONG),
    refused("no such story", "mara", "draft", topics.retitle_story, "none", "x"),
    refused("a title has at most", "mara", "draft", topics.retitle_story, "a1", LONG),
    refused("no such role", "mara", "draft", topics.assign, 1, "writer"),
    refused("no such member", "mara", "draft", topics.assign, 0, "judge"),
    refused("do not have this role", "mara", "draft", topics.unassign, 0, "judge"),
    refused("nobody works in 'Write'", "mara, of units", "draft", open_without_writers),
    refused("machines judge streams", "mara, of units", "final", practice.add_machine, "m", {},
            SOURCE),
    refused("practice needs", "mara, of units", "draft", practice.set_answers, JUDGED),
    refused("not everybody", "mara", "link", topics.open_next),
    refused("no such step", "mara", "link", topics.reopen, "final", "why"),
    refused("never opened", "mara", "link", topics.reopen, "verify", "why"),
    refused("say why the step", "mara", "link", topics.reopen, "merge", ""),
    refused("z is a number", "mara", "link", topics.set_unchosen, "100001"),
    refused("z is a number", "mara", "link", topics.set_unchosen, "many"),
    refused("the note is empty", "ann", "link", topics.add_note, "a1-s01", ""),
    refused("no such note", "mara", "link", topics.answer_note, "none", "x"),
    refused("no such step", "mara", "link", guiding.set_deadline, "draft", "2031-03-12"),
    refused("write the day as", "mara", "link", guiding.set_deadline, "link", "soon"),
    refused("no such sentence", "ann", "verify", guiding.add_comment, SOURCE, "none", "x"),
    refused("comment is empty", "ann", "verify", guiding.add_comment, SOURCE, "a1-s01", ""),
    refused("needs a judged stream", "mara", "draft", practice.set_answers, None),
    *(
        refused("1 to 100 visible", "mara", "link", practice.add_machine, name, {}, SOURCE)
        for name in ("", "m" * 101, "m\n1")
    ),
    refused("'none' is not in", "mara", "link", practice.add_machine, "m", {"none": []}, SOURCE),
    refused("'E9' is not in", "mara", "link", practice.add_machine, "m", {"a1-s01": ["E9"]},
            SOURCE),
    refused("topic needs a name", "mara", "draft", topics.create, TopicDraft("", ""),
            most="", on=PROJECT),
    refused("choose another name", "mara", "draft", topics.create, TopicDraft("dam", "x"),
            most="", on=PROJECT),
    *(
        refused("number of lines", "mara", "draft", topics.create, TopicDraft("new", ""),
                most=most, on=PROJECT)
        for most in ("many", "1001")
    ),
    *(
        refused(words, "mara", "draft", topics.create, draft, most="", on=PROJECT)
        for words, draft in (
            ("is longer than", story(publisher=LONG)),
            ("a NUL character", story(text="a\0")),
            ("a NUL character", story(title="a\0")),
        )
    ),
    refused("no such person", "mara", "draft", projects.add_known, 0, on=PROJECT),
    refused("no such member", "mara", "draft", projects.set_manager, 0, manager=False, on=PROJECT),
    refused("keeps at least one", "mara", "draft", projects.remove_member, 1, on=PROJECT),
    refused("no such member", "mara", "draft", projects.reset_member, 0, digest="", on=PROJECT),
    refused("number from 0 to", "mara", "draft", projects.change_settings, name="x",
            given={"repeats": "1001"}, on=PROJECT),
    refused("needs a name", "mara", "draft", projects.change_settings, name="", given={},
            on=PROJECT),
    refused("no such step", "mara", "draft", guiding.write_guideline, "none", "x", base=0,
            on=PROJECT),
    refused("guidelines have at most", "mara", "draft", guiding.write_guideline, "",
            "x" * 200_001, base=0, on=PROJECT),
    refused("the guidelines", "mara", "draft", guiding.write_guideline, "", "x", base=1,
            on=PROJECT),
    refused("guidelines are empty", "mara", "draft", guiding.write_guideline, "", "", base=0,
            on=PROJECT),
    refused("a newer version", "ann", "link", guiding.read_guideline, "", 3, on=PROJECT),
]  # fmt: skip


LIMITS = {
    accounts: {"SHORTEST_PASSWORD": 10, "LONGEST_PASSWORD": 1000, "LONGEST_NAME": 60},
    sessions: {
        "_MOST_ON_DEVICE": 5, "_WINDOW": 900, "LONGEST_PAUSE": 8, "_SEEN_EVERY": 600,
        "FREE_TRIES": {"name": 4, "address": 20, "device": 8, "session": 4},
    },
    links: {"RESET_DAYS": 1},
    tokens: {"MOST": 20},
    trees: {"DEEPEST": 20, "MOST_ANCHORS": 500},
    judging: {"MOST_CHANGES": 500, "LONGEST_EVENT": 500},
    writing: {"LONGEST_LINE": 500},
    practice: {"LONGEST_JUDGE": 100},
    topics: {"MOST_LINES": 1_000, "LONGEST_TITLE": 1_000, "LARGEST_Z": 100_000},
    guiding: {"LONGEST_GUIDELINE": 200_000},
    visit: {"LONGEST_ID": 300},
    guard: {"LONGEST_PATH": 1_000},
    watch: {"LONGEST": 300},
    operations: {"FRESH": 5},
    account_pages: {"MOST_WAITING": 8},
    data: {"MOST_ENTRIES": 200},
    files: {"MOST_FILES": 5_000},
    stories: {"MOST_SENTENCES": 100_000, "LONGEST_STORY": 2_000_000, "LARGEST_XML": 16_000_000},
    Settings(): {
        "largest_upload": 64 * 2**20, "largest_request": 2**20, "session_idle_hours": 12,
        "session_days": 14, "invitation_days": 7,
    },
}  # fmt: skip
"""How much, how long and how often: who makes it laxer has to say so here, too."""


def test_the_limits_are_those_that_are_written_down_here() -> None:
    for place, limits in LIMITS.items():
        assert {name: getattr(place, name) for name in limits} == limits


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    found = Office(tmp_path_factory.mktemp("refusals") / "workbench.sqlite")
    yield found
    found.close()


@pytest.fixture(scope="module")
def accesses(office: Office) -> dict[str, TopicAccess]:
    """People of a stream whose sentences are linked, and of units that are matched."""
    stream, units = StreamTeam(office, repeats=1).link(), UnitsTeam(office).made()
    stream.ann.mark(stream.topic, "a1-s01", "E1")
    stream.bob.mark(stream.topic, "a1-s02", off=True)
    anchor = {"sentence": "a1-s02", "start": 0, "stop": 3}
    with office.database.write() as connection:
        bob = find_topic(connection, stream.bob.id, stream.topic)
        source = load(connection, stream.topic)
        practice.repeat_decisions(connection, bob, "bobs-key", source, {"a1-s02": []})
        matcher = find_topic(connection, units.max.id, units.topic)
        source = load(connection, units.topic)
        matching.add_anchor(connection, matcher, "maxs-key", source, **anchor)
    here = {"mara": stream.manager, "ann": stream.ann, "bob": stream.bob, "eve": stream.eve}
    there = {"will": units.will, "uma": units.uma, "max": units.max}
    with office.database.read() as connection:
        found = {
            name: find_topic(connection, person.id, topic)
            for team, topic in ((here, stream.topic), (there, units.topic))
            for name, person in team.items()
        }
    adding = replace(found["eve"].project, settings={"additions": True})
    units_boss = replace(found["will"].project, manager=True)
    return {
        **found,
        "eve, who adds": replace(found["eve"], project=adding),
        "mara, of units": replace(found["will"], project=units_boss, roles=frozenset()),
    }


def try_in_vain(
    office: Office, place: TopicAccess | ProjectAccess, one: Refused, names: dict[str, str]
) -> str:
    """What an action says when it refuses; nothing of it is kept."""
    engine = office.database.engine.execution_options(chronoscore_writes=True)
    with engine.connect() as connection:
        try:
            given = [
                load(connection, place.id) if value is SOURCE
                else [names.get(name, name) for name in value] if isinstance(value, list)
                else value
                for value in one.given
            ]  # fmt: skip
            options = dict(one.options)
            if one.action in data.MESSAGES.values():
                options = structs.asdict(forms.read_message(one.action, given.pop()))
            one.action(connection, place, "some-key", *given, **options)
        except (RefusedError, DataError) as error:
            return str(error)
        finally:
            connection.rollback()
    return "nothing was refused"


@pytest.mark.parametrize("one", REFUSED, ids=lambda one: f"{one.action.__name__}: {one.words}")
def test_an_action_refuses_what_it_cannot_keep_and_says_why(
    office: Office, accesses: dict[str, TopicAccess], one: Refused
) -> None:
    access = replace(accesses[one.who], step=one.step, submitted=frozenset())
    with office.database.read() as connection:
        own = stream_queries.own_candidates(connection, accesses["ann"])
        lines = unit_queries.own_lines(connection, accesses["will"])
    names = {"ANN": own[0].id, "BREAKS": lines[1].id}
    place = access.project if one.on is PROJECT else access
    assert one.words in try_in_vain(office, place, one, names)


def test_a_tree_has_a_limited_number_of_anchors() -> None:
    members = [{"anchor": f"a{number}", "v": 1} for number in range(trees.MOST_ANCHORS + 1)]
    with pytest.raises(InvalidError, match="at most 500 anchors"):
        trees.parse({"members": members})


def test_a_key_is_a_single_one() -> None:
    with pytest.raises(InvalidError, match="'jj' is not a single key"):
        check_own_keys({"next": "jj"})


def test_nobody_has_more_than_twenty_tokens(office: Office) -> None:
    ann = office.person("Ann").id
    with office.database.write() as connection:
        for _ in range(tokens.MOST):
            tokens.create(connection, ann, "feed", "reader")
        with pytest.raises(InvalidError, match="revoke one first"):
            tokens.create(connection, ann, "feed", "reader")


def test_a_project_needs_a_name_and_a_workflow(office: Office) -> None:
    mara = office.person("Mara", founder=True).id
    with office.database.write() as connection:
        for name, workflow in (("", "stream"), ("New", "none")):
            with pytest.raises(InvalidError, match="needs a name and a workflow"):
                projects.create(connection, mara, name, workflow)


def test_forms_and_messages_with_nonsense_are_refused(office: Office, accesses: Any) -> None:
    ann, mara = office.person("Ann"), office.person("Mara")
    stream, units = f"/t/{accesses['ann'].id}", f"/t/{accesses['will'].id}"
    project = f"/p/{accesses['ann'].project.id}"
    for path, words, fields in (
        ("/account/theme", "no such theme", {"theme": "pink"}),
        ("/account/password", "passwords differ", {"password": "x" * 12, "again": "y" * 12}),
        (f"{stream}/disagreements/link", "keep or drop", {"verdict": "perhaps", "base": "0"}),
        (f"{stream}/disagreements/link", "keep or drop", {"verdict": "keep", "base": "none"}),
        (f"{stream}/notes", "is longer than", {"text": "x" * 4_001}),
        (f"{stream}/notes", "nul character", {"text": "a\0"}),
        (f"{stream}/assign", "choose a person", {"person": "Bob", "role": "judge"}),
        (f"{project}/import", "choose", {"name": "new"}),
        (f"{project}/people/9999/remove", "no such member", {}),
        (f"{units}/disagreements/unit", "open the page again", {"unit": "U1", "base": "none"}),
    ):
        assert words in mara.post(path, status=400, **fields).text.lower()
    uma, eve = office.person("Uma"), office.person("Eve")
    for who, path, words in (
        (ann, f"{stream}/merge", "no such action"), (uma, f"{units}/make", "no such action"),
        (eve, f"{stream}/verify", "keep or drop"),
    ):  # fmt: skip
        assert words in who.post(path, status=400, do="paint").text.lower()
    assert "a token of yours" in office.client().get("/api/projects").json()["error"]
    assert office.client().get("/reset/no-such-token").status_code == 404
    assert "moved on" in ann.post(f"{stream}/submit", status=409, step="merge").text
    entry = {"key": "some-key", "action": "paint", "body": {}}
    assert ann.send(accesses["ann"].id, entry)[0]["refused"] == "no such action"
    ann.send(accesses["ann"].id, status=400)
    ann.send(accesses["ann"].id, *[entry] * 201, status=400)
