"""Presentations for seeded worlds (16:9): the same bytes for the same content.

deck = Deck("Quarterly review", author="Ada Berg", now=world.now, brand=Brand("Northwind", "0B6E4F"))
deck.title_slide("Quarterly review", "First quarter of 2026")
deck.bullets("Highlights", ["Revenue is up", ("by 12 %", 1)], notes="Say thanks to the team.")
deck.chart("Revenue", "column", ["Jan", "Feb"], {"Plan": [3, 4], "Actual": [2.5, 4.4]})
deck.save(world.files / "review.pptx")
"""

import datetime
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.state_init.packages import settle_package
from yardkit.world import save_bytes

WIDTH_MM, HEIGHT_MM = 338.67, 190.5
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
ChartKind = Literal["column", "bar", "line", "pie", "stacked"]


@dataclass(frozen=True)
class Brand:
    """A company's look: its name on every slide, its first colours (RRGGBB) and its fonts, all in the theme."""

    name: str
    accent: str = "1F4E79"
    second: str = "C55A11"
    third: str = "7F7F7F"
    dark: str = "262626"
    heading_font: str = "Calibri"
    body_font: str = "Calibri"


@dataclass
class Deck:
    """A presentation in the making; `pptx` is python-pptx's object, for what this class does not do."""

    title: str
    author: str
    now: datetime.datetime
    brand: Brand = Brand("Yardkit")
    ranked: bool = True
    """Whether text is smaller than the title above it; without, as in python-pptx's template, it is as large."""
    pptx: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import pptx
        from pptx.util import Mm

        self.pptx = pptx.Presentation()
        facts = self.pptx.core_properties
        facts.title, facts.author, facts.last_modified_by = self.title, self.author, self.author
        facts.created = facts.modified = self.now.replace(tzinfo=None)
        self.pptx.slide_width, self.pptx.slide_height = Mm(WIDTH_MM), Mm(HEIGHT_MM)
        _widen_layouts(self.pptx)
        _paint_theme(self.pptx, self.brand)
        _brand_master(self.pptx, self.brand)
        _align_subtitle(self.pptx)
        if self.ranked:
            _set_sizes(self.pptx)

    def add_slide(self, layout: str, title: str = "", *, notes: str = "") -> Any:
        """A slide on the layout with this name, such as ``Title Only``, with a title."""
        layouts = {known_layout.name: known_layout for known_layout in self.pptx.slide_layouts}
        new_slide = self.pptx.slides.add_slide(layouts[layout])
        if title and new_slide.shapes.title is not None:
            new_slide.shapes.title.text = title
        if notes:
            new_slide.notes_slide.notes_text_frame.text = notes
        return new_slide

    def title_slide(self, title: str, subtitle: str, *, notes: str = "") -> Any:
        """The first slide."""
        new_slide = self.add_slide("Title Slide", title, notes=notes)
        new_slide.placeholders[1].text = subtitle
        return new_slide

    def add_bullets(self, title: str, items: Sequence[str | tuple[str, int]], *, notes: str = "") -> Any:
        """A slide with a list; an item is its text, or its text and level (0 is outermost)."""
        new_slide = self.add_slide("Title and Content", title, notes=notes)
        frame = new_slide.placeholders[1].text_frame
        for number, item in enumerate(items):
            text, level = (item, 0) if isinstance(item, str) else item
            paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
            paragraph.text, paragraph.level = text, level
        return new_slide

    def chart(
        self,
        title: str,
        kind: ChartKind,
        categories: Sequence[str],
        series: Mapping[str, Sequence[float]],
        *,
        notes: str = "",
        number_format: str = "General",
    ) -> Any:
        """A slide with a native chart, whose data lie in a workbook inside."""
        new_slide = self.add_slide("Title Only", title, notes=notes)
        self.add_chart(new_slide, kind, categories, series, (20, 42, WIDTH_MM - 40, 130), number_format=number_format)
        return new_slide

    def add_chart(
        self,
        slide: Any,
        kind: ChartKind,
        categories: Sequence[str],
        series: Mapping[str, Sequence[float]],
        box_mm: tuple[float, float, float, float],
        *,
        number_format: str = "General",
    ) -> Any:
        """A native chart on a slide, in a box of left, top, width and height."""
        from pptx.chart.data import CategoryChartData
        from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
        from pptx.util import Mm, Pt

        names = {
            "column": "COLUMN_CLUSTERED",
            "bar": "BAR_CLUSTERED",
            "line": "LINE_MARKERS",
            "pie": "PIE",
            "stacked": "COLUMN_STACKED",
        }
        data = CategoryChartData(number_format=number_format)
        data.categories = list(categories)
        for name, values in series.items():
            data.add_series(name, list(values))
        shape = slide.shapes.add_chart(XL_CHART_TYPE[names[kind]], *(Mm(value) for value in box_mm), data)
        chart = shape.chart
        chart.font.size = Pt(14)
        chart.has_legend = len(series) > 1 or kind == "pie"
        if chart.has_legend:
            chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
        chart.has_title = False
        return shape

    def table(
        self, title: str, rows: Sequence[Sequence[str]], *, notes: str = "", widths_mm: Sequence[float] = ()
    ) -> Any:
        """A slide with a native table; its first row is the head."""
        from pptx.util import Mm, Pt

        new_slide = self.add_slide("Title Only", title, notes=notes)
        height = min(11 * len(rows), 130)
        shape = new_slide.shapes.add_table(len(rows), len(rows[0]), Mm(20), Mm(44), Mm(WIDTH_MM - 40), Mm(height))
        for column, width in enumerate(widths_mm):
            shape.table.columns[column].width = Mm(width)
        for row, cells in zip(shape.table.rows, rows, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
                cell.text_frame.paragraphs[0].runs[0].font.size = Pt(14)
        return new_slide

    def picture(
        self, title: str, data: bytes, alt: str, *, box_mm: tuple[float, float, float] = (40, 42, 220), notes: str = ""
    ) -> Any:
        """A slide with a picture (PNG or JPEG) at left, top and of a width."""
        new_slide = self.add_slide("Title Only", title, notes=notes)
        self.add_picture(new_slide, data, alt, box_mm)
        return new_slide

    def add_picture(self, slide: Any, data: bytes, alt: str, box_mm: tuple[float, float, float]) -> Any:
        """A picture on a slide, made smaller where it would reach the footer."""
        from pptx.util import Mm

        left, top, width = (Mm(value) for value in box_mm)
        shape = slide.shapes.add_picture(io.BytesIO(data), left, top, width=width)
        room = Mm(HEIGHT_MM - 16) - top
        if shape.height > room:
            shape.width, shape.height = int(shape.width * room / shape.height), room
        shape._element.nvPicPr.cNvPr.set("descr", alt)
        return shape

    def text_box(
        self,
        slide: Any,
        text: str,
        box_mm: tuple[float, float, float, float],
        *,
        size_pt: float = 16,
        bold: bool = False,
        color: str = "",
        link: str = "",
    ) -> Any:
        """Text on a slide in a box of left, top, width and height."""
        from pptx.dml.color import RGBColor
        from pptx.util import Mm, Pt

        shape = slide.shapes.add_textbox(*(Mm(value) for value in box_mm))
        shape.text_frame.word_wrap = True
        for number, line in enumerate(text.split("\n")):
            paragraph = shape.text_frame.paragraphs[0] if number == 0 else shape.text_frame.add_paragraph()
            run = paragraph.add_run()
            run.text, run.font.size, run.font.bold = line, Pt(size_pt), bold
            if color:
                run.font.color.rgb = RGBColor.from_string(color)
            if link:
                run.hyperlink.address = link
        return shape

    def bytes(self) -> bytes:
        """The presentation."""
        buffer = io.BytesIO()
        self.pptx.save(buffer)
        return settle_package(buffer.getvalue(), self.now)

    def save(self, path: Path) -> None:
        """Write the presentation to `path`."""
        save_bytes(path, self.bytes())


def _widen_layouts(deck: Any) -> None:
    """The default template is 4:3: its placeholders are moved and stretched to the width of the slide."""
    factor = deck.slide_width / 9_144_000
    for holder in [deck.slide_master, *deck.slide_layouts]:
        for shape in holder.placeholders:
            if shape._element.spPr.find(f"{_A}xfrm") is not None:
                shape.left, shape.width = int(shape.left * factor), int(shape.width * factor)


def _find_theme(deck: Any) -> Any:
    relation = next(rel for rel in deck.slide_master.part.rels.values() if rel.reltype.endswith("/theme"))
    return relation.target_part


def _paint_theme(deck: Any, brand: Brand) -> None:
    """The brand's colours and fonts, in the theme."""
    from lxml import etree

    part = _find_theme(deck)
    root = etree.fromstring(part.blob)
    colors = {"dk2": brand.dark, "accent1": brand.accent, "accent2": brand.second, "accent3": brand.third}
    for name, rgb in colors.items():
        holder = root.find(f".//{_A}clrScheme/{_A}{name}")
        for child in list(holder):
            holder.remove(child)
        etree.SubElement(holder, f"{_A}srgbClr", val=rgb)
    for kind, font in (("major", brand.heading_font), ("minor", brand.body_font)):
        root.find(f".//{_A}{kind}Font/{_A}latin").set("typeface", font)
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _brand_master(deck: Any, brand: Brand) -> None:
    """Titles to the left in the accent colour; a bar and the company's name on every slide."""
    from pptx.dml.color import MSO_THEME_COLOR
    from pptx.util import Mm, Pt

    master = deck.slide_master
    sample = deck.slides.add_slide(deck.slide_layouts[6])
    bar = sample.shapes.add_shape(1, 0, 0, deck.slide_width, Mm(6))
    bar.fill.solid()
    bar.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_1
    bar.line.fill.background()
    bar.name = "Brand bar"
    mark = sample.shapes.add_textbox(Mm(20), Mm(178), Mm(120), Mm(9))
    mark.name, mark.text_frame.word_wrap = "Brand name", True
    run = mark.text_frame.paragraphs[0].add_run()
    run.text, run.font.size = brand.name, Pt(11)
    run.font.color.theme_color = MSO_THEME_COLOR.ACCENT_3
    for shape in (bar, mark):
        master.shapes._spTree.append(shape._element)
    _drop_slide(deck, 0)
    style = master._element.find(".//{http://schemas.openxmlformats.org/presentationml/2006/main}titleStyle")
    level = style.find(f"{_A}lvl1pPr")
    level.set("algn", "l")
    properties = level.find(f"{_A}defRPr")
    properties.set("sz", "3200")
    properties.set("b", "1")
    for fill in properties.iter(f"{_A}schemeClr"):
        fill.set("val", "accent1")


def _align_subtitle(deck: Any) -> None:
    """The subtitle of the title slide stands below the title, to the left like it."""
    layout = deck.slide_layouts[0]
    title, subtitle = layout.placeholders[0], layout.placeholders[1]
    subtitle.left, subtitle.width = title.left, title.width
    for level in subtitle._element.iter(f"{_A}lvl1pPr"):
        level.set("algn", "l")


def _set_sizes(deck: Any) -> None:
    """No text is as large as the title above it: in the default template lists and the subtitle are."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    holders = [placeholder for layout in deck.slide_layouts for placeholder in layout.placeholders]
    lists = [holder._element for holder in holders if holder.placeholder_format.type == PP_PLACEHOLDER.OBJECT]
    style = deck.slide_master._element.find(".//{http://schemas.openxmlformats.org/presentationml/2006/main}bodyStyle")
    for root in [style, *lists]:
        for level, size in enumerate((2400, 2000, 1800, 1600, 1600), start=1):
            for properties in root.iterfind(f".//{_A}lvl{level}pPr/{_A}defRPr[@sz]"):
                properties.set("sz", str(min(int(properties.get("sz")), size)))
    subtitle = deck.slide_layouts[0].placeholders[1]._element
    subtitle.find(f".//{_A}lvl1pPr/{_A}defRPr").set("sz", "2000")


def _drop_slide(deck: Any, index: int) -> None:
    entry = deck.slides._sldIdLst[index]
    deck.part.drop_rel(entry.rId)
    deck.slides._sldIdLst.remove(entry)
