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
    find_extension,
    open_sheet,
    save_objects,
)
from yardkit.servers.sheets.engine.cells.ranges import (
    areas_of,
    format_reference,
    format_sqref,
    source_of,
    subtract_areas,
)
from yardkit.servers.sheets.engine.notation.formulas import check_formula
from yardkit.servers.sheets.engine.notation.references import Area
from yardkit.servers.sheets.engine.notation.values import Scalar, number_text, to_serial, to_stored_value
from yardkit.servers.sheets.engine.package.xml import MAIN, ensure_child, qualify_tag
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
    first, second = _build_formulas(grid, accepts)
    _cut_areas(grid, areas)
    parent = ensure_child(grid.root, "dataValidations", ORDER)
    entry = etree.SubElement(
        parent, qualify_tag("dataValidation"), _build_attributes(accepts) | {"sqref": format_sqref(areas)}
    )
    for name, text in (("formula1", first), ("formula2", second)):
        if text:
            etree.SubElement(entry, qualify_tag(name)).text = text
    _settle_counts(grid)
    save_objects(book, path, grid)
    target_ranges = format_sqref(areas)
    return next(info for info in list_validations(open_sheet(path, grid.info.name)[1]) if info.range == target_ranges)


def delete_validation(path: Path, sheet: str | None, area: str | None) -> int:
    """Let cells (without: all of the sheet) accept anything; how many validations that concerned.

    Raises:
        Problem: there is none.
    """
    book, grid = open_sheet(path, sheet)
    count = _cut_areas(grid, areas_of(area) if area else [Area(1, 1, 1_048_576, 16_384)])
    if not count:
        raise Problem(f"{area or 'the sheet'} in {grid.info.name!r} has no validation; use read_objects to list them")
    _settle_counts(grid)
    save_objects(book, path, grid)
    return count


def list_validations(grid: Grid) -> list[ValidationInfo]:
    """The validations of a sheet, those in extensions (lists from other sheets) too."""
    return [_describe_validation(grid, element) for element in _list_elements(grid)]


def _list_elements(grid: Grid) -> list[Any]:
    validation_elements = grid.root.findall(f"{qualify_tag('dataValidations')}/{qualify_tag('dataValidation')}")
    extended = find_extension(grid.root, URI, "dataValidations")
    return [*validation_elements, *(extended if extended is not None else [])]


def _get_ranges(element: Any) -> str:
    return str(element.get("sqref") or element.findtext(qualify_tag("sqref", XM)) or "A1")


def _cut_areas(grid: Grid, holes: list[Area]) -> int:
    count = 0
    for element in _list_elements(grid):
        areas = areas_of(_get_ranges(element))
        left = subtract_areas(areas, holes)
        if left == areas:
            continue
        count += 1
        if not left:
            element.getparent().remove(element)
        elif element.get("sqref"):
            element.set("sqref", format_sqref(left))
        else:
            element.find(qualify_tag("sqref", XM)).text = format_sqref(left)
    return count


def _settle_counts(grid: Grid) -> None:
    """Counts as they are; empty lists taken out."""
    grid.changed = True
    lists = [grid.root.find(qualify_tag("dataValidations")), find_extension(grid.root, URI, "dataValidations")]
    for validation_list in lists:
        if validation_list is not None:
            validation_list.set("count", str(len(validation_list)))
    if lists[0] is not None and not len(lists[0]):
        grid.root.remove(lists[0])
    drop_empty_extension(grid.root, URI)


def _build_formulas(grid: Grid, accepts: Accepts) -> tuple[str, str]:
    if accepts.allow == "list":
        return _build_list_formula(grid, accepts.items), ""
    if accepts.allow == "custom":
        if not isinstance(accepts.value, str) or not accepts.value.startswith("="):
            raise Problem(f"a custom validation needs value='=formula' for the first cell, not {accepts.value!r}")
        return check_formula(accepts.value), ""
    if accepts.operator not in _OPERATORS:
        raise Problem(f"{accepts.operator!r} is not a valid operator; use {', '.join(_OPERATORS)}")
    two = accepts.operator.endswith("between")
    return _format_operand(accepts.value), _format_operand(accepts.value2) if two else ""


def _build_list_formula(grid: Grid, items: tuple[str, ...]) -> str:
    if not items:
        raise Problem("a list validation needs items: the values, or one range such as '=Lists!A1:A9'")
    if len(items) == 1 and items[0].startswith("="):
        try:
            info, area = source_of(grid.book, items[0], grid.info.name)
        except Problem:
            return check_formula(items[0])  # a formula, such as INDIRECT or OFFSET
        names = {name.name.casefold() for name in grid.book.names}
        return items[0][1:] if items[0][1:].casefold() in names else format_reference(info.name, area)
    text = ",".join(items)
    if len(text) > MAX_LIST or any("," in item for item in items):
        raise Problem(
            f"a list can have at most {MAX_LIST} characters, without commas in items; write the items "
            "into cells and give that range: items=['=Lists!A1:A9']"
        )
    return '"' + text.replace('"', '""') + '"'


def _format_operand(value: Scalar) -> str:
    if value is None:
        raise Problem("the validation has no value (between needs value and value2)")
    if isinstance(value, str) and value.startswith("="):
        return check_formula(value)
    stored_value = to_stored_value(value)
    if isinstance(stored_value, date | time):
        return number_text(to_serial(stored_value, date1904=False))
    if isinstance(stored_value, bool) or not isinstance(stored_value, int | float):
        raise Problem(f"{value!r} is not a valid number, date, time or '=formula'")
    return number_text(stored_value)


def _build_attributes(accepts: Accepts) -> dict[str, str]:
    if len(accepts.prompt) > MAX_MESSAGE or len(accepts.error) > MAX_MESSAGE:
        raise Problem(f"prompt and error can have at most {MAX_MESSAGE} characters each; shorten them")
    compares = accepts.allow not in ("list", "custom") and accepts.operator != "between"
    attributes = {
        "type": _TYPE_NAMES.get(accepts.allow, accepts.allow),
        "errorStyle": accepts.error_style if accepts.error_style != "stop" else "",
        "operator": _OPERATORS[accepts.operator] if compares else "",
        "allowBlank": "1" if accepts.blank else "",
        "showInputMessage": "1",
        "showErrorMessage": "1",
        "error": accepts.error,
        "prompt": accepts.prompt,
    }
    return {name: value for name, value in attributes.items() if value}


def _describe_validation(grid: Grid, element: Any) -> ValidationInfo:
    def formula(name: str) -> str:
        formula_element = (
            element.find(qualify_tag(name, MAIN)) if element.get("sqref") else element.find(qualify_tag(name, X14))
        )
        return "" if formula_element is None else "".join(formula_element.itertext())

    words = {value: key for key, value in _OPERATORS.items()}
    kind = element.get("type", "any")
    compares = kind not in ("list", "custom", "any")
    return ValidationInfo(
        grid.info.name,
        _get_ranges(element),
        {value: key for key, value in _TYPE_NAMES.items()}.get(kind, kind),
        words.get(element.get("operator", "between"), "") if compares else "",
        formula("formula1"),
        formula("formula2"),
        element.get("allowBlank") in ("1", "true"),
        element.get("prompt", ""),
        element.get("error", ""),
        element.get("errorStyle", "stop"),
    )
