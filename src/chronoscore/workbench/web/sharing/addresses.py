"""The addresses under which machines on the same network reach this one, and which is shared.

An interface counts as virtual by what the system says of it, not by its name: no hardware below
it, as with bridges of containers and most VPNs, or two ends only, as with tunnels.
"""

import socket
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from chronoscore.errors import UsageError

_NET = Path("/sys/class/net")
_KERNEL = Path("/proc/sys/kernel/osrelease")
_GET_ADDRESS = 0x8915
_UP, _LOOPBACK, _TWO_ENDS = 0x1, 0x8, 0x10
_NOBODY = ("192.0.2.1", 9)
"""An address kept for examples. Nothing is sent: the system only says by which way it would go."""


@dataclass(frozen=True)
class Interface:
    """An address of this machine, and whether it belongs to a VPN or to containers."""

    address: str
    name: str = ""
    virtual: bool = False

    def __str__(self) -> str:
        kind = f"{self.name}, a VPN, container or virtual network" if self.virtual else self.name
        return f"{self.address} ({kind})" if kind else self.address


Ask = Callable[[Sequence[Interface]], Interface]
"""Lets a person choose; raises where nobody can be asked."""


def choose(asked: str | None, ask: Ask, found: Sequence[Interface] | None = None) -> Interface:
    """The one address to share: the one that was asked for, the only one, or a person's choice."""
    found = list_private() if found is None else found
    if asked is not None:
        address = check(asked)
        return next((one for one in found if one.address == address), Interface(address))
    if not found:
        raise UsageError(
            "--share found no private address on this machine; connect it to a network, "
            "or name its address with --host"
        )
    if len(found) == 1 and not found[0].virtual:
        return found[0]
    return ask(sorted(found, key=lambda one: one.virtual))


def refuse_to_guess(found: Sequence[Interface]) -> Interface:
    """The answer where nobody can be asked."""
    names = ", ".join(map(str, found))
    raise UsageError(
        f"--share cannot choose among {names}; name the one that the judges reach, "
        f"as in --share --host {found[0].address}"
    )


def check(asked: str) -> str:
    """An address that may be shared; one that the whole Internet reaches is refused."""
    try:
        address = ip_address(asked)
    except ValueError:
        raise UsageError(
            f"--host {asked}: with --share, write an address of this machine, as in 192.168.1.20"
        ) from None
    if address.is_unspecified or address.is_multicast:
        raise UsageError(f"--host {asked}: --share listens on one address; name that one")
    if address.is_global:
        raise UsageError(
            f"--host {asked}: the Internet may reach this address; serve it behind a TLS proxy "
            "with --public-url instead of --share"
        )
    return str(address)


def list_private() -> list[Interface]:
    """The addresses of this machine that only its own networks reach."""
    found = _list_linux() if sys.platform == "linux" else _list_others()
    return [one for one in found if _may_share(one.address)]


def _may_share(text: str) -> bool:
    address = ip_address(text)
    return not (address.is_global or address.is_loopback or address.is_link_local)


def _list_linux() -> Iterator[Interface]:
    import fcntl

    # Windows gives its Linux a network of its own, which other machines do not reach.
    guest = "microsoft" in _read(_KERNEL).lower()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        for _, name in socket.if_nameindex():
            flags = int(_read(_NET / name / "flags") or "0x1", 16)
            if not flags & _UP or flags & _LOOPBACK:
                continue
            try:
                raw = fcntl.ioctl(door, _GET_ADDRESS, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # It has no IPv4 address.
            virtual = guest or bool(flags & _TWO_ENDS) or not _on_hardware(_NET / name)
            yield Interface(socket.inet_ntoa(raw[20:24]), name, virtual)


def _on_hardware(folder: Path) -> bool:
    """Whether an interface is a device, or a bridge, bond or VLAN upon one."""
    if (folder / "device").exists():
        return True
    return any(_on_hardware(_NET / one.name[6:]) for one in folder.glob("lower_*"))


def _list_others() -> Iterator[Interface]:
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        try:
            door.connect(_NOBODY)
            addresses.append(door.getsockname()[0])
        except OSError:
            pass  # There is no way to anywhere; the machine's name may still say something.
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, family=socket.AF_INET)
    except socket.gaierror:
        known = []
    addresses += [str(place[4][0]) for place in known]
    yield from map(Interface, dict.fromkeys(addresses))


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
