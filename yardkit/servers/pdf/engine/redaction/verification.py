"""Is it gone? The saved file as a reader of text and as a reader of raw streams sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from yardkit.servers.pdf.engine.content.image_metadata import without_texts
from yardkit.servers.pdf.engine.content.resource_streams import Roles, is_own_word, is_palette, spells_term
from yardkit.servers.pdf.engine.content.searchable_text import (
    UNREAD,
    Unsearchable,
    content_of,
    content_without_comments,
    decode_stream,
    drawn_glyphs,
    is_drawn,
    objects_beside_content,
    objects_with_text,
    read_displayed_text,
    texts_of,
)
from yardkit.servers.pdf.engine.package.document import open_pdf, render_pdf
from yardkit.servers.pdf.engine.package.pages import list_dictionaries, select_pages, space_of
from yardkit.servers.pdf.engine.reading.page_text import find_matches
from yardkit.servers.pdf.engine.reading.reading_order import lines_of
from yardkit.servers.pdf.engine.reading.words import words_of
from yardkit.servers.pdf.engine.redaction.chosen_names import inks_of, names_of, own_entries
from yardkit.servers.pdf.engine.redaction.scrubber import MAX_STRING_DEPTH, NOT_WORDS, is_date
from yardkit.servers.pdf.engine.redaction.terms import Terms
from yardkit.world.boxes import Box

TERM_REMAINS = "after removal a term in the content stream was still found"
_OUT = 0.4
"""How far letters stand out of their middle, by its size."""


@dataclass
class Remains:
    """What is still there, or may be.

    Attributes:
        pages: why a page must become a picture: it holds something, or cannot be followed.
        elsewhere: objects that hold a term.
        forms: form objects that cannot be followed, by object number and generation, with the reason.
        unsearchable: what else cannot be searched.
        boxes: where pages show a term, in points as shown, wide enough for what stands out of a line.
        unread: pages that show words in fonts that do not tell their letters.
    """

    pages: dict[int, str] = field(default_factory=dict)
    elsewhere: list[str] = field(default_factory=list)
    forms: dict[tuple[int, int], str] = field(default_factory=dict)
    unsearchable: list[str] = field(default_factory=list)
    boxes: dict[int, list[Box]] = field(default_factory=dict)
    unread: list[int] = field(default_factory=list)


def find_remains(
    path: Path, password: str, areas: dict[int, list[Box]], terms: Terms | None, pages: str | None = None
) -> Remains:
    """Search a saved file for characters in the areas, and for the terms: on the pages, or in everything it holds."""
    left = Remains()
    with render_pdf(path, password) as document:
        for number, boxes in areas.items():
            inside = [box for word in words_of(document[number - 1]) for box in word.chars if _is_in_boxes(box, boxes)]
            if inside:
                left.pages[number] = f"after removal {len(inside)} characters in the areas were still found"
        if terms:
            for number in select_pages(pages, len(document)):
                lines = lines_of(words_of(document[number - 1]))
                matches = [
                    match
                    for pattern, two in terms.pairs
                    for match in find_matches(lines, pattern, number, literal=True, of_folded=two)
                ]
                if matches:
                    left.pages[number] = "after removal a term in the text was still found"
                    left.boxes[number] = [(b[0], b[1], b[2], b[3]) for match in matches for b in match.boxes]
    if terms:
        with open_pdf(path, password) as pdf:
            numbers = select_pages(pages, len(pdf.pages))
            search_pages(pdf, numbers, terms, left)
            remaining_hits = search_objects(pdf, terms) if pages is None else _search_beside(pdf, numbers, terms)
            left = replace(remaining_hits, pages=left.pages, boxes=left.boxes, unread=left.unread)
    return left


def _is_in_boxes(box: Box, boxes: list[Box]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(pair[0] < x < pair[2] and pair[1] < y < pair[3] for pair in boxes)


def search_pages(pdf: Any, numbers: list[int], terms: Terms, left: Remains) -> None:
    """Strings of content streams through their fonts."""
    for number in numbers:
        page = pdf.pages[number - 1]
        try:
            displayed_text = read_displayed_text(pdf, page)
            if terms.appear_in(displayed_text) or content_without_comments(page, terms.find) is not None:
                left.pages.setdefault(number, TERM_REMAINS)
                space = space_of(page)
                boxes = [space.convert_box(_widen_box(box)) for box in terms.boxes(displayed_text)]
                left.boxes.setdefault(number, []).extend(boxes)
            if terms.hidden(displayed_text):
                left.unread.append(number)
                left.pages.setdefault(number, UNREAD)
        except Unsearchable as reason:
            left.pages.setdefault(number, str(reason))


def _widen_box(box: Box) -> Box:
    """A box of the middle of a glyph made so wide that the glyph lies in it."""
    by = _OUT * max(box[2] - box[0], box[3] - box[1])
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def search_objects(pdf: Any, terms: Terms) -> Remains:
    """Forms and patterns through their fonts, and every string and stream but the content of pages as it is."""
    return _search_objects(pdf, _iter_positions(pdf), terms)


def _search_beside(pdf: Any, numbers: list[int], terms: Terms) -> Remains:
    """The same of the comments and fields of some pages, and of the patterns, masks and drawn glyphs that they use."""
    import pikepdf

    places: dict[Any, Any] = {}
    glyphs = drawn_glyphs(pdf)
    for number in numbers:
        annotated, patterns = objects_beside_content(pdf.pages[number - 1])
        direct = [
            dictionary
            for dictionary in list_dictionaries(pdf.pages[number - 1].obj, "/Annots")
            if not dictionary.is_indirect
        ]
        drawn = [pattern for pattern in patterns if isinstance(pattern, pikepdf.Stream) and is_drawn(pattern, glyphs)]
        places |= {pdf_object.objgen: pdf_object for pdf_object in annotated + drawn}
        places |= {(number, -at): pdf_object for at, pdf_object in enumerate(direct, start=1)}
    return _search_objects(pdf, ((f"object {place.objgen[0]}", place) for place in places.values()), terms)


def _search_objects(pdf: Any, places: Iterable[tuple[str, Any]], terms: Terms) -> Remains:
    import pikepdf

    left, roles, glyphs = Remains(), Roles(pdf), drawn_glyphs(pdf)
    content = content_of(pdf)
    for place, pdf_object in places:
        is_stream = isinstance(pdf_object, pikepdf.Stream)
        drawn = is_stream and is_drawn(pdf_object, glyphs)
        if drawn:
            _search_form(pdf, pdf_object, glyphs.get(pdf_object.objgen), terms, left)
        try:
            has_term = (
                is_stream and not drawn and pdf_object.objgen not in content and _in_bytes(pdf_object, terms, roles)
            )
            if has_term or any(map(terms.is_meant, _iter_strings(pdf_object, 0, terms))):
                left.elsewhere.append(place)
        except Unsearchable as reason:
            left.unsearchable.append(f"{place}: {reason}")
    return left


def _iter_positions(pdf: Any) -> Iterator[tuple[str, Any]]:
    """Everything that a document holds, with how to call it."""
    import pikepdf

    for thing in objects_with_text(pdf):
        yield f"object {thing.objgen[0]}", thing
    for key in own_entries(pdf):
        yield f"{key} of the metadata", pikepdf.String(key[1:])
    for key, value in pdf.trailer.items():
        if key not in NOT_WORDS and isinstance(value, pikepdf.Object) and not value.is_indirect:
            yield f"{key} of the trailer", value


def _search_form(pdf: Any, form: Any, resources: Any, terms: Terms, left: Remains) -> None:
    try:
        displayed_text = read_displayed_text(pdf, form, resources)
        if terms.appear_in(displayed_text) or content_without_comments(form, terms.find) is not None:
            left.elsewhere.append(f"form object {form.objgen[0]}")
        elif terms.hidden(displayed_text):
            left.forms[form.objgen] = UNREAD
    except Unsearchable as reason:
        left.forms[form.objgen] = str(reason)


def _iter_strings(node: Any, depth: int, terms: Terms) -> Iterator[str]:
    """The strings of an object and of what lies directly in it, but the dates that no term means.

    Raises:
        Unsearchable: it nests too deeply.
    """
    import pikepdf

    if depth > MAX_STRING_DEPTH:
        raise Unsearchable("it nests too deeply")
    if isinstance(node, pikepdf.String):
        yield from texts_of(node)
    elif isinstance(node, pikepdf.Array):
        yield from (str(ink_holder[at])[1:] for ink_holder, at in inks_of(node))
        for at, value in enumerate(node):
            if isinstance(value, pikepdf.Object) and not (value.is_indirect or is_palette(node, at)):
                yield from _iter_strings(value, depth + 1, terms)
    elif isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        yield from names_of(node)
        for key in list(node.keys()):
            value = node.get(key)
            if isinstance(value, pikepdf.String):
                string_value = str(value)
                no_term = is_own_word(key, string_value) or (
                    is_date(key, string_value) and not terms.in_date(string_value)
                )
                yield from [] if no_term else texts_of(value)
            elif isinstance(value, pikepdf.Object) and not value.is_indirect:
                yield from _iter_strings(value, depth + 1, terms)


def _in_bytes(stream: Any, terms: Terms, roles: Roles) -> bool:
    """Whether a decoded stream spells a term in a usual encoding; pixels and fonts spell nothing.

    Raises:
        Unsearchable: it cannot be decoded.
    """
    if roles.spells_nothing(stream):
        return without_texts(stream, terms.is_meant) is not None
    data = decode_stream(stream)
    if kind := roles.kind(stream, data):
        return spells_term(kind, data, terms.find)
    return any(map(terms.is_meant, _meant_by(data)))


def _meant_by(data: bytes) -> Iterator[str]:
    """How the bytes of a stream may be meant."""
    yield data.decode("utf-8", "ignore")
    if not data.isascii():
        yield from (data.decode(name, "ignore") for name in ("latin-1", "cp1252"))
    if b"\0" in data:
        yield from (data[at:].decode(name, "ignore") for name in ("utf-16-be", "utf-16-le") for at in (0, 1))
