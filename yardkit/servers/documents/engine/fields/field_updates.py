"""References by number and fields that count pages, brought up to date; and those whose target is gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from yardkit.servers.documents.engine.fields.note_numbers import note_mark, numbers_of_marks
from yardkit.servers.documents.engine.fields.page_numbers import Pages, is_locatable
from yardkit.servers.documents.engine.fields.toc import is_relative, set_result
from yardkit.servers.documents.engine.formatting.numbering import Item, Numbering, formatted_number
from yardkit.servers.documents.engine.markup.names import P, find_element, get_attribute, get_value, qualify_name
from yardkit.servers.documents.engine.package import field_values
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.field_values import Field, iter_fields, split_arguments
from yardkit.servers.documents.engine.package.writer import Writer

_BY_NUMBER = {"\\r", "\\n", "\\w"}
_ERROR_TEXTS = {
    "REF": "Error! Reference source not found.",
    "PAGEREF": "Error! Bookmark not defined.",
    "NOTEREF": "Error! Bookmark not defined.",
}
_ON_PAGES = ("PAGE", "NUMPAGES", "SECTIONPAGES", "PAGEREF")
_NUMBER_FORMATS = {
    "roman": "lowerRoman",
    "ROMAN": "upperRoman",
    "alphabetic": "lowerLetter",
    "ALPHABETIC": "upperLetter",
}
_FORMAT = re.compile(r'\\\*\s*"?(\w+)')
_MOST = 20


class Numbers:
    """The numbers by which fields refer to list items, each list counted once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.numbering = Numbering(document)
        self._items: dict[Any, dict[Any, Item]] = {}
        self._order: dict[Any, dict[Any, int]] = {}

    def text(self, code: str, place: Any, mark: Any) -> str | None:
        r"""What a REF field in a paragraph shows of a bookmark by its switches; None if nothing can be told.

        \r counts from the place, \w from the top, \n the item alone, \t no words; \p adds "above" or "below". As in
        Word it is "0" where the target has no number.
        """
        words = {argument.lower() for argument in split_arguments(code)}
        reference_texts = [self._format_number(words, place, mark)] if words & _BY_NUMBER else []
        if "\\p" in words:
            where = self._describe_direction(place, mark)
            if where is None:
                return None
            reference_texts.append(where)
        return " ".join(reference_texts)

    def note(self, code: str, place: Any, mark: Any) -> str | None:
        r"""What a NOTEREF field in a paragraph shows of the note in a bookmark; None if that cannot be told.

        Its number; \p adds "above" or "below".
        """
        number = self.of_notes.get(note_mark(mark))
        if number is None or "\\p" not in split_arguments(code):
            return number
        where = self._describe_direction(place, mark)
        return None if where is None else f"{number} {where}"

    @cached_property
    def of_notes(self) -> dict[Any, str]:
        return numbers_of_marks(self.document)

    def item_at(self, mark: Any) -> Item | None:
        """The list item that a bookmark begins in; None if it is in none."""
        return self._find_item(_find_target(mark))

    def _find_item(self, paragraph: Any) -> Item | None:
        root = paragraph.getroottree().getroot()
        if root not in self._items:
            self._items[root] = self.numbering.items(root)
        return self._items[root].get(paragraph)

    def _format_number(self, words: set[str], place: Any, mark: Any) -> str:
        item = self.item_at(mark)
        if item is None:
            return "0"
        here = None if place is None or "\\r" not in words else self._find_item(place)
        first = 0 if "\\n" not in words else item.level
        if here is not None and here.shared == item.shared:
            pairs = zip(here.counts, item.counts, strict=True)
            first = next((level for level, (number_part, two) in enumerate(pairs) if number_part != two), item.level)
        return self.numbering.context(item, min(first, item.level), bare="\\t" in words)

    def _describe_direction(self, place: Any, mark: Any) -> str | None:
        root = mark.getroottree().getroot()
        if root not in self._order:
            self._order[root] = {paragraph: number for number, paragraph in enumerate(root.iter(P))}
        order, target = self._order[root], _find_target(mark)
        if place not in order or target not in order:
            return None
        return "above" if order[target] <= order[place] else "below"


def _find_target(mark: Any) -> Any:
    """The paragraph that a bookmark begins in, or that follows it."""
    paragraph = next(mark.iterancestors(P), None)
    return paragraph if paragraph is not None else next(iter(mark.xpath("following::*[local-name()='p']")), mark)


def renew_references(writer: Writer) -> None:
    """Write references by number anew, and Word's words where the target of one is gone, of which the notes tell."""
    document = writer.document
    marks = {name.lower(): mark for name, mark in field_values.map_bookmarks(document).items()}
    known = set(marks) | _set_names(document)
    numbers = Numbers(document)
    gone: list[tuple[str, Field, str]] = []
    for story, field, name in _iter_references(document):
        if name not in known:
            gone.append((story, field, field.text))
            set_result(field, _ERROR_TEXTS[field.kind])
        elif field.kind == "REF" and name in marks:
            _renew_number(writer, field, marks[name], numbers)
        elif field.kind == "NOTEREF" and name in marks:
            _renew_note(writer, field, marks[name], numbers)
    _report_gone(writer, gone)


def _renew_number(writer: Writer, field: Field, mark: Any, numbers: Numbers) -> None:
    words = {word.lower() for word in split_arguments(field.code)}
    if not words & {*_BY_NUMBER, "\\p"}:
        return
    text = numbers.text(field.code, field.paragraph, mark)
    if text is None:
        writer.notes.append(f"the field {field.code.strip()!r} is not updated: its target is in another story")
        return
    set_result(field, text)
    if words & _BY_NUMBER and numbers.item_at(mark) is None:
        writer.notes.append(f"the field {field.code.strip()!r} shows {text!r}, as in Word: its target has no number")


def _renew_note(writer: Writer, field: Field, mark: Any, numbers: Numbers) -> None:
    text = numbers.note(field.code, field.paragraph, mark)
    if text is None:
        writer.notes.append(f"the field {field.code.strip()!r} is not updated: it has no note with a known number")
    else:
        set_result(field, text)


def _iter_references(document: Document) -> Iterator[tuple[str, Field, str]]:
    """Story, field and bookmark (in lower case) of each reference to one."""
    for story in document.map_stories():
        for field in iter_fields(document.get_story(story)):
            words = split_arguments(field.code)
            if field.kind in _ERROR_TEXTS and len(words) > 1 and not words[1].startswith("\\"):
                yield story, field, words[1].lower()


def _set_names(document: Document) -> set[str]:
    """What SET and ASK fields give a value, which needs no bookmark."""
    known_fields = [field for story in document.map_stories() for field in iter_fields(document.get_story(story))]
    codes = [split_arguments(field.code) for field in known_fields if field.kind in ("SET", "ASK")]
    return {words[1].lower() for words in codes if len(words) > 1}


def _report_gone(writer: Writer, gone: list[tuple[str, Field, str]]) -> None:
    for story, field, before in gone[:_MOST]:
        blocks = writer.document.get_blocks(story)
        where = f" in {blocks.anchor(field.paragraph)}" if field.paragraph in blocks else ""
        shows = f"it showed {before!r} and now shows" if before != _ERROR_TEXTS[field.kind] else "it shows"
        writer.notes.append(
            f"the field {field.code.strip()!r}{where} refers to what is gone; {shows} {_ERROR_TEXTS[field.kind]!r}: "
            "refer to something else, or take it out with remove_field"
        )
    if len(gone) > _MOST:
        writer.notes.append(f"{len(gone) - _MOST} more fields refer to what is gone")


def page_fields(document: Document) -> list[tuple[Field, Any]]:
    """The fields that show the number of their own page, count pages, or tell how far a page is.

    Those of the body and of footnotes, each with the paragraph of the body on whose page it stands.
    """
    blocks, marks = document.get_blocks(), _paragraphs_of_notes(document)
    field_paragraphs = [(field, field.paragraph) for field in iter_fields(document.body)]
    if marks:
        field_paragraphs += [
            (field, marks.get(_note_of(field))) for field in iter_fields(document.get_story("footnotes"))
        ]
    return [
        (field, here)
        for field, here in field_paragraphs
        if field.kind in _ON_PAGES and (field.kind != "PAGEREF" or is_relative(field))
        if here is not None and is_locatable(here) and here in blocks
    ]


def relative_elsewhere(document: Document) -> list[str]:
    """Stories with fields that tell how far a page is, where that depends on the page: headers, footers, endnotes."""
    known = {"body", "footnotes"} if _paragraphs_of_notes(document) else {"body"}
    return [
        story
        for story in document.map_stories()
        if story not in known
        and any(field.kind == "PAGEREF" and is_relative(field) for field in iter_fields(document.get_story(story)))
    ]


def _paragraphs_of_notes(document: Document) -> dict[str | None, Any]:
    """The paragraph that holds the mark of each footnote, by its id; none where they do not stand at the foot."""
    place = get_value(find_element(document.settings, "w:footnotePr"), "w:pos")
    if place in ("sectEnd", "docEnd") or document.part("footnotes") is None:
        return {}
    marks = document.body.iter(qualify_name("w:footnoteReference"))
    return {get_attribute(mark, "w:id"): next(mark.iterancestors(P), None) for mark in marks}


def _note_of(field: Field) -> str | None:
    note = next(field.start.iterancestors(qualify_name("w:footnote")), None)
    return None if note is None else get_attribute(note, "w:id")


def set_page_fields(field_paragraphs: list[tuple[Field, Any]], pages: Pages) -> int:
    """Let fields show the pages that were laid out; how many changed."""
    changed = 0
    for field, here in field_paragraphs:
        text = _of_pages(field, here, pages)
        if text is not None and text != field.text:
            set_result(field, text)
            changed += 1
    return changed


def _of_pages(field: Field, here: Any, pages: Pages) -> str | None:
    named = _FORMAT.search(field.code)
    style = _NUMBER_FORMATS.get(named[1]) if named else None
    if field.kind == "PAGE":
        return pages.number(here, style)
    if field.kind == "PAGEREF":
        return _format_relative_page(field, here, pages)
    count = pages.total if field.kind == "NUMPAGES" else pages.in_section(here)
    return None if count is None else formatted_number(count, style or "decimal")


def _format_relative_page(field: Field, here: Any, pages: Pages) -> str | None:
    r"""What PAGEREF \p shows: the page of its bookmark, or where that is on the page of the field itself.

    A footnote stands below all of the body that is on its page.
    """
    name = [*split_arguments(field.code), ""][1]
    mark = pages.marks.get(name)
    if mark is None or here not in pages.page_of:
        return None
    there = next(mark.iterancestors(P))
    if pages.page_of[there] != pages.page_of[here]:
        return f"on page {pages.bookmarks[name]}"
    if here is not field.paragraph:
        return "above"
    for node in here.getroottree().getroot().iter(mark.tag, field.start.tag):
        if node is mark or node is field.start:
            return "above" if node is mark else "below"
    return None
