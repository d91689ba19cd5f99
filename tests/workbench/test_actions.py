"""Every action has its projection, its sentence and its rule, and obeys the rule."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from sqlalchemy import delete, insert

from chronoscore.errors import DataError
from chronoscore.workbench.domain import actions
from chronoscore.workbench.domain.access import TopicAccess, topic_access
from chronoscore.workbench.domain.actions import (
    guiding,
    judging,
    matching,
    merging,
    practice,
    projects,
    steps,
    topics,
    undoing,
    writing,
)
from chronoscore.workbench.domain.actions.recording import record_action
from chronoscore.workbench.domain.errors import ClosedError, NotFoundError, RefusedError
from chronoscore.workbench.domain.figures import stream_figures
from chronoscore.workbench.domain.history import SENTENCES
from chronoscore.workbench.domain.permissions import RULES
from chronoscore.workbench.domain.progress import progress_rows
from chronoscore.workbench.domain.queries import guiding as guiding_queries
from chronoscore.workbench.domain.queries import notes, people, stream, units
from chronoscore.workbench.domain.queries.disagreements import disagreements
from chronoscore.workbench.exchange.exports import export
from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections import ACTIONS
from chronoscore.workbench.store.projections.activity import ADMINISTRATIVE
from chronoscore.workbench.store.source import Library, load
from chronoscore.workbench.store.workflow import ROLES, STEPS, WORKER
from workbench.office import Office

Attempt = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]
SOURCE = object()
"""Stands for the text of the topic."""

ATTEMPTS: list[Attempt] = [
    ("topic.rename", topics.rename, ("",), {}),
    ("topic.deadline", guiding.set_deadline, ("none", ""), {}),
    ("comment.add", guiding.add_comment, (SOURCE, "none", ""), {}),
    ("verdict.adjudicate", judging.adjudicate, (SOURCE, {}), {}),
    ("topic.practice", practice.set_answers, (None,), {}),
    ("machine.add", practice.add_machine, ("", {}, SOURCE), {}),
    ("mark.repeat", practice.repeat_decisions, (SOURCE, {}), {}),
    ("topic.archive", topics.archive, (), {"archived": False}),
    ("story.retitle", topics.retitle_story, ("none", ""), {}),
    ("topic.assign", topics.assign_role, (0, "nobody"), {}),
    ("topic.unassign", topics.unassign_role, (0, "nobody"), {}),
    ("topic.estimate", topics.set_unchosen, ("many",), {}),
    ("step.open", topics.open_next, (), {}),
    ("step.reopen", topics.reopen_step, ("none", ""), {}),
    ("step.submit", steps.submit_step, (SOURCE,), {}),
    ("note.add", topics.add_note, ("", ""), {}),
    ("note.answer", topics.answer_note, ("none", ""), {}),
    ("story.read", judging.read_story, (SOURCE, "none"), {"read": True}),
    ("candidate.add", judging.add_candidate, (SOURCE, "none", ""), {}),
    ("candidate.edit", judging.edit_candidate, ("none", ""), {"withdrawn": True}),
    ("candidate.omit", merging.omit_candidates, ([], ""), {}),
    ("event.add", merging.merge_candidates, ([], ""), {}),
    ("event.put", merging.add_to_event, ([], "none"), {}),
    ("event.take", merging.take_from_event, ("none", "none"), {}),
    ("event.edit", merging.rename_event, ("none", ""), {}),
    ("event.edit", merging.omit_event, ("none", ""), {}),
    ("mark", judging.mark_sentences, (SOURCE, {}), {}),
    ("mark", judging.mark_rest_off, (SOURCE,), {}),
    ("verdict", judging.judge_links, (SOURCE, {}), {}),
    ("line.add", writing.add_line, ("", ""), {}),
    ("line.edit", writing.edit_line, ("none", "", ""), {}),
    ("line.omit", writing.omit_lines, ([], ""), {}),
    ("unit.add", writing.make_unit, ([], {}), {}),
    ("unit.edit", writing.edit_unit, ("none", {}), {}),
    ("unit.put", writing.put_lines, ([], "none"), {}),
    ("unit.take", writing.take_line, ("none", "none"), {}),
    ("unit.merge", writing.merge_units, ("none", "none"), {}),
    ("anchor.add", matching.add_anchor, (SOURCE, {}), {}),
    ("match.adjudicate", matching.adjudicate, ("none", "", 0), {}),
    ("match", matching.match_unit, (SOURCE, {}), {}),
    ("undo", undoing.undo, ("none",), {}),
]
"""Each action that concerns a topic, with nonsense that only who may do it is told about."""

IN_PROJECTS: list[Attempt] = [
    (
        "project.change", projects.change_settings, (),
        {"name": "", "given": {"hints": "", "additions": "", "repeats": "0"}},
    ),
    ("guideline.write", guiding.write_guideline, ("none", ""), {"base": 0}),
    ("project.archive", projects.archive, (), {"archived": False}),
    ("member.add", projects.add_known, (0,), {}),
    ("member.reset", projects.reset_member, (0,), {"digest": ""}),
    ("member.add", projects.change_member, (0, "manager"), {}),
    ("member.remove", projects.change_member, (0, "remove"), {}),
    ("topic.create", topics.create_topic, (topics.TopicDraft("", ""),), {"most": ""}),
]  # fmt: skip

BY_MEMBERS: list[Attempt] = [("guideline.read", guiding.read_guideline, ("", 0), {})]
"""What every member of a project may do."""

WRITTEN_DOWN: dict[tuple[str, str], str] = {
    ("founder", "every step"): "project.create",
    ("manager", "every step"): "project.change project.archive member.add member.remove "
    "member.reset topic.create topic.rename topic.archive topic.deadline topic.assign "
    "topic.unassign topic.estimate guideline.write note.answer",
    ("manager", "draft"): "story.retitle topic.practice",
    ("manager", "link verify final"): "machine.add",
    ("manager", "verify"): "verdict.adjudicate",
    ("manager", "final"): "match.adjudicate",
    ("manager", "draft identify merge link verify write make match rematch"): "step.open",
    ("manager", "identify merge link verify final write make match rematch"): "step.reopen",
    ("worker", "identify merge link verify write make match rematch"): "step.submit",
    ("worker", "identify"): "story.read candidate.add candidate.edit",
    ("worker", "merge"): "candidate.omit event.add event.put event.take event.edit",
    ("worker", "link"): "mark mark.repeat",
    ("worker", "verify"): "verdict",
    ("worker", "write"): "line.add line.edit",
    ("worker", "make"): "line.omit unit.add unit.edit unit.put unit.take unit.merge",
    ("worker", "match rematch"): "anchor.add match",
    ("discussing", "every step"): "comment.add",
    ("everyone", "every step"): "guideline.read note.add undo",
    ("workbench", "every step"): "unit.sample",
}
"""The table of `permissions` once more: who makes it laxer has to say so here, too."""

UNDECORATED = {"record_action", "create_project", "open_step"}
"""`record_action` asks the table itself; the other two are tested below and by the steps' tests."""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    found = Office(tmp_path_factory.mktemp("actions") / "workbench.sqlite")
    yield found
    found.close()


@pytest.fixture(scope="module")
def accesses(office: Office) -> dict[str, TopicAccess]:
    """A topic of each workflow, as somebody without a role would see it."""
    manager, member = office.person("Mara", founder=True), office.person("Ann")
    found = {}
    for workflow in STEPS:
        topic = office.topic(manager, office.project(manager, workflow, member), name=workflow)
        with office.database.reading() as connection:
            access = topic_access(connection, manager.id, topic)
        project = replace(access.project, person=member.id, manager=False)
        found[workflow] = replace(access, person=member.id, project=project)
    return found


def visitors(plain: TopicAccess) -> Iterator[tuple[str, TopicAccess]]:
    """Everybody who may come to a topic, in every step, before and after handing it in."""
    workflow = plain.project.workflow
    people_ = {role: replace(plain, roles=frozenset({role})) for role in ROLES[workflow]}
    people_["manager"] = replace(plain, project=replace(plain.project, manager=True))
    if workflow == "stream":
        people_["judge who merges"] = replace(people_["judge"], merges=True)
    for who, access in people_.items():
        for step in STEPS[workflow]:
            yield f"{who} in {step}", replace(access, step=step)
            done = frozenset({step})
            yield f"{who} who handed in {step}", replace(access, step=step, submitted=done)


def expected(action: str, topic: TopicAccess) -> type[RefusedError] | None:
    """What the table says, read without the code that applies it."""
    rule = RULES[action]
    if rule.who in ("founder", "workbench"):
        return NotFoundError
    if rule.who == "manager" and not topic.project.manager:
        return NotFoundError
    if rule.who == "discussing":
        who = topic.roles & {"judge"} or topic.project.manager
        may = topic.step == "final" or (topic.step == "verify" and who)
        return None if may and topic.project.workflow == "stream" else NotFoundError
    if rule.who != "worker":
        return None if topic.step in rule.steps else ClosedError
    mine = [step for step in rule.steps if WORKER[step] in topic.roles]
    mine += [step for step in rule.steps if step == "merge" and topic.merges]
    if not mine:
        return NotFoundError
    is_open = topic.step in mine and topic.step not in topic.submitted
    return None if is_open else ClosedError


def outcome(
    office: Office, access: Any, function: Callable[..., Any], *args: Any, **options: Any
) -> type[Exception] | None:
    """How an action was refused, if it was; nothing of it is kept."""
    engine = office.database.engine.execution_options(chronoscore_writes=True)
    with engine.connect() as connection:
        try:
            given = [load(connection, access.id) if one is SOURCE else one for one in args]
            function(connection, access, "some-key", *given, **options)
        except (RefusedError, DataError) as error:
            return type(error)
        finally:
            connection.rollback()
    return None


@pytest.mark.parametrize("workflow", STEPS)
@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda one: one[1].__name__)
def test_an_action_is_allowed_or_refused_as_the_table_says(
    office: Office, accesses: dict[str, TopicAccess], workflow: str, attempt: Attempt
) -> None:
    action, function, args, options = attempt
    for who, topic in visitors(accesses[workflow]):
        refused = outcome(office, topic, function, *args, **options)
        wanted = expected(action, topic)
        if wanted is None:
            assert refused not in (NotFoundError, ClosedError), (action, who)
        else:
            assert refused is wanted, (action, who)


def record_nothing(connection: Any, topic: TopicAccess, key: str, action: str) -> LogEntry:
    return record_action(connection, topic, action, {}, key)


@pytest.mark.parametrize("workflow", STEPS)
def test_nothing_is_recorded_that_the_table_does_not_allow(
    office: Office, accesses: dict[str, TopicAccess], workflow: str
) -> None:
    """The last check, whatever the function before it has forgotten."""
    for action in RULES:
        for who, topic in visitors(accesses[workflow]):
            wanted = expected(action, topic)
            if wanted is not None:
                refused = outcome(office, topic, record_nothing, action)
                assert refused is wanted, (action, who)


@pytest.mark.parametrize("attempt", IN_PROJECTS, ids=lambda one: one[0])
def test_only_managers_change_a_project(
    office: Office, accesses: dict[str, TopicAccess], attempt: Attempt
) -> None:
    action, function, args, options = attempt
    assert RULES[action].who == "manager"
    project = accesses["stream"].project
    manager = replace(project, manager=True)
    assert outcome(office, project, function, *args, **options) is NotFoundError
    assert outcome(office, manager, function, *args, **options) is not NotFoundError


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda one: one[1].__name__)
def test_nothing_but_taking_it_up_again_changes_what_is_archived(
    office: Office, accesses: dict[str, TopicAccess], attempt: Attempt
) -> None:
    action, function, args, options = attempt
    for workflow, plain in accesses.items():
        for away in (
            replace(plain, put_away=True),
            replace(plain, project=replace(plain.project, archived=True)),
        ):
            for who, topic in visitors(away):
                if expected(action, replace(topic, put_away=False)) is None:
                    refused = outcome(office, topic, function, *args, **options)
                    wanted = None if action == "topic.archive" else ClosedError
                    assert refused is wanted, (action, workflow, who)


@pytest.mark.parametrize("attempt", [*IN_PROJECTS, *BY_MEMBERS], ids=lambda one: one[1].__name__)
def test_an_archived_project_is_not_changed(
    office: Office, accesses: dict[str, TopicAccess], attempt: Attempt
) -> None:
    action, function, args, options = attempt
    project = replace(accesses["stream"].project, manager=True, archived=True)
    wanted = None if action == "project.archive" else ClosedError
    assert outcome(office, project, function, *args, **options) is wanted


def test_every_member_reads_guidelines(office: Office, accesses: dict[str, TopicAccess]) -> None:
    for action, function, args, options in BY_MEMBERS:
        assert RULES[action].who == "everyone"
        refused = outcome(office, accesses["stream"].project, function, *args, **options)
        assert refused not in (NotFoundError, ClosedError)


def test_only_founders_create_projects(office: Office, accesses: dict[str, TopicAccess]) -> None:
    assert RULES["project.create"].who == "founder"
    ann = accesses["stream"].person
    with office.database.writing() as connection, pytest.raises(NotFoundError):
        projects.create_project(connection, ann, "Mine", "stream")


def test_every_function_that_acts_is_tried() -> None:
    """One that takes a key writes to the log, so the table must be asked first."""
    acting, asking = set(), set()
    for module in iter_modules(actions.__path__, f"{actions.__name__}."):
        for name, function in inspect.getmembers(import_module(module.name), inspect.isfunction):
            if name.startswith("_") or function.__module__ != module.name:
                continue
            if "key" in inspect.signature(function).parameters:
                acting.add(name)
            if hasattr(function, "__wrapped__"):
                asking.add(function)
    assert asking == {function for _, function, *_ in [*ATTEMPTS, *IN_PROJECTS, *BY_MEMBERS]}
    assert acting - {function.__name__ for function in asking} == UNDECORATED


def test_every_action_has_a_projection_a_sentence_and_a_rule() -> None:
    assert set(SENTENCES) == set(ACTIONS) == set(RULES)
    tried = {action for action, *_ in [*ATTEMPTS, *IN_PROJECTS, *BY_MEMBERS]}
    by_nobody = {action for action, rule in RULES.items() if rule.who in ("founder", "workbench")}
    assert tried | by_nobody == set(RULES)


def test_the_table_allows_what_is_written_down_here_and_no_more() -> None:
    every = {step for steps in STEPS.values() for step in steps}
    written = {
        action: (who, every if steps == "every step" else set(steps.split()))
        for (who, steps), actions_ in WRITTEN_DOWN.items()
        for action in actions_.split()
    }
    assert {name: (rule.who, set(rule.steps)) for name, rule in RULES.items()} == written


def test_who_must_stay_blind_is_refused_where_the_database_is_read(
    office: Office, accesses: dict[str, TopicAccess]
) -> None:
    """Whatever a page forgets to ask: even of a manager who works in the topic."""
    judged, matched = accesses["stream"], accesses["units"]
    boss = replace(judged.project, manager=True)
    with office.database.writing() as connection:
        row = {"topic": judged.id, "judge": "m1", "links": '{"a1-s01": ["E1"]}'}
        connection.execute(insert(tables.machine).values(row))
        for role, project, step in (
            ("judge", judged.project, "verify"), ("judge", boss, "verify"),
            ("merger", judged.project, "verify"), ("verifier", judged.project, "link"),
        ):  # fmt: skip
            blind = replace(judged, roles=frozenset({role}), project=project, step=step)
            assert stream.machine_judges(connection, blind) == {}, (role, step)
            with pytest.raises(NotFoundError):
                stream.marks_by_judge(connection, blind)
        both = replace(judged, roles=frozenset({"judge"}), project=boss, step="final")
        assert stream.machine_judges(connection, both) == {}, "judges never see machines"
        seen = replace(judged, roles=frozenset({"verifier"}), step="verify")
        assert stream.machine_judges(connection, seen) == {"m1": {"a1-s01": {"E1"}}}
        boss = replace(matched.project, manager=True)
        for role, project in (("matcher", matched.project), ("rematcher", boss)):
            blind = replace(matched, roles=frozenset({role}), project=project, step="rematch")
            with pytest.raises(NotFoundError):
                units.matchings_by_role(connection, blind)
        for role, step in (("writer", "make"), ("matcher", "match"), ("maker", "write")):
            blind = replace(matched, roles=frozenset({role}), step=step)
            with pytest.raises(NotFoundError):
                units.all_lines(connection, blind)
        maker = replace(matched, roles=frozenset({"maker"}), step="make")
        assert units.all_lines(connection, maker) == []
        merger = replace(judged, roles=frozenset({"merger"}), step="merge")
        assert stream.all_candidates(connection, merger) == []
        source, boss = load(connection, judged.id), replace(judged.project, manager=True)
        asked: list[tuple[Callable[..., Any], tuple[Any, ...], str, str]] = [
            (stream.all_candidates, (), "judge", "merge"),
            (stream.all_candidates, (), "merger", "identify"),
            (stream.repeats_by_judge, (), "judge", "verify"),
            (disagreements, (source,), "verifier", "verify"),
            (stream_figures, (source,), "judge", "verify"),
            (progress_rows, (source,), "judge", "link"),
            (guiding_queries.comments, (), "verifier", "verify"),
        ]
        for ask, given, role, step in asked:
            for project in (judged.project, boss):
                blind = replace(judged, roles=frozenset({role}), project=project, step=step)
                with pytest.raises(NotFoundError):
                    ask(connection, blind, *given)
        with pytest.raises(NotFoundError):
            guiding_queries.guideline_readers(connection, judged.project)
        early = replace(judged, project=boss, step="link")
        with pytest.raises(NotFoundError):
            disagreements(connection, early, source)
        note = {"id": "n1", "place": "", "text": "secret"}
        other = {"person": judged.person + 1, "project": judged.project.id, "topic": judged.id}
        log.append_log_entry(
            connection, LogEntry(action="note.add", data=note, step="link", **other)
        )
        blind = replace(judged, roles=frozenset({"judge"}), step="link")
        assert notes.topic_notes(connection, blind) == []
        connection.execute(delete(tables.machine))


def test_only_managers_export(office: Office, accesses: dict[str, TopicAccess]) -> None:
    final = replace(accesses["stream"], step="final")
    with office.database.reading() as connection, pytest.raises(NotFoundError):
        export(connection, final.project, [final], Library())


def test_an_action_without_a_projection_says_so(office: Office) -> None:
    with (
        office.database.writing() as connection,
        pytest.raises(DataError, match=r"the action 'topic\.paint' has no projection"),
    ):
        log.append_log_entry(connection, LogEntry(action="topic.paint", data={}))


def test_what_managers_do_to_a_topic_is_not_time_at_work(
    office: Office, accesses: dict[str, TopicAccess]
) -> None:
    in_topics = {action for action, function, *_ in ATTEMPTS}
    assert {
        action for action, rule in RULES.items() if rule.who == "manager" and action in in_topics
    } == ADMINISTRATIVE
    topic = accesses["stream"]
    place = {"person": topic.person, "project": topic.project.id, "topic": topic.id, "step": "link"}
    with office.database.writing() as connection:
        for time, action, data in (
            (1_000.0, "story.read", {"story": "a1", "read": True}),
            (1_010.0, "topic.estimate", {"z": 3.0}),
            (1_060.0, "story.read", {"story": "a2", "read": True}),
            (1_090.0, "topic.assign", {"person": topic.person, "role": "judge"}),
        ):
            log.append_log_entry(connection, LogEntry(action=action, data=data, time=time, **place))
        assert people.own_work(connection, topic, "link") == (2, 60.0)
