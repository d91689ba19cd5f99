"""From timelines in any format and layout to any other."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from chronoscore import lazy
from chronoscore.core import Timeline
from chronoscore.errors import DataError
from chronoscore.formats.io import layout
from chronoscore.formats.io.decoding import decode_text
from chronoscore.formats.io.notes import Note
from chronoscore.formats.timelines import registry, timeline_files
from chronoscore.formats.timelines.entries import LabeledTimeline, Repeated
from chronoscore.formats.timelines.timeline_files import TimelineFile

_UNSAFE = lazy.pattern(r'[\\/:*?"<>|\x00-\x1f]')


def read_timelines_of_path(
    path: Path, *, form: str | None = None, repeated: Repeated = "merge"
) -> TimelineFile:
    """Read a file, or every timeline of a collection's or run's folder with topic and author."""
    if not path.is_dir():
        return timeline_files.read(path, form=form, repeated=repeated)
    timelines: list[LabeledTimeline] = []
    notes: list[Note] = []
    format_found = ""
    for topic, file in layout.reference_files(path, "timelines"):
        reading = timeline_files.read(file, form=form, repeated=repeated)
        notes.extend(reading.notes)
        format_found = reading.format
        flat = file.parent == path and layout.bare_name(file) == topic
        for number, one in enumerate(reading.timelines, 1):
            alone = "" if flat else layout.bare_name(file)
            author = one.timeline.author or (str(number) if len(reading.timelines) > 1 else alone)
            signed = Timeline(one.timeline.entries, author)
            timelines.append(replace(one, timeline=signed, topic=one.topic or topic))
    return TimelineFile(timelines, format_found, notes)


def read_piped(
    raw: bytes, place: str, *, form: str | None = None, repeated: Repeated = "merge"
) -> TimelineFile:
    """Read what came through standard input."""
    text = decode_text(raw, place, "send UTF-8")
    return timeline_files.read_timeline_text(text, place, form=form, repeated=repeated)


def lay_out_timeline_files(timelines: Sequence[LabeledTimeline], form: str) -> dict[Path, str]:
    """The files of a folder that holds these timelines, each by its place in it.

    A topic is a file, or a folder where its timelines have authors or are several; news-tls
    keeps a topic's timelines in one file of its folder.
    """
    ending = registry.find(form).ending
    files: dict[Path, list[LabeledTimeline]] = {}
    for number, one in enumerate(timelines, 1):
        topic = safe_name(str(number) if one.topic is None else one.topic)
        same = [other for other in timelines if other.topic == one.topic]
        if form == "newstls":
            files.setdefault(Path(topic) / f"timelines{ending}", []).append(one)
            continue
        author = one.timeline.author or (str(same.index(one) + 1) if len(same) > 1 else "")
        alone = one.topic is None or not author
        place = Path(f"{topic}{ending}") if alone else Path(topic) / f"{safe_name(author)}{ending}"
        if place in files:
            raise DataError(f"two timelines would be written to {place}; name their authors")
        files[place] = [one]
    return {
        place: timeline_files.write_timeline_text(_without_names(found), form)
        for place, found in files.items()
    }


def _without_names(timelines: Iterable[LabeledTimeline]) -> list[LabeledTimeline]:
    """Timelines without the topic and author that follow from their place."""
    return [LabeledTimeline(Timeline(one.timeline.entries)) for one in timelines]


def safe_name(name: str) -> str:
    """A topic's or author's name as a file's name, which must not lead elsewhere.

    >>> safe_name("../AC/DC")
    '_AC_DC'
    """
    return _UNSAFE.sub("_", name).strip(". ") or "_"
