"""TimeML: events, instances and times with their places in the text."""

from pathlib import Path

import pytest

from chronoscore.core import Place
from chronoscore.errors import DataError
from chronoscore.formats.corpora import timeml
from chronoscore.formats.corpora.timeml import TaggedEvent, TaggedText, TaggedTime

SAMPLE = """<?xml version="1.0" ?>
<TimeML><DOCID>wsj</DOCID>
<DCT><TIMEX3 tid="t0" type="DATE" value="1998-02-13" functionInDocument="CREATION_TIME">\
1998-02-13</TIMEX3></DCT>
<TITLE>Winds</TITLE>
<TEXT><s id="0">AT&amp;T <EVENT eid="e1" class="ASPECTUAL">began</EVENT> in \
<TIMEX3 tid="t1" type="DATE" value="1885">1885</TIMEX3>.</s> \
<s id="1">It <EVENT eid="e2" class="OCCURRENCE">grew</EVENT>.</s></TEXT>
<MAKEINSTANCE eventID="e1" eiid="ei1"/><MAKEINSTANCE eventID="e1" eiid="ei2"/>
</TimeML>"""


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "doc.tml"
    path.write_text(text, encoding="utf-8")
    return path


def test_offsets_lead_back_to_the_words(tmp_path: Path) -> None:
    tagged = timeml.load(file(tmp_path, SAMPLE))
    assert tagged.text == "AT&T began in 1885. It grew."
    assert [tagged.text[e.start : e.end] for e in tagged.events] == ["began", "grew"]
    assert [tagged.text[t.start : t.end] for t in tagged.times] == ["1885"]


def test_everything_marked_is_read(tmp_path: Path) -> None:
    tagged = timeml.load(file(tmp_path, SAMPLE))
    assert tagged.id == "wsj"
    assert tagged.title == "Winds"
    assert str(tagged.created) == "1998-02-13"
    assert tagged.events[0] == TaggedEvent(
        id="e1", start=5, end=10, text="began", kind="ASPECTUAL", instances=("ei1", "ei2")
    )
    assert str(tagged.times[0].when) == "1885"
    assert tagged.sentences == (Place("wsj-0", 0, 19), Place("wsj-1", 20, 28))


def test_events_are_anchors_named_by_their_text(tmp_path: Path) -> None:
    anchors = timeml.load(file(tmp_path, SAMPLE)).anchors
    found = [(anchor.id, anchor.source, anchor.start) for anchor in anchors]
    assert found == [("wsj-e1", "wsj", 5), ("wsj-e2", "wsj", 23)]


def test_what_is_saved_is_read_back_the_same(tmp_path: Path) -> None:
    tagged = timeml.load(file(tmp_path, SAMPLE))
    timeml.save(tagged, tmp_path / "again.tml")
    assert timeml.load(tmp_path / "again.tml") == tagged


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<TEXT>", "<TEXT><!-- --></TEXT><OTHER>", "mismatched tag"),
        ('eid="e2"', 'eid="e1"', "event 'e1' occurs twice"),
        ('eid="e2" ', "", "<EVENT> has no eid"),
        (">grew<", "><", "event 'e2' marks no word"),
        ('eventID="e1" eiid="ei1"', 'eventID="e9" eiid="ei1"', "names event 'e9'"),
        ("TimeML", "Other", "is not TimeML"),
        ("TEXT", "BODY", "is not TimeML"),
    ],
)
def test_what_cannot_be_meant_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        timeml.load(file(tmp_path, SAMPLE.replace(old, new)))


def test_crossing_marks_cannot_be_written(tmp_path: Path) -> None:
    tagged = TaggedText(
        id="d",
        text="in May he left",
        events=(TaggedEvent(id="e1", start=0, end=9, text="in May he"),),
        times=(TaggedTime(id="t1", start=3, end=14, text="May he left", value="05"),),
    )
    with pytest.raises(DataError, match="marks cross at 3"):
        timeml.save(tagged, tmp_path / "d.tml")


def test_a_value_that_is_no_date_is_no_date() -> None:
    assert TaggedTime(id="t", start=0, end=1, text="x", value="P2D").when is None


def test_the_ten_history_articles_are_read(data: Path, tmp_path: Path) -> None:
    paths = sorted((data / "history-timeml").glob("*.tml"))
    assert len(paths) == 10
    total = 0
    for path in paths:
        tagged = timeml.load(path)
        total += len(tagged.events)
        assert path.read_text(encoding="utf-8").count("<EVENT ") == len(tagged.events)
        assert all(tagged.text[e.start : e.end] == e.text for e in tagged.events)
        assert all(event.instances for event in tagged.events)
        timeml.save(tagged, tmp_path / path.name)
        assert timeml.load(tmp_path / path.name) == tagged
    assert total == 1539
