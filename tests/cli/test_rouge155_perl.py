"""`rouge155` beside the Perl script itself, on settings made up at random.

The script may not be shipped: CHRONOSCORE_PERL_ROUGE names a directory that has it.
"""

import os
import random
import re
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
    return ["perl", f"{given}/ROUGE-1.5.5.pl"]


OPEN_EMPTY_DATABASE = 'tie %none, "DB_File", shift, O_CREAT | O_RDWR, 0640, $DB_HASH or die'
STOP_WORDS = "flood\nThe\nthe \nriver\r\n of\n\nnews"
FORMATS = ["SPL", "SEE", "ISI", "SIMPLE"]


@pytest.fixture(scope="session")
def data_folders(script: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The script's own data, and a folder with other stop words and no irregular words."""
    own = tmp_path_factory.mktemp("data")
    (own / "smart_common_words.txt").write_bytes(STOP_WORDS.encode())
    database = str(own / "WordNet-2.0.exc.db")
    subprocess.run(["perl", "-MDB_File", "-e", OPEN_EMPTY_DATABASE, database], check=True)
    return [str(Path(script[1]).parent / "data"), str(own)]


class Chance:
    """Settings, texts and options, made up from a seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        self.weighted = self.random.random() < 0.5
        self.form = self.random.choice(FORMATS)
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

    def cased(self, tag: str) -> str:
        """A tag in any case, most often as it should be."""
        ways = [str.upper, str.upper, str.upper, str.lower, str.capitalize]
        return self.random.choice(ways)(tag)

    def element(self, tag: str, inside: str, attributes: str = "") -> str:
        tag = self.cased(tag)
        return f"<{tag} {attributes}>{inside}</{tag}>"

    def stray(self) -> str:
        """A P or an M where none belongs, or nothing."""
        tag, number = self.random.choice("PM"), self.random.choice("019")
        found = self.element(tag, "no-such-file", f'ID="{number}"')
        nested = self.element("GROUP", found)
        return self.random.choice(["", "", "", found, nested])

    def nested(self, tag: str) -> str:
        found = self.element(tag, "no-such-file", 'ID="0"')
        return self.random.choice(["", "", "", found])

    def format(self) -> str:
        """The input format, perhaps after others that do not count."""
        before = self.random.choices(FORMATS, k=self.random.choice([0, 0, 1, 2]))
        kinds = [*before, self.random.choice([self.form, self.form.lower()])]
        return "".join(self.element("INPUT-FORMAT", "", f'TYPE="{kind}"') for kind in kinds)

    def listing(self) -> None:
        lines = []
        for _ in range(self.random.randint(1, 5)):
            models = [self.text("flood") for _ in range(self.random.randint(1, 3))]
            lines.append(" ".join([self.text(), *models]))
            lines += self.random.choice([[], ["# no-such-file other"], ["#"], ["", "  "]])
        (self.folder / "list").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def settings(self) -> None:
        systems = self.random.sample(["s", "10", "9", "é", "ж", "a&amp;b"], 3)
        body = ""
        for name in self.random.sample(["1", "2", "10", "11", "d1", "é", "-x", "07"], 4):
            # The word keeps references from having no tokens, of which Perl dies in ROUGE-W.
            models = "".join(
                self.element("M", self.text("flood"), f'ID="{number}"')
                for number in range(self.random.randint(1, 4))
            )
            peers = self.element("P", self.text(), 'ID="Z"') + "".join(
                self.element("P", f" {self.text()} ", f'ID="{system}"')
                for system in systems
                if self.random.random() < 0.9
            )
            parts = [
                self.element("PEER-ROOT", "."),
                self.element("MODEL-ROOT", "\n.\n"),
                self.format(),
                self.element("PEERS", self.nested("M") + peers),
                self.element("MODELS", models + self.nested("P")),
                self.stray(),
            ]
            self.random.shuffle(parts)
            body += self.element("EVAL", "".join(parts), f'ID="{name}"') + "\n"
        path = self.folder / "settings.xml"
        path.write_text(f"<ROUGE_EVAL>{body}</ROUGE_EVAL>", encoding="utf-8")

    def arguments(self, folders: list[str]) -> list[str]:
        found = ["-e", self.random.choice(folders), *self.some("-d"), *self.some("-m")]
        found += ["-r", self.random.choice(["1", "7", "40", "7.5", "12x"])]
        found += self.some("-f A", "-f B") + self.some("-p 0", "-p 0.8", "-p 1", p=0.3)
        found += self.some("-t 0", "-t 1", "-t 2", "-t 1.0") + self.some(
            "-c 99", "-c 68.3", "-c 0", "-c 95%"
        )
        if self.form == "SIMPLE":
            found += self.some("-3 H", "-3 HM", "-3 HMR", "-3 HM1", "-3 HMR1", "-3 HMR2", p=1)
        else:
            found += self.some("-n 1", "-n 4", "-n 2.5", "-n 2x")
            found += self.some("-2 0", "-2 4", "-2 -1", "-2 3.5")
            found += self.some("-u", "-U") + self.some("-x", p=0.2)
            if self.weighted:
                light = "-w 1.2", "-w 1", "-w 2", "-w 0.5", "-w 1.2x"
                heavy = "-w 11", "-w 100.5", "-w 300.25"
                found += self.some(*self.random.choice([light, light, heavy]), p=1)
                found += self.some("-b 20", "-b 75", "-l 50", p=0.3)
            else:
                found += self.some("-b 1", "-b 20.5", "-b 75", "-l 1", "-l 10", "-l 7.5")
                found += self.some("-s")
        sources = [["-a", "settings.xml"], ["settings.xml", "Z"], ["-z", self.form, "list"]]
        return [*found, *self.random.choice(sources)]


def without_unordered(output: bytes) -> bytes:
    """Leave out the intervals of averages that are not numbers: these have no order to sort by."""
    return re.sub(rb"(Average_[RPF]: +NaN \([^ ]+ ).*", rb"\1", output)


FIRST = int(os.environ.get("CHRONOSCORE_PERL_FIRST", "0"))
RUNS = int(os.environ.get("CHRONOSCORE_PERL_RUNS", "25"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + RUNS))
def test_made_up_settings_give_the_same_bytes(
    seed: int,
    script: list[str],
    data_folders: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = Chance(seed, tmp_path)
    chance.settings()
    chance.listing()
    arguments = chance.arguments(data_folders)
    perl = subprocess.run([*script, *arguments], capture_output=True, check=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        ours = CliRunner().invoke(command, arguments)
    assert (perl.returncode, ours.exit_code) == (0, 0), (arguments, perl.stderr[-300:])
    assert without_unordered(ours.stdout_bytes) == without_unordered(perl.stdout), arguments
