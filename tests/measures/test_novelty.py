"""Nouveau-ROUGE against hand counts, the jackknife of the ROUGE measures, and Table 2."""

from dataclasses import replace

import numpy as np
import pytest

from chronoscore.core import Collection, Run, Summary, Topic
from chronoscore.errors import DataError, UsageError
from chronoscore.formats.judgements import coefficients as files
from chronoscore.measures import measure_of, parse_measure_text
from chronoscore.measures.novelty.coefficients import TAC2008, Coefficients
from chronoscore.measures.novelty.novelty import Novelty
from chronoscore.measures.rouge.measures import Rouge, RougeL
from chronoscore.scoring import score

ORIGINALS = ["the dam broke", "a dam broke at night", "the town fled", "rain fell on the dam"]
UPDATES = ["the mayor resigned", "a mayor resigned today", "the trial began", "the mayor is tried"]
OUTPUT = Summary.of("the mayor and the dam", set="B")


def topic(originals=ORIGINALS, updates=UPDATES):
    return Topic(
        id="dam",
        summaries=tuple(
            Summary.of(text, author=author, set=name)
            for name, texts in (("A", originals), ("B", updates))
            for author, text in zip("abcd", texts, strict=False)
        ),
    )


def parts(measure, given, output):
    return measure.values(measure.tally([(given, output)]))[0].tolist()


def test_one_reference_each_by_hand():
    # "the mayor and the dam" shares "the" and "dam" of the 3 words "the dam broke",
    # and "the" and "mayor" of the 3 words "the mayor resigned".
    ab, bb, n = parts(Novelty(base=Rouge(n=1)), topic(ORIGINALS[:1], UPDATES[:1]), OUTPUT)
    assert (ab, bb) == pytest.approx((2 / 3, 2 / 3))
    assert n == pytest.approx(-0.0271 - 7.3550 * 2 / 3 + 13.4227 * 2 / 3)


def test_references_of_a_set_are_pooled_by_hand():
    # Hits of "the mayor and the dam": 2, 1, 1 and 2 of 3 + 5 + 3 + 5 words; a set's "the" counts
    # as often as the output has it.
    ab, bb, _ = parts(Novelty(base=Rouge(n=1)), topic(), OUTPUT)
    assert ab == pytest.approx((2 + 1 + 1 + 2) / (3 + 5 + 3 + 5))
    assert bb == pytest.approx((2 + 1 + 1 + 2) / (3 + 4 + 3 + 4))


def relabelled(given, output):
    """The earlier references as if they were the update's, an author's own left out."""
    kept = [s for s in given.summaries if s.set == "A" and s.author != output.author]
    return replace(given, summaries=tuple(replace(s, set="B") for s in kept))


@pytest.mark.parametrize(
    "base", [Rouge(n=1), Rouge(n=2), RougeL(), parse_measure_text("rougeSU4")], ids=str
)
def test_a_jackknifed_system_has_the_scores_of_the_jackknifed_base(base):
    measure = Novelty(base=base, jackknife=True, coefficients="none")
    given = topic()
    plain = replace(base, jackknife=True)
    ab, bb, _ = parts(measure, given, OUTPUT)
    assert bb == pytest.approx(parts(plain, given, OUTPUT)[1])
    assert ab == pytest.approx(parts(plain, relabelled(given, OUTPUT), OUTPUT)[1])


@pytest.mark.parametrize("jackknife", [False, True])
def test_a_person_meets_the_others_and_never_their_own(jackknife):
    given = topic()
    person = given.summaries[4]
    assert (person.author, person.set) == ("a", "B")
    measure = Novelty(base=Rouge(n=1), jackknife=jackknife)
    given = given.without(person)
    ab, bb, _ = parts(measure, given, person)
    assert bb == pytest.approx(parts(Rouge(n=1), given, person)[1])
    assert ab == pytest.approx(parts(Rouge(n=1), relabelled(given, person), person)[1])


def three_sets():
    given = topic()
    third = tuple(Summary.of(f"the news of {a}", author=a, set="C") for a in "abcd")
    return replace(given, summaries=given.summaries + third)


def test_all_earlier_sets_count_or_only_the_last():
    output = replace(OUTPUT, set="C")
    one, both = three_sets(), replace(three_sets(), id="other")
    pooled = tuple(replace(s, set="C") for s in one.summaries if s.set != "C")
    last = tuple(s for s in pooled[4:])
    for against, references in (("all", pooled), ("last", last)):
        ab, _, _ = parts(Novelty(base=Rouge(n=1), against=against), both, output)
        alone = replace(one, summaries=references)
        assert ab == pytest.approx(parts(Rouge(n=1), alone, output)[1])


def test_any_measure_may_be_the_base():
    def length(output: Summary, references):
        return len(references) + len(output.sentences)

    base = measure_of(length)
    measure = Novelty(base=base, coefficients="none", jackknife=True)
    # A system meets three of four at a time; a person meets three others.
    assert parts(measure, topic(), OUTPUT)[:2] == [4, 4]
    person = topic().summaries[4]
    assert parts(measure, topic().without(person), person)[:2] == [4, 4]
    assert parts(replace(measure, jackknife=False), topic(), OUTPUT)[:2] == [5, 5]


def test_the_base_predicts_by_recall_unless_a_part_is_named():
    given = topic()
    assert parts(Novelty(base=Rouge(n=1)), given, OUTPUT)[1] == pytest.approx(
        parts(Rouge(n=1), given, OUTPUT)[1]
    )
    named = Novelty(base=parse_measure_text("rouge(n=1).p"), coefficients="none")
    assert parts(named, given, OUTPUT)[1] == pytest.approx(parts(Rouge(n=1), given, OUTPUT)[0])


def test_the_mean_prediction_is_the_prediction_from_mean_scores():
    second = replace(topic(ORIGINALS[::-1], UPDATES[2:]), id="second")
    collection = Collection({"dam": topic(), "second": second})
    scores = score(collection, [Run("s", {"dam": OUTPUT, "second": OUTPUT})], [Novelty()])
    ab, bb, n = scores.average(Novelty())[0]
    assert n == pytest.approx(float(TAC2008["responsiveness"]["r2"].predict(ab, bb)))


def test_table_2_ships_as_printed():
    assert TAC2008["responsiveness"]["r2"] == Coefficients(0.9126, -5.4536, 21.1556)
    assert TAC2008["pyramid"]["be"] == Coefficients(0.0145, -1.3156, 5.0446)
    # The paper's Table 1: projected-CLASSY has R(BB) .087 and R(AB) .075.
    found = TAC2008["responsiveness"]["r2"].predict(np.array(0.075), np.array(0.087))
    assert float(found) == pytest.approx(2.344, abs=0.001)


def test_the_row_for_su4_cannot_be_right_but_fits_rouge_3():
    # A system of TAC 2008 with SU4 .125 and ROUGE-3 .031, to which people gave 2.167 of 5.
    row = TAC2008["responsiveness"]["su4"]
    for share in (0.75, 0.93):
        assert 5.3 < row.predict(np.array(share * 0.125), np.array(0.125)) < 5.4
        assert row.predict(np.array(share * 0.031), np.array(0.031)) == pytest.approx(
            2.18, abs=0.02
        )


def test_the_row_for_su4_is_refused_by_default_with_the_reason():
    with pytest.raises(UsageError, match=r"predicts 5\.3 to 5\.8 .* the scale ends at 5"):
        parse_measure_text("novelty(base=rougeSU4)")


def test_basic_elements_have_their_own_row():
    assert parse_measure_text("novelty(base=rouge-be)").model == TAC2008["responsiveness"]["be"]


@pytest.mark.parametrize("base", ["rougeSU4", "rouge(n=3)"])
def test_the_row_for_su4_is_used_where_it_is_named(base):
    measure = parse_measure_text(f"novelty(base={base},coefficients=tac2008-su4)")
    assert measure.model == TAC2008["responsiveness"]["su4"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("novelty(base=rouge-l)", "no published coefficients"),
        ("novelty(target=fluency)", "not in the published table"),
        ("novelty(coefficients=tac2009)", "did you mean 'tac2008'"),
        ("novelty(base=rouge(n=2,jackknife))", "let novelty leave references out"),
        ("novelty(against=first)", "unknown value 'first'"),
        ("novelty.r", "has no part 'r'"),
    ],
)
def test_what_cannot_predict_is_refused_before_anything_is_scored(text, message):
    with pytest.raises(UsageError, match=message):
        parse_measure_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "novelty(base=rouge(n=2))",
        "novelty(base=rouge(n=1),target=pyramid).n",
        "novelty(base=rouge(n=2),against=last,jackknife)",
        "novelty(base=rouge-su(gap=4),coefficients=none)",
    ],
)
def test_a_novelty_measure_prints_itself_and_parses_back(text):
    assert str(parse_measure_text(text)) == text
    assert parse_measure_text(str(parse_measure_text(text))) == parse_measure_text(text)


def test_without_coefficients_there_are_scores_but_no_prediction():
    measure = parse_measure_text("novelty(base=rouge-l,coefficients=none)")
    assert measure.shown == ("ab", "bb")
    assert np.isnan(parts(measure, topic(), OUTPUT)[2])


def fits():
    return [
        files.SavedFit(base="rouge(n=1)", target="pyramid", constant=0.1, earlier=-1.5, update=2.5),
        files.SavedFit(base="rouge(n=1)", target="fluency", constant=9, earlier=0, update=0),
    ]


def test_a_file_of_coefficients_is_read_back(tmp_path):
    path = tmp_path / "mine.json"
    files.save(fits(), path)
    measure = parse_measure_text(f"novelty(base=rouge(n=1),coefficients={path},target=pyramid)")
    assert measure.model == Coefficients(0.1, -1.5, 2.5)
    ab, bb, n = parts(measure, topic(), OUTPUT)
    assert n == pytest.approx(0.1 - 1.5 * ab + 2.5 * bb)
    assert parse_measure_text(str(measure)) == measure
    assert "alpha:0.1/-1.5/2.5" in measure.signature


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("novelty(base=rouge(n=2),coefficients={})", "no fit for base 'rouge\\(n=2\\)'"),
        ("novelty(base=rouge(n=1),coefficients={},target=x)", "no fit for target 'x'"),
    ],
)
def test_a_file_without_the_fit_that_is_needed_is_refused(tmp_path, text, message):
    path = tmp_path / "mine.json"
    files.save(fits(), path)
    with pytest.raises(UsageError, match=message):
        parse_measure_text(text.format(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "write it with 'chronoscore novelty fit'"),
        ('{"format": "other", "fits": []}', "format 'other'"),
        ('{"format": "chronoscore-coefficients", "fits": [{"base": "x"}]}', r"fits\[0\]"),
    ],
)
def test_a_file_that_holds_no_coefficients_is_refused(tmp_path, text, message):
    path = tmp_path / "mine.json"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        parse_measure_text(f"novelty(coefficients={path})")


def test_an_update_without_earlier_references_is_refused():
    with pytest.raises(DataError, match="no reference summary of a set before B"):
        parts(Novelty(), replace(topic(), summaries=topic().summaries[4:]), OUTPUT)


def test_a_lone_author_has_nobody_to_be_compared_with():
    given = topic(ORIGINALS[:1], UPDATES[:1])
    with pytest.raises(DataError, match="'a' is the only author"):
        parts(Novelty(), given.without(given.summaries[1]), given.summaries[1])


def test_no_pairs_give_no_tallies():
    assert Novelty().tally([]).shape == (0, 3)
