"""Texts in any language: how they are read, and that nothing is scored 0 in silence."""

import warnings

import pytest

import chronoscore as cs
from chronoscore.errors import ChronoscoreWarning, UsageError
from chronoscore.text.languages import detect_language, is_in_unreadable_script

SENTENCES = {
    "english": "The dam broke in the morning and the city was flooded.",
    "german": "Der Damm ist am Morgen gebrochen und die Stadt wurde überflutet.",
    "french": "Le barrage a cédé dans la matinée et la ville a été inondée.",
    "spanish": "La presa se rompió por la mañana y la ciudad quedó inundada.",
    "portuguese": "A barragem rompeu-se pela manhã e a cidade foi inundada.",
    "italian": "La diga è crollata al mattino e la città è stata allagata.",
    "dutch": "De dam brak in de ochtend door en de stad werd overstroomd.",
    "russian": "Плотина прорвалась утром, и город был затоплен.",
    "arabic": "انهار السد في الصباح وغمرت المياه المدينة.",
    "chinese": "大坝在早晨决堤，城市被淹没。",
    "japanese": "朝にダムが決壊し、町は水浸しになった。",
    "korean": "아침에 댐이 무너져 도시가 물에 잠겼다.",
}
UNSEEN = ("russian", "arabic", "chinese", "japanese", "korean")


def timeline(language: str) -> dict[str, str]:
    return {"2031-03-12": SENTENCES[language]}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_timeline_against_itself_is_1_in_every_language(language: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChronoscoreWarning)
        result = cs.score(
            {"mine": {"dam": timeline(language)}}, {"dam": timeline(language)}, ["align+", "concat"]
        )
    assert {round(average.value, 12) for average in result.averages} == {1.0}
    expected = f"language:{language}" if language in UNSEEN else "prepare:perl155"
    assert expected in result.signature


@pytest.mark.parametrize("language", SENTENCES)
def test_auto_reads_each_language_by_its_own_preparation(language: str) -> None:
    result = cs.score(
        {"mine": {"dam": timeline(language)}}, {"dam": timeline(language)}, "align+(language=auto)"
    )
    prepare = "perl155" if language == "english" else "unicode"
    assert f"prepare:{prepare}" in result.signature
    assert f"language:{language}" in result.signature


@pytest.mark.parametrize("language", SENTENCES)
def test_a_language_is_detected_from_one_sentence(language: str) -> None:
    assert detect_language([SENTENCES[language]]) == language
    assert is_in_unreadable_script([SENTENCES[language]]) == (language in UNSEEN)


@pytest.mark.parametrize("measures", ["rouge1", ["rouge1", "rouge2", "rouge-l"]])
def test_a_script_that_perl155_cannot_see_is_warned_of_once(measures: object) -> None:
    text = SENTENCES["chinese"]
    with pytest.warns(ChronoscoreWarning, match="prepare=unicode,language=chinese") as caught:
        result = cs.score({"mine": {"dam": text}}, {"dam": text}, measures)
    assert len(caught) == 1
    assert result.averages[0].value == 1


def test_a_preparation_that_was_named_is_kept_with_a_warning() -> None:
    text = SENTENCES["chinese"]
    with pytest.warns(ChronoscoreWarning, match="write prepare=unicode or language=auto"):
        result = cs.score({"mine": {"dam": text}}, {"dam": text}, "rouge1(prepare=perl155)")
    assert result.averages[0].value == 0


def test_topics_of_several_languages_are_each_read_in_their_own() -> None:
    texts = {name: timeline(name) for name in SENTENCES}
    with pytest.warns(ChronoscoreWarning, match="5 of 12 topics"):
        result = cs.score({"mine": texts}, texts, "align+")
    assert result["mine", "align+.f"].value == pytest.approx(1)
    assert "languages:arabic=1,chinese=1," in result.signature


def test_english_figures_do_not_depend_on_auto() -> None:
    ours, gold = "The dams were breaking at 6:30.", "A dam broke; the city's houses flooded."
    with_auto = cs.rouge(ours, gold, ["rouge1(stem,stop,language=auto)"])
    assert list(with_auto.values()) == list(cs.rouge(ours, gold, ["rouge1(stem,stop)"]).values())


def test_one_text_in_an_unseen_script_is_scored_as_perl_does_with_a_warning() -> None:
    text = SENTENCES["japanese"]
    with pytest.warns(ChronoscoreWarning, match="give prepare='unicode' or language='auto'"):
        assert cs.rouge(text, text, "rouge1")["rouge1"].f == 0
    with pytest.warns(ChronoscoreWarning, match="give prepare='unicode' or language='auto'"):
        assert cs.rouge_many([text], [text], "rouge1")["rouge1.f"] == [0.0]
    assert cs.rouge(text, text, "rouge1", language="auto")["rouge1"].f == 1
    assert cs.rouge_many([text], [text], "rouge1", language="auto")["rouge1.f"] == [1.0]


def test_an_output_that_only_unicode_could_see_is_warned_of() -> None:
    with pytest.warns(ChronoscoreWarning, match="run 'mine', topic 'dam'.*prepare=unicode"):
        cs.score({"mine": {"dam": SENTENCES["korean"]}}, {"dam": SENTENCES["english"]}, "rouge1")


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("rouge(language=klingon)", "unknown language"),
        ("align+(language=german)", "write prepare=unicode,language=german, or language=auto"),
    ],
)
def test_languages_that_would_be_ignored_are_refused(measure: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cs.parse_measure(measure)


def test_a_language_without_stop_words_is_noted() -> None:
    text = "Dammen brast på morgonen och staden översvämmades."
    with pytest.warns(ChronoscoreWarning, match="language=swedish; none are removed"):
        cs.score(
            {"mine": {"dam": {"2031-03-12": text}}},
            {"dam": {"2031-03-12": text}},
            "align+(prepare=unicode,language=swedish)",
        )
