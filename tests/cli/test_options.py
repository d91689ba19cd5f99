"""Every option of `score` beside every kind of data: what the tables refuse, and nothing else."""

from itertools import combinations

import pytest

from chronoscore.cli import pairs
from chronoscore.cli.parameters import name_options
from chronoscore.cli.score import command
from chronoscore.data.refusals import FITS, KINDS
from chronoscore.data.refusals import NEEDS as MEASURE_NEEDS
from data_files import write_judgements, write_lines
from machine_files import link, topic_rows

DATA = {
    "texts": "-m rouge1.r mine/texts -r gold/texts",
    "timelines": "-m align+.f mine/timelines -r gold/timelines",
    "updates": "-m rouge1.r mine/texts -r gold/texts --original gold/older",
    "judged topics": "-m nu mine.jsonl --judgements judged.jsonl",
    "records": "-m rouge1.r records.jsonl",
}
OPTIONS = {
    "rule": "--average micro",
    "breakdown": "--breakdown units.csv",
    "cache": "--cache vectors.sqlite",
    "ceiling": "--ceiling",
    "coarse": "--coarse first",
    "columns": "--column system=system --column references=references",
    "curve": "--curve curve.svg",
    "curve_by": "--curve-by rank",
    "date_order": "--date-order day",
    "documents": "--documents gold/timelines",
    "drawn": "--drawn mine.jsonl",
    "duplicates": "--duplicates mine.jsonl",
    "encoding": "--encoding utf-8",
    "encoding_errors": "--encoding-errors replace",
    "form": "-f jsonl",
    "humans": "--humans",
    "interval": "--interval bootstrap",
    "jackknife": "--jackknife",
    "folders": "--folders systems",
    "jobs": "--jobs 1",
    "junit": "--junit tests.xml",
    "judgements": "--judgements judged.jsonl",
    "level": "--level 90",
    "machine": "--machine ann",
    "matches": "--matches mine.jsonl",
    "on_error": "--on-error skip",
    "output": "-o out",
    "pool": "--pool mine.jsonl",
    "ppi": "--ppi",
    "published": "--published crisis",
    "quiet": "-q",
    "resume": "--resume",
    "rows": "-f json --rows averages",
    "sampled": "--sampled",
    "seed": "--seed 2",
    "thresholds": "--fail-under 0",
    "topics": "--topics shared",
    "units": "--units judged.jsonl",
    "verbose": "-v",
}
LEFT_OUT = {"systems", "references", "originals", "measures", "times", "compat", "cluster", "plot"}
LEFT_OUT |= {"summaries_by", "sort", "project", "upper"}
"""Options that make the data and the measures what they are, and what is tested elsewhere."""
NOT_FOR_EVENTS = {
    "breakdown": "lists units or nuggets; add the measure pyramid or stream",
    "ceiling": "none of the measures has one",
    "duplicates": "are for a directory of TREC",
    "jackknife": "measure 'nu' has no jackknife",
    "judgements": "topic 't' has judgements already; give them once",
    "matches": "are for a directory of TREC",
    "units": "topic 't' has judgements already; give them once",
}
"""What `nu` and the files of the demo have no use for, though other judged topics may."""
BLOCKS = ({"columns", "encoding_errors"},)
"""Options of which each is for records, but not both: blocks are read as UTF-8."""


@pytest.fixture
def score(run, tmp_path):
    """Score data of a kind with an option, or several."""
    texts = {"mine": ["the dam broke"], "gold": ["the old dam", "a dam broke"]}
    for name, written in texts.items():
        for number, text in enumerate(written):
            for kind, words in (
                ("texts", text),
                ("older", text),
                ("timelines", f"2031-03-12\n{text}\n{'-' * 32}"),
            ):
                topic = f"{kind}/t" if name == "mine" else f"{kind}/t/{number}"
                path = tmp_path / name / f"{topic}.txt"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(words + "\n")
    article = {"id": "d", "time": "2031-03-12", "sentences": ["A dam broke.", "It rained."]}
    write_lines(tmp_path / "gold" / "timelines" / "t" / "articles.jsonl", [article])
    record = {"id": "t", "system": texts["mine"][0], "references": texts["gold"]}
    write_lines(tmp_path / "records.jsonl", [record])
    write_lines(tmp_path / "mine.jsonl", [{"topic": "t", "sentence": "t-0", "score": 1}])
    rows = [*topic_rows("t", 3, 1), link("t", 0, 0, "ann", "bob", verdict="kept")]
    write_judgements(tmp_path / "judged.jsonl", rows)

    def call(kind, *options, code=0):
        words = " ".join(OPTIONS[name] for name in options)
        return run(f"score {words} {DATA[kind]}", code=code)

    return call


def refusals(kind):
    """The options that are refused beside a kind of data, with a part of the sentence."""
    found = {need.option: need.sentence for need in MEASURE_NEEDS}
    found |= {pair.option: pair.sentence for pair in pairs.NEEDS}
    if kind != "judged topics":
        del found["humans"]
    for fit in FITS:
        if kind not in fit.kinds:
            found.setdefault(
                fit.option, fit.sentence.split("{measure}")[0].format(option=fit.option)
            )
    return (NOT_FOR_EVENTS if kind == "judged topics" else {}) | found


def test_every_option_is_tried():
    assert {option.name for option in command.params} == {*OPTIONS, *LEFT_OUT}


@pytest.mark.parametrize("kind", KINDS)
def test_an_option_is_for_the_data_that_the_table_names(score, kind):
    refused = refusals(kind)
    for name in sorted(OPTIONS):
        if name not in refused:
            score(kind, name)
        else:
            said = score(kind, name, code=3 if "give them once" in refused[name] else 2)
            assert name_options(refused[name], command) in said.err


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_options_that_are_for_the_data_are_so_together(score, kind):
    for both in combinations(sorted({*OPTIONS} - {*refusals(kind)}), 2):
        score(kind, *both, code=2 if kind == "records" and {*both} in BLOCKS else 0)


@pytest.mark.parametrize("pair", [pair for pair in pairs.EXCLUDES if pair.option in OPTIONS])
def test_an_option_that_excludes_another_is_refused_beside_it(score, pair):
    said = score("judged topics", "machine", pair.other, pair.option, code=2)
    assert name_options(pair.sentence, command) in said.err
