"""Files as people have them: encodings, unreadable answers, result files of other tools."""

import json
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore import ReadingRules
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.corpora.unreadable import describe_unreadable, is_refusal

ANSWER = "- **2031-03-12**: The dam broke.\n- **2031-03-14**: The city was flooded.\n"
BAD: dict[str, tuple[str, bytes]] = {
    "refused": ("md", b"I'm sorry, but I can't help with that."),
    "no date": ("md", b"The dam broke a long time ago."),
    "broken JSON": ("json", b'{"2031-03-12" ["The dam", '),
    "empty": ("md", b" \n"),
    "binary": ("md", b"\x89PNG\0\0\x01\x02"),
    "encoding": ("md", b"- **2031-03-12**: Die D\xe4mme brachen.\n"),
}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A run with a good answer and one of each bad kind, and its references."""
    run, gold = tmp_path / "run", tmp_path / "gold"
    run.mkdir()
    gold.mkdir()
    for number, (ending, content) in enumerate(BAD.values()):
        (run / f"t{number}.{ending}").write_bytes(content)
        (gold / f"t{number}.md").write_text(ANSWER)
    for folder in (run, gold):
        (folder / "good.md").write_text(ANSWER)
        (folder / "README.md").write_text("About this folder.")
        (folder / "LICENSE").write_text("Do as you like.")
        (folder / ".DS_Store").write_bytes(b"\0")
    return run, gold


def scored(folders: tuple[Path, Path], **rules: Any) -> cs.ScoreResult:
    run, gold = folders
    with pytest.warns(ChronoscoreWarning):
        return cs.score(run, gold, "dates", reading=ReadingRules(**rules))


LINE = "6 of 7 answers unreadable: " + ", ".join(f"{reason} 1" for reason in BAD)


def test_bad_answers_count_as_empty_and_are_classified(folders: tuple[Path, Path]) -> None:
    result = scored(folders)
    assert result["run", "dates.r"].value == pytest.approx(1 / 7)
    assert LINE in result.render("table")
    assert LINE in result.render("json")
    assert LINE in result.render("html")
    assert "unreadable:6 empty" in result.signature
    reasons = {row["topic"]: row["unreadable"] for row in json.loads(result.render("json"))}
    assert [reasons[f"t{number}"] for number in range(6)] == list(BAD)
    assert reasons["good"] == ""


def test_skipped_answers_are_left_out_of_the_average(folders: tuple[Path, Path]) -> None:
    result = scored(folders, on_error="skip")
    assert result["run", "dates.r"].value == 1
    assert result["run", "dates.r"].topics == 1
    assert "unreadable:6 skipped" in result.signature


def test_stop_refuses_the_first_bad_answer(folders: tuple[Path, Path]) -> None:
    run, gold = folders
    with pytest.raises(DataError, match=r"t0\.md"):
        cs.score(run, gold, "dates", reading=ReadingRules(on_error="stop"))


def test_if_no_answer_can_be_read_the_first_error_is_raised(folders: tuple[Path, Path]) -> None:
    run, gold = folders
    with pytest.raises(DataError, match=r"t1\.md: holds no dated entry"):
        cs.score(run / "t1.md", gold / "t1.md", "dates")
    with pytest.warns(ChronoscoreWarning, match="1 of 1 answers unreadable: no date 1"):
        lone = cs.score(
            run / "t1.md", gold / "t1.md", "dates", reading=ReadingRules(on_error="empty")
        )
    assert lone["t1", "dates.f"].value == 0


def test_a_bad_reference_always_stops(folders: tuple[Path, Path]) -> None:
    run, gold = folders
    (gold / "good.md").write_text("No date at all.")
    with pytest.raises(DataError, match=r"good\.md"):
        cs.score(run, gold, "dates", reading=ReadingRules(on_error="empty"))


@pytest.mark.parametrize(
    "text",
    [
        "I cannot provide a timeline of this event.",
        "As an AI language model, I don't have access to news.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
        "Je suis désolé, mais je ne peux pas vous aider.",
        "Lo siento, no puedo ayudar con eso.",
        "Desculpe, não posso ajudar com isso.",
        "Mi dispiace, ma non posso aiutarti.",
        "Het spijt me, maar ik kan je hier niet mee helpen.",
        "Извините, я не могу помочь с этим.",
        "عذرًا، لا أستطيع المساعدة في ذلك.",
        "抱歉，我无法提供这个时间线。",
        "申し訳ありませんが、お手伝いできません。",
        "죄송합니다. 도와드릴 수 없습니다.",
    ],
)
def test_refusals_are_recognized_in_many_languages(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize("text", [ANSWER, "The minister resigned in March.", "Der Damm brach."])
def test_answers_are_not_taken_for_refusals(text: str) -> None:
    assert not is_refusal(text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_a_byte_order_mark_says_the_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "mine.md").write_bytes(ANSWER.encode(encoding))
    (tmp_path / "gold.md").write_text(ANSWER)
    assert cs.score(tmp_path / "mine.md", tmp_path / "gold.md", "align+.f").averages[0].value == 1


def test_an_encoding_can_be_named(tmp_path: Path) -> None:
    text = "Die Dämme brachen über Nacht.\n"
    for name in ("mine.txt", "gold.txt"):
        (tmp_path / name).write_bytes(text.encode("cp1252"))
    paths = tmp_path / "mine.txt", tmp_path / "gold.txt"
    measure = "rouge1(prepare=unicode)"
    with pytest.raises(DataError, match="name its `encoding`"):
        cs.score(*paths, measure)
    result = cs.score(*paths, measure, reading=ReadingRules(encoding="cp1252"))
    assert result.averages[0].value == 1
    with pytest.warns(ChronoscoreWarning, match="4 undecodable characters were replaced in 2"):
        cs.score(*paths, measure, reading=ReadingRules(encoding_errors="replace"))
    with pytest.raises(UsageError, match="unknown encoding 'klingon'"):
        cs.score(*paths, measure, reading=ReadingRules(encoding="klingon"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_machine(tmp_path: Path, end: str) -> None:
    (tmp_path / "mine.md").write_bytes(ANSWER.replace("\n", end).encode())
    (tmp_path / "gold.md").write_text(ANSWER)
    assert cs.score(tmp_path / "mine.md", tmp_path / "gold.md", "align+.f").averages[0].value == 1


def test_commas_outside_quotes_stay_in_the_last_column(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(
        "date,text\n2031-03-12,The dam broke, and 10,000 people fled\n2031-03-14,The end\n"
    )
    with pytest.warns(ChronoscoreWarning, match="commas outside quotes"):
        (run,) = cs.load_runs(tmp_path / "mine.csv")
    (timeline,) = run.outputs.values()
    assert isinstance(timeline, cs.Timeline)
    assert timeline.sentences == ("The dam broke, and 10,000 people fled", "The end")


def test_commas_outside_quotes_before_other_columns_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("text,date\nThe dam broke, at last,2031-03-12\n")
    with pytest.raises(DataError, match="3 columns, 2 are named"):
        cs.load_runs(tmp_path / "mine.csv")


CHRONOS = {
    "rouge": {"rouge_1": {"f_score": 0.1}},
    "date_score": {"precision": 1.0},
    "predict-timeline": [
        {"start": "2031-03-12", "events": ["The dam broke."]},
        {"start": "2031-04-01", "events": ["The city was flooded."]},
    ],
}
NEWS_TLS = {
    "average": [{"precision": 0.1}, {"precision": 0.2}, {"precision": 0.3}],
    "results": [
        [
            {"rouge_1": {"precision": 0.1}},
            {"precision": 1.0},
            [["2031-03-12 00:00:00", ["The dam broke."]], ["2031-04-01 00:00:00", ["The end."]]],
        ]
    ],
}


@pytest.mark.parametrize("result", [CHRONOS, NEWS_TLS], ids=["chronos", "news-tls"])
def test_result_files_of_other_tools_are_read(tmp_path: Path, result: object) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(result))
    (run,) = cs.load_runs(tmp_path / "mine.json")
    (timeline,) = run.outputs.values()
    assert isinstance(timeline, cs.Timeline)
    assert [str(entry.when) for entry in timeline] == ["2031-03-12", "2031-04-01"]


def test_results_of_news_tls_belong_to_the_topics_in_their_order(tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.mkdir()
    for name, day in (("b", "2031-03-12"), ("a", "2032-01-01")):
        (gold / f"{name}.md").write_text(f"- **{day}**: The dam broke.\n")
    results = [[{}, {}, [[f"{day} 00:00:00", ["x"]]]] for day in ("2032-01-01", "2031-03-12")]
    (tmp_path / "mine.json").write_text(json.dumps({"average": [], "results": results}))
    with pytest.warns(ChronoscoreWarning, match="in the order of the topics"):
        assert cs.score(tmp_path / "mine.json", gold, "dates")["mine", "dates.f"].value == 1


def test_results_of_news_tls_may_be_one_for_each_reference(tmp_path: Path) -> None:
    days = {"b": ["2031-03-12"], "a": ["2032-01-01", "2032-02-02"]}
    for topic, own in days.items():
        (tmp_path / "gold" / topic).mkdir(parents=True)
        lines = [json.dumps([[f"{day}T00:00:00", ["x"]]]) for day in own]
        (tmp_path / "gold" / topic / "timelines.jsonl").write_text("\n".join(lines))
    made = ["2032-01-01", "2032-02-02", "2031-03-12"]
    results = [[{}, {}, [[f"{day} 00:00:00", ["x"]]]] for day in made]
    (tmp_path / "mine.json").write_text(json.dumps({"average": [], "results": results}))
    (tmp_path / "other").mkdir()
    for topic, own in days.items():
        (tmp_path / "other" / f"{topic}.md").write_text(f"- {own[0]}: x\n")
    with pytest.warns(ChronoscoreWarning, match="order of the topics and their references"):
        result = cs.score([tmp_path / "mine.json", tmp_path / "other"], tmp_path / "gold", "dates")
    assert result["mine", "dates.f"].value == 1
    assert result["other", "dates.f"].value == pytest.approx(2 / 3)
    assert set(result.topics) == {"a.1", "a.2", "b"}


def test_results_that_fit_neither_topics_nor_references_are_refused(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    for topic in "abc":
        (tmp_path / "gold" / f"{topic}.md").write_text("- 2031-03-12: x\n")
    results = [[{}, {}, [["2031-03-12 00:00:00", ["x"]]]]] * 2
    (tmp_path / "mine.json").write_text(json.dumps({"average": [], "results": results}))
    with pytest.raises(DataError, match="2 outputs and does not say for which of the 3 topics"):
        cs.score(tmp_path / "mine.json", tmp_path / "gold", "dates")


def test_the_topic_of_a_chronos_file_stands_in_its_name(tmp_path: Path) -> None:
    for topic in ("egypt", "egypt-war", "war"):
        (tmp_path / "gold" / topic).mkdir(parents=True)
        gold = json.dumps([["2031-03-12", ["The dam broke."]], ["2031-04-01", ["x"]]])
        (tmp_path / "gold" / topic / "timelines.jsonl").write_text(gold)
    (tmp_path / "mine").mkdir()
    for topic in ("egypt", "egypt-war", "war"):
        (tmp_path / "mine" / f"open-gpt-4-{topic}-5.json").write_text(json.dumps(CHRONOS))
    with pytest.warns(ChronoscoreWarning, match="for topic 'egypt'"):
        result = cs.score(tmp_path / "mine", tmp_path / "gold", "dates")
    assert result["mine", "dates.f"].value == 1
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "warning.json").write_text(json.dumps(CHRONOS))
    with pytest.raises(DataError, match="no such topic 'warning'"):
        cs.score(tmp_path / "other", tmp_path / "gold", "dates")


REFUSALS = [
    "I'm sorry, but I cannot summarize this document.",
    "**Unfortunately**, I can't access the article.",
    "Leider kann ich dazu keine Zusammenfassung geben.",
    "Je suis désolée, mais je ne peux pas vous aider.",
    "抱歉，我无法提供摘要。",
]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refusal_is_no_summary(tmp_path: Path, refusal: str) -> None:
    for folder in ("gold", "mine"):
        (tmp_path / folder).mkdir()
        for topic in "ab":
            (tmp_path / folder / f"{topic}.txt").write_text("The dam broke.\n")
    (tmp_path / "mine" / "a.txt").write_text(refusal)

    def score(on_error: Any) -> float:
        rules = ReadingRules(on_error=on_error)
        scores = cs.score(tmp_path / "mine", tmp_path / "gold", "rouge1", reading=rules)
        return scores["mine", "rouge1.f"].value

    with pytest.warns(ChronoscoreWarning, match="1 of 2 answers unreadable: refused 1"):
        assert score(None) == 0.5
    with pytest.warns(ChronoscoreWarning, match="refused 1; left out"):
        assert score("skip") == 1
    with pytest.raises(DataError, match=r"a\.txt: holds a refusal"):
        score("stop")


@pytest.mark.parametrize(
    "text",
    [
        'The minister said: "I\'m sorry, I cannot undo it." He resigned.\n',
        "I'm sorry to go, wrote the minister in May.\n",
        "Leider kam die Hilfe nicht an.\n",
        "I'm sorry, but I cannot help." + " The minister wrote so for many pages." * 40,
    ],
)
def test_a_summary_that_quotes_a_refusal_is_a_summary(tmp_path: Path, text: str) -> None:
    for name in ("mine.txt", "gold.txt"):
        (tmp_path / name).write_text(text)
    scores = cs.score(tmp_path / "mine.txt", tmp_path / "gold.txt", "rouge1")
    assert scores["mine", "rouge1.f"].value == 1


@pytest.mark.parametrize("last", ["2031-04", "2031-04-01"])
def test_of_a_month_and_its_first_day_the_last_in_the_file_counts(
    tmp_path: Path, last: str
) -> None:
    first = {"2031-04": "2031-04-01", "2031-04-01": "2031-04"}[last]
    gold = [[f"{first}T00:00:00", ["Something else."]], [f"{last}T00:00:00", ["The city sank."]]]
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold))
    (tmp_path / "mine.md").write_text("- 2031-04-01: The city sank.\n")
    with pytest.warns(ChronoscoreWarning, match="only the last one counts"):
        result = cs.score(tmp_path / "mine.md", tmp_path / "gold.jsonl", "align+", compat="chronos")
    assert result["mine", "align+.f"].value == pytest.approx(1)


def test_chronos_puts_months_on_their_first_day_and_keeps_the_last_gold_date(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(CHRONOS))
    gold = [
        ["2031 - 03 - 12T00:00:00", ["Something else."]],
        ["2031-03-12T00:00:00", ["The dam broke."]],
        ["2031-04T00:00:00", ["The city was flooded."]],
    ]
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold))
    with pytest.warns(ChronoscoreWarning, match="only the last one counts"):
        result = cs.score(
            tmp_path / "mine.json", tmp_path / "gold.jsonl", ["dates", "align+"], compat="chronos"
        )
    assert {round(average.value, 12) for average in result.averages} == {1.0}
    assert result.signature.split(" average:")[0].endswith("coarse:first")


def test_coarse_dates_stay_as_they_are_unless_told_otherwise() -> None:
    ours, gold = {"mine": {"dam": {"2031-04-15": "A."}}}, {"dam": {"2031-04": "A."}}
    assert cs.score(ours, gold, "dates")["mine", "dates.f"].value == 1
    first = cs.score(ours, gold, "dates", reading=ReadingRules(coarse="first"))
    assert first["mine", "dates.f"].value == 0
    with pytest.raises(UsageError, match="`coarse` is about the dates of timelines"):
        cs.score({"m": {"d": "a"}}, {"d": "a"}, "rouge1", reading=ReadingRules(coarse="first"))


def test_a_run_may_be_scored_on_the_topics_that_all_systems_have() -> None:
    gold = {name: f"text {name}" for name in "abcd"}
    runs = {"one": {"a": "text a", "b": "text b"}, "two": {"b": "text b", "c": "text c"}}
    result = cs.score(runs, gold, "rouge1", reading=ReadingRules(topics="shared"))
    assert result.topics == ("b",)
    assert "topics:1/4" in result.signature
    unread = cs.Run("one", {"a": cs.Summary(("text a",))}, unreadable={"b": "it is empty"})
    other = cs.Run("two", {name: cs.Summary((f"text {name}",)) for name in "abc"})
    result = cs.score([unread, other], gold, "rouge1", reading=ReadingRules(topics="shared"))
    assert result.topics == ("a", "b"), "an answer was given, though it cannot be read"
    with pytest.raises(DataError, match="share no topic"):
        cs.score({"one": {}}, gold, "rouge1", reading=ReadingRules(topics="shared"))


@pytest.mark.parametrize("rules", [{"on_error": "ignore"}, {"coarse": 1}, {"encoding": 8}])
def test_wrong_rules_are_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"`{next(iter(rules))}="):
        cs.score({"m": {"d": "a"}}, {"d": "a"}, "rouge1", reading=ReadingRules(**rules))


@pytest.mark.parametrize("topics", [5, 50])
def test_unreadable_answers_are_counted_once_however_many_rows_there_are(
    topics: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, gold = tmp_path / "run", tmp_path / "gold"
    for folder in (run, gold):
        folder.mkdir()
        for number in range(topics):
            (folder / f"t{number:02}.md").write_text(ANSWER)
    (run / "t00.md").write_bytes(BAD["refused"][1])
    result = scored((run, gold))
    counted: list[int] = []

    def count(runs: Any) -> str:
        counted.append(len(runs))
        return describe_unreadable(runs)

    monkeypatch.setattr("chronoscore.api.scores.describe_unreadable", count)
    rows = result.rows("all")
    assert len(rows) == 3 * (topics + 1)
    assert [row["unreadable"] for row in rows if row["unreadable"]] == ["refused"] * 3
    # Each time, all answers are looked at: once for every row would be quadratic.
    assert len(counted) == 1
