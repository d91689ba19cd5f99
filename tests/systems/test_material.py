"""What systems read: words and days, whatever state the articles are in."""

from dataclasses import replace

import pytest

from chronoscore.core import Output, Ranking, Summary, Timeline, When
from chronoscore.errors import ChronoscoreWarning, DataError
from chronoscore.systems import parse_system
from chronoscore.systems.material import prepare_dated_material, prepare_material
from systems.small_topics import FLOOD, document, topic

TIMELINES = (
    "datewise", "clust", "martschat-markert", "chieu-lee", "wilson", "pubcount", "lead", "random",
)  # fmt: skip
SUMMARIES = ("classy", "projected-classy", "icsisum", "lin-bilmes", "lead-summary")
TEXT = ["The old dam above the town of Pellin broke early in the morning."]


def day(text: str) -> int:
    return When.parse(text).first


def test_a_sentence_tells_of_the_day_that_it_names_else_of_its_articles() -> None:
    lines = {line.id: line for line in prepare_material(FLOOD).lines}
    assert lines["a2-s02"].day == day("2010-05-01")
    assert lines["a2-s02"].mentioned == (day("2010-05-01"),)
    assert lines["a2-s03"].day == day("2010-05-02")
    assert lines["a2-s01"].named == (day("2010-05-02"),)
    assert lines["a2-s01"].mentioned == ()


def test_words_are_stems_without_stop_words() -> None:
    assert prepare_material(FLOOD).lines[0].words == ("river", "break", "dam", "town", "pellin")


def test_articles_in_a_wrong_order_are_put_right() -> None:
    turned = topic(*(FLOOD.documents[place] for place in (3, 1, 2, 0)))
    for name in (*TIMELINES, *SUMMARIES):
        if name != "random":
            assert parse_system(name)(turned) == parse_system(name)(FLOOD), name


def test_repeated_and_empty_articles_are_left_out_and_reported() -> None:
    twice = document("b1", "2010-05-03", [s.text for s in FLOOD.documents[0].sentences])
    with pytest.warns(ChronoscoreWarning, match="1 of 5 articles have the text of an earlier one"):
        assert len(prepare_material(topic(*FLOOD.documents, twice)).documents) == 4
    empty = document("b2", "2010-05-03", [])
    with pytest.warns(ChronoscoreWarning, match="1 of 5 articles have no text, 'b2' first"):
        assert (
            prepare_material(topic(*FLOOD.documents, empty)).lines == prepare_material(FLOOD).lines
        )


@pytest.mark.parametrize("name", TIMELINES)
def test_a_topic_without_any_date_is_refused_by_timeline_systems(name: str) -> None:
    with pytest.raises(DataError, match="no article has a date and no sentence names a day"):
        parse_system(name)(topic(document("a", None, TEXT)))


@pytest.mark.parametrize("name", [*SUMMARIES, "useful-novel", "units-1"])
def test_a_topic_without_any_date_is_no_matter_to_others(name: str) -> None:
    more = ["Rescue boats reached the flooded town of Pellin at noon."]
    undated = parse_system(name)(topic(document("a", None, TEXT), document("b", None, more)))
    dated = parse_system(name)(
        topic(document("a", "2010-05-01", TEXT), document("b", "2010-05-02", more))
    )
    assert what(undated) == what(dated) != []


def what(output: Output) -> list[object]:
    """The sentences of a summary, or of a ranking with their scores; not when they were said."""
    if isinstance(output, Ranking):
        return [(one.sentence, one.score) for one in output.selections]
    assert isinstance(output, Summary)
    return list(output.sentences)


def test_days_are_found_in_articles_without_a_date() -> None:
    undated = topic(document("a", None, ["On 3 June 2010 the old dam above the town broke."]))
    assert prepare_dated_material(undated).lines[0].day == day("2010-06-03")
    for name in TIMELINES:
        found = parse_system(name)(undated)
        assert isinstance(found, Timeline)
        assert [str(when) for when in found.dates] == ["2010-06-03"], name


@pytest.mark.parametrize("name", [*TIMELINES, *SUMMARIES])
def test_one_article_of_one_sentence_is_enough(name: str) -> None:
    part = {"part": "original"} if name == "projected-classy" else {}
    found = parse_system(name)(topic(document("a", "2010-05-01", TEXT)), **part)
    assert list(found.sentences) == TEXT  # type: ignore[union-attr]


@pytest.mark.parametrize("name", [*TIMELINES, *SUMMARIES, "useful-novel"])
def test_another_script_is_summarised_all_the_same(name: str) -> None:
    texts = [
        ["大坝在清晨决堤，洪水淹没了整个城镇。", "救援人员乘船赶到现场营救居民。"],
        ["洪水淹没了城镇的许多房屋和道路。", "政府承诺向灾民提供援助资金。"],
        ["调查委员会开始调查大坝决堤的原因。"],
    ]
    days = ("2010-05-01", "2010-05-02", "2010-05-03")
    chinese = topic(
        *(document(f"a{n}", d, t) for n, (d, t) in enumerate(zip(days, texts, strict=True)))
    )
    found = parse_system(name)(chinese)
    if isinstance(found, Timeline):
        said = {str(entry.when): entry.sentences for entry in found}
        assert said
        assert all(set(said[day]) <= set(texts[days.index(day)]) for day in said)
    else:
        known = [one for text in texts for one in text]
        ids = [one.id for article in chinese.documents for one in article.sentences]
        chosen = [one[0] if isinstance(one, tuple) else one for one in what(found)]
        assert chosen
        assert set(chosen) <= {*known, *ids}
        assert len(set(chosen)) == len(chosen)


def test_a_topic_without_documents_or_text_is_refused() -> None:
    with pytest.raises(DataError, match="there are no documents"):
        parse_system("datewise")(topic())
    with (
        pytest.warns(ChronoscoreWarning, match="no text"),
        pytest.raises(DataError, match="documents have no text"),
    ):
        parse_system("classy")(topic(document("e", "2010-05-01", [" "])))


def test_key_words_are_found_in_any_case() -> None:
    stories = topic(
        document("a1", "2010-05-01", ["The RIVER broke the old dam.", "A minister came to see it."])
    )
    found = prepare_dated_material(replace(stories, keywords=("River",)))
    assert [line.text for line in found.relevant] == ["The RIVER broke the old dam."]


def test_an_article_of_a_month_appeared_on_no_day() -> None:
    (line,) = prepare_material(
        topic(document("a1", "2010-05", ["It rained for days on end."]))
    ).lines
    assert (line.published, line.day) == (None, None)
