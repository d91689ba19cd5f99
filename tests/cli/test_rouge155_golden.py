"""`rouge155` prints what ROUGE-1.5.5.pl printed: golden figures, and the samples it ships with."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from chronoscore.cli.rouge155 import command
from chronoscore.rouge155 import counting as perl_counting

GOLDEN_FILE = Path(__file__).parents[1] / "golden" / "rouge155.json.gz"
GOLDEN: dict[str, Any] = json.loads(gzip.decompress(GOLDEN_FILE.read_bytes()))
CASES: list[dict[str, Any]] = GOLDEN["cases"]
FORMATS: list[dict[str, Any]] = json.loads(
    GOLDEN_FILE.with_name("rouge155-formats.json").read_text(encoding="utf-8")
)["format_cases"]
MEASURES = ("ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-S4", "ROUGE-SU4")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


@pytest.fixture(params=[1, 10**9], ids=["together", "one by one"])
def counting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count pairs in one go, as with many of them, or each by itself."""
    monkeypatch.setattr(perl_counting, "MANY", request.param)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The texts of all golden cases, a line for each sentence."""
    folder = tmp_path_factory.mktemp("golden")
    for case in CASES:
        for name, sentences in [("system", case["system"]), *enumerate(case["references"])]:
            raw = "".join(f"{sentence}\n" for sentence in sentences)
            (folder / f"{case['id']}.{name}").write_bytes(raw.encode())
    return folder


def settings(folder: Path, cases: Sequence[dict[str, Any]]) -> str:
    evaluations = []
    for case in cases:
        models = "".join(
            f'<M ID="{n}">{case["id"]}.{n}</M>\n' for n in range(len(case["references"]))
        )
        evaluations.append(
            f'<EVAL ID="{case["id"]}">\n<PEER-ROOT>{folder}</PEER-ROOT>\n'
            f'<MODEL-ROOT>{folder}</MODEL-ROOT>\n<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>\n'
            f'<PEERS><P ID="SYS">{case["id"]}.system</P></PEERS>\n'
            f"<MODELS>\n{models}</MODELS>\n</EVAL>\n"
        )
    path = folder / "settings.xml"
    path.write_text(f"<ROUGE_EVAL>\n{''.join(evaluations)}</ROUGE_EVAL>\n", encoding="utf-8")
    return str(path)


def expected(
    heads: dict[str, list[str]], scores: dict[str, dict[str, list[str]]], measures: Sequence[str]
) -> str:
    lines = []
    for measure in measures:
        lines += ["-" * 45, *(f"SYS {measure} {head}" for head in heads[measure]), "." * 45]
        for case in sorted(scores):
            recall, precision, f = scores[case][measure]
            lines.append(f"SYS {measure} Eval {case}.SYS R:{recall} P:{precision} F:{f}")
    return "".join(f"{line}\n" for line in lines)


def averaged(averages: dict[str, Any], level: str) -> dict[str, list[str]]:
    return {
        measure: [
            f"Average_{part}: {parts[part][0]} ({level}%-conf.int. {parts[part][1]} - "
            f"{parts[part][2]})"
            for part in ("R", "P", "F")
        ]
        for measure, parts in averages.items()
    }


@pytest.mark.parametrize("chosen", GOLDEN["option_sets"])
def test_every_line_of_every_option_set_is_perls(files: Path, chosen: str) -> None:
    options = ["-a", "-d", *GOLDEN["option_sets"][chosen].split()]
    heads = averaged(GOLDEN["corpus"][chosen]["averages"], "95")
    scores = {case["id"]: case["scores"][chosen] for case in CASES}
    found = run(*options, "-n", "4", "-2", "4", "-U", settings(files, CASES))
    assert found == expected(heads, scores, MEASURES)


@pytest.mark.slow
@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("chosen", GOLDEN["option_sets"])
def test_every_line_of_rouge_w_is_perls(files: Path, chosen: str) -> None:
    # Perl died where a reference had no tokens; its averages leave these cases out.
    alive = [case for case in CASES if case["scores"][chosen]["ROUGE-W-1.2"]]
    options = ["-a", "-d", *GOLDEN["option_sets"][chosen].split()]
    heads = averaged(GOLDEN["corpus"][chosen]["averages"], "95")
    scores = {case["id"]: case["scores"][chosen] for case in alive}
    found = run(*options, "-x", "-w", "1.2", settings(files, alive))
    assert found == expected(heads, scores, ["ROUGE-W-1.2"])


@pytest.mark.slow
@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("name", GOLDEN["extra_runs"])
def test_every_line_of_the_further_runs_is_perls(files: Path, name: str) -> None:
    extra = GOLDEN["extra_runs"][name]
    options = extra["options"].split()
    alive = [case for case in CASES if case["id"] not in extra.get("errors", {})]
    level = options[options.index("-c") + 1] if "-c" in options else "95"
    heads = averaged(extra["averages"], level)
    for measure, (reference, system, hits) in extra["counts"].items():
        heads[measure] = [f"M_count: {reference} P_count: {system} H_count: {hits}"]
    found = run(*options, settings(files, alive))
    grams = [f"ROUGE-{n}" for n in range(1, 10)]
    measures = sorted(heads, key=[*grams, "ROUGE-L", *sorted(heads)].index)
    assert found == expected(heads, extra["per_case"], measures)


@pytest.mark.parametrize("case", FORMATS, ids=lambda case: case["id"])
@pytest.mark.parametrize(
    ("chosen", "options"), [("raw", ""), ("m", "-m"), ("b20", "-b 20"), ("l4", "-l 4")]
)
def test_every_format_is_read_as_perl_reads_it(
    tmp_path: Path, case: dict[str, Any], chosen: str, options: str
) -> None:
    texts = [case["system_file"], *case["reference_files"]]
    paths = [tmp_path / f"text{number}" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode(case["encoding"]))
    listed = tmp_path / "list"
    listed.write_text(" ".join(map(str, paths)), encoding="utf-8")
    usual = f"-d -n 4 -w 1.2 -2 4 -U -r 1 {options}"
    found = run(*usual.split(), "-z", case["input_format"], str(listed))
    scores = {
        line.split()[1]: [part.split(":")[1] for part in line.split()[4:]]
        for line in found.splitlines()
        if " Eval " in line
    }
    assert scores == case["scores"][chosen]


ALL = "-c 95 -2 -1 -U -r 1000 -n 4 -w 1.2"
SAMPLES = {
    **{
        f"ROUGE-test-c95-2-1-U-r1000-n4-w1.2{limit.replace(' ', '')}-a{words}.out": (
            f"{ALL} {limit} -a {words.replace('-', ' -')} ROUGE-test.xml"
        )
        for limit in ("", "-l 10", "-b 75")
        for words in ("", "-m", "-m-s")
    },
    **{
        f"{name}-c95-2-1-U-r1000-n4-w1.2-b75-a-m-s.out": f"{ALL} -b 75 -a -m -s {name}.xml"
        for name in ("verify", "verify-spl")
    },
    **{
        f"DUC2002-BE-{parser}.in.26.lst.out": f"-3 HM -z SIMPLE DUC2002-BE-{parser}.in.26.lst 26"
        for parser in "FL"
    },
    **{
        f"DUC2002-BE-{parser}.in.26.simple.out": f"-3 HM DUC2002-BE-{parser}.in.26.simple.xml 26"
        for parser in "FL"
    },
    "DUC2002-ROUGE.in.26.spl.lst.out": "-n 4 -z SPL DUC2002-ROUGE.in.26.spl.lst 26",
    "DUC2002-ROUGE.in.26.spl.out": "-n 4 DUC2002-ROUGE.in.26.spl.xml 26",
}


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples_of_rouge_come_out_byte_for_byte(
    name: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = data / "rouge-1.5.5-samples"
    monkeypatch.chdir(samples / "sample-test")
    result = CliRunner().invoke(command, SAMPLES[name].split())
    assert result.exit_code == 0
    wanted = (samples / "sample-output" / name).read_bytes()
    assert result.stdout_bytes == wanted
