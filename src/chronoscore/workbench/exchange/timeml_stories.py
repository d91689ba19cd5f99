"""TimeML uploads, looked through first with the expansion of entities switched off."""

from pathlib import PurePosixPath
from xml.etree.ElementTree import ParseError

import defusedxml.ElementTree
from defusedxml import DefusedXmlException

from chronoscore.errors import DataError
from chronoscore.formats.corpora import timeml
from chronoscore.workbench.exchange.folders import in_folder
from chronoscore.workbench.exchange.imports import LONGEST_STORY, File, StoryDraft, label

LARGEST_XML = 8 * LONGEST_STORY
"""Bytes of a file of which one story is made; its tree in memory is many times larger."""


def timeml_story(file: File) -> StoryDraft:
    """A story with the events that software marked in it."""
    if len(file.raw) > LARGEST_XML:
        raise DataError(f"{label(file.name)}: is larger than a story may be; split it")
    try:
        defusedxml.ElementTree.fromstring(file.raw)
    except DefusedXmlException:
        raise DataError(f"{label(file.name)}: declares entities; remove them") from None
    except (ParseError, ValueError, LookupError) as error:
        raise DataError(f"{label(file.name)}: not well-formed XML ({error}); fix it") from None
    with in_folder([File("story.tml", file.raw)], file.name) as folder:
        tagged = timeml.load(folder / "story.tml")
    stem = PurePosixPath(file.name).stem
    spans = tuple((place.start, place.end) for place in tagged.sentences) or None
    created = tagged.created
    return StoryDraft(
        id=tagged.id if tagged.id != "story" else stem,
        text=tagged.text,
        time=str(created) if created is not None and created.grain == "day" else "",
        title=tagged.title or stem,
        spans=spans,
        anchors=tuple((event.id, event.start, event.end) for event in tagged.events),
    )
