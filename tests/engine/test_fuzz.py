"""Random bytes, texts and arrays for the kernel: the plain engine's figures, or one error.

As a test this takes a few rounds. `make sanitize` runs thousands of them on a kernel built with
AddressSanitizer and UBSan: `python tests/engine/test_fuzz.py FOLDER ROUNDS`.
"""

import contextlib
import importlib.util
import json
import random
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

ENDINGS = """
s ies sses ed eed ing y at bl iz ational tional enci izer bli alli entli fulli logi biliti icate
ative ful ness al ance er ement ment ent sion tion ion e ll
"""
WORDS = ["dam", "Dams", "the", "river", "RIVERS", "of", "internationalization", "é", "7", "a-b"]


def random_sentence(rng: random.Random) -> str:
    """Few words, many words, or any bytes at all."""
    kind = rng.randrange(4)
    if kind == 0:
        size = rng.randrange(60)
        return bytes(rng.randrange(256) for _ in range(size)).decode("utf-8", "surrogateescape")
    if kind == 1:
        return "".join(chr(rng.choice([0x41, 0x20, 0xE9, 0x4E2D, 0xD800, 0x1F600])) for _ in "1234")
    if rng.random() < 0.05:
        return " ".join(f"w{rng.randrange(500)}" for _ in range(1500))
    many = rng.choice([3, 12, 70, 200])
    return " ".join(rng.choices(WORDS, k=rng.randrange(many)))


def random_text(rng: random.Random) -> list[str]:
    return [random_sentence(rng) for _ in range(rng.randrange(5))]


def fuzz_texts(rng: random.Random) -> None:
    """Single calls and the batch count what the plain engine counts."""
    import numpy as np

    from chronoscore.engine import batch, plain
    from chronoscore.engine.kinds import Grams, SkipGrams, Subsequence, WeightedSubsequence
    from chronoscore.engine.single import TextCounter
    from chronoscore.text.batch import prepare_texts as prepare_batch
    from chronoscore.text.plain import prepare_text
    from chronoscore.text.preparation import Limit, Preparation

    kinds = [
        *(Grams(1), Grams(rng.randint(1, 40)), SkipGrams(rng.randint(-1, 5), unigrams=True)),
        *(Subsequence(), WeightedSubsequence(1.2), WeightedSubsequence(2)),
    ]
    limit = rng.choice([None, None, Limit(rng.randint(1, 30), rng.choice(["words", "bytes"]))])
    how = Preparation(stem=rng.random() < 0.5, stop=rng.random() < 0.5, limit=limit)
    texts = [random_text(rng) for _ in range(rng.randint(2, 5))]
    texts += [texts[0]] * rng.randrange(2)
    read = [prepare_text(text, how) for text in texts]
    expected = [[plain.count(kind, read[0], other) for other in read[1:]] for kind in kinds]
    assert TextCounter(kinds, how).count(texts[0], texts[1:]) == expected
    places = np.arange(1, len(texts))
    counts = batch.count(kinds, prepare_batch(texts, how), 0 * places, places)
    assert [rows.tolist() for rows in counts] == [[[*row] for row in rows] for rows in expected]


def random_word(rng: random.Random) -> str:
    """Letters as they come, and endings that rules know."""
    letters = "".join(rng.choices("aeiouybdlstxz7", k=rng.randint(1, 6)))
    return letters + "".join(rng.choices(ENDINGS.split(), k=rng.randrange(4))) * rng.choice(
        [1, 1, 1, 9]
    )


def fuzz_stems(rng: random.Random) -> None:
    """Every word has the stem that the rules in Python give it."""
    from chronoscore.kernel import compiled
    from chronoscore.text.nltk_stems import IRREGULAR, NLTK_STEMS
    from chronoscore.text.stems import Lexicon

    words = [random_word(rng) for _ in range(20)]
    irregular = {word: rng.choice(["", random_word(rng), "é" * 30]) for word in words[:5]}
    for rules, stems in (
        (compiled.Rules(1, irregular, words[-1:]), Lexicon(irregular, frozenset()).stems),
        (compiled.Rules(2, IRREGULAR, words[-1:]), NLTK_STEMS),
    ):
        forms = [None if word == words[-1] else stems[word] for word in words]
        assert [rules.form(word) for word in words] == forms
        lexicon = compiled.Lexicon(rules)
        lexicon.read([" ".join(words)])
        assert lexicon.spelled() == list(dict.fromkeys(form for form in forms if form is not None))


def fuzz_scan(rng: random.Random) -> None:
    """A lexicon takes any bytes, in one run or many; bounds that do not fit are refused."""
    import numpy as np

    from chronoscore.kernel import compiled

    lexicon = compiled.Lexicon(compiled.Rules(rng.randrange(3), {}, ["a"] * rng.randrange(2)))
    for _ in range(3):
        text = rng.randbytes(rng.randrange(300))
        cuts = sorted(rng.randrange(len(text) + 1) for _ in range(rng.randrange(5)))
        bounds = np.array([0, *cuts, len(text)] if rng.random() < 0.7 else cuts[::-1], np.int64)
        try:
            words, ends = lexicon.scan(text, bounds)
        except ValueError:
            continue
        sentences = [text[start:stop] for start, stop in pairwise(bounds.tolist())]
        assert (words, ends) == lexicon.read(sentences)
        assert len(words) // 4 == np.frombuffer(ends, np.int64)[-1]


def damage(rng: random.Random, arrays: list[Any]) -> list[Any]:
    """Arrays of which one has a wrong number or a wrong length."""
    place = rng.randrange(len(arrays))
    array = arrays[place].copy()
    if array.size and rng.random() < 0.7:
        array.flat[rng.randrange(array.size)] = rng.choice([-1, 1, 2, 7, 2**31 - 1])
    else:
        array = array.ravel()[: rng.randrange(array.size + 1)].copy()
    return [array if n == place else one for n, one in enumerate(arrays)]


def fuzz_arrays(rng: random.Random) -> None:
    """Arrays that do not fit each other are refused before anything is read."""
    import numpy as np

    from chronoscore.kernel import compiled

    def numbers(*values: int) -> Any:
        return np.array(values, dtype=np.int64)

    sizes = [rng.randrange(4) for _ in range(4)]
    words = np.array([rng.randrange(5) for _ in range(sum(sizes))], dtype=np.int32)
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    what = rng.randrange(4)
    weights = np.arange(float(rng.randrange(9))) if what == 3 else None
    arrays = [words, bounds, words, bounds, numbers(0, 1, 2, 3, 4), numbers(0, 3), numbers(1, 2)]
    with contextlib.suppress(ValueError):
        kinds = [(what, rng.randrange(1, 18), False, weights)]
        compiled.count(kinds, *damage(rng, [*arrays, np.empty(2)]))
    days = numbers(*sorted(rng.sample(range(50), 2)))
    arrays = [words, bounds, numbers(0, 1), numbers(0, 1, 2), days, days, numbers(2, 3, 3)]
    arrays += [numbers(0, 1, 1), days, days, numbers(0, 0), np.zeros((2, 2), dtype=np.int64)]
    with contextlib.suppress(ValueError):
        compiled.align(*damage(rng, arrays), 2, rng.random() < 0.8, rng.random() < 0.5, False)


def fuzz_timelines(rng: random.Random) -> None:
    """Timelines are aligned as the package align does."""
    import numpy as np

    from chronoscore.align import Dates, align_by_date
    from chronoscore.align.compiled import align_outputs
    from chronoscore.measures.timelines.flat import Side

    def dates(most: int) -> Dates:
        spans = {
            (day, day + rng.choice([0, 0, 0, 6, 29])) for day in rng.choices(range(90), k=most)
        }
        found = np.array(sorted(spans, key=lambda s: (s[0], -s[1])), np.int64).reshape(-1, 2)
        return Dates(found[:, 0].copy(), found[:, 1].copy())

    ours, theirs = dates(rng.randrange(30)), dates(rng.randrange(30))
    sides = [
        Side(np.array([0, len(one)]), one, np.arange(len(one)), np.arange(len(one)))
        for one in (ours, theirs)
    ]
    many = rng.random() < 0.5
    found = align_outputs(
        sides[0], sides[0].bounds, sides[1], None, references=1, many=many, first=False
    )
    expected = align_by_date(ours, theirs, many=many)
    assert found.system.tolist() == expected.system.tolist()
    assert found.reference.tolist() == expected.reference.tolist()


def random_line(rng: random.Random) -> bytes:
    """A record, good or bad, written in one of many ways."""
    text = "\n".join(random_text(rng))
    wide = "".join(map(chr, rng.choices([*range(0x80, 0x250), *range(0xFFF0, 0x10010)], k=5)))
    other = ["x\ty\r", "it's", "'\"", "é’\u200b", "😀", wide, "\0\x7f\\", 7, None, ["a", "b"]]
    fields: list[tuple[str, Any]] = [
        ("id", rng.choice(["a", "é", 7, 0, None, -1, 1.5, 10**19, True])),
        ("system", rng.choice([text, *other])),
        ("references", rng.choice([[text], [text, rng.choice(other)], text, [], *other])),
        ("more", rng.choice([1e-5, -0.5, 10**30, 1e99, {"a": [1, {"system": "x"}]}, [[]], None])),
        ("references", ["twice"]),
    ]
    if rng.random() < 0.7:  # a good one
        words = [text.encode("utf-8", "replace").decode(), *other[:7]]
        group = rng.choices(words, k=rng.randint(1, 3))
        fields = [
            ("id", rng.choice(["a", 7])),
            ("system", rng.choice(words)),
            ("references", group),
        ]
        return json.dumps(dict(fields), ensure_ascii=rng.random() < 0.5).encode()
    rng.shuffle(fields)
    chosen = fields if rng.random() < 0.5 else [one for one in fields if one[1] != ["twice"]]
    escaped = rng.random() < 0.5
    parts = [
        f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=escaped)}" for key, value in chosen
    ]
    line = ("{" + rng.choice([",", " ,\t"]).join(parts) + "}").encode("utf-8", "surrogatepass")
    if rng.random() < 0.2:
        place = rng.randrange(len(line))
        wrong = rng.choice([b"", b"\0", b"\xff", b",", b'"', b"\\u"])
        line = line[:place] + wrong + line[place + 1 :]
    return line


def fuzz_records(rng: random.Random) -> None:
    """Records are read as the reader in Python reads them, or left to it."""
    import numpy as np

    from chronoscore.formats.summaries.record_blocks import RecordBlock, describe_references
    from chronoscore.formats.summaries.record_lines import decode_record_lines
    from chronoscore.kernel import compiled_bulk

    raw = b"\n".join(random_line(rng) for _ in range(rng.randint(1, 3)))
    found = compiled_bulk.read_records(raw)
    if found is None:
        return
    fields = decode_record_lines(raw)
    assert fields is not None, raw
    given, data, bounds, sizes, used = found
    assert used == len(raw)
    assert given == [None if one.id is None else str(one.id) for one in fields]
    texts: list[Any] = [
        [one.references] if isinstance(one.references, str) else one.references for one in fields
    ]
    expected = RecordBlock.of(given, [one.system for one in fields], texts)  # type: ignore[misc]
    assert data == expected.data
    assert np.frombuffer(bounds, np.int64).tolist() == expected.bounds.tolist()
    assert np.frombuffer(sizes, np.int64).tolist() == expected.sizes.tolist()
    ids = [str(one) for one in given]
    shown = [describe_references([tuple(text.split("\n")) for text in group]) for group in texts]
    told = "".join(f"({topic!r}, {one}, ())\n" for topic, one in zip(ids, shown, strict=True))
    assert compiled_bulk.describe(ids, data, bounds, sizes) == told.encode("utf-8", "replace")
    arrays = damage(rng, [expected.bounds, expected.sizes])
    with contextlib.suppress(ValueError):
        compiled_bulk.describe(ids, data, *arrays)


def random_cell(rng: random.Random) -> bytes:
    """A cell of a table, quoted or not, sometimes wrongly."""
    signs = ["dam", " ", "é", "’", "😀", ".", "\t", "", ""]
    if rng.random() < 0.02:
        return rng.choice(
            [b'"', b'a"b', b'"a"b', b"\xff", b"\xe2\x82", b"\0", b"\r", b"\xef\xbb\xbf"]
        )
    if rng.random() < 0.5:
        return "".join(rng.choices(signs, k=rng.randrange(8))).encode()
    text = "".join(rng.choices([*signs, '""', ",", "\n", "\r\n", "\r"], k=rng.randrange(12)))
    return f'"{text}"'.encode()


def fuzz_tables(rng: random.Random) -> None:
    """CSV files are read in blocks of any size as Python reads them."""
    import os
    import tempfile

    from chronoscore.errors import DataError
    from chronoscore.formats.io.sources import FileSource
    from chronoscore.formats.summaries import record_files
    from chronoscore.formats.summaries.record_files import RecordReader
    from chronoscore.formats.summaries.record_layout import Columns

    def read(on_error: Any, engine: str) -> list[Any] | None:
        reader = RecordReader(FileSource(str(path)), columns, on_error)
        os.environ["CHRONOSCORE_ENGINE"] = engine
        try:
            blocks = [records.block for records in reader]
        except DataError:
            return None  # where several things are wrong, either may be met first
        finally:
            del os.environ["CHRONOSCORE_ENGINE"]
        outputs = [block.text(number) for block in blocks for number in range(len(block))]
        others = [block.text(int(number)) for block in blocks for number in block.references]
        return [reader.topics, reader.left_out, outputs, others]

    names = rng.sample([b"id", b"system", b"references", b"other", b"more"], k=rng.randint(3, 5))
    columns = Columns(references=tuple(rng.choice([["references"], ["references", "more"]])))
    end = rng.choice([b"\n", b"\r\n"])
    width = len(names) if rng.random() < 0.95 else rng.randint(1, 5)
    rows = [b",".join(random_cell(rng) for _ in range(width)) for _ in range(rng.randrange(9))]
    rows = [row if rng.random() < 0.97 else b"" for row in rows]
    heading = rng.choice([b"", b"", b"\xef\xbb\xbf"]) + b",".join(names)
    whole = end.join([heading, *rows]) + rng.choice([b"", end, end + end])
    usual = record_files.BLOCK_BYTES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mine.csv")
        path.write_bytes(whole)
        for policy in ("stop", "skip"):
            expected = read(policy, "python")
            try:
                record_files.BLOCK_BYTES = rng.choice([1, 7, 40, usual])
                assert read(policy, "c") == expected, whole
                assert read(policy, "python") == expected, whole
            finally:
                record_files.BLOCK_BYTES = usual


FUZZES = [
    *(fuzz_texts, fuzz_stems, fuzz_scan, fuzz_arrays, fuzz_timelines),
    *(fuzz_records, fuzz_tables),
]


@pytest.mark.parametrize("fuzz", FUZZES)
def test_the_kernel_stands_random_input(fuzz: Callable[[random.Random], None]) -> None:
    from chronoscore import kernel

    if kernel.compiled is None or kernel.compiled_bulk is None:
        pytest.skip("the compiled kernel was not built: no C compiler")
    for seed in range(60):
        fuzz(random.Random(seed))


def main(folder: str, rounds: str) -> None:
    """Run many rounds on the kernel in a folder."""
    for name in ("_kernel", "_bulk"):
        (path,) = Path(folder).rglob(f"{name}*.so")
        spec = importlib.util.spec_from_file_location(f"chronoscore.{name}", path)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[f"chronoscore.{name}"] = module
    from chronoscore import kernel

    assert kernel.compiled is sys.modules["chronoscore._kernel"]
    assert kernel.compiled_bulk is sys.modules["chronoscore._bulk"]
    for seed in range(int(rounds)):
        for fuzz in FUZZES:
            fuzz(random.Random(seed))
    print(f"{rounds} rounds of {len(FUZZES)} kinds of random input: nothing found")


if __name__ == "__main__":
    main(*sys.argv[1:])
