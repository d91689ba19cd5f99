"""What one running workbench was told at its start."""

from dataclasses import dataclass
from urllib.parse import urlsplit

MEGABYTE = 1024 * 1024
LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where the workbench is reached and how much it accepts."""

    public_url: str = "http://127.0.0.1:8765"
    largest_upload: int = 64 * MEGABYTE
    largest_request: int = 1 * MEGABYTE
    session_idle_hours: float = 12.0
    session_days: float = 14.0
    invitation_days: float = 7.0

    @property
    def origin(self) -> str:
        """Scheme, host and port as a browser writes them in `Origin`."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def host(self) -> str:
        """The name by which the workbench is reached, without its port."""
        return urlsplit(self.public_url).hostname or ""

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine reaches it, so that cookies may travel without TLS."""
        return self.host in LOOPBACK

    @property
    def encrypted(self) -> bool:
        """Whether visitors reach it over TLS."""
        return urlsplit(self.public_url).scheme == "https"
