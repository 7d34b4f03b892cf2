"""What the formats of cells say, in words; what is Excel's default is not said, and colours are RRGGBB."""

from __future__ import annotations

import colorsys
import re
from functools import cached_property
from typing import Any

from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import parse_part, qualify_tag
from yardkit.world import Problem

_THEME_ORDER = (
    "lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink", "folHlink",
)  # fmt: skip
_OFFICE_THEME = (
    "FFFFFF", "000000", "EEECE1", "1F497D", "4F81BD", "C0504D", "9BBB59", "8064A2", "4BACC6", "F79646", "0000FF",
    "800080",
)  # fmt: skip
"""Of a workbook without a theme."""
_PALETTE = (
    "000000", "FFFFFF", "FF0000", "00FF00", "0000FF", "FFFF00", "FF00FF", "00FFFF", "800000", "008000",
    "000080", "808000", "800080", "008080", "C0C0C0", "808080", "9999FF", "993366", "FFFFCC", "CCFFFF",
    "660066", "FF8080", "0066CC", "CCCCFF", "000080", "FF00FF", "FFFF00", "00FFFF", "800080", "800000",
    "008080", "0000FF", "00CCFF", "CCFFFF", "CCFFCC", "FFFF99", "99CCFF", "FF99CC", "CC99FF", "FFCC99",
    "3366FF", "33CCCC", "99CC00", "FFCC00", "FF9900", "FF6600", "666699", "969696", "003366", "339966",
    "003300", "333300", "993300", "993366", "333399", "333333",
)  # fmt: skip
"""ECMA-376 part 1, 18.8.27: the colours 8 to 63; the first eight are also those from 0 on."""
_CODE = re.compile(r'"([^"]*)"?|\\(.)|([_*].|\[[^\]]*\]|.)', re.DOTALL)
_LITERAL_SIGNS = frozenset("-$+/():!^&'~{}<>= ")
"""Signs that mean themselves in number formats, with and without a backslash (18.8.31)."""
_ON = ("1", "true")
_BORDER_SIDES = {"left": "start", "right": "end", "top": "top", "bottom": "bottom"}
"""Sides by the names that they have in files of two kinds."""
_STACKED = 255


class CellFormats:
    """The formats of a workbook's cells by their style."""

    def __init__(self, book: Workbook) -> None:
        self._book, self._said = book, dict[int, dict[str, str]]()

    def describe_style(self, style: int) -> dict[str, str]:
        """What a style says: words by what they are about, such as ``{"bold": "bold", "fill": "fill FFFF00"}``."""
        if style not in self._said:
            try:
                self._said[style] = {key: words for key, words in self._list_descriptions(style) if words}
            except ValueError as error:
                raise Problem(f"the styles of the workbook are damaged ({error})") from error
        return self._said[style]

    def words(self, style: int) -> str:
        """All of a style but its number format, and the font and size where they are those of cells without a style."""
        usual = self.describe_style(0)
        style_values = self.describe_style(style).items()
        left_out = {
            "number format",
            *(key for key in ("font", "size") if usual.get(key) == self.describe_style(style).get(key)),
        }
        return "; ".join(words for key, words in style_values if key not in left_out)

    def seen_empty(self, style: int) -> bool:
        """Whether a cell of the style is seen though nothing stands in it."""
        return not {"fill", "border"}.isdisjoint(self.describe_style(style))

    def _list_descriptions(self, style: int) -> list[tuple[str, str]]:
        look = self._book.styles.look(style)
        code = usual_code(self._book.styles.number_format(style))
        align = {} if look["alignment"] is None else look["alignment"].attrib
        return [
            ("number format", "" if code.casefold() == "general" else code),
            *self._describe_font(look["font"]),
            ("fill", self._describe_fill(look["fill"])),
            ("border", self._describe_border(look["border"])),
            *_describe_alignment(align),
            *_describe_protection(look["protection"]),
        ]

    def _describe_font(self, font: Any) -> list[tuple[str, str]]:
        if font is None:
            return []
        valued = {str(setting.tag).rpartition("}")[2]: setting.get("val", "1") for setting in font}
        color = self.color(font.find(qualify_tag("color")))
        underline = valued.get("u", "none").replace("1", "single")
        raised = valued.get("vertAlign", "baseline")
        return [
            ("font", f"font {valued['name']}" if "name" in valued else ""),
            ("size", f"size {float(valued['sz']):g}" if "sz" in valued else ""),
            *((name, name if valued.get(key, "0") in _ON else "") for key, name in _FONT_SWITCHES),
            ("underline", "" if underline == "none" else f"underline {underline}"),
            ("raised", "" if raised == "baseline" else raised),
            ("color", f"color {color}" if color and color != "000000" else ""),
        ]

    def _describe_fill(self, fill: Any) -> str:
        if fill is None or not len(fill):
            return ""
        [kind] = fill[:1]
        if kind.tag == qualify_tag("gradientFill"):
            return (
                f"fill from {' to '.join(self.color(color) or '000000' for color in kind.iter(qualify_tag('color')))}"
            )
        pattern = kind.get("patternType", "none")
        front, back = (self.color(kind.find(qualify_tag(name))) for name in ("fgColor", "bgColor"))
        if pattern in ("none", "solid"):
            return "" if pattern == "none" else f"fill {front or '000000'}"
        return f"fill {pattern} {front or '000000'} on {back or 'FFFFFF'}"

    def _describe_border(self, border: Any) -> str:
        if border is None:
            return ""
        sides = {name: self._describe_side(_find_first(border, name, other)) for name, other in _BORDER_SIDES.items()}
        slants = [
            name for key, name in (("diagonalUp", "rising"), ("diagonalDown", "falling")) if border.get(key) in _ON
        ]
        slant = self._describe_side(border.find(qualify_tag("diagonal"))) if slants else ""
        if len(set(sides.values())) == 1:
            border_sides = [sides["left"]]
        else:
            border_sides = [f"{name} {line}" for name, line in sides.items() if line]
        border_sides += [f"{name} {slant}" for name in slants if slant]
        border_text = ", ".join(filter(None, border_sides))
        return f"border {border_text}" if border_text else ""

    def _describe_side(self, side: Any) -> str:
        line = "none" if side is None else side.get("style", "none")
        color = None if side is None else self.color(side.find(qualify_tag("color")))
        return "" if line == "none" else line if color in (None, "000000") else f"{line} {color}"

    def color(self, element: Any) -> str | None:
        """What an element says of a colour, as RRGGBB; None for the automatic one, and for what is none."""
        try:
            return self._resolve_color(element)
        except ValueError:
            return None

    def _resolve_color(self, element: Any) -> str | None:
        if element is None or element.get("auto") in _ON:
            return None
        if element.get("rgb"):
            return str(element.get("rgb"))[-6:].upper()
        if element.get("theme"):
            number = int(element.get("theme"))
            color = self._theme[number] if 0 <= number < len(self._theme) else "000000"
            return _tint_color(color, float(element.get("tint", "0")))
        number = int(element.get("indexed", "64"))
        return self._palette[number] if 0 <= number < len(self._palette) else None

    @cached_property
    def _palette(self) -> list[str]:
        own = self._book.styles.list_palette()
        return own or [*_PALETTE[:8], *_PALETTE]

    @cached_property
    def _theme(self) -> tuple[str, ...]:
        part = self._book.theme_part
        if part is None:
            return _OFFICE_THEME
        scheme = parse_part(self._book.package.read(part), part).find(".//{*}clrScheme")
        if scheme is None:
            return _OFFICE_THEME
        colors = {str(entry.tag).rpartition("}")[2]: entry[0] for entry in scheme if len(entry)}
        theme_colors = ((name, colors.get(name)) for name in _THEME_ORDER)
        return tuple(
            usual if color is None else str(color.get("lastClr") or color.get("val") or usual).upper()
            for (_, color), usual in zip(theme_colors, _OFFICE_THEME, strict=True)
        )


_FONT_SWITCHES = (
    ("b", "bold"),
    ("i", "italic"),
    ("strike", "struck out"),
    ("outline", "outline"),
    ("shadow", "shadow"),
)


def usual_code(code: str) -> str:
    """A number format with its texts in quotes, however they are written, and names of colours in small letters."""
    pieces: list[str] = []
    for quoted, escaped, other in _CODE.findall(code):
        pieces += [sign if sign in _LITERAL_SIGNS else f'"{sign}"' for sign in quoted or escaped]
        pieces.append(other.lower() if other[:1] == "[" else other)
    return "".join(pieces).replace('""', "")


def _find_first(element: Any, *names: str) -> Any:
    return next(
        (child_element for name in names if (child_element := element.find(qualify_tag(name))) is not None), None
    )


def _describe_alignment(given: Any) -> list[tuple[str, str]]:
    horizontal, vertical = given.get("horizontal", "general"), given.get("vertical", "bottom")
    turned = int(given.get("textRotation", "0"))
    degrees = "stacked" if turned == _STACKED else f"turned {turned if turned <= 90 else 90 - turned}°"
    indent = given.get("indent", "0")
    return [
        ("align", "" if horizontal == "general" else f"align {horizontal}"),
        ("vertical", "" if vertical == "bottom" else f"vertical {vertical}"),
        ("wrap", "wrap" if given.get("wrapText") in _ON else ""),
        ("indent", "" if indent == "0" else f"indent {indent}"),
        ("turned", degrees if turned else ""),
        ("shrink", "shrink to fit" if given.get("shrinkToFit") in _ON else ""),
    ]


def _describe_protection(given: Any) -> list[tuple[str, str]]:
    attributes = {} if given is None else given.attrib
    return [
        ("locked", "" if attributes.get("locked", "1") in _ON else "unlocked"),
        ("formula", "formula hidden" if attributes.get("hidden") in _ON else ""),
    ]


def _tint_color(color: str, tint: float) -> str:
    """A colour made darker (below 0) or lighter, as 18.8.19 says: by its lightness."""
    if not tint:
        return color
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    return "".join(f"{round(part * 255):02X}" for part in colorsys.hls_to_rgb(hue, light, saturation))
