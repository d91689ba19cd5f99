"""Checks before every page: the right host, a limited size; headers on every answer."""

import re
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chronoscore.workbench.store.settings import LOOPBACK, Settings

POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'; img-src 'self' data:"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: with it browsers hide the Origin of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


LONGEST_PATH = 1_000
OPEN = ("/health", "/metrics")
_HOST = re.compile(r"\[([0-9a-f:.]+)\](?::\d+)?|([a-z0-9._-]+)(?::\d+)?")
_UPLOAD = re.compile(r"/p/\d+/import|/t/\d+/machine")


class TooMuchError(Exception):
    """A request was longer than it said or may be."""


class Guard:
    """Wraps the application; works on messages, so that no answer escapes it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.hosts = {settings.host}
        if settings.on_loopback:
            self.hosts |= set(LOOPBACK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, pass it on, and put the headers on what comes back."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._dress(MutableHeaders(scope=message), scope["path"])
            await send(message)

        self._strip_prefix(scope)
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, sending)
            return
        await self.app(scope, self._limit_body(scope, receive), sending)

    def _strip_prefix(self, scope: Scope) -> None:
        """Take the folder off that browsers see; some proxies have done so already."""
        prefix = self.settings.prefix
        if prefix and f"{scope['path']}/".startswith(f"{prefix}/"):
            scope["path"] = scope["path"].removeprefix(prefix) or "/"
            scope["raw_path"] = quote(scope["path"]).encode()

    def limit(self, path: str) -> int:
        """How many bytes a request to this path may carry."""
        upload = _UPLOAD.fullmatch(path)
        return self.settings.largest_upload if upload else self.settings.largest_request

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        # A page elsewhere that made its name point at this machine must not reach us.
        # What tells nothing to strangers may be asked under any: monitors know us by number.
        named = _hostname(headers.get("host", "")) in self.hosts
        if not named and scope["path"] not in OPEN:
            return PlainTextResponse("this workbench is reached under another name", 421)
        if len(scope["path"]) > LONGEST_PATH:
            return PlainTextResponse("no address here is that long", 414)
        length = headers.get("content-length", "0")
        # Not isdigit: it takes ² for a figure, which int does not.
        if not length.isdecimal() or len(length) > 18 or int(length) > self.limit(scope["path"]):
            return _too_large()
        return None

    def _limit_body(self, scope: Scope, receive: Receive) -> Receive:
        left = self.limit(scope["path"])

        async def receiving() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooMuchError
            return message

        return receiving

    def _dress(self, headers: MutableHeaders, path: str) -> None:
        for name, value in HEADERS.items():
            headers[name] = value
        # Browsers that know it let nobody past the warning about a certificate of our own.
        if self.settings.encrypted and not self.settings.shared:
            headers["Strict-Transport-Security"] = "max-age=31536000"
        if path.startswith("/static/"):
            headers["Cache-Control"] = "no-cache"
        else:
            headers["Cache-Control"] = "no-store"


async def refuse_long_request(_request: Request, _error: Exception) -> PlainTextResponse:
    """The answer to a request that turned out too long while it was read."""
    return _too_large()


def _too_large() -> PlainTextResponse:
    return PlainTextResponse("this is more than the workbench accepts at once", 413)


def _hostname(host: str) -> str:
    match = _HOST.fullmatch(host.lower())
    return (match[1] or match[2]) if match else ""
