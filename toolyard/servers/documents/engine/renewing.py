"""References by number and fields that count pages, brought up to date; and those whose target is gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from toolyard.servers.documents.engine import field_values
from toolyard.servers.documents.engine.contents import is_relative, set_result
from toolyard.servers.documents.engine.document import Document
from toolyard.servers.documents.engine.field_values import Field, arguments, fields
from toolyard.servers.documents.engine.names import P
from toolyard.servers.documents.engine.note_numbers import note_mark, numbers_of_marks
from toolyard.servers.documents.engine.numbering import Item, Numbering, shown
from toolyard.servers.documents.engine.page_numbers import Pages, can_be_found
from toolyard.servers.documents.engine.pen import Pen

_BY_NUMBER = {"\\r", "\\n", "\\w"}
_LOST = {
    "REF": "Error! Reference source not found.",
    "PAGEREF": "Error! Bookmark not defined.",
    "NOTEREF": "Error! Bookmark not defined.",
}
_ON_PAGES = ("PAGE", "NUMPAGES", "SECTIONPAGES", "PAGEREF")
_FORMATS = {"roman": "lowerRoman", "ROMAN": "upperRoman", "alphabetic": "lowerLetter", "ALPHABETIC": "upperLetter"}
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
        words = {each.lower() for each in arguments(code)}
        found = [self._number(words, place, mark)] if words & _BY_NUMBER else []
        if "\\p" in words:
            where = self._where(place, mark)
            if where is None:
                return None
            found.append(where)
        return " ".join(found)

    def note(self, code: str, place: Any, mark: Any) -> str | None:
        r"""What a NOTEREF field in a paragraph shows of the note in a bookmark; None if that cannot be told.

        Its number; \p adds "above" or "below".
        """
        number = self.of_notes.get(note_mark(mark))
        if number is None or "\\p" not in arguments(code):
            return number
        where = self._where(place, mark)
        return None if where is None else f"{number} {where}"

    @cached_property
    def of_notes(self) -> dict[Any, str]:
        return numbers_of_marks(self.document)

    def item_at(self, mark: Any) -> Item | None:
        """The list item that a bookmark begins in; None if it is in none."""
        return self._item(_target(mark))

    def _item(self, paragraph: Any) -> Item | None:
        root = paragraph.getroottree().getroot()
        if root not in self._items:
            self._items[root] = self.numbering.items(root)
        return self._items[root].get(paragraph)

    def _number(self, words: set[str], place: Any, mark: Any) -> str:
        item = self.item_at(mark)
        if item is None:
            return "0"
        here = None if place is None or "\\r" not in words else self._item(place)
        first = 0 if "\\n" not in words else item.level
        if here is not None and here.shared == item.shared:
            pairs = zip(here.counts, item.counts, strict=True)
            first = next((level for level, (one, two) in enumerate(pairs) if one != two), item.level)
        return self.numbering.context(item, min(first, item.level), bare="\\t" in words)

    def _where(self, place: Any, mark: Any) -> str | None:
        root = mark.getroottree().getroot()
        if root not in self._order:
            self._order[root] = {each: number for number, each in enumerate(root.iter(P))}
        order, target = self._order[root], _target(mark)
        if place not in order or target not in order:
            return None
        return "above" if order[target] <= order[place] else "below"


def _target(mark: Any) -> Any:
    """The paragraph that a bookmark begins in, or that follows it."""
    paragraph = next(mark.iterancestors(P), None)
    return paragraph if paragraph is not None else next(iter(mark.xpath("following::*[local-name()='p']")), mark)


def renew(pen: Pen) -> None:
    """Write references by number anew, and Word's words where the target of one is gone, of which the notes tell."""
    document = pen.document
    marks = {name.lower(): mark for name, mark in field_values.bookmarks(document).items()}
    known = set(marks) | _set_names(document)
    numbers = Numbers(document)
    gone: list[tuple[str, Field, str]] = []
    for story, each, name in _references(document):
        if name not in known:
            gone.append((story, each, each.text))
            set_result(each, _LOST[each.kind])
        elif each.kind == "REF" and name in marks:
            _renew_number(pen, each, marks[name], numbers)
        elif each.kind == "NOTEREF" and name in marks:
            _renew_note(pen, each, marks[name], numbers)
    _tell_gone(pen, gone)


def _renew_number(pen: Pen, each: Field, mark: Any, numbers: Numbers) -> None:
    words = {word.lower() for word in arguments(each.code)}
    if not words & {*_BY_NUMBER, "\\p"}:
        return
    text = numbers.text(each.code, each.paragraph, mark)
    if text is None:
        pen.notes.append(f"the field {each.code.strip()!r} is not renewed: its target stands in another story")
        return
    set_result(each, text)
    if words & _BY_NUMBER and numbers.item_at(mark) is None:
        pen.notes.append(f"the field {each.code.strip()!r} shows {text!r}, as in Word: its target has no number")


def _renew_note(pen: Pen, each: Field, mark: Any, numbers: Numbers) -> None:
    text = numbers.note(each.code, each.paragraph, mark)
    if text is None:
        pen.notes.append(f"the field {each.code.strip()!r} is not renewed: no note with a known number is there")
    else:
        set_result(each, text)


def _references(document: Document) -> Iterator[tuple[str, Field, str]]:
    """Story, field and bookmark (in lower case) of each reference to one."""
    for story in document.stories():
        for each in fields(document.story(story)):
            words = arguments(each.code)
            if each.kind in _LOST and len(words) > 1 and not words[1].startswith("\\"):
                yield story, each, words[1].lower()


def _set_names(document: Document) -> set[str]:
    """What SET and ASK fields give a value, which needs no bookmark."""
    found = [each for story in document.stories() for each in fields(document.story(story))]
    codes = [arguments(each.code) for each in found if each.kind in ("SET", "ASK")]
    return {words[1].lower() for words in codes if len(words) > 1}


def _tell_gone(pen: Pen, gone: list[tuple[str, Field, str]]) -> None:
    for story, each, before in gone[:_MOST]:
        blocks = pen.document.blocks(story)
        where = f" in {blocks.anchor(each.paragraph)}" if each.paragraph in blocks else ""
        shows = f"it showed {before!r} and now shows" if before != _LOST[each.kind] else "it shows"
        pen.notes.append(
            f"the field {each.code.strip()!r}{where} refers to what is gone; {shows} {_LOST[each.kind]!r}: "
            "refer to something else, or take it out with remove_field"
        )
    if len(gone) > _MOST:
        pen.notes.append(f"{len(gone) - _MOST} more fields refer to what is gone")


def page_fields(document: Document) -> list[Field]:
    """The fields of the body that show the number of their own page, count pages, or tell how far a page is."""
    found = [each for each in fields(document.body) if each.kind in _ON_PAGES and each.paragraph is not None]
    wanted = [each for each in found if each.kind != "PAGEREF" or is_relative(each)]
    return [each for each in wanted if can_be_found(each.paragraph) and each.paragraph in document.blocks()]


def set_page_fields(found: list[Field], pages: Pages) -> int:
    """Let fields show the pages that were laid out; how many changed."""
    changed = 0
    for each in found:
        text = _of_pages(each, pages)
        if text is not None and text != each.text:
            set_result(each, text)
            changed += 1
    return changed


def _of_pages(each: Field, pages: Pages) -> str | None:
    named = _FORMAT.search(each.code)
    style = _FORMATS.get(named[1]) if named else None
    if each.kind == "PAGE":
        return pages.number(each.paragraph, style)
    if each.kind == "PAGEREF":
        return _relative(each, pages)
    count = pages.total if each.kind == "NUMPAGES" else pages.in_section(each.paragraph)
    return None if count is None else shown(count, style or "decimal")


def _relative(each: Field, pages: Pages) -> str | None:
    r"""What PAGEREF \p shows: the page of its bookmark, or where that is on the page of the field itself."""
    name = [*arguments(each.code), ""][1]
    mark, here = pages.marks.get(name), each.paragraph
    if mark is None or here not in pages.page_of:
        return None
    there = next(mark.iterancestors(P))
    if pages.page_of[there] != pages.page_of[here]:
        return f"on page {pages.bookmarks[name]}"
    for node in here.getroottree().getroot().iter(mark.tag, each.start.tag):
        if node is mark or node is each.start:
            return "above" if node is mark else "below"
    return None
