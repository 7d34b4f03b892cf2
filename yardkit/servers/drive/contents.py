"""The words of a drive file, or why they cannot be searched."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from unicodedata import bidirectional

from yardkit.apps.drive_words import words_in
from yardkit.world import Problem
from yardkit.world.extras import missing_package
from yardkit.world.queries import fold_text

_MAX_BYTES = 50_000_000
_MAX_PAGES, _MAX_CHARACTERS = 2_000, 20_000_000
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True)
class Contents:
    """What a search sees of a file. unread: why that is not all of it; empty where it is."""

    words: str
    unread: str = ""


def read_contents(path: Path) -> Contents:
    """The words of a file, folded."""
    if not path.is_file():
        return Contents("", "its content is missing")
    about = path.stat()
    return _read_contents(path, about.st_size, about.st_mtime_ns)


@lru_cache(64)
def _read_contents(path: Path, size: int, _changed: int) -> Contents:
    if size > _MAX_BYTES:
        return Contents("", "it is larger than 50 MB")
    with path.open("rb") as opened:
        head = opened.read(1024)
    if b"%PDF-" in head:
        return _read_pdf(path)
    if head.startswith(_OLD_OFFICE):
        return Contents("", "it is of an old Office format or encrypted; save it in the current format")
    words = fold_text(words_in(path))
    return Contents(words, "" if words or not size else "it holds no text that can be read")


def _read_pdf(path: Path) -> Contents:
    from yardkit.kit.pages.raster import open_pdf

    try:
        with open_pdf(path) as document:
            count = len(document)
            pages = [_read_page(document, number) for number in range(min(count, _MAX_PAGES))]
    except Problem:
        return Contents("", "the PDF is damaged or asks for a password")
    except ModuleNotFoundError as error:  # the other files can be searched without it
        return Contents("", str(missing_package(error, "pdf") or error))
    words = " ".join(pages)[:_MAX_CHARACTERS]
    blank = sum(not page.strip() for page in pages)
    if blank == len(pages):
        return Contents(words, "the PDF has no text, as of a scan; ocr tools read it")
    if blank or count > _MAX_PAGES:
        return Contents(
            words, f"{blank + max(count - _MAX_PAGES, 0)} of the PDF's {count} pages have no text to search"
        )
    return Contents(words)


def _read_page(document: Any, number: int) -> str:
    """The words of a page; those that are written from right to left in either order, as programs store both."""
    import pypdfium2

    try:
        text = document[number].get_textpage().get_text_range()
    except pypdfium2.PdfiumError:
        return ""
    text = re.sub("[\ufffe\u00ad\x02](?:\r?\n)?", "", text)
    backward = [word[::-1] for word in text.split() if bidirectional(word[0]) in ("R", "AL")]
    return fold_text(" ".join([text, *backward]))
