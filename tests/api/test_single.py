"""Single calls take a short way for the usual measures; the figures are those of the long one."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chronoscore as cs
from chronoscore.api.single import KINDS, usual_scores
from chronoscore.api.texts import score_text
from chronoscore.measures import parse_measure_text
from chronoscore.measures.rouge.measures import RougeMeasure

TEXTS = st.lists(st.sampled_from(["the", "dams", "dam", "broke", ".", "\n", "is"])).map(" ".join)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.booleans(), st.booleans())
def test_the_short_way_gives_the_figures_of_the_long_one(
    system: str, references: list[str], stem: bool, stop: bool
) -> None:
    options = {"stem": stem, "stop": stop}
    short = usual_scores(system, references, list(KINDS), options)
    assert short == score_text(system, references, list(KINDS), options)
    assert short == cs.rouge(system, references, **options)


def test_the_usual_measures_count_what_the_parsed_ones_count() -> None:
    for name, kind in KINDS.items():
        measure = parse_measure_text(name)
        assert isinstance(measure, RougeMeasure)
        assert (measure.kind, measure.alpha, measure.adds_counts) == (kind, 0.5, True)


@pytest.mark.parametrize(
    ("measures", "options"),
    [("rouge3", {}), (["rouge1"], {"limit": "3w"}), (["rouge1"], {"stem": "yes"}), ([], {})],
)
def test_what_is_out_of_the_ordinary_takes_the_long_way(
    measures: str | list[str], options: dict[str, object]
) -> None:
    assert usual_scores("a b", ["a"], measures, options) is None


def test_a_reference_given_by_sentences_counts_beside_one_given_as_a_text() -> None:
    mixed = cs.rouge("the dam broke", ["the dam", ["a dam", "broke"]])
    assert mixed == cs.rouge("the dam broke", ["the dam", "a dam\nbroke"])


WORDS = [
    "the",
    "dams",
    "dam",
    "broke",
    "İzmir",
    "ICI",
    "ici",
    "\u212aelvin",
    "Größe",
    "дамба",
    "水坝",
    ".",
    "\n",
    "u.s.",
    "it's",
]
ANY_TEXTS = st.lists(st.sampled_from(WORDS)).map(" ".join)
WAYS = [
    {"compat": "rouge-score"},
    {"compat": "rouge-score", "stem": True},
    {"prepare": "unicode"},
    {"prepare": "unicode", "stem": True, "language": "english"},
    {"prepare": "unicode", "language": "turkish"},
    {"prepare": "unicode", "limit": "3w"},
    {"prepare": "unicode", "limit": "7b", "several": "best-f"},
    {"several": "best-f"},
]


@pytest.mark.parametrize("options", WAYS, ids=str)
@given(system=ANY_TEXTS, references=st.lists(ANY_TEXTS, min_size=1, max_size=3))
def test_one_call_gives_the_figures_of_many_and_of_plain_counting(
    options: dict[str, object], system: str, references: list[str]
) -> None:
    names = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    if "compat" not in options:
        names = ["rouge1", "rouge-l", "rouge-su4", "rouge-w"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cs.ChronoscoreWarning)
        one = score_text(system, references, names, dict(options))
        (row,) = cs.rouge_many([system], [references], names, **options).rows()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CHRONOSCORE_ENGINE", "python")
            plain = score_text(system, references, names, dict(options))
    assert one == plain
    assert [row[f"{name}.{part}"] for name in names for part in "prf"] == [
        value for name in names for value in one[name]
    ]


@pytest.mark.parametrize(("language", "shared"), [("english", 1), ("turkish", 0)])
def test_turkish_has_two_letters_i_also_in_ascii(language: str, shared: float) -> None:
    scores = cs.rouge("ISIN", "isin", "rouge1", prepare="unicode", language=language)
    assert scores["rouge1"].f == shared
