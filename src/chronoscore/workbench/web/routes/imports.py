"""Bringing stories in: the form, a look at the numbered sentences, and the topic made of them."""

from collections import OrderedDict
from dataclasses import dataclass, field
from secrets import token_urlsafe

from starlette.responses import Response

from chronoscore.core import Topic
from chronoscore.errors import DataError, number_with_noun
from chronoscore.workbench.domain import sight
from chronoscore.workbench.domain.access import ProjectAccess
from chronoscore.workbench.domain.actions.topics import TopicDraft
from chronoscore.workbench.exchange import uploads
from chronoscore.workbench.exchange.files import File
from chronoscore.workbench.exchange.judged_imports import JudgedTopic
from chronoscore.workbench.exchange.uploads import Drafts, UploadReading
from chronoscore.workbench.store.settings import MEGABYTE
from chronoscore.workbench.web.routing import route
from chronoscore.workbench.web.visit import Visit

MOST_SHOWN = 300
"""Sentences that the look shows; the rest is counted."""
MOST_KEPT = 4
"""Uploads that are kept while a manager reviews them; the oldest goes first."""


@dataclass
class Waiting:
    """Files that were looked at, until they are imported or others take their place."""

    kept: OrderedDict[str, tuple[int, int, list[File]]] = field(default_factory=OrderedDict)

    def keep(self, person: int, project: int, files: list[File]) -> str:
        """Keep files for one person; the name under which they are found."""
        name = token_urlsafe(16)
        self.kept[name] = (person, project, files)
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        return name

    def find(self, name: str, person: int, project: int) -> list[File]:
        """The files that this person looked at in this project."""
        owner, place, files = self.kept.get(name, (0, 0, []))
        return files if (owner, place) == (person, project) else []


_WAITING = Waiting()


def form(visit: Visit) -> Response:
    """The form by which stories come in."""
    with visit.read_project() as (_, here):
        return _page(visit, here)


def may_import(visit: Visit) -> None:
    """Refuse an upload before it is read, unless a manager sends it."""
    with visit.read_project():
        return


def bring_in(visit: Visit) -> Response:
    """Read the files, and show their sentences or make a topic of them."""
    with visit.database.read() as connection:
        here = visit.project(connection).require_manager()
    kept, files = visit.text("kept", most=40), visit.files("files")
    if not files:
        files = _WAITING.find(kept, here.person, here.id)
    look = visit.text("then") == "look"
    titles = visit.texts("titles")
    reading = UploadReading(
        here.workflow, visit.text("name", most=80), visit.text("title"),
        visit.desk.settings.largest_upload,
        titles=not titles or "yes" in titles, lenient=look or visit.text("rest") == "yes",
    )  # fmt: skip
    try:
        if not files:
            raise DataError("no file was sent; choose one or more")
        drafts = uploads.read(reading, files)
        if look:
            kept = _WAITING.keep(here.person, here.id, files)
            return _page(visit, here, reading=reading, drafts=drafts, kept=kept)
        with visit.database.write() as connection:
            most = visit.text("most", most=6)
            numbers = uploads.add_topics(connection, here, drafts, most=most, key=visit.key)
    except DataError as error:
        reasons = reading.bad or [str(error)]
        return _page(visit, here, 400, wrong=reasons, reading=reading)
    _WAITING.kept.pop(kept, None)
    # Who has a file knows what its judges decided.
    visit.witnessed.update((number, sight.MANAGER) for number in numbers)
    return visit.go(f"/t/{numbers[0]}" if len(numbers) == 1 else f"/p/{here.id}")


def _page(
    visit: Visit, here: ProjectAccess, status: int = 200, *, wrong: list[str] | None = None,
    reading: UploadReading | None = None, drafts: Drafts = (), kept: str = "",
) -> Response:  # fmt: skip
    reading = reading or UploadReading(here.workflow, "", "", 0)
    megabytes = visit.desk.settings.largest_upload // MEGABYTE
    topics = [one for one in drafts if isinstance(one, TopicDraft)]
    return visit.page(
        "import.html", status, project=here, megabytes=megabytes, wrong=wrong or [],
        reading=reading, kept=kept, bad=reading.bad if kept else [],
        looks=[_look(one) for one in topics],
        judged=[_describe(one.topic) for one in drafts if isinstance(one, JudgedTopic)],
        most=visit.text("most", most=6),
    )  # fmt: skip


@dataclass(frozen=True)
class UploadLook:
    """A topic as it will be: stories with the numbers and texts of their sentences."""

    title: str
    stories: list[tuple[int, str, str, list[str]]]
    sentences: int
    all_stories: int


def _look(draft: TopicDraft) -> UploadLook:
    shown: list[tuple[int, str, str, list[str]]] = []
    count = 0
    for number, story in enumerate(draft.stories, 1):
        texts = [story["text"][start:stop] for _, start, stop in story["sentences"]]
        if count < MOST_SHOWN:
            shown.append((number, story["title"], story["time"], texts[: MOST_SHOWN - count]))
        count += len(texts)
    return UploadLook(draft.title, shown, count, len(draft.stories))


def _describe(topic: Topic) -> tuple[str, str]:
    """A topic that was judged elsewhere: its name, and what there is of it."""
    counts = []
    if topic.judgements is not None:
        judged = topic.judgements
        counts += [(len(judged.texts), "sentence"), (len(judged.events), "event")]
    if topic.pyramid is not None:
        counts.append((len(topic.pyramid.units), "content unit"))
    return topic.id, ", ".join(number_with_noun(*one) for one in counts)


ROUTES = [
    route("/p/{project:int}/import", form),
    route("/p/{project:int}/import", bring_in, "POST", before=may_import),
]
