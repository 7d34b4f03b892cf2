"""Certificates made on the spot: an authority of one's own, and what it signs."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from support.live_programs import needed_program

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
_AUTHORITY = ("basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign")


@dataclass(frozen=True)
class Certificate:
    """Files of a certificate and of its key."""

    path: Path
    key: Path


def make_authority(folder: Path) -> Certificate:
    """An authority that nobody knows yet."""
    return _make_certificate(folder, "authority", _AUTHORITY, ())


def make_certificate(folder: Path, host: str, signed_by: Certificate | None = None) -> Certificate:
    """A certificate for a host, signed by an authority or by itself."""
    signer = ("-CA", str(signed_by.path), "-CAkey", str(signed_by.key)) if signed_by else ()
    name = f"{host}-{'signed' if signed_by else 'itself'}"
    return _make_certificate(folder, name, (f"subjectAltName=DNS:{host}", "basicConstraints=critical,CA:FALSE"), signer)


def _make_certificate(folder: Path, name: str, extensions: tuple[str, ...], signer: tuple[str, ...]) -> Certificate:
    certificate = Certificate(folder / f"{name}.pem", folder / f"{name}.key")
    extension_words = [word for extension in extensions for word in ("-addext", extension)]
    command = [
        needed_program("openssl"),
        "req",
        "-x509",
        "-days",
        "30",
        "-subj",
        f"/CN={name}",
        *_KEY,
        *signer,
        *extension_words,
    ]
    subprocess.run([*command, "-keyout", certificate.key, "-out", certificate.path], check=True, capture_output=True)
    return certificate
