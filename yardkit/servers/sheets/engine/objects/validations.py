"""Data validation: what cells accept, and what they say about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import (
    X14,
    XM,
    drop_empty_extension,
    extension,
    open_sheet,
    save_objects,
)
from yardkit.servers.sheets.engine.cells.ranges import areas_of, reference, source_of, sqref, without
from yardkit.servers.sheets.engine.notation.formulas import checked
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.notation.values import Scalar, number_text, stored, to_serial
from yardkit.servers.sheets.engine.package.xml import MAIN, child, tag
from yardkit.world import Problem

URI = "{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"
Allow = Literal["list", "whole", "decimal", "date", "time", "text_length", "custom", "anything"]
Operator = Literal["between", "not between", "=", "<>", ">", "<", ">=", "<="]
_OPERATORS = {
    "between": "between", "not between": "notBetween", "=": "equal", "<>": "notEqual", ">": "greaterThan",
    "<": "lessThan", ">=": "greaterThanOrEqual", "<=": "lessThanOrEqual",
}  # fmt: skip
_TYPE_NAMES = {"text_length": "textLength"}
MAX_LIST, MAX_TITLE, MAX_MESSAGE = 255, 32, 255


@dataclass(frozen=True)
class Accepts:
    """What cells accept. A list takes `items` (values, or one "=range"); custom takes a formula as `value`."""

    allow: str
    items: tuple[str, ...] = ()
    operator: str = "between"
    value: Scalar = None
    value2: Scalar = None
    blank: bool = True
    prompt: str = ""
    error: str = ""
    error_style: str = "stop"


@dataclass(frozen=True)
class ValidationInfo:
    """A validation as the file has it."""

    sheet: str
    range: str
    allow: str
    operator: str = ""
    formula1: str = ""
    formula2: str = ""
    blank: bool = True
    prompt: str = ""
    error: str = ""
    error_style: str = "stop"

    def __str__(self) -> str:
        facts = [self.operator, self.formula1, self.formula2]
        return f"{self.allow} validation on {self.sheet}!{self.range} ({' '.join(filter(None, facts))})"


def set_validation(path: Path, sheet: str | None, area: str, accepts: Accepts) -> ValidationInfo:
    """Let cells accept only certain values; an older validation of the same cells goes. What the saved file says.

    Raises:
        Problem: no such sheet or range, or the rule lacks something.
    """
    from lxml import etree

    book, grid = open_sheet(path, sheet)
    areas = areas_of(area)
    first, second = _formulas(grid, accepts)
    _cut(grid, areas)
    parent = child(grid.root, "dataValidations", ORDER)
    entry = etree.SubElement(parent, tag("dataValidation"), _attributes(accepts) | {"sqref": sqref(areas)})
    for name, text in (("formula1", first), ("formula2", second)):
        if text:
            etree.SubElement(entry, tag(name)).text = text
    _settle(grid)
    save_objects(book, path, grid)
    wanted = sqref(areas)
    return next(info for info in validations(open_sheet(path, grid.info.name)[1]) if info.range == wanted)


def delete_validation(path: Path, sheet: str | None, area: str | None) -> int:
    """Let cells (without: all of the sheet) accept anything; how many validations that concerned.

    Raises:
        Problem: there is none.
    """
    book, grid = open_sheet(path, sheet)
    count = _cut(grid, areas_of(area) if area else [Area(1, 1, 1_048_576, 16_384)])
    if not count:
        raise Problem(f"{area or 'the sheet'} in {grid.info.name!r} has no validation; use read_objects to list them")
    _settle(grid)
    save_objects(book, path, grid)
    return count


def validations(grid: Grid) -> list[ValidationInfo]:
    """The validations of a sheet, those in extensions (lists from other sheets) too."""
    return [_info(grid, element) for element in _elements(grid)]


def _elements(grid: Grid) -> list[Any]:
    found = grid.root.findall(f"{tag('dataValidations')}/{tag('dataValidation')}")
    extended = extension(grid.root, URI, "dataValidations")
    return [*found, *(extended if extended is not None else [])]


def _where(element: Any) -> str:
    return str(element.get("sqref") or element.findtext(tag("sqref", XM)) or "A1")


def _cut(grid: Grid, holes: list[Area]) -> int:
    count = 0
    for element in _elements(grid):
        areas = areas_of(_where(element))
        left = without(areas, holes)
        if left == areas:
            continue
        count += 1
        if not left:
            element.getparent().remove(element)
        elif element.get("sqref"):
            element.set("sqref", sqref(left))
        else:
            element.find(tag("sqref", XM)).text = sqref(left)
    return count


def _settle(grid: Grid) -> None:
    """Counts as they are; empty lists taken out."""
    grid.changed = True
    lists = [grid.root.find(tag("dataValidations")), extension(grid.root, URI, "dataValidations")]
    for held in lists:
        if held is not None:
            held.set("count", str(len(held)))
    if lists[0] is not None and not len(lists[0]):
        grid.root.remove(lists[0])
    drop_empty_extension(grid.root, URI)


def _formulas(grid: Grid, accepts: Accepts) -> tuple[str, str]:
    if accepts.allow == "list":
        return _list(grid, accepts.items), ""
    if accepts.allow == "custom":
        if not isinstance(accepts.value, str) or not accepts.value.startswith("="):
            raise Problem(f"a custom validation needs value='=formula' for the first cell, not {accepts.value!r}")
        return checked(accepts.value), ""
    if accepts.operator not in _OPERATORS:
        raise Problem(f"{accepts.operator!r} is not a valid operator; use {', '.join(_OPERATORS)}")
    two = accepts.operator.endswith("between")
    return _operand(accepts.value), _operand(accepts.value2) if two else ""


def _list(grid: Grid, items: tuple[str, ...]) -> str:
    if not items:
        raise Problem("a list validation needs items: the values, or one range such as '=Lists!A1:A9'")
    if len(items) == 1 and items[0].startswith("="):
        try:
            info, area = source_of(grid.book, items[0], grid.info.name)
        except Problem:
            return checked(items[0])  # a formula, such as INDIRECT or OFFSET
        names = {name.name.casefold() for name in grid.book.names}
        return items[0][1:] if items[0][1:].casefold() in names else reference(info.name, area)
    text = ",".join(items)
    if len(text) > MAX_LIST or any("," in item for item in items):
        raise Problem(
            f"a list can have at most {MAX_LIST} characters, without commas in items; write the items "
            "into cells and give that range: items=['=Lists!A1:A9']"
        )
    return '"' + text.replace('"', '""') + '"'


def _operand(value: Scalar) -> str:
    if value is None:
        raise Problem("the validation has no value (between needs value and value2)")
    if isinstance(value, str) and value.startswith("="):
        return checked(value)
    plain = stored(value)
    if isinstance(plain, date | time):
        return number_text(to_serial(plain, date1904=False))
    if isinstance(plain, bool) or not isinstance(plain, int | float):
        raise Problem(f"{value!r} is not a valid number, date, time or '=formula'")
    return number_text(plain)


def _attributes(accepts: Accepts) -> dict[str, str]:
    if len(accepts.prompt) > MAX_MESSAGE or len(accepts.error) > MAX_MESSAGE:
        raise Problem(f"prompt and error can have at most {MAX_MESSAGE} characters each; shorten them")
    compares = accepts.allow not in ("list", "custom") and accepts.operator != "between"
    wanted = {
        "type": _TYPE_NAMES.get(accepts.allow, accepts.allow),
        "errorStyle": accepts.error_style if accepts.error_style != "stop" else "",
        "operator": _OPERATORS[accepts.operator] if compares else "",
        "allowBlank": "1" if accepts.blank else "",
        "showInputMessage": "1",
        "showErrorMessage": "1",
        "error": accepts.error,
        "prompt": accepts.prompt,
    }
    return {name: value for name, value in wanted.items() if value}


def _info(grid: Grid, element: Any) -> ValidationInfo:
    def formula(name: str) -> str:
        found = element.find(tag(name, MAIN)) if element.get("sqref") else element.find(tag(name, X14))
        return "" if found is None else "".join(found.itertext())

    words = {value: key for key, value in _OPERATORS.items()}
    kind = element.get("type", "any")
    compares = kind not in ("list", "custom", "any")
    return ValidationInfo(
        grid.info.name,
        _where(element),
        {value: key for key, value in _TYPE_NAMES.items()}.get(kind, kind),
        words.get(element.get("operator", "between"), "") if compares else "",
        formula("formula1"),
        formula("formula2"),
        element.get("allowBlank") in ("1", "true"),
        element.get("prompt", ""),
        element.get("error", ""),
        element.get("errorStyle", "stop"),
    )
