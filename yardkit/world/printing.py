"""Corrected copies of documents that LibreOffice would show wrongly, the same for servers and graders."""

import re
import zipfile
from pathlib import Path

from yardkit.world.limits import ARCHIVE_ERRORS

_MARK = re.compile(rb"<(?:\w+:)?commentReference\b[^<>]*(?:/>|></(?:\w+:)?commentReference>)")
_NOTE = re.compile(rb"<(?:\w+:)?(?:foot|end)noteReference\b")
_MAIN = re.compile(r"word/document\d*\.xml")
_WORD = (".docx", ".docm", ".dotx", ".dotm")


def mixes_up_notes(path: Path) -> bool:
    """Whether LibreOffice mixes up the notes of a document, because there are comments beside them.

    LibreOffice 7.4 counts a comment before the first note as a note: each note gets the text of the next one, and the
    last one none.
    """
    try:
        return path.suffix.lower() in _WORD and bool(_read_mixed_part(path))
    except ARCHIVE_ERRORS:
        return False


def drop_comment_marks(path: Path) -> None:
    """Remove the marks of comments, which are not printed, from a document whose notes would be mixed up.

    `path` is replaced, so a hard-linked file is not changed. An unreadable file stays, too: LibreOffice reports its
    fault.

    Raises:
        OSError: the copy cannot be written, for example on a full disk; then the pages would be wrong.
    """
    if not mixes_up_notes(path):
        return
    try:
        mixed = _read_mixed_part(path)
        with zipfile.ZipFile(path) as package:
            parts = {name: package.read(name) for name in package.namelist()} | mixed
    except ARCHIVE_ERRORS:
        return
    draft = path.with_name("draft")
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as new_archive:
        for name, data in parts.items():
            new_archive.writestr(name, _MARK.sub(b"", data) if name in mixed else data)
    draft.replace(path)


def _read_mixed_part(path: Path) -> dict[str, bytes]:
    """Read the main part if it refers to comments and to notes."""
    with zipfile.ZipFile(path) as package:
        names = set(package.namelist())
        if not any(name.endswith("comments.xml") for name in names):
            return {}
        parts = {name: package.read(name) for name in names if _MAIN.fullmatch(name)}
    return {name: data for name, data in parts.items() if _MARK.search(data) and _NOTE.search(data)}
