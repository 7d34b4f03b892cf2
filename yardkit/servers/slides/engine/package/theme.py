"""The theme of a deck and what comes from it: resolved colours, fonts, text properties inherited level by level."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from typing import Any

from yardkit.kit.ooxml.xml import parse_part
from yardkit.servers.slides.engine.package.shape_tree import (
    A,
    P,
    find_placeholder,
    get_placeholder_number,
    same_kind,
    text_body,
)
from yardkit.servers.slides.engine.package.units import THEME_COLORS

SLOTS = dict(zip(THEME_COLORS, ("dk1", "lt1", "dk2", "lt2", *THEME_COLORS[4:10], "hlink", "folHlink"), strict=True))
_THEME = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme"
_DEFAULT_COLOR_MAP = {"tx1": "dk1", "bg1": "lt1", "tx2": "dk2", "bg2": "lt2"}


def theme_part(master: Any) -> Any:
    """The part that holds the theme of a slide master."""
    return master.part.part_related_by(_THEME)


def theme_root(master: Any) -> Any:
    part = theme_part(master)
    return parse_part(part.blob, str(part.partname))


def theme_colors(root: Any) -> dict[str, str]:
    """Slot (dk1 ... folHlink) -> RRGGBB."""
    scheme = root.find(f".//{A}clrScheme")
    colors = {}
    for slot in [] if scheme is None else scheme:
        value = slot[0] if len(slot) else None
        if value is not None:
            colors[slot.tag.rsplit("}", 1)[-1]] = str(value.get("lastClr") or value.get("val") or "000000").upper()
    return colors


def theme_fonts(root: Any) -> tuple[str, str]:
    """The fonts of headings and of text."""
    names = [root.find(f".//{A}{kind}Font/{A}latin") for kind in ("major", "minor")]
    heading, body = ("" if name is None else str(name.get("typeface", "")) for name in names)
    return heading, body


class Look:
    """What a slide inherits: resolves theme colours and fonts for one slide, layout or master."""

    def __init__(self, slide: Any) -> None:
        self.slide = slide
        self.layout = getattr(slide, "slide_layout", None)
        self.master = self.layout.slide_master if self.layout is not None else getattr(slide, "slide_master", slide)
        root = theme_root(self.master)
        self.colors = theme_colors(root)
        self.fonts = theme_fonts(root)
        self.map = self._color_map()
        self._ancestors: dict[Any, list[Any]] = {}

    def _color_map(self) -> dict[str, str]:
        color_map = dict(_DEFAULT_COLOR_MAP)
        own = self.master._element.find(f"{P}clrMap")
        color_map |= {} if own is None else dict(own.attrib)
        for page in (self.layout, self.slide):
            override = None if page is None else page._element.find(f"{P}clrMapOvr/{A}overrideClrMapping")
            color_map |= {} if override is None else dict(override.attrib)
        return color_map

    def color(self, holder: Any, inherited: str = "") -> str | None:
        """RRGGBB of the colour element in `holder` (`a:solidFill` and the like); None where it is not known."""
        for element in [] if holder is None else holder:
            tag = element.tag.rsplit("}", 1)[-1]
            value = element.get("val", "")
            if tag == "srgbClr":
                return _modify_color(value.upper(), element)
            if tag == "sysClr":
                return _modify_color(str(element.get("lastClr", "000000")).upper(), element)
            if tag == "schemeClr" and value == "phClr":
                return _modify_color(inherited, element) if inherited else None
            if tag == "schemeClr":
                base = self.colors.get(self.map.get(value, value))
                return None if base is None else _modify_color(base, element)
        return None

    def font(self, name: str) -> str:
        """A font name with the theme's +mj-lt and +mn-lt replaced."""
        return {"+mj-lt": self.fonts[0], "+mn-lt": self.fonts[1]}.get(name, name)

    def levels(self, shape: Any, level: int) -> Iterator[Any]:
        """The paragraph properties that a level inherits, nearest first."""
        tag = f"{A}lvl{level + 1}pPr"
        body = text_body(shape)
        styles = [None if body is None else body.find(f"{A}lstStyle")]
        styles += [body.find(f"{A}lstStyle") for body in map(text_body, self.list_ancestors(shape)) if body is not None]
        styles.append(self._master_style(shape))
        styles.append(self._default_style())
        for style in styles:
            level_style = None if style is None else style.find(tag)
            if level_style is not None:
                yield level_style

    def list_ancestors(self, shape: Any) -> list[Any]:
        """The placeholders of layout and master that a placeholder inherits from, nearest first."""
        if shape._element not in self._ancestors:
            self._ancestors[shape._element] = self._list_inherited(shape)
        return self._ancestors[shape._element]

    def _list_inherited(self, shape: Any) -> list[Any]:
        ph = find_placeholder(shape)
        if ph is None:
            return []
        inherited_styles = []
        if self.layout is not None:
            matching_placeholders = [
                candidate
                for candidate in self.layout.placeholders
                if get_placeholder_number(candidate) == get_placeholder_number(shape)
            ]
            inherited_styles += (
                [same_kind(matching_placeholders, shape)] if matching_placeholders else _of_type(self.layout, ph)
            )
        kind = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}.get(ph.get("type", "obj"), ph.get("type"))
        if self.master is not self.slide:
            matching_placeholders = [
                candidate
                for candidate in self.master.placeholders
                if find_placeholder(candidate).get("type", "obj") == kind
            ]
            inherited_styles += matching_placeholders[:1]
        return inherited_styles

    def _master_style(self, shape: Any) -> Any:
        ph = find_placeholder(shape)
        kind = None if ph is None else ph.get("type", "obj")
        name = "titleStyle" if kind in ("title", "ctrTitle") else "bodyStyle"
        name = "otherStyle" if kind in (None, "dt", "ftr", "sldNum") else name
        return self.master._element.find(f"{P}txStyles/{P}{name}")

    def _default_style(self) -> Any:
        presentation = self.slide.part.package.main_document_part._element
        return presentation.find(f"{P}defaultTextStyle")

    def background(self) -> str | None:
        """RRGGBB of the slide's background; None for a picture or what is not known."""
        for page in (self.slide, self.layout, self.master):
            background_element = None if page is None else page._element.find(f"{P}cSld/{P}bg")
            if background_element is not None:
                return self._background_of(background_element)
        return "FFFFFF"

    def _background_of(self, background_element: Any) -> str | None:
        properties = background_element.find(f"{P}bgPr")
        if properties is None:
            return self.color(
                background_element.find(f"{P}bgRef")
                if background_element.find(f"{P}bgRef") is not None
                else background_element
            )
        return self.fill(properties)

    def fill(self, properties: Any) -> str | None:
        """RRGGBB of a solid fill, or the middle of a gradient; None where there is none that is known."""
        solid = properties.find(f"{A}solidFill")
        if solid is not None:
            return self.color(solid)
        stops = [self.color(stop) for stop in properties.iterfind(f"{A}gradFill/{A}gsLst/{A}gs")]
        known = [stop for stop in stops if stop]
        return mix_colors(known) if known else None


def mix_colors(colors: list[str]) -> str:
    channels = zip(*([int(color[at : at + 2], 16) for at in (0, 2, 4)] for color in colors), strict=True)
    return "".join(f"{round(sum(channel) / len(colors)):02X}" for channel in channels)


def _of_type(layout: Any, ph: Any) -> list[Any]:
    """The placeholder of a layout that is its only one of a type, such as the title."""
    if ph.get("type") not in ("dt", "ftr", "sldNum", "title", "ctrTitle"):
        return []
    return [
        candidate for candidate in layout.placeholders if find_placeholder(candidate).get("type") == ph.get("type")
    ][:1]


def _modify_color(base: str, element: Any) -> str:
    """The colour after lumMod, lumOff, tint and shade (ECMA-376 20.1.2.3)."""
    red, green, blue = (int(base[at : at + 2], 16) / 255 for at in (0, 2, 4))
    for change in element:
        amount = int(change.get("val", "100000")) / 100_000
        tag = change.tag.rsplit("}", 1)[-1]
        if tag in ("lumMod", "lumOff"):
            hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
            light = min(max(light * amount if tag == "lumMod" else light + amount, 0), 1)
            red, green, blue = colorsys.hls_to_rgb(hue, light, saturation)
        elif tag == "tint":
            red, green, blue = (value * amount + 1 - amount for value in (red, green, blue))
        elif tag == "shade":
            red, green, blue = (value * amount for value in (red, green, blue))
    return "".join(f"{round(min(max(value, 0), 1) * 255):02X}" for value in (red, green, blue))
