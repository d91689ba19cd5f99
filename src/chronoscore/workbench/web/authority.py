"""Who may ask for what: every address of the workbench, decided once more beside the code.

The rules are applied where things are done (`domain/permissions.py`, `domain/access.py`). This
table says what must come out. A test asks every address as everybody and compares; one that is
not in the table fails it. `docs/authority.md` is written from it.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from chronoscore.workbench.domain import catalog as c
from chronoscore.workbench.domain.catalog import Action

Asker: TypeAlias = Literal[
    "guest", "outsider", "member", "other role", "role", "manager at work", "manager", "founder",
    "judge's token", "manager's token",
]  # fmt: skip
ASKERS: dict[Asker, str] = {
    "guest": "nobody is signed in",
    "outsider": "has an account, and does not belong to the project",
    "member": "belongs to the project, without a role in the topic",
    "other role": "works in the topic, in another step than the one that is asked for",
    "role": "works in the step that is asked for",
    "manager at work": "manages the project, and judges or writes in the topic",
    "manager": "manages the project, and does not work in the topic",
    "founder": "may make projects, and does not belong to this one",
    "judge's token": "a program with an API token of somebody who only works",
    "manager's token": "a program with an API token of a manager who works nowhere",
}
PEOPLE = frozenset(one for one in ASKERS if one != "guest" and "token" not in one)
AUDIENCES: dict[str, frozenset[Asker]] = {
    "anyone": frozenset(ASKERS),
    "account": PEOPLE,
    "founder": frozenset({"founder"}),
    "member": PEOPLE - {"outsider", "founder"},
    "manager": frozenset({"manager at work", "manager"}),
    "sighted manager": frozenset({"manager"}),
    "topic": frozenset({"other role", "role", "manager at work", "manager"}),
    "at work": frozenset({"other role", "role", "manager at work"}),
    "judge or writer": frozenset({"role", "manager at work"}),
    "role": frozenset({"role"}),
    "discussing": frozenset({"role", "manager at work", "manager"}),
    "any token": frozenset({"judge's token", "manager's token"}),
    "manager's token": frozenset({"manager's token"}),
}
"""Who is meant by the word in a decision."""


@dataclass(frozen=True)
class Decision:
    """Whom an address is for, and what it does.

    `throttled` forms check passwords: each try is counted. `seen` pages show what others decided,
    so who opens one of a topic that is not final does no blind work there. `exported` is kept.
    """

    who: str
    does: tuple[Action, ...] = ()
    throttled: bool = False
    seen: bool = False
    exported: bool = False
    note: str = ""


def _may(who: str, *does: Action, **more: bool | str) -> Decision:
    return Decision(who, does, **more)  # type: ignore[arg-type]


_P, _T = "/p/{project:int}", "/t/{topic:int}"
_CONSENT = "needs a manager of each project of the person who works with them in no open topic"
DECISIONS: dict[tuple[str, str], Decision] = {
    # Doors and accounts
    ("GET", "/login"): _may("anyone"),
    ("POST", "/login"): _may("anyone", throttled=True),
    ("POST", "/logout"): _may("account"),
    ("GET", "/invite/{token}"): _may("anyone", note="with the link, once, in time"),
    ("POST", "/invite/{token}"): _may(
        "anyone", c.ACCOUNT_CREATE, c.MEMBER_ADD, note="with the link, once, in time"
    ),
    ("GET", "/reset/{token}"): _may("anyone", note="with the link, once, in time"),
    ("POST", "/reset/{token}"): _may(
        "anyone", c.ACCOUNT_PASSWORD, c.RESET_DONE,
        note="with the link, once, in time, when all who must have agreed and still may; ends "
        "sessions, tokens and links",
    ),
    ("GET", "/account"): _may("account"),
    ("POST", "/account/theme"): _may("account"),
    ("POST", "/account/password"): _may(
        "account", c.ACCOUNT_PASSWORD, throttled=True, note="ends sessions, tokens and links"
    ),
    ("POST", "/account/reset/refuse"): _may("account", c.RESET_REFUSE, note="one's own"),
    ("GET", "/account/tokens"): _may("account", note="one's own"),
    ("POST", "/account/tokens"): _may("account", c.TOKEN_CREATE),
    ("POST", "/account/tokens/revoke"): _may("account", c.TOKEN_REVOKE, note="one's own"),
    ("GET", "/keys"): _may("account"),
    ("POST", "/keys"): _may("account"),
    ("GET", "/proof"): _may("account"),
    ("GET", "/certificate"): _may("anyone", note="only with --share"),
    ("GET", "/"): _may("account", note="one's own projects"),
    ("POST", "/projects"): _may("founder", c.PROJECT_CREATE),
    ("POST", "/demo"): _may("founder", c.PROJECT_CREATE),
    # Projects
    ("GET", _P): _may("member"),
    ("GET", f"{_P}/guidelines"): _may("member"),
    ("POST", f"{_P}/guidelines/read"): _may("member", c.GUIDELINE_READ),
    ("GET", f"{_P}/guidelines/edit"): _may("manager"),
    ("POST", f"{_P}/guidelines"): _may("manager", c.GUIDELINE_WRITE),
    ("GET", f"{_P}/settings"): _may("manager"),
    ("POST", f"{_P}/settings"): _may("manager", c.PROJECT_CHANGE),
    ("POST", f"{_P}/archive"): _may("manager", c.PROJECT_ARCHIVE),
    ("GET", f"{_P}/import"): _may("manager"),
    ("POST", f"{_P}/import"): _may("manager", c.TOPIC_CREATE),
    ("GET", f"{_P}/people"): _may("manager"),
    ("POST", f"{_P}/people"): _may("manager", c.MEMBER_INVITE),
    ("POST", f"{_P}/people/withdraw"): _may("manager", c.MEMBER_WITHDRAW),
    ("POST", f"{_P}/people/known"): _may("manager", c.MEMBER_ADD),
    ("POST", f"{_P}/people/{{person:int}}/manager"): _may("manager", c.MEMBER_ADD),
    ("POST", f"{_P}/people/{{person:int}}/member"): _may("manager", c.MEMBER_ADD),
    ("POST", f"{_P}/people/{{person:int}}/remove"): _may("manager", c.MEMBER_REMOVE),
    ("POST", f"{_P}/people/{{person:int}}/reset"): _may("manager", c.MEMBER_RESET, note=_CONSENT),
    ("POST", f"{_P}/people/reset/confirm"): _may("manager", c.RESET_CONFIRM, note=_CONSENT),
    ("POST", f"{_P}/people/reset/refuse"): _may("manager", c.RESET_REFUSE),
    ("GET", f"{_P}/roles"): _may("manager"),
    ("POST", f"{_P}/roles"): _may("manager", c.TOPIC_ASSIGN, c.TOPIC_UNASSIGN, c.STEP_OPEN),
    ("GET", f"{_P}/progress"): _may("manager", note="without topics where they work"),
    ("GET", f"{_P}/progress.csv"): _may("manager", note="without topics where they work"),
    ("GET", f"{_P}/notes"): _may("manager", note="without topics where they work"),
    ("GET", f"{_P}/agreement"): _may("manager", seen=True, note="without topics where they work"),
    ("GET", f"{_P}/agreement.csv"): _may(
        "manager", c.PROJECT_EXPORT, seen=True, exported=True, note="without topics where they work"
    ),
    ("GET", f"{_P}/tables"): _may("manager", seen=True, note="without topics where they work"),
    ("GET", f"{_P}/split"): _may("manager", seen=True, note="without topics where they work"),
    ("GET", f"{_P}/history"): _may("manager", seen=True, note="without topics where they work"),
    ("GET", f"{_P}/export"): _may("manager"),
    **{
        ("GET", f"{_P}/export.{kind}"): _may(
            "manager", c.PROJECT_EXPORT, seen=True, exported=True,
            note="without topics where they work",
        )
        for kind in ("jsonl", "csv", "zip")
    },
    # Topics
    ("GET", _T): _may("topic"),
    ("GET", f"{_T}/guidelines"): _may("topic"),
    ("GET", f"{_T}/history"): _may("topic", seen=True, note="those at work see their own entries"),
    ("POST", f"{_T}/notes"): _may("topic", c.NOTE_ADD),
    ("POST", f"{_T}/undo"): _may("topic", c.UNDO, note="what they may do, and have done"),
    ("POST", f"{_T}/log"): _may("topic", note="entries of any kind, each by its own rule"),
    ("POST", f"{_T}/submit"): _may("at work", c.STEP_SUBMIT),
    ("POST", f"{_T}/assign"): _may(
        "manager", c.TOPIC_ASSIGN, note="no blind role for who has seen what others decided"
    ),
    ("POST", f"{_T}/unassign"): _may("manager", c.TOPIC_UNASSIGN),
    ("POST", f"{_T}/open"): _may("manager", c.STEP_OPEN),
    ("POST", f"{_T}/reopen"): _may("manager", c.STEP_REOPEN),
    ("POST", f"{_T}/notes/answer"): _may("manager", c.NOTE_ANSWER),
    ("POST", f"{_T}/title"): _may("manager", c.TOPIC_RENAME),
    ("POST", f"{_T}/archive"): _may("manager", c.TOPIC_ARCHIVE),
    ("POST", f"{_T}/deadline"): _may("manager", c.TOPIC_DEADLINE),
    ("GET", f"{_T}/stories"): _may("manager"),
    ("POST", f"{_T}/stories"): _may("manager", c.STORY_RETITLE),
    ("POST", f"{_T}/practice"): _may(
        "sighted manager", c.TOPIC_CREATE, c.TOPIC_PRACTICE, note="made of a final topic"
    ),
    ("POST", f"{_T}/machine"): _may("manager", c.MACHINE_ADD),
    ("POST", f"{_T}/queue"): _may("manager", c.TOPIC_QUEUE),
    ("POST", f"{_T}/analyze"): _may("manager", c.TOPIC_ESTIMATE),
    ("GET", f"{_T}/analyze"): _may("sighted manager", seen=True),
    ("GET", f"{_T}/disagreements"): _may("sighted manager", seen=True),
    ("POST", f"{_T}/disagreements/link"): _may("sighted manager", c.VERDICT_ADJUDICATE, seen=True),
    ("POST", f"{_T}/disagreements/unit"): _may("manager", c.MATCH_ADJUDICATE, note="once final"),
    ("GET", f"{_T}/discussion"): _may("discussing", seen=True),
    ("POST", f"{_T}/discussion"): _may("discussing", c.COMMENT_ADD),
    ("GET", f"{_T}/review"): _may("role", note="of practice, after handing in"),
    # Steps
    ("GET", f"{_T}/identify"): _may("judge or writer"),
    ("GET", f"{_T}/identify.json"): _may("judge or writer"),
    ("POST", f"{_T}/identify/read"): _may("judge or writer", c.STORY_READ),
    ("POST", f"{_T}/identify/candidates"): _may("judge or writer", c.CANDIDATE_ADD),
    ("POST", f"{_T}/identify/candidates/change"): _may("judge or writer", c.CANDIDATE_EDIT),
    ("GET", f"{_T}/merge"): _may("judge or writer"),
    ("POST", f"{_T}/merge"): _may(
        "judge or writer", c.EVENT_ADD, c.EVENT_PUT, c.EVENT_TAKE, c.EVENT_SPLIT, c.EVENT_EDIT,
        c.CANDIDATE_OMIT,
    ),
    ("GET", f"{_T}/link"): _may("judge or writer"),
    ("GET", f"{_T}/link.json"): _may("judge or writer"),
    ("GET", f"{_T}/link/plain"): _may("judge or writer"),
    ("POST", f"{_T}/link/plain"): _may("judge or writer", c.MARK),
    ("GET", f"{_T}/again"): _may("judge or writer"),
    ("POST", f"{_T}/again"): _may("judge or writer", c.MARK_REPEAT),
    ("GET", f"{_T}/verify"): _may("role", seen=True),
    ("POST", f"{_T}/verify"): _may("role", c.VERDICT),
    ("GET", f"{_T}/write"): _may("judge or writer"),
    ("POST", f"{_T}/write"): _may("judge or writer", c.LINE_ADD),
    ("POST", f"{_T}/write/change"): _may("judge or writer", c.LINE_EDIT),
    ("GET", f"{_T}/make"): _may("role"),
    ("POST", f"{_T}/make"): _may(
        "role", c.UNIT_ADD, c.UNIT_EDIT, c.UNIT_PUT, c.UNIT_TAKE, c.UNIT_MERGE, c.LINE_OMIT
    ),
    ("GET", f"{_T}/match"): _may("role"),
    ("GET", f"{_T}/rematch"): _may("role"),
    ("POST", f"{_T}/match/plain"): _may("role", c.MATCH_UNIT, c.ANCHOR_ADD),
    # Programs and monitors
    ("GET", "/feed/{token}"): _may("anyone", note="with the link; ends with the password"),
    ("GET", "/api/openapi.json"): _may("anyone"),
    ("GET", "/api/projects"): _may("any token", note="managed projects; ends with the password"),
    ("GET", "/api/projects/{project:int}"): _may("manager's token"),
    ("GET", "/api/projects/{project:int}/progress"): _may("manager's token"),
    ("GET", "/api/projects/{project:int}/export"): _may(
        "manager's token", c.PROJECT_EXPORT, seen=True, exported=True
    ),
    ("GET", "/health"): _may("anyone"),
    ("GET", "/metrics"): _may("manager's token", note="or the operator's token"),
}  # fmt: skip
"""Every address by its method and path."""
