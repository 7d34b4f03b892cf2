"""Reading delivered workbooks except their values (see `tables.read_sheets`): formats, rules, charts, pivots, names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.engines.workbook_files import load_shared_workbook
from yardkit.evaluators.readers.office.charts import Chart, find_drawings, read_charts
from yardkit.evaluators.readers.office.packages import Parts, open_parts, parse_file, read_core_properties
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest

__all__ = [
    "Book",
    "CellLook",
    "Chart",
    "Grid",
    "Pivot",
    "Rule",
    "Validation",
    "read_book",
    "same_number_format",
    "simplify_number_format",
]

MAX_CELLS = 2_000_000


@dataclass(frozen=True)
class CellLook:
    """The format of a cell; colours are RRGGBB, or ``theme:4`` if they come from the theme; empty for none."""

    number_format: str = "General"
    bold: bool = False
    italic: bool = False
    underline: bool = False
    font: str = ""
    size_pt: float = 11.0
    color: str = ""
    fill: str = ""
    horizontal: str = ""
    vertical: str = ""
    wrap: bool = False
    borders: str = ""
    locked: bool = True


@dataclass(frozen=True)
class Rule:
    """A conditional format: cells, kind (cellIs, expression, colorScale, dataBar, iconSet ...), operator, formulas."""

    cells: str
    kind: str
    operator: str
    formulas: tuple[str, ...]
    fill: str
    color: str


@dataclass(frozen=True)
class Validation:
    """A data validation: cells, kind (list, whole, decimal, date ...), operator, its one or two formulas."""

    cells: str
    kind: str
    operator: str
    formulas: tuple[str, str]
    blanks: bool


@dataclass(frozen=True)
class Pivot:
    """A pivot table: the names of its fields by role, its source ``Sheet!A1:D9`` and its place.

    `left_out` are the filtered items, such as ``Status=open``.
    """

    name: str
    place: str
    source: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    filters: tuple[str, ...]
    values: tuple[str, ...]
    functions: tuple[str, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grid:
    """One worksheet without its values.

    Attributes:
        looks: formats by address, of non-empty cells and cells that differ from the default.
        widths: widths in characters by column letter, if set.
        freeze: the first cell that scrolls, such as ``A2``; empty for none.
        tables: range by name.
        comments: text by address, including replies of threads if the file has them as notes.
        links: address or place by cell.
        print_area, print_titles, paper, landscape, fit_width, fit_height: the print settings; 0 is automatic.
        breaks: the number of manual page breaks.
    """

    name: str
    state: str
    looks: Mapping[str, CellLook] = field(repr=False)
    merged: tuple[str, ...]
    widths: Mapping[str, float]
    heights: Mapping[int, float]
    hidden_columns: tuple[str, ...]
    hidden_rows: tuple[int, ...]
    freeze: str
    filtered: str
    rules: tuple[Rule, ...]
    validations: tuple[Validation, ...]
    charts: tuple[Chart, ...]
    pivots: tuple[Pivot, ...]
    pictures: int
    tables: Mapping[str, str]
    comments: Mapping[str, str]
    links: Mapping[str, str]
    print_area: str
    print_titles: str
    landscape: bool
    paper: int
    fit_width: int
    fit_height: int
    breaks: int
    header: str
    footer: str
    protected: bool
    tab_color: str

    def look(self, address: str) -> CellLook:
        """Return the format of a cell."""
        return self.looks.get(address, CellLook())


@dataclass(frozen=True)
class Book:
    """A workbook: its sheets in order, its defined names (sheet-wide ones as ``Sheet!name``), its properties."""

    sheets: Mapping[str, Grid]
    names: Mapping[str, str]
    properties: Mapping[str, str]
    macros: bool


def read_book(submission: Submission, relative: str) -> Book:
    """Read a delivered workbook except its values, for which see `tables.read_sheets`.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable workbook.
    """
    return parse_file(submission, relative, parse_book, "workbook")


def parse_book(path: Path) -> Book:
    """Parse the workbook at `path`; it may raise any exception."""
    parts = open_parts(path)
    workbook = load_shared_workbook(path, file_digest(path))
    charts = read_charts(parts, _sheet_parts(parts))
    pictures = _count_pictures(parts)
    sheets = {
        worksheet.title: _make_grid(worksheet, charts.get(worksheet.title, ()), pictures)
        for worksheet in workbook.worksheets
    }
    names = {name: str(definition.attr_text) for name, definition in workbook.defined_names.items()}
    for sheet in workbook.worksheets:
        names |= {
            f"{sheet.title}!{name}": str(definition.attr_text) for name, definition in sheet.defined_names.items()
        }
    return Book(
        sheets, names, read_core_properties(parts), any(name.endswith("vbaProject.bin") for name in parts.names)
    )


def same_number_format(first: str, other: str) -> bool:
    """Whether two number formats show numbers the same way, ignoring colours, padding and quotes."""
    return simplify_number_format(first) == simplify_number_format(other)


def simplify_number_format(code: str) -> str:
    """Normalize a number format for comparison."""
    bare_code = re.sub(r"\[(?!\$|h|m|s|=|<|>)[^\]]*\]|_.|\*.|[\"\\]", "", code.strip())
    bare_code = re.sub(r"\[\$([^\-\]]*)[^\]]*\]", r"\1", bare_code)
    positive = bare_code.split(";")[0].strip().lower()
    return {"general": "", "@": "@", "0_": "0", "yyyy/mm/dd": "yyyy-mm-dd", "yyyy-mm-dd;@": "yyyy-mm-dd"}.get(
        positive, positive.replace(" ", "").replace("\u00a0", "")
    )


def _make_grid(sheet: Any, charts: tuple[Chart, ...], pictures: Mapping[str, int]) -> Grid:
    if sheet.max_row * sheet.max_column > MAX_CELLS:
        raise ValueError(f"sheet {sheet.title!r} spans more than {MAX_CELLS:,} cells")
    looks, comments, links = {}, {}, {}
    known: dict[int, CellLook] = {}  # cells share few formats
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value is not None or cell.has_style:
                style = cell.style_id
                if style not in known:
                    known[style] = _read_look(cell)
                looks[cell.coordinate] = known[style]
            if cell.comment:
                comments[cell.coordinate] = str(cell.comment.text)
            if cell.hyperlink:
                links[cell.coordinate] = str(cell.hyperlink.target or cell.hyperlink.location or "")
    set_up, columns = sheet.page_setup, sheet.column_dimensions
    fits = bool(sheet.sheet_properties.pageSetUpPr and sheet.sheet_properties.pageSetUpPr.fitToPage)
    return Grid(
        name=sheet.title,
        state=sheet.sheet_state,
        looks=looks,
        merged=tuple(sorted(str(area) for area in sheet.merged_cells.ranges)),
        widths=_read_widths(columns),
        heights={number: dimension.height for number, dimension in sheet.row_dimensions.items() if dimension.height},
        hidden_columns=tuple(letter for letter, column in columns.items() if column.hidden),
        hidden_rows=tuple(number for number, dimension in sheet.row_dimensions.items() if dimension.hidden),
        freeze=_find_freeze_cell(sheet.sheet_view.pane),
        filtered=str(sheet.auto_filter.ref or ""),
        rules=tuple(_list_rules(sheet)),
        validations=tuple(_make_validation(rule) for rule in sheet.data_validations.dataValidation),
        charts=charts,
        pivots=tuple(_make_pivot(pivot) for pivot in sheet._pivots),
        pictures=pictures.get(sheet.title, 0),
        tables={name: str(area) for name, area in sheet.tables.items()},
        comments=comments,
        links=links,
        print_area=str(sheet.print_area or "").replace("'", "").replace("$", ""),
        print_titles=str(sheet.print_titles or "").replace("'", "").replace("$", ""),
        landscape=set_up.orientation == "landscape",
        paper=int(set_up.paperSize or 0),
        fit_width=int(1 if set_up.fitToWidth is None else set_up.fitToWidth) if fits else 0,
        fit_height=int(1 if set_up.fitToHeight is None else set_up.fitToHeight) if fits else 0,
        breaks=sum(bool(line_break.man) for part in (sheet.row_breaks, sheet.col_breaks) for line_break in part.brk),
        header=_join_header_line(sheet.oddHeader),
        footer=_join_header_line(sheet.oddFooter),
        protected=bool(sheet.protection.sheet),
        tab_color=_read_color(sheet.sheet_properties.tabColor),
    )


def _find_freeze_cell(pane: Any) -> str:
    """Find the first cell that scrolls, independent of the current scroll position."""
    from openpyxl.utils import get_column_letter

    if pane is None or not str(pane.state).startswith("frozen"):
        return ""
    return f"{get_column_letter(int(pane.xSplit or 0) + 1)}{int(pane.ySplit or 0) + 1}"


def _read_look(cell: Any) -> CellLook:
    font, fill, border = cell.font, cell.fill, cell.border
    sides = [name[0] for name in ("left", "right", "top", "bottom") if getattr(getattr(border, name), "style", None)]
    return CellLook(
        number_format=cell.number_format,
        bold=bool(font.b),
        italic=bool(font.i),
        underline=bool(font.u) and font.u != "none",
        font=font.name or "",
        size_pt=float(font.sz or 11),
        color=_read_color(font.color),
        fill=_read_color(fill.fgColor) if fill.fill_type == "solid" else "",
        horizontal=cell.alignment.horizontal or "",
        vertical=cell.alignment.vertical or "",
        wrap=bool(cell.alignment.wrap_text),
        borders="".join(sides),
        locked=bool(cell.protection.locked),
    )


def _read_color(color: Any) -> str:
    if color is None:
        return ""
    if color.type == "rgb" and isinstance(color.rgb, str):
        return color.rgb[-6:].upper()
    if color.type == "theme":
        tint = f"{color.tint:+.2f}" if color.tint else ""
        return f"theme:{color.theme}{tint}"
    return ""


def _read_widths(columns: Any) -> dict[str, float]:
    """Read the widths by letter; an entry for several adjacent columns applies to each."""
    from openpyxl.utils import get_column_letter

    widths = {}
    for column in columns.values():
        if column.customWidth or (column.width and column.width != 13):
            first, last = column.min or column.index, column.max or column.index
            if isinstance(first, int) and isinstance(last, int):
                for number in range(first, min(last, first + 200) + 1):
                    widths[get_column_letter(number)] = float(column.width)
            else:
                widths[str(column.index)] = float(column.width)
    return widths


def _list_rules(sheet: Any) -> list[Rule]:
    rules = []
    for area in sheet.conditional_formatting:
        for rule in area.rules:
            look = rule.dxf
            fill = _read_color(look.fill.bgColor) if look is not None and look.fill is not None else ""
            color = _read_color(look.font.color) if look is not None and look.font is not None else ""
            formulas = tuple(str(text) for text in rule.formula)
            rules.append(Rule(str(area.sqref), rule.type or "", rule.operator or "", formulas, fill, color))
    return rules


def _make_validation(rule: Any) -> Validation:
    formulas = (str(rule.formula1 or ""), str(rule.formula2 or ""))
    return Validation(str(rule.sqref), rule.type or "", rule.operator or "", formulas, bool(rule.allow_blank))


def _make_pivot(pivot: Any) -> Pivot:
    names = [cachefield.name or "" for cachefield in pivot.cache.cacheFields]
    source = pivot.cache.cacheSource.worksheetSource
    place = f"{source.sheet}!{source.ref}" if source is not None and source.ref else getattr(source, "name", "") or ""

    def named(fields: Any) -> tuple[str, ...]:
        numbers = [reference.x if hasattr(reference, "x") else reference.fld for reference in fields or ()]
        return tuple(names[number] for number in numbers if number is not None and 0 <= number < len(names))

    return Pivot(
        pivot.name or "",
        str(pivot.location.ref),
        place,
        named(pivot.rowFields),
        named(pivot.colFields),
        named(pivot.pageFields),
        named(pivot.dataFields),
        tuple(datafield.subtotal or "sum" for datafield in pivot.dataFields or ()),
        tuple(_left_out(pivot)),
    )


def _left_out(pivot: Any) -> list[str]:
    """List the items that a pivot table's filters hide; for a filter on a single item, all others."""
    single = {pagefield.fld: pagefield.item for pagefield in pivot.pageFields or () if pagefield.item is not None}
    left_out = []
    for number, (field_of, cached) in enumerate(zip(pivot.pivotFields, pivot.cache.cacheFields, strict=False)):
        shared = list(cached.sharedItems._fields or ())
        for place, item in enumerate(field_of.items or ()):
            hidden = bool(item.h) or (number in single and single[number] != place)
            if hidden and item.x is not None and item.x < len(shared):
                left_out.append(f"{cached.name}={getattr(shared[item.x], 'v', '')}")
    return left_out


def _join_header_line(part: Any) -> str:
    """Join the left, middle and right text of a header or footer."""
    return " | ".join(
        str(section.text) for section in (part.left, part.center, part.right) if section is not None and section.text
    )


def _sheet_parts(parts: Parts) -> dict[str, str]:
    """Map each sheet's name to its part."""
    main = parts.find_main()
    relations = parts.read_relations(main)
    r = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
    entries = parts.xml(main).iter("{http://schemas.openxmlformats.org/spreadsheetml/2006/main}sheet")
    part_names = {entry.get("name", ""): relations.get(entry.get(r, "")) for entry in entries}
    return {name: relation.target for name, relation in part_names.items() if relation and relation.target in parts}


def _count_pictures(parts: Parts) -> dict[str, int]:
    """Count the pictures by sheet."""
    picture_counts = {}
    for name, part in _sheet_parts(parts).items():
        picture_counts[name] = sum(len(parts.list_related(drawing, "image")) for drawing in find_drawings(parts, part))
    return picture_counts
