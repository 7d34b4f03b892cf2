"""How slides of the deck look beside where their shapes lie: unchanged ones, contrasts, crops, data behind charts."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.office.presentations import Slide, read_deck
from yardkit.evaluators.readers.pages.pdf import Page
from yardkit.evaluators.readers.pages.rendered import draw_slide, measure_contrast, render_slides
from yardkit.evaluators.submission import Submission

SCALE = 4.0
LEAST = 4.4
"""A bit below 4.5, for letters are drawn with soft edges."""
_OTHER = 60
_SHARE = 5e-4
_NUMBER = int | float


def look_otherwise(submission: Submission, relative: str, numbers: Sequence[int]) -> list[int]:
    """The slides that do not look as they did."""
    if len(read_deck(submission, relative).slides) != len(read_deck(submission.untouched, relative).slides):
        return list(numbers)
    for state in (submission, submission.untouched):
        render_slides(state, relative, numbers)  # All at once, which takes a fraction of the time.
    return [number for number in numbers if _slides_differ(submission, relative, number)]


def _slides_differ(submission: Submission, relative: str, number: int) -> bool:
    now, before = (draw_slide(state, relative, number).astype(int) for state in (submission, submission.untouched))
    return now.shape != before.shape or bool((abs(now - before).max(axis=2) > _OTHER).mean() > _SHARE)


def find_pale_texts(submission: Submission, relative: str, slide: Slide, page: Page) -> dict[str, float]:
    """Texts of a slide that hardly stand out from what is behind them, or are not to be seen."""
    picture = draw_slide(submission, relative, slide.number, SCALE)
    wrong = {}
    for text in (line.text for shape in slide.shapes for line in shape.lines if line.text.strip()):
        contrasts = [measure_contrast(picture, box, SCALE) for box in page.find(text)]
        if not contrasts or min(contrasts) < LEAST:
            wrong[text] = round(min(contrasts, default=0.0), 1)
    return wrong


def map_crops(submission: Submission, relative: str) -> dict[int, list[tuple[float, ...]]]:
    """How much of each picture is cut off at its sides, by slide."""
    return parse_file(submission, relative, _read_crops, "presentation")


def _read_crops(path: Path) -> dict[int, list[tuple[float, ...]]]:
    import pptx

    return {
        number: sorted(_describe_crop(shape) for shape in slide.shapes if hasattr(shape, "crop_left"))
        for number, slide in enumerate(pptx.Presentation(str(path)).slides, 1)
    }


def _describe_crop(picture: Any) -> tuple[float, ...]:
    return tuple(round(getattr(picture, f"crop_{side}"), 2) for side in ("left", "top", "right", "bottom"))


def behind_charts(submission: Submission, relative: str) -> dict[int, list[float]]:
    """The numbers in the workbooks behind the charts, which show again when somebody edits the data, by slide."""
    return parse_file(submission, relative, _behind_charts, "presentation")


def _behind_charts(path: Path) -> dict[int, list[float]]:
    import pptx

    slides = enumerate(pptx.Presentation(str(path)).slides, 1)
    return {number: [value for shape in slide.shapes for value in _list_numbers(shape)] for number, slide in slides}


def _list_numbers(shape: Any) -> Iterator[float]:
    import openpyxl

    part = shape.chart.part.chart_workbook.xlsx_part if shape.has_chart else None
    if part is None:
        return
    for sheet in openpyxl.load_workbook(io.BytesIO(part.blob), data_only=True).worksheets:
        cells = (cell for row in sheet.iter_rows(values_only=True) for cell in row)
        yield from (float(cell) for cell in cells if isinstance(cell, _NUMBER))
