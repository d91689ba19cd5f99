"""Who is measured, and by which call: chronoscore's public functions, and those of its peers."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.contest import Contender

CHRONOSCORE = "chronoscore"
WITHOUT_KERNEL = "chronoscore without the kernel"
ALL_KINDS = ("R1", "R2", "L", "SU4")
THREE_KINDS = ("R1", "R2", "L")
LIKE_ROUGE_SCORE = ("R1", "R2", "Lsum")


def _call(function: str, kinds: Sequence[str], options: Mapping[str, Any], note: str = "") -> str:
    """What the table says of a call of ours: as a user writes it, and what is counted."""
    written = "".join(
        f", {key}={value!r}" for key, value in options.items() if not (key == "stem" and not value)
    )
    return f"`{function}(…{written})`: {', '.join(kinds)}{note}"


def rouge_many(
    kinds: Sequence[str], *, engine: str = "", share: float = 1.0, **options: Any
) -> Contender:
    """All pairs in one call, from strings to figures."""
    return Contender(
        name=WITHOUT_KERNEL if engine == "python" else CHRONOSCORE,
        task="benchmarks.pairs:rouge_many",
        does=_call("rouge_many", kinds, options),
        share=share,
        options={"kinds": list(kinds), "engine": engine, **options},
    )


def rouge(kinds: Sequence[str], *, engine: str = "", **options: Any) -> Contender:
    """A call for each pair."""
    return Contender(
        name=WITHOUT_KERNEL if engine == "python" else CHRONOSCORE,
        task="benchmarks.pairs:rouge",
        does=_call("rouge", kinds, options, ", a call for each pair"),
        options={"kinds": list(kinds), "engine": engine, **options},
    )


def with_all_references(kinds: Sequence[str]) -> Contender:
    """The same texts, each with all its references, as ROUGE-1.5.5 takes them."""
    return Contender(
        name=CHRONOSCORE,
        task="benchmarks.pairs:rouge_many",
        does=_call("rouge_many", kinds, {"stem": True}, ", each text with its 4 references"),
        options={"kinds": list(kinds), "grouped": True, "stem": True},
    )


def one_sentence(kinds: Sequence[str]) -> Contender:
    """Texts of one sentence each, not stemmed."""
    return Contender(
        name=CHRONOSCORE,
        task="benchmarks.pairs:rouge_many",
        does=_call("rouge_many", kinds, {}, ", not stemmed"),
        options={"kinds": list(kinds), "joined": True},
    )


def engine_alone(engine: str = "") -> Contender:
    """Preparation and counting without the public call around them; never beside a peer."""
    return Contender(
        name="inside" + (", without the kernel" if engine else ""),
        task="benchmarks.pairs:engine_alone",
        does="`text.batch.prepare_texts` and `engine.batch.count`: R1, R2, L, SU4, stemmed",
        options={"kinds": list(ALL_KINDS), "engine": engine},
    )


def rouge_score(share: float) -> Contender:
    """The package that most people use."""
    return Contender(
        name="rouge-score",
        task="benchmarks.pairs:rouge_score",
        does="`RougeScorer.score(…)`: R1, R2, Lsum, stemmed, a call for each pair",
        share=share,
        options={"package": "rouge_score", "stem": True},
    )


def rouge_score_rs(share: float = 1.0) -> Contender:
    """The fastest peer that stems, called for all pairs at once."""
    return Contender(
        name="rouge-score-rs",
        task="benchmarks.pairs:rouge_score_batch",
        does="`RougeScorer.score_batch(…)`: R1, R2, Lsum, stemmed",
        share=share,
        options={"stem": True},
    )


def rouge_rust(share: float = 1.0) -> Contender:
    """The fastest peer of all; it does not stem and takes a text for one sentence."""
    return Contender(
        name="rouge-rust",
        task="benchmarks.pairs:rouge_rust",
        does="`score_batch_flat(…)`: R1, R2, L of the text as one sentence, not stemmed",
        share=share,
    )


PERL = Contender(
    name="Perl",
    task="benchmarks.pairs:perl",
    does="ROUGE-1.5.5.pl: R1, R2, L, SU4, stemmed, each text with its 4 references",
    share=0.05,
)
PY_ROUGE = Contender(
    name="py-rouge",
    task="benchmarks.pairs:py_rouge",
    does="`Rouge.get_scores(…)`: R1, R2, L, stemmed",
    share=0.03,
)
ROUGE_METRIC = Contender(
    name="rouge-metric",
    task="benchmarks.pairs:rouge_metric",
    does="`PyRouge.evaluate(…)`: R1, R2, L, SU4, not stemmed, each text with its 4 references",
    share=0.03,
)
RUST_SINGLY = Contender(
    name="rouge-score-rs",
    task="benchmarks.pairs:rouge_score",
    does="`RougeScorer.score(…)`: R1, R2, Lsum, stemmed, a call for each pair",
    options={"package": "rouge_score_rs", "stem": True},
)
ROUGE_RUST_SINGLY = Contender(
    name="rouge-rust",
    task="benchmarks.pairs:rouge_rust_singly",
    does="`score(…)`: R1, R2, L of the text as one sentence, not stemmed, a call for each pair",
)


def first_call(text: str, engine: str = "") -> Contender:
    """The first call in a process, which loads what the import did not."""
    return Contender(
        name=WITHOUT_KERNEL if engine else CHRONOSCORE,
        task="benchmarks.scorer:first_call",
        does=f"`rouge({text!r}, …)` right after the import",
        options={"text": text, "engine": engine},
    )


def warm(*, together: bool, engine: str = "", share: float = 1.0) -> Contender:
    """Our scorer with prepared references."""
    how = "all candidates in one call" if together else "one candidate in each call"
    return Contender(
        name=WITHOUT_KERNEL if engine else CHRONOSCORE,
        task="benchmarks.scorer:score",
        does=f"`Scorer(…)`, made before: {how}",
        share=share,
        options={"together": together, "engine": engine},
    )


WHOLE_SCORE = Contender(
    name=CHRONOSCORE,
    task="benchmarks.scorer:whole_score",
    does="`score(…)`: each candidate a system, from dicts to a result",
)
ROUGE155, PERL155 = (
    Contender(
        name=name,
        task="benchmarks.corpus:rouge155",
        does=f"whole command: `{command} -e data -n 2 -2 4 -u -m -r 1000 -a settings.xml`",
        share=share,
        options={"topics": 48, "perl": name == "Perl"},
    )
    for name, command, share in (
        (CHRONOSCORE, "chronoscore rouge155", 1.0),
        ("Perl", "ROUGE-1.5.5.pl", 1 / 12),
    )
)
CORPUS = Contender(
    name=CHRONOSCORE,
    task="benchmarks.corpus:score",
    does="`score(…)`: R1, R2, L, SU4, stemmed, averages with intervals",
    options={"topics": 48},
)
