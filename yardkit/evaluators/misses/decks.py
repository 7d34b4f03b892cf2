"""Near misses in presentations, through python-pptx. Slides are counted from 1, or named by the solved world."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.misses.edits import Change, Leaves, apply_change, edit_file
from yardkit.evaluators.proof import Miss, Solved

Number = int | Callable[[Solved], int]
Name = str | int
"""The name of a shape, or the index of a placeholder: 0 is the title, 1 the body."""
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"


@dataclass(frozen=True)
class InDeck:
    """Near misses in the presentation at `path`. A change with a second parameter also gets the solved world."""

    path: str

    def edit_slide(self, slide: Number, change: Change, caught_by: Leaves) -> Miss:
        """A slide is changed."""

        def edit(deck: Any, work: Solved) -> None:
            apply_change(change, work, deck.slides[(slide(work) if callable(slide) else slide) - 1])

        return edit_file(self.path, edit, caught_by)

    def edit_shape(self, slide: Number, name: Name, change: Change, caught_by: Leaves) -> Miss:
        """A shape is changed."""
        return self.edit_slide(slide, lambda of, work: apply_change(change, work, find_shape(of, name)), caught_by)

    def edit_chart(self, slide: Number, change: Change, caught_by: Leaves) -> Miss:
        """The first chart of a slide is changed."""
        return self.edit_slide(slide, lambda of, work: apply_change(change, work, find_chart(of)), caught_by)

    def edit_text(self, slide: Number, name: Name, change: Change, caught_by: Leaves) -> Miss:
        """The first paragraph of a shape has another text, in the letters that it had."""

        def edit(shape: Any, work: Solved) -> None:
            set_text(shape, str(apply_change(change, work, shape.text_frame.paragraphs[0].text)))

        return self.edit_shape(slide, name, edit, caught_by)

    def edit_notes(self, slide: Number, change: Change, caught_by: Leaves) -> Miss:
        """A slide has other speaker notes."""

        def edit(of: Any, work: Solved) -> None:
            frame = of.notes_slide.notes_text_frame
            frame.text = str(apply_change(change, work, frame.text))

        return self.edit_slide(slide, edit, caught_by)

    def letters_changed(
        self, slide: Number, name: Name, caught_by: Leaves, *, size_pt: float = 0, color: str = ""
    ) -> Miss:
        """All letters of a shape have another size or colour."""
        return self.edit_shape(slide, name, lambda shape: set_letters(shape, size_pt, color), caught_by)

    def shape_placed(self, slide: Number, name: Name, caught_by: Leaves, **sides_mm: float) -> Miss:
        """A shape has another ``left``, ``top``, ``width`` or ``height``."""
        return self.edit_shape(slide, name, lambda shape: place_shape(shape, **sides_mm), caught_by)

    def slide_hidden(self, slide: Number, caught_by: Leaves) -> Miss:
        """A slide is hidden."""
        return self.edit_slide(slide, lambda of: of._element.set("show", "0"), caught_by)


def find_shape(slide: Any, name: Name) -> Any:
    """Find a shape of a slide."""
    if isinstance(name, int):
        return slide.placeholders[name]
    return next(shape for shape in slide.shapes if shape.name == name)


def find_chart(slide: Any) -> Any:
    """Find the first chart of a slide."""
    return find_chart_shape(slide).chart


def find_chart_shape(slide: Any) -> Any:
    """Find the shape with the first chart of a slide."""
    return next(shape for shape in slide.shapes if shape.has_chart)


def set_text(shape: Any, text: str) -> None:
    """Write a text into a shape or cell, in the letters of its first run; its other paragraphs stay."""
    first, *others = shape.text_frame.paragraphs[0].runs
    first.text = text
    for run in others:
        run.text = ""


def set_letters(shape: Any, size_pt: float = 0, color: str = "") -> None:
    """Give all letters of a shape or cell a size or a colour such as ``C00000``."""
    from pptx.dml.color import RGBColor
    from pptx.util import Pt

    for run in (run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs):
        if size_pt:
            run.font.size = Pt(size_pt)
        if color:
            run.font.color.rgb = RGBColor.from_string(color)


def place_shape(shape: Any, **sides_mm: float) -> None:
    """Set the ``left``, ``top``, ``width`` or ``height`` of a shape."""
    from pptx.util import Mm

    for side, value in sides_mm.items():
        setattr(shape, side, Mm(value))


def describe_shape(shape: Any, text: str, *, only_bare: bool = False) -> None:
    """Give a shape an alternative text, if asked for only where it has none."""
    about = shape._element.xpath(".//p:cNvPr")[0]
    if not (only_bare and about.get("descr")):
        about.set("descr", text)


def list_chart_values(chart: Any) -> list[list[Any]]:
    """List the elements that hold the drawn values of a chart, by series."""
    return [list(values.iter(f"{CHART}v")) for values in chart._chartSpace.iter(f"{CHART}val")]


@contextmanager
def open_chart_book(chart: Any) -> Iterator[Any]:
    """Open the workbook inside a chart with openpyxl; save it at the end of the block."""
    import openpyxl

    part, buffer = chart.part.chart_workbook.xlsx_part, io.BytesIO()
    book = openpyxl.load_workbook(io.BytesIO(part.blob))
    yield book
    book.save(buffer)
    part._blob = buffer.getvalue()
