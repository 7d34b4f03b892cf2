"""What LibreOffice is given in place of a document that it would show wrongly. Servers and graders print alike."""

import re
import struct
import zipfile
import zlib
from pathlib import Path

_MARK = re.compile(rb"<(?:\w+:)?commentReference\b[^<>]*(?:/>|></(?:\w+:)?commentReference>)")
_NOTE = re.compile(rb"<(?:\w+:)?(?:foot|end)noteReference\b")
_MAIN = re.compile(r"word/document\d*\.xml")
_WORD = (".docx", ".docm", ".dotx", ".dotm")
_UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError)
"""What reading a damaged or encrypted package raises; NotImplementedError is a RuntimeError."""


def mixes_up_notes(path: Path) -> bool:
    """Whether LibreOffice mixes up the notes of a document, because there are comments beside them.

    LibreOffice 7.4 takes a comment before the first note for one of them: each note gets the text of the next, and the
    last one none.
    """
    try:
        return path.suffix.lower() in _WORD and bool(_mixed(path))
    except _UNREADABLE:
        return False


def drop_comment_marks(path: Path) -> None:
    """Take the marks of comments, which are not printed, out of a document whose notes would be mixed up.

    `path` is replaced, so a file that is linked to it stays as it is. A file that cannot be read stays too:
    LibreOffice says what is wrong with it.
    """
    if not mixes_up_notes(path):
        return
    mixed, draft = _mixed(path), path.with_name("draft")
    try:
        with zipfile.ZipFile(path) as package, zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as made:
            for name in dict.fromkeys(package.namelist()):
                made.writestr(name, _MARK.sub(b"", mixed[name]) if name in mixed else package.read(name))
        draft.replace(path)
    except _UNREADABLE:
        draft.unlink(missing_ok=True)


def _mixed(path: Path) -> dict[str, bytes]:
    """The main part, if it refers to comments and to notes."""
    with zipfile.ZipFile(path) as package:
        names = set(package.namelist())
        if not any(name.endswith("comments.xml") for name in names):
            return {}
        parts = {name: package.read(name) for name in names if _MAIN.fullmatch(name)}
    return {name: data for name, data in parts.items() if _MARK.search(data) and _NOTE.search(data)}
