"""What follows from managing: projects, members, topics, steps, notes."""

from sqlalchemy import Connection, delete, insert, not_, select

from chronoscore.workbench.store import log, tables
from chronoscore.workbench.store.log import LogEntry
from chronoscore.workbench.store.projections.rows import (
    add_topic_row,
    applies,
    change_rows,
    open_invitations,
    put_rows,
    rows_with_key,
    take_rows,
    topic_row_key,
)
from chronoscore.workbench.store.workflow import BLINDING, STEPS, WORKER


@applies("project.create", tables.project, tables.member)
def create(connection: Connection, entry: LogEntry) -> None:
    """A project, with the person who made it as its manager."""
    data, here = entry.data, entry.number_made
    connection.execute(
        insert(tables.project).values(
            id=here,
            name=data["name"],
            workflow=data["workflow"],
            settings=log.to_json(data["settings"]),
            archived=False,
        )
    )
    if entry.person is not None:
        connection.execute(
            insert(tables.member).values(project=here, person=entry.person, manager=True)
        )


@applies("project.change", tables.project)
def change_settings(connection: Connection, entry: LogEntry) -> None:
    """New settings, and perhaps a new name."""
    values = {"name": entry.data["name"], "settings": log.to_json(entry.data["settings"])}
    change_rows(connection, tables.project, {"id": entry.project}, values)


@applies("project.archive", tables.project, tables.invitation)
def archive_project(connection: Connection, entry: LogEntry) -> None:
    """A project is put away, or taken up again; open invitations end when it is put away."""
    if entry.data["archived"]:
        take_rows(connection, tables.invitation, open_invitations(entry))
    values = {"archived": entry.data["archived"]}
    change_rows(connection, tables.project, {"id": entry.project}, values)


@applies("topic.archive", tables.topic, administrative=True)
def archive_topic(connection: Connection, entry: LogEntry) -> None:
    """A topic is put away, or taken up again."""
    change_rows(connection, tables.topic, {"id": entry.topic}, {"archived": entry.data["archived"]})


@applies("topic.rename", tables.topic, administrative=True)
def rename_topic(connection: Connection, entry: LogEntry) -> None:
    """Another title; the name, of which ids are made, stays."""
    change_rows(connection, tables.topic, {"id": entry.topic}, {"title": entry.data["title"]})


@applies("story.retitle", tables.story, administrative=True)
def retitle_story(connection: Connection, entry: LogEntry) -> None:
    """Another title for a story that nobody has judged yet."""
    key = topic_row_key(entry, entry.data["story"])
    change_rows(connection, tables.story, key, {"title": entry.data["title"]})


@applies("member.add", tables.member, tables.invitation)
def add_member(connection: Connection, entry: LogEntry) -> None:
    """A person belongs to a project, as manager or not; perhaps by an invitation."""
    key = {"project": entry.project, "person": entry.data["person"]}
    if not entry.data["manager"]:
        _end_links_of_manager(connection, entry)
    put_rows(connection, tables.member, [{**key, "manager": entry.data["manager"]}])
    if "invitation" in entry.data:
        used = {"digest": entry.data["invitation"]}
        change_rows(connection, tables.invitation, used, {"used_by": entry.data["person"]})


@applies("member.remove", tables.member, tables.invitation)
def remove_member(connection: Connection, entry: LogEntry) -> None:
    """A person no longer sees a project."""
    _end_links_of_manager(connection, entry)
    key = {"project": entry.project, "person": entry.data["person"]}
    take_rows(connection, tables.member, key)


def _end_links_of_manager(connection: Connection, entry: LogEntry) -> None:
    """A manager who is one no more may have kept a link that would let them in again."""
    key = {"project": entry.project, "person": entry.data["person"], "manager": True}
    managed = select(tables.member.c.person).where(rows_with_key(tables.member, key))
    if connection.execute(managed).scalar() is not None:
        take_rows(connection, tables.invitation, open_invitations(entry))


@applies("topic.create", tables.topic, tables.story, tables.sentence, tables.anchor)
def create_topic(connection: Connection, entry: LogEntry) -> None:
    """A topic with its stories; sentences get their ids and offsets here, for good."""
    data, here = entry.data, entry.number_made
    connection.execute(
        insert(tables.topic).values(
            id=here,
            project=entry.project,
            name=data["name"],
            title=data["title"],
            step="draft",
            version=1,
            most=data.get("most", 0),
            z=None,
            imported=log.to_json(data.get("imported", {})),
            archived=False,
            answers="",
        )
    )
    stories: list[dict[str, object]] = []
    sentences: list[dict[str, object]] = []
    anchors: list[dict[str, object]] = []
    for number, story in enumerate(data["stories"], 1):
        stories.append(
            {
                "topic": here,
                "n": number,
                **{name: story[name] for name in ("id", "time", "title", "publisher", "text")},
            }
        )
        for n, (name, start, stop) in enumerate(story["sentences"], 1):
            place = len(sentences)
            sentences.append(
                {"topic": here, "id": name, "place": place, "story": story["id"], "n": n,
                 "start": start, "stop": stop}
            )  # fmt: skip
    for anchor in data.get("anchors", ()):
        anchors.append({"topic": here, "by": None, **anchor})
    for table, rows in (
        (tables.story, stories),
        (tables.sentence, sentences),
        (tables.anchor, anchors),
    ):
        if rows:
            connection.execute(insert(table), rows)


@applies("topic.assign", tables.assignment, administrative=True)
def assign(connection: Connection, entry: LogEntry) -> None:
    """A person works on a topic in a role."""
    put_rows(connection, tables.assignment, [{"topic": entry.topic, **_person_and_role(entry)}])


@applies("topic.unassign", tables.assignment, administrative=True)
def unassign(connection: Connection, entry: LogEntry) -> None:
    """A person no longer works on a topic in this role."""
    take_rows(connection, tables.assignment, {"topic": entry.topic, **_person_and_role(entry)})


@applies("step.open", tables.topic, administrative=True)
def open_step(connection: Connection, entry: LogEntry) -> None:
    """The topic moves on to a step."""
    change_rows(connection, tables.topic, {"id": entry.topic}, {"step": entry.data["step"]})


@applies("step.submit", tables.submission)
def submit(connection: Connection, entry: LogEntry) -> None:
    """A person hands in a step; what they did there is frozen."""
    key = {"topic": entry.topic, "step": entry.data["step"], "person": entry.person}
    put_rows(connection, tables.submission, [{**key, "time": entry.time}])


@applies("step.reopen", tables.topic, tables.submission, administrative=True)
def reopen(connection: Connection, entry: LogEntry) -> None:
    """The topic goes back to a step, as a new version; later submissions no longer hold.

    Those of people hold who may not work blind in it any more.
    """
    back = entry.data["step"]
    steps = next(steps for steps in STEPS.values() if back in steps)
    later = steps[steps.index(back) :]
    values = {"step": back, "version": entry.data["version"]}
    change_rows(connection, tables.topic, {"id": entry.topic}, values)
    gone, kept = tables.submission, entry.data.get("kept", ())
    blind = [step for step in later if WORKER.get(step) in BLINDING]
    stays = gone.c.person.in_(kept) & gone.c.step.in_(blind)
    here = (gone.c.topic == entry.topic) & gone.c.step.in_(later)
    connection.execute(delete(gone).where(here, not_(stays)))


@applies("note.add", tables.note)
def add_note(connection: Connection, entry: LogEntry) -> None:
    """A question or remark about a place in a topic."""
    whose = {"person": entry.person, "step": entry.step, "time": entry.time}
    add_topic_row(
        connection, tables.note, entry, "id", "place", "text", answer="", done=False, **whose
    )


@applies("note.answer", tables.note, administrative=True)
def answer_note(connection: Connection, entry: LogEntry) -> None:
    """A manager's answer, which also takes the note off the queue."""
    key = topic_row_key(entry, entry.data["id"])
    change_rows(connection, tables.note, key, {"answer": entry.data["answer"], "done": True})


@applies("topic.estimate", tables.topic, administrative=True)
def estimate(connection: Connection, entry: LogEntry) -> None:
    """The number of units that nobody chose, as estimated or set by hand."""
    change_rows(connection, tables.topic, {"id": entry.topic}, {"z": entry.data["z"]})


def _person_and_role(entry: LogEntry) -> dict[str, object]:
    return {"person": entry.data["person"], "role": entry.data["role"]}
