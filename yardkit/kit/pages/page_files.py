"""The files that a web page may load: those of one folder, passed to the browser one by one."""

import mimetypes
import os
from pathlib import Path

_MAX_FILE_BYTES = 100_000_000


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


def content_type(file: Path) -> str:
    """Return the content type of a file for the browser."""
    kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
    always = kind in ("text/css", "text/javascript", "application/json")
    return kind + ("; charset=utf-8" if always or (kind == "text/html" and _is_undeclared_utf8(file)) else "")


def _is_undeclared_utf8(file: Path) -> bool:
    """Whether a page is UTF-8 without a declaration, so that the browser would assume Windows-1252."""
    data = file.read_bytes()
    # HTML standard: a declaration must be in the first 1,024 bytes.
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"charset" in data[:1024].lower():
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
