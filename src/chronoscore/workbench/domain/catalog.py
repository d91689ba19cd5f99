"""Every action of the workbench: who may do it and when, how it reads, how it is undone.

What the log knows by a name is described here once; permissions, history, undo and blindness
follow. A new action also needs a projection of the same name (`store/projections`), and a
function that `@performs` it (`domain/actions`). An action that is no longer offered keeps its
projection and its sentence, because old logs hold it, and gets the rule `WORKBENCH`.
"""

from dataclasses import dataclass
from typing import Literal

from chronoscore.workbench.domain.sentences import (
    Sentence,
    count,
    describe_decision,
    describe_estimate,
    describe_marks,
    describe_reopening,
    describe_verdicts,
    either,
)
from chronoscore.workbench.store.workflow import BLINDING, STEPS, WORKER

EVERY_STEP = tuple(dict.fromkeys(step for steps in STEPS.values() for step in steps))


@dataclass(frozen=True)
class Rule:
    """Who may do an action, and in which steps of a topic.

    Workers are those whose role the step needs (`workflow.WORKER`; without a merger the
    judges merge), until they hand in. Everyone is everyone with a role in the topic, and
    its managers; `TopicAccess.discusses` says which of them discuss it. What the workbench
    does itself, no visitor may ask for. `closed` is what a visitor reads in any other step.
    """

    who: Literal["founder", "manager", "worker", "everyone", "discussing", "workbench"]
    steps: tuple[str, ...] = EVERY_STEP
    closed: str = "this was handed in and is frozen; ask a manager to reopen the step"
    on_archived: bool = False


@dataclass(frozen=True)
class Action:
    """Something that people do: its name in the log, its rule, and how it reads in the history.

    `undo` is for what is done by forms: an `own` action changes only rows of the person who
    does it, a `shared` one changes rows of all who may do it. Marks, verdicts and matchings
    carry the state before them, and the scripts undo those.
    """

    name: str
    rule: Rule
    sentence: Sentence
    undo: Literal["own", "shared"] | None = None

    @property
    def blind(self) -> bool:
        """Whether only people do it who must not know what others decided."""
        steps = self.rule.steps
        return self.rule.who == "worker" and all(WORKER[step] in BLINDING for step in steps)


FOUNDER, MANAGER, EVERYONE, WORKBENCH = (
    Rule("founder"), Rule("manager"), Rule("everyone"), Rule("workbench"),
)  # fmt: skip
ARCHIVE = Rule("manager", on_archived=True)
DISCUSSING = Rule("discussing")
IDENTIFY, MERGE, LINK, VERIFY, WRITE, MAKE = (
    Rule("worker", (step,)) for step in ("identify", "merge", "link", "verify", "write", "make")
)
MATCH = Rule("worker", ("match", "rematch"))
AT_WORK = Rule("worker", tuple(WORKER))

# Projects and their members ---------------------------------------------------------------

PROJECT_CREATE = Action("project.create", FOUNDER, "created the project {name:quoted}")
PROJECT_CHANGE = Action("project.change", MANAGER, "changed the settings")
PROJECT_ARCHIVE = Action(
    "project.archive", ARCHIVE,
    either("archived", "archived the project", "took up the project again"),
)  # fmt: skip
MEMBER_ADD = Action(
    "member.add", MANAGER, either("manager", "{who} is a manager", "{who} is a member")
)
MEMBER_REMOVE = Action("member.remove", MANAGER, "{who} left the project")
MEMBER_RESET = Action(
    "member.reset", MANAGER, "made a link by which {who} chooses a new password"
)  # fmt: skip
MEMBER_INVITE = Action(
    "member.invite", MANAGER,
    lambda data: f"made a link for a {'manager' if data['manager'] else 'member'} "
    f"({data['label'] or 'without a name'})",
)  # fmt: skip
MEMBER_WITHDRAW = Action("member.withdraw", MANAGER, "withdrew the invitation for {label}")
RESET_ASK = Action(
    "reset.ask", WORKBENCH,
    "a new password for {who} was asked for elsewhere; a manager must confirm it here, too",
)  # fmt: skip
RESET_CONFIRM = Action("reset.confirm", ARCHIVE, "confirmed a new password for {who}")
RESET_REFUSE = Action("reset.refuse", ARCHIVE, "refused a new password for {who}")
RESET_DONE = Action("reset.done", WORKBENCH, "{who} has a new password, chosen by a link")
PROJECT_EXPORT = Action(
    "project.export", ARCHIVE, count("topics", "topic", "exported {count} ({kind})")
)
GUIDELINE_WRITE = Action(
    "guideline.write", MANAGER,
    either("step", "wrote version {version} of the guidelines for {title}",
           "wrote version {version} of the guidelines"),
)  # fmt: skip
GUIDELINE_READ = Action(
    "guideline.read", EVERYONE,
    either("step", "read version {version} of the guidelines for {title}",
           "read version {version} of the guidelines"),
)  # fmt: skip

# Accounts ---------------------------------------------------------------------------------

ACCOUNT_CREATE = Action("account.create", WORKBENCH, "made the account of {name}")
ACCOUNT_PASSWORD = Action(
    "account.password", WORKBENCH, "has a new password; sessions, tokens and links ended"
)
ACCOUNT_RESET = Action(
    "account.reset", WORKBENCH, "a link for a new password of {who} was made on the server"
)
TOKEN_CREATE = Action("token.create", WORKBENCH, "made a token for {label:quoted} ({kind})")
TOKEN_REVOKE = Action("token.revoke", WORKBENCH, "revoked the token for {label:quoted}")

# Topics and their steps -------------------------------------------------------------------

TOPIC_CREATE = Action(
    "topic.create",
    MANAGER,
    count("stories", "story", "imported {count} as {title:quoted}"),
)
TOPIC_RENAME = Action("topic.rename", MANAGER, "gave the topic the title {title:quoted}")
TOPIC_ARCHIVE = Action(
    "topic.archive", ARCHIVE, either("archived", "archived the topic", "took up the topic again")
)
STORY_RETITLE = Action(
    "story.retitle",
    Rule(
        "manager", ("draft",), "judging has begun; a story keeps its title from the first step on"
    ),
    "gave {story} the title {title:quoted}",
)
TOPIC_DEADLINE = Action(
    "topic.deadline", MANAGER,
    either("day", "{title} is due on {day}", "{title} is no longer due on a day"),
)  # fmt: skip
TOPIC_PRACTICE = Action(
    "topic.practice",
    Rule("manager", ("draft",), "only a draft becomes a topic for practice"),
    "made it a topic for practice",
)
TOPIC_QUEUE = Action(
    "topic.queue",
    Rule("manager", ("draft", "identify", "merge", "link"), "the sentences are judged already"),
    count("sentences", "sentence", "gave a list of what is to be judged ({count})"),
)
TOPIC_ASSIGN = Action("topic.assign", MANAGER, "{who} works as {role}")
TOPIC_UNASSIGN = Action("topic.unassign", MANAGER, "{who} no longer works as {role}")
TOPIC_ESTIMATE = Action("topic.estimate", MANAGER, describe_estimate)
STEP_OPEN = Action(
    "step.open",
    Rule(
        "manager",
        tuple(step for step in EVERY_STEP if step != "final"),
        "the topic is final; reopen a step to change it",
    ),
    "opened {title}",
)
STEP_REOPEN = Action(
    "step.reopen",
    Rule(
        "manager",
        tuple(step for step in EVERY_STEP if step != "draft"),
        "no step was opened yet; there is nothing to reopen",
    ),
    describe_reopening,
)
STEP_SUBMIT = Action(
    "step.submit", AT_WORK,
    either("rest_off", "handed in {title}, the rest being off", "handed in {title}"),
)  # fmt: skip
TOPIC_SEE = Action("topic.see", WORKBENCH, "saw what others decided, as {role}")
NOTE_ADD = Action("note.add", EVERYONE, "noted: {text}")
NOTE_ANSWER = Action("note.answer", MANAGER, "answered a note: {answer}")
COMMENT_ADD = Action("comment.add", DISCUSSING, "said about {sentence}: {text}")
# What is undone must be an action that the visitor may do; `undoing` asks for that too.
UNDO = Action("undo", EVERYONE, "undid: {what}")

# Judging a stream -------------------------------------------------------------------------

STORY_READ = Action(
    "story.read", IDENTIFY, either("read", "read {story}", "did not read {story}"), undo="own"
)
CANDIDATE_ADD = Action(
    "candidate.add", IDENTIFY, "new candidate {text:quoted} from {sentence}", undo="own"
)
CANDIDATE_EDIT = Action(
    "candidate.edit", IDENTIFY,
    either("withdrawn", "withdrew a candidate", "reworded a candidate: {text:quoted}"), undo="own",
)  # fmt: skip
CANDIDATE_OMIT = Action(
    "candidate.omit", MERGE, "left out candidate {quoted}: {reason}", undo="shared"
)
EVENT_ADD = Action("event.add", MERGE, "new event {text:quoted}", undo="shared")
EVENT_PUT = Action("event.put", MERGE, "added {quoted} to {event}", undo="shared")
EVENT_TAKE = Action("event.take", MERGE, "took {quoted} out of {event}", undo="shared")
EVENT_SPLIT = Action("event.split", MERGE, "took {quoted} apart", undo="shared")
EVENT_EDIT = Action(
    "event.edit", MERGE,
    either("omitted", "left out {text:quoted}: {omitted}", "an event reads {text:quoted}"),
    undo="shared",
)  # fmt: skip
MARK = Action("mark", LINK, describe_marks)
MARK_REPEAT = Action("mark.repeat", LINK, count("decisions", "sentence", "decided {count} again"))
MACHINE_ADD = Action(
    "machine.add",
    Rule("manager", ("link", "verify", "final"), "a machine judges events that are merged; wait"),
    count("links", "sentence", "brought in what {judge} linked ({count})"),
)
VERDICT = Action("verdict", VERIFY, describe_verdicts)
VERDICT_ADJUDICATE = Action(
    "verdict.adjudicate",
    Rule("manager", ("verify",), "links are decided while they are verified; reopen that step"),
    describe_decision,
)

# Content units ----------------------------------------------------------------------------

LINE_ADD = Action("line.add", WRITE, "wrote {when}: {text}", undo="own")
LINE_EDIT = Action(
    "line.edit", WRITE, either("withdrawn", "withdrew a line", "changed a line: {when}: {text}"),
    undo="own",
)  # fmt: skip
LINE_OMIT = Action("line.omit", MAKE, "left out line {quoted}: {reason}", undo="shared")
UNIT_ADD = Action("unit.add", MAKE, "new unit {fields[action]:quoted}", undo="shared")
UNIT_EDIT = Action("unit.edit", MAKE, "changed unit {id}", undo="shared")
UNIT_PUT = Action("unit.put", MAKE, "put {quoted} into {unit}", undo="shared")
UNIT_TAKE = Action("unit.take", MAKE, "took {quoted} out of {unit}", undo="shared")
UNIT_MERGE = Action("unit.merge", MAKE, "merged {other} into {into}", undo="shared")
UNIT_SAMPLE = Action(
    "unit.sample", WORKBENCH, count("units", "unit", "drew {count} to be matched again")
)
ANCHOR_ADD = Action("anchor.add", MATCH, "anchored words of {sentence}")
MATCH_UNIT = Action("match", MATCH, either("done", "matched {unit} (done)", "matched {unit}"))
MATCH_ADJUDICATE = Action(
    "match.adjudicate",
    Rule("manager", ("final",), "matchings are decided when both are handed in; wait"),
    either("done", "decided how {unit} is expressed", "left open how {unit} is expressed"),
)

CATALOG = {one.name: one for one in tuple(globals().values()) if isinstance(one, Action)}
"""Every action by its name in the log."""

WORK = tuple(action.name for action in CATALOG.values() if action.rule.who == "worker")
"""What people do in a role."""

BLIND_WORK = tuple(action.name for action in CATALOG.values() if action.blind)
"""What only people do who must not know what others decided."""
