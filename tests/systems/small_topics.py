"""Small topics to compute by hand on."""

from collections.abc import Iterable, Sequence

from chronoscore.core import Document, Sentence, Timeline, Topic, When
from chronoscore.systems.material import SourceLine


def document(name: str, day: str | None, texts: Iterable[str], title: str = "") -> Document:
    return Document(
        id=name,
        sentences=tuple(Sentence(f"{name}-s{n:02}", text) for n, text in enumerate(texts, 1)),
        when=When.parse(day) if day else None,
        title=title,
    )


def topic(
    *documents: Document, name: str = "flood", title: str = "", like: Timeline | None = None
) -> Topic:
    return Topic(id=name, documents=documents, title=title, timelines=(like,) if like else ())


def line(
    words: Sequence[str] | str, *, day: int | None = 1, article: int = 0, place: int = 0
) -> SourceLine:
    own = tuple(words.split()) if isinstance(words, str) else tuple(words)
    return SourceLine(
        id=f"a{article}-s{place}",
        text=" ".join(own),
        words=own,
        length=len(own),
        article=article,
        place=place,
        published=day,
        day=day,
        named=(),
    )


FLOOD = topic(
    document(
        "a1",
        "2010-05-01",
        [
            "The river broke the old dam above the town of Pellin.",
            "Engineers saw water in the gallery of the dam.",
        ],
    ),
    document(
        "a2",
        "2010-05-02",
        [
            "Rescue boats reached the flooded town of Pellin today.",
            "The dam broke on 1 May 2010 after heavy rain in the hills.",
            "Soldiers carried children from the roofs of houses.",
        ],
    ),
    document(
        "a3",
        "2010-05-02",
        [
            "Boats carried people from the flooded houses of Pellin.",
            "A minister promised money for the flooded town.",
        ],
    ),
    document(
        "a4",
        "2010-05-09",
        ["An inquiry into the broken dam began its work in the capital."],
    ),
)
