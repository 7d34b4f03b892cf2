"""The looks and values of cells as the Sheets API says them."""

from collections.abc import Mapping
from typing import Any

from yardkit.compat.toolathlon.sheets.google_values import to_literal
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import Problem

BORDERS = ("top", "bottom", "left", "right", "innerHorizontal", "innerVertical")
_LINES = {
    "SOLID": "thin", "SOLID_MEDIUM": "medium", "SOLID_THICK": "thick", "DASHED": "dashed", "DOTTED": "dotted",
    "DOUBLE": "double", "NONE": "none",
}  # fmt: skip
_VERTICAL = {"TOP": "top", "MIDDLE": "center", "BOTTOM": "bottom"}
_KINDS = {
    "PERCENT": "0.00%", "CURRENCY": '"$"#,##0.00', "DATE": "yyyy-mm-dd", "TIME": "h:mm:ss", "TEXT": "@",
    "DATE_TIME": "yyyy-mm-dd h:mm:ss", "NUMBER": "#,##0.00", "SCIENTIFIC": "0.00E+00",
}  # fmt: skip
"""What a number format is that names only its kind."""


def parse_cell(cell: Mapping[str, Any]) -> Scalar:
    """What is written to get the value of a cell; None for no value."""
    value = cell.get("userEnteredValue") or {}
    if "formulaValue" in value:
        return str(value["formulaValue"])
    if "stringValue" in value:
        return to_literal(str(value["stringValue"]))
    cell_value: Scalar = value.get("numberValue", value.get("boolValue"))
    return cell_value


def change_of(look: Mapping[str, Any]) -> engine.Change:
    """The look of cells, of a CellFormat; what it does not say stays.

    Raises:
        Problem: a word of it is none.
    """
    font = look.get("textFormat") or {}
    number = look.get("numberFormat") or {}
    across, up = look.get("horizontalAlignment"), look.get("verticalAlignment")
    wrap = look.get("wrapStrategy")
    return engine.Change(
        number_format=number.get("pattern") or _KINDS.get(number.get("type", "")),
        bold=font.get("bold"),
        italic=font.get("italic"),
        strike=font.get("strikethrough"),
        underline=None if "underline" not in font else "single" if font["underline"] else "none",
        font_size=font.get("fontSize"),
        font_name=font.get("fontFamily"),
        font_color=_to_rgb((font.get("foregroundColorStyle") or {}).get("rgbColor") or font.get("foregroundColor")),
        fill_color=_to_rgb((look.get("backgroundColorStyle") or {}).get("rgbColor") or look.get("backgroundColor")),
        horizontal=across.lower() if across else None,
        vertical=_translate_word(_VERTICAL, up) if up else None,
        wrap=None if wrap is None else wrap == "WRAP",
    )


def border_of(line: Mapping[str, Any], side: str) -> engine.Change:
    """One side of cells.

    Raises:
        Problem: there is no such line.
    """
    color = _to_rgb((line.get("colorStyle") or {}).get("rgbColor") or line.get("color"))
    return engine.Change(border=_translate_word(_LINES, line.get("style", "SOLID")), border_color=color, sides=(side,))


def _translate_word(known: Mapping[str, str], word: str) -> str:
    if word not in known:
        raise Problem(f"{word!r} is not valid; use {', '.join(known)}")
    return known[word]


def _to_rgb(parts: Mapping[str, float] | None) -> str | None:
    """RRGGBB of red, green and blue from 0 to 1; what is left out is 0."""
    if parts is None:
        return None
    shares = [float(parts.get(name, 0)) for name in ("red", "green", "blue")]
    if not all(0 <= share <= 1 for share in shares):
        raise Problem(f"{dict(parts)} is not a valid colour; red, green and blue go from 0 to 1")
    return "".join(f"{round(share * 255):02X}" for share in shares)
