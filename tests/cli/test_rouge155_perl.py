"""`rouge155` beside the Perl script itself, on settings made up at random.

The script may not be shipped: CHRONOSCORE_PERL_ROUGE names a directory that has it.
"""

import os
import random
import subprocess
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

from chronoscore.cli.rouge155 import command
from chronoscore.errors import ChronoscoreWarning

WORDS = (
    *("flood", "floods", "flooded", "river", "dam", "broke", "men", "children", "better", "news"),
    *("the", "of", "was", "running", "agreement", "professional", "U.S.", "don't", "3.14", "café"),
    *("state-of-the-art", "Ελλάδα", "x", "0", "$5"),
)


@pytest.fixture(scope="session")
def script() -> list[str]:
    given = os.environ.get("CHRONOSCORE_PERL_ROUGE", "")
    if not given:
        pytest.skip("CHRONOSCORE_PERL_ROUGE is not set: no ROUGE-1.5.5.pl to compare with")
    return ["perl", f"{given}/ROUGE-1.5.5.pl", "-e", f"{given}/data"]


class Chance:
    """Settings, texts and options, made up from a seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        self.weighted = self.random.random() < 0.5
        self.form = self.random.choice(["SPL", "SEE", "ISI", "SIMPLE"])
        self.words = self.random.sample(WORDS, self.random.randint(3, 20))
        self.files = 0

    def some(self, *choices: str, p: float = 0.5) -> list[str]:
        return self.random.choice(choices).split() if self.random.random() < p else []

    def sentence(self, first: str = "") -> bytes:
        chosen = self.random.choices(self.words, k=self.random.choice([0, 1, 3, 8, 20]))
        odd = self.random.choice([b"", b"", b"", b" \xff\xe9", b" \r"])
        return " ".join([first, *chosen] if first else chosen).encode() + odd

    def text(self, first: str = "") -> str:
        self.files += 1
        if self.form == "SIMPLE":
            rows = [
                "|".join(self.random.choices([*self.words, "NIL"], k=2)) + "|nn" for _ in range(6)
            ]
            raw = "".join(f"{row}\n" for row in rows).encode()
        else:
            before, after = {
                "SPL": (b"", b"\n"),
                "SEE": (b'<a name="1">[1]</a> <a href="#1" id=1>', b"</a>\n"),
                "ISI": (b'<S SNTNO="1">', b"</S>\n"),
            }[self.form]
            sentences = [self.sentence(first)] if first else []
            sentences += [self.sentence() for _ in range(self.random.randint(0, 4))]
            raw = b"".join(before + sentence + after for sentence in sentences)
        (self.folder / f"text{self.files}").write_bytes(raw)
        return f"text{self.files}"

    def settings(self) -> None:
        systems = self.random.sample(["s", "10", "9", "é", "ж", "a&amp;b"], 3)
        body = ""
        for name in self.random.sample(["1", "2", "10", "11", "d1", "é", "-x", "07"], 4):
            # The word keeps references from having no tokens, of which Perl dies in ROUGE-W.
            models = "".join(
                f'<M ID="{n}">{self.text("flood")}</M>' for n in range(self.random.randint(1, 4))
            )
            peers = "".join(
                f'<P ID="{system}"> {self.text()} </P>'
                for system in systems
                if self.random.random() < 0.9
            )
            body += (
                f'<EVAL ID="{name}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>\n.\n</MODEL-ROOT>'
                f'<INPUT-FORMAT TYPE="{self.form}"/><PEERS><P ID="Z">{self.text()}</P>{peers}'
                f"</PEERS><MODELS>{models}</MODELS></EVAL>\n"
            )
        path = self.folder / "settings.xml"
        path.write_text(f"<ROUGE_EVAL>{body}</ROUGE_EVAL>", encoding="utf-8")

    def arguments(self) -> list[str]:
        found = [*self.some("-d"), *self.some("-m"), "-r", self.random.choice(["1", "7", "40"])]
        found += self.some("-f A", "-f B") + self.some("-p 0", "-p 0.8", "-p 1", p=0.3)
        found += self.some("-t 0", "-t 1", "-t 2") + self.some("-c 99", "-c 68.3", "-c 0", "-c 100")
        if self.form == "SIMPLE":
            found += self.some("-3 H", "-3 HM", "-3 HMR", "-3 HM1", "-3 HMR1", "-3 HMR2", p=1)
        else:
            found += self.some("-n 1", "-n 4") + self.some("-2 0", "-2 4", "-2 -1")
            found += self.some("-u", "-U") + self.some("-x", p=0.2)
            if self.weighted:
                found += self.some("-w 1.2", "-w 1", "-w 2", "-w 0.5", p=1)
                found += self.some("-b 20", "-b 75", "-l 50", p=0.3)
            else:
                found += self.some("-b 1", "-b 20", "-b 75", "-l 1", "-l 10") + self.some("-s")
        return [*found, *self.random.choice([["-a", "settings.xml"], ["settings.xml", "Z"]])]


@pytest.mark.parametrize("seed", range(int(os.environ.get("CHRONOSCORE_PERL_RUNS", "25"))))
def test_made_up_settings_give_the_same_bytes(
    seed: int, script: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = Chance(seed, tmp_path)
    chance.settings()
    arguments = chance.arguments()
    perl = subprocess.run([*script, *arguments], capture_output=True, check=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        ours = CliRunner().invoke(command, arguments)
    assert (perl.returncode, ours.exit_code) == (0, 0), (arguments, perl.stderr[-300:])
    assert ours.stdout_bytes == perl.stdout, arguments
