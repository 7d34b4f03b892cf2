"""Reading order: words to lines, columns one after the other, tables and forms row by row."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace

from yardkit.servers.pdf.engine.reading.directions import (
    as_read,
    holds_backward_text,
    mostly_backward,
    which_run_backward,
)
from yardkit.servers.pdf.engine.reading.words import Word, turn_upright
from yardkit.world.boxes import Box

_MIN_GUTTER = 6.0
_PROSE_ROWS = 3
_PROSE_FILL = 0.55
_PROSE_LETTERS = 12


@dataclass(frozen=True)
class Line:
    """A line of text in reading order: its words, and the numbers of the words that begin after a wide gap."""

    words: tuple[Word, ...]
    gaps: frozenset[int] = frozenset()

    @property
    def box(self) -> Box:
        return _surround_boxes([word.box for word in self.words])

    @property
    def text(self) -> str:
        """Words divided by a space, or by a tab where the gap is as wide as between columns."""
        parts = [("\t" if number in self.gaps else " ") + word.text for number, word in enumerate(self.words)]
        return "".join(parts)[1:]


Segment = list[Word]


def lines_of(words: list[Word]) -> list[Line]:
    """The lines of a page in reading order; text that does not run from left to right follows at the end.

    Text turned by a quarter or half is read as on the page turned back, slanting text in the order of the content.
    """
    lines = [line for turn in (0, 90, 180, 270) for line in _lines_turned(words, turn)]
    return lines + [Line(tuple(run)) for run in _split_turned_runs([word for word in words if word.turn is None])]


def _lines_turned(words: list[Word], turn: int) -> list[Line]:
    own = [word for word in words if word.turn == turn and word.text]
    level = [replace(word, box=turn_upright(word.box, turn)) for word in own]
    back = dict(zip(level, own, strict=True))
    lines = _order_segments(_join_segments(_split_segments(level)), 0)
    if turn == 0:
        return _direct_lines(lines)
    return [Line(tuple(back[word] for word in line.words), line.gaps) for line in lines]


def _direct_lines(lines: list[Line]) -> list[Line]:
    """The lines, those with text from right to left as they are read, and rows of tables with them."""
    mixed = [holds_backward_text(line.words) for line in lines]
    if not any(mixed):
        return lines
    backward = which_run_backward([line.words for line in lines])
    read: list[Line] = []
    in_row = False
    for line, is_mixed, runs_back in zip(lines, mixed, backward, strict=True):
        in_row = bool(line.gaps) and ((is_mixed and runs_back) or (in_row and not is_mixed))
        read.append(_in_parts(line, runs_back or in_row) if is_mixed or in_row else line)
    return read


def _in_parts(line: Line, backward: bool) -> Line:
    parts: list[list[Word]] = []
    for word in sorted(line.words, key=lambda word: word.box[0]):
        if parts and _is_near(parts[-1][-1], word):
            parts[-1].append(word)
        else:
            parts.append([word])
    return _build_line([as_read(part, backward) for part in (reversed(parts) if backward else parts)])


def rows_of(words: list[Word]) -> list[list[Segment]]:
    """The rows of level words from top to bottom; in each the groups of words that stand apart, from left to right."""
    return _group_rows(_join_segments(_split_segments([word for word in words if word.text])))


def paragraphs_of(lines: list[Line]) -> list[list[Line]]:
    """Lines in groups that stand apart from each other."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and _is_continued(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _is_continued(first: Line, second: Line) -> bool:
    turn = first.words[0].turn
    if second.words[0].turn != turn:
        return False
    above, below = turn_upright(first.box, turn), turn_upright(second.box, turn)
    height = min(above[3] - above[1], below[3] - below[1])
    gap = below[1] - above[3]
    return -height < gap < 0.55 * height and above[0] < below[2] and below[0] < above[2]


def _surround_boxes(boxes: list[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _split_segments(words: list[Word]) -> list[Segment]:
    """Words that follow each other on one line without a wide gap."""
    segments: list[Segment] = []
    for word in words:
        if segments and _is_following(segments[-1][-1], word):
            segments[-1].append(word)
        else:
            segments.append([word])
    return segments


def _is_following(before: Word, after: Word) -> bool:
    gap = after.box[0] - before.box[2]
    return _same_line(before, after) and -0.5 * before.height < gap and _is_near(before, after)


def _is_near(before: Word, after: Word) -> bool:
    return after.box[0] - before.box[2] < 0.85 * max(before.height, after.height)


def _same_line(a: Word, b: Word) -> bool:
    shared = min(a.box[3], b.box[3]) - max(a.box[1], b.box[1])
    return shared > 0.5 * min(a.height, b.height)


def _join_segments(segments: list[Segment]) -> list[Segment]:
    """Neighbours on a line that the content holds in another order, or word by word, as one segment."""
    ordered = sorted(segments, key=lambda segment: (round(segment[0].middle / 2), segment[0].box[0]))
    joined: list[Segment] = []
    for segment in ordered:
        if joined and _is_following(joined[-1][-1], segment[0]):
            joined[-1] = joined[-1] + segment
        else:
            joined.append(segment)
    return joined


def _order_segments(segments: list[Segment], depth: int) -> list[Line]:
    if len(segments) < 2 or depth > 8:
        return [_build_line(row) for row in _group_rows(segments)]
    lines: list[Line] = []
    for run, gutters in _split_bands(segments):
        columns = _split_columns(run, gutters)
        if len(columns) > 1 and all(_is_prose(column) for column in columns):
            for column in reversed(columns) if _runs_backward(run) else columns:
                lines += _order_segments(column, depth + 1)
        else:
            lines += [_build_line(row) for row in _group_rows(run)]
    return lines


def _runs_backward(run: list[Segment]) -> bool:
    return mostly_backward(word for segment in run for word in segment)


def _box_of(segment: Segment) -> Box:
    return _surround_boxes([word.box for word in segment])


def _split_bands(segments: list[Segment]) -> Iterator[tuple[list[Segment], list[tuple[float, float]]]]:
    """Parts of a page from top to bottom; within each the same white gutters run from top to bottom."""
    left, _, right, _ = _surround_boxes([_box_of(segment) for segment in segments])
    least = max(_MIN_GUTTER, 0.6 * statistics.median(word.height for segment in segments for word in segment))
    run: list[Segment] = []
    gutters: list[tuple[float, float]] = []
    for band in _group_overlapping(segments):
        own = _find_gaps([_box_of(segment) for segment in band], left, right)
        common = _filter_inner_gaps(_intersect_gaps(gutters, own, least), run + band) if run else own
        if run and not common:
            yield run, gutters
            run, common = [], own
        run, gutters = run + band, common
    if run:
        yield run, gutters


def _group_overlapping(segments: list[Segment]) -> Iterator[list[Segment]]:
    """Groups of segments that overlap in height, from top to bottom."""
    band: list[Segment] = []
    bottom = 0.0
    for segment in sorted(segments, key=lambda part: _box_of(part)[1]):
        box = _box_of(segment)
        if band and box[1] > bottom - 0.25 * (box[3] - box[1]):
            yield band
            band = []
        bottom = max(bottom, box[3]) if band else box[3]
        band.append(segment)
    if band:
        yield band


def _find_gaps(boxes: list[Box], left: float, right: float) -> list[tuple[float, float]]:
    gaps, reached = [], left
    for x0, x1 in sorted((box[0], box[2]) for box in boxes):
        if x0 > reached:
            gaps.append((reached, x0))
        reached = max(reached, x1)
    return [*gaps, (reached, right)] if right > reached else gaps


def _intersect_gaps(
    some: list[tuple[float, float]], others: list[tuple[float, float]], least: float
) -> list[tuple[float, float]]:
    cuts = [(max(a, c), min(b, d)) for a, b in some for c, d in others]
    return [(start, end) for start, end in cuts if end - start >= least]


def _filter_inner_gaps(gaps: list[tuple[float, float]], segments: list[Segment]) -> list[tuple[float, float]]:
    """The gaps with text on both sides."""
    boxes = [_box_of(segment) for segment in segments]
    left, right = min(box[2] for box in boxes), max(box[0] for box in boxes)
    return [(start, end) for start, end in gaps if left <= start + 0.1 and right >= end - 0.1]


def _split_columns(run: list[Segment], gutters: list[tuple[float, float]]) -> list[list[Segment]]:
    """The segments between the gutters, from left to right; empty ones left out."""
    edges = [(start + end) / 2 for start, end in sorted(gutters)]
    columns: list[list[Segment]] = [[] for _ in range(len(edges) + 1)]
    for segment in run:
        box = _box_of(segment)
        columns[sum(edge < (box[0] + box[2]) / 2 for edge in edges)].append(segment)
    return [column for column in columns if column]


def _is_prose(column: list[Segment]) -> bool:
    """Whether a column holds running text and not cells of a table: several lines that fill most of its width."""
    boxes = [_box_of(segment) for segment in column]
    outer_box = _surround_boxes(boxes)
    width = max(outer_box[2] - outer_box[0], 1.0)
    rows = _group_rows(column)
    fill = statistics.median(sum(_box_of(part)[2] - _box_of(part)[0] for part in row) / width for row in rows)
    letters = statistics.median(sum(len(word.text) for part in row for word in part) for row in rows)
    return len(rows) >= _PROSE_ROWS and fill >= _PROSE_FILL and letters >= _PROSE_LETTERS


def _group_rows(segments: list[Segment]) -> list[list[Segment]]:
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda part: (part[0].middle, part[0].box[0])):
        if rows and _same_line(rows[-1][-1][-1], segment[0]):
            rows[-1].append(segment)
        else:
            rows.append([segment])
    return [sorted(row, key=lambda piece: piece[0].box[0]) for row in rows]


def _build_line(row: list[Segment]) -> Line:
    words: list[Word] = []
    gaps = set()
    for segment in row:
        gaps |= {len(words)} if words else set()
        words += segment
    return Line(tuple(words), frozenset(gaps))


def _split_turned_runs(words: list[Word]) -> Iterator[list[Word]]:
    """Text that runs otherwise, in the order of the content, split where the next word is far away."""
    run: list[Word] = []
    for word in words:
        if run and _is_far(run[-1].box, word.box):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _is_far(a: Box, b: Box) -> bool:
    reach = 1.5 * min(max(a[2] - a[0], a[3] - a[1]), 20.0)
    return max(b[0] - a[2], a[0] - b[2]) > reach or max(b[1] - a[3], a[1] - b[3]) > reach
