"""Public corpora: what a folder holds of them, and the command that scores on it."""

import gzip
import json
import shlex
import shutil
from pathlib import Path

import pytest

from chronoscore.api.corpora import check_corpus
from chronoscore.errors import DataError
from chronoscore.formats.corpora import judged_topics
from chronoscore.formats.corpora.known_corpora import CorpusMatch, known_corpora

WHOLE = {
    "timeline17": ("timeline17", "timeline17/gold", 19),
    "background-summaries": ("background-summaries", "background-summaries/events", 42),
    "crisisfacts-2022": ("crisisfacts", "crisisfacts-2022", 3),
    "trec-ts-2014": ("trec-ts", "trec-ts-2014", 3),
    "meantime": ("meantime", "meantime/intra_cross-doc_annotation", 120),
    "semeval2015-timelines": ("semeval-2015", "semeval2015-timelines/SemEval_Task4_data", 38),
    "wikiwars": ("wikiwars", "wikiwars/whole-tml/tml", 22),
}


def lone(path: Path) -> CorpusMatch:
    (found,) = check_corpus(path)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("folder", WHOLE)
def test_a_corpus_as_distributed_is_recognized(data: Path, folder: str) -> None:
    name, place, count = WHOLE[folder]
    found = lone(data / folder)
    assert (found.corpus.name, found.place, found.found) == (name, data / place, count)
    assert f"all {count} " in found.sentence


def test_a_part_of_a_corpus_is_said_to_be_one(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data / "timeline17" / "gold" / "tl17-mj", tmp_path / "x" / "tl17-mj")
    found = lone(tmp_path)
    assert found.sentence == ("is a part of Timeline17: 1 of 19 timelines is there, as distributed")
    assert found.place == tmp_path / "x"
    (tmp_path / "ts").mkdir()
    raw = (data / "trec-ts-2014" / "nuggets.tsv").read_bytes()
    (tmp_path / "ts" / "nuggets.tsv.gz").write_bytes(gzip.compress(raw))
    assert "1 of 3 files is there" in lone(tmp_path / "ts").sentence


def test_timelines_are_known_in_another_format(data: Path) -> None:
    found = lone(data / "timeline17" / "articles")
    assert (found.corpus.name, found.found) == ("timeline17", 3)


def test_changed_files_are_not_as_distributed(data: Path, tmp_path: Path) -> None:
    for name in ("nuggets.tsv", "matches.tsv"):
        raw = (data / "trec-ts-2014" / name).read_bytes().replace(b"TS14.", b"TS13.")
        (tmp_path / name).write_bytes(raw + b"\n")
    found = lone(tmp_path)
    assert found.found == 0
    assert found.sentence.startswith("lies as TREC Temporal Summarization does")
    assert found.command.endswith("--compat tseval2013")


@pytest.mark.parametrize("files", [{}, {"a.txt": "Nothing.\n"}, {"x/timelines.jsonl": "{broken"}])
def test_a_folder_with_no_corpus_gets_one_sentence(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match="holds none of the corpora that are known here"):
        check_corpus(tmp_path)
    with pytest.raises(DataError, match="no such folder"):
        check_corpus(tmp_path / "missing")
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="is a file"):
        check_corpus(tmp_path / "file")


@pytest.mark.parametrize(("topics", "name"), [(["egypt", "libya", "syria", "yemen"], "crisis")])
def test_a_layout_without_known_files_is_called_so(topics, name, tmp_path: Path) -> None:
    for topic in topics:
        (tmp_path / topic).mkdir()
        (tmp_path / topic / "timelines.jsonl").write_text('[["2011-01-25", ["x"]]]\n')
    found = lone(tmp_path)
    assert (found.corpus.name, found.found) == (name, 0)
    assert "its files are not those whose checksums are known here" in found.sentence


def make_runs(corpus: CorpusMatch, runs: Path) -> None:
    """Systems in the form that the corpus's task has: parts of its own judgements."""
    place = corpus.place
    mine = runs / "mine"
    match corpus.corpus.name:
        case "timeline17" | "background-summaries":
            mine.mkdir(parents=True)
            for topic in place.iterdir():
                first = min(topic.iterdir())
                shutil.copy(first, mine / f"{topic.name}{first.suffix}")
        case "trec-ts":
            shutil.copy(place / "cunlp-updates.ssv.gz", runs / "cunlp.ssv.gz")
        case "crisisfacts":
            events = json.loads((place / "CrisisFACTs-2022.facts.json").read_text())
            rows = [
                {"requestID": request, "factText": one["fact"], "importance": 1,
                 "unixTimestamp": one["dateUnix"]}
                for event in events for request, facts in event["factsByRequest"].items()
                for one in facts[:3]
            ]  # fmt: skip
            (runs / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        case _:
            rows = [
                {"topic": topic.id, "sentence": sentence.id, "score": 1}
                for topic in judged_topics.load_collection([place])
                for sentence in [s for one in topic.documents for s in one.sentences][:5]
            ]
            (runs / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::chronoscore.errors.ChronoscoreWarning")
@pytest.mark.parametrize("folder", [one for one in WHOLE if one != "wikiwars"])
def test_the_command_that_is_named_scores_on_the_corpus(data, folder, run, tmp_path) -> None:
    found = lone(data / folder)
    (tmp_path / "runs").mkdir()
    make_runs(found, tmp_path / "runs")
    program, *words = shlex.split(found.command)
    assert program == "chronoscore"
    paths = sorted(map(str, (tmp_path / "runs").iterdir()))
    words = [path for word in words for path in (paths if word.startswith("runs/") else [word])]
    printed = run(shlex.join(words)).out
    assert "signature:" in printed


@pytest.mark.parametrize(
    ("name", "raw", "reason"),
    [
        ("t17.zip", b"PK\x05\x06" + b"\0" * 18, "is an archive; unpack it and name its folder"),
        ("t17.tar", b"\0" * 1024, "is an archive; unpack it and name its folder"),
        ("t17.txt", b"2010-05-06\n", "is a file; name the folder of a corpus"),
    ],
)
def test_a_file_in_place_of_a_folder_is_told_what_to_do(name, raw, reason, tmp_path) -> None:
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(DataError, match=reason):
        check_corpus(tmp_path / name)


def test_the_list_has_all_corpora_with_their_license(run) -> None:
    printed = run("corpora").out
    for one in known_corpora().values():
        assert f"{one.name}: {one.title}" in printed
        assert one.license in printed
    assert printed.count("  license") == len(known_corpora()) == 11
