"""The styles part: number formats by cell style, and new cell styles derived from old ones."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from yardkit.kit.ooxml.xml import serialize_part
from yardkit.servers.sheets.engine.notation.values import is_date_format
from yardkit.servers.sheets.engine.package.xml import ensure_child, parse_part, qualify_tag
from yardkit.world import Problem

# ECMA-376 part 1, 18.8.30: formats that need no entry.
_BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm", 37: "#,##0 ;(#,##0)", 38: "#,##0 ;[Red](#,##0)",
    39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;[Red](#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0",
    48: "##0.0E+0", 49: "@",
}  # fmt: skip
_FIRST_CUSTOM = 164
_LARGE = 12.5  # Points; up to there a font fits into a row of 15 points.
_CHILD_ORDER = (
    "numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs", "tableStyles", "colors",
    "extLst",
)  # fmt: skip
_FONT_ORDER = (
    "b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name", "family",
    "charset", "scheme",
)  # fmt: skip
_SIDES = ("start", "end", "left", "right", "top", "bottom", "diagonal", "vertical", "horizontal")
_UNDERLINES: dict[str, object] = {"none": False, "single": {"val": "single"}, "double": {"val": "double"}}
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
    sides: tuple[str, ...] = ("left", "right", "top", "bottom")
    border_color: str | None = None
    font_name: str | None = None
    underline: str | None = None
    strike: bool | None = None
    indent: int | None = None
    rotation: int | None = None
    shrink: bool | None = None
    style: str | None = None
    locked: bool | None = None
    hide_formula: bool | None = None


NAMED: dict[str, tuple[int, Change]] = {
    "Good": (26, Change(font_color="006100", fill_color="C6EFCE")),
    "Bad": (27, Change(font_color="9C0006", fill_color="FFC7CE")),
    "Neutral": (28, Change(font_color="9C6500", fill_color="FFEB9C")),
    "Input": (20, Change(font_color="3F3F76", fill_color="FFCC99", border="thin", border_color="7F7F7F")),
    "Output": (21, Change(bold=True, font_color="3F3F3F", fill_color="F2F2F2", border="thin", border_color="3F3F3F")),
    "Note": (10, Change(fill_color="FFFFCC", border="thin", border_color="B2B2B2")),
    "Title": (15, Change(bold=True, font_size=18, font_color="1F497D")),
    "Heading 1": (
        16,
        Change(bold=True, font_size=15, font_color="1F497D", border="thick", sides=("bottom",), border_color="4F81BD"),
    ),
    "Heading 2": (
        17,
        Change(bold=True, font_size=13, font_color="1F497D", border="thick", sides=("bottom",), border_color="A7BFDE"),
    ),
    "Total": (25, Change(bold=True, border="double", sides=("bottom",), border_color="4F81BD")),
    "Percent": (5, Change(number_format="0%")),
    "Comma": (3, Change(number_format="#,##0.00")),
    "Warning Text": (11, Change(font_color="FF0000")),
}
"""Excel's own cell styles by name: number and look."""


class Styles:
    """The cell styles of a workbook by their index in ``cellXfs``."""

    def __init__(self, data: bytes) -> None:
        self._root = parse_part(data, "styles")
        self._codes = dict(_BUILT_IN)
        for entry in self._root.iterfind(f"{qualify_tag('numFmts')}/{qualify_tag('numFmt')}"):
            self._codes[int(entry.get("numFmtId", "0"))] = entry.get("formatCode", "General")
        self._xfs = ensure_child(self._root, "cellXfs", _CHILD_ORDER)
        self._formats = [self._codes.get(int(xf.get("numFmtId", "0")), "General") for xf in self._xfs]
        self._dates = [is_date_format(code) for code in self._formats]
        self._made: dict[tuple[int, Change], int] = {}
        self.changed = False

    def number_format(self, style: int) -> str:
        return self._formats[style] if 0 <= style < len(self._formats) else "General"

    def count(self) -> int:
        """How many styles there are."""
        return len(self._dates)

    def is_date(self, style: int) -> bool:
        return self._dates[style] if 0 <= style < len(self._dates) else False

    def list_wrapping(self) -> set[int]:
        """The styles that break lines within a cell."""
        aligned = ((style, xf.find(qualify_tag("alignment"))) for style, xf in enumerate(self._xfs))
        return {
            style
            for style, alignment in aligned
            if alignment is not None and alignment.get("wrapText") in ("1", "true")
        }

    def data(self) -> bytes:
        return serialize_part(self._root)

    def derive_style(self, style: int, change: Change) -> int:
        """The index of the style that is `style` with `change`; made where there is none."""
        key = (style, change)
        if key not in self._made:
            self._made[key] = self._add_style(style, change)
        return self._made[key]

    def _add_style(self, style: int, change: Change) -> int:
        base = self._xfs[style] if 0 <= style < len(self._xfs) else self._xfs[0]
        xf = self._ensure_named(change.style) if change.style else copy.deepcopy(base)
        if change.number_format is not None:
            xf.set("numFmtId", str(self._format_id(change.number_format)))
            xf.set("applyNumberFormat", "1")
        self._set_font(xf, change)
        self._set_fill(xf, change)
        self._set_border(xf, change)
        _set_alignment(xf, change)
        _set_protection(xf, change)
        for index, other in enumerate(self._xfs):
            if _is_same_element(other, xf):
                return index
        return self._append_element("cellXfs", xf, self.formats_of(xf))

    def formats_of(self, xf: Any) -> str:
        return self._codes.get(int(xf.get("numFmtId", "0")), "General")

    def _append_element(self, name: str, element: Any, code: str = "") -> int:
        """The index of `element` in the list `name`, added at its end."""
        self.changed = True
        parent = ensure_child(self._root, name, _CHILD_ORDER)
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

        self._append_element("numFmts", etree.Element(qualify_tag("numFmt"), numFmtId=str(number), formatCode=code))
        self._codes[number] = code
        return number

    def _set_font(self, xf: Any, change: Change) -> None:
        font_values = {
            "b": change.bold,
            "i": change.italic,
            "color": change.font_color and {"rgb": f"FF{change.font_color}"},
            "sz": change.font_size and {"val": f"{change.font_size:g}"},
            "name": change.font_name and {"val": change.font_name},
            "strike": change.strike,
            "u": None if change.underline is None else _UNDERLINES[change.underline],
        }
        if all(value is None for value in font_values.values()):
            return
        font = copy.deepcopy(self._get_nth("fonts", int(xf.get("fontId", "0")), "font"))
        for name, value in font_values.items():
            _set_property(font, name, value)
        if change.font_name is not None:
            _set_property(font, "scheme", value=False)  # a font of the theme would win over the name
        xf.set("fontId", str(self._share_element("fonts", font)))
        xf.set("applyFont", "1")

    def _set_fill(self, xf: Any, change: Change) -> None:
        if change.fill_color is None:
            return
        from lxml import etree

        fill = etree.Element(qualify_tag("fill"))
        if change.fill_color == "none":
            etree.SubElement(fill, qualify_tag("patternFill"), patternType="none")
        else:
            pattern = etree.SubElement(fill, qualify_tag("patternFill"), patternType="solid")
            etree.SubElement(pattern, qualify_tag("fgColor"), rgb=f"FF{change.fill_color}")
            etree.SubElement(pattern, qualify_tag("bgColor"), indexed="64")
        xf.set("fillId", str(self._share_element("fills", fill)))
        xf.set("applyFill", "1")

    def _set_border(self, xf: Any, change: Change) -> None:
        if change.border is None:
            return
        from lxml import etree

        border = copy.deepcopy(self._get_nth("borders", int(xf.get("borderId", "0")), "border"))
        for side in change.sides:
            line = ensure_child(border, side, _SIDES)
            line.clear()
            if change.border != "none":
                line.set("style", change.border)
                color = {"rgb": f"FF{change.border_color}"} if change.border_color else {"auto": "1"}
                etree.SubElement(line, qualify_tag("color"), color)
        xf.set("borderId", str(self._share_element("borders", border)))
        xf.set("applyBorder", "1")

    def format_number(self, code: str) -> int:
        """The number by which files know a number format; made where there is none."""
        return self._format_id(code)

    def code_of(self, number: int) -> str:
        """The number format of a number; empty for the general one."""
        return "" if number == 0 else self._codes.get(number, "")

    @property
    def looks(self) -> list[Any]:
        """The partial formats (dxf) that rules and tables use."""
        return list(self._root.iterfind(f"{qualify_tag('dxfs')}/{qualify_tag('dxf')}"))

    def shared_look(self, element: Any) -> int:
        """The index of a partial format (dxf); added where there is none like it."""
        return self._share_element("dxfs", copy.deepcopy(element))

    def look(self, style: int) -> dict[str, Any]:
        """The elements of a style: font, fill, border, alignment, protection; None for those it does not have."""
        xf = self._xfs[style] if 0 <= style < len(self._xfs) else self._xfs[0]
        lists = (("fonts", "fontId", "font"), ("fills", "fillId", "fill"), ("borders", "borderId", "border"))
        style_parts = {name: self._get_nth(names, int(xf.get(key, "0")), name) for names, key, name in lists}
        return style_parts | {name: xf.find(qualify_tag(name)) for name in ("alignment", "protection")}

    def list_palette(self) -> list[str]:
        """The workbook's own indexed colours as RRGGBB, if it has some."""
        entries = self._root.iterfind(
            f"{qualify_tag('colors')}/{qualify_tag('indexedColors')}/{qualify_tag('rgbColor')}"
        )
        return [entry.get("rgb", "000000")[-6:].upper() for entry in entries]

    def font_scale(self, style: int) -> float:
        """How wide the font of a style is, compared with the standard one of 11 points."""
        return self.font_size(style) / 11 * (1.1 if self._get_font(style).find(qualify_tag("b")) is not None else 1.0)

    def font_size(self, style: int) -> float:
        """The size of the font of a style in points."""
        return _get_size_pt(self._get_font(style))

    def large(self) -> set[int]:
        """The styles whose font is higher than the standard row."""
        fonts = {
            index
            for index, font in enumerate(ensure_child(self._root, "fonts", _CHILD_ORDER))
            if _get_size_pt(font) > _LARGE
        }
        return {style for style, xf in enumerate(self._xfs) if int(xf.get("fontId", "0")) in fonts} if fonts else set()

    def _get_font(self, style: int) -> Any:
        xf = self._xfs[style] if 0 <= style < len(self._xfs) else self._xfs[0]
        return self._get_nth("fonts", int(xf.get("fontId", "0")), "font")

    def map_named(self) -> dict[str, int]:
        """Named cell styles -> their index in ``cellStyleXfs``."""
        entries = self._root.iterfind(f"{qualify_tag('cellStyles')}/{qualify_tag('cellStyle')}")
        return {entry.get("name", ""): int(entry.get("xfId", "0")) for entry in entries}

    def protection(self, style: int) -> bool:
        """Whether cells of this style are locked once their sheet is protected."""
        xf = self._xfs[style] if 0 <= style < len(self._xfs) else None
        entry = None if xf is None else xf.find(qualify_tag("protection"))
        return entry is None or entry.get("locked", "1") in ("1", "true")

    def _ensure_named(self, name: str) -> Any:
        """The cell format that the named style gives; Excel's own are made where the workbook lacks them."""
        known = {text.casefold(): text for text in self.map_named()}
        if name.casefold() not in known:
            self._make_named(name)
            known[name.casefold()] = next(text for text in self.map_named() if text.casefold() == name.casefold())
        index = self.map_named()[known[name.casefold()]]
        xf = copy.deepcopy(self._get_nth("cellStyleXfs", index, "xf"))
        xf.set("xfId", str(index))
        return xf

    def _make_named(self, name: str) -> None:
        from lxml import etree

        built_in = next((text for text in NAMED if text.casefold() == name.casefold()), None)
        if built_in is None:
            known = ", ".join(sorted({*self.map_named(), *NAMED}))
            raise Problem(f"the cell style {name!r} does not exist; the workbook has {known}")
        number, change = NAMED[built_in]
        xf = copy.deepcopy(self._get_nth("cellStyleXfs", 0, "xf"))
        self._set_font(xf, change)
        self._set_fill(xf, change)
        self._set_border(xf, change)
        if change.number_format:
            xf.set("numFmtId", str(self._format_id(change.number_format)))
        index = self._append_element("cellStyleXfs", xf)
        entry = etree.Element(qualify_tag("cellStyle"), name=built_in, xfId=str(index), builtinId=str(number))
        self._append_element("cellStyles", entry)

    def _get_nth(self, name: str, index: int, item: str) -> Any:
        parent = ensure_child(self._root, name, _CHILD_ORDER)
        if index < len(parent):
            return parent[index]
        from lxml import etree

        return etree.Element(qualify_tag(item))

    def _share_element(self, name: str, element: Any) -> int:
        for index, other in enumerate(ensure_child(self._root, name, _CHILD_ORDER)):
            if _is_same_element(other, element):
                return index
        return self._append_element(name, element)


def _set_property(font: Any, name: str, value: object) -> None:
    if value is None:
        return
    for old in font.findall(qualify_tag(name)):
        font.remove(old)
    if value:
        font_child = ensure_child(font, name, _FONT_ORDER)
        for key, text in value.items() if isinstance(value, dict) else ():
            font_child.set(key, text)


def _get_size_pt(font: Any) -> float:
    size = font.find(qualify_tag("sz"))
    return float(size.get("val", "11")) if size is not None else 11.0


def _set_alignment(xf: Any, change: Change) -> None:
    alignment_values = {
        "horizontal": change.horizontal,
        "vertical": change.vertical,
        "wrapText": None if change.wrap is None else str(int(change.wrap)),
        "indent": None if change.indent is None else str(change.indent),
        "textRotation": None if change.rotation is None else str(_to_stored_rotation(change.rotation)),
        "shrinkToFit": None if change.shrink is None else str(int(change.shrink)),
    }
    if all(value is None for value in alignment_values.values()):
        return
    alignment = ensure_child(xf, "alignment", ("alignment", "protection", "extLst"))
    for name, value in alignment_values.items():
        if value is not None:
            alignment.set(name, value)
    if change.indent and alignment.get("horizontal", "general") == "general":
        alignment.set("horizontal", "left")  # As Excel does; it indents no cell that is aligned by its value.
    xf.set("applyAlignment", "1")


def _set_protection(xf: Any, change: Change) -> None:
    for name, value in (("locked", change.locked), ("hidden", change.hide_formula)):
        if value is not None:
            ensure_child(xf, "protection", ("protection", "extLst")).set(name, str(int(value)))
            xf.set("applyProtection", "1")


def _to_stored_rotation(degrees: int) -> int:
    """Degrees as files store them: downward ones count on from 90, 255 is stacked text."""
    return degrees if degrees >= 0 else 90 - degrees


def _is_same_element(first: Any, other: Any) -> bool:
    if first.tag != other.tag or dict(first.attrib) != dict(other.attrib) or len(first) != len(other):
        return False
    return all(_is_same_element(a, b) for a, b in zip(first, other, strict=True))
