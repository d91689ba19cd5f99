"""Judges who mark sentences of a running server at the same time."""

import http.client
import json
import threading
import time
from secrets import token_hex

from workbench.office import Office, Visitor, open_link
from workbench.running import PATIENCE, Server


class Judge(threading.Thread):
    """Marks sentences as fast as answers come, resending what was not acknowledged."""

    def __init__(self, server: Server, person: Visitor, topic: int, sentences: list[str]) -> None:
        super().__init__(daemon=True)
        self.server, self.person, self.topic = server, person, topic
        self.sentences = sentences
        self.acknowledged: dict[str, tuple[str, int, bool]] = {}
        self.wrong: list[object] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        number = 0
        while not self.stopped.is_set():
            sentence = self.sentences[number % len(self.sentences)]
            base = number // len(self.sentences)
            off = (number + base) % 2 == 0
            key = token_hex(8)
            while not self.send(key, sentence, base, off):
                if self.stopped.is_set():
                    return
                time.sleep(0.02)
            number += 1

    def send(self, key: str, sentence: str, base: int, off: bool) -> bool:
        change = {"sentence": sentence, "base": base, "off": off, "joined": False,
                  "links": [] if off else [["E1", ""]]}  # fmt: skip
        entry = {"key": key, "action": "mark", "body": {"changes": [change]}}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            connection.request(
                "POST", f"/t/{self.topic}/log", json.dumps({"entries": [entry]}),
                {"Content-Type": "application/json", "X-Form-Proof": self.person.proof,
                 "Cookie": f"chronoscore_{self.server.port}={self.person.token}"},
            )  # fmt: skip
            response = connection.getresponse()
            answer = json.loads(response.read())["answers"][0]
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            return False
        finally:
            connection.close()
        if "entry" not in answer:
            self.wrong.append(answer)
        self.acknowledged[key] = (sentence, base + 1, off)
        return True


def judged_topic(office: Office, judges: list[Visitor]) -> tuple[int, list[str]]:
    """A topic of forty sentences that these people link, and the sentences' ids."""
    manager = office.person(f"Mara {token_hex(4)}", founder=True)
    project = office.project(manager, "stream", *judges)
    text = json.dumps({"id": "a1", "sentences": [f"Sentence {n}." for n in range(40)]})
    topic = office.topic(manager, project, upload=("a.jsonl", text.encode(), "application/jsonl"))
    office.assign(manager, topic, judge=judges)
    open_link(office, project, topic)
    return topic, [f"a1-s{n:02d}" for n in range(1, 41)]
