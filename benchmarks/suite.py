"""What is measured: each benchmark's texts, its contenders, and the ratio it is held to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks import corpus, pairs, scorer
from benchmarks.contest import Contender

WITHOUT_KERNEL = "chronoscore without the kernel"
ALL_KINDS = ("R1", "R2", "L", "SU4")
THREE_KINDS = ("R1", "R2", "L")


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


def ours(
    kinds: Sequence[str],
    *,
    stem: bool = True,
    joined: bool = False,
    engine: str = "",
    share: float = 1.0,
) -> Contender:
    """Our batch, from raw strings to counts."""
    how = "stemmed" if stem else "not stemmed"
    return Contender(
        name=WITHOUT_KERNEL if engine == "python" else "chronoscore",
        share=share,
        task="benchmarks.pairs:ours",
        does=f"{', '.join(kinds)}, {how}",
        options={"kinds": list(kinds), "stem": stem, "joined": joined, "engine": engine},
    )


def rouge_score(share: float) -> Contender:
    """The package that most people use."""
    return Contender(
        name="rouge-score",
        task="benchmarks.pairs:rouge_score",
        does="R1, R2, Lsum, stemmed",
        share=share,
        options={"package": "rouge_score", "stem": True},
    )


def rouge_score_rs(share: float = 1.0) -> Contender:
    """The fastest peer that stems, called for all pairs at once."""
    return Contender(
        name="rouge-score-rs",
        task="benchmarks.pairs:rouge_score_batch",
        does="R1, R2, Lsum, stemmed",
        share=share,
        options={"stem": True},
    )


def rouge_rust(share: float = 1.0) -> Contender:
    """The fastest peer of all; it does not stem and takes a text for one sentence."""
    return Contender(
        name="rouge-rust",
        task="benchmarks.pairs:rouge_rust",
        does="R1, R2, L of the text as one sentence, not stemmed",
        share=share,
    )


def perl(share: float, *, resamples: int = 1) -> Contender:
    """ROUGE-1.5.5.pl itself."""
    return Contender(
        name="Perl",
        task="benchmarks.pairs:perl",
        does="R1, R2, L, SU4, stemmed" + (f", {resamples} resamples" if resamples > 1 else ""),
        share=share,
        options={"resamples": resamples},
    )


PY_ROUGE = Contender(
    name="py-rouge", task="benchmarks.pairs:py_rouge", does="R1, R2, L, stemmed", share=0.03
)
ROUGE_METRIC = Contender(
    name="rouge-metric",
    task="benchmarks.pairs:rouge_metric",
    does="R1, R2, L, SU4, not stemmed",
    share=0.03,
)
SINGLY, SINGLY_PLAIN = (
    Contender(
        name=name,
        task="benchmarks.pairs:ours_singly",
        does="chronoscore.rouge(…), R1, R2, L, stemmed",
        options={"stem": True, "engine": engine},
    )
    for name, engine in (("chronoscore", ""), (WITHOUT_KERNEL, "python"))
)
FIRST, FIRST_PLAIN = (
    Contender(
        name=name,
        task="benchmarks.scorer:first_call",
        does="chronoscore.rouge(…) right after the import",
        options={"engine": engine},
    )
    for name, engine in (("chronoscore", ""), (WITHOUT_KERNEL, "python"))
)
WHOLE_SCORE = Contender(
    name="chronoscore.score",
    task="benchmarks.scorer:whole_score",
    does="each candidate a system, from dicts to a result",
)


def warm(*, together: bool, engine: str = "", share: float = 1.0) -> Contender:
    """Our scorer with prepared references."""
    return Contender(
        name="Scorer without the kernel" if engine else "Scorer",
        task="benchmarks.scorer:score",
        does="all candidates in one call" if together else "one candidate in each call",
        share=share,
        options={"together": together, "engine": engine},
    )


COMPATIBLE = Contender(
    name="chronoscore",
    task="benchmarks.pairs:ours_compatible",
    does="rouge_many(…, compat='rouge-score'), R1, R2, Lsum, stemmed",
    options={"stem": True},
)
RUST_SINGLY = Contender(
    name="rouge-score-rs",
    task="benchmarks.pairs:rouge_score",
    does="score(…), R1, R2, Lsum, stemmed",
    options={"package": "rouge_score_rs", "stem": True},
)
CORPUS = Contender(
    name="chronoscore",
    task="benchmarks.corpus:ours",
    does="R1, R2, L, SU4, stemmed, 1000 resamples, through score and averages",
    options={"topics": 48},
)


def vocabulary_of(words: int) -> int:
    """How many different words a text of this length has: Heaps' law, as in news."""
    return int(44 * words**0.49)


REAL = partial(pairs.write_real, systems=3000, references=4, words=100)
TWELVE_THOUSAND = partial(pairs.write, systems=3000, references=4, words=100)

SUITE = (
    Benchmark(
        name="pairs",
        title="12,000 pairs of 100 words: 3,000 system texts, each with 4 references of its own",
        write=TWELVE_THOUSAND,
        contenders=(
            ours(ALL_KINDS),
            ours(ALL_KINDS, engine="python"),
            *(perl(0.05), rouge_score(0.05), PY_ROUGE, ROUGE_METRIC),
        ),
        targets={"Perl": 700, "rouge-score": 150},
    ),
    Benchmark(
        name="rust",
        title="The same pairs, what rouge-score and its Rust twin count",
        write=TWELVE_THOUSAND,
        contenders=(ours(THREE_KINDS), rouge_score_rs(), rouge_score(0.05)),
        targets={"rouge-score-rs": 8, "rouge-score": 150},
        repeats=5,
    ),
    Benchmark(
        name="rouge-score",
        title="The same pairs through the public functions, with the figures of rouge-score",
        write=TWELVE_THOUSAND,
        contenders=(COMPATIBLE, rouge_score(0.05)),
        targets={"rouge-score": 100},
    ),
    Benchmark(
        name="unsplit",
        title="The same pairs, each text one sentence, what rouge-rust counts",
        write=TWELVE_THOUSAND,
        contenders=(ours(THREE_KINDS, stem=False, joined=True), rouge_rust()),
        repeats=5,
    ),
    Benchmark(
        name="real",
        title="12,000 pairs of about 100 words of real text: sentences of timelines",
        write=REAL,
        contenders=(
            ours(THREE_KINDS),
            ours(THREE_KINDS, engine="python"),
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
                ours(THREE_KINDS),
                ours(THREE_KINDS, engine="python", share=10_000 / count),
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
        write=partial(pairs.write, systems=1000, references=1, words=100),
        contenders=(SINGLY, SINGLY_PLAIN, rouge_score(0.5), RUST_SINGLY),
        targets={"rouge-score": 10, "rouge-score-rs": 2.5},
    ),
    Benchmark(
        name="first-call",
        title="The first call after the import",
        write=partial(pairs.write, systems=1, references=1, words=10),
        contenders=(FIRST, FIRST_PLAIN),
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
        title="60 systems × 48 topics × 4 references, 100 words, 1,000 bootstrap resamples",
        write=partial(corpus.write, systems=60, topics=48, references=4, words=100),
        contenders=(CORPUS,),
    ),
    Benchmark(
        name="long",
        title="2,000 pairs of 600 words",
        write=partial(pairs.write, systems=500, references=4, words=600),
        contenders=(ours(ALL_KINDS), rouge_score_rs(), rouge_score(0.02)),
    ),
    Benchmark(
        name="identical",
        title="3,000 texts of 100 words against themselves",
        write=partial(pairs.write_identical, systems=3000, words=100),
        contenders=(ours(THREE_KINDS), rouge_score_rs(), rouge_score(0.1)),
        targets={"rouge-score-rs": 5},
    ),
    Benchmark(
        name="weighted",
        title="ROUGE-W alone, 12,000 pairs of 100 words",
        write=TWELVE_THOUSAND,
        contenders=(ours(["W"]), ours(["W"], engine="python", share=0.1)),
    ),
    Benchmark(
        name="weighted-real",
        title="ROUGE-W alone, 12,000 pairs of about 100 words of real text",
        write=REAL,
        contenders=(ours(["W"]), ours(["W"], engine="python", share=0.1)),
    ),
)
