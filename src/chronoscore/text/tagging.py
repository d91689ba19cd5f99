"""Raw text made ready for content units: its sentences, events and dates, as TimeML holds them.

Any other tagger's TimeML does as well (`formats.timeml.load`); this one is always at hand.
"""

from chronoscore.core import Place, When
from chronoscore.dates.finder import Style, dates_in
from chronoscore.formats.corpora.timeml import TaggedEvent, TaggedText, TaggedTime
from chronoscore.text.events import Tagger, tag_events
from chronoscore.text.sentences import sentences_in


def tag_text(
    text: str,
    *,
    name: str,
    created: When | None = None,
    title: str = "",
    tagger: Tagger = "auto",
    style: Style = "auto",
) -> TaggedText:
    """Mark the sentences, events and dates of a text; `created` is the day it was written.

    A word that is part of a date ("the end of May") is no event.

    >>> marked = tag_text("The dam broke on 12 March 2031.", name="a", tagger="rules")
    >>> [event.text for event in marked.events], [time.value for time in marked.times]
    (['broke'], ['2031-03-12'])
    """
    times = dates_in(text, on=created, style=style)
    dated = {place for time in times for place in range(time.start, time.end)}
    events = [event for event in tag_events(text, tagger=tagger) if event.start not in dated]
    return TaggedText(
        id=name,
        text=text,
        title=title,
        created=created,
        sentences=tuple(
            Place(f"{name}-s{number:03}", start, end)
            for number, (start, end) in enumerate(sentences_in(text), 1)
        ),
        events=tuple(
            TaggedEvent(
                id=f"e{number}",
                start=event.start,
                end=event.end,
                text=text[event.start : event.end],
                kind=event.kind,
                instances=(f"ei{number}",),
            )
            for number, event in enumerate(events, 1)
        ),
        times=tuple(
            TaggedTime(
                id=f"t{number}",
                start=time.start,
                end=time.end,
                text=text[time.start : time.end],
                value=time.value,
                kind=time.type,
            )
            for number, time in enumerate(times, 1)
        ),
    )
