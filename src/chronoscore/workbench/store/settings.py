"""What one running workbench was told at its start."""

import re
from dataclasses import dataclass
from ipaddress import ip_network
from urllib.parse import urlsplit

from chronoscore.errors import UsageError

MEGABYTE = 1024 * 1024
LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
ONLY_HERE = "only on this computer: restart with --share or --public-url"
"""The note next to a link that no other machine can open."""
OWN_FOLDERS = frozenset(
    {"account", "api", "demo", "feed", "health", "invite", "keys", "login", "logout", "metrics"}
    | {"certificate", "p", "projects", "proof", "reset", "static", "t"}
)
"""What the workbench's own addresses begin with."""
_FOLDER = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._~-]+")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where the workbench is reached and how much it accepts."""

    public_url: str = "http://127.0.0.1:8765"
    largest_upload: int = 64 * MEGABYTE
    largest_request: int = 1 * MEGABYTE
    session_idle_hours: float = 12.0
    session_days: float = 14.0
    invitation_days: float = 7.0
    metrics_token: str = ""
    fingerprint: str = ""
    """Of a certificate of its own, under which it is shared on a network nearby."""

    @property
    def origin(self) -> str:
        """Scheme, host and port as a browser writes them in `Origin`."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def prefix(self) -> str:
        """The folder under which browsers reach it, such as `/judging`, or nothing."""
        return urlsplit(self.public_url).path.rstrip("/")

    @property
    def host(self) -> str:
        """The name by which the workbench is reached, without its port."""
        return urlsplit(self.public_url).hostname or ""

    def cookie(self, name: str) -> str:
        """A cookie's name with our port and folder: browsers send a host's cookies to all of them.

        Two workbenches on one host would otherwise sign people out of each other.
        """
        parts = urlsplit(self.public_url)
        port = parts.port or (443 if self.encrypted else 80)
        # A folder's name holds no plus sign, so no two folders share a name.
        return f"{name}_{port}{self.prefix.replace('/', '+')}"

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine reaches it, so that cookies may travel without TLS."""
        return self.host in LOOPBACK

    @property
    def shared(self) -> bool:
        """Whether it is shared with `--share`, until the process ends."""
        return bool(self.fingerprint)

    @property
    def loses_cookies(self) -> bool:
        """Whether browsers refuse its cookies: over plain HTTP they keep them on loopback only."""
        return not self.on_loopback and not self.encrypted

    @property
    def encrypted(self) -> bool:
        """Whether visitors reach it over TLS."""
        return urlsplit(self.public_url).scheme == "https"


def parse_public_url(text: str) -> str:
    """How browsers reach the workbench, without a slash at its end; refuses what cannot work."""
    if not text.startswith(("http://", "https://")):
        raise UsageError(f"--public-url {text}: write it with http:// or https://")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.query or parts.fragment or "@" in parts.netloc:
        raise UsageError(f"--public-url {text}: write a host and perhaps a folder, nothing else")
    folders = [folder for folder in parts.path.split("/") if folder]
    if not all(map(_FOLDER.fullmatch, folders)):
        raise UsageError(
            f"--public-url {text}: a folder is written with letters, digits, '-', '_', '.' and '~'"
        )
    if folders and folders[0] in OWN_FOLDERS:
        raise UsageError(
            f"--public-url {text}: the workbench has pages under '/{folders[0]}' itself; "
            "choose another folder"
        )
    # As browsers write it in Origin: lower case, and without the usual port.
    usual = ":80" if parts.scheme == "http" else ":443"
    place = parts.netloc.lower().removesuffix(usual)
    return f"{parts.scheme}://{place}" + "".join(f"/{folder}" for folder in folders)


def parse_proxy(text: str) -> str:
    """The address or network of a proxy whose word about visitors is taken."""
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise UsageError(
            f"--trusted-proxy {text}: write an address or network, such as 10.0.0.7 or 10.0.0.0/24"
        ) from None
