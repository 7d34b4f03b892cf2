"""Looking into the streams of a document: what cannot be looked into is told from what holds nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolyard.servers.pdf.engine.encodings import Code
from toolyard.servers.pdf.engine.glyphs import IDENTITY, Editor, Walk
from toolyard.servers.pdf.engine.pages import Box, select

SAYS_EMPTIED = "streams that cannot be searched"
_PICTURES = ("/DCTDecode", "/JPXDecode", "/CCITTFaxDecode", "/JBIG2Decode")
_FONT_PARTS = ("/Length1", "/Length2", "/Length3")


class Unsearchable(Exception):
    """A part of a document cannot be looked into; the message says why."""


def decoded(stream: Any) -> bytes:
    """The bytes of a stream without its filters.

    Raises:
        Unsearchable: the filters are unknown, made for pictures, or do not fit the bytes.
    """
    import pikepdf

    try:
        return bytes(stream.read_bytes(pikepdf.StreamDecodeLevel.specialized))  # run lengths may hold text, too
    except pikepdf.PikepdfError as error:
        raise Unsearchable("it cannot be decoded") from error


def spells_nothing(stream: Any) -> bool:
    """Whether a stream is a picture or the program of a font: nothing that is searched for terms."""
    import pikepdf

    kind, filters = stream.get("/Subtype"), stream.get("/Filter")
    last = list(filters)[-1:] if isinstance(filters, pikepdf.Array) else [filters]
    picture = kind == "/Image" or (kind != "/Form" and any(str(each) in _PICTURES for each in last))
    return picture or any(key in stream for key in _FONT_PARTS)


class _Reader(Editor):
    """Gathers the text with and without spaces where it breaks."""

    def __init__(self) -> None:
        super().__init__()
        self.spaced: list[str] = []
        self.unread = False

    def removes_glyph(self, box: Box, code: Code) -> bool:
        self.spaced.append(code.text)
        return super().removes_glyph(box, code)

    def gap(self) -> None:
        self.spaced.append(" ")

    def unknown(self) -> None:
        self.unread = True


@dataclass(frozen=True)
class Shown:
    """What a page or a form shows.

    Attributes:
        text: as it is joined.
        spaced: with spaces at new lines and wide gaps.
        unread: whether there is text in a font that does not tell what it means.
    """

    text: str
    spaced: str
    unread: bool


def shown_text(pdf: Any, source: Any) -> Shown:
    """The text that a page or a form XObject shows.

    Raises:
        Unsearchable: it cannot be followed.
    """
    reader = _Reader()
    followed(Walk(pdf, reader), source)
    return Shown("".join(reader.text), " ".join("".join(reader.spaced).split()), reader.unread)


def followed(walk: Walk, source: Any) -> tuple[list[Any], Any, bool]:
    """What a walk makes of a page or of a form.

    Raises:
        Unsearchable: the walk does not come to its end.
    """
    import pikepdf

    try:
        return walk.stream(source, source.get("/Resources"), IDENTITY)
    except (pikepdf.PikepdfError, OverflowError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise Unsearchable(f"its content could not be followed ({str(error)[:80]})") from error


def content_of(pdf: Any) -> set[Any]:
    """Object numbers of the content streams of the pages."""
    return {part.objgen for page in pdf.pages for part in _content_parts(page)}


def undecodable(pdf: Any, pages: str | None) -> list[int]:
    """Which of the pages have content that cannot be decoded."""
    numbers = sorted(set(select(pages, len(pdf.pages))))
    return [number for number in numbers if not all(map(_is_decodable, _content_parts(pdf.pages[number - 1])))]


def _is_decodable(stream: Any) -> bool:
    try:
        decoded(stream)
    except Unsearchable:
        return False
    return True


def _content_parts(page: Any) -> list[Any]:
    import pikepdf

    held = page.obj.get("/Contents")
    parts = list(held) if isinstance(held, pikepdf.Array) else [held]
    return [part for part in parts if isinstance(part, pikepdf.Stream)]


def emptied(stream: Any, reason: Unsearchable | str) -> str:
    """Empty a stream that cannot be searched, wherever it is used; what to say of it."""
    kind = str(stream.get("/Subtype", stream.get("/Type", "")))[1:]
    stream.write(b"")
    return f"the stream {stream.objgen[0]}{f' ({kind})' * bool(kind)} cannot be searched ({reason}); it was removed"
