"""An OpenAI-compatible endpoint: one request at a time, sent again while that may help.

Texts go to the named host and nowhere else: redirects are refused, and a proxy of the
environment is used only where it cannot read along (https). The key comes from the
environment, and what a server says is cleared of it before anybody sees it.
"""

import json
import os
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Lock
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from chronoscore.errors import ChronoscoreError, DataError, UsageError
from chronoscore.extras import install_command
from chronoscore.judging.cache import Reply

KEYS = ("CHRONOSCORE_API_KEY", "OPENAI_API_KEY")
"""The environment variables that may hold the key; the first that is set is taken."""
LONGEST_ANSWER = 1 << 20
"""Bytes; no answer to a question of ours is as long as this."""
LONGEST_WAIT = 300.0
"""Seconds that a server may ask us to wait."""
TOO_LONG = "too long"
REFUSAL = "refusal"
"""Why an answer ends that the endpoint marks as the model's refusal."""
OPTIONAL = ("response_format", "temperature")
"""Fields without which a request can do, in the order in which they are given up."""
AGAIN = frozenset({408, 409, 425, 429})
"""Statuses beside 5xx after which the same request may succeed."""


class FieldRefusedError(Exception):
    """The endpoint does not take a field of the request: an answer's schema, or a temperature."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class PassingError(Exception):
    """A failure that may pass; `wait` is what the server asked for, in seconds."""

    def __init__(self, reason: str, wait: float | None = None, *, reached: bool = True) -> None:
        super().__init__(reason)
        self.wait = wait
        self.reached = reached


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where requests go, and how patiently."""

    url: str
    timeout: float = 120.0
    retries: int = 5

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            host, _ = parts.hostname, parts.port
        except ValueError:
            raise UsageError("the endpoint is not a URL; write http://host:port/v1") from None
        if parts.scheme not in ("http", "https") or not host:
            # The text is not shown: it may be a key that was put in the wrong place.
            raise UsageError("the endpoint is not a URL; write http://host:port/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise UsageError(
                f"the endpoint {host} carries more than an address; put the key into {KEYS[0]} "
                "and write http://host:port/v1"
            )

    @property
    def host(self) -> str:
        """The host that receives texts, with its port."""
        return urlsplit(self.url).netloc


def _key_variable() -> str | None:
    """The name of the environment variable that the key is in."""
    return next((name for name in KEYS if os.environ.get(name, "").strip()), None)


class Client:
    """Sends requests to an endpoint; several threads may use it."""

    def __init__(self, endpoint: Endpoint, announce: Callable[[str], None]) -> None:
        self.endpoint = endpoint
        self.announce = announce
        self.variable = _key_variable()
        self.stopped = Event()
        self.lock = Lock()
        self.retried = 0
        self.answered = False
        self._opened: Any = None

    def opened(self, model: str) -> Any:
        """The connection, opened when it is first needed, after saying who will read texts."""
        with self.lock:
            if self._opened is None:
                try:
                    import openai
                except ImportError:
                    raise UsageError(
                        f"asking a model needs the openai package; {install_command('judge')}"
                    ) from None
                key = f"key from {self.variable}" if self.variable else "no key"
                self.announce(f"texts go to {self.endpoint.host} (model '{model}', {key})")
                self._opened = openai.OpenAI(
                    base_url=self.endpoint.url,
                    # Local servers want no key, but the package insists on a text.
                    api_key=self.key or "none",
                    timeout=self.endpoint.timeout,
                    max_retries=0,
                    http_client=openai.DefaultHttpxClient(
                        follow_redirects=False,
                        trust_env=urlsplit(self.endpoint.url).scheme == "https",
                        timeout=self.endpoint.timeout,
                    ),
                )
                # Names of an account elsewhere, which the package takes from the environment.
                self._opened.organization = self._opened.project = None
            return self._opened

    @property
    def key(self) -> str:
        """The key, read when it is needed and kept nowhere else."""
        return os.environ.get(self.variable, "").strip() if self.variable else ""

    def clear(self, text: str) -> str:
        """A text without the key, should a server repeat it."""
        return text.replace(self.key, "[key]") if len(self.key) > 3 else text

    def close(self) -> None:
        """Stop waiting and drop the connection."""
        self.stopped.set()
        with self.lock:
            if self._opened is not None:
                self._opened.close()

    def send(self, body: dict[str, Any]) -> Reply:
        """Send a request until it is answered, or until more attempts make no sense."""
        for attempt in range(self.endpoint.retries + 1):
            try:
                reply = self.send_once(body)
            except PassingError as failure:
                last = failure
            else:
                self.answered = True
                return reply
            hopeless = not last.reached and not self.answered and attempt >= 1
            if attempt == self.endpoint.retries or hopeless or self.stopped.is_set():
                break
            self.wait(last.wait, attempt)
        check = "" if last.reached else "check `endpoint` or "
        raise DataError(
            f"{self.endpoint.host} {last}; {check}run again later, what was answered is kept"
        )

    def wait(self, asked: float | None, attempt: int) -> None:
        """Wait as long as the server asks, else ever longer with some chance in it."""
        with self.lock:
            self.retried += 1
        if asked is not None and asked > LONGEST_WAIT:
            raise DataError(
                f"{self.endpoint.host} asks to wait {asked:,.0f} seconds; run again later, "
                "what was answered is kept"
            )
        jittered = min(60.0, 2.0**attempt) * random.uniform(0.5, 1.0)
        self.stopped.wait(jittered if asked is None else asked + random.uniform(0.0, 0.1))

    def send_once(self, body: dict[str, Any]) -> Reply:
        """Send a request and read what comes back, up to a limit."""
        client = self.opened(str(body["model"]))
        import openai

        started = monotonic()
        try:
            streamed = client.chat.completions.with_streaming_response
            with streamed.create(**body) as response:
                status, where = response.status_code, response.headers.get("location", "")
                raw = bytearray()
                for piece in response.iter_bytes():
                    if monotonic() - started > self.endpoint.timeout:
                        # The package's own limit is for each piece.
                        raise self.too_late()
                    raw += piece
                    if len(raw) > LONGEST_ANSWER:
                        return Reply("", TOO_LONG)
        except openai.APIStatusError as error:
            raise self.refusal(error, body) from None
        except openai.APITimeoutError:
            raise self.too_late() from None
        except openai.APIConnectionError as error:
            reason = self.clear(" ".join(str(error.__cause__ or error).split()))[:200]
            raise PassingError(f"cannot be reached ({reason})", reached=False) from None
        except ChronoscoreError:
            raise
        except Exception as error:
            # Failures while the body is read come from the HTTP library, whichever it is.
            if not type(error).__module__.partition(".")[0].startswith(("httpx", "httpcore")):
                raise
            raise PassingError(f"broke off its answer ({type(error).__name__})") from None
        if 300 <= status < 400:
            raise self.redirect(where)
        self.check_error(bytes(raw), body)
        return self.read(bytes(raw))

    def check_error(self, raw: bytes, body: Mapping[str, Any]) -> None:
        """Find the refusals and failures that some servers report under a status of success."""
        try:
            response = json.loads(raw)
        except (RecursionError, ValueError):
            return
        if not isinstance(response, dict) or response.get("choices") or not response.get("error"):
            return
        if field := _named_field(str(response["error"]), body):
            raise FieldRefusedError(field)
        raise PassingError(f"answered with an error{self.describe(response)}")

    def too_late(self) -> PassingError:
        """What to say about an answer that takes too long."""
        return PassingError(f"did not answer within {self.endpoint.timeout:g} seconds")

    def redirect(self, where: str) -> UsageError:
        """What to say about an endpoint that points elsewhere."""
        target = urlsplit(where).netloc or where or "elsewhere"
        return UsageError(
            f"{self.endpoint.host} redirects to {self.clear(target)[:100]}, and texts go only to "
            "the named endpoint; name that one if you trust it"
        )

    def read(self, raw: bytes) -> Reply:
        """The answer in a response of the chat protocol."""
        try:
            response = json.loads(raw)
            choice = response["choices"][0]
            text = choice["message"].get("content") or ""
            refused = not text and bool(choice["message"].get("refusal"))
            usage = response.get("usage") or {}
            counted = [int(usage.get(f"{name}_tokens") or 0) for name in ("prompt", "completion")]
            # Half of a surrogate pair can stand in JSON but in no file.
            sound = text.encode("utf-8", "replace").decode()
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ):
            raise PassingError("does not answer in the form of the chat protocol") from None
        used = (min(max(0, count), 1 << 40) for count in counted)
        finish = REFUSAL if refused else str(choice.get("finish_reason") or "stop")
        return Reply(self.clear(sound), finish, *used)

    def refusal(self, error: Any, body: Mapping[str, Any]) -> Exception:
        """What a status other than success means."""
        status = int(error.status_code)
        host, why = self.endpoint.host, self.message(error)
        if 300 <= status < 400:
            return self.redirect(error.response.headers.get("location", ""))
        if status not in (401, 403, 404, 429) and (field := _named_field(f"{error.body}", body)):
            return FieldRefusedError(field)
        if status in AGAIN or status >= 500:
            wait = parse_retry_after(error.response.headers.get("retry-after"))
            return PassingError(f"answered {status}{why}", wait)
        if status in (401, 403):
            if self.variable:
                return UsageError(
                    f"{host} refuses the key in {self.variable} ({status}); set the right one"
                )
            return UsageError(f"{host} wants a key ({status}); put it into {KEYS[0]}")
        if status == 404:
            return UsageError(
                f"{host} does not know the model or the path (404{why}); "
                "check `model` and `endpoint`, which mostly ends in /v1"
            )
        if status in (400, 422) and (present := [one for one in OPTIONAL if one in body]):
            return FieldRefusedError(present[0])
        return UsageError(f"{host} refuses the request ({status}{why}); check `model`")

    def message(self, error: Any) -> str:
        """What the server said about a failure, in a few words and without the key."""
        return self.describe(error.body)

    def describe(self, body: Any) -> str:
        """What a message says, whatever it is wrapped in."""
        if isinstance(body, dict):
            inner = body.get("error", body)
            body = inner.get("message") if isinstance(inner, dict) else inner
        printable = "".join(c if c.isprintable() else " " for c in str(body or ""))
        shown = " ".join(printable.split())
        return f": {self.clear(shown)[:200]}" if shown else ""


def _named_field(message: str, body: Mapping[str, Any]) -> str:
    """Which field of a refused request the server names, if one that we can do without."""
    words = message.casefold()
    return next((one for one in OPTIONAL if one in body and one in words), "")


def parse_retry_after(header: str | None) -> float | None:
    """How long Retry-After asks to wait: seconds, or until a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return None
    aware = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
