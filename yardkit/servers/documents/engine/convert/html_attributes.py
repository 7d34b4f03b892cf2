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


def build_grid(node: Any) -> Table:
    """The cells of a table in rows of equal length, None where covered; (row, column, width, height) of spans."""
    cells_by_position: dict[tuple[int, int], Any] = {}
    spans = []
    lines = [row for row in node.iter("tr") if next(row.iterancestors("table"), None) is node]
    for y, row in enumerate(lines):
        x = 0
        for cell in row.iterchildren("td", "th"):
            while (y, x) in cells_by_position:
                x += 1
            width, height = _parse_count(cell.get("colspan")), min(_parse_count(cell.get("rowspan")), len(lines) - y)
            cells_by_position |= {(y + dy, x + dx): None for dy in range(height) for dx in range(width)}
            cells_by_position[y, x] = cell
            if width > 1 or height > 1:
                spans.append((y, x, width, height))
            x += width
    columns = max((x for _, x in cells_by_position), default=-1) + 1
    return Table(
        [[cells_by_position.get((y, x)) for x in range(columns)] for y in range(len(lines))] if columns else [], spans
    )


def number_items(node: Any) -> Iterator[tuple[Any, int]]:
    """The items of a list with their numbers; a number that Word cannot count from does not count as stated."""
    items = list(node.iterchildren("li"))
    down = node.get("reversed") is not None
    number = _parse_number(node.get("start"), len(items) if down else 1)
    for item in items:
        number = _parse_number(item.get("value"), number)
        yield item, number
        number = max(number - 1, 0) if down else number + 1


def number_form(node: Any) -> str:
    """How Word names the kind of numbers that a list states; empty where it states none."""
    stated = _LIST_STYLE.search(node.get("style", ""))
    named = stated[1].lower() if stated else node.get("type", "").strip()
    return _NUMBER_FORMATS.get(named, "") if node.tag == "ol" else ""


def _parse_number(stated: str | None, otherwise: int) -> int:
    number = (stated or "").strip()
    return int(number) if number.isdecimal() and len(number) < 6 and int(number) <= MAX_START else otherwise


def _parse_count(text: str | None) -> int:
    return min(max(_parse_number(text, 1), 1), MAX_SPAN)


def parse_pixels(text: str | None) -> float | None:
    """Centimetres of a length in pixels; None where it is none, or out of bounds."""
    number = _parse_number(text, 0)
    return number / 96 * 2.54 if 0 < number < 2000 else None


def get_alignment(node: Any) -> Align | None:
    """How an element says that its text is aligned, by its style or the older attribute."""
    align_match = _ALIGN.search(node.get("style", "")) or _ALIGN.search(f"text-align:{node.get('align', '')}")
    return cast("Align", align_match[1].lower()) if align_match else None


def is_task(item: Any) -> bool:
    """Whether an item of a list begins with a box to tick."""
    return "".join(item.itertext()).lstrip().startswith(tuple(BOXES.values()))


def show_controls(root: Any) -> None:
    """Put text in place of the fields of forms and of marks that browsers draw: what a person would see in them."""
    for node in list(root.iter("input", "select", "q")):
        if node.tag == "q":
            _add_quotes(node)
        elif control_text := _get_chosen_text(node) if node.tag == "select" else _get_entered_text(node):
            tail = node.tail
            node.clear()
            node.tag, node.text, node.tail = "span", control_text, tail


def _add_quotes(node: Any) -> None:
    opening, closing = "\u2018\u2019" if sum(1 for _ in node.iterancestors("q")) % 2 else "\u201c\u201d"
    node.text = opening + (node.text or "")
    if len(node):
        node[-1].tail = (node[-1].tail or "") + closing
    else:
        node.text += closing


def _get_entered_text(node: Any) -> str:
    kind = node.get("type", "").strip().lower()
    if kind in ("checkbox", "radio"):
        return BOXES["[ ] " if node.get("checked") is None else "[x] "].strip()
    return "" if kind in _UNSEEN_INPUTS else str(node.get("value", "")).strip()


def _get_chosen_text(node: Any) -> str:
    options = list(node.iter("option"))
    chosen = [option for option in options if option.get("selected") is not None]
    first = options[:1] if node.get("multiple") is None else []
    return ", ".join(" ".join(element.text_content().split()) for element in chosen or first)
