"""Values as they are typed into and shown by the cells of a spreadsheet."""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.cells.cell_formats import CellFormats
from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import open_sheet
from yardkit.servers.sheets.engine.notation.formulas import format_formula
from yardkit.servers.sheets.engine.notation.references import Area, Cell, area_of
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import current_world

_NUMBER = re.compile(r"[-+]?(\d{1,3}(,\d{3})+|\d{1,15})(\.\d+)?|[-+]?\.\d+")
_PERCENT = re.compile(r"[-+]?\d{1,12}(\.\d+)?%")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.')
_DIGITS = re.compile(r"[#0?][#0?,]*(\.([0#?]+))?")
_DATE_PART = re.compile(r"y{2,4}|m{1,4}|d{1,4}|h{1,2}|s{1,2}|AM/PM|.", re.IGNORECASE | re.DOTALL)


def interpret_typed(value: Scalar) -> Scalar:
    """What somebody gets who types a value: numbers, percentages and TRUE are no texts."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if _NUMBER.fullmatch(text):
        bare_number = text.replace(",", "")
        return float(bare_number) if "." in bare_number else int(bare_number)
    if _PERCENT.fullmatch(text):
        return round(float(text[:-1]) / 100, 15)
    return text.upper() == "TRUE" if text.upper() in ("TRUE", "FALSE") else value


def to_literal(text: str) -> str:
    """A text that stays one, whatever it looks like."""
    return f"'{text}"


def cells_of(path: Path, sheet: str, place: str | None) -> tuple[Grid, Area | None, dict[Cell, Content]]:
    """A sheet, the part of a range of it that is in use (without a range all from A1 on), and the cells there.

    Formulas that no program has computed are computed, as they are where somebody opens a spreadsheet.
    """
    cells = _read_cells(path, sheet, place)
    if not any(content.uncomputed for content in cells[2].values()):
        return cells
    with TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_bytes(path.read_bytes())
        engine.recalculate_workbook(copy, now=current_world().now)
        return _read_cells(copy, sheet, place)


def _read_cells(path: Path, sheet: str, place: str | None) -> tuple[Grid, Area | None, dict[Cell, Content]]:
    _, grid = open_sheet(path, sheet)
    used = grid.get_used_area()
    if used is None:
        return grid, None, {}
    requested_area = area_of(place) if place else Area(1, 1, used.bottom, used.right)
    filled = Area(1, 1, used.bottom, used.right)
    if not requested_area.meets(filled):
        return grid, None, {}
    area = requested_area.clip(filled)
    return grid, area, dict(grid.contents(area))


def rows_of(path: Path, sheet: str, place: str | None, *, formulas: bool = False) -> list[list[Any]]:
    """The rows of a range as they are shown, or with formulas; what is empty at the ends is left out."""
    grid, area, contents = cells_of(path, sheet, place)
    if area is None:
        return []
    rows: list[list[Any]] = []
    for number in range(area.top, area.bottom + 1):
        row = []
        for column in range(area.left, area.right + 1):
            content = contents.get(Cell(number, column))
            row.append("" if content is None else _formula_or_value(content) if formulas else text_of(grid, content))
        rows.append(_trim_end(row, ""))
    return _trim_end(rows, [])


def _trim_end(items: Sequence[Any], empty: object) -> list[Any]:
    trimmed_items = list(items)
    while trimmed_items and trimmed_items[-1] == empty:
        trimmed_items.pop()
    return trimmed_items


def _formula_or_value(content: Content) -> Scalar:
    if content.formula is not None:
        return format_formula(content.formula)
    return "" if content.value is None else content.value


def text_of(grid: Grid, content: Content) -> str:
    """What a cell shows."""
    value, code = content.value, grid.book.styles.number_format(content.style).partition(";")[0]
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if content.kind == "date":
        return _format_date(str(value), code)
    return _format_number(value, code) if isinstance(value, int | float) else str(value)


def _format_number(value: float, code: str) -> str:
    digits = _DIGITS.search(_LITERAL.sub("", code))
    if code in ("General", "@") or digits is None or "E" in code.upper():
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    percent = "%" in code
    places = len((digits[2] or "").rstrip("#?")) if digits[2] else 0
    most = len(digits[2] or "")
    number = abs(value) * (100 if percent else 1)
    text = f"{number:{',' if ',' in digits[0] else ''}.{most}f}"
    while most > places and text.endswith("0"):
        text, most = text[:-1].rstrip("."), most - 1
    bare_code = _LITERAL.sub(lambda match: match[1] or match[2] or match[3] or "", code)
    before, _, after = bare_code.partition(_DIGITS.search(bare_code)[0] if _DIGITS.search(bare_code) else "")  # type: ignore[index]
    sign = "-" if value < 0 and text.strip("0.,") else ""
    return f"{sign}{before.strip() and before}{text}{after}"


def _format_date(value: str, code: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return value
    bare_code = _LITERAL.sub(lambda match: match[1] or match[2] or "", code)
    if not re.search("[ymdhs]", bare_code, re.IGNORECASE):
        return value
    noon = bool(re.search("am/pm", bare_code, re.IGNORECASE))
    parts, date_text = _DATE_PART.findall(bare_code), ""
    for place, part in enumerate(parts):
        minutes = part[:1] in "mM" and len(part) < 3 and _beside_time(parts, place)
        date_text += _date_part(moment, part.lower(), minutes=minutes, noon=noon)
    return date_text


def _beside_time(parts: list[str], place: int) -> bool:
    """Whether an ``m`` means minutes: hours stand before it or seconds behind."""
    words = [part.lower() for part in parts]
    before = next((word[0] for word in reversed(words[:place]) if word[0] in "ymdhs"), "")
    after = next((word[0] for word in words[place + 1 :] if word[0] in "ymdhs"), "")
    return before == "h" or after == "s"


def _date_part(moment: datetime, part: str, *, minutes: bool, noon: bool) -> str:
    hour = (moment.hour % 12 or 12) if noon else moment.hour
    words = {
        "yyyy": f"{moment.year:04}", "yyy": f"{moment.year:04}", "yy": f"{moment.year % 100:02}",
        "mmmm": f"{moment:%B}", "mmm": f"{moment:%b}", "mm": f"{moment.month:02}", "m": str(moment.month),
        "dddd": f"{moment:%A}", "ddd": f"{moment:%a}", "dd": f"{moment.day:02}", "d": str(moment.day),
        "hh": f"{hour:02}", "h": str(hour), "ss": f"{moment.second:02}", "s": str(moment.second),
        "am/pm": f"{moment:%p}",
    }  # fmt: skip
    if minutes:
        words |= {"mm": f"{moment.minute:02}", "m": str(moment.minute)}
    return words.get(part, part)


def look_of(grid: Grid, formats: CellFormats, content: Content) -> engine.Change:
    """The usual part of how a cell looks: its number format, bold, italic, and its colour."""
    look_values = formats.describe_style(content.style)
    code = grid.book.styles.number_format(content.style)
    fill = re.search("[0-9A-F]{6}", look_values.get("fill", ""))
    return engine.Change(
        number_format=None if code == "General" else code,
        bold=True if "bold" in look_values else None,
        italic=True if "italic" in look_values else None,
        fill_color=fill[0] if fill else None,
    )


def cell_data(grid: Grid, formats: CellFormats, content: Content) -> dict[str, Any]:
    """All that they tell of a cell."""
    value = _typed_value(content.value)
    if not value:
        return {}
    change = look_of(grid, formats, content)
    look: dict[str, Any] = {"numberFormat": {"pattern": change.number_format or "General"}}
    if change.bold or change.italic:
        look["textFormat"] = {name: True for name in ("bold", "italic") if getattr(change, name)}
    if change.fill_color:
        parts = [round(int(change.fill_color[place : place + 2], 16) / 255, 4) for place in (0, 2, 4)]
        look["backgroundColor"] = dict(zip(("red", "green", "blue"), parts, strict=True))
    entered = {"formulaValue": format_formula(content.formula)} if content.formula is not None else value
    return {
        "userEnteredValue": entered,
        "effectiveValue": value,
        "formattedValue": text_of(grid, content),
        "userEnteredFormat": look,
    }


def _typed_value(value: Scalar) -> dict[str, Any]:
    if value is None or value == "":
        return {}
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"numberValue": value} if isinstance(value, int | float) else {"stringValue": value}
