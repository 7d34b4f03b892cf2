"""Looking into the streams of a document: what cannot be looked into is told from what holds nothing."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from typing import Any
from urllib.parse import unquote, unquote_plus

from yardkit.servers.pdf.engine.content.encodings import Code
from yardkit.servers.pdf.engine.content.glyphs import IDENTITY, Editor, Walk
from yardkit.servers.pdf.engine.content.operands import without_comments
from yardkit.servers.pdf.engine.package.pages import select_pages
from yardkit.servers.pdf.engine.reading.text_folding import is_right_to_left
from yardkit.world.boxes import Box

UNREAD = "it shows text in a font without a letter mapping"
LOST = "its content could not be followed"
EMPTIED_STREAMS = "streams that cannot be searched"
_CONTAINER_TYPES = ("/ObjStm", "/XRef")
_MAX_DEPTH = 60
_MANY_GLYPHS = 5_000
_LETTER, _LINE = 1.0, 0.4
"""How far apart, in heights of capitals, letters of a word stand at most; lines stand further apart."""
_SPACE_DISTANCE = 0.3
"""Space between the middles of glyphs, in their size, from which on a space is seen there; W and W have a quarter."""
_COLUMN = 3.0
"""Space between columns, in heights of capitals."""
_SPACED_OUT = re.compile(r"(?<!\S)([^\W\d_]) (?=[^\W\d_](?!\S))")
_DIVIDED = re.compile(r"(?<=\w)[-\u2010\u00ad] (?=\w)")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")
_TAG = re.compile(r"<[^<>]*>")


PACKED = (
    *(b"\x1f\x8b", b"\x1f\x9d", b"BZh", b"\xfd7zXZ", b"LZIP"),
    *(b"\x04\x22\x4d\x18", b"\x28\xb5\x2f\xfd", b"MSCF", b"7z\xbc\xaf\x27\x1c", b"Rar!"),
)
"""How gzip, compress, bzip2, xz, lzip, lz4, zstd, cab, 7z and rar files begin."""
SEALED = (*PACKED, b"PK\x03\x04", b"PRC", b"U3D\0", b"CWS", b"ZWS")
"""The same of what may stand in a stream: also zip, models in PRC and U3D, films of Flash."""
_ZLIB_HEADERS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_TRIED = 4096
"""Bytes of a stream that are unpacked to see whether it is packed."""


def is_packed(data: bytes) -> bool:
    """Whether the bytes of a stream are those of a format in which texts do not stand as they are."""
    return data.startswith(SEALED) or (data.startswith(_ZLIB_HEADERS) and _can_inflate(data))


def _can_inflate(data: bytes) -> bool:
    try:
        return bool(zlib.decompressobj().decompress(data[:_TRIED], 1))
    except zlib.error:
        return False


class Unsearchable(Exception):
    """A part of a document cannot be looked into; the message says why."""


def decode_stream(stream: Any) -> bytes:
    """The bytes of a stream without its filters.

    Raises:
        Unsearchable: the filters are unknown, made for pictures, or do not fit the bytes.
    """
    import pikepdf

    try:
        return bytes(stream.read_bytes(pikepdf.StreamDecodeLevel.specialized))  # run lengths may hold text, too
    except pikepdf.PikepdfError as error:
        raise Unsearchable("it cannot be decoded") from error


def list_containers(pdf: Any) -> set[Any]:
    """Object numbers of the streams that hold other objects, which are searched themselves; nothing refers to them."""
    import pikepdf

    container_ids = {
        thing.objgen
        for thing in pdf.objects
        if isinstance(thing, pikepdf.Stream) and str(thing.get("/Type", "")) in _CONTAINER_TYPES
    }
    if container_ids:
        container_ids -= {
            value.objgen for node in _iter_nodes(pdf) for value in values_of(node) if _is_reference(value)
        }
    return container_ids


def objects_with_text(pdf: Any) -> list[Any]:
    """The objects of a document but those that the file is read by, containers and keys: their strings are bytes."""
    import pikepdf

    key = pdf.trailer.get("/Encrypt")
    left_out = list_containers(pdf) | ({key.objgen} if key is not None else set())
    return [thing for thing in pdf.objects if isinstance(thing, pikepdf.Object) and thing.objgen not in left_out]


def _iter_nodes(pdf: Any) -> Iterator[Any]:
    """The objects of a document, and those that lie directly in them."""
    waiting = [(thing, 0) for thing in [*pdf.objects, pdf.trailer]]
    while waiting:
        node, depth = waiting.pop()
        yield node
        if depth < _MAX_DEPTH:
            waiting += [(value, depth + 1) for value in values_of(node) if not _is_reference(value)]


def values_of(node: Any) -> list[Any]:
    """What an array, a dictionary or a stream holds."""
    import pikepdf

    if isinstance(node, pikepdf.Array):
        return list(node)
    if isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        return [node.get(key) for key in node.keys()]  # noqa: SIM118 - no mapping of Python
    return []


def objects_beside_content(page: Any) -> tuple[list[Any], list[Any]]:
    """What belongs to a page beside its content: objects of its comments and fields; patterns, masks, drawn glyphs."""
    import pikepdf

    annotated = _list_reached(page.obj.get("/Annots"))
    resource_objects = _list_reached(page.obj.get("/Resources"))
    patterns = [stream for stream, key in resource_objects if isinstance(stream, pikepdf.Stream) and key != "/XObject"]
    return [annotation for annotation, _ in annotated], patterns


def _list_reached(start: Any) -> list[tuple[Any, str]]:
    """The indirect objects below one, but pages and what belongs to those, with the key that leads to them."""
    import pikepdf

    reached_objects: list[tuple[Any, str]] = []
    seen: set[Any] = set()
    waiting = [(start, "", 0)]
    while waiting:
        node, key, depth = waiting.pop()
        if _is_reference(node):
            if node.objgen in seen or _is_elsewhere(node):
                continue
            seen.add(node.objgen)
            reached_objects.append((node, key))
            depth = 0
        if isinstance(node, pikepdf.Dictionary | pikepdf.Stream) and depth < _MAX_DEPTH:
            below = "/XObject" if key == "/XObject" and isinstance(node, pikepdf.Dictionary) else ""
            waiting += [(value, below or at, depth + 1) for at, value in node.items() if at != "/Kids"]
        elif isinstance(node, pikepdf.Array) and depth < _MAX_DEPTH:
            waiting += [(value, key, depth + 1) for value in node]
    return reached_objects


def _is_elsewhere(node: Any) -> bool:
    import pikepdf

    kinds = ("/Page", "/Pages", "/Catalog", "/StructElem", "/StructTreeRoot")
    return isinstance(node, pikepdf.Dictionary) and node.get("/Type") in kinds


def _is_reference(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Object) and value.is_indirect


def is_drawn(stream: Any, glyphs: dict[Any, Any]) -> bool:
    """Whether a stream holds operators that draw: a form, a pattern or a glyph."""
    kinds = (str(stream.get("/Subtype", "")), str(stream.get("/Type", "")))
    return "/Form" in kinds or "/PatternType" in stream or stream.objgen in glyphs


def repoint_structure(pdf: Any, new_objects: dict[Any, Any]) -> None:
    """Let the structure refer to forms that were made instead of those that they replace (ISO 32000-1, 14.7.4)."""
    import pikepdf

    for node in _iter_nodes(pdf) if new_objects else ():
        for key in ("/Stm", "/Obj") if isinstance(node, pikepdf.Dictionary) else ():
            structure_target = node.get(key)
            if _is_reference(structure_target) and structure_target.objgen in new_objects:
                node[key] = new_objects[structure_target.objgen]


def drawn_glyphs(pdf: Any) -> dict[Any, Any]:
    """The resources of the glyphs of fonts that are drawn (Type 3), by object number."""
    import pikepdf

    glyph_objects: dict[Any, Any] = {}
    for node in _iter_nodes(pdf):
        procs = node.get("/CharProcs") if isinstance(node, pikepdf.Dictionary) else None
        if isinstance(procs, pikepdf.Dictionary):
            streams = [value for _, value in procs.items() if isinstance(value, pikepdf.Stream)]
            glyph_objects |= {value.objgen: node.get("/Resources") for value in streams}
    return glyph_objects


def texts_of(string: Any) -> list[str]:
    """How a string may be meant: as PDF says, or as UTF-16 or UTF-8 without a mark."""
    raw = bytes(string)
    others = ["utf-16-be", "utf-16-le"] if b"\0" in raw else [] if raw.isascii() else ["utf-8"]
    return [str(string), *(raw.decode(other, "ignore") for other in others)]


def list_meanings(text: str) -> list[str]:
    """How a text may be meant: as it is, without escapes, and without the elements that may divide words."""
    meanings = [text]
    if "%" in text:
        meanings.append(unquote(text))
    if "+" in text:
        meanings.append(unquote_plus(text))
    if "\\" in text:
        meanings.append(_ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text))
    if "&" in text:
        meanings.append(unescape(text))
    if _TAG.search(text):
        meanings += [unescape(_TAG.sub(divided, text)) for divided in ("", " ")]
    return meanings


Glyph = tuple[str, Box | None]
"""A character, and the box of its glyph; none for a space that none shows."""


class _Reader(Editor):
    """Gathers the text with and without spaces where it breaks."""

    def __init__(self) -> None:
        super().__init__()
        self.spaced: list[Glyph] = []
        self.standing: list[str] = []
        self.unread: list[tuple[Box, str]] = []
        self._last: Box | None = None
        self._may_part = False

    def removes_glyph(self, box: Box, code: Code) -> bool:
        if self._may_part and self._last and _is_distant(self._last, box):
            self.spaced.append((" ", None))
        self._may_part, self._last = False, box
        self.spaced += [(char, box) for char in code.text]
        if code.unread:
            self.unread += [(box, f"{code.unread} {letter}") for letter in range(code.letters)]
        return super().removes_glyph(box, code)

    def note_gap(self) -> None:
        self._may_part = True

    def hidden(self, text: str) -> None:
        self.standing.append(text)


@dataclass(frozen=True)
class DisplayedText:
    """What a page or a form shows.

    Attributes:
        glyphs: characters with the boxes of their glyphs in user space, as in `texts` and `joined`.
        texts: what is read, with a space where glyphs stand apart, and without it in spaced-out words; and the
            texts that stand for parts of it, each on a line of its own.
        joined: both without what divides their parts.
        unread: glyphs of fonts that do not tell what they mean, by the runs that may be words.
    """

    glyphs: list[list[Glyph]]
    texts: list[str]
    joined: list[str]
    unread: list[list[str]]


def read_displayed_text(pdf: Any, source: Any, resources: Any = None) -> DisplayedText:
    """The text that a page, a form, a pattern or a glyph shows, with resources of its own or these.

    Raises:
        Unsearchable: it cannot be followed.
    """
    reader = _Reader()
    walk_result(Walk(pdf, reader), source, resources)
    read = _collapse_spaces(reader.spaced)
    spaced_out = _drop_glyphs(read, [match.end(1) for match in _SPACED_OUT.finditer(_text_of(read))])
    joined = [pair for pair in reader.spaced if pair[1]]
    texts = [_text_of(read), _text_of(spaced_out), "\n".join(reader.standing)]
    unread = _group_runs(reader.unread)
    turned, joined_glyphs = _turn_glyphs(read), _drop_glyphs(read, _find_hyphens(_text_of(read)))
    laid = _sort_into_lines(joined)
    texts[2:2] = [_text_of(turned), _text_of(joined_glyphs), _text_of(laid)]
    return DisplayedText(
        [read, spaced_out, turned, joined_glyphs, laid, joined],
        texts,
        [_text_of(joined), "".join(reader.standing)],
        unread,
    )


def _sort_into_lines(glyphs: list[Glyph]) -> list[Glyph]:
    """The same in lines from left to right, in whatever order the letters are drawn."""
    placed = sorted(((char, box) for char, box in glyphs if box), key=lambda glyph: -(glyph[1][1] + glyph[1][3]))
    lines: list[list[tuple[str, Box]]] = []
    for char, box in placed:
        first = lines[-1][0][1] if lines else box
        same = abs(box[1] + box[3] - first[1] - first[3]) < min(box[3] - box[1], first[3] - first[1])
        if not (lines and same):
            lines.append([])
        lines[-1].append((char, box))
    read: list[Glyph] = []
    for line in lines:
        line.sort(key=lambda glyph: glyph[1][0])
        for (_, before), (char, box) in pairwise([("", line[0][1]), *line]):
            read += [(_get_gap(before, box), None)] if _is_distant(before, box) else []
            read.append((char, box))
        read.append(("\n", None))
    return read


def _get_gap(box: Box, next_: Box) -> str:
    """What divides glyphs of a line that stand apart: of columns more than of words."""
    return "\n" if next_[0] - box[2] > _COLUMN * (box[3] - box[1]) else " "


def _find_hyphens(text: str) -> list[int]:
    """Where hyphens and spaces stand that divide a word over lines."""
    return [at for match in _DIVIDED.finditer(text) for at in range(*match.span())]


def _turn_glyphs(glyphs: list[Glyph]) -> list[Glyph]:
    """The same as it is read: what is written from right to left is mostly drawn from left to right."""
    read: list[Glyph] = []
    run: list[Glyph] = []
    for char, box in glyphs:
        if is_right_to_left(char) or (run and not char.isalnum()):
            run.append((char, box))
        else:
            read += [*reversed(run), (char, box)]
            run = []
    return [*read, *reversed(run)]


def _text_of(glyphs: list[Glyph]) -> str:
    return "".join(char for char, _ in glyphs)


def _collapse_spaces(glyphs: list[Glyph]) -> list[Glyph]:
    """The same with one space where there are several, and none around."""
    remaining_glyphs: list[Glyph] = []
    for char, box in glyphs:
        if not char.isspace():
            remaining_glyphs.append((char, box))
        elif remaining_glyphs and remaining_glyphs[-1][0] != " ":
            remaining_glyphs.append((" ", None))
    return remaining_glyphs[:-1] if remaining_glyphs and remaining_glyphs[-1][0] == " " else remaining_glyphs


def _drop_glyphs(glyphs: list[Glyph], places: list[int]) -> list[Glyph]:
    left_out = set(places)
    return [glyph for at, glyph in enumerate(glyphs) if at not in left_out]


def _is_distant(box: Box, next_: Box) -> bool:
    """Whether glyphs stand further apart than those of a word do, in any direction."""
    size = max(box[2] - box[0], box[3] - box[1], next_[2] - next_[0], next_[3] - next_[1])
    return max(next_[0] - box[2], box[0] - next_[2], next_[1] - box[3], box[1] - next_[3]) > _SPACE_DISTANCE * size


def _group_runs(glyphs: list[tuple[Box, str]]) -> list[list[str]]:
    """Glyphs that stand so close that they may be words, in whatever order they are drawn."""
    if len(glyphs) > _MANY_GLYPHS:
        return [[glyph for _, glyph in glyphs]]
    glyphs = sorted(glyphs)
    run_of = list(range(len(glyphs)))

    def first(at: int) -> int:
        while run_of[at] != at:
            run_of[at] = at = run_of[run_of[at]]
        return at

    for at, (box, _) in enumerate(glyphs):
        high = box[3] - box[1]
        near = (box[0], box[1] - _LINE * high, box[2] + _LETTER * high, box[3] + _LINE * high)
        for next_ in range(at + 1, len(glyphs)):
            other = glyphs[next_][0]
            if other[0] > near[2]:
                break
            if other[1] <= near[3] and other[3] >= near[1]:
                run_of[first(next_)] = first(at)
    runs: dict[int, list[str]] = {}
    for at, (_, glyph) in enumerate(glyphs):
        runs.setdefault(first(at), []).append(glyph)
    return list(runs.values())


def walk_result(walk: Walk, source: Any, resources: Any = None) -> tuple[list[Any], Any, bool]:
    """What a walk makes of a page or of a form.

    Raises:
        Unsearchable: the walk does not come to its end.
    """
    with _follow_errors():
        return walk.stream(source, source.get("/Resources", resources), IDENTITY)


def content_without_comments(source: Any, find_terms: Callable[[str], Iterator[str]]) -> bytes | None:
    """The content of a page or a form without comments, if they hold what is to be found.

    Raises:
        Unsearchable: it cannot be decoded or followed.
    """
    with _follow_errors():
        return without_comments(source, _content_bytes(source), find_terms)


@contextmanager
def _follow_errors() -> Iterator[None]:
    import pikepdf

    try:
        yield
    except (pikepdf.PikepdfError, OverflowError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise Unsearchable(f"{LOST} ({str(error)[:80]})") from error


def content_of(pdf: Any) -> set[Any]:
    """Object numbers of the content streams of the pages."""
    return {part.objgen for page in pdf.pages for part in _content_parts(page)}


def list_undecodable(pdf: Any, pages: str | None) -> list[int]:
    """Which of the pages have content that cannot be decoded."""
    numbers = sorted(set(select_pages(pages, len(pdf.pages))))
    return [number for number in numbers if not all(map(_is_decodable, _content_parts(pdf.pages[number - 1])))]


def _is_decodable(stream: Any) -> bool:
    try:
        decode_stream(stream)
    except Unsearchable:
        return False
    return True


def _content_bytes(source: Any) -> bytes:
    import pikepdf

    parts = [source] if isinstance(source, pikepdf.Stream) else _content_parts(source)
    return b"\n".join(map(decode_stream, parts))


def _content_parts(page: Any) -> list[Any]:
    import pikepdf

    page_contents = page.obj.get("/Contents")
    parts = list(page_contents) if isinstance(page_contents, pikepdf.Array) else [page_contents]
    return [part for part in parts if isinstance(part, pikepdf.Stream)]


def empty_stream(stream: Any, reason: Unsearchable | str) -> str:
    """Empty a stream that cannot be searched, wherever it is used; what to say of it."""
    kind = str(stream.get("/Subtype", stream.get("/Type", "")))[1:]
    stream.write(b"")
    return f"the stream {stream.objgen[0]}{f' ({kind})' * bool(kind)} cannot be searched ({reason}); it was removed"
