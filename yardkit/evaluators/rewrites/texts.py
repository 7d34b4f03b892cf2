"""Tables, pages and other texts as other programs write them."""

import csv
import io
import json
import re
from pathlib import Path

_RAW = re.compile(r"(?is)(<(?:script|style)\b.*?</(?:script|style)\s*>)")


def windows_text(path: Path) -> None:
    """A text with a byte order mark and the line ends of Windows."""
    lines = path.read_text("utf-8-sig").splitlines()
    path.write_bytes("".join(f"{line}\r\n" for line in lines).encode("utf-8-sig"))


def quoted_table(path: Path) -> None:
    """A table in which each field is quoted, as a text of Windows."""
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline=""), delimiter=_separator_of(path)))
    buffer = io.StringIO(newline="")
    csv.writer(buffer, quoting=csv.QUOTE_ALL, delimiter=_separator_of(path)).writerows(rows)
    path.write_bytes(buffer.getvalue().encode("utf-8-sig"))


def _separator_of(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def escaped_json(path: Path) -> None:
    """JSON in one line without other letters than those of ASCII, its keys in order."""
    value = json.loads(path.read_text("utf-8-sig"))
    path.write_text(json.dumps(value, separators=(",", ":"), sort_keys=True), "ascii")


def referenced_letters(path: Path) -> None:
    """A page in ASCII: all other letters of its text as character references, but not in scripts and styles."""
    pieces = _RAW.split(path.read_text("utf-8-sig"))
    path.write_bytes(
        b"".join(
            piece.encode("utf-8" if place % 2 else "ascii", "xmlcharrefreplace") for place, piece in enumerate(pieces)
        )
    )
