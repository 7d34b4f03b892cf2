"""What HTML states of lists, tables, sizes, alignments, forms and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from yardkit.kit.markdown.task_lists import BOXES
from yardkit.servers.documents.engine.markup.specs import Align

_ALIGN = re.compile(r"text-align\s*:\s*(left|center|right|justify)\b", re.IGNORECASE)
_LIST_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([a-z-]+)", re.IGNORECASE)
_NUMBER_FORMATS = {
    "1": "decimal", "decimal": "decimal", "decimal-leading-zero": "decimalZero",
    "a": "lowerLetter", "lower-alpha": "lowerLetter", "lower-latin": "lowerLetter",
    "A": "upperLetter", "upper-alpha": "upperLetter", "upper-latin": "upperLetter",
    "i": "lowerRoman", "lower-roman": "lowerRoman", "I": "upperRoman", "upper-roman": "upperRoman",
}  # fmt: skip
_UNSEEN_INPUTS = ("hidden", "password", "submit", "reset", "button", "image", "file")
MAX_START = 32_767
MAX_SPAN = 100


@dataclass(frozen=True)
class Table:
    """Cells in rows of equal length, None where covered, and (row, column, width, height) of those that span."""

    rows: list[list[Any]]
    spans: list[tuple[int, int, int, int]]


def grid(node: Any) -> Table:
    """The cells of a table in rows of equal length, None where covered; (row, column, width, height) of spans."""
    found: dict[tuple[int, int], Any] = {}
    spans = []
    lines = [row for row in node.iter("tr") if next(row.iterancestors("table"), None) is node]
    for y, row in enumerate(lines):
        x = 0
        for cell in row.iterchildren("td", "th"):
            while (y, x) in found:
                x += 1
            width, height = _count(cell.get("colspan")), min(_count(cell.get("rowspan")), len(lines) - y)
            found |= {(y + dy, x + dx): None for dy in range(height) for dx in range(width)}
            found[y, x] = cell
            if width > 1 or height > 1:
                spans.append((y, x, width, height))
            x += width
    columns = max((x for _, x in found), default=-1) + 1
    return Table([[found.get((y, x)) for x in range(columns)] for y in range(len(lines))] if columns else [], spans)


def numbered(node: Any) -> Iterator[tuple[Any, int]]:
    """The items of a list with their numbers; a number that Word cannot count from does not count as stated."""
    items = list(node.iterchildren("li"))
    down = node.get("reversed") is not None
    number = _number(node.get("start"), len(items) if down else 1)
    for item in items:
        number = _number(item.get("value"), number)
        yield item, number
        number = max(number - 1, 0) if down else number + 1


def number_form(node: Any) -> str:
    """How Word names the kind of numbers that a list states; empty where it states none."""
    stated = _LIST_STYLE.search(node.get("style", ""))
    named = stated[1].lower() if stated else node.get("type", "").strip()
    return _NUMBER_FORMATS.get(named, "") if node.tag == "ol" else ""


def _number(stated: str | None, otherwise: int) -> int:
    number = (stated or "").strip()
    return int(number) if number.isdecimal() and len(number) < 6 and int(number) <= MAX_START else otherwise


def _count(text: str | None) -> int:
    return min(max(_number(text, 1), 1), MAX_SPAN)


def pixels(text: str | None) -> float | None:
    """Centimetres of a length in pixels; None where it is none, or out of bounds."""
    number = _number(text, 0)
    return number / 96 * 2.54 if 0 < number < 2000 else None


def alignment(node: Any) -> Align | None:
    """How an element says that its text is aligned, by its style or the older attribute."""
    found = _ALIGN.search(node.get("style", "")) or _ALIGN.search(f"text-align:{node.get('align', '')}")
    return cast("Align", found[1].lower()) if found else None


def is_task(item: Any) -> bool:
    """Whether an item of a list begins with a box to tick."""
    return "".join(item.itertext()).lstrip().startswith(tuple(BOXES.values()))


def show_controls(root: Any) -> None:
    """Put text in place of the fields of forms and of marks that browsers draw: what a person would see in them."""
    for node in list(root.iter("input", "select", "q")):
        if node.tag == "q":
            _quote(node)
        elif shown := _chosen(node) if node.tag == "select" else _entered(node):
            tail = node.tail
            node.clear()
            node.tag, node.text, node.tail = "span", shown, tail


def _quote(node: Any) -> None:
    opening, closing = "\u2018\u2019" if sum(1 for _ in node.iterancestors("q")) % 2 else "\u201c\u201d"
    node.text = opening + (node.text or "")
    if len(node):
        node[-1].tail = (node[-1].tail or "") + closing
    else:
        node.text += closing


def _entered(node: Any) -> str:
    kind = node.get("type", "").strip().lower()
    if kind in ("checkbox", "radio"):
        return BOXES["[ ] " if node.get("checked") is None else "[x] "].strip()
    return "" if kind in _UNSEEN_INPUTS else str(node.get("value", "")).strip()


def _chosen(node: Any) -> str:
    options = list(node.iter("option"))
    chosen = [option for option in options if option.get("selected") is not None]
    first = options[:1] if node.get("multiple") is None else []
    return ", ".join(" ".join(element.text_content().split()) for element in chosen or first)
