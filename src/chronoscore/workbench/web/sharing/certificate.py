"""A certificate of the workbench's own: its key is kept and used again at the next start.

No authority has signed it, so browsers warn; people compare its fingerprint instead.
"""

import os
import stat
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from chronoscore.errors import DataError
from chronoscore.formats.io.files import write_text

KEY, CERTIFICATE = "share-key.pem", "share-certificate.pem"
_DAYS = 397
"""Browsers refuse certificates for much longer than a year."""
_REST = timedelta(days=30)


@dataclass(frozen=True)
class ServerCertificate:
    """The files that a server needs, and what people compare."""

    key: Path
    certificate: Path
    fingerprint: str


def provide(folder: Path, address: str) -> ServerCertificate:
    """The certificate for an address; the same as last time, if it still holds."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    key, path = _key(folder / KEY), folder / CERTIFICATE
    found = _read(path)
    if found is None or not _holds(found, key, address):
        found = _sign(key, address)
        write_text(path, found.public_bytes(serialization.Encoding.PEM).decode())
    raw = found.fingerprint(hashes.SHA256())
    return ServerCertificate(folder / KEY, path, raw.hex(":").upper())


def _key(path: Path) -> ec.EllipticCurvePrivateKey:
    """The key in a file that only its owner can read; made if there is none."""
    if not path.exists():
        fresh = ec.generate_private_key(ec.SECP256R1())
        raw = fresh.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        # Never readable by others, not even for a moment; whole or not there.
        part = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(raw)
        part.replace(path)
        return fresh
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise DataError(
            "other people on this machine can read the key; delete it, and a new one is made",
            place=path,
        )
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError, OSError):
        key = None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise DataError("holds no usable key; delete it, and a new one is made", place=path)
    return key


def _read(path: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError):
        return None


def _holds(found: x509.Certificate, key: ec.EllipticCurvePrivateKey, address: str) -> bool:
    """Whether a certificate names the address, fits the key, and is good for a while."""
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return False
    ours = found.public_key() == key.public_key()
    named = ip_address(address) in names.get_values_for_type(x509.IPAddress)
    now = datetime.now(UTC)
    return ours and named and found.not_valid_before_utc < now < found.not_valid_after_utc - _REST


def _sign(key: ec.EllipticCurvePrivateKey, address: str) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "chronoscore workbench")])
    now = datetime.now(UTC).replace(microsecond=0)
    usage = x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=False, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Clocks of other machines may be behind.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_DAYS))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
