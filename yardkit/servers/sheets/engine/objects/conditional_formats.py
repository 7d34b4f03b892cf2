"""Conditional formats: rules added, read, deleted; made by XlsxWriter and taken over with their formats."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from yardkit.servers.sheets.engine.cells.cell_formats import CellFormats
from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import (
    X14,
    XM,
    drop_empty_extension,
    find_extension,
    open_sheet,
    save_objects,
)
from yardkit.servers.sheets.engine.cells.ranges import areas_of, format_sqref, subtract_areas
from yardkit.servers.sheets.engine.notation.formulas import as_formula, check_formula
from yardkit.servers.sheets.engine.notation.references import Area, Cell
from yardkit.servers.sheets.engine.notation.values import Scalar, to_stored_value
from yardkit.servers.sheets.engine.package.xlsxwriter_parts import build_scratch_parts
from yardkit.servers.sheets.engine.package.xml import MAIN, ensure_child, qualify_tag
from yardkit.world import Problem

if TYPE_CHECKING:
    import xlsxwriter

URI = "{78C0D931-6437-407d-A8EE-F0AAD7539E65}"
Kind = Literal[
    "cell", "text", "date", "top", "bottom", "average", "duplicate", "unique", "blanks", "no_blanks", "errors",
    "no_errors", "formula", "color_scale", "data_bar", "icon_set", "delete",
]  # fmt: skip
BARE_RULES = ("duplicate", "unique", "blanks", "no_blanks", "errors", "no_errors")
_TEXT_CONDITIONS = ("containing", "not containing", "begins with", "ends with")
_DATE_CONDITIONS = (
    "yesterday", "today", "tomorrow", "last 7 days", "last week", "this week", "next week", "last month",
    "this month", "next month",
)  # fmt: skip
_CELL_CONDITIONS = ("=", "<>", ">", ">=", "<", "<=", "between", "not between")
_AVERAGE_CONDITIONS = ("above", "below", "equal or above", "equal or below")
_OPERATORS = dict(
    zip(
        (
            "equal", "notEqual", "greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual", "between",
            "notBetween", "containsText", "notContains", "beginsWith", "endsWith", "yesterday", "today", "tomorrow",
            "last7Days", "lastWeek", "thisWeek", "nextWeek", "lastMonth", "thisMonth", "nextMonth",
        ),
        (*_CELL_CONDITIONS, *_TEXT_CONDITIONS, *_DATE_CONDITIONS),
        strict=True,
    )
)  # fmt: skip
# Those of XlsxWriter are wrong around the turn of the year; these are Excel's.
_MONTH_FORMULAS = {
    period: f"AND(MONTH({{cell}})=MONTH(EDATE(TODAY(),{step})),YEAR({{cell}})=YEAR(EDATE(TODAY(),{step})))"
    for period, step in (("lastMonth", "0-1"), ("nextMonth", "0+1"))
}


@dataclass(frozen=True)
class Look:
    """How a rule shows the cells that it meets; colours are RRGGBB."""

    fill_color: str | None = None
    font_color: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    number_format: str | None = None


@dataclass(frozen=True)
class Point:
    """Where a colour, bar or icon begins; kind is min, max, num, percent, percentile or formula."""

    kind: str
    value: Scalar = None


@dataclass(frozen=True)
class Rule:
    """A rule for cells; `operator` belongs to cell, text, date and average rules.

    Attributes:
        points: of a colour scale one for each colour, of a data bar its ends, of an icon set where each icon but the
            first begins; without, the whole range of values is parted evenly.
        bare: a data bar or icon without the value.
    """

    kind: str
    operator: str = ""
    value: Scalar = None
    value2: Scalar = None
    look: Look = field(default_factory=Look)
    colors: tuple[str, ...] = ()
    icons: str = "3_traffic_lights"
    percent: bool = False
    stop: bool = False
    points: tuple[Point, ...] = ()
    bare: bool = False
    reverse: bool = False


@dataclass(frozen=True)
class RuleInfo:
    """A conditional format as the file has it; `kind` is the type in the file, `fill_color` ... what it sets."""

    sheet: str
    range: str
    kind: str
    priority: int
    operator: str = ""
    formulas: list[str] = field(default_factory=list)
    text: str = ""
    rank: str = ""
    colors: list[str] = field(default_factory=list)
    icons: str = ""
    fill_color: str = ""
    font_color: str = ""
    bold: bool = False
    stop: bool = False

    def __str__(self) -> str:
        facts = [self.operator, *self.formulas, self.text, self.rank, *self.colors, self.icons]
        return f"{self.kind} rule on {self.sheet}!{self.range} ({' '.join(filter(None, facts))})"


def add_rule(path: Path, sheet: str | None, area: str, rule: Rule) -> RuleInfo:
    """Add a conditional format below the rules that are there; what the saved file says of it.

    Raises:
        Problem: no such sheet or range, or a rule that lacks something.
    """
    book, grid = open_sheet(path, sheet)
    areas = areas_of(area)
    options = _build_options(rule)
    rule_parts = build_scratch_parts(lambda scratch_book: _draw_rule(scratch_book, areas[0], options, rule.look))
    root, styles = rule_parts["xl/worksheets/sheet1.xml"], rule_parts["xl/styles.xml"]
    element = root.find(qualify_tag("conditionalFormatting"))
    _check_formulas(root)
    element.set("sqref", format_sqref(areas))
    entry = element.find(qualify_tag("cfRule"))
    if entry.get("timePeriod") in _MONTH_FORMULAS:
        entry.find(qualify_tag("formula")).text = _MONTH_FORMULAS[entry.get("timePeriod")].format(
            cell=Cell(areas[0].top, areas[0].left)
        )
    entry.set("priority", str(1 + max((info.priority for info in list_rules(grid)), default=0)))
    if entry.get("dxfId") is not None:
        entry.set("dxfId", str(book.styles.shared_look(styles.find(f"{qualify_tag('dxfs')}/{qualify_tag('dxf')}"))))
    elif rule.kind not in ("color_scale", "data_bar", "icon_set"):
        raise Problem("no format was given; use fill_color, font_color, bold, italic or number_format")
    _insert_rule(grid, element)
    _put_extension(grid, root, format_sqref(areas))
    grid.changed = True
    save_objects(book, path, grid)
    return max(list_rules(open_sheet(path, grid.info.name)[1]), key=lambda info: info.priority)


def _check_formulas(root: Any) -> None:
    """Refuse formulas that do not parse or call out, in rules and in the ends of scales."""
    for entry in root.iter():
        is_formula = str(entry.tag).endswith(("}formula", "}f"))
        text = entry.text if is_formula else entry.get("val") if entry.get("type") == "formula" else None
        if text:
            check_formula(f"={text.removeprefix('=')}")


def delete_rules(path: Path, sheet: str | None, area: str | None) -> int:
    """Take the conditional formats out of `area` (without: out of the sheet); how many rules that concerned.

    Raises:
        Problem: no such sheet or range, or no rule there.
    """
    book, grid = open_sheet(path, sheet)
    holes = areas_of(area) if area else [Area(1, 1, 1_048_576, 16_384)]
    count = sum(_cut_rules(grid, holes))
    if not count:
        raise Problem(
            f"{area or 'the sheet'} in {grid.info.name!r} has no conditional format; use read_objects to list them"
        )
    grid.changed = True
    save_objects(book, path, grid)
    return count


def list_rules(grid: Grid) -> list[RuleInfo]:
    """The conditional formats of a sheet by priority, those of newer Excel versions too."""
    rule_infos = []
    dxfs, formats = grid.book.styles.looks, CellFormats(grid.book)
    for element in grid.root.iterfind(qualify_tag("conditionalFormatting")):
        where = element.get("sqref", "")
        rule_infos += [
            _describe_rule(grid, rule, where, _find_look(rule, dxfs), formats)
            for rule in element.iterfind(qualify_tag("cfRule"))
        ]
    known = {ident.text for ident in grid.root.iter(qualify_tag("id", X14))}
    extended = find_extension(grid.root, URI, "conditionalFormattings")
    for element in extended if extended is not None else []:
        where = element.findtext(qualify_tag("sqref", XM)) or ""
        for rule in element.iterfind(qualify_tag("cfRule", X14)):
            if rule.get("id") not in known:
                rule_infos.append(_describe_rule(grid, rule, where, rule.find(qualify_tag("dxf", X14)), formats))
    return sorted(rule_infos, key=lambda info: info.priority)


def _build_options(rule: Rule) -> dict[str, Any]:
    """The rule as XlsxWriter takes it."""
    stop = {"stop_if_true": True} if rule.stop else {}
    if rule.kind in BARE_RULES or rule.kind == "formula":
        return {"type": rule.kind} | ({"criteria": _require_formula(rule)} if rule.kind == "formula" else {}) | stop
    makers: dict[str, Callable[[Rule], dict[str, Any]]] = {
        "cell": _cell_options,
        "text": _text_options,
        "date": _date_options,
        "average": _average_options,
        "top": _rank_options,
        "bottom": _rank_options,
        "color_scale": _scale_options,
        "data_bar": _bar_options,
        "icon_set": _icon_options,
    }
    return makers[rule.kind](rule) | stop


def _require_formula(rule: Rule) -> str:
    if not isinstance(rule.value, str) or not rule.value.strip("= "):
        raise Problem(f"a formula rule needs value='=$B2>10' (for the range's first cell), not {rule.value!r}")
    return as_formula(rule.value)


def _cell_options(rule: Rule) -> dict[str, Any]:
    _require_operator(rule, _CELL_CONDITIONS)
    if rule.operator.endswith("between"):
        low, high = _format_operand(rule.value), _format_operand(rule.value2)
        return {"type": "cell", "criteria": rule.operator, "minimum": low, "maximum": high}
    return {"type": "cell", "criteria": rule.operator, "value": _format_operand(rule.value)}


def _format_operand(value: Scalar) -> Any:
    """A value as a rule compares with it: text in quotes, dates as the number that cells hold."""
    from datetime import date, time

    from yardkit.servers.sheets.engine.notation.values import to_serial

    if value is None:
        raise Problem("the rule has no value (between needs value and value2)")
    if isinstance(value, str) and value.startswith("="):
        return value
    stored_value = to_stored_value(value)
    if isinstance(stored_value, date | time):
        return to_serial(stored_value, date1904=False)
    if isinstance(stored_value, bool):
        return f"={str(stored_value).upper()}"
    return '="' + stored_value.replace('"', '""') + '"' if isinstance(stored_value, str) else stored_value


def _text_options(rule: Rule) -> dict[str, Any]:
    _require_operator(rule, _TEXT_CONDITIONS)
    if not isinstance(rule.value, str) or not rule.value:
        raise Problem(f"a text rule needs the text as value, not {rule.value!r}")
    return {"type": "text", "criteria": rule.operator, "value": rule.value}


def _date_options(rule: Rule) -> dict[str, Any]:
    _require_operator(rule, _DATE_CONDITIONS)
    return {"type": "time_period", "criteria": rule.operator}


def _average_options(rule: Rule) -> dict[str, Any]:
    _require_operator(rule, _AVERAGE_CONDITIONS)
    return {"type": "average", "criteria": rule.operator}


def _rank_options(rule: Rule) -> dict[str, Any]:
    rank = 10 if rule.value is None else rule.value
    if isinstance(rank, bool | str) or rank != int(rank) or not 1 <= rank <= (100 if rule.percent else 1000):
        raise Problem(f"a {rule.kind} rule needs a whole number of cells from 1 to 1000 (or percent), not {rank!r}")
    return {"type": rule.kind, "value": int(rank)} | ({"criteria": "%"} if rule.percent else {})


def _scale_options(rule: Rule) -> dict[str, Any]:
    colors = rule.colors or ("F8696B", "FFEB84", "63BE7B")
    if len(colors) not in (2, 3):
        raise Problem(f"a colour scale needs two or three colours (lowest first), not {len(colors)}")
    names = ("min_color", "max_color") if len(colors) == 2 else ("min_color", "mid_color", "max_color")
    scale = {name: f"#{color}" for name, color in zip(names, colors, strict=True)}
    ends = [name.removesuffix("_color") for name in names]
    return {"type": f"{len(colors)}_color_scale", **scale, **_build_points(rule, ends)}


def _bar_options(rule: Rule) -> dict[str, Any]:
    color = f"#{rule.colors[0]}" if rule.colors else "#638EC6"
    points = _build_points(rule, ["min", "max"])
    return {"type": "data_bar", "bar_color": color, "data_bar_2010": True, "bar_only": rule.bare, **points}


def _icon_options(rule: Rule) -> dict[str, Any]:
    options = {"type": "icon_set", "icon_style": rule.icons, "icons_only": rule.bare, "reverse_icons": rule.reverse}
    if rule.points and len(rule.points) != int(rule.icons[0]) - 1:
        raise Problem(
            f"{rule.icons} needs {int(rule.icons[0]) - 1} points, the thresholds of the icons after the first"
        )
    steps = [{"criteria": ">=", "type": point.kind, "value": point.value} for point in reversed(rule.points)]
    return options | ({"icons": steps} if steps else {})


def _build_points(rule: Rule, ends: list[str]) -> dict[str, Any]:
    """Types and values of points, of which the lowest may only be a minimum, the highest only a maximum."""
    if not rule.points:
        return {}
    if len(rule.points) != len(ends):
        raise Problem(f"a {rule.kind} of this kind needs {len(ends)} points, not {len(rule.points)}")
    point_options: dict[str, Any] = {}
    for end, point in zip(ends, rule.points, strict=True):
        if point.kind in ("min", "max"):
            if point.kind != end:
                raise Problem(f"the {end} of a {rule.kind} cannot have the type {point.kind!r}; use num or percent")
            continue
        if point.value is None:
            raise Problem(f"the {end} of type {point.kind!r} has no value")
        point_options |= {f"{end}_type": point.kind, f"{end}_value": point.value}
    return point_options


def _require_operator(rule: Rule, known: tuple[str, ...]) -> None:
    if rule.operator not in known:
        raise Problem(
            f"{rule.operator!r} is not a valid operator of a {rule.kind} rule; use {', '.join(map(repr, known))}"
        )


def _draw_rule(book: xlsxwriter.Workbook, area: Area, options: dict[str, Any], look: Look) -> None:
    sheet = book.add_worksheet()
    look_options = {
        "bg_color": look.fill_color and f"#{look.fill_color}",
        "font_color": look.font_color and f"#{look.font_color}",
        "bold": look.bold,
        "italic": look.italic,
        "num_format": look.number_format,
    }
    given = {name: value for name, value in look_options.items() if value is not None}
    if given:
        options = options | {"format": book.add_format(given)}
    corners = (area.top - 1, area.left - 1, area.bottom - 1, area.right - 1)
    if sheet.conditional_format(*corners, options) != 0:
        raise Problem(f"the rule is not valid: {options}; check operator, value and range")


def _insert_rule(grid: Grid, element: Any) -> None:
    """Put a rule after those that are there, else where the schema wants the first."""
    others = grid.root.findall(qualify_tag("conditionalFormatting"))
    if others:
        others[-1].addnext(copy.deepcopy(element))
        return
    place = ensure_child(grid.root, "conditionalFormatting", ORDER)
    grid.root.replace(place, copy.deepcopy(element))


def _put_extension(grid: Grid, root: Any, where: str) -> None:
    """The second half of a data bar, with an id that no other bar has."""
    extension_element = find_extension(root, URI, "conditionalFormattings")
    if extension_element is None:
        return
    taken = {ident.text for ident in grid.root.iter(qualify_tag("id", X14))}
    ids = (f"{{DA7ABA51-AAAA-BBBB-0001-{number:012X}}}" for number in range(1, len(taken) + 2))
    identity = next(identifier for identifier in ids if identifier not in taken)
    for ident in list(grid.root.iterfind(qualify_tag("conditionalFormatting")))[-1].iter(qualify_tag("id", X14)):
        ident.text = identity
    extension_list = find_extension(grid.root, URI, "conditionalFormattings", make=True)
    for element in extension_element:
        element.find(qualify_tag("sqref", XM)).text = where
        element.find(qualify_tag("cfRule", X14)).set("id", identity)
        if extension_list is not None:
            extension_list.append(element)


def _cut_rules(grid: Grid, holes: list[Area]) -> tuple[int, int]:
    """Take `holes` out of the ranges of all rules; how many rules that concerned."""
    counts = [0, 0]
    extended = find_extension(grid.root, URI, "conditionalFormattings")
    indexed_rules = [(0, element) for element in grid.root.findall(qualify_tag("conditionalFormatting"))]
    indexed_rules += [(1, element) for element in (list(extended) if extended is not None else [])]
    known = {ident.text for ident in grid.root.iter(qualify_tag("id", X14))}
    for kind, element in indexed_rules:
        areas = areas_of(element.get("sqref") if kind == 0 else element.findtext(qualify_tag("sqref", XM)))
        left = subtract_areas(areas, holes)
        if left == areas:
            continue
        own = element.findall(qualify_tag("cfRule", X14 if kind else MAIN))
        counts[kind] += sum(rule.get("id") not in known for rule in own) if kind else len(own)
        if not left:
            element.getparent().remove(element)
        elif kind == 0:
            element.set("sqref", format_sqref(left))
        else:
            element.find(qualify_tag("sqref", XM)).text = format_sqref(left)
    drop_empty_extension(grid.root, URI)
    return counts[0], counts[1]


def _find_look(rule: Any, dxfs: list[Any]) -> Any:
    index = int(rule.get("dxfId", "-1"))
    return dxfs[index] if 0 <= index < len(dxfs) else None


def _describe_rule(grid: Grid, rule: Any, where: str, look: Any, formats: CellFormats) -> RuleInfo:
    formulas = [entry.text or "" for entry in rule if str(entry.tag).endswith(("}formula", "}f"))]
    icons = next((entry.get("iconSet", "3TrafficLights1") for entry in rule if str(entry.tag).endswith("}iconSet")), "")
    info = RuleInfo(
        grid.info.name,
        where,
        rule.get("type", ""),
        int(rule.get("priority", "0")),
        _describe_operator(rule),
        formulas,
        rule.get("text", ""),
        f"{rule.get('rank')}{'%' if rule.get('percent') == '1' else ''}" if rule.get("rank") else "",
        [
            color_text
            for entry in rule.iter()
            if str(entry.tag).endswith("}color") and (color_text := formats.color(entry))
        ]
        if look is None
        else [],
        icons,
        stop=rule.get("stopIfTrue") in ("1", "true"),
    )
    if look is None:
        return info
    fill = look.find(f"{qualify_tag('fill')}/{qualify_tag('patternFill')}/{qualify_tag('bgColor')}")
    weight = look.find(f"{qualify_tag('font')}/{qualify_tag('b')}")
    return replace(
        info,
        fill_color=formats.color(fill) or "",
        font_color=formats.color(look.find(f"{qualify_tag('font')}/{qualify_tag('color')}")) or "",
        bold=weight is not None and _read_flag(weight, "val", default=True),
    )


def _describe_operator(rule: Any) -> str:
    """What a rule compares with, in the words that `add_rule` takes."""
    if rule.get("type") == "top10":
        return "bottom" if _read_flag(rule, "bottom", default=False) else "top"
    if rule.get("type") == "aboveAverage":
        where = "above" if _read_flag(rule, "aboveAverage", default=True) else "below"
        return f"equal or {where}" if _read_flag(rule, "equalAverage", default=False) else where
    name = rule.get("operator") or rule.get("timePeriod") or ""
    return _OPERATORS.get(name, name)


def _read_flag(element: Any, name: str, *, default: bool) -> bool:
    return element.get(name, str(int(default))) in ("1", "true")
