"""How alike two texts are: every similarity against a second way to compute it, and wrong input."""

import json
import math
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chronoscore as cs
from chronoscore.core import Document, Sentence, Timeline, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.measure import Array
from chronoscore.measures.rouge.measures import Rouge
from chronoscore.measures.similarity.material import Material
from chronoscore.measures.similarity.models import find_model
from chronoscore.measures.similarity.similarities import TextSimilarity
from chronoscore.measures.timelines.align_measures import Aligned, AlignPlus
from chronoscore.measures.timelines.cost_functions import Day
from chronoscore.measures.timelines.pairs import PairsMeasure
from chronoscore.measures.timelines.texts import TextReading, Texts
from chronoscore.text.plain import prepare_text
from chronoscore.text.preparation import Preparation
from measures.paraphrases import ORIGINAL, PARAPHRASE

PREPARATION = Preparation(stem=True, stop=True)
OURS = [text for _, texts in PARAPHRASE for text in texts]
THEIRS = [text for _, texts in ORIGINAL for text in texts]
DOCUMENT = Document(
    id="d", sentences=(Sentence("d-1", "The river carried the fish."), Sentence("d-2", "A fire."))
)


def timeline(entries: Any) -> Timeline:
    return Timeline.of([(f"2010-{1 + day // 28:02}-{1 + day % 28:02}", t) for day, t in entries])


SYSTEM, REFERENCE = timeline(PARAPHRASE), timeline(ORIGINAL)
TOPIC = Topic(id="plant", timelines=(REFERENCE,), documents=(DOCUMENT,))


def compare(similarity: str, ours: list[str], theirs: list[str], topic: Topic = TOPIC) -> Array:
    texts = Texts()
    rows = np.array([texts.number((text,)) for text in ours])
    columns = np.array([texts.number((text,)) for text in theirs])
    material = Material(texts, TextReading(PREPARATION))
    return TextSimilarity.parse(similarity).compare(material, rows, columns, topic)


def words(text: str) -> Counter[str]:
    return Counter(prepare_text([text], PREPARATION).tokens)


def values(measure: Measure, system: Timeline = SYSTEM, topic: Topic = TOPIC) -> list[float]:
    return measure.values(measure.tally([(topic, system)]))[0].tolist()  # type: ignore[no-any-return]


def test_words_is_rouge_1_f() -> None:
    found = compare("words", OURS, THEIRS)
    measure = Rouge(n=1, stem=True, stop=True)
    for row, ours in enumerate(OURS):
        for column, theirs in enumerate(THEIRS):
            one = prepare_text([ours], PREPARATION), [prepare_text([theirs], PREPARATION)]
            assert found[row, column] == pytest.approx(measure.score(*one).f)


def test_tfidf_is_the_cosine_of_words_weighted_by_references_and_documents() -> None:
    background = [*THEIRS, *(sentence.text for sentence in DOCUMENT.sentences)]
    held = Counter(word for text in background for word in words(text))

    def vector(text: str) -> dict[str, float]:
        rarity = {w: math.log((1 + len(background)) / (1 + held[w])) + 1 for w in words(text)}
        return {word: count * rarity[word] for word, count in words(text).items()}

    def length(weights: dict[str, float]) -> float:
        return math.sqrt(sum(weight**2 for weight in weights.values()))

    found = compare("tfidf", OURS, THEIRS)
    for row, ours in enumerate(map(vector, OURS)):
        for column, theirs in enumerate(map(vector, THEIRS)):
            product = sum(ours[word] * theirs[word] for word in ours.keys() & theirs.keys())
            expected = product / (length(ours) * length(theirs))
            assert found[row, column] == pytest.approx(expected, abs=1e-9)


def test_documents_change_the_weights_of_tfidf_alone() -> None:
    bare = Topic(id="plant", timelines=(REFERENCE,))
    assert (compare("tfidf", OURS, THEIRS) != compare("tfidf", OURS, THEIRS, bare)).any()
    for other in ("words", "embed", "mixed"):
        np.testing.assert_array_equal(
            compare(other, OURS, THEIRS), compare(other, OURS, THEIRS, bare)
        )


@pytest.mark.slow
def test_embed_is_the_cosine_of_the_model_s_vectors() -> None:
    model = find_model("wordllama")
    ours, theirs = (model.embed(texts).astype(float) for texts in (OURS, THEIRS))
    lengths = np.outer(np.linalg.norm(ours, axis=1), np.linalg.norm(theirs, axis=1))
    np.testing.assert_allclose(
        compare("embed", OURS, THEIRS), np.maximum(ours @ theirs.T / lengths, 0), atol=1e-9
    )


def test_mixed_is_the_mean_of_word_recall_and_cosine() -> None:
    recall = [[(words(a) & words(b)).total() / words(b).total() for b in THEIRS] for a in OURS]
    expected = (np.array(recall) + compare("embed", OURS, THEIRS)) / 2
    np.testing.assert_allclose(compare("mixed", OURS, THEIRS), expected, atol=1e-9)


def test_soft_matches_each_word_of_the_reference_with_the_nearest_of_the_system() -> None:
    model = find_model("wordllama")
    background = [*THEIRS, *(sentence.text for sentence in DOCUMENT.sentences)]
    held = Counter(word for text in background for word in words(text))

    def rarities(text: str) -> dict[str, float]:
        """By the spelling of a word that is no stop word: how rare it is."""
        return {
            spelling: math.log((1 + len(background)) / (1 + held[form])) + 1
            for spelling in re.findall(r"\w+", text.casefold())
            for form in list(words(spelling))[:1]
        }

    def nearness(one: str, other: str) -> float:
        if words(one) == words(other):
            return 1.0
        if any(map(str.isdigit, one + other)):
            return 0.0
        first, second = model.embed([one, other]).astype(float)
        return max(0.0, first @ second / np.linalg.norm(first) / np.linalg.norm(second))

    def letters(text: str) -> dict[str, float]:
        total: dict[str, float] = {}
        for word, rarity in rarities(text).items():
            runs = Counter(f" {word} "[place : place + 3] for place in range(len(word)))
            size = math.hypot(*runs.values())
            for run, count in runs.items():
                total[run] = total.get(run, 0.0) + rarity * count / size
        return total

    def expected(ours: str, theirs: str) -> tuple[float, float]:
        wanted = rarities(theirs)
        covered = sum(
            rarity * max(nearness(mine, word) for mine in rarities(ours))
            for word, rarity in wanted.items()
        )
        one, other = letters(ours), letters(theirs)
        product = sum(one[run] * other[run] for run in one.keys() & other.keys())
        sizes = math.hypot(*one.values()) * math.hypot(*other.values())
        return covered / sum(wanted.values()), product / sizes

    found, cosines = compare("soft", OURS, THEIRS), compare("embed", OURS, THEIRS)
    for row, column in ((0, 0), (1, 1), (2, 0), (0, 3)):
        covered, spelled = expected(OURS[row], THEIRS[column])
        mean = (covered + 0.25 * cosines[row, column] + 0.75 * spelled) / 2
        assert found[row, column] == pytest.approx(mean, abs=1e-6)


def test_soft_takes_another_number_for_another_word() -> None:
    claim, false = "The storm killed 40 people in town.", "The storm killed 400 people in town."
    found = {name: compare(name, [false], [claim]).item() for name in ("soft", "mixed", "embed")}
    assert found["soft"] < found["mixed"] < found["embed"]


def test_soft_does_not_depend_on_how_many_words_are_compared_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    together = compare("soft", OURS, THEIRS)
    monkeypatch.setattr("chronoscore.measures.similarity.soft.CELLS", 1)
    np.testing.assert_allclose(compare("soft", OURS, THEIRS), together, atol=2e-9)


@pytest.mark.parametrize("similarity", ["words", "tfidf", "embed", "mixed", "soft"])
def test_texts_without_a_word_are_not_alike(similarity: str) -> None:
    assert compare(similarity, ["...", "?!", "12."], ["...", "?!", "12."]).diagonal().tolist() == [
        0.0,
        0.0,
        1.0,
    ]


@pytest.mark.parametrize("similarity", ["words", "tfidf", "embed", "mixed", "soft"])
def test_equal_texts_are_wholly_alike_and_empty_ones_not_at_all(similarity: str) -> None:
    # The first has stop words alone, so that nothing of it is left to compare.
    texts = ["that is it", "The dam broke.", "", "   "]
    np.testing.assert_array_equal(np.diag(compare(similarity, texts, texts)), [1.0, 1.0, 0.0, 0.0])


@pytest.mark.slow
def test_vectors_are_the_same_whatever_is_embedded_with_them() -> None:
    model = find_model("wordllama")
    texts = [*OURS, "short", " ".join(THEIRS), *THEIRS]
    together = model.embed(texts)
    for size in (1, 3, 7):
        parts = [model.embed(texts[start : start + size]) for start in range(0, len(texts), size)]
        np.testing.assert_array_equal(np.concatenate(parts), together)


def overlap(ours: list[str], theirs: list[str]) -> list[list[float]]:
    return [[len(set(a) & set(b)) / len(set(a) | set(b)) for b in theirs] for a in ours]


def test_a_function_gets_all_texts_of_a_topic_at_once() -> None:
    calls = []

    def recorded(ours: list[str], theirs: list[str]) -> list[list[float]]:
        calls.append((ours, theirs))
        return overlap(ours, theirs)

    measure = AlignPlus(similarity=recorded)
    measure.tally([(TOPIC, SYSTEM), (TOPIC, timeline(PARAPHRASE[:3])), (TOPIC, REFERENCE)])
    ((ours, theirs),) = calls
    assert set(ours) == {*OURS, *THEIRS}
    assert theirs == THEIRS


def test_alignment_by_similarity_is_that_of_a_cost_function_of_days() -> None:
    def cost(ours: Day, theirs: Day) -> float:
        days = ours.when.distance(theirs.when)
        alike = overlap([" ".join(ours.sentences)], [" ".join(theirs.sentences)])[0][0]
        return (1 - 1 / (days + 1)) * (1 - round(alike, 9))

    shifted = timeline([(day + 2, texts) for day, texts in PARAPHRASE])
    for many in (False, True):
        expected = values(Aligned(cost=cost, many=many), shifted)
        assert values(Aligned(similarity=overlap, many=many), shifted) == expected
    assert values(AlignPlus(similarity=overlap), shifted) == values(Aligned(cost=cost), shifted)
    assert values(AlignPlus(similarity=overlap), shifted) != values(AlignPlus(), shifted)


def test_credit_is_the_similarity_times_the_weight() -> None:
    reference = Timeline.of({"2010-01-01": "dam broke", "2010-01-05": "fire"})
    system = Timeline.of({"2010-01-02": "dam burst", "2010-01-05": "fire", "2010-03-01": "vote"})
    topic = Topic(id="t", timelines=(reference,))
    # One of two words a day late, and an equal day: 1/2 · 1/2 + 1, of 2 and of 3 days.
    p, r, f = values(AlignPlus(credit="similarity"), system, topic)
    assert (p, r) == pytest.approx((1.25 / 3, 1.25 / 2))
    assert f == pytest.approx(2 * p * r / (p + r))
    two = Topic(id="t", timelines=(reference, Timeline.of({"2010-01-05": "fire returned"})))
    # Two days of the first reference in full, 2/3 of the day of the second.
    recall = values(AlignPlus(credit="similarity"), reference, two)[1]
    assert recall == pytest.approx((1 + 1 + 2 / 3) / 3)


def write_table(path: Path, similarity: str, ours: list[str], theirs: list[str]) -> Path:
    table = compare(similarity, ours, theirs)
    rows = [
        {"system": cs.text_id(a) if column % 2 else a, "reference": b, "value": table[row, column]}
        for row, a in enumerate(ours)
        for column, b in enumerate(theirs)
    ]
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        arrow = pytest.importorskip("pyarrow")
        parquet.write_table(arrow.Table.from_pylist(rows), path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize("measure", ["pairs({},threshold=0.45)", "align+({},credit=similarity)"])
def test_a_table_gives_the_figures_of_what_it_was_made_from(
    tmp_path: Path, ending: str, measure: str
) -> None:
    path = write_table(tmp_path / f"values.{ending}", "embed", OURS, THEIRS)
    by_file = parse_measure_text(measure.format(f"similarity=file(path={path})"))
    assert values(by_file) == values(parse_measure_text(measure.format("similarity=embed")))
    assert parse_measure_text(str(by_file)) == by_file


def test_the_signature_holds_a_digest_of_the_table(tmp_path: Path) -> None:
    path = write_table(tmp_path / "values.jsonl", "embed", OURS, THEIRS)
    measure = parse_measure_text(f"pairs(similarity=file(path={path}))")
    before = measure.signature
    write_table(path, "words", OURS, THEIRS)
    assert measure.signature != before
    write_table(path, "embed", OURS, THEIRS)
    assert measure.signature == before


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "no such file"),
        ("", "is empty"),
        ("{", "fix the JSON"),
        ("[1]\n", "'system' must be a text"),
        ('{"system": "a", "value": 1}\n', "'reference' must be a text"),
        ('{"system": "a", "reference": "b", "value": "1"}\n', "'value' must be a number"),
        ('{"system": "a", "reference": "b", "value": 7}\n', "'value' must be a number"),
        ('{"system": "a", "reference": "b", "value": true}\n', "'value' must be a number"),
        ('{"system": "a", "reference": "b", "value": NaN}\n', "values.jsonl:1"),
        ('{"system": "a", "reference": "b", "value": 1}\n' * 2, "no value for"),
        (
            '{"system": "a", "reference": "b", "value": 1}\n'
            '{"system": "a", "reference": "b", "value": 0}\n',
            "values.jsonl:2: this pair has another value",
        ),
    ],
)
def test_a_wrong_table_is_refused(tmp_path: Path, text: str | None, reason: str) -> None:
    path = tmp_path / "values.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(DataError, match=reason):
        values(PairsMeasure(similarity=f"file(path={path})"))


@pytest.mark.parametrize("content", [b"", b"PAR1 this is not Parquet", b"\x00\xff" * 50])
def test_a_broken_parquet_file_is_refused(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "values.parquet"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"values\.parquet"):
        values(PairsMeasure(similarity=f"file(path={path})"))


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda ours, theirs: [[1.0]], r"the shape \(1, 1\), not \(8, 8\)"),
        (lambda ours, theirs: "nonsense", "no matrix"),
        (lambda ours, theirs: [[2.0] * len(theirs)] * len(ours), "outside −1 to 1"),
        (lambda ours, theirs: [[math.nan] * len(theirs)] * len(ours), "outside −1 to 1"),
        (lambda ours, theirs: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_a_function_that_returns_no_matrix_is_refused(function: Any, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        values(PairsMeasure(similarity=function))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("align+(similarity=wrods)", "unknown similarity 'wrods'; did you mean 'words'"),
        ("align+(similarity=embed(modle=x))", "has no parameter 'modle'"),
        ("align+(similarity=embed(model=x).f)", "has no parts"),
        ("align+(similarity=file)", "the table is missing"),
        ("align+(similarity=embed,content=tilse)", "content is for similarity=words"),
        ("align+(similarity=embed,limit=10w)", "limit"),
        ("align+(credit=similarity,n=2)", "n is for runs of words"),
        ("align+(credit=similarity,over=l)", "over is for credit=ngrams"),
        ("align+(credit=words)", "unknown value 'words'"),
        ("aligned(cost=days,similarity=embed)", "nothing uses the similarity"),
        ("align(similarity=embed)", "has no parameter 'similarity'"),
        ("pairs(similarity=embed(endpoint=ftp://host))", "not the address of a server"),
        ("pairs(similarity=embed(endpoint=https://me:secret@host/v1))", "not come with a key"),
        (
            "pairs(similarity=embed(endpoint=https://host/v1?key=secret))",
            "not come with a key",
        ),
        ("pairs(similarity=rouge(n=2))", "unknown similarity 'rouge'"),
    ],
)
def test_a_wrong_similarity_is_refused_in_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as refused:
        parse_measure_text(text, allow_import=True)
    assert "secret" not in str(refused.value)


def test_a_model_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="neither wordllama nor a folder"):
        values(PairsMeasure(similarity="embed(model=nowhere)"))


def test_the_signature_names_the_model_and_its_revision() -> None:
    from importlib.metadata import version

    named = f"|similarity:mixed(model=wordllama@{version('wordllama')})|"
    assert named in AlignPlus(similarity="mixed").signature
    assert named[1:] in PairsMeasure(similarity="mixed").signature
    assert "|similarity:words|credit:ngrams" in AlignPlus().signature


def test_the_same_signature_has_the_same_bytes(tmp_path: Path) -> None:
    system, reference = ({"plant": t} for t in (SYSTEM, REFERENCE))
    asked = ["pairs(similarity=mixed)", "align+(similarity=embed,credit=similarity)"]
    results = []
    for name in ("first", "first", "second"):
        with cs.use_cache(tmp_path / f"{name}.sqlite"):
            results.append(cs.score({"mine": system}, reference, asked).render("jsonl", "all"))
    assert len(set(results)) == 1


@pytest.mark.slow
def test_naming_a_similarity_loads_no_model() -> None:
    code = (
        "import sys; from chronoscore.measures import parse_measure_text\n"
        "measure = parse_measure_text('pairs(similarity=embed)'); measure.signature\n"
        "print([m for m in ('wordllama', 'sqlite3', 'openai', 'pyarrow', 'scipy') "
        "if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
