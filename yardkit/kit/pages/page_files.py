"""The files that a web page may load: those of one folder, passed to the browser one by one."""

import mimetypes
import os
from pathlib import Path

from yardkit.world.decoding import decode_bytes, note_reading

_MAX_FILE_BYTES = 100_000_000
_TEXT_KINDS = ("text/html", "text/css", "text/javascript", "text/plain", "application/json")


def find_file(root: Path, path: str) -> Path | None:
    """Find the file of an address's path, following links; for a folder, its index.html. None outside of `root`."""
    if "\0" in path:
        return None
    inside = os.path.realpath(root)
    real_path = os.path.realpath(os.path.join(inside, path.lstrip("/")))  # noqa: PTH118 - a text, not yet a path
    if Path(real_path).is_dir():
        real_path = os.path.realpath(os.path.join(real_path, "index.html"))  # noqa: PTH118
    file = Path(real_path)
    small = file.is_relative_to(inside) and file.is_file() and file.stat().st_size <= _MAX_FILE_BYTES
    return file if small else None


def prepare_copy(copy: Path, file: Path) -> str:
    """Make a copy of a file ready for the browser: text as UTF-8. Return its content type.

    The browser would take a page without a declared charset for Windows-1252, and guess at other texts.
    """
    kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
    if kind not in _TEXT_KINDS:
        return kind
    decoded = decode_bytes(copy.read_bytes(), html=kind in ("text/html", "text/css"))
    note_reading(file.name, decoded)
    if decoded.encoding != "utf-8" or decoded.lost:
        copy.write_bytes(decoded.text.encode("utf-8"))
    return f"{kind}; charset=utf-8"
