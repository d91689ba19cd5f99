"""TREC Temporal Summarization: tables and runs, read as the official scorer reads them."""

import gzip
import lzma
import re
from pathlib import Path

import pytest
import zstandard

from chronoscore.core import Ranking, Selection
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.formats.corpora import judged_topics, trects

NUGGETS = """query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text
TS14.11\tn1\t100\t3\t7\tship ran aground
TS14.11\tn2\t200\t0\t4\ttrivia
"""
UPDATES = """query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text
TS14.11\td-1\td\t1\t9\tNULL\tA ship ran aground
TS14.11\te-2\te\t2\t9\td-1\tA ship ran aground.
TS14.11\tf-3\tf\t3\t9\tgone-9\tÉtait là: ship
"""
MATCHES = """query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p
TS14.11\td-1\tn1\t2\t18\t0
TS14.11\td-1\tn2\t2\t6\t0
TS14.11\tf-3\tn1\t12\t16\t0
"""


def folder(tmp_path: Path, **tables: str) -> Path:
    given = {"nuggets": NUGGETS, "updates_sampled": UPDATES, "matches": MATCHES, **tables}
    for name, text in given.items():
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    return tmp_path


def test_nuggets_are_events_and_matches_are_links(tmp_path: Path) -> None:
    judged = trects.load(folder(tmp_path)).topics["TS14.11"].judgements
    assert judged is not None
    assert [(e.id, e.time, e.importance) for e in judged.events] == [("n1", 100.0, 3.0)]
    assert judged.sentences == ("d-1", "e-2", "f-3")
    assert judged.pooled


def test_a_duplicate_has_the_text_and_matches_of_what_it_repeats(tmp_path: Path) -> None:
    judged = trects.load(folder(tmp_path)).topics["TS14.11"].judgements
    assert judged is not None
    assert judged.texts["e-2"] == judged.texts["d-1"] == "A ship ran aground"
    assert [(link.sentence, link.event) for link in judged.links] == [
        ("d-1", "n1"),
        ("e-2", "n1"),
        ("f-3", "n1"),
    ]


def test_offsets_count_bytes(tmp_path: Path) -> None:
    judged = trects.load(folder(tmp_path)).topics["TS14.11"].judgements
    assert judged is not None
    span = judged.links[-1].span
    assert span is not None
    assert judged.texts["f-3"][slice(*span)] == "ship"


def test_unknown_nuggets_are_counted_and_reported_once(tmp_path: Path) -> None:
    strange = MATCHES + "TS14.11\td-1\tx8\t0\t1\t0\n" + "TS14.11\td-1\tx9\t0\t1\t0\n" * 2
    with pytest.warns(
        ChronoscoreWarning, match=r"matches\.tsv:5: 3 matches name 2 unknown nuggets, 'x8'"
    ) as told:
        trects.load(folder(tmp_path, matches=strange))
    assert len(told) == 1


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"nuggets": "a\tb\n"}, r"nuggets\.tsv:1: no column 'query_id'"),
        (
            {"nuggets": NUGGETS + "TS14.11\tn3\tsoon\t1\t1\tx\n"},
            r"tsv:4: timestamp 'soon'",
        ),
        ({"nuggets": NUGGETS + "TS14.11\tn3\n"}, r"nuggets\.tsv:4: 2 columns"),
        ({"matches": MATCHES + "TS14.11\td-1\tn1\tx\t1\t0\n"}, r"matches\.tsv:5: start 'x'"),
    ],
)
def test_each_refusal_names_its_line(tables: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        trects.load(folder(tmp_path, **tables))


def test_a_folder_without_updates_is_refused(tmp_path: Path) -> None:
    (folder(tmp_path) / "updates_sampled.tsv").unlink()
    with pytest.raises(DataError, match="has no table of updates"):
        trects.load(tmp_path)


def test_runs_are_read_packed_or_not_and_topics_found_by_number(tmp_path: Path) -> None:
    lines = b"11 team one d 1 300 0.5\n11 team two e 2 400 inf\n\n12 team one g 1 1 1\n"
    path = tmp_path / "runs.ssv.gz"
    path.write_bytes(gzip.compress(lines))
    with pytest.warns(ChronoscoreWarning, match=r"1 update on topics without .* \('12'\)"):
        one, two = trects.load_runs(path, ["TS14.11"])
    assert (one.system, two.system) == ("team-one", "team-two")
    assert one.outputs == {"TS14.11": Ranking((Selection("d-1", 0.5, 300.0),))}
    assert two.outputs["TS14.11"] == Ranking((Selection("e-2", 1000.0, 400.0),))


def test_a_topic_may_have_its_prefix_on_some_lines_of_a_run_only(tmp_path: Path) -> None:
    path = tmp_path / "run.ssv"
    path.write_text("TS14.11 t r d 1 1 1\n12 t r d 1 1 1\n11 t r e 2 2 1\n", encoding="utf-8")
    both = Ranking((Selection("d-1", 1.0, 1.0), Selection("e-2", 1.0, 2.0)))
    for topics in ([], ["TS14.11", "TS14.12"]):
        (run,) = trects.load_runs(path, topics)
        assert run.outputs["TS14.11"] == both


def test_runs_with_nothing_on_a_judged_topic_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.ssv"
    path.write_text("99 t r d 1 1 1\n", encoding="utf-8")
    with (
        pytest.warns(ChronoscoreWarning, match="without judgements"),
        pytest.raises(DataError, match=r"run\.ssv: has nothing on a judged topic .*'TS14\.11'"),
    ):
        judged_topics.load([path], [folder(tmp_path)])
    path.write_text("\n \n", encoding="utf-8")
    with pytest.raises(DataError, match="has no updates"):
        trects.load_runs(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("11 team run d 1 300", "6 fields"),
        ("11 t r d 1 soon 1", "'soon'"),
        ("11 t r d 1 1 nan", "no"),
    ],
)
def test_a_broken_run_is_refused_with_its_line(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "run.ssv"
    path.write_text(f"11 t r d 1 1 1\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=rf"run\.ssv:2: .*{message}"):
        trects.load_runs(path)


@pytest.mark.slow
def test_the_corpus_of_2014_has_its_published_sizes(data: Path) -> None:
    with pytest.warns(ChronoscoreWarning, match="unknown nuggets"):
        collection = trects.load(data / "trec-ts-2014")
    judged = [topic.judgements for topic in collection if topic.judgements]
    assert len(judged) == 15
    assert sum(len(found.sentences) for found in judged) == 14_651
    assert sum(len(found.events) for found in judged) == 1_394


PACKERS = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("ending", PACKERS)
def test_tables_and_runs_may_be_packed(ending: str, tmp_path: Path) -> None:
    plain = trects.load(folder(tmp_path)).topics["TS14.11"]
    for name in ("nuggets", "updates_sampled", "matches"):
        path = tmp_path / f"{name}.tsv"
        path.with_name(path.name + ending).write_bytes(PACKERS[ending](path.read_bytes()))
        path.unlink()
    assert trects.is_directory(tmp_path)
    assert trects.load(tmp_path).topics["TS14.11"] == plain
    run = tmp_path / f"run.txt{ending}"
    run.write_bytes(PACKERS[ending](b"11 team one d 1 300 0.5\n"))
    assert trects.load_runs(run)[0].outputs["11"] == Ranking((Selection("d-1", 0.5, 300.0),))
    run.write_bytes(b"not packed at all")
    with pytest.raises(DataError, match=r"broken archive|cannot be read"):
        trects.load_runs(run)


def test_equal_rows_count_once_with_one_note(tmp_path: Path) -> None:
    again = UPDATES + UPDATES.splitlines(keepends=True)[1] * 2
    with pytest.warns(ChronoscoreWarning, match=r"tsv:5: 2 rows repeat an equal one") as notes:
        judged = trects.load(folder(tmp_path, updates_sampled=again)).topics["TS14.11"].judgements
    assert len(notes) == 1
    assert judged is not None
    assert judged.sentences == ("d-1", "e-2", "f-3")


def test_of_unequal_rows_the_last_counts_and_the_note_names_both(tmp_path: Path) -> None:
    again = NUGGETS + "TS14.11\tn1\t900\t2\t7\tanother text\n"
    with pytest.warns(ChronoscoreWarning, match=r"nuggets\.tsv: lines 2 and 4 .* the last one"):
        judged = trects.load(folder(tmp_path, nuggets=again)).topics["TS14.11"].judgements
    assert judged is not None
    assert [(e.id, e.time, e.text) for e in judged.events] == [("n1", 900.0, "another text")]


def test_headings_may_be_parted_by_blanks_and_ids_lack_their_prefix(tmp_path: Path) -> None:
    heading, *rows = MATCHES.splitlines()
    text = "\n".join([re.sub(r"\t", "    ", heading), *(r.removeprefix("TS14.") for r in rows)])
    plain = trects.load(folder(tmp_path)).topics["TS14.11"]
    bare = UPDATES.replace("TS14.11\t", "11\t")
    assert trects.load(folder(tmp_path, matches=text, updates_sampled=bare)).topics == {
        "TS14.11": plain
    }


def test_unnamed_columns_are_taken_in_the_official_order_and_that_is_said(tmp_path: Path) -> None:
    plain = trects.load(folder(tmp_path)).topics["TS14.11"]
    other = MATCHES.replace("match_start\tmatch_end", "from\tto")
    with pytest.warns(ChronoscoreWarning, match=r"matches\.tsv:1: the heading does not name"):
        assert trects.load(folder(tmp_path, matches=other)).topics["TS14.11"] == plain


def test_duplicates_and_texts_under_unknown_names_are_not_lost(tmp_path: Path) -> None:
    plain = trects.load(folder(tmp_path)).topics["TS14.11"]
    other = UPDATES.replace("duplicate_id\tupdate_text", "same_as\tsentence")
    with pytest.warns(ChronoscoreWarning, match=r"updates_sampled\.tsv:1: the heading does not"):
        assert trects.load(folder(tmp_path, updates_sampled=other)).topics["TS14.11"] == plain
    short = NUGGETS.replace("\tnugget_text", "")
    with pytest.warns(ChronoscoreWarning, match=r"nuggets\.tsv:1: the heading does not name"):
        assert (
            trects.load(folder(tmp_path, nuggets=short, updates_sampled=UPDATES)).topics["TS14.11"]
            == plain
        )


def test_updates_of_2013_have_no_duplicates(tmp_path: Path) -> None:
    (tmp_path / "pooled_updates.tsv").write_text(
        "query_id\tupdate_id\tdocument_id\tsentence_id\tupdate_length\tupdate_text\n"
        "11\td-1\td\t1\t9\tA ship ran aground\n"
    )
    (folder(tmp_path) / "updates_sampled.tsv").unlink()
    judged = trects.load(tmp_path).topics["TS14.11"].judgements
    assert judged is not None
    assert judged.texts == {"d-1": "A ship ran aground"}


def test_the_table_of_matches_is_chosen_or_the_plain_one_with_a_note(tmp_path: Path) -> None:
    folder(tmp_path)
    other = tmp_path / "exactMatches2015.tsv"
    other.write_text("\n".join(MATCHES.splitlines()[:2]), encoding="utf-8")
    with pytest.warns(ChronoscoreWarning, match=r"several tables .* matches\.tsv is taken"):
        both = trects.load(tmp_path).topics["TS14.11"].judgements
    chosen = trects.load(tmp_path, trects.TaskOptions(matches=Path(other.name)))
    one = chosen.topics["TS14.11"].judgements
    assert both is not None
    assert one is not None
    assert (len(both.links), len(one.links)) == (3, 2)
    with pytest.raises(DataError, match="no such table of matches"):
        trects.load(tmp_path, trects.TaskOptions(matches=Path("none.tsv")))
    (tmp_path / "matches.tsv").rename(tmp_path / "autoMatches.tsv")
    with pytest.raises(DataError, match=r"several tables of matches"):
        trects.load(tmp_path)


def test_a_topic_without_matches_or_updates_is_left_out_and_said(tmp_path: Path) -> None:
    more = NUGGETS + "TS14.12\tm1\t1\t1\t1\tx\n"
    with pytest.warns(ChronoscoreWarning, match=r"topic 'TS14\.12' has no sampled update"):
        assert list(trects.load(folder(tmp_path, nuggets=more)).topics) == ["TS14.11"]


def test_two_tasks_in_one_table_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"topics 'TS14\.11' and 'TS13\.11' have the same number"):
        trects.load(folder(tmp_path, nuggets=NUGGETS + "TS13.11\tm1\t1\t1\t1\tx\n"))
