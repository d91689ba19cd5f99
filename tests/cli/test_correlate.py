"""`correlate` as a user types it."""

import csv
import io
import json

import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

KEYS = ["measure", "part", "rating", "level", "coefficient", "value", "low", "high", "n"]
SYSTEMS = {"a": (0.1, 0.3), "b": (0.2, 0.2), "c": (0.4, 0.5), "d": (0.3, 0.6), "e": (0.5, 0.4)}
MARKS = {"a": (1, 2), "b": (2, 3), "c": (3, 3), "d": (2, 5), "e": (4, 5)}


@pytest.fixture
def files(tmp_path):
    """Two measures' scores and one rating of five systems on two topics."""
    rows = [
        {"system": s, "topic": t, "measure": "rouge(n=1)", "part": part, "value": value}
        for s, values in SYSTEMS.items()
        for t, v in zip(("t1", "t2"), values, strict=True)
        for part, value in (("r", v), ("p", v * v - v))
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "scores.jsonl").write_text(lines)
    marks = [
        f"{s},{t},responsiveness,{v},0"
        for s, values in MARKS.items()
        for t, v in zip(("t1", "t2"), values, strict=True)
    ]
    (tmp_path / "ratings.csv").write_text("system,topic,rating,value,human\n" + "\n".join(marks))
    return tmp_path


def means(table):
    return [round(sum(values) / 2, 9) for values in table.values()]


def test_rows_have_the_agreed_keys_and_the_values_of_scipy(run, files):
    done = run("correlate", "scores.jsonl", "--ratings", "ratings.csv", "-f", "json")
    rows = json.loads(done.out)
    assert all(list(row) == KEYS for row in rows)
    assert len(rows) == 2 * 3 * 3
    found = {
        row["coefficient"]: row for row in rows if (row["part"], row["level"]) == ("r", "system")
    }
    x, y = means(SYSTEMS), means(MARKS)
    assert found["pearson"]["value"] == pytest.approx(pearsonr(x, y).statistic)
    assert found["spearman"]["value"] == pytest.approx(spearmanr(x, y).statistic)
    assert found["kendall"]["value"] == pytest.approx(kendalltau(x, y).statistic)
    assert found["pearson"]["n"] == 5
    assert found["pearson"]["low"] < found["pearson"]["value"] <= found["pearson"]["high"]


@pytest.mark.parametrize("test", [[], ["--test", "perm-systems", "--by", "system"]])
def test_processes_print_the_bytes_of_one(run, files, test):
    words = ["correlate", "scores.jsonl", "--ratings", "ratings.csv", "-f", "json", *test]
    alone = run(*words)
    assert len(json.loads(alone.out)) in (18, 1)
    for jobs in ("2", "8"):
        assert run(*words, "--jobs", jobs).out == alone.out


def test_csv_scores_give_the_same_rows(run, files):
    rows = [json.loads(line) for line in (files / "scores.jsonl").read_text().splitlines()]
    with (files / "scores.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    one = run("correlate", "scores.jsonl", "--ratings", "ratings.csv", "-f", "csv").out
    two = run("correlate", "scores.csv", "--ratings", "ratings.csv", "-f", "csv").out
    assert one == two
    assert next(csv.reader(io.StringIO(one))) == KEYS


def test_measures_ratings_levels_and_coefficients_may_be_chosen(run, files):
    words = ("-m", "rouge(n=1).r", "--rating", "responsiveness", "--by", "summary")
    done = run(
        *("correlate", "scores.jsonl", "--ratings", "ratings.csv", *words),
        *("--coefficient", "kendall-c", "-f", "jsonl"),
    )
    (row,) = [json.loads(line) for line in done.out.splitlines()]
    assert (row["part"], row["level"], row["coefficient"]) == ("r", "summary", "kendall-c")
    assert row["n"] == 2


def test_a_constant_score_is_null_with_the_reason_on_standard_error(run, files):
    text = (files / "scores.jsonl").read_text()
    flat = [json.loads(line) | {"value": 0.1, "measure": "flat"} for line in text.splitlines()]
    (files / "flat.jsonl").write_text("".join(json.dumps(row) + "\n" for row in flat))
    done = run("correlate", "flat.jsonl", "--ratings", "ratings.csv", "-f", "json")
    assert {row["value"] for row in json.loads(done.out)} == {None}
    assert "flat.r, responsiveness, system level: undefined, every system has the same score" in (
        done.err
    )
    table = run("correlate", "flat.jsonl", "--ratings", "ratings.csv").out
    assert "– undefined, flat.r: every system has the same score" in table


def test_tests_give_differences_of_measures(run, files):
    done = run(
        *("correlate", "scores.jsonl", "--ratings", "ratings.csv", "--test", "perm-systems"),
        *("--by", "system", "-f", "json"),
    )
    (row,) = json.loads(done.out)
    assert (row["part"], row["other_part"], row["test"]) == ("r", "p", "perm-systems")
    # Five systems can be swapped in 32 ways.
    assert (row["p"] * 32) == pytest.approx(round(row["p"] * 32))
    table = run(
        *("correlate", "scores.jsonl", "--ratings", "ratings.csv", "--test", "williams"),
        *("--by", "system"),
    ).out
    assert "Williams's test" in table


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_plot_is_drawn_into_the_file(run, files, ending):
    name = f"plots/scores.{ending}"
    run("correlate", "scores.jsonl", "--ratings", "ratings.csv", "--plot", name, "--by", "system")
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert (files / name).read_bytes().startswith(start)


@pytest.mark.parametrize("form", ["table", "md", "latex", "html"])
def test_people_get_tables(run, files, form):
    done = run("correlate", "scores.jsonl", "--ratings", "ratings.csv", "-f", form)
    assert "responsiveness, summary level" in done.out
    assert "machines only" in done.out


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("z,t1,responsiveness,1,0", ["ratings.csv:12: column 'system': 'z' has no scores"]),
        ("a,t9,responsiveness,1,0", ["ratings.csv:12: column 'topic': 't9' has no scores"]),
        ("a,t1,pyramid,high,0", ["ratings.csv:12: column 'value': 'high' is not a number"]),
    ],
)
def test_bad_ratings_are_refused_with_their_row_and_column(run, files, row, words):
    with (files / "ratings.csv").open("a") as file:
        file.write(f"\n{row}\n")
    done = run("correlate", "scores.jsonl", "--ratings", "ratings.csv", code=3)
    assert all(word in done.err for word in words)
    assert len(done.err.splitlines()) == 1


def test_three_systems_are_too_few(run, files):
    kept = (files / "ratings.csv").read_text().splitlines()[:7]
    (files / "ratings.csv").write_text("\n".join(kept))
    done = run("correlate", "scores.jsonl", "--ratings", "ratings.csv", code=3)
    assert "3 systems have both 'rouge(n=1).r' scores and 'responsiveness' ratings" in done.err


def test_missing_topics_are_warned_of(run, files):
    kept = (files / "ratings.csv").read_text().splitlines()[:-1]
    (files / "ratings.csv").write_text("\n".join(kept))
    done = run("correlate", "scores.jsonl", "--ratings", "ratings.csv", "-f", "json")
    assert "1 of 10 summaries have no rating, 'e' on topic 't2' first; left out" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--level", "0"), "--level 0: write a percentage"),
        (("--resamples", "0"), "--resamples 0: write 1 or more"),
        (("--trials", "0"), "--trials 0: write 1 or more"),
        (("--baseline", "x"), "--baseline is for a test; add one"),
        (("-m", "rouge(n=1).q"), "no measure 'rouge(n=1).q' was given; did you mean"),
        (("--rating", "pyramids"), "no rating 'pyramids' was given"),
        (("--plot", "x.gif", "--by", "system"), "a plot ends in .png, .svg, .pdf"),
    ],
)
def test_wrong_options_are_answered_in_one_sentence(run, files, words, message):
    done = run("correlate", "scores.jsonl", "--ratings", "ratings.csv", *words, code=2)
    assert message in done.err


def test_a_missing_file_is_said(run, tmp_path):
    assert "no such file" in run("correlate", "x.csv", "--ratings", "y.csv", code=3).err


def test_results_are_the_same_for_the_same_seed(run, files):
    words = ("correlate", "scores.jsonl", "--ratings", "ratings.csv", "-f", "csv", "--seed", "7")
    assert run(*words).out == run(*words).out
