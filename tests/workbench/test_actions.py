"""Every action has its projection, its sentence and its rule, and obeys the rule."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from inspect import getmembers, isfunction, signature
from pkgutil import iter_modules
from typing import Any, get_origin, get_type_hints

import pytest
from sqlalchemy import Connection, delete, insert

from chronoscore.errors import DataError
from chronoscore.workbench.domain import actions, figures, pace
from chronoscore.workbench.domain.access import ProjectAccess, TopicAccess, find_topic
from chronoscore.workbench.domain.actions import projects
from chronoscore.workbench.domain.actions.performing import record
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.domain.catalog import CATALOG, Action
from chronoscore.workbench.domain.errors import ClosedError, NotFoundError, RefusedError
from chronoscore.workbench.domain.queries import disagreements, notes, people, stream, units
from chronoscore.workbench.domain.queries import guiding as guiding_queries
from chronoscore.workbench.exchange import exports
from chronoscore.workbench.store import log, projections, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.source import Library, TopicSource, load
from chronoscore.workbench.store.workflow import ROLES, STEPS, WORKER
from workbench.office import Office

FUNCTIONS = [
    function
    for module in iter_modules(actions.__path__, f"{actions.__name__}.")
    for name, function in getmembers(import_module(module.name), isfunction)
    if function.__module__ == module.name and not name.startswith("_")
]
PERFORMING = [function for function in FUNCTIONS if hasattr(function, "action")]
IN_PROJECTS = [one for one in PERFORMING if ProjectAccess in get_type_hints(one).values()]
IN_TOPICS = [one for one in PERFORMING if one not in IN_PROJECTS]

NONSENSE: dict[Any, Any] = {
    str: "", int: 0, bool: False, list: [], dict: {}, Mapping: {}, TopicDraft: TopicDraft("", ""),
}  # fmt: skip
"""What an action is given, by the kind of a parameter: only who may do it is told that it is none.

Whatever is not here is given as None.
"""

WRITTEN_DOWN: dict[tuple[str, str], str] = {
    ("founder", "every step"): "project.create",
    ("manager", "every step"): "project.change project.archive project.export member.add "
    "member.invite member.withdraw reset.confirm reset.refuse member.remove "
    "member.reset topic.create topic.rename topic.archive topic.deadline topic.assign "
    "topic.unassign topic.estimate guideline.write note.answer",
    ("manager", "draft"): "story.retitle topic.practice",
    ("manager", "link verify final"): "machine.add",
    ("manager", "draft identify merge link"): "topic.queue",
    ("manager", "verify"): "verdict.adjudicate",
    ("manager", "final"): "match.adjudicate",
    ("manager", "draft identify merge link verify write make match rematch"): "step.open",
    ("manager", "identify merge link verify final write make match rematch"): "step.reopen",
    ("worker", "identify merge link verify write make match rematch"): "step.submit",
    ("worker", "identify"): "story.read candidate.add candidate.edit",
    ("worker", "merge"): "candidate.omit event.add event.put event.take event.split event.edit",
    ("worker", "link"): "mark mark.repeat",
    ("worker", "verify"): "verdict",
    ("worker", "write"): "line.add line.edit",
    ("worker", "make"): "line.omit unit.add unit.edit unit.put unit.take unit.merge",
    ("worker", "match rematch"): "anchor.add match",
    ("discussing", "every step"): "comment.add",
    ("everyone", "every step"): "guideline.read note.add undo",
    ("workbench", "every step"): "unit.sample topic.see account.create account.password "
    "account.reset token.create token.revoke reset.ask reset.done",
}
"""The rules of the catalog once more: a change that makes one laxer must be made here, too."""


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
        with office.database.read() as connection:
            access = find_topic(connection, manager.id, topic)
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


def expected(action: Action, topic: TopicAccess) -> type[RefusedError] | None:
    """What the catalog says, read without the code that applies it."""
    rule = action.rule
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
    office: Office, access: Any, function: Callable[..., Any], **given: Any
) -> type[Exception] | None:
    """How an action was refused, if it was; nothing of it is kept."""
    hints = get_type_hints(function)
    engine = office.database.engine.execution_options(chronoscore_writes=True)
    with engine.connect() as connection:
        for name in signature(function).parameters.keys() - {"key", *given}:
            kind = hints[name]
            if kind is TopicSource:
                given[name] = load(connection, access.id)
            elif kind not in (Connection, TopicAccess, ProjectAccess):
                given[name] = NONSENSE.get(get_origin(kind) or kind)
        try:
            function(connection, access, "some-key", **given)
        except (RefusedError, DataError) as error:
            return type(error)
        finally:
            connection.rollback()
    return None


def by_name(functions: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("function", functions, ids=lambda one: one.__name__)


@pytest.mark.parametrize("workflow", STEPS)
@by_name(IN_TOPICS)
def test_an_action_is_allowed_or_refused_as_the_catalog_says(
    office: Office, accesses: dict[str, TopicAccess], workflow: str, function: Any
) -> None:
    for who, topic in visitors(accesses[workflow]):
        refused = outcome(office, topic, function)
        wanted = expected(function.action, topic)
        if wanted is None:
            assert refused not in (NotFoundError, ClosedError), who
        else:
            assert refused is wanted, who


def record_nothing(
    connection: Connection, topic: TopicAccess, key: str, action: Action
) -> LogEntry:
    return record(connection, topic, action, {}, key)


@pytest.mark.parametrize("workflow", STEPS)
def test_nothing_is_recorded_that_the_catalog_does_not_allow(
    office: Office, accesses: dict[str, TopicAccess], workflow: str
) -> None:
    """The last check, whatever the function before it has forgotten."""
    for action in CATALOG.values():
        for who, topic in visitors(accesses[workflow]):
            wanted = expected(action, topic)
            if wanted is not None:
                refused = outcome(office, topic, record_nothing, action=action)
                assert refused is wanted, (action.name, who)


@by_name(IN_TOPICS)
def test_nothing_but_taking_it_up_again_changes_what_is_archived(
    office: Office, accesses: dict[str, TopicAccess], function: Any
) -> None:
    action = function.action
    for workflow, plain in accesses.items():
        for away in (
            replace(plain, put_away=True),
            replace(plain, project=replace(plain.project, archived=True)),
        ):
            for who, topic in visitors(away):
                if expected(action, replace(topic, put_away=False)) is None:
                    refused = outcome(office, topic, function)
                    wanted = None if action.name == "topic.archive" else ClosedError
                    assert refused is wanted, (workflow, who)


@by_name(IN_PROJECTS)
def test_only_managers_change_a_project_and_every_member_reads_guidelines(
    office: Office, accesses: dict[str, TopicAccess], function: Any
) -> None:
    member = accesses["stream"].project
    manager = replace(member, manager=True)
    read = function.action.name == "guideline.read"
    assert function.action.rule.who == ("everyone" if read else "manager")
    assert (outcome(office, member, function) is NotFoundError) == (not read)
    assert outcome(office, manager, function) not in (NotFoundError, ClosedError)
    archived = outcome(office, replace(manager, archived=True), function)
    assert (archived is ClosedError) == (not function.action.rule.on_archived)
    allowed = {"project.archive", "project.export", "reset.confirm", "reset.refuse"}
    assert function.action.rule.on_archived == (function.action.name in allowed)


def test_only_founders_create_projects(office: Office, accesses: dict[str, TopicAccess]) -> None:
    assert CATALOG["project.create"].rule.who == "founder"
    ann = accesses["stream"].person
    with office.database.write() as connection, pytest.raises(NotFoundError):
        projects.create(connection, ann, "Mine", "stream")


def test_every_action_has_a_projection_and_every_function_that_acts_an_action() -> None:
    """One that takes a key writes to the log, so the catalog must be asked first."""
    assert set(CATALOG) == set(projections.BY_NAME), "write a function with @applies(name, …)"
    by_nobody = {one.name for one in CATALOG.values() if one.rule.who in ("founder", "workbench")}
    done = {function.action.name for function in PERFORMING} | by_nobody
    assert done == set(CATALOG), "write a function with @performs(catalog.…)"
    acting = {one.__name__ for one in FUNCTIONS if "key" in signature(one).parameters}
    # The first asks the catalog itself, the second is tested above, the third acts by others.
    assert acting == {"record", "create", "hand_in"}


def test_the_catalog_allows_what_is_written_down_here_and_no_more() -> None:
    every = {step for steps in STEPS.values() for step in steps}
    written = {
        action: (who, every if steps == "every step" else set(steps.split()))
        for (who, steps), actions_ in WRITTEN_DOWN.items()
        for action in actions_.split()
    }
    rules = {name: action.rule for name, action in CATALOG.items()}
    found = {name: (rule.who, set(rule.steps)) for name, rule in rules.items()}
    assert found == written, "write the rule down in WRITTEN_DOWN"


def test_who_must_stay_blind_is_refused_where_the_database_is_read(
    office: Office, accesses: dict[str, TopicAccess]
) -> None:
    """Whatever a page forgets to ask: even of a manager who works in the topic."""
    judged, matched = accesses["stream"], accesses["units"]
    boss = replace(judged.project, manager=True)
    with office.database.write() as connection:
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
            (disagreements.find, (source,), "verifier", "verify"),
            (figures.compute_stream, (source,), "judge", "verify"),
            (pace.list_rows, (source,), "judge", "link"),
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
            disagreements.find(connection, early, source)
        note = {"id": "n1", "place": "", "text": "secret"}
        other = {"person": judged.person + 1, "project": judged.project.id, "topic": judged.id}
        log.append(connection, LogEntry(action="note.add", data=note, step="link", **other))
        blind = replace(judged, roles=frozenset({"judge"}), step="link")
        assert notes.topic_notes(connection, blind) == []
        connection.execute(delete(tables.machine))


def test_only_managers_export(office: Office, accesses: dict[str, TopicAccess]) -> None:
    final = replace(accesses["stream"], step="final")
    with office.database.read() as connection, pytest.raises(NotFoundError):
        exports.judgements_file(connection, final.project, [final], Library())


def test_an_action_without_a_projection_says_so(office: Office) -> None:
    with (
        office.database.write() as connection,
        pytest.raises(DataError, match=r"the action 'topic\.paint' has no projection"),
    ):
        log.append(connection, LogEntry(action="topic.paint", data={}))


def test_what_managers_do_to_a_topic_is_not_time_at_work(
    office: Office, accesses: dict[str, TopicAccess]
) -> None:
    managers = {one.action.name for one in IN_TOPICS if one.action.rule.who == "manager"}
    administrative = {name for name, one in projections.BY_NAME.items() if one.administrative}
    # To look is no work either.
    managers.add("topic.see")
    assert administrative == managers, "@applies(…, administrative=True) for managers in a topic"
    topic = accesses["stream"]
    place = {"person": topic.person, "project": topic.project.id, "topic": topic.id, "step": "link"}
    with office.database.write() as connection:
        for time, action, data in (
            (1_000.0, "story.read", {"story": "a1", "read": True}),
            (1_010.0, "topic.estimate", {"z": 3.0}),
            (1_060.0, "story.read", {"story": "a2", "read": True}),
            (1_090.0, "topic.assign", {"person": topic.person, "role": "judge"}),
        ):
            log.append(connection, LogEntry(action=action, data=data, time=time, **place))
        assert people.own_work(connection, topic, "link") == (2, 60.0)
