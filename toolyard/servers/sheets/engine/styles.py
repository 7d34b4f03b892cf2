"""The styles part: number formats by cell style, and new cell styles derived from old ones."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from toolyard.servers.ooxml.xml import serialized
from toolyard.servers.sheets.engine.values import is_date_format
from toolyard.servers.sheets.engine.xml import child, parse, tag

# ECMA-376 part 1, 18.8.30: formats that need no entry.
_BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm", 37: "#,##0 ;(#,##0)", 38: "#,##0 ;[Red](#,##0)",
    39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;[Red](#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0",
    48: "##0.0E+0", 49: "@",
}  # fmt: skip
_FIRST_CUSTOM = 164
_ORDER = (
    "numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs", "tableStyles", "colors",
    "extLst",
)  # fmt: skip
_FONT_ORDER = (
    "b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name", "family",
    "charset", "scheme",
)  # fmt: skip
MINIMAL = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    b'<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>'
    b'<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    b'</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    b'<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    b'<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>'
    b'<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


@dataclass(frozen=True)
class Change:
    """What to change of a cell's style; None leaves a property as it is. Colours are RRGGBB."""

    number_format: str | None = None
    bold: bool | None = None
    italic: bool | None = None
    font_color: str | None = None
    font_size: float | None = None
    fill_color: str | None = None
    horizontal: str | None = None
    vertical: str | None = None
    wrap: bool | None = None
    border: str | None = None


class Styles:
    """The cell styles of a workbook by their index in ``cellXfs``."""

    def __init__(self, data: bytes) -> None:
        self._root = parse(data, "styles")
        self._codes = dict(_BUILT_IN)
        for entry in self._root.iterfind(f"{tag('numFmts')}/{tag('numFmt')}"):
            self._codes[int(entry.get("numFmtId", "0"))] = entry.get("formatCode", "General")
        self._xfs = child(self._root, "cellXfs", _ORDER)
        self._formats = [self._codes.get(int(xf.get("numFmtId", "0")), "General") for xf in self._xfs]
        self._dates = [is_date_format(code) for code in self._formats]
        self._made: dict[tuple[int, Change], int] = {}
        self.changed = False

    def number_format(self, style: int) -> str:
        return self._formats[style] if 0 <= style < len(self._formats) else "General"

    def is_date(self, style: int) -> bool:
        return self._dates[style] if 0 <= style < len(self._dates) else False

    def data(self) -> bytes:
        return serialized(self._root)

    def derived(self, style: int, change: Change) -> int:
        """The index of the style that is `style` with `change`; made where there is none."""
        key = (style, change)
        if key not in self._made:
            self._made[key] = self._add(style, change)
        return self._made[key]

    def _add(self, style: int, change: Change) -> int:
        base = self._xfs[style] if 0 <= style < len(self._xfs) else self._xfs[0]
        xf = copy.deepcopy(base)
        if change.number_format is not None:
            xf.set("numFmtId", str(self._format_id(change.number_format)))
            xf.set("applyNumberFormat", "1")
        self._set_font(xf, change)
        self._set_fill(xf, change)
        self._set_border(xf, change)
        _set_alignment(xf, change)
        for index, other in enumerate(self._xfs):
            if _same(other, xf):
                return index
        return self._append("cellXfs", xf, self.formats_of(xf))

    def formats_of(self, xf: Any) -> str:
        return self._codes.get(int(xf.get("numFmtId", "0")), "General")

    def _append(self, name: str, element: Any, code: str = "") -> int:
        """The index of `element` in the list `name`, added at its end."""
        self.changed = True
        parent = child(self._root, name, _ORDER)
        parent.append(element)
        parent.set("count", str(len(parent)))
        if name == "cellXfs":
            self._formats.append(code)
            self._dates.append(is_date_format(code))
        return len(parent) - 1

    def _format_id(self, code: str) -> int:
        for number, known in self._codes.items():
            if known == code:
                return number
        number = max(_FIRST_CUSTOM - 1, *self._codes) + 1
        from lxml import etree

        self._append("numFmts", etree.Element(tag("numFmt"), numFmtId=str(number), formatCode=code))
        self._codes[number] = code
        return number

    def _set_font(self, xf: Any, change: Change) -> None:
        wanted = {
            "b": change.bold,
            "i": change.italic,
            "color": change.font_color and {"rgb": f"FF{change.font_color}"},
            "sz": change.font_size and {"val": f"{change.font_size:g}"},
        }
        if all(value is None for value in wanted.values()):
            return
        font = copy.deepcopy(self._nth("fonts", int(xf.get("fontId", "0")), "font"))
        for name, value in wanted.items():
            _set_property(font, name, value)
        xf.set("fontId", str(self._shared("fonts", font)))
        xf.set("applyFont", "1")

    def _set_fill(self, xf: Any, change: Change) -> None:
        if change.fill_color is None:
            return
        from lxml import etree

        fill = etree.Element(tag("fill"))
        if change.fill_color == "none":
            etree.SubElement(fill, tag("patternFill"), patternType="none")
        else:
            pattern = etree.SubElement(fill, tag("patternFill"), patternType="solid")
            etree.SubElement(pattern, tag("fgColor"), rgb=f"FF{change.fill_color}")
            etree.SubElement(pattern, tag("bgColor"), indexed="64")
        xf.set("fillId", str(self._shared("fills", fill)))
        xf.set("applyFill", "1")

    def _set_border(self, xf: Any, change: Change) -> None:
        if change.border is None:
            return
        from lxml import etree

        border = etree.Element(tag("border"))
        for side in ("left", "right", "top", "bottom", "diagonal"):
            line = etree.SubElement(border, tag(side))
            if change.border != "none" and side != "diagonal":
                line.set("style", change.border)
                etree.SubElement(line, tag("color"), auto="1")
        xf.set("borderId", str(self._shared("borders", border)))
        xf.set("applyBorder", "1")

    def _nth(self, name: str, index: int, item: str) -> Any:
        parent = child(self._root, name, _ORDER)
        if index < len(parent):
            return parent[index]
        from lxml import etree

        return etree.Element(tag(item))

    def _shared(self, name: str, element: Any) -> int:
        for index, other in enumerate(child(self._root, name, _ORDER)):
            if _same(other, element):
                return index
        return self._append(name, element)


def _set_property(font: Any, name: str, value: object) -> None:
    if value is None:
        return
    for old in font.findall(tag(name)):
        font.remove(old)
    if value:
        made = child(font, name, _FONT_ORDER)
        for key, text in value.items() if isinstance(value, dict) else ():
            made.set(key, text)


def _set_alignment(xf: Any, change: Change) -> None:
    wanted = {
        "horizontal": change.horizontal,
        "vertical": change.vertical,
        "wrapText": None if change.wrap is None else str(int(change.wrap)),
    }
    if all(value is None for value in wanted.values()):
        return
    alignment = child(xf, "alignment", ("alignment", "protection", "extLst"))
    for name, value in wanted.items():
        if value is not None:
            alignment.set(name, value)
    xf.set("applyAlignment", "1")


def _same(one: Any, other: Any) -> bool:
    if one.tag != other.tag or dict(one.attrib) != dict(other.attrib) or len(one) != len(other):
        return False
    return all(_same(a, b) for a, b in zip(one, other, strict=True))
