"""The styles that Word has in store, in the look that new documents get."""

from __future__ import annotations

from typing import Any

from yardkit.servers.documents.engine.markup.names import add_in_order, make_element
from yardkit.servers.documents.engine.markup.specs import Look, StyleEdit

DARK, BLUE, GREY = "1F3864", "2F5496", "595959"
TEXT_FONT, CODE_FONT = "Carlito", "Liberation Mono"


def _make_heading_style(level: int, size: float, color: str, before: float, *, italic: bool | None = None) -> StyleEdit:
    look = Look(
        bold=True if level < 5 else None,
        italic=italic,
        size_pt=size,
        color=color,
        before_pt=before,
        after_pt=6 if level == 1 else 4,
        line_spacing=1.0,
        keep_next=True,
        keep_lines=True,
        outline_level=level,
    )
    return StyleEdit(f"heading {level}", "paragraph", "Normal", "Normal", look)


def _make_toc_style(level: int) -> StyleEdit:
    look = Look(
        left_cm=0.5 * (level - 1),
        before_pt=6 if level == 1 else 0,
        after_pt=3,
        bold=True if level == 1 else None,
        line_spacing=1.0,
    )
    return StyleEdit(f"toc {level}", "paragraph", "Normal", "Normal", look)


def _make_paragraph_style(name: str, look: Look, following: str | None = None) -> StyleEdit:
    return StyleEdit(name, "paragraph", "Normal", following, look)


_EDGE = Look(size_pt=9, color=GREY, after_pt=0, line_spacing=1.0)
KNOWN: tuple[StyleEdit, ...] = (
    StyleEdit("Normal"),
    _make_paragraph_style(
        "Title", Look(size_pt=26, bold=True, color=DARK, after_pt=4, line_spacing=1.0, keep_next=True), "Normal"
    ),
    _make_paragraph_style("Subtitle", Look(size_pt=13, color=GREY, after_pt=16, line_spacing=1.0), "Normal"),
    _make_heading_style(1, 16, DARK, 20),
    _make_heading_style(2, 13, BLUE, 14),
    _make_heading_style(3, 11.5, BLUE, 12),
    _make_heading_style(4, 11, DARK, 10),
    *(_make_heading_style(level, 11, GREY, 8, italic=True) for level in (5, 6, 7, 8, 9)),
    *(_make_toc_style(level) for level in range(1, 10)),
    _make_paragraph_style(
        "TOC Heading", Look(size_pt=16, bold=True, color=DARK, before_pt=12, after_pt=8, keep_next=True), "Normal"
    ),
    _make_paragraph_style("table of figures", Look(after_pt=3, line_spacing=1.0)),
    _make_paragraph_style(
        "caption", Look(size_pt=9, italic=True, color=GREY, before_pt=4, after_pt=10, line_spacing=1.0), "Normal"
    ),
    _make_paragraph_style("List Paragraph", Look(left_cm=1.27, after_pt=4)),
    _make_paragraph_style(
        "Quote", Look(italic=True, color="404040", left_cm=1, right_cm=1, before_pt=6, after_pt=10, border="left")
    ),
    _make_paragraph_style(
        "Code",
        Look(font=CODE_FONT, size_pt=9, line_spacing=1.0, after_pt=0, shading="F3F4F6", left_cm=0.2, right_cm=0.2),
        "Code",
    ),
    _make_paragraph_style("header", _EDGE),
    _make_paragraph_style("footer", _EDGE),
    _make_paragraph_style("footnote text", Look(size_pt=9, after_pt=2, line_spacing=1.0)),
    _make_paragraph_style("endnote text", Look(size_pt=9, after_pt=2, line_spacing=1.0)),
    StyleEdit("Hyperlink", "character", look=Look(color="0563C1", underline="single")),
    StyleEdit("Strong", "character", look=Look(bold=True)),
    StyleEdit("Emphasis", "character", look=Look(italic=True)),
    StyleEdit("Code Char", "character", look=Look(font=CODE_FONT, size_pt=9.5, color="9C2F2F")),
    StyleEdit("footnote reference", "character", look=Look(vertical="super")),
    StyleEdit("endnote reference", "character", look=Look(vertical="super")),
    StyleEdit("Table Grid", "table"),
    StyleEdit("Report Table", "table"),
    StyleEdit("Normal Table", "table"),
)


def table_look(style: Any) -> None:
    """Borders, padding and bands of a new table style, by its name."""
    name = style[0].get(style[0].attrib.keys()[0])
    margins = make_element("w:tblCellMar", *_make_sides({"top": 50, "left": 108, "bottom": 50, "right": 108}))
    if name == "Normal Table":
        margins = make_element("w:tblCellMar", *_make_sides({"top": 0, "left": 108, "bottom": 0, "right": 108}))
    properties = make_element("w:tblPr", make_element("w:tblInd", w=0, type="dxa"))
    if name == "Report Table":
        properties.append(make_element("w:tblStyleRowBandSize", val=1))
        lines = {"top": (8, DARK), "bottom": (8, DARK), "insideH": (4, "D0D5DD")}
    else:
        lines = dict.fromkeys(("top", "left", "bottom", "right", "insideH", "insideV"), (4, "808080"))
    if name != "Normal Table":
        add_in_order(
            properties,
            make_element(
                "w:tblBorders",
                *(make_element(f"w:{s}", val="single", sz=z, space=0, color=c) for s, (z, c) in lines.items()),
            ),
        )
    add_in_order(properties, margins)
    spacing = make_element("w:spacing", before=0, after=0, line=240, lineRule="auto")
    add_in_order(style, make_element("w:pPr", spacing))
    add_in_order(style, properties)
    if name == "Report Table":
        _add_bands(style)


def _make_sides(widths: dict[str, int]) -> list[Any]:
    return [make_element(f"w:{side}", w=width, type="dxa") for side, width in widths.items()]


def _add_bands(style: Any) -> None:
    def band(kind: str, fill: str | None, *text: Any) -> Any:
        inside = [make_element("w:rPr", *text)] if text else []
        inside += [make_element("w:tcPr", make_element("w:shd", val="clear", color="auto", fill=fill))] if fill else []
        return make_element("w:tblStylePr", *inside, type=kind)

    style.append(
        band("firstRow", DARK, make_element("w:b"), make_element("w:bCs"), make_element("w:color", val="FFFFFF"))
    )
    style.append(band("lastRow", None, make_element("w:b"), make_element("w:bCs")))
    style.append(band("band2Horz", "F3F6FB"))
