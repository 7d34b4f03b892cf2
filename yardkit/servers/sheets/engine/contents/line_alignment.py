"""Rows and columns of two versions of a sheet matched, so that what merely moved is no difference.

Lines that say the same in both versions and only once are matched first, in order (patience: the longest rising run of
them); what lies between is matched by how many cells it shares. difflib would take quadratic time over sheets of which
every other row changed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from yardkit.servers.sheets.engine.cells.grid import Content
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell
from yardkit.servers.sheets.engine.notation.rewritten_formulas import Ref

Contents = Mapping[Cell, Content]
Token = tuple[Hashable, ...]
Bag = frozenset[Token]
_MOST = 10_000
"""Pairs of lines that are compared cell by cell in one stretch; longer ones are matched in order."""
_SAMPLE = 1_000
"""Cells of a column that are looked at."""
_LEAST_LIKENESS = 0.3
"""Share of common cells from which two lines are the same line, changed."""


@dataclass(frozen=True)
class Lines:
    """Which rows (or columns) of the earlier version are which of the later one: two rising lists, side by side;
    `gone` are only in the earlier, `come` only in the later.
    """

    old: Sequence[int]
    new: Sequence[int]
    gone: list[int]
    come: list[int]

    @cached_property
    def places(self) -> dict[int, int]:
        """The later number of each line that stayed."""
        return dict(zip(self.old, self.new, strict=True))

    @cached_property
    def _end(self) -> int:
        return max((*self.old[-1:], *self.gone[-1:]), default=0)

    @cached_property
    def _beyond(self) -> int:
        return self.new[-1] - self.old[-1] if self.old else 0

    @cached_property
    def _come(self) -> frozenset[int]:
        return frozenset(self.come)

    def place(self, line: int) -> int | None:
        """The later number of a line; None when it went. Empty lines below all others move with the last of them."""
        if line <= self._end:
            return self.places.get(line)
        later = line + self._beyond
        return None if later in self._come or later < 1 else later

    def invert(self) -> Lines:
        """The same from the later version to the earlier."""
        return Lines(self.new, self.old, self.come, self.gone)

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Where a run of lines is later; None when all of it went. Beyond the last line nothing came or went."""
        start, stop = bisect_left(self.old, first), bisect_right(self.old, last) - 1
        top = self.new[start] if start < len(self.old) else first + self._beyond
        bottom = last + self._beyond if not self.old or last > self.old[-1] else self.new[stop] if stop >= 0 else 0
        return (top, bottom) if top <= bottom else None


@dataclass(frozen=True)
class Alignment:
    """Which rows and columns of two versions of a sheet are the same."""

    rows: Lines
    columns: Lines

    @property
    def changed(self) -> bool:
        """Whether any row or column came or went."""
        return any((self.rows.gone, self.rows.come, self.columns.gone, self.columns.come))

    def invert(self) -> Alignment:
        """The same from the later version to the earlier."""
        return Alignment(self.rows.invert(), self.columns.invert())

    def place(self, cell: Cell) -> Cell | None:
        """Where a cell is later; None where its row or column went."""
        row, column = self.rows.place(cell.row), self.columns.place(cell.column)
        return None if row is None or column is None else Cell(row, column)

    def get_later_area(self, area: Area) -> Area | None:
        """Where an area is later; None when all of it went."""
        rows = (area.top, area.bottom)
        columns = (area.left, area.right)
        new_rows = rows if rows == (1, MAX_ROW) else self.rows.span(*rows)
        new_columns = columns if columns == (1, MAX_COLUMN) else self.columns.span(*columns)
        if new_rows is None or new_columns is None:
            return None
        return Area(new_rows[0], new_columns[0], min(new_rows[1], MAX_ROW), min(new_columns[1], MAX_COLUMN))

    def ref(self, ref: Ref) -> Ref | None:
        """A reference as it reads later."""
        area = self.get_later_area(ref.area)
        return None if area is None else replace(ref, area=area)


def align_versions(old: Contents, new: Contents) -> Alignment:
    """Match the rows and columns of two versions of a sheet."""
    columns = _align_columns(old, new)
    before = _build_bags(old, columns.places)
    after = _build_bags(new, {column: column for column in columns.new})
    return Alignment(_match_lines(before, after, before, after), columns)


def _align_columns(old: Contents, new: Contents) -> Lines:
    heads: list[list[Hashable]] = [[], []]
    bags: list[list[Bag]] = [[], []]
    for version, contents in enumerate((old, new)):
        tokens: dict[int, list[Token]] = {}
        for cell in sorted(contents):
            token = _make_token(contents[cell])
            if token is not None and len(tokens.setdefault(cell.column, [])) < _SAMPLE:
                tokens[cell.column].append(token)
        for column in range(1, max(tokens, default=0) + 1):
            cells = tokens.get(column, [])
            heads[version].append(next((token for token in cells if token[0] == "text"), None))
            bags[version].append(frozenset(cells))
    return _match_lines(heads[0], heads[1], bags[0], bags[1])


def _build_bags(contents: Contents, columns: Mapping[int, int]) -> list[Bag]:
    """What each row says, cell by cell, with the columns by their later numbers."""
    cells: dict[int, list[Token]] = {}
    for cell, content in contents.items():
        if (token := _make_token(content)) is not None:
            row_tokens, column = cells.setdefault(cell.row, []), columns.get(cell.column)
            row_tokens += [] if column is None else [(column, *token)]
    empty: Bag = frozenset()
    return [frozenset(cells[row]) if row in cells else empty for row in range(1, max(cells, default=0) + 1)]


def _make_token(content: Content) -> Token | None:
    """What a cell says of its own; a formula's value and references depend on other cells."""
    if content.formula is not None:
        return ("formula",)
    return None if content.value is None else (content.kind, content.value)


def _match_lines(
    old_keys: Sequence[Hashable], new_keys: Sequence[Hashable], old: Sequence[Bag], new: Sequence[Bag]
) -> Lines:
    pairs: list[tuple[int, int]] = []
    open_ = [(0, len(old), 0, len(new))]
    while open_:
        top, bottom, new_top, new_bottom = open_.pop()
        while top < bottom and new_top < new_bottom and old[top] == new[new_top]:
            pairs.append((top, new_top))
            top, new_top = top + 1, new_top + 1
        while top < bottom and new_top < new_bottom and old[bottom - 1] == new[new_bottom - 1]:
            bottom, new_bottom = bottom - 1, new_bottom - 1
            pairs.append((bottom, new_bottom))
        anchors = _find_anchors(old_keys, new_keys, (top, bottom, new_top, new_bottom))
        if not anchors:
            pairs += _by_likeness(old, new, (top, bottom, new_top, new_bottom))
            continue
        pairs += anchors
        starts = [(top, new_top), *((a + 1, b + 1) for a, b in anchors)]
        ends = [*anchors, (bottom, new_bottom)]
        open_ += [(a, end, b, new_end) for (a, b), (end, new_end) in zip(starts, ends, strict=True)]
    pairs.sort()
    stayed, now = [a + 1 for a, _ in pairs], [b + 1 for _, b in pairs]
    return Lines(stayed, now, _list_others(len(old), stayed), _list_others(len(new), now))


def _list_others(count: int, lines: Sequence[int]) -> list[int]:
    there = set(lines)
    return [line for line in range(1, count + 1) if line not in there]


Stretch = tuple[int, int, int, int]
"""First line and end in the earlier version, first line and end in the later one."""


def _find_anchors(old: Sequence[Hashable], new: Sequence[Hashable], stretch: Stretch) -> list[tuple[int, int]]:
    """Lines that stand once in each version, in the longest order that both share."""
    top, bottom, new_top, new_bottom = stretch
    counts, new_counts = Counter(old[top:bottom]), Counter(new[new_top:new_bottom])
    places = {new[at]: at for at in range(new_top, new_bottom) if new[at] and new_counts[new[at]] == 1}
    both = [(at, places[old[at]]) for at in range(top, bottom) if counts[old[at]] == 1 and old[at] in places]
    return _find_rising_run(both)


def _find_rising_run(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second numbers rise."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, later) in enumerate(pairs):
        length = bisect_left(ends, later)
        ends[length : length + 1] = [later]
        last[length : length + 1] = [index]
        before.append(last[length - 1] if length else -1)
    rising_pairs, index = [], last[-1] if last else -1
    while index >= 0:
        rising_pairs.append(pairs[index])
        index = before[index]
    return rising_pairs[::-1]


def _by_likeness(old: Sequence[Bag], new: Sequence[Bag], stretch: Stretch) -> list[tuple[int, int]]:
    """The lines of a stretch without anchors, matched so that they share the most (Needleman and Wunsch, 1970)."""
    top, bottom, new_top, new_bottom = stretch
    count, new_count = bottom - top, new_bottom - new_top
    if not count or not new_count or count * new_count > _MOST:
        return [(top + step, new_top + step) for step in range(min(count, new_count))]
    best = [[0.0] * (new_count + 1) for _ in range(count + 1)]
    for i in range(count - 1, -1, -1):
        for j in range(new_count - 1, -1, -1):
            paired = best[i + 1][j + 1] + _measure_likeness(old[top + i], new[new_top + j]) - _LEAST_LIKENESS
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < count and j < new_count:
        if best[i][j] > max(best[i + 1][j], best[i][j + 1]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return [(top + i, new_top + j) for i, j in _with_replaced(pairs, count, new_count)]


def _with_replaced(pairs: list[tuple[int, int]], count: int, new_count: int) -> list[tuple[int, int]]:
    """As many lines as stood between two matched ones stand there later: they are the same, wholly rewritten."""
    aligned_pairs, start, new_start = [], 0, 0
    for end, new_end in [*pairs, (count, new_count)]:
        if end - start == new_end - new_start:
            aligned_pairs += list(zip(range(start, end), range(new_start, new_end), strict=True))
        start, new_start = end + 1, new_end + 1
    return aligned_pairs + pairs


def _measure_likeness(a: Bag, b: Bag) -> float:
    """The share of common cells; an empty line that was filled is rather the same line than another."""
    if not a or not b:
        return _LEAST_LIKENESS + 0.01 if a or b else 1.0
    return len(a & b) / len(a | b)
