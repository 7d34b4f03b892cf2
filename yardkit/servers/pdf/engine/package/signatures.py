"""Signature fields: what they state. Whether a signature is valid is not looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from yardkit.servers.pdf.engine.package.pages import list_dictionaries


@dataclass(frozen=True)
class Signature:
    """A signature field. Validity is not checked.

    Attributes:
        signed: whether it holds a signature.
        covers_file: whether the signed byte range reaches the end of the file, so nothing was added later.
    """

    field: str
    signed: bool
    signer: str = ""
    reason: str = ""
    time: str = ""
    kind: str = ""
    covers_file: bool = False


def signatures_of(pdf: Any, size_bytes: int) -> list[Signature]:
    """The signature fields of a document of `size_bytes`."""
    signatures = []
    waiting = [(dictionary, "", 0) for dictionary in list_dictionaries(pdf.Root.get("/AcroForm"), "/Fields")]
    while waiting:
        node, above, depth = waiting.pop(0)
        name = ".".join(part for part in (above, str(node.get("/T", ""))) if part)
        if node.get("/FT") == "/Sig":
            signatures.append(_read_signature(node.get("/V"), name, size_bytes))
        if depth < 30:
            waiting += [(kid, name, depth + 1) for kid in list_dictionaries(node, "/Kids") if "/T" in kid]
    return signatures


def _read_signature(value: Any, name: str, size_bytes: int) -> Signature:
    if value is None:
        return Signature(name, signed=False)
    ranges = [int(number) for number in value.get("/ByteRange", [])]
    covers = len(ranges) == 4 and ranges[2] + ranges[3] == size_bytes
    signer, reason, time = (str(value.get(key, "")) for key in ("/Name", "/Reason", "/M"))
    kind = str(value.get("/SubFilter", "/"))[1:]
    return Signature(name, signed=True, signer=signer, reason=reason, time=time, kind=kind, covers_file=covers)
