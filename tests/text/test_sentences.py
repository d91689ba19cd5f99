"""Sentences of running text and where they stand."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronoscore.text.sentences import sentences_in, split_into_sentences
from dates.tagged_dates import data
from demo.raw_files import TOPICS, articles


@pytest.mark.parametrize(
    "sentences",
    [
        ["The dam broke.", "Nobody was hurt."],
        ["Mr. Quist and Dr. Brody met Gen. Orrin L. Vane.", "They spoke for 3.5 hours."],
        ["J. K. Marlow paid No. 5 St. James Street $4.50.", "It was Jan. 5."],
        ["It fell at 9 a.m. on Tuesday.", "The U.S. Senate met at 10 p.m.", "He left."],
        ["He worked for Acme Inc. in Ohio, e.g. as a guard.", "She did not."],
        ["“Stop!” he said.", "“Why?” she asked.", "Nobody knew."],
        ['"It is light," said Quist.', '"Too light."', "(He sat down.)", "Then he rose."],
        ["Is it real?", "No!", "It is a copy…", "And a bad one."],
        ["iPhones sold well.", "iPads did not."],
        ["See pp. 12 and vol. 3, fig. 4 of the report.", "It is long."],
        ["They came from the U.S.", "The ship was late."],
    ],
)
def test_english_sentences_end_where_they_end(sentences: list[str]) -> None:
    assert split_into_sentences(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["大坝决口了。", "没有人受伤！", "为什么？"],
        ["ダムが決壊した。", "「逃げろ！急げ！」と彼は叫んだ。", "死者はいない。"],
        ["他说：“快跑！快跑！”", "然后离开了。", "“停下。”，她说。"],
        ["今天下雨了!", "明天会怎样?", "没有人知道。"],
        ["『津波』の記事（一部。）を、彼は読んだ。", "値段は3.5ドルだ。"],
        ["「閉じない。", "次の文。"],
        ["बाँध टूट गया।", "कोई घायल नहीं हुआ।"],
        ["انهار السد؟", "لا أحد يعرف."],
        ["Ամբարտակը փլվեց։", "Ոչ ոք չի տուժել։"],
        ["ግድቡ ፈረሰ።", "ማንም አልተጎዳም።"],
        ["Плотина рухнула.", "Никто не пострадал."],
    ],
)
def test_other_scripts_have_full_stops_of_their_own(sentences: list[str]) -> None:
    wide = sentences[0][-1] in "。！!”"
    assert split_into_sentences(("" if wide else " ").join(sentences)) == sentences


def test_wrapped_lines_of_chinese_and_japanese_are_joined_without_a_space() -> None:
    text = (
        "ダムは雨の後の木曜日に町の上で突然\n決壊したが、死者は一人もいなかった。\n次の日だった。"
    )
    assert split_into_sentences(text) == [
        "ダムは雨の後の木曜日に町の上で突然決壊したが、死者は一人もいなかった。",
        "次の日だった。",
    ]


def test_a_space_that_does_not_break_keeps_a_title_with_its_name() -> None:
    assert split_into_sentences("Mr.\u00a0Quist came. He left.") == ["Mr. Quist came.", "He left."]


def test_a_headline_is_a_sentence_without_a_stop() -> None:
    text = "Dam fails above Corvane\n\nThe dam broke on\nThursday. It was old.\n"
    assert split_into_sentences(text) == [
        "Dam fails above Corvane",
        "The dam broke on Thursday.",
        "It was old.",
    ]


def test_a_short_line_before_a_capital_is_a_headline_even_without_a_blank_line() -> None:
    text = "Dam fails\nThe dam above the town of Corvane broke on Thursday.\nIt was old and weak."
    assert split_into_sentences(text)[0] == "Dam fails"


def test_wrapped_lines_stay_together_and_items_of_a_list_do_not() -> None:
    wrapped = "The dam above the town of Corvane, which\nTovar built, broke on Thursday."
    assert len(split_into_sentences(wrapped)) == 1
    assert split_into_sentences("Bring:\n- a boat\n- a rope") == ["Bring:", "- a boat", "- a rope"]


def test_a_quote_that_tokenised_text_sets_apart_closes_its_sentence() -> None:
    text = 'He wrote : " We are late . " The ship left .'
    assert split_into_sentences(text) == ['He wrote : " We are late . "', "The ship left ."]


def test_a_long_row_of_dots_is_no_trap() -> None:
    dots = "." * 100_000
    assert split_into_sentences(f"{dots}a") == [f"{dots}a"]
    assert split_into_sentences(f"So{dots} He left.") == [f"So{dots}", "He left."]


@given(st.text(alphabet="aB 1.!?…\"'“”()\n。！と水「」।,", max_size=80))
def test_sentences_cover_the_text_in_order_and_leave_only_spaces_out(text: str) -> None:
    left, end = text, 0
    for start, stop in sentences_in(text):
        assert end <= start < stop
        assert text[end:start].strip() == ""
        assert text[start:stop] == text[start:stop].strip()
        end = stop
    assert left[end:].strip() == ""


@pytest.mark.parametrize("topic", TOPICS)
def test_the_demo_articles_are_split_as_they_were_written(topic: str) -> None:
    written = [article["sentences"] for article in articles(topic)]
    found = [split_into_sentences(" ".join(sentences)) for sentences in written]
    # One sentence of the corpus quotes two, and those are split.
    assert sum(a != b for a, b in zip(written, found, strict=True)) <= (topic == "theft")


def test_sentences_of_real_news_are_found() -> None:
    found = wanted = shared = 0
    for path in sorted((data("meantime") / "intra-doc_annotation").glob("*/*.xml")):
        by_sentence: dict[int, str] = {}
        for token in ET.parse(path).getroot().iter("token"):
            word, number = token.text or "", int(token.get("sentence", ""))
            said = by_sentence.get(number, "")
            close = re.match(r"[.,;:!?)%'’”]|n't", word) or said[-1:] in ("", "(", "$", "“")
            by_sentence[number] = said + ("" if close else " ") + word
        title, date, *body = by_sentence.values()
        text, ends = f"{title}\n\n{date}\n\n", set()
        opening = len(text)
        for sentence in body:
            text += sentence
            ends.add(len(text))
            text += " "
        mine = {end for start, end in sentences_in(text) if start >= opening}
        found, wanted, shared = found + len(mine), wanted + len(ends), shared + len(mine & ends)
    assert 2 * shared / (found + wanted) > 0.99
