"""A small HTTP server that speaks the chat protocol, well or badly, as a test tells it to."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """One response: a text of the model's, or something that goes wrong before there is one."""

    text: str = ""
    finish: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    wait: float = 0.0
    cut: bool = False
    drip: float = 0.0
    """Seconds between single bytes."""
    usage: bool = True


Behavior = Callable[[int, Body], Said]
"""What to say to the n-th request, counted from 0."""


def data_of(body: Body) -> Body:
    """The JSON document between the marks of a request."""
    text = body["messages"][1]["content"]
    assert text.startswith("<data>\n")
    assert text.endswith("\n</data>")
    document: Body = json.loads(text.removeprefix("<data>\n").removesuffix("\n</data>"))
    return document


def words(text: str) -> set[str]:
    return {word.strip('.,;:!?"{}[]').lower() for word in text.split() if len(word) > 3}


def answer(body: Body) -> str:
    """A usable answer to any of our questions, by counting shared words."""
    data = data_of(body)
    if "references" in data:
        lines = [line for one in data["references"] for line in one]
        return json.dumps({"nuggets": [{"text": t["text"], "importance": "vital"} for t in lines]})
    if "articles" in data:
        entries = [
            {"date": one["date"], "sentences": [one["text"].partition(".")[0] + "."]}
            for one in data["articles"][: data.get("dates", 5)]
        ]
        if "words" in data:
            return "\n".join(one["sentences"][0] for one in entries)
        return json.dumps({"timeline": entries})
    choice = next((name for name in ("events", "units") if name in data), "")
    answers = []
    for item in data["items"]:
        one: Body = {"id": item["id"]}
        if choice:
            own = words(item["text"])
            one[choice] = [c["id"] for c in data[choice] if len(own & words(c["text"])) >= 2]
        elif "evidence" in item:
            own = words(item["text"])
            good = [e["id"] for e in item["evidence"] if len(own & words(e["text"])) >= 2]
            one |= {"label": "support" if good else "none", "evidence": good}
        elif "first" in item:
            shared = words(item["first"]["text"]) & words(item["second"]["text"])
            one["label"] = "same" if len(shared) >= 2 else "different"
        else:
            text = json.dumps(data["text"])
            label = "support" if len(words(item["text"]) & words(text)) >= 2 else "none"
            units = "content units" in body["messages"][0]["content"]
            one["label"] = {"support": "yes", "none": "no"}[label] if units else label
        answers.append(one)
    return json.dumps({"answers": answers})


def good(_number: int, body: Body) -> Said:
    return Said(answer(body))


class ChatServer(ThreadingHTTPServer):
    """Keeps every request that came, with its headers."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, behavior: Behavior) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behavior = behavior
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def different(self) -> int:
        """How many different requests came."""
        return len({json.dumps(body, sort_keys=True) for body in self.bodies})


class Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            number = len(self.server.bodies)
            self.server.bodies.append(body)
            self.server.headers.append({k.lower(): v for k, v in self.headers.items()})
        said = self.server.behavior(number, body)
        sleep(said.wait)
        raw = said.raw if said.raw is not None else self.response(said)
        self.send_response(said.status)
        for name, value in said.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        with suppress(OSError):  # The client may have heard enough.
            while said.drip and raw:
                self.wfile.write(raw[:1])
                raw = raw[1:]
                sleep(said.drip)
            self.wfile.write(raw[: len(raw) // 2] if said.cut else raw)
        self.close_connection = True

    def response(self, said: Said) -> bytes:
        if self.path != "/v1/chat/completions":
            return b'{"error": {"message": "no such path"}}'
        message = {"role": "assistant", "content": said.text}
        choice = {"index": 0, "message": message, "finish_reason": said.finish}
        reply: Body = {"object": "chat.completion", "choices": [choice]}
        if said.usage:
            reply["usage"] = {"prompt_tokens": 100, "completion_tokens": 10}
        return json.dumps(reply).encode()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(behavior: Behavior = good) -> Iterator[ChatServer]:
    """Run a server in a thread."""
    server = ChatServer(behavior)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
