"""Models that turn texts into vectors: WordLlama, a folder, or a server."""

import hashlib
import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from chronoscore.errors import DataError, UsageError, describe_error
from chronoscore.extras import install_command

Vectors: TypeAlias = NDArray[np.float32]

KEYS = ("CHRONOSCORE_API_KEY", "OPENAI_API_KEY")
"""The environment variables that may hold a server's key; the first that is set is taken."""
RETRIES = 5
PER_REQUEST = 256
"""Texts in one request to a server."""
DIGEST = 12
"""Hexadecimal digits of a revision."""


@dataclass(frozen=True)
class VectorModel(ABC):
    """Something that turns texts into vectors."""

    model: str

    @property
    @abstractmethod
    def revision(self) -> str:
        """Which version of the model it is; known without loading it."""

    @property
    def identity(self) -> str:
        """What vectors are cached under."""
        return f"{self.model}@{self.revision}"

    @abstractmethod
    def embed(self, texts: list[str]) -> Vectors:
        """Give a row for each text."""


@dataclass(frozen=True)
class WordLlamaModel(VectorModel):
    """The 256-dimension vectors that come with the package `wordllama`; nothing is downloaded."""

    @property
    def revision(self) -> str:
        """The version of the package, which holds the weights."""
        try:
            return version("wordllama")
        except PackageNotFoundError:
            raise UsageError(
                f"sentence vectors need wordllama; {install_command('embed')}, or write "
                "similarity=words or tfidf"
            ) from None

    def embed(self, texts: list[str]) -> Vectors:
        """Average the vectors of each text's tokens.

        The package pads a batch to its longest text, so texts of like length go together; the
        vectors are the same whatever the order.
        """
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        rows = _load_wordllama(self.revision).embed([texts[place] for place in order])
        found = np.empty_like(rows, dtype=np.float32)
        found[order] = rows
        return found


@cache
def _load_wordllama(_revision: str) -> Any:
    """Load the weights from the package's own folder, which it takes for a cache of downloads."""
    with _quiet_root_logger():
        import wordllama

    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


@contextmanager
def _quiet_root_logger() -> Iterator[None]:
    """Keep a package from setting up everybody's logging when it is imported."""
    root, handler = logging.getLogger(), logging.NullHandler()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)


@dataclass(frozen=True)
class FolderModel(VectorModel):
    """A sentence-transformers model in a folder."""

    @property
    def revision(self) -> str:
        """A digest of the folder's files."""
        return digest_folder(self.model)

    def embed(self, texts: list[str]) -> Vectors:
        """Let the model encode the texts."""
        return np.asarray(_load_folder(self.model, self.revision).encode(texts), dtype=np.float32)


@cache
def digest_folder(folder: str) -> str:
    """A digest of the names and bytes of all files in a folder."""
    summed = hashlib.sha256()
    for path in sorted(p for p in Path(folder).rglob("*") if p.is_file()):
        summed.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            summed.update(hashlib.file_digest(file, "sha256").digest())
    return summed.hexdigest()[:DIGEST]


@cache
def _load_folder(folder: str, _revision: str) -> Any:
    """Load a folder's model without looking for anything on the network."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise UsageError(
            f"model '{folder}' needs sentence-transformers; run: pip install sentence-transformers"
        ) from None
    try:
        return SentenceTransformer(folder, local_files_only=True)
    except Exception as error:  # Many libraries take part in loading a model.
        raise DataError(
            f"cannot be loaded as a sentence-transformers model ({describe_error(error)}); "
            "give the folder that its save() wrote",
            place=folder,
        ) from None


@dataclass(frozen=True)
class ServedModel(VectorModel):
    """A model behind an OpenAI-compatible `/v1/embeddings`."""

    endpoint: str

    @property
    def revision(self) -> str:
        """The host; a server does not say which version of a model it has."""
        return str(urlsplit(self.endpoint).netloc)

    @property
    def identity(self) -> str:
        """The model and the whole address."""
        return f"{self.model}@{self.endpoint}"

    def embed(self, texts: list[str]) -> Vectors:
        """Send the texts, some hundreds in a request."""
        client = _open_client(self.endpoint)
        rows: list[Sequence[float]] = []
        for start in range(0, len(texts), PER_REQUEST):
            rows += self.request(client, texts[start : start + PER_REQUEST])
        try:
            return np.array(rows, dtype=np.float32).reshape(len(texts), -1)
        except ValueError:
            raise DataError(
                f"{self.revision}: the vectors of model '{self.model}' differ in length; "
                "ask for a model that embeds"
            ) from None

    def request(self, client: Any, texts: list[str]) -> list[Sequence[float]]:
        """Ask for the vectors of some texts, and check that there is one for each."""
        import openai

        where = f"{self.revision}: model '{self.model}'"
        try:
            answer = client.embeddings.create(
                model=self.model, input=texts, encoding_format="float"
            )
            found = {item.index: item.embedding for item in answer.data}
        except openai.APIStatusError as error:
            # What a server says may repeat the key; its status does not.
            raise DataError(
                f"the server answered {error.status_code}; "
                f"check the model's name and the key in {KEYS[0]}",
                place=where,
            ) from None
        except openai.APIConnectionError:
            raise DataError("the server cannot be reached; check endpoint=", place=where) from None
        except (openai.OpenAIError, AttributeError, TypeError, ValueError):
            raise DataError("the answer cannot be read; check endpoint=", place=where) from None
        if sorted(found) != list(range(len(texts))):
            raise DataError(f"{len(found)} vectors for {len(texts)} texts; check it", place=where)
        return [found[place] for place in range(len(texts))]


def _open_client(endpoint: str) -> Any:
    """A client that sends texts to this endpoint only; the key comes from the environment."""
    try:
        import openai
    except ImportError:
        raise UsageError(
            f"embed(endpoint=…) needs the package openai; {install_command('judge')}"
        ) from None
    client = openai.OpenAI(
        base_url=endpoint,
        # Local servers want no key, but the package insists on a text.
        api_key=next(filter(None, (os.environ.get(name, "").strip() for name in KEYS)), "none"),
        max_retries=RETRIES,
        http_client=openai.DefaultHttpxClient(
            # A redirect or a proxy that can read along would carry the texts to another host.
            follow_redirects=False,
            trust_env=urlsplit(endpoint).scheme == "https",
        ),
    )
    # Names of an account elsewhere, which the package takes from the environment.
    client.organization = client.project = None
    return client


def check_endpoint(endpoint: str) -> None:
    """Refuse what is not the address of a server, and one that carries a key."""
    try:
        parts = urlsplit(endpoint)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    # The text is not shown, as it may hold a key.
    if not host or parts.scheme not in ("http", "https"):
        raise UsageError("endpoint: is not the address of a server; write http://host:port/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            f"endpoint: {host} must not come with a key; put that into {KEYS[0]} instead"
        )


def find_model(model: str, endpoint: str | None = None) -> VectorModel:
    """The model of a name: ours, a folder's, or a server's."""
    if endpoint is not None:
        return ServedModel(model, endpoint)
    if model == "wordllama":
        return WordLlamaModel(model)
    if Path(model).is_dir():
        return FolderModel(model)
    raise UsageError(
        f"model={model}: is neither wordllama nor a folder; "
        "name a folder with a sentence-transformers model, or add endpoint=http://host/v1"
    )
