"""What a model is told, and in which order it is shown what it judges."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.formats.judgements import judgement_files
from chronoscore.judging.outputs import NUGGETS
from chronoscore.judging.questions import Item, ItemQuestion
from chronoscore.judging.rubrics import Rubric, Verdict, combine_votes
from chronoscore.judging.sources import LINK
from chronoscore.judging.statements import PAIRS
from judging import small_corpus
from judging.chat_server import Body, Said, answer, data_of, good, serving

OUTPUT = {"mine": {"dam": small_corpus.OUTPUT}}
REFERENCES = {"dam": [small_corpus.REFERENCE]}


@pytest.fixture
def nuggets(tmp_path: Path) -> Path:
    return small_corpus.write_nuggets(tmp_path / "nuggets.jsonl")


def fields_of(body: Body) -> list[str]:
    """The fields of an answer to one item, as the schema has them."""
    schema = body["response_format"]["json_schema"]["schema"]
    return list(schema["properties"]["answers"]["items"]["properties"])


def test_a_reason_comes_before_the_label_and_is_not_needed(nuggets: Path) -> None:
    with serving() as server:
        result = cs.judge("nuggets", OUTPUT, nuggets=nuggets, model="m", endpoint=server.url)
    assert fields_of(server.bodies[0]) == ["id", "reason", "label"]
    system = server.bodies[0]["messages"][0]["content"]
    assert system.index('"reason"') < system.index('"label"')
    assert result.abstained == 0, "this server gives no reasons"


def test_what_was_asked_about_sentences_is_asked_as_before() -> None:
    """Answers about links, units of sources and proposed nuggets stay in use."""
    assert LINK.digest == "fda3bf5f586a0f7a"


def test_the_order_of_items_follows_from_seed_and_vote_alone() -> None:
    items = tuple(Item(f"k{n}", {"text": f"text {n}"}) for n in range(8))
    question = ItemQuestion(NUGGETS, items, {})
    orders = {
        (seed, vote): tuple(question.arranged(seed, vote).asked)
        for seed in range(3)
        for vote in range(20)
    }
    assert all(sorted(order) == sorted(question.asked) for order in orders.values())
    assert len(set(orders.values())) == 60
    assert question.arranged(1, 2) == question.arranged(1, 2)
    renamed = ItemQuestion(NUGGETS, tuple(Item(f"x{i.key}", i.shown) for i in items), {})
    assert renamed.arranged(1, 2).prompt == question.arranged(1, 2).prompt
    firsts = Counter(order[0] for order in orders.values())
    assert max(firsts.values()) <= 20, "every item comes first now and then"
    story = ItemQuestion(LINK, items, {}, {"e": {"text": "event"}})
    assert story.arranged(1, 2) is story, "sentences of a story stay in order"


def test_each_pair_is_exchanged_in_every_other_vote() -> None:
    items = tuple(
        Item(f"k{n}", {"first": {"text": f"a{n}"}, "second": {"text": f"b{n}"}}) for n in range(40)
    )
    question = ItemQuestion(PAIRS, items, {})

    def exchanged(vote: int) -> set[str]:
        asked = question.arranged(0, vote).items
        return {item.key for item in asked if item.shown["first"]["text"].startswith("b")}

    assert exchanged(0) == exchanged(2)
    assert exchanged(0) | exchanged(1) == set(question.asked)
    assert not exchanged(0) & exchanged(1)
    assert 10 <= len(exchanged(0)) <= 30, "with one vote about half of the pairs"


def test_a_judge_that_prefers_the_first_place_loses_its_say_over_votes(nuggets: Path) -> None:
    """It supports whatever comes first; an order of chance spreads that over the items."""

    def biased(_number: int, body: Body) -> Said:
        ids = [item["id"] for item in data_of(body)["items"]]
        rows = [{"id": one, "label": "support" if one == ids[0] else "none"} for one in ids]
        return Said(json.dumps({"answers": rows}))

    options = cs.RequestOptions(votes=21)
    with serving(biased) as server:
        result = cs.judge(
            "nuggets", OUTPUT, nuggets=nuggets, model="m", endpoint=server.url, options=options
        )
    orders = {tuple(one["text"] for one in data_of(body)["items"]) for body in server.bodies}
    assert len(orders) > 1
    assert {row["label"] for row in result.rows() if "label" in row} == {"none"}
    assert result.settings["judge"]["order_seed"] == 0


def test_guidelines_are_added_and_an_instruction_is_replaced(
    run: Any, nuggets: Path, tmp_path: Path
) -> None:
    guide, own = tmp_path / "guide.txt", tmp_path / "own.txt"
    guide.write_text("Count hedged statements as partial.")
    own.write_text("Say whether the text tells the nugget.")
    output = tmp_path / "mine" / "dam.json"
    output.parent.mkdir()
    output.write_text(json.dumps([[day, [text]] for day, text in small_corpus.OUTPUT.items()]))
    asked = ("judge nuggets --model m --show-prompt --nuggets", nuggets, output.parent)
    plain = run(*asked).out
    assert "a text that tells a nugget under another date" in plain
    assert '"items"' in plain
    assert '"enum"' in plain
    guided = run(*asked, "--guidelines", guide).out
    assert "Count hedged statements as partial." in guided
    assert "Say for each nugget whether the text supports it" in guided
    replaced = run(*asked, "--prompt", own).out
    assert "Say whether the text tells the nugget." in replaced
    assert "Say for each nugget" not in replaced
    assert '"label": "support | partial | none"' in replaced, "the form of the answer stays"
    assert "Dates do not count" in run(*asked, "--ignore-dates").out
    guide.write_text(" ")
    assert "is empty" in run(*asked, "--guidelines", guide, code=3).err


def test_every_wording_has_its_own_digest(nuggets: Path, tmp_path: Path) -> None:
    guide = tmp_path / "guide.txt"
    guide.write_text("Be strict.")
    given: dict[str, Any] = {"nuggets": nuggets, "model": "m", "dry_run": True}
    results = [
        cs.judge("nuggets", OUTPUT, **given),
        cs.judge("nuggets", OUTPUT, **given, ignore_dates=True),
        cs.judge("nuggets", OUTPUT, **given, options=cs.RequestOptions(guidelines=guide)),
        cs.judge("nuggets", OUTPUT, **given, options=cs.RequestOptions(prompt=guide)),
        cs.judge("nuggets", OUTPUT, **given, options=cs.RequestOptions(confidence=True)),
    ]
    assert len({result.settings["judge"]["prompt"] for result in results}) == 5


def test_confidence_is_asked_for_and_written(nuggets: Path, tmp_path: Path) -> None:
    def sure(_number: int, body: Body) -> Said:
        rows = json.loads(answer(body))["answers"]
        for row, value in zip(rows, (90, "70", 300), strict=True):
            row["confidence"] = value
        return Said(json.dumps({"answers": rows}))

    out = tmp_path / "judged.jsonl"
    options = cs.RequestOptions(confidence=True)
    with serving(sure) as server:
        result = cs.judge(
            "nuggets",
            OUTPUT,
            nuggets=nuggets,
            model="m",
            endpoint=server.url,
            output=out,
            options=options,
        )
    assert fields_of(server.bodies[0]) == ["id", "reason", "label", "confidence"]
    rows = [row for row in result.rows() if "label" in row]
    assert sorted(row.get("confidence", -1) for row in rows) == [-1, 70, 90]
    assert result.abstained == 0, "a confidence that is none spoils no label"
    assert cs.score(out, None, "nuggets", judgements=out)
    votes = [Verdict("support", (), 80.0), Verdict("support", (), 60.0), Verdict("none", (), 99.0)]
    assert combine_votes(NUGGETS, votes) == Verdict("support", (), 70.0)


def test_confidence_of_pairs_stands_beside_the_value(tmp_path: Path) -> None:
    def sure(_number: int, body: Body) -> Said:
        rows = json.loads(answer(body))["answers"]
        return Said(json.dumps({"answers": [{**row, "confidence": 55} for row in rows]}))

    out = tmp_path / "pairs.jsonl"
    options = cs.RequestOptions(confidence=True)
    with serving(sure) as server:
        cs.judge(
            "pairs",
            OUTPUT,
            references=REFERENCES,
            model="m",
            endpoint=server.url,
            output=out,
            options=options,
        )
    assert '"confidence": 55.0' in out.read_text()
    assert cs.score(OUTPUT, REFERENCES, f"pairs(unit=entry,similarity=file(path={out}))")


def test_confidence_of_links_stands_with_the_sentence(tmp_path: Path) -> None:
    """Of every sentence, also of those that tell no event."""

    def sure(_number: int, body: Body) -> Said:
        rows = json.loads(answer(body))["answers"]
        return Said(json.dumps({"answers": [{**row, "confidence": 60} for row in rows]}))

    stream, out = small_corpus.write_stream(tmp_path / "stream.jsonl"), tmp_path / "link.jsonl"
    options = cs.RequestOptions(confidence=True, votes=2, temperature=1)
    with serving(sure) as server, pytest.warns(ChronoscoreWarning, match="footer"):
        cs.judge("link", stream, model="m", endpoint=server.url, output=out, options=options)
    assert fields_of(server.bodies[0]) == ["id", "confidence", "events"]
    assert "how sure you are of the list of events" in server.bodies[0]["messages"][0]["content"]
    rows = list(map(json.loads, out.read_text().splitlines()))
    told = [row.get("confidence") for row in rows if row["kind"] == "sentence"]
    assert told == [{"model": 60.0}] * len(small_corpus.STORY)
    (topic,) = judgement_files.load(out).topics.values()
    assert topic.judgements is not None
    assert {*topic.judgements.confidences} == {*topic.judgements.sentences}


def test_the_file_of_a_machine_names_no_people_as_its_judges(tmp_path: Path) -> None:
    people = small_corpus.write_stream(tmp_path / "people.jsonl")
    named = people.read_text().replace('"title":', '"judges": ["Ann"], "title":')
    people.write_text(named)
    out = tmp_path / "link.jsonl"
    with serving() as server, pytest.warns(ChronoscoreWarning, match="footer"):
        cs.judge("link", people, model="m", endpoint=server.url, output=out)
    assert judgement_files.load(out).topics["dam"].judgements.authors == {"model"}  # type: ignore[union-attr]


def test_confidence_is_refused_where_no_file_would_hold_it() -> None:
    options = cs.RequestOptions(confidence=True)
    with pytest.raises(UsageError, match="has no place for a confidence"):
        cs.judge("nuggets", REFERENCES, make=True, model="m", dry_run=True, options=options)


def test_questions_with_wording_of_their_own_refuse_guidelines(tmp_path: Path) -> None:
    from chronoscore.judging.jobs import Job

    class Bare:
        asked = ("x",)

    job = Job(Rubric("own", "Say."), (Bare(),), lambda _outcomes: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(UsageError, match="'own' have wording of their own"):
        job.reworded(job.rubric)
    with pytest.raises(DataError):
        cs.judge(
            "pairs",
            OUTPUT,
            references=REFERENCES,
            model="m",
            dry_run=True,
            options=cs.RequestOptions(prompt=tmp_path / "missing.txt"),
        )


def test_nuggets_are_proposed_by_the_guidelines_too(tmp_path: Path) -> None:
    guide = tmp_path / "guide.txt"
    guide.write_text("Prefer numbers.")
    options = cs.RequestOptions(guidelines=guide)
    with serving(good) as server:
        cs.judge("nuggets", REFERENCES, make=True, model="m", endpoint=server.url, options=options)
    assert "Prefer numbers." in server.bodies[0]["messages"][0]["content"]
