"""Sentence vectors: models, the cache, a real server that embeds, and what can go wrong."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

import chronoscore as cs
from chronoscore.errors import ChronoscoreWarning, DataError, UsageError
from chronoscore.measures.similarity import models, vector_cache
from chronoscore.measures.similarity.models import VectorModel, Vectors, find_model
from chronoscore.measures.similarity.vectors import embed_texts

TEXTS = ["The dam broke.", "A dam burst.", "", "The dam broke."]
GOLD = {"dam": {"2010-01-01": "The dam broke near the village."}}
MINE = {"mine": {"dam": {"2010-01-01": "A dam burst by a village."}}}
KEY = "sk-very-secret-0123456789"


@dataclass(frozen=True)
class Counted(VectorModel):
    """A model that remembers what it was asked."""

    asked: list[list[str]] = field(default_factory=list, compare=False)
    rows: Any = None

    @property
    def revision(self) -> str:
        return "1"

    def embed(self, texts: list[str]) -> Vectors:
        self.asked.append(texts)
        if self.rows is not None:
            return np.asarray(self.rows, dtype=np.float32)
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


@pytest.fixture(autouse=True)
def forget_package() -> Iterator[None]:
    """No test sees the module that another put in the place of the package."""
    yield
    sys.modules.pop("sentence_transformers", None)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "folder" / "vectors.sqlite"
    with cs.use_cache(path):
        yield path


def test_texts_are_embedded_once_in_one_call_and_kept(cache: Path) -> None:
    model = Counted("counted")
    found = embed_texts(model, TEXTS)
    assert model.asked == [["The dam broke.", "A dam burst."]]
    np.testing.assert_array_equal(found[0], found[3])
    np.testing.assert_array_equal(found[2], [0.0, 0.0])
    np.testing.assert_allclose(np.linalg.norm(found[[0, 1]], axis=1), 1.0)
    again = embed_texts(model, [*TEXTS, "Something new."])
    assert model.asked[1:] == [["Something new."]]
    np.testing.assert_array_equal(again[:4], found)


def test_models_do_not_share_vectors(cache: Path) -> None:
    first, second = Counted("one"), Counted("other")
    for model in (first, second):
        embed_texts(model, TEXTS)
    assert len(first.asked) == len(second.asked) == 1
    assert sqlite3.connect(cache).execute("SELECT count(*) FROM vectors").fetchone() == (4,)


def test_the_cache_changes_no_figure(cache: Path) -> None:
    measure = "pairs(similarity=embed)"
    first = cs.score(MINE, GOLD, measure)
    assert cache.stat().st_size > 0
    assert cs.score(MINE, GOLD, measure).render("json") == first.render("json")
    with cs.use_cache(cache.with_name("other.sqlite")):
        assert cs.score(MINE, GOLD, measure).render("json") == first.render("json")


def test_a_file_that_is_no_cache_is_refused(cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_bytes(b"This is not a database, however long one looks at it. " * 40)
    with pytest.raises(DataError, match="is not a cache of vectors"):
        embed_texts(Counted("m"), TEXTS)


def test_vectors_of_half_a_length_are_refused(cache: Path) -> None:
    embed_texts(Counted("m"), TEXTS)
    with sqlite3.connect(cache) as connection:
        connection.execute("UPDATE vectors SET vector = x'00000000' WHERE rowid = 1")
    with pytest.raises(DataError, match="differ in length"):
        embed_texts(Counted("m"), TEXTS)


def test_a_named_cache_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with (
        cs.use_cache(tmp_path / "file" / "v.sqlite"),
        pytest.raises(DataError, match="cannot hold"),
    ):
        embed_texts(Counted("m"), TEXTS)


def test_without_a_place_for_the_cache_vectors_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.delenv(vector_cache.VARIABLE, raising=False)
    monkeypatch.setattr(vector_cache, "_user_cache_folder", lambda: tmp_path / "file")
    with pytest.warns(ChronoscoreWarning, match="vectors are not kept"):
        assert len(embed_texts(Counted("m"), TEXTS)) == 4


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is the platform's")
def test_the_user_s_cache_folder_is_that_of_the_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(vector_cache.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    embed_texts(Counted("m"), TEXTS)
    assert (tmp_path / "chronoscore" / "vectors.sqlite").is_file()


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[1.0, 2.0]], "for 2 texts"),
        ([1.0, 2.0], "for 2 texts"),
        ([[], []], "for 2 texts"),
        ([[1.0, np.nan], [1.0, 2.0]], "nan or infinity"),
    ],
)
def test_vectors_that_cannot_be_compared_are_refused(cache: Path, rows: Any, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        embed_texts(Counted("m", rows=rows), TEXTS)


@pytest.mark.slow
def test_loading_wordllama_leaves_logging_alone() -> None:
    # In a process of its own, as pytest has handlers that would hide what the package does.
    code = (
        "import logging\n"
        "from chronoscore.measures.similarity.models import find_model\n"
        "find_model('wordllama').embed(['The dam broke.'])\n"
        "print(logging.getLogger().handlers, logging.getLogger().level == logging.WARNING)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[] True"


def test_without_the_extra_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(models, "version", missing)
    with pytest.raises(UsageError, match=r"pip install wordllama"):
        cs.score(MINE, GOLD, "pairs(similarity=embed)")


def test_a_folder_is_loaded_by_its_package_without_the_network(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Stands for the package, which is too large for the tests: only the calls are checked.
    package = tmp_path / "packages" / "sentence_transformers.py"
    package.parent.mkdir()
    package.write_text(
        "from pathlib import Path\n"
        "class SentenceTransformer:\n"
        "    def __init__(self, folder, local_files_only):\n"
        "        assert local_files_only\n"
        "        self.size = len(Path(folder, 'weights').read_text())\n"
        "    def encode(self, texts):\n"
        "        return [[len(text), self.size] for text in texts]\n"
    )
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "weights").write_text("1234")
    monkeypatch.syspath_prepend(package.parent)
    model = find_model(str(folder))
    np.testing.assert_array_equal(model.embed(["one", "seven"]), [[3, 4], [5, 4]])
    signature = cs.score(MINE, GOLD, f"pairs(similarity=embed(model={folder}))").signature
    assert f"embed(model={folder}@{model.revision})" in signature


def test_a_folder_that_holds_no_model_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "sentence_transformers.py"
    package.write_text("def SentenceTransformer(*_, **__): raise OSError('no config.json')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DataError, match=r"no config"):
        find_model(str(tmp_path)).embed(["text"])


def test_a_folder_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UsageError, match="pip install sentence-transformers"):
        find_model(str(tmp_path)).embed(["text"])


def test_the_revision_of_a_folder_follows_its_files(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"1")
    first = models.digest_folder.__wrapped__(str(tmp_path))
    (tmp_path / "weights").write_bytes(b"2")
    second = models.digest_folder.__wrapped__(str(tmp_path))
    (tmp_path / "weights").rename(tmp_path / "other")
    third = models.digest_folder.__wrapped__(str(tmp_path))
    assert len({first, second, third}) == 3


class Server(ThreadingHTTPServer):
    """An OpenAI-compatible server of embeddings that does what a test tells it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.mode = "good"
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        server.requests.append(body)
        server.keys.append(self.headers.get("Authorization", ""))
        rows = [
            {"object": "embedding", "index": n, "embedding": [float(len(text)), 1.0]}
            for n, text in enumerate(body["input"])
        ]
        answer: Any = {"object": "list", "model": body["model"], "data": rows[::-1], "usage": {}}
        status, headers = 200, {}
        if server.mode == "busy" and len(server.requests) == 1:
            status, headers, answer = 429, {"Retry-After": "0"}, {"error": {"message": "slow"}}
        elif server.mode == "refuse":
            status, answer = 401, {"error": {"message": f"wrong key {KEY}"}}
        elif server.mode == "few":
            answer["data"] = rows[:-1]
        elif server.mode == "ragged":
            answer["data"][0]["embedding"] = [1.0]
        elif server.mode == "malformed":
            answer = {"data": "nothing"}
        elif server.mode == "redirect":
            status, headers = 307, {"Location": "http://127.0.0.1:9/v1/embeddings"}
        content = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Type": "application/json"}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    pytest.importorskip("openai")
    monkeypatch.setenv("CHRONOSCORE_API_KEY", KEY)
    monkeypatch.setattr(models, "RETRIES", 1)
    with Server() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def embed(server: Server) -> Any:
    with pytest.warns(ChronoscoreWarning, match=r"2 texts are sent to 127\.0\.0\.1:\d+"):
        return embed_texts(find_model("m", server.url), TEXTS)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["good", "busy"])
def test_a_server_embeds_each_text_once(server: Server, cache: Path, mode: str) -> None:
    server.mode = mode
    found = embed(server)
    expected = np.array([[14.0, 1.0], [12.0, 1.0], [0.0, 0.0], [14.0, 1.0]])
    lengths = np.maximum(np.linalg.norm(expected, axis=1, keepdims=True), 1)
    np.testing.assert_allclose(found, expected / lengths, rtol=1e-6)
    sent = len(server.requests)
    assert sent == (1 if mode == "good" else 2)
    assert server.requests[-1]["input"] == ["The dam broke.", "A dam burst."]
    assert server.keys[-1] == f"Bearer {KEY}"
    embed_texts(find_model("m", server.url), TEXTS)
    assert len(server.requests) == sent


def test_many_texts_go_in_requests_of_some_hundreds(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "PER_REQUEST", 3)
    texts = ["x" * length for length in range(1, 9)]
    rows = find_model("m", server.url).embed(texts)
    assert [len(request["input"]) for request in server.requests] == [3, 3, 2]
    np.testing.assert_array_equal(rows[:, 0], np.arange(1, 9))


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("refuse", "answered 401; check the model's name and the key"),
        ("few", "1 vectors for 2 texts"),
        ("ragged", "differ in length"),
        ("malformed", "cannot be read"),
        ("redirect", "answered 307"),
    ],
)
def test_a_server_that_fails_is_one_sentence_without_the_key(
    server: Server, cache: Path, mode: str, reason: str
) -> None:
    server.mode = mode
    with pytest.raises(DataError, match=reason) as failed:
        embed(server)
    assert KEY not in repr(failed.value)
    assert failed.value.__cause__ is None


@pytest.mark.slow
def test_a_server_that_is_not_there_is_one_sentence(server: Server, cache: Path) -> None:
    with Server() as other:
        nowhere = other.url
    with (
        pytest.warns(ChronoscoreWarning, match="are sent to"),
        pytest.raises(DataError, match="cannot be reached"),
    ):
        embed_texts(find_model("m", nowhere), TEXTS)


@pytest.mark.filterwarnings("ignore::chronoscore.ChronoscoreWarning")
def test_the_key_stands_in_no_result_and_no_cache(server: Server, cache: Path) -> None:
    measure = f"pairs(similarity=embed(model=m,endpoint={server.url}))"
    result = cs.score(MINE, GOLD, measure)
    assert f"m@127.0.0.1:{server.server_address[1]}" in result.signature
    shown = result.render("json", "all") + result.signature + str(result)
    assert KEY not in shown
    assert KEY.encode() not in cache.read_bytes()
    assert KEY in os.environ["CHRONOSCORE_API_KEY"]
