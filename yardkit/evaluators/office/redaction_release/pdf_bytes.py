"""Texts anywhere in the bytes of a PDF file, visible or not, in all its saved revisions."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.files import parse_file, parse_once
from yardkit.evaluators.readers.pages.pdf import MAX_PAGES
from yardkit.evaluators.readers.pages.pdf_drawings import check_drawings
from yardkit.evaluators.submission import Submission

MAX_STREAM_BYTES = 50_000_000
MAX_REVISIONS = 12
_ENCODINGS = ("utf-8", "cp1252", "utf-16-be", "utf-16-le")


def find_raw_texts(submission: Submission, relative: str, texts: list[str]) -> list[str]:
    """Find those of `texts` that are still anywhere in a delivered PDF, visible or not, to check a redaction.

    It searches the text of the pages, every decompressed stream except pixels, and every string of every object
    (metadata, form values, annotations, bookmarks, attachments), in all encodings of PDF, ignoring case, and also in
    earlier revisions of the file, which a program leaves there if it appends its changes.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable PDF.
    """
    data = files.require_file(submission, relative).read_bytes()
    pool, page_text = parse_file(submission, relative, _read_searchable, "PDF file")
    pool = (data.lower(), *pool)
    present_texts = []
    for text in texts:
        spellings = {text, text.upper(), text.casefold()}
        coded = [spelling.encode(encoding, "ignore").lower() for spelling in spellings for encoding in _ENCODINGS]
        coded += [
            spelling.encode(encoding, "ignore").hex().encode() for spelling in spellings for encoding in _ENCODINGS
        ]
        seen = _squeeze_text(text) in page_text
        if seen or any(code in stream for stream in pool for code in coded if len(code) > 2):
            present_texts.append(text)
    return present_texts


def split_revisions(data: bytes) -> list[bytes]:
    """Return the file and the earlier revisions that it contains, newest first."""
    ends = [match.end() for match in re.finditer(rb"%%EOF", data)][:-1]
    return [data, *(data[:end] for end in reversed(ends[-MAX_REVISIONS:]))]


def _read_searchable(path: Path) -> tuple[tuple[bytes, ...], str]:
    """Read, for each revision, the contents of all objects in lower case and the text of all pages without spaces."""
    parse_once(check_drawings, path)
    pool: list[bytes] = []
    page_texts = []
    for number, data in enumerate(split_revisions(path.read_bytes())):
        try:
            raw, drawn = _list_raw_contents(data)
            pool += [stream.lower() for stream in (*raw, *drawn)]
            page_texts += [_all_text(data), *(_squeeze_text(text.decode("cp1252", "ignore")) for text in drawn)]
        except Exception:
            if number == 0:  # bytes before an earlier end mark need not be a PDF
                raise
    return tuple(pool), "\f".join(page_texts)


def _all_text(data: bytes) -> str:
    import pypdfium2

    opened = pypdfium2.PdfDocument(data)
    try:
        texts = [opened[number].get_textpage().get_text_range() for number in range(min(len(opened), MAX_PAGES))]
    finally:
        opened.close()
    return _squeeze_text("".join(texts).replace("\ufffe", "-"))


def _squeeze_text(text: str) -> str:
    return "".join(text.split()).casefold()


def _list_raw_contents(file: bytes) -> tuple[list[bytes], list[bytes]]:
    """List the contents of all objects, and the joined pieces of text that each stream draws."""
    import pikepdf

    pool: list[bytes] = []
    drawn: list[bytes] = []
    with pikepdf.open(io.BytesIO(file)) as opened:
        for thing in opened.objects:
            if not isinstance(thing, pikepdf.Stream):  # a number, such as the length of a stream, is not an `Object`
                pool.append(thing.unparse() if isinstance(thing, pikepdf.Object) else str(thing).encode())
            elif thing.get("/Subtype") != "/Image":
                try:
                    data = thing.read_bytes()
                except pikepdf.PdfError:
                    data = thing.read_raw_bytes()
                pool.append(data[:MAX_STREAM_BYTES])
                drawn.append(b"".join(_list_drawn_strings(data)))
            pool += list(_list_texts(thing, 0))
    return pool, drawn


def _list_texts(node: Any, depth: int) -> Iterator[bytes]:
    """List the decoded strings in an object."""
    import pikepdf

    if depth > 8:
        return
    if isinstance(node, pikepdf.String):
        yield str(node).casefold().encode()
    elif isinstance(node, pikepdf.Array):
        for item in node:
            yield from _list_texts(item, depth + 1) if not getattr(item, "is_indirect", False) else ()
    elif isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        for item in dict(node.items()).values():
            yield from _list_texts(item, depth + 1) if not getattr(item, "is_indirect", False) else ()


def _list_drawn_strings(data: bytes) -> Iterator[bytes]:
    """List the texts in the drawing commands of a page, joining the pieces into which kerning splits them."""
    for match in re.finditer(rb"\(((?:[^()\\]|\\.)*)\)", data[:5_000_000]):
        unescaped = re.sub(rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8) & 255]), match.group(1))
        yield re.sub(rb"\\(.)", rb"\1", unescaped)
