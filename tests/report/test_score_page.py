"""The report on scores: what it says, and how it looks and works in a real browser."""

import json
import random
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import chronoscore as cs
from chronoscore import demo
from chronoscore.api.page import contents_of
from chronoscore.core import Timeline, Topic
from chronoscore.explanations import DayExplanation, changes
from chronoscore.explanations.words import Reader
from chronoscore.measures.timelines.align_measures import (
    Align,
    AlignmentMeasure,
    AlignPlus,
    DateAgreement,
)
from chronoscore.reports.rails import rails, split_marked
from chronoscore.reports.score_page import Contents, score_page

SYSTEMS = [demo.RUNS / system / "timelines" for system in demo.SYSTEMS]
MEASURES = ["align+", "dates", "concat"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on the demo's timelines, with ceilings."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    return cs.report(SYSTEMS, demo.CORPUS, MEASURES, path=path, ceiling=True)


def open_page(browser: Any, path: Path, width: int = 1280, scheme: str = "light") -> Any:
    """The page in a browser that is offline; errors of its script fail the test."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
    )
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(path.as_uri())
    return page


def first_card(report: Path) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", report.read_text().split('id="leaderboard"')[0]))


def test_the_first_card_says_who_is_ahead_and_that_it_is_significant(report: Path) -> None:
    text = first_card(report)
    assert "careful is ahead of extract by 0.095 align+.f and wins on 12 of 12 topics." in text
    # All 12 differences have one sign: 2 of 2 ** 12 swaps are as extreme, in each of 15 tests.
    assert f"p = {15 * 2 / 2**12:.4f} after Holm's correction, 12 topics" in text


def test_the_first_card_says_that_three_topics_prove_nothing(tmp_path: Path) -> None:
    gold = [demo.CORPUS / topic for topic in ("dam", "ferry", "theft")]
    runs = [
        cs.Run(run.system, {topic.name: run.outputs[topic.name] for topic in gold})
        for run in cs.load_runs(SYSTEMS)
    ]
    text = first_card(cs.report(runs, gold, "align+", path=tmp_path / "few.html"))
    assert "careful is ahead of extract by 0.129 align+.f and wins on 3 of 3 topics." in text
    assert "no difference can be significant" in text


def test_the_page_asks_for_nothing_from_elsewhere(report: Path) -> None:
    page = report.read_text()
    outside = [link for link in re.findall(r"https?://[^\s\"'<>]+", page) if "w3.org" not in link]
    assert outside == []
    assert not re.search(r"\b(src|href)=\"(?!#)", page)


def test_the_leaderboard_has_the_figures_of_score_and_sorts_by_keyboard(
    report: Path, browser: Any
) -> None:
    page = open_page(browser, report)
    board = page.locator("[data-shows='0'] .board")

    def column(number: int) -> list[str]:
        cells = board.locator(f"tbody tr > :nth-child({number})").all()
        return [cell.inner_text().split()[0] for cell in cells]

    result = cs.score(SYSTEMS, demo.CORPUS, MEASURES)
    figures = {name: f"{result[name, 'align+.f'].value:.3f}" for name in result.systems}
    assert dict(zip(column(2), column(4), strict=True)) == figures
    assert column(4) == sorted(figures.values(), reverse=True)
    heading = board.get_by_role("button", name="dates.f")
    heading.focus()
    page.keyboard.press("Enter")
    dates = [f"{result[name, 'dates.f'].value:.3f}" for name in column(2)]
    assert dates == sorted(dates, reverse=True)
    page.keyboard.press("Enter")
    assert column(2) != result.systems
    assert [result[name, "dates.f"].value for name in column(2)] == sorted(
        result[name, "dates.f"].value for name in result.systems
    )


def test_a_measure_and_an_explanation_can_be_chosen(report: Path, browser: Any) -> None:
    page = open_page(browser, report)
    page.get_by_role("button", name="dates.f").first.click()
    assert page.locator("[data-shows='1'] .board").is_visible()
    assert not page.locator("[data-shows='0'] .board").is_visible()
    page.locator("[data-shows='1'] .board a", has_text="late").click()
    page.select_option("#why-topic", "ferry")
    explained = cs.explain(demo.RUNS / "late" / "timelines", demo.CORPUS, topic="ferry")
    known = explained.rails["ferry"]
    left = page.locator(".rails .left time").all_inner_texts()
    right = page.locator(".rails .right time").all_inner_texts()
    assert (left, right) == (known["reference"], known["system"])
    links = known["sides"]["recall"]["links"]
    assert page.locator(".rails .link").count() == len(links)
    assert page.locator(".rails .link.off").count() == sum(link[4] > 0 for link in links)
    check_links(page, known)
    # As on paper: another width, another layout, and the links are still at their cards.
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 900})
    check_links(page, known)


def check_links(page: Any, known: Any) -> None:
    """Every link is seen and joins the dates of its two cards."""
    script = """() => [...document.querySelectorAll(".rails .link")].map((link) => {
      const box = link.getBoundingClientRect();
      const same = !link.matches(".up, .down");
      const middle = (box.top + box.bottom) / 2;
      const ends = link.matches(".up") ? [box.bottom, box.top] : [box.top, box.bottom];
      return [box.width, ...(same ? [middle, middle] : ends)];
    })"""
    tops = [
        page.locator(f".rails .{side}").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().top)"
        )
        for side in ("left", "right")
    ]
    drawn = page.evaluate(script)
    for (here, there, *_), (width, start, end) in zip(
        known["sides"]["recall"]["links"], drawn, strict=True
    ):
        assert width > 20
        assert (start - tops[0][here], end - tops[1][there]) == pytest.approx((16, 16), abs=1.5)


def test_every_choice_stands_in_the_address_and_the_back_button_undoes_it(
    report: Path, browser: Any
) -> None:
    page = open_page(browser, report)
    before = page.locator("#why-system").input_value()
    page.get_by_role("button", name="dates.f").first.click()
    page.select_option("#why-system", "random")
    page.select_option("#why-topic", "ferry")
    assert page.evaluate("location.hash") == "#why/random/ferry/align+/recall"
    address = page.evaluate("location.href")
    page.go_back()
    page.go_back()
    assert page.locator("#why-system").input_value() == before
    assert page.evaluate("location.hash") == "#leaderboard/dates.f"
    page.go_back()
    assert page.locator("[data-shows='0'] .board").is_visible()
    # A colleague opens what was seen.
    page.goto("about:blank")
    page.goto(address)
    assert page.locator("#why-system").input_value() == "random"
    assert page.locator("#why-topic").input_value() == "ferry"
    assert page.locator("#why").bounding_box()["y"] < 300


def test_explanations_open_on_the_system_with_most_to_gain(report: Path, browser: Any) -> None:
    page = open_page(browser, report)
    data = json.loads(page.locator("#data").text_content())
    gains = {
        (system, topic): known["changes"][0][1]
        for system, topics in data["explanations"].items()
        for topic, known in topics.items()
        if known["changes"] and system != "careful"
    }
    chosen = (
        page.locator("#why-system").input_value(),
        page.locator("#why-topic").input_value(),
    )
    assert gains[chosen] == max(gains.values())


def test_tables_are_copied_and_figures_saved_from_a_file(report: Path, browser: Any) -> None:
    page = open_page(browser, report)
    page.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text; }")
    card = page.locator("#leaderboard")
    card.get_by_role("button", name="Copy table as Markdown").click()
    lines = page.evaluate("copied").splitlines()
    assert lines[0].startswith("| system | align+.f | P | R |")
    assert lines[2].startswith("| careful | 0.461 [0.434, 0.489] |")
    card.get_by_role("button", name="Copy table as CSV").click()
    assert 'careful,"0.461 [0.434, 0.489]",' in page.evaluate("copied")
    card.get_by_role("button", name="Copy table as LaTeX").click()
    assert r"\toprule" in page.evaluate("copied")
    for name, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            page.locator("#dates").get_by_role("button", name=f"Save figure as {name}").click()
        assert download.value.suggested_filename == f"dates.{name.lower()}"
        assert Path(download.value.path()).read_bytes().startswith(start)


def test_the_bars_add_up_and_end_at_the_figures_of_score(report: Path, browser: Any) -> None:
    page = open_page(browser, report)
    result = cs.score(SYSTEMS, demo.CORPUS, MEASURES)
    (account,) = (
        one for one in json.loads(page.locator("#points-data").text_content())
        if one["measure"] == "align+"
    )  # fmt: skip
    assert [one["name"] for one in account["systems"]] == result.ranking
    for one in account["systems"]:
        recall, precision = one["shares"]
        assert sum(recall) == pytest.approx(1, abs=5e-4)
        assert sum(precision) == pytest.approx(1, abs=5e-4)
        for value, part in ((recall[0], "r"), (precision[0], "p"), (one["value"], "f")):
            assert value == pytest.approx(result[one["name"], f"align+.{part}"].value, abs=1e-4)
        assert one["value"] <= min(one["repaired"].values()) + 1e-4
    page.get_by_role("button", name="precision: of what the system says").click()
    assert page.evaluate("location.hash") == "#points/align+/precision"
    table = page.locator("#points-here table")
    page.locator("#points-here summary").click()
    shown = table.locator("tbody tr").first.locator("td").all_inner_texts()
    assert shown[0] == f"{account['systems'][0]['shares'][1][0]:.3f}"


def test_two_systems_are_compared_as_diff_compares_them(report: Path, browser: Any) -> None:
    page = open_page(browser, report)
    page.goto(report.as_uri() + "#compare/late/lead/align+")
    result = cs.score(SYSTEMS, demo.CORPUS, "align+")
    known = result.diff("lead", "late")
    text = page.locator("#compare-here").inner_text()
    for sentence in known.sentence.rstrip(".").split("; ")[:2]:
        assert sentence.lower() in text.lower()
    strongest = max(known.data.causes, key=lambda cause: abs(cause.share))
    first = page.locator("#compare-here tbody tr").first
    assert first.locator("th").inner_text() == strongest.label
    assert f"{abs(strongest.share):.3f}" in first.inner_text()
    topics = page.locator("#compare-here table").nth(1).locator("tbody th").all_inner_texts()
    assert topics == [one.topic for one in known.data.topics[: len(topics)]]
    assert known.data.days
    rows = page.locator(".day-row header b").all_text_contents()
    assert rows[::3] == [f"{day.topic} · {day.when}" for day in known.data.days]
    # A topic that decides leads to the explanation of the system that loses there.
    page.locator("#compare-here tbody a").first.click()
    assert page.locator("#why-topic").input_value() == topics[0]
    page.go_back()
    assert page.evaluate("location.hash") == "#compare/late/lead/align+"


def test_texts_that_run_from_right_to_left_begin_on_the_right(browser: Any, tmp_path: Path) -> None:
    said = {"2031-03-01": "انهار السد فجر الأحد 12 مارس", "2031-03-04": "大坝决堤，数千人撤离"}
    runs = {"أ": {"dam": said}, "b": {"dam": {"2031-03-01": "انهار السد"}}}
    path = cs.report(runs, {"dam": said}, "align+(prepare=unicode)", path=tmp_path / "rtl.html")
    page = open_page(browser, path, 390)
    directions = page.locator("#explanation p[dir=auto], .day-row p").evaluate_all(
        "all => all.map((one) => [one.textContent, getComputedStyle(one).direction])"
    )
    assert len(directions) >= 4
    for text, direction in directions:
        assert direction == ("rtl" if "السد" in text else "ltr")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_of_many_systems_the_best_is_compared_with_the_others() -> None:
    gold = {f"t{n}": {"2031-03-01": f"dam broke word{n}", "2031-03-09": "end"} for n in range(3)}
    runs = {
        f"s{number:02}": {
            topic: {"2031-03-01": " ".join(["dam"] + ["noise"] * number)} for topic in gold
        }
        for number in range(14)
    }
    contents = contents_of(cs.score(runs, gold, ["align+", "align"]))
    best = contents.boards[0].figures[0].system
    assert {one.a for one in contents.differences} == {best}
    assert len(contents.differences) == 13
    assert len(contents.accounts) == 2


def test_notes_of_the_reader_stand_beside_the_answer(tmp_path: Path, browser: Any) -> None:
    answers = tmp_path / "model"
    answers.mkdir()
    (answers / "dam.md").write_text("- 2031-03-01: The dam broke.\n- 2031-13-45: No such day.\n")
    path = tmp_path / "report.html"
    with pytest.warns(cs.ChronoscoreWarning):
        cs.report(answers, [demo.CORPUS / "dam"], "align+", path=path)
    page = open_page(browser, path)
    assert "line 2: date '2031-13-45' does not exist" in page.locator("#explanation").inner_text()


def test_no_label_is_smaller_than_eleven_pixels_on_a_phone(report: Path, browser: Any) -> None:
    page = open_page(browser, report, 390)
    sizes = page.evaluate("""() => [...document.querySelectorAll("main *")]
      .filter((one) => one.checkVisibility() && [...one.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()))
      .map((one) => [parseFloat(getComputedStyle(one).fontSize)
        * (one.closest("svg") ? one.getScreenCTM().d : 1), one.textContent])""")
    assert len(sizes) > 100
    assert [found for found in sizes if found[0] < 11] == []


def test_axe_finds_nothing_and_no_page_is_wider_than_its_window(
    report: Path, browser: Any, tmp_path: Path
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    why, two, points = (tmp_path / f"{name}.html" for name in ("why", "two", "points"))
    cs.explain(SYSTEMS[0], demo.CORPUS).save(why)
    result = cs.score(SYSTEMS[:2], demo.CORPUS, "align+")
    result.diff(*result.systems).save(two)
    result.losses().save(points)
    looks = [
        *((path, "light", 1280) for path in (report, why)),
        *((path, "dark", 390) for path in (report, why, two, points)),
    ]
    for path, scheme, width in looks:
        page = open_page(browser, path, width, scheme)
        page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
        found = axe.run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.context.close()


def test_a_page_of_two_systems_shows_them_as_the_report_does(browser: Any, tmp_path: Path) -> None:
    """The sentence, causes and days; nothing to choose, and no link to what is not there."""
    scored = cs.score(SYSTEMS[:2], demo.CORPUS, "align+")
    result = scored.diff(*scored.systems)
    target = tmp_path / "two.html"
    result.save(target)
    page = open_page(browser, target, 390)
    first, _, why = result.sentence.partition("; ")
    assert page.inner_text("#compare .big") == f"{first}."
    assert page.inner_text("#compare .big + p").lower() == why.lower()
    assert page.locator("#compare select, #compare a").count() == 0
    named = [one.label for one in result.data.causes if one.named]
    shown = page.locator("#compare .causes tbody th").all_inner_texts()
    assert set(named) <= set(shown)
    first_day = page.locator("#compare .day-row").first
    assert str(result.data.days[0].when) in first_day.inner_text()
    page.context.close()


def test_texts_cannot_become_markup_or_script(browser: Any, tmp_path: Path) -> None:
    evil = "</script><script>document.title='hacked'</script><img src=x onerror='hacked()'>"
    path = cs.report(
        {evil: {evil: {"2031-03-01": evil + " dam broke"}}, "b": {evil: {"2031-03-01": "dam"}}},
        {evil: {"2031-03-01": "The dam broke. " + evil}},
        "align+",
        path=tmp_path / "evil.html",
    )
    page = open_page(browser, path)
    assert "hacked" not in page.title().replace(evil, "")
    assert page.locator("img").count() == 0


@pytest.mark.slow
def test_a_report_of_fifty_systems_on_fifty_topics_is_small() -> None:
    rng = random.Random(5)
    words = [f"word{number}" for number in range(400)]

    def timeline() -> dict[str, str]:
        days = rng.sample(range(1, 29), 4)
        return {f"2031-03-{day:02}": " ".join(rng.choices(words, k=6)) for day in days}

    topics = [f"topic{number}" for number in range(50)]
    gold = {topic: timeline() for topic in topics}
    runs = {f"system{number}": {topic: timeline() for topic in topics} for number in range(50)}
    measures = ["align+", "align", "agreement", "concat", "dates", "align+m1"]
    result = cs.score(runs, gold, measures)
    # Without the 7,350 tests of pairs, which take long and fill only one column.
    page = score_page(
        Contents(
            scores=result.scores,
            averages=result.averages,
            resampling=result.resampling,
            collection=result.collection,
            runs=result.runs,
        )
    )
    assert len(page.encode()) <= 4_000_000


@pytest.mark.parametrize(("given", "measure"), [("judgements", "nu"), ("units", "pyramid@20")])
def test_events_and_units_that_most_systems_miss_are_listed_with_their_number(
    given: str, measure: str, tmp_path: Path
) -> None:
    runs = [demo.RUNS / system / "rankings.jsonl" for system in demo.SYSTEMS]
    options: dict[str, Any] = {given: demo.CORPUS}
    path = cs.report(runs, None, measure, path=tmp_path / "report.html", **options)
    listed = path.read_text().split('id="missed"')[1].split("</section>")[0]
    shown = re.findall(
        r"<th scope=\"row\"[^>]*>(\w+), (\S+)</th><td[^>]*>(\d) of 6 systems", listed
    )
    assert shown
    for topic, name, systems in shown:
        # The same from the explanations: "–" is an event's first mention, 0 a unit's expression.
        rows = [cs.explain(run, None, measure, topic=topic, **options).rows() for run in runs]
        marks = [str(row[-2]) for run in rows for row in find(run, name)]
        assert sum(mark in ("–", "0.00") for mark in marks) == int(systems)


def find(rows: list[Any], name: str) -> list[list[Any]]:
    """The cells of the rows about one event or unit."""
    return [list(row.values()) for row in rows if name in row.values()]


def test_explanations_stop_where_the_page_would_grow_too_large(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("chronoscore.reports.score_page.layout.ROOM", 60_000)
    path = cs.report(SYSTEMS, demo.CORPUS, "align+", path=tmp_path / "report.html")
    data = json.loads(re.findall(r'id="data">(.*?)</script>', path.read_text())[0])
    assert 0 < len(json.dumps(data["explanations"], ensure_ascii=False)) < 70_000
    assert "careful" in data["explanations"]
    assert "late" not in data["explanations"]


def test_many_systems_get_trials_enough_for_a_clear_difference_to_be_found() -> None:
    gold = {f"t{n}": {"2031-03-01": "dam broke", "2031-03-02": f"word{n}"} for n in range(20)}
    good = {topic: {**days, "2031-03-01": "dam broke"} for topic, days in gold.items()}
    runs: dict[str, Any] = {f"bad{n}": {t: {"2031-05-01": "no"} for t in gold} for n in range(23)}
    board = contents_of(cs.score({"good": good, **runs}, gold, "agreement")).boards[0]
    assert board.tied_with("good") == []


def test_a_change_gains_what_scoring_the_changed_timeline_gains() -> None:
    reference = Timeline.of({"2031-03-01": "the dam broke", "2031-03-05": "people left the town"})
    topic = Topic(id="dam", timelines=(reference,))
    output = Timeline.of({"2031-03-03": "the dam broke", "2031-04-01": "nothing happened at all"})
    best = changes.best(DayExplanation(AlignPlus(), topic, output))
    # By hand: 3 words of 7, days two apart and 27 apart; moved to the day they count in full.
    before = cs.score({"a": {"dam": output}}, {"dam": reference}, "align+")["a", "align+.f"].value
    moved = Timeline.of({"2031-03-01": "the dam broke", "2031-04-01": "nothing happened at all"})
    after = cs.score({"a": {"dam": moved}}, {"dam": reference}, "align+")["a", "align+.f"].value
    gains = {change.sentence: change.gain for change in best}
    assert gains["Date “the dam broke” 2031-03-01, not 2031-03-03"] == pytest.approx(after - before)
    assert [change.gain for change in best] == sorted(gains.values(), reverse=True)


@pytest.mark.parametrize("measure", [AlignPlus(), Align(), DateAgreement()], ids=str)
def test_the_most_promising_changes_hold_those_that_gain_most(
    measure: AlignmentMeasure, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = cs.load_runs(SYSTEMS)
    for topic in list(cs.load(demo.CORPUS, "timelines"))[:2]:
        for run in runs:
            output = run.outputs[topic.id]
            assert isinstance(output, Timeline)
            explanation = DayExplanation(measure, topic, output)
            monkeypatch.setattr(changes, "TRIED", 1000)
            all_of = changes.best(explanation)
            monkeypatch.setattr(changes, "TRIED", 15)
            assert changes.best(explanation) == all_of


def test_pieces_join_to_the_text_and_mark_shared_and_missed_words() -> None:
    reader = Reader.of(AlignPlus())
    text = "The dam’s wall: dams of the river broke!"
    for missed in (False, True):
        pieces = split_marked(text, {"dam"}, reader, missed=missed)
        assert "".join(piece[1:] for piece in pieces) == text
        assert [piece[1:] for piece in pieces if piece[0] == "+"] == ["dam", "dams"]
        not_found = [piece[1:] for piece in pieces if piece[0] == "-"]
        assert not_found == (["wall", "river", "broke"] if missed else [])
    assert split_marked(text, set(), reader, missed=True) == [f" {text}"]


def test_the_links_of_rails_add_up_to_recall() -> None:
    topic = next(iter(cs.load(demo.CORPUS, "timelines")))
    output = cs.load_runs([SYSTEMS[2]])[0].outputs[topic.id]
    assert isinstance(output, Timeline)
    known = rails(DayExplanation(AlignPlus(), topic, output))
    side = known["sides"]["recall"]
    wanted = sum(card[2] for card in side["reference"])
    earned = sum(weight * shared for _, _, weight, shared, _ in side["links"])
    assert earned / wanted == pytest.approx(known["values"]["r"], abs=2e-3)


def test_a_report_into_a_missing_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(cs.DataError, match="there is no folder"):
        cs.report("no such run", "no such gold", path=tmp_path / "missing" / "report.html")
