"""The people of a project of each workflow, up to whatever step a test needs."""

import json
import re
from html import unescape

from workbench.office import SENTENCES, Office, Visitor, to_link


class StreamTeam:
    """Two judges, a verifier and their manager, with a topic whose first step is open."""

    def __init__(self, office: Office, **settings: object) -> None:
        self.office = office
        self.manager = office.person("Mara", founder=True)
        self.ann, self.bob, self.eve = (office.person(name) for name in ("Ann", "Bob", "Eve"))
        self.project = office.project(
            self.manager, "stream", self.ann, self.bob, self.eve, **settings
        )
        self.topic = office.topic(self.manager, self.project)
        office.assign(self.manager, self.topic, judge=[self.ann, self.bob], verifier=self.eve)
        self.manager.post(f"/t/{self.topic}/open")

    def link(self) -> "StreamTeam":
        to_link(self.office, self.manager, self.topic, self.ann, self.bob)
        return self

    def judge(self, who: Visitor, **links: list[object]) -> None:
        """Link sentences given as s1, s2 … and hand in, the rest being off."""
        for name, events in links.items():
            who.mark(self.topic, SENTENCES[int(name[1:]) - 1], *events)
        who.post(f"/t/{self.topic}/submit", step="link", rest_off="yes")

    def items(self, event: str) -> list[tuple[str, int]]:
        html = self.eve.get(f"/t/{self.topic}/verify?event={event}")
        found = re.findall(r'data-item="([^"]+)" data-base="(\d+)"', html)
        return [(item.replace("&amp;", "&"), int(base)) for item, base in found]

    def verdict(self, event: str, item: str, kept: bool) -> None:
        self.eve.post(
            f"/t/{self.topic}/verify", event=event, item=item, base=0,
            verdict="keep" if kept else "drop",
        )  # fmt: skip

    def export(self, tmp_path, **query: str):
        text = self.manager.get(
            f"/p/{self.project}/export.jsonl?" + "&".join(f"{k}={v}" for k, v in query.items())
        )
        path = tmp_path / "export.jsonl"
        path.write_text(text)
        return path


class UnitsTeam:
    """Two writers, a unit maker, two matchers and their manager, with a topic open to write."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.manager = office.person("Mara", founder=True)
        names = ("Will", "Wanda", "Uma", "Max", "Nia")
        self.will, self.wanda, self.uma, self.max, self.nia = (office.person(n) for n in names)
        self.project = office.project(
            self.manager, "units", self.will, self.wanda, self.uma, self.max, self.nia, sample=1
        )
        self.topic = office.topic(self.manager, self.project, most="2")
        office.assign(
            self.manager, self.topic, writer=[self.will, self.wanda], maker=self.uma,
            matcher=self.max, rematcher=self.nia,
        )  # fmt: skip
        self.manager.post(f"/t/{self.topic}/open")

    def write(self, who: Visitor, *lines: tuple[str, str]) -> None:
        for when, text in lines:
            who.post(f"/t/{self.topic}/write", when=when, text=text)

    def written(self) -> "UnitsTeam":
        self.write(self.will, ("1 March 2031", "The dam leaks"), ("2031-03-02", "The dam breaks"))
        self.write(self.wanda, ("March 2031", "A leak in the dam"))
        for who in (self.will, self.wanda):
            who.post(f"/t/{self.topic}/submit", step="write")
        return self

    def lines(self) -> dict[str, str]:
        html = self.uma.get(f"/t/{self.topic}/make")
        found = re.findall(
            r'name="line" value="([^"]+)".*?class="(?:struck)?">([^<]+)</span>', html, re.S
        )
        return {text: name for name, text in found}

    def made(self) -> "UnitsTeam":
        self.written()
        lines = self.lines()
        page = f"/t/{self.topic}/make"
        self.uma.post(page, do="unit", line=[lines["The dam leaks"], lines["A leak in the dam"]])
        self.uma.post(page, do="unit", line=[lines["The dam breaks"]])
        self.uma.post(f"/t/{self.topic}/submit", step="make")
        return self

    def start(self, who: Visitor, step: str = "match", unit: str = "U1") -> dict:
        html = who.get(f"/t/{self.topic}/{step}?unit={unit}")
        return json.loads(unescape(re.search(r"data-start='([^']+)'", html)[1]))

    def anchor(self, who: Visitor, sentence: str, step: str = "match") -> str:
        anchors = self.start(who, step)["anchors"].values()
        return next(one["id"] for one in anchors if one["sentence"] == sentence)

    def match(self, who: Visitor, unit: str, tree: dict, base: int = 0, done: bool = True) -> dict:
        body = {"unit": unit, "tree": tree, "done": done, "base": base}
        key = f"{self.topic}-{who.name}-{unit}-{base}-key"
        return who.send(self.topic, {"key": key, "action": "match", "body": body})[0]
