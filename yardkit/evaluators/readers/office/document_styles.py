"""Effective formats of Word documents: direct, by character style, by paragraph style, by default."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from yardkit.evaluators.readers.office.packages import Parts

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFF_VALUES = {"0", "false", "off", "none"}
_TWIPS_PER_MM = 1440 / 25.4
_HEADING = re.compile(r"heading (\d)$", re.I)


def qualify_word_name(name: str) -> str:
    """Return the qualified name of the tag or attribute ``w:name``."""
    return f"{{{W}}}{name}"


def read_attribute(element: Any, path: str, attribute: str = "val") -> str | None:
    """Read the attribute ``w:val`` (or another) of the child at ``w:path``; None if it is missing."""
    child = element.find("/".join(qualify_word_name(step) for step in path.split("/"))) if element is not None else None
    return None if child is None else child.get(qualify_word_name(attribute))


def is_on(element: Any, path: str) -> bool:
    """Whether the switch at ``w:path`` is present and not turned off."""
    child = element.find("/".join(qualify_word_name(step) for step in path.split("/")))
    return child is not None and child.get(qualify_word_name("val"), "1") not in _OFF_VALUES


@dataclass(frozen=True)
class Look:
    """The look of a run of text, including styles and defaults. `color` is RRGGBB, empty for automatic."""

    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    font: str = ""
    size_pt: float = 10.0
    color: str = ""
    highlight: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class Styles:
    """The styles and lists of a document."""

    by_id: Mapping[str, Any] = field(repr=False)
    defaults: Any = field(repr=False)
    default_paragraph: str = ""
    lists: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    theme_fonts: Mapping[str, str] = field(default_factory=dict)

    def name(self, style_id: str | None) -> str:
        """Return the name of a style as Word shows it: ``Heading 1``, for any id and case in the file."""
        style = self.by_id.get(style_id or self.default_paragraph)
        name = (read_attribute(style, "name") or "") if style is not None else (style_id or "")
        return name[:1].upper() + name[1:] if name[:7] == "heading" or name == "title" else name

    def iterate_chain(self, style_id: str | None) -> Iterator[Any]:
        """Yield a style and those that it is based on."""
        seen: set[str] = set()
        while style_id and style_id in self.by_id and style_id not in seen:
            seen.add(style_id)
            yield self.by_id[style_id]
            style_id = read_attribute(self.by_id[style_id], "basedOn")

    def level(self, properties: Any) -> int | None:
        """Return the heading level (1 ...) of a paragraph with these properties (w:pPr); None for body text."""
        style_id = read_attribute(properties, "pStyle") or self.default_paragraph
        stated = [
            read_attribute(properties, "outlineLvl"),
            *(read_attribute(style, "pPr/outlineLvl") for style in self.iterate_chain(style_id)),
        ]
        level = next((int(name) for name in stated if name is not None), None)
        if level is None:
            named = _HEADING.search(self.name(style_id))
            return int(named.group(1)) if named else None
        return level + 1 if level < 9 else None

    def find_list(self, properties: Any) -> tuple[str, int, str] | None:
        """Find the list of a paragraph: ``bullet`` or ``number``, level (0 ...), list id; None if it is in no list."""
        style_id = read_attribute(properties, "pStyle") or self.default_paragraph
        sources = [properties, *(style.find(qualify_word_name("pPr")) for style in self.iterate_chain(style_id))]
        number = next((name for source in sources if (name := read_attribute(source, "numPr/numId")) is not None), None)
        if number in (None, "0") or number is None:
            return None
        level = int(
            next((name for source in sources if (name := read_attribute(source, "numPr/ilvl")) is not None), "0")
        )
        kind = self.lists.get(number, {}).get(level, "decimal")
        return ("bullet" if kind in ("bullet", "none") else "number"), level, number

    def alignment(self, properties: Any) -> str:
        """Return the alignment: ``left``, ``center``, ``right`` or ``both``."""
        style_id = read_attribute(properties, "pStyle") or self.default_paragraph
        sources = [properties, *(style.find(qualify_word_name("pPr")) for style in self.iterate_chain(style_id))]
        alignment_value = next((name for source in sources if (name := read_attribute(source, "jc"))), "left")
        return {"start": "left", "end": "right", "justify": "both"}.get(alignment_value, alignment_value)

    def indent_mm(self, properties: Any) -> tuple[float, float]:
        """Return the indent of a paragraph from the left margin, and of its first line from there."""
        style_id = read_attribute(properties, "pStyle") or self.default_paragraph
        sources = [properties, *(style.find(qualify_word_name("pPr")) for style in self.iterate_chain(style_id))]

        def read_indent(*names: str) -> float:
            stated = (read_attribute(source, "ind", name) for source in sources for name in names)
            return round(float(next((text for text in stated if text), "0")) / _TWIPS_PER_MM, 1)

        return read_indent("left", "start"), read_indent("firstLine") or -read_indent("hanging")

    def look(self, paragraph: Any, run: Any) -> Look:
        """Compute the look of a run with the properties `run` (w:rPr) in a paragraph with `paragraph` (w:pPr)."""
        paragraph_style = read_attribute(paragraph, "pStyle") or self.default_paragraph
        sources = [run]
        sources += [style.find(qualify_word_name("rPr")) for style in self.iterate_chain(read_attribute(run, "rStyle"))]
        sources += [style.find(qualify_word_name("rPr")) for style in self.iterate_chain(paragraph_style)]
        return self._make_look([source for source in [*sources, self.defaults] if source is not None])

    def style_look(self, style_id: str) -> Look:
        """Compute the look of a style."""
        sources = [style.find(qualify_word_name("rPr")) for style in self.iterate_chain(style_id)]
        return self._make_look([source for source in [*sources, self.defaults] if source is not None])

    def _make_look(self, sources: list[Any]) -> Look:
        size = _find_first(sources, "sz")
        underline = _find_first(sources, "u")
        color = (_find_first(sources, "color") or "").upper()
        highlight = _find_first(sources, "highlight") or ""
        return Look(
            bold=_is_switched_on(sources, "b"),
            italic=_is_switched_on(sources, "i"),
            underline=underline is not None and underline not in _OFF_VALUES,
            strike=_is_switched_on(sources, "strike") or _is_switched_on(sources, "dstrike"),
            font=self._find_font(sources),
            size_pt=float(size) / 2 if size else 10.0,
            color="" if color in ("AUTO", "000000") else color,
            highlight="" if highlight == "none" else highlight,
            hidden=_is_switched_on(sources, "vanish"),
        )

    def _find_font(self, sources: list[Any]) -> str:
        for source in sources:
            named = read_attribute(source, "rFonts", "ascii")
            theme = read_attribute(source, "rFonts", "asciiTheme")
            if theme or named:
                return self.theme_fonts.get(theme[:5], named or "") if theme else str(named)
        return ""


def _find_first(sources: list[Any], name: str) -> str | None:
    return next((text for source in sources if (text := read_attribute(source, name)) is not None), None)


def _is_switched_on(sources: list[Any], name: str) -> bool:
    switch = next(
        (element for source in sources if (element := source.find(qualify_word_name(name))) is not None), None
    )
    return switch is not None and switch.get(qualify_word_name("val"), "1") not in _OFF_VALUES


def read_styles(parts: Parts, main: str) -> Styles:
    """Read the styles and lists of the document whose main part is `main`."""
    style_parts = parts.list_related(main, "styles")
    by_id, defaults, default_paragraph = {}, None, ""
    if style_parts:
        root = parts.xml(style_parts[0])
        defaults = root.find(
            f"{qualify_word_name('docDefaults')}/{qualify_word_name('rPrDefault')}/{qualify_word_name('rPr')}"
        )
        by_id = {
            style.get(qualify_word_name("styleId"), ""): style for style in root.iterfind(qualify_word_name("style"))
        }
        default_paragraph = next(
            (
                style.get(qualify_word_name("styleId"), "")
                for style in by_id.values()
                if style.get(qualify_word_name("type")) == "paragraph"
                and style.get(qualify_word_name("default"), "0") not in _OFF_VALUES
            ),
            "",
        )
    return Styles(by_id, defaults, default_paragraph, _read_lists(parts, main), _theme_fonts(parts, main))


def _read_lists(parts: Parts, main: str) -> dict[str, dict[int, str]]:
    """Read the number formats by list id and level."""
    numbering_parts = parts.list_related(main, "numbering")
    if not numbering_parts:
        return {}
    root = parts.xml(numbering_parts[0])
    abstract = {
        element.get(qualify_word_name("abstractNumId")): {
            int(level.get(qualify_word_name("ilvl"), "0")): read_attribute(level, "numFmt") or "decimal"
            for level in element.iterfind(qualify_word_name("lvl"))
        }
        for element in root.iterfind(qualify_word_name("abstractNum"))
    }
    return {
        element.get(qualify_word_name("numId"), ""): abstract.get(read_attribute(element, "abstractNumId"), {})
        for element in root.iterfind(qualify_word_name("num"))
    }


def _theme_fonts(parts: Parts, main: str) -> dict[str, str]:
    theme_parts = parts.list_related(main, "theme")
    if not theme_parts:
        return {}
    a = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
    fonts = {}
    for kind in ("major", "minor"):
        latin = parts.xml(theme_parts[0]).find(f".//{a}{kind}Font/{a}latin")
        if latin is not None:
            fonts[kind] = latin.get("typeface", "")
    return fonts
