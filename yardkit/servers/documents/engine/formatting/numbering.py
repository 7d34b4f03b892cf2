"""Lists: what stands before each item (ECMA-376 part 1, 17.9), and new lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.names import (
    P,
    find_all,
    find_element,
    get_attribute,
    get_value,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import outside_fallbacks
from yardkit.servers.documents.engine.package.document import Document

ListKind = Literal["bullet", "number", "task"]
"""`task`: items that begin with a box, which is mark enough."""
_LEVELS = 9
_STEP, _HANG, _BOX = 567, 425, 280
_BULLETS = ("\u2022", "\u25e6", "\u25aa")
_LEVEL_FORMATS = ("decimal", "lowerLetter", "lowerRoman")
_ID, _LEVEL = qualify_name("w:numId"), qualify_name("w:ilvl")
_NUMBER, _LETTERS, _TAIL = re.compile(r"%(\d)"), re.compile(r"[^\W\d_]+"), re.compile(r"[\W_]+$")
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x")),
    *((9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


@dataclass(frozen=True)
class Item:
    """A list item: its list, its level from 0, how far the levels have counted, and what stands before it."""

    shared: str
    identity: str
    level: int
    counts: tuple[int | None, ...]
    label: str


class Numbering:
    """The numbering part of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        part = document.part("numbering")
        self.root = None if part is None else document.root(part)
        self.styles = Styles(document)
        self._numbers: dict[str, Any] = {}
        self._abstracts: dict[str, Any] = {}

    def level_of(self, paragraph: Any) -> tuple[str, int] | None:
        """(list id, level from 0) of a list item; None for other paragraphs."""
        numbers = self.styles.list_property(paragraph)
        identity = get_value(numbers, "w:numId")
        if identity in (None, "0") or self._find_number(identity) is None:
            return None
        stated = get_value(find_element(paragraph, "w:pPr/w:numPr"), "w:ilvl") or get_value(numbers, "w:ilvl")
        return str(identity), int(stated) if stated and stated.isdigit() else self._style_level(paragraph, identity)

    def _style_level(self, paragraph: Any, identity: str | None) -> int:
        """The level that is tied to the style of the paragraph, such as that of a numbered heading."""
        style = get_value(paragraph, "w:pPr/w:pStyle")
        tied = [
            level for level in find_all(self._find_abstract(identity), "w:lvl") if get_value(level, "w:pStyle") == style
        ]
        return int(get_attribute(tied[0], "w:ilvl") or 0) if tied and style else 0

    def _find_number(self, identity: str | None) -> Any:
        if identity is not None and identity not in self._numbers:
            self._numbers = {number.get(_ID): number for number in reversed(find_all(self.root, "w:num"))}
        return self._numbers.get(identity or "")

    def _find_abstract(self, identity: str | None) -> Any:
        abstract_id = get_value(self._find_number(identity), "w:abstractNumId")
        if abstract_id is not None and abstract_id not in self._abstracts:
            self._abstracts = {get_attribute(p, "w:abstractNumId") or "": p for p in reversed(self._list_patterns())}
        abstract_list = self._abstracts.get(abstract_id or "")
        linked = get_value(abstract_list, "w:numStyleLink")
        if linked:
            return next(
                (pattern for pattern in self._list_patterns() if get_value(pattern, "w:styleLink") == linked),
                abstract_list,
            )
        return abstract_list

    def _list_patterns(self) -> list[Any]:
        return find_all(self.root, "w:abstractNum")

    def level(self, identity: str, level: int) -> Any:
        """The w:lvl that holds for a level of a list."""
        for override in find_all(self._find_number(identity), "w:lvlOverride"):
            own = find_element(override, "w:lvl")
            if override.get(_LEVEL) == str(level) and own is not None:
                return own
        levels = find_all(self._find_abstract(identity), "w:lvl")
        return next((candidate for candidate in levels if candidate.get(_LEVEL) == str(level)), None)

    def format_of(self, identity: str, level: int) -> str:
        return get_value(self.level(identity, level), "w:numFmt") or "decimal"

    def _get_start(self, identity: str, level: int) -> int:
        for override in find_all(self._find_number(identity), "w:lvlOverride"):
            start = get_value(override, "w:startOverride")
            if override.get(_LEVEL) == str(level) and start and start.isdigit():
                return int(start)
        start = get_value(self.level(identity, level), "w:start")
        return int(start) if start and start.isdigit() else 1

    def labels(self, root: Any, last: Any = None) -> dict[Any, str]:
        """Paragraph -> what stands before it: "1.", "2.a", a bullet."""
        return {paragraph: item.label for paragraph, item in self.items(root, last).items()}

    def items(self, root: Any, last: Any = None) -> dict[Any, Item]:
        """Paragraph -> its place in its list, for all list items below `root`, or of those up to the end of `last`."""
        counters: dict[str, list[int | None]] = {}
        restarted: set[str] = set()
        list_items = {}
        for paragraph in _iter_paragraphs(root, last) if find_element(self.root, "w:num") is not None else ():
            place = self.level_of(paragraph)
            if place is None:
                continue
            identity, level = place[0], min(place[1], _LEVELS - 1)
            shared = get_value(self._find_number(identity), "w:abstractNumId") or identity
            counter = counters.setdefault(shared, [None] * _LEVELS)
            if identity not in restarted:
                first = self._restarts_from(identity)
                counter[first:] = [None] * (_LEVELS - first)
            restarted.add(identity)
            self._advance_counter(counter, identity, level)
            list_items[paragraph] = Item(
                shared, identity, level, tuple(counter), self._format_label(counter, identity, level)
            )
        return list_items

    def _restarts_from(self, identity: str) -> int:
        """The uppermost level that a list begins anew, though others of its pattern have counted before it."""
        overrides = find_all(self._find_number(identity), "w:lvlOverride")
        levels = [
            get_attribute(override, "w:ilvl") or "0"
            for override in overrides
            if find_element(override, "w:startOverride") is not None
        ]
        return min([_LEVELS, *(int(level) for level in levels if level.isdigit())])

    def context(self, item: Item, first: int = 0, *, bare: bool = False) -> str:
        """The number of an item with those of the levels above it, from the level `first` on: "1.a", "2(b)".

        A level whose number holds that of upper ones already is not led by them; `bare` leaves out words ("Section").
        No period ends it (ECMA-376 part 1, 17.16.5.51).
        """
        text, level = "", item.level
        while level >= 0 and (not text or level >= first):
            piece = self._format_label(item.counts, item.identity, level, bare=bare).strip()
            if text and not text[0].isalnum() and piece[:1].isalnum():
                piece = _TAIL.sub("", piece)
            text = piece + text
            named = _NUMBER.findall(get_value(self.level(item.identity, level), "w:lvlText") or "")
            level = min([level, *(int(name) - 1 for name in named)]) - 1
        return text.rstrip(".")

    def _advance_counter(self, counter: list[int | None], identity: str, level: int) -> None:
        for upper in range(level):
            if counter[upper] is None:
                counter[upper] = self._get_start(identity, upper)
        now = counter[level]
        counter[level] = self._get_start(identity, level) if now is None else now + 1
        for lower in range(level + 1, _LEVELS):
            if get_value(self.level(identity, lower), "w:lvlRestart") != "0":
                counter[lower] = None

    def _format_label(self, counter: Sequence[int | None], identity: str, level: int, *, bare: bool = False) -> str:
        if self.format_of(identity, level) == "bullet":
            return "" if get_value(self.level(identity, level), "w:lvlText") == "" else "\u2022"
        pattern = get_value(self.level(identity, level), "w:lvlText")
        text = "%1." if pattern is None else pattern
        text = _LETTERS.sub("", text).strip() if bare else text
        for number in range(1, _LEVELS + 1):
            if f"%{number}" in text:
                text = text.replace(
                    f"%{number}", formatted_number(counter[number - 1] or 0, self.format_of(identity, number - 1))
                )
        return text

    def new_list(self, kind: ListKind, start: int = 1, level: int = 0, form: str = "") -> str:
        """A new list that begins with a number at a level, and with 1 at those below; its id.

        `form` is the format of the numbers at that level where it is not the usual one (lowerLetter, upperRoman ...).
        """
        self.root = self.document.root(self.document.ensure_part("numbering"))
        abstract = self._own_abstract(kind)
        number = self._find_free_number(find_all(self.root, "w:num"), _ID, 1)
        new = make_element(
            "w:num", make_element("w:abstractNumId", val=get_attribute(abstract, "w:abstractNumId")), numId=number
        )
        if kind == "number":
            for index in range(level, _LEVELS):
                first = make_element("w:startOverride", val=start if index == level else 1)
                own = [_make_level(kind, index, form)] if form and index == level else []
                new.append(make_element("w:lvlOverride", first, *own, ilvl=index))
        numbers = find_all(self.root, "w:num")
        if numbers:
            numbers[-1].addnext(new)
        else:
            abstracts = find_all(self.root, "w:abstractNum")
            abstracts[-1].addnext(new)
        return str(number)

    def _find_free_number(self, elements: list[Any], attribute: str, least: int) -> int:
        taken = [int(element.get(attribute, "0")) for element in elements if element.get(attribute, "0").isdigit()]
        return max([least - 1, *taken]) + 1

    def _own_abstract(self, kind: ListKind) -> Any:
        """The pattern of our lists of one kind, made once a document."""
        mark = {"bullet": "7A0B0001", "number": "7A0B0002", "task": "7A0B0003"}[kind]
        for pattern in find_all(self.root, "w:abstractNum"):
            if get_value(pattern, "w:nsid") == mark:
                return pattern
        attribute = qualify_name("w:abstractNumId")
        identity = self._find_free_number(find_all(self.root, "w:abstractNum"), attribute, 0)
        new = make_element(
            "w:abstractNum", make_element("w:nsid", val=mark), make_element("w:multiLevelType", val="hybridMultilevel")
        )
        new.set(attribute, str(identity))
        new.extend(_make_level(kind, level) for level in range(_LEVELS))
        abstracts = find_all(self.root, "w:abstractNum")
        if abstracts:
            abstracts[-1].addnext(new)
        else:
            self.document.root(self.document.ensure_part("numbering")).insert(0, new)
        return new


def _iter_paragraphs(root: Any, last: Any) -> Iterator[Any]:
    """The paragraphs below `root`, up to the end of the block `last` if one is given."""
    end = None if last is None else next(reversed(list(outside_fallbacks(last, P))), None)
    for paragraph in outside_fallbacks(root, P):
        yield paragraph
        if paragraph is end:
            return


def _make_level(kind: ListKind, level: int, form: str = "") -> Any:
    form = form or _LEVEL_FORMATS[level % 3] if kind == "number" else "bullet"
    text = {"bullet": _BULLETS[level % 3], "task": ""}.get(kind, f"%{level + 1}{')' if level % 3 else '.'}")
    indent = make_element("w:ind", left=_STEP * (level + 1), hanging=_BOX if kind == "task" else _HANG)
    parts = [
        make_element("w:start", val=1),
        make_element("w:numFmt", val=form),
        *([make_element("w:suff", val="nothing")] if kind == "task" else []),
        make_element("w:lvlText", val=text),
        make_element("w:lvlJc", val="left"),
        make_element("w:pPr", indent),
    ]
    if kind == "bullet":
        parts.append(
            make_element("w:rPr", make_element("w:rFonts", ascii="DejaVu Sans", hAnsi="DejaVu Sans", hint="default"))
        )
    return make_element("w:lvl", *parts, ilvl=level)


def formatted_number(number: int, form: str) -> str:
    """A number in a numbering format."""
    formats: dict[str, Callable[[int], str]] = {
        "lowerLetter": _format_letters,
        "upperLetter": lambda n: _format_letters(n).upper(),
        "lowerRoman": _format_roman,
        "upperRoman": lambda n: _format_roman(n).upper(),
        "decimalZero": lambda n: f"{n:02d}",
        "ordinal": _format_ordinal,
        "none": lambda _: "",
    }
    return formats.get(form, str)(number)


def _format_letters(number: int) -> str:
    """A ... z, aa, bb ... as Word counts."""
    return "" if number < 1 else chr(97 + (number - 1) % 26) * ((number - 1) // 26 + 1)


def _format_roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text


def _format_ordinal(number: int) -> str:
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"
