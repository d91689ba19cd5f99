"""The people of a units project, up to whatever step a test needs."""

import json
import re
from html import unescape

from workbench.office import Office, Visitor


class Team:
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

    def written(self) -> "Team":
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

    def made(self) -> "Team":
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
