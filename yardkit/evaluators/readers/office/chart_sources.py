"""The cells that a presentation's charts refer to in their embedded workbooks, as shown by "Edit data"."""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.office.charts import read_chart
from yardkit.evaluators.readers.office.packages import open_parts, parse_file
from yardkit.evaluators.submission import Submission

_AREA = re.compile(r"\$?[A-Z]{1,3}\$?\d{1,7}(:\$?[A-Z]{1,3}\$?\d{1,7})?")
_MAX_CELLS = 100_000


@dataclass(frozen=True)
class SeriesSource:
    """The cells that a series refers to; empty if it refers to none or they do not exist."""

    name: tuple[Any, ...]
    categories: tuple[Any, ...]
    values: tuple[Any, ...]


def read_chart_sources(submission: Submission, relative: str) -> dict[int, tuple[SeriesSource, ...]]:
    """Read, by slide, the cells of each series of its charts; slides whose charts have no workbook are left out.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable presentation, or the embedded workbook is not readable.
    """
    return parse_file(submission, relative, _read_sources, "presentation")


def holds_series(
    sources: Sequence[SeriesSource],
    categories: Sequence[str],
    series: Mapping[str, Sequence[float]],
    tolerance: float = 0.0,
) -> bool:
    """Whether the cells have exactly these series in order; a series may have a literal name instead of a cell."""
    return len(sources) == len(series) and all(
        series_source.name in ((), (name,))
        and list(series_source.categories) == list(categories)
        and len(series_source.values) == len(values)
        and all(_is_near(cell, value, tolerance) for cell, value in zip(series_source.values, values, strict=True))
        for series_source, (name, values) in zip(sources, series.items(), strict=True)
    )


def _is_near(cell: Any, value: float, tolerance: float) -> bool:
    return isinstance(cell, int | float) and abs(cell - value) <= tolerance


def _read_sources(path: Path) -> dict[int, tuple[SeriesSource, ...]]:
    import openpyxl
    import pptx

    open_parts(path)
    sources_by_slide: dict[int, tuple[SeriesSource, ...]] = {}
    for number, slide in enumerate(pptx.Presentation(str(path)).slides, 1):
        for part in (shape.chart.part for shape in slide.shapes if getattr(shape, "has_chart", False)):
            inside = part.chart_workbook.xlsx_part
            if inside is not None:
                opened = openpyxl.load_workbook(io.BytesIO(inside.blob), data_only=True)
                series = (
                    [_read_area(opened, at) for at in (line.name_at, line.categories_at, line.values_at)]
                    for line in read_chart(part._element).series
                )
                sources_by_slide[number] = (
                    *sources_by_slide.get(number, ()),
                    *(SeriesSource(*data_series) for data_series in series),
                )
    return sources_by_slide


def _read_area(opened: Any, reference: str) -> tuple[Any, ...]:
    """Read the values in an area such as ``Sheet1!$B$2:$B$6``; none if the area does not exist."""
    from openpyxl.utils.cell import range_boundaries

    sheet, _, area = reference.rpartition("!")
    if sheet not in opened.sheetnames or not _AREA.fullmatch(area):
        return ()
    left, top, right, bottom = range_boundaries(area)
    if (bottom - top + 1) * (right - left + 1) > _MAX_CELLS:
        return ()
    rows = opened[sheet].iter_rows(top, bottom, left, right, values_only=True)
    return tuple(cell.strip() if isinstance(cell, str) else cell for row in rows for cell in row)
