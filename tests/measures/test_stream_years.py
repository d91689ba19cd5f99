"""TREC Temporal Summarization as scored in 2013 and 2015: rules by hand, and a second scorer."""

import csv
import gzip
import itertools
import math
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chronoscore as cs
from chronoscore.errors import ChronoscoreWarning, UsageError
from chronoscore.formats.corpora import trects
from chronoscore.measures.compat import compatible_measure
from chronoscore.measures.streams.stream import Stream
from measures import slow_streams

HOUR = 3600
NUGGETS = (
    "TS15.26\tn1\t36000\t3\t9\tship ran aground  ",
    "TS15.26\tn2\t36000\t1\t9\ttwo people died",
    "TS15.26\tn3\t36000\t3\t9\tnobody ever told this one",
)
UPDATES = (
    "TS15.26\td-1\td\t1\t9\tNULL\tA ship ran aground",
    "TS15.26\te-2\te\t2\t9\td-1\tA ship ran aground",
    "TS15.26\tf-3\tf\t3\t9\tNULL\tat least two people died there  ",
)
MATCHES = ("26\td-1\tn1\t2\t18\t0", "26\tf-3\tn2\t9\t24\t0")
HEADINGS = {
    "nuggets": "query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text",
    "updates_sampled": "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\t"
    "update_text",
    "matches": "query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p",
}


def run(*lines: tuple[str, int, float], name: str = "one") -> list[str]:
    return [f"26 t {name} {u.replace('-', ' ')} {time} {sure}" for u, time, sure in lines]


def values(
    folder: Path,
    lines: list[str],
    measure: str = "stream",
    *,
    year: str = "tseval2015",
    pool: list[str] | None = None,
    twins: str = "",
    nuggets: tuple[str, ...] = NUGGETS,
    updates: tuple[str, ...] = UPDATES,
    matches: tuple[str, ...] = MATCHES,
) -> dict[str, float]:
    folder.mkdir(exist_ok=True)
    tables = {"nuggets": nuggets, "updates_sampled": updates, "matches": matches}
    for name, rows in tables.items():
        (folder / f"{name}.tsv").write_text("\n".join([HEADINGS[name], *rows]) + "\n")
    (folder / "run.txt").write_text("\n".join(lines) + "\n")
    (folder / "pool.txt").write_text("\n".join(pool or []) + "\n")
    (folder / "twins.txt").write_text(twins + "\n")
    result = cs.score(
        folder / "run.txt",
        None,
        measure,
        judgements=folder,
        compat=year,  # type: ignore[arg-type]
        pool=folder / "pool.txt" if pool else None,
        duplicates=folder / "twins.txt" if twins else None,
    )
    return {row["part"]: row["value"] for row in result.rows() if row["system"] == "t-one"}


def test_nuggets_that_no_match_names_are_dropped_first(tmp_path: Path) -> None:
    got = values(tmp_path, run(("d-1", 36000, 1)))
    assert got["C"] == pytest.approx(1 / (1 + math.exp(-2)))
    # Both kept nuggets have three words without the blanks at the end of the first; the
    # update has four, and its last word is not marked.
    assert got["verbosity"] == pytest.approx(1 + 1 / 3)
    assert values(tmp_path, run(("d-1", 36000, 1)), year="tseval2014")["C"] == pytest.approx(
        1 / (2 + math.exp(-2))
    )


def test_blanks_at_the_end_of_an_update_are_no_words(tmp_path: Path) -> None:
    got = values(tmp_path, run(("f-3", 36000, 1)))
    # Of six words, the two before the last marked one and itself are covered: "least two people".
    assert got["verbosity"] == pytest.approx(1 + 3 / 3)


def test_a_nugget_is_known_from_the_first_update_that_matches_it(tmp_path: Path) -> None:
    got = values(tmp_path, run(("d-1", 36000 - 6 * HOUR, 1)))
    assert got["latency"] == pytest.approx(1.0)
    late = values(tmp_path, run(("d-1", 36000 + 6 * HOUR, 1)))
    assert late["latency"] == pytest.approx(0.5)


def test_other_runs_of_the_call_lend_their_times(tmp_path: Path) -> None:
    mine = run(("d-1", 36000, 1))
    early = run(("d-1", 36000 - 6 * HOUR, 1), name="two")
    assert values(tmp_path, [*mine, *early])["latency"] == pytest.approx(0.5)
    assert values(tmp_path, mine, pool=early)["latency"] == pytest.approx(0.5)
    # The time of an update is that of its duplicate, too.
    twin = run(("e-2", 36000 - 6 * HOUR, 1), name="two")
    assert values(tmp_path, mine, pool=twin)["latency"] == pytest.approx(0.5)
    unsampled = run(("x-9", 0, 1), name="two")
    assert values(tmp_path, mine, pool=unsampled)["latency"] == pytest.approx(1.0)


def test_updonly_ignores_the_own_times_of_nuggets(tmp_path: Path) -> None:
    late = run(("d-1", 36000 + 6 * HOUR, 1))
    assert values(tmp_path, late, "stream(times=updonly)")["latency"] == pytest.approx(1.0)


def test_the_signature_says_how_many_systems_lent_their_times(tmp_path: Path) -> None:
    values(tmp_path, run(("d-1", 36000, 1)), pool=run(("d-1", 1, 1), name="two"))
    where = {"judgements": tmp_path, "compat": "tseval2015"}
    alone, pooled = (
        cs.score(tmp_path / "run.txt", None, "stream", pool=pool, **where).signature
        for pool in (None, tmp_path / "pool.txt")
    )
    assert "|pool:1" in alone
    assert "|pool:2" in pooled
    assert alone.split("data:")[1] != pooled.split("data:")[1]


def test_the_signature_changes_with_lengths_and_unimportant_nuggets(tmp_path: Path) -> None:
    def digest(nuggets: tuple[str, ...]) -> str:
        values(tmp_path, run(("d-1", 36000, 1)), nuggets=nuggets)
        result = cs.score(tmp_path / "run.txt", None, "stream", judgements=tmp_path)
        return result.signature.split("data:")[1]

    longer = tuple(row.replace("\t9\t", "\t8\t") for row in NUGGETS)
    more = (*NUGGETS, "26\tn4\t36000\t0\t9\tnot important")
    assert len({digest(NUGGETS), digest(longer), digest(more)}) == 3


def test_a_pool_without_a_measure_of_pooled_times_is_refused(tmp_path: Path) -> None:
    values(tmp_path, run(("d-1", 36000, 1)))
    with pytest.raises(UsageError, match="`pool` lends times"):
        cs.score(
            tmp_path / "run.txt", None, "stream", judgements=tmp_path, pool=tmp_path / "run.txt"
        )


def test_an_unsampled_update_has_the_text_of_its_sampled_twin(tmp_path: Path) -> None:
    plain = values(tmp_path, run(("x-9", 36000, 1)))
    assert plain["verbosity"] == pytest.approx(1 + 1 / 3)
    for pair in ("x-9 f-3", "f-3\tx-9"):
        got = values(tmp_path, run(("x-9", 36000, 1)), twins=pair)
        # Six words and none of them matched: matches go by the update's own id.
        assert (got["verbosity"], got["C"]) == (pytest.approx(1 + 6 / 3), 0)
    # The twin repeats a third update, whose matches count.
    assert values(tmp_path, run(("x-9", 36000, 1)), twins="x-9 e-2")["C"] > 0


def test_infinite_confidence_is_1000_and_a_constant_one_is_a_half(tmp_path: Path) -> None:
    got = values(tmp_path, run(("d-1", 36000, math.inf), ("f-3", 36000, 500), ("x-9", 36000, 0)))
    assert got["cC"] == pytest.approx((1 + 0.5 * math.exp(-2)) / (1 + math.exp(-2)))
    constant = values(tmp_path, run(("d-1", 36000, 7)))
    assert constant["cC"] == pytest.approx(constant["C"] / 2)


def test_2013_has_a_power_as_discount_no_normalizer_and_skips_what_was_not_sampled(
    tmp_path: Path,
) -> None:
    got = values(tmp_path, run(("d-1", 36000 + 12 * HOUR, 2), ("x-9", 36000, 2)), year="tseval2013")
    assert got["latency"] == pytest.approx(0.95**2)
    assert (got["nE[G]"], got["nE[LG]"]) == (got["E[G]"], got["E[LG]"])
    assert got["H"] == pytest.approx(2 * got["E[LG]"] * got["LC"] / (got["E[LG]"] + got["LC"]))
    assert got["cC"] == pytest.approx(got["C"])


def test_2013_counts_nuggets_without_importance_and_the_lengths_of_the_tables(
    tmp_path: Path,
) -> None:
    nuggets = ("26\tn1\t36000\t0\t4\tship ran aground", "26\tn2\t36000\t3\t8\ttwo died")
    updates = ("26\td-1\td\t1\t10\tNULL\tA ship  ran aground",)
    lines = run(("d-1", 36000, 2))
    got = values(
        tmp_path, lines, year="tseval2013", nuggets=nuggets, updates=updates, matches=MATCHES[:1]
    )
    assert got["C"] == pytest.approx(math.exp(-3) / (1 + math.exp(-3)))
    # Ten words by the table, of which three are marked, and nuggets of six words on average.
    assert got["verbosity"] == pytest.approx(1 + 7 / 6)
    binary = values(
        tmp_path,
        lines,
        "stream(binary)",
        year="tseval2013",
        nuggets=nuggets,
        updates=updates,
        matches=MATCHES[:1],
    )
    assert binary["C"] == 0


@pytest.mark.parametrize("year", ["tseval2013", "tseval2014", "tseval2015"])
def test_a_run_is_averaged_over_the_topics_that_it_has(tmp_path: Path, year: str) -> None:
    both = tuple(row.replace("26", topic, 1) for topic in ("26", "27") for row in NUGGETS)
    updates = tuple(row.replace("26", topic, 1) for topic in ("26", "27") for row in UPDATES)
    matches = tuple(row.replace("26", topic, 1) for topic in ("26", "27") for row in MATCHES)
    alone = run(("d-1", 36000, 1))
    full = [line.replace("26", "27", 1) for line in run(("d-1", 36000, 1), name="two")]
    tables = {"nuggets": both, "updates": updates, "matches": matches}
    topic = values(tmp_path, alone, year=year)["C"]
    with pytest.warns(ChronoscoreWarning, match="first; left out of its means"):
        values(tmp_path, [*alone, *full], year=year, **tables)
    with pytest.warns(ChronoscoreWarning, match="no output for 1 of 2 topics"):
        result = cs.score(tmp_path / "run.txt", judgements=tmp_path, compat=year)  # type: ignore[arg-type]
    with pytest.warns(ChronoscoreWarning, match="first; scored as empty"):
        plain = cs.score(tmp_path / "run.txt", None, "stream", judgements=tmp_path)
    assert topic > 0
    assert result["t-one", "stream.C"].value == pytest.approx(topic)
    assert plain["t-one", "stream.C"].value == pytest.approx(0.5 / (2 + math.exp(-2)))


def test_a_preset_knows_its_measure(tmp_path: Path) -> None:
    values(tmp_path, run(("d-1", 36000, 1)))
    result = cs.score(tmp_path / "run.txt", judgements=tmp_path, compat="tseval2015")
    assert result.measures == ("stream",)


def test_presets_keep_what_was_chosen_by_hand() -> None:
    chosen = compatible_measure(Stream(times="updonly", binary=True), "tseval2015")
    assert str(chosen) == "stream(binary,confidence=scaled,matched,times=updonly,trim,empty=skip)"


PARTS = [part for part in Stream.parts if part != "sampled"]
IDS = ("d-1", "e-2", "f-3", "x-9", "y-8")
LINES = st.lists(
    st.tuples(st.sampled_from(IDS), st.integers(0, 80_000), st.sampled_from([0.0, 1.0, 2.5])),
    min_size=1,
    max_size=6,
)
SPANS = st.tuples(st.integers(0, 20), st.integers(0, 12))


@given(
    LINES,
    LINES,
    st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(["n1", "n2", "n3"]), SPANS)),
    st.booleans(),
    st.sampled_from(["", "x-9 f-3", "y-8 e-2"]),
)
def test_figures_are_those_of_a_second_scorer(
    tmp_path_factory: pytest.TempPathFactory,
    mine: list[tuple[str, int, float]],
    others: list[tuple[str, int, float]],
    drawn: list[tuple[str, str, tuple[int, int]]],
    ignore: bool,
    twins: str,
) -> None:
    named = {(update, nugget): span for update, nugget, span in drawn}
    matches = tuple(
        f"26\t{update}\t{nugget}\t{start}\t{start + size}\t0"
        for (update, nugget), (start, size) in named.items()
    )
    if not matches:
        return
    lines, pool = run(*mine), run(*others, name="two")
    tables = slow_streams.Tables(
        NUGGETS,
        UPDATES,
        matches,
        lines,
        pool,
        [twins] if twins else [],
        ignore_unsampled=ignore,
    )
    expected = slow_streams.score(tables)["t-one", "26"]
    measure = f"stream(unsampled={'ignore' if ignore else 'count'})"
    folder = tmp_path_factory.mktemp("task")
    got = values(folder, lines, measure, pool=pool, twins=twins, matches=matches)
    for part, value in got.items():
        assert value == pytest.approx(expected[part], abs=1e-9), part


@given(
    LINES,
    st.lists(st.sampled_from([-1, 0, 0, 1, 2, 3]), min_size=3, max_size=3),
    st.lists(st.integers(1, 12), min_size=6, max_size=6),
    st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(["n1", "n2", "n3"]), SPANS)),
    st.booleans(),
)
def test_figures_of_2013_are_those_of_a_second_scorer(
    tmp_path_factory: pytest.TempPathFactory,
    mine: list[tuple[str, int, float]],
    importance: list[int],
    sizes: list[int],
    drawn: list[tuple[str, str, tuple[int, int]]],
    binary: bool,
) -> None:
    named = {(update, nugget): span for update, nugget, span in drawn}
    if not named:
        return
    matches = tuple(
        f"26\t{update}\t{nugget}\t{start}\t{start + size}\t0"
        for (update, nugget), (start, size) in named.items()
    )
    nuggets = tuple(
        f"TS13.26\tn{n}\t36000\t{weight}\t{size}\ttold  at length "
        for n, (weight, size) in enumerate(zip(importance, sizes, strict=False), 1)
    )
    updates = tuple(
        row.replace("\t9\t", f"\t{size}\t") for row, size in zip(UPDATES, sizes[3:], strict=True)
    )
    tables = slow_streams.Tables(nuggets, updates, matches, run(*mine))
    expected = slow_streams.score_2013(tables, binary=binary)["t-one", "26"]
    measure = "stream(binary)" if binary else "stream"
    folder = tmp_path_factory.mktemp("task")
    got = values(
        folder,
        run(*mine),
        measure,
        year="tseval2013",
        nuggets=nuggets,
        updates=updates,
        matches=matches,
    )
    for part, value in expected.items():
        if part != "updates":
            assert got[part] == pytest.approx(value, abs=1e-9), part


@pytest.mark.slow
@pytest.mark.parametrize("updates_only", [False, True])
def test_real_runs_of_2014_scored_as_in_2015_are_those_of_the_second_scorer(
    data: Path, updates_only: bool
) -> None:
    folder = data / "trec-ts-2014"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        result = cs.score(
            folder / "cunlp-updates.ssv.gz",
            None,
            "stream(times=updonly)" if updates_only else "stream",
            judgements=folder,
            compat="tseval2015",
        )
    lines = {
        name: (folder / f"{name}.tsv").read_bytes().decode("latin-1").split("\n")[1:-1]
        for name in HEADINGS
    }
    with gzip.open(folder / "cunlp-updates.ssv.gz", "rt") as file:
        runs = file.read().splitlines()
    # Whole topics with few nuggets, and all three runs on them.
    topics = {"14", "20"}
    some = {
        name: [line for line in rows if slow_streams.bare(line.split("\t")[0]) in topics]
        for name, rows in lines.items()
    }
    tables = slow_streams.Tables(
        some["nuggets"],
        some["updates_sampled"],
        some["matches"],
        [line for line in runs if line.split()[0] in topics],
        updates_only=updates_only,
    )
    expected = slow_streams.score(tables)
    compared = 0
    for row in result.rows():
        key = (str(row["system"]), slow_streams.bare(str(row["topic"])))
        if key in expected:
            assert row["value"] == pytest.approx(expected[key][str(row["part"])], abs=1e-9), row
            compared += 1
    assert compared == 3 * 2 * 18


def test_all_columns_of_the_official_file_have_a_part() -> None:
    shown = compatible_measure(Stream(), "tseval2015").shown
    assert len(shown) == 18
    assert set(itertools.chain(shown, ("updates", "sampled"))) == set(Stream.parts)
    assert trects.UPDATES[0] == "updates_sampled.tsv"


def curve(folder: Path, by: str, *lines: tuple[str, int, float]) -> list[dict[str, str]]:
    values(folder, run(*lines))
    result = cs.score(folder / "run.txt", None, "stream", judgements=folder, compat="tseval2015")
    result.curve(folder / "curve.csv", by)  # type: ignore[arg-type]
    with (folder / "curve.csv").open() as file:
        return list(csv.DictReader(file))


def test_a_curve_ends_with_the_score_and_each_point_is_that_of_a_shorter_stream(
    tmp_path: Path,
) -> None:
    lines = [("d-1", 36000, 1), ("x-9", 38000, 3), ("f-3", 43200, 2)]
    for number, point in enumerate(curve(tmp_path, "time", *lines), 1):
        # A shorter stream lends no other times: nuggets are known before its updates.
        for part, value in values(tmp_path, run(*lines[:number])).items():
            if not part.startswith("c"):
                assert float(point[part]) == pytest.approx(value), (number, part)
        assert float(point["hours"]) == pytest.approx((lines[number - 1][1] - 36000) / 3600)


def test_a_curve_by_rank_adds_the_most_confident_updates_first(tmp_path: Path) -> None:
    lines = [("d-1", 36000, 1), ("x-9", 38000, 3), ("f-3", 43200, 2)]
    first, second, third = curve(tmp_path, "rank", *lines)
    assert [float(one["C"]) > 0 for one in (first, second, third)] == [False, True, True]
    assert float(second["C"]) == pytest.approx(math.exp(-2) / (1 + math.exp(-2)))
    assert float(second["verbosity"]) == pytest.approx((1 + 1 / 3 + 1 + 3 / 3) / 2)
    assert float(third["C"]) == pytest.approx(1.0)


@pytest.mark.parametrize("by", ["time", "rank"])
def test_curves_are_drawn(by: str, tmp_path: Path) -> None:
    values(tmp_path, run(("d-1", 36000, 1), ("f-3", 43200, 2)))
    result = cs.score(tmp_path / "run.txt", None, "stream", judgements=tmp_path)
    result.curve(tmp_path / "c.svg", by)  # type: ignore[arg-type]
    assert (tmp_path / "c.svg").read_text().count("<svg") == 1


def test_the_breakdown_says_by_which_update_a_nugget_was_told(tmp_path: Path) -> None:
    values(tmp_path, run(("d-1", 36000 + 6 * HOUR, 1), ("e-2", 36000 + 7 * HOUR, 2)))
    cs.score(
        tmp_path / "run.txt", None, "stream", judgements=tmp_path, compat="tseval2015"
    ).breakdown(tmp_path / "nuggets.csv")
    with (tmp_path / "nuggets.csv").open() as file:
        told, missed = csv.DictReader(file)
    assert (told["nugget"], told["update"], told["known"]) == ("n1", "d-1", "36000.0")
    assert float(told["latency gain"]) == pytest.approx(0.5)
    assert (missed["nugget"], missed["update"]) == ("n2", "")
    assert float(missed["missed"]) == pytest.approx(math.exp(-2))
