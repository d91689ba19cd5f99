"""DUCView: pyramids and annotated outputs, in the XML that it writes itself."""

from pathlib import Path

import pytest

import chronoscore as cs
from chronoscore.core import Topic
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.judgements import ducview
from chronoscore.measures import parse_measure_text

DOCTYPE = """<?xml version="1.0"?>
<!DOCTYPE {root} [
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED>
]>
"""
# Three references of an invented cluster; the pattern finds the line before each.
TEXT = """<pyramid>
<startDocumentRegEx><![CDATA[-+\\n D[0-9]+\\.[A-Z]\\n-+\\n]]></startDocumentRegEx>
 <text>
  <line>---</line>
  <line> D1.A</line>
  <line>---</line>
  <line>The dam broke &amp; people fled.</line>
  <line>---</line>
  <line> D1.B</line>
  <line>---</line>
  <line>A dam gave way.</line>
  <line>---</line>
  <line> D1.C</line>
  <line>---</line>
  <line>Rain fell.</line>
 </text>
"""
UNITS = """ <scu uid="7" label="the dam broke">
  <contributor label="The dam broke"><part label="The dam broke" start="14" end="27"/></contributor>
  <contributor label="A dam gave"><part label="A dam gave" start="58" end="68"/></contributor>
 </scu>
 <scu uid="9" label="people fled">
  <contributor label="people fled"><part label="people fled" start="30" end="41"/></contributor>
 </scu>
 <scu uid="11" label="rain">
  <contributor label="Rain fell"><part label="Rain fell" start="88" end="97"/></contributor>
 </scu>
</pyramid>
"""
ANNOTATION = """<annotation>
 <text><line>A dam burst, it burst. Nobody knew.</line></text>
 <peerscu uid="7" label="(2) the dam broke">
  <contributor label="A dam burst"><part label="A dam burst" start="0" end="11"/></contributor>
  <contributor label="it burst"><part label="it burst" start="13" end="21"/></contributor>
 </peerscu>
 <peerscu uid="9" label="(1) people fled"></peerscu>
 <peerscu uid="0" label="All non-matching SCUs go here">
  <contributor label="Nobody knew"><part label="Nobody knew" start="23" end="34"/></contributor>
 </peerscu>
</annotation>
"""
PYR = DOCTYPE.format(root="pyramid") + TEXT + UNITS
PAN = (
    DOCTYPE.format(root="peerAnnotation")
    + f"<peerAnnotation>\n{TEXT}{UNITS}{ANNOTATION}</peerAnnotation>\n"
)


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_unit_weighs_as_much_as_references_have_it(tmp_path: Path) -> None:
    pyramid = ducview.load(file(tmp_path, "D1.pyr", PYR))
    assert {unit.id: unit.weight for unit in pyramid.units} == {"7": 2, "9": 1, "11": 1}
    assert pyramid.units[0].writers == {"1", "2"}
    assert pyramid.units[2].writers == {"3"}
    assert pyramid.writers == ("1", "2", "3")


def test_an_annotated_output_holds_its_pyramid(tmp_path: Path) -> None:
    assert (
        ducview.load(file(tmp_path, "D1.x.pan", PAN)).units[0].writers
        == ducview.load(file(tmp_path, "D1.pyr", PYR)).units[0].writers
    )


def test_each_place_that_expresses_a_unit_is_a_selection(tmp_path: Path) -> None:
    output = ducview.load_output(file(tmp_path, "D1.x.pan", PAN))
    assert [selection.event for selection in output] == ["7", "7", "0"]


def test_the_classic_scores_of_an_annotated_output(tmp_path: Path) -> None:
    path = file(tmp_path, "D1.x.pan", PAN)
    topic = Topic(id="D1", pyramid=ducview.load(path))
    measure = parse_measure_text("classic-pyramid")
    values = measure.values(measure.tally([(topic, ducview.load_output(path))]))[0]
    # 2 of weight; three units (one repeated, one unmatched) could weigh 4. A reference has
    # 4/3 units on average, which is 1, and one unit could weigh 2.
    assert values.tolist() == [2 / 4, 3 / 4, 2 / 2]


def test_a_folder_of_outputs_gives_topics_and_runs(tmp_path: Path) -> None:
    file(tmp_path / "all", "D1.mine.pan", PAN)
    file(tmp_path / "all" / "yours", "D1.pan", PAN)
    topics, runs = ducview.load_topics(tmp_path / "all"), ducview.load_runs(tmp_path / "all")
    assert [topic.id for topic in topics] == ["D1"]
    assert sorted(run.system for run in runs) == ["mine", "yours"]


def test_without_a_pattern_each_contributor_is_a_writer(tmp_path: Path) -> None:
    lines = [line for line in PYR.splitlines() if "startDocumentRegEx" not in line]
    pyramid = ducview.load(file(tmp_path, "D1.pyr", "\n".join(lines)))
    assert [unit.weight for unit in pyramid.units] == [2, 1, 1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('uid="9"', 'uid="7"', "unit '7' occurs twice"),
        ('start="88"', 'start="soon"', "start='soon' is not a whole number"),
        ('<part label="Rain fell" start="88" end="97"/>', "", "a contributor has no part"),
        ('start="14"', 'start="0"', "lies before the first reference"),
        ("D[0-9]+", "D(", "is not a pattern"),
        ("<pyramid>", "<other>", "mismatched tag"),
        (' uid="7"', "", "<scu> has no uid"),
    ],
)
def test_a_broken_pyramid_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = PYR.replace("  <line>---</line>", "  <line>intro</line>\n  <line>---</line>", 1)
    path = file(tmp_path, "D1.pyr", (text if "before" in message else PYR).replace(old, new, 1))
    with pytest.raises(DataError, match=message):
        ducview.load(path)


def test_a_unit_without_contributors_is_refused_with_its_line(tmp_path: Path) -> None:
    bare = PYR.replace("</pyramid>", ' <scu uid="12" label="x"></scu>\n</pyramid>')
    with pytest.raises(DataError, match=r"D1\.pyr:\d+: unit '12' has no contributor"):
        ducview.load(file(tmp_path, "D1.pyr", bare))


def test_a_pyramid_is_no_annotated_output(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is not an annotated output"):
        ducview.load_output(file(tmp_path, "D1.pyr", PYR))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("21.D0700.M.250.A.0.pan", ("21", "D0700", "0")),
        ("D0701.M.250.B.13.pan", ("", "D0701", "13")),
        ("D1.mine.pan", ("", "D1", "mine")),
        ("D1.D2.pan", ("", "D1", "D2")),
        ("floods.mine.v2.pan", ("", "floods", "mine.v2")),
        ("yours/D0701.pan", ("", "D0701", "yours")),
    ],
)
def test_names_say_annotator_topic_and_system(name: str, expected: tuple[str, str, str]) -> None:
    assert ducview.parse_name(Path("all") / name) == expected


def test_outputs_that_several_people_annotated_are_kept_apart(tmp_path: Path) -> None:
    for name in ("21.D1.M.250.A.0.pan", "22.D1.M.250.A.0.pan", "21.D1.M.250.A.7.pan"):
        file(tmp_path, name, PAN)
    assert sorted(run.system for run in ducview.load_runs(tmp_path)) == ["21.0", "21.7", "22.0"]
    (tmp_path / "22.D1.M.250.A.0.pan").unlink()
    assert sorted(run.system for run in ducview.load_runs(tmp_path)) == ["0", "7"]


def test_pyramids_of_one_topic_that_differ_are_reported(tmp_path: Path) -> None:
    file(tmp_path, "D1.a.pan", PAN)
    file(tmp_path, "D1.b.pan", PAN)
    assert len(ducview.load_topics(tmp_path)) == 1
    file(tmp_path, "D1.c.pan", PAN.replace('scu uid="11"', 'scu uid="12"'))
    with pytest.warns(
        ChronoscoreWarning, match=r"D1\.c\.pan: .* differs from .* \(unit '12' is new"
    ):
        ducview.load_topics(tmp_path)
    lone = UNITS[: UNITS.index(' <scu uid="11"')] + "</pyramid>\n"
    file(tmp_path, "D1.c.pan", PAN.replace(UNITS, lone))
    with pytest.warns(ChronoscoreWarning, match=r"\(unit '11' is missing\)"):
        ducview.load_topics(tmp_path)


def test_a_unit_knows_every_contributor(tmp_path: Path) -> None:
    more = '<contributor label="x"><part label="x" start="30" end="41"/></contributor>\n </scu>'
    twice = PYR.replace(" </scu>", f"  {more}", 1)
    unit = ducview.load(file(tmp_path, "D1.pyr", twice)).units[0]
    assert (unit.weight, unit.contributions) == (2, 3)


def test_a_contributor_in_two_parts_is_of_the_reference_where_it_begins(tmp_path: Path) -> None:
    part = '<part label="people fled" start="30" end="41"/>'
    assert part in PYR
    late = '<part label="gave way" start="64" end="72"/>'
    text = PYR.replace(part, late + part)
    units = {unit.id: unit for unit in ducview.load(file(tmp_path, "D1.pyr", text)).units}
    assert units["9"].writers == {"1"}


def test_people_are_scored_beside_systems(tmp_path: Path) -> None:
    file(tmp_path, "D1.mine.pan", PAN)
    result = cs.score(
        tmp_path, None, "classic-pyramid", units=tmp_path, humans=True, jackknife=True
    )
    assert result.systems == ("mine", "1", "2", "3")
    # Writer 1 has units 7 and 9; the others' pyramid has 7 and 11, both of weight 1.
    assert result["1", "classic-pyramid.original"].value == pytest.approx(1 / 2)
    assert result["1", "classic-pyramid.modified"].value == pytest.approx(1 / 1)


@pytest.mark.parametrize("folder", ["", "pyramids"])
def test_a_pyr_file_counts_and_outputs_with_another_pyramid_are_reported(
    folder: str, tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    (tmp_path / "units" / folder).mkdir(parents=True)
    file(runs, "D1.mine.pan", PAN)
    file(tmp_path / "units" / folder, "D1.pyr", PYR)
    alike = cs.score(runs, None, "classic-pyramid", units=tmp_path / "units")
    lone = UNITS[: UNITS.index(' <scu uid="11"')] + "</pyramid>\n"
    file(tmp_path / "units" / folder, "D1.pyr", DOCTYPE.format(root="pyramid") + TEXT + lone)
    with pytest.warns(ChronoscoreWarning, match=r"differs from its \.pyr file \(unit '11' is new"):
        other = cs.score(runs, None, "classic-pyramid", units=tmp_path / "units")
    name = ("mine", "classic-pyramid.original")
    # Three places: 2 of 2 + 1 + 1 with the whole pyramid, 2 of 2 + 1 with the smaller one.
    assert alike[name].value == pytest.approx(2 / 4)
    assert other[name].value == pytest.approx(2 / 3)
