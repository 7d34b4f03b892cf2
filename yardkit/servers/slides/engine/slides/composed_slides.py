"""Slides composed after a pattern: what content is given for is drawn, in the colours of a scheme."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.charts import charts
from yardkit.servers.slides.engine.inputs import ChartLook, NewShape, Paragraph, Run, Series, ShapeEdit
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import find_shape, move_shape, text_body, title_shape
from yardkit.servers.slides.engine.package.units import EMU_PER_CM
from yardkit.servers.slides.engine.shapes import new_shapes, pictures, shape_edits, shape_text, tables
from yardkit.servers.slides.engine.slides.color_schemes import Palette
from yardkit.servers.slides.engine.slides.new_slides import remove_empty
from yardkit.servers.slides.engine.slides.slide_look import set_background
from yardkit.servers.slides.engine.slides.slide_patterns import PATTERNS, Element, Pattern
from yardkit.servers.slides.engine.text import text_fit
from yardkit.servers.slides.engine.text.paragraphs import body_of, read_text, write_paragraphs
from yardkit.world import Problem

SMALLEST_PT = 10
_MARK = re.compile(r"^(\t*)\s*[•◦▪◆◇\-*]\s+")
_NUMBER = re.compile(r"-?\d[\d ,]*(?:\.\d+)?|-?\.\d+")


@dataclass(frozen=True)
class Composed:
    """What was put on a slide, by role; `left_out` are the roles that nothing was given for."""

    created: list[str]
    left_out: list[str]
    notes: list[str] = field(default_factory=list)


def find_pattern(name: str) -> Pattern:
    """The pattern with a name.

    Raises:
        Problem: there is none.
    """
    if name not in PATTERNS:
        raise Problem(f"{name!r} is not a valid template; use {', '.join(PATTERNS)}")
    return PATTERNS[name]


def compose_slide(
    path: Path,
    slide: int,
    name: str,
    palette: Palette,
    content: dict[str, str],
    images: dict[str, Path],
    now: datetime,
) -> Composed:
    """Put content on a slide after a pattern; what stands there stays, empty placeholders go.

    The file is saved several times: work on a copy where all or nothing is wanted.

    Raises:
        Problem: there is no such pattern, a role that it does not have, or content that is no table or chart.
    """
    chosen = find_pattern(name)
    _check_roles(name, chosen, content, images)
    given = {role for role, text in content.items() if text.strip()} | set(images)
    elements = [element for element in chosen.elements if _is_needed(element, given)]
    with edit_deck(path) as deck:
        brush = _Brush(deck, slide, palette)
        brush.prepare_ground(chosen)
        drawn = [element for element in elements if element.part in ("title", "text", "shape")]
        notes = brush.draw(drawn, content)
        scale = brush.scale
    placing = _Placing(path, slide, palette, scale, now)
    for element in elements:
        placing.place(element, content.get(element.role, ""), images.get(element.role))
    created = [element.role for element in elements]
    asked = chosen.list_roles("title", "text", "picture", "table", "chart")
    return Composed(created, [role for role in asked if role not in given], notes)


def _check_roles(name: str, chosen: Pattern, content: dict[str, str], images: dict[str, Path]) -> None:
    for given, roles, what in (
        (content, chosen.list_roles("title", "text", "table", "chart"), "content"),
        (images, chosen.list_roles("picture"), "pictures"),
    ):
        unknown = [role for role in given if role not in roles]
        if unknown:
            raise Problem(
                f"the template {name!r} has no {unknown[0]!r} for {what}; it has {', '.join(roles) or 'none'}"
            )


def _is_needed(element: Element, given: set[str]) -> bool:
    if element.part == "shape":
        return not element.needs or bool(given & set(element.needs))
    return element.role in given


def _scale_box(element: Element, scale: tuple[float, float]) -> tuple[float, float, float, float]:
    """The place of an element in cm."""
    left, top, width, height = element.box
    return left * scale[0], top * scale[1], width * scale[0], height * scale[1]


class _Brush:
    """Draws areas and texts on a slide that is open; `scale` is cm of the slide for an inch of a pattern."""

    def __init__(self, deck: Deck, slide: int, palette: Palette) -> None:
        self.page, self.palette = deck.get_slide(slide), palette
        self.scale = (deck.width / EMU_PER_CM / 10, deck.height / EMU_PER_CM / 7.5)

    def prepare_ground(self, chosen: Pattern) -> None:
        """Take empty placeholders but the title away, and fill the background, without what the master draws on it."""
        remove_empty(self.page, keep=("title",))
        if chosen.background:
            set_background(self.page, vars(self.palette)[chosen.background])
            self.page._element.set("showMasterSp", "0")

    def draw(self, elements: list[Element], content: dict[str, str]) -> list[str]:
        """Draw elements, and make text smaller that does not fit; which still does not."""
        written = []
        for element in elements:
            if element.part == "shape":
                self._add_shape(element, element.shape, self._get_color(element))
            else:
                written.append(self._write_text(element, content[element.role]))
        placed = [find_shape(self.page, identity) for identity in written]
        fit_notes = text_fit.fit_shapes(self.page, placed, SMALLEST_PT, 400)
        return [
            f"the text of shape {fitted.shape} is too long for its place" for fitted in fit_notes if not fitted.fits
        ]

    def _get_color(self, element: Element) -> str:
        return "FFFFFF" if element.tone == "white" else str(vars(self.palette)[element.tone])

    def _add_shape(self, element: Element, kind: str, fill: str | None) -> int:
        shape = NewShape(kind, *_scale_box(element, self.scale), fill=fill, name=element.role)
        return int(new_shapes.draw_shape(self.page, shape).shape_id)

    def _write_text(self, element: Element, text: str) -> int:
        title = self._take_title(element) if element.part == "title" else None
        identity = title if title is not None else self._add_shape(element, "textbox", None)
        body = body_of(self.page, identity)
        look: dict[str, Any] = {"size_pt": element.size_pt, "color": self._get_color(element), "bold": element.bold}
        lines = [self._parse_line(line, look, element.side) for line in text.strip("\n").split("\n")]
        write_paragraphs(self.page, body, lines)
        shape_text.set_fit(body, "none", "middle" if element.part == "title" else "top")
        return identity

    def _parse_line(self, line: str, look: dict[str, Any], side: Any) -> Paragraph:
        """A line of text; a mark at its beginning becomes a real bullet."""
        mark_match = _MARK.match(line)
        text = line[mark_match.end() :] if mark_match else line
        runs = [Run(text, **look)] if text else []
        if mark_match:
            return Paragraph(runs=runs, level=len(mark_match[1]), bullet="bullet", space_after_pt=6)
        return Paragraph(runs=runs, align=side, bullet="none", space_after_pt=6)

    def _take_title(self, element: Element) -> int | None:
        """The title placeholder, if it is still empty, in its place before all that was drawn; its id."""
        title = title_shape(self.page)
        if title is None or read_text(text_body(title)).strip():
            return None
        move_shape(find_shape(self.page, int(title.shape_id)), new_shapes.box_of(*_scale_box(element, self.scale)))
        shape_edits.reorder_shape(title._element, "front")
        return int(title.shape_id)


@dataclass(frozen=True)
class _Placing:
    """Puts pictures, tables and charts on a slide of a file."""

    path: Path
    slide: int
    palette: Palette
    scale: tuple[float, float]
    now: datetime

    def place(self, element: Element, text: str, image: Path | None) -> None:
        if element.part == "picture" and image is not None:
            self._add_picture(element, image)
        elif element.part == "table":
            self._add_table(element, text)
        elif element.part == "chart":
            self._add_chart(element, text)

    def _add_picture(self, element: Element, image: Path) -> None:
        is_full_slide = element.box[2:] == (10, 7.5)
        box = _scale_box(element, self.scale)
        fit: pictures.Fit = "cover" if is_full_slide else "contain"
        new_picture = pictures.place_picture(
            self.path, self.slide, image, None, box, fit=fit, alt_text=None, name=element.role
        )
        if is_full_slide:
            shape_edits.edit_shapes(self.path, [ShapeEdit("order", self.slide, [new_picture], to="back")])

    def _add_table(self, element: Element, text: str) -> None:
        rows = [[cell.strip() for cell in re.split(r"\t|\|", line.strip().strip("|"))] for line in text.splitlines()]
        rows = [row for row in rows if any(row) and not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
        if not rows or len({len(row) for row in rows}) > 1:
            raise Problem(
                f"{element.role} is not a valid table; give lines of cells separated by |, the same number in each line"
            )
        box = new_shapes.box_of(*_scale_box(element, self.scale))
        size = element.size_pt
        tables.add(self.path, self.slide, [*rows], box, widths_cm=None, size_pt=size, header=True, name=element.role)

    def _add_chart(self, element: Element, text: str) -> None:
        pairs = [line.rpartition(":") for line in text.splitlines() if line.strip()]
        values = [_NUMBER.fullmatch(value.strip().rstrip("%")) for _, _, value in pairs]
        if not pairs or None in values or not all(label.strip() for label, _, _ in pairs):
            raise Problem(
                f"{element.role} is not a valid chart; give lines of a label and a number, such as 'North: 12.5'"
            )
        numbers = [float(re.sub("[ ,]", "", number_match[0])) for number_match in values if number_match]
        series = [Series(element.role.replace("_", " "), [*numbers], color=self.palette.primary)]
        labels = [label.strip() for label, _, _ in pairs]
        look = ChartLook(legend="none", data_labels=True)
        box = new_shapes.box_of(*_scale_box(element, self.scale))
        charts.add(self.path, self.slide, "column", labels, series, box, look, self.now)
