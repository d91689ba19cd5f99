"""The measure language reads what it prints, and answers mistakes with the nearest known word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.errors import UsageError
from chronoscore.measures import Measure, parse_measure_text
from chronoscore.measures.rouge.measures import Rouge, RougeL, RougeS, RougeSU, RougeW
from chronoscore.measures.streams.events import Nu
from chronoscore.text.preparation import Limit

CUTOFFS = ("", "0", "-3", "1.5", "x", "2x", "1e3")
shared = {
    "prepare": st.sampled_from(["perl155", "unicode"]),
    "stem": st.booleans(),
    "stop": st.booleans(),
    "limit": st.none() | st.builds(Limit, st.integers(1, 999), st.sampled_from(["words", "bytes"])),
    "several": st.sampled_from(["pool", "best"]),
    "alpha": st.floats(0, 1),
    "jackknife": st.booleans(),
    "part": st.sampled_from([None, "p", "r", "f"]),
}
any_measure = st.one_of(
    st.builds(Rouge, n=st.integers(1, 9), **shared),
    st.builds(RougeL, **shared),
    st.builds(RougeW, weight=st.floats(0.1, 9), **shared),
    st.builds(RougeS, gap=st.integers(-1, 9), **shared),
    st.builds(RougeSU, gap=st.integers(-1, 9), **shared),
    st.builds(Nu, strict=st.booleans(), cutoff=st.none() | st.integers(1, 99)),
)


@given(any_measure)
def test_a_measure_that_is_printed_parses_back_to_itself(measure: Measure) -> None:
    assert parse_measure_text(str(measure)) == measure


@pytest.mark.parametrize(
    ("alias", "canonical"),
    [
        ("rouge1", "rouge(n=1)"),
        ("rouge-2", "rouge(n=2)"),
        ("rougeL", "rouge-l"),
        ("rougeLsum", "rouge-l"),
        ("rougeSU4", "rouge-su(gap=4)"),
        ("rougeS4.recall", "rouge-s(gap=4).r"),
        ("rouge2(stem).f1", "rouge(stem,n=2).f"),
        ("ROUGE1", "rouge(n=1)"),
        ("AR1", "align+m1(n=1)"),
        ("date-f1.r", "dates.r"),
        (" rouge( n=2, stem ) ", "rouge(stem,n=2)"),
    ],
)
def test_familiar_names_are_read(alias: str, canonical: str) -> None:
    assert parse_measure_text(alias) == parse_measure_text(canonical)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("ruoge1", "unknown measure 'ruoge1'; did you mean 'rouge1'?"),
        ("rouge(m=2)", "measure 'rouge' has no parameter 'm'"),
        ("rouge(stemm)", "measure 'rouge' has no parameter 'stemm'; did you mean 'stem'?"),
        ("rouge(n=two)", "rouge(n): 'two' is not of type int"),
        ("rouge(n)", "rouge(n) needs a value"),
        ("rouge(n=0)", "n counts words"),
        ("rouge(prepare=perl)", "unknown value 'perl'; did you mean 'perl155'?"),
        ("rouge(limit=100)", "'100' is not a length limit"),
        ("rouge(n=2", "',' or ')' is missing"),
        ("rouge(n=2)x", "nothing may follow"),
        ("rouge1.g", "measure 'rouge' has no part 'g'"),
        *((f"nu@{k}", r"character 4: a cutoff is a whole number, 1 or more") for k in CUTOFFS),
        ("", "a name is missing"),
        ("no.such.module:f", "cannot be imported"),
        ("rouge-w(weight=0)", "write a number above 0"),
        ("rouge(alpha=2)", "write a number from 0 to 1"),
    ],
)
def test_a_mistake_is_answered_in_one_sentence(text: str, answer: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_measure_text(text, allow_import=True)
    assert answer in str(caught.value)
    assert "\n" not in str(caught.value)


@given(any_measure, any_measure)
def test_two_measures_share_a_signature_only_if_they_are_the_same(a: Measure, b: Measure) -> None:
    assert (a.signature == b.signature) == (a.whole == b.whole)


def test_a_signature_says_defaults_too() -> None:
    assert "stem:no" in parse_measure_text("rouge1").signature
    assert "limit:none" in parse_measure_text("rouge1").signature
