"""Tables without rules on a page that has ruled ones, too: rows of words that stand in columns."""

from __future__ import annotations

from collections.abc import Iterator

from yardkit.servers.pdf.engine.reading.reading_order import Segment, rows_of
from yardkit.servers.pdf.engine.reading.words import Word

_MAX_ROW_DISTANCE = 1.6
"""How far rows may stand from each other, in heights of a row."""
_MIN_ROWS = 3

Span = tuple[float, float]
Row = list[Segment]


def unruled_tables(words: list[Word]) -> Iterator[tuple[list[float], list[list[str]]]]:
    """Box and rows of cells of each group of rows that follow each other and have several columns."""
    run: list[Row] = []
    for row in [*rows_of([word for word in words if word.level]), []]:
        if len(row) > 1 and (
            not run or _get_top(row) - _get_bottom(run[-1]) < _MAX_ROW_DISTANCE * (_get_bottom(row) - _get_top(row))
        ):
            run.append(row)
            continue
        if len(run) >= _MIN_ROWS:
            yield from _read_table(run)
        run = [row] if len(row) > 1 else []


def _read_table(rows: list[Row]) -> Iterator[tuple[list[float], list[list[str]]]]:
    columns = _merge_columns([_get_span(segment) for row in rows for segment in row])
    if len(columns) < 2:
        return
    texts = [[""] * len(columns) for _ in rows]
    for number, row in enumerate(rows):
        for segment in row:
            at = next(place for place, column in enumerate(columns) if column[0] <= _get_span(segment)[0] <= column[1])
            words = " ".join(word.text for word in segment)
            texts[number][at] = f"{texts[number][at]} {words}".strip()
    yield [columns[0][0], _get_top(rows[0]), columns[-1][1], _get_bottom(rows[-1])], texts


def _merge_columns(spans: list[Span]) -> list[Span]:
    """Where segments stand below each other: their spans, those that touch as one."""
    columns: list[Span] = []
    for left, right in sorted(spans):
        if columns and left <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _get_span(segment: Segment) -> Span:
    return segment[0].box[0], segment[-1].box[2]


def _get_top(row: Row) -> float:
    return min((word.box[1] for segment in row for word in segment), default=0.0)


def _get_bottom(row: Row) -> float:
    return max((word.box[3] for segment in row for word in segment), default=0.0)
