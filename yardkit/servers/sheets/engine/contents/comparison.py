"""Two workbooks compared by what they say: sheets, names, rows and columns, values, formulas, formats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from yardkit.servers.sheets.engine.cells.cell_formats import CellFormats
from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.contents.line_alignment import Alignment, Contents, align_versions
from yardkit.servers.sheets.engine.notation.formulas import format_formula
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell, column_name
from yardkit.servers.sheets.engine.notation.rewritten_formulas import GONE, Ref, rewrite_formula
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.servers.sheets.engine.package.workbook import SheetInfo, Workbook
from yardkit.servers.sheets.engine.results import Comparison, Difference
from yardkit.world import Problem

_MOST_LISTED = 100
"""Cells of a row or column that came or went."""


def compare_workbooks(
    path: Path, other: Path, sheet: str | None = None, *, formats: bool = False, offset: int = 0, limit: int = 200
) -> Comparison:
    """What differs from the workbook at `path` to the one at `other`, whose sheets are matched by name.

    Rows and columns that came or went are told as such; the others are compared where they are now, and formulas that
    only followed them are the same.

    Raises:
        Problem: one is no workbook, or `sheet` is in neither.
    """
    versions = _Versions(Workbook.open(path), Workbook.open(other))
    old, new = versions.old, versions.new
    if sheet is not None and sheet not in old.keys() | new.keys():
        raise Problem(f"neither workbook has a sheet {sheet!r}; they have {', '.join(sorted(old | new))}")
    common_sheets = [name for name in old if name in new and sheet in (None, name)]
    differences = [difference for name in common_sheets for difference in versions.sheet(name, formats=formats)]
    added = [name for name in new if name not in old and sheet in (None, name)]
    removed = [name for name in old if name not in new and sheet in (None, name)]
    names = versions.names() if sheet is None else []
    end = offset + limit
    return Comparison(
        not (differences or added or removed or names),
        len(differences),
        differences[offset:end],
        added,
        removed,
        names,
        end if end < len(differences) else None,
    )


class _Sheet:
    """A worksheet of one version."""

    def __init__(self, book: Workbook, info: SheetInfo) -> None:
        self._book, self._info = book, info

    @cached_property
    def grid(self) -> Grid:
        return Grid(self._book, self._info)

    @cached_property
    def cells(self) -> Contents:
        """All cells that the part has, those too that are empty and have a format."""
        return dict(self.grid.contents(Area(1, 1, MAX_ROW, MAX_COLUMN)))


_Change = tuple[str | None, str | None]
"""What a format said and says, of what differs."""


@dataclass(frozen=True)
class _Pair:
    """A cell that stayed: where it was and is, and what stood and stands in it."""

    was: Cell
    now: Cell
    before: Content | None
    after: Content | None


class _Versions:
    """An earlier and a later workbook; `old` and `new` are their worksheets by name."""

    def __init__(self, before: Workbook, after: Workbook) -> None:
        self._before, self._after = before, after
        self.old, self.new = (
            {info.name: _Sheet(book, info) for info in book.sheets if info.kind == "worksheet"}
            for book in (before, after)
        )
        self._both = {name.casefold(): name for name in self.old if name in self.new}
        self._aligned: dict[str, Alignment | None] = {}
        self._looks = CellFormats(before), CellFormats(after)

    def names(self) -> list[str]:
        """Defined names that came, went, or say something else than before."""
        old, new = (
            {(name.name, name.scope): name.formula for name in book.names} for book in (self._before, self._after)
        )
        now = {key: self._translate_formula(formula, key[1] or "") for key, formula in old.items()}
        differing = (key for key in old.keys() | new.keys() if now.get(key) != new.get(key))
        keys = sorted(differing, key=lambda key: (key[0], key[1] or ""))
        return [f"{key[0]}: {old.get(key, 'none')} -> {new.get(key, 'none')}" for key in keys]

    def sheet(self, name: str, *, formats: bool) -> Iterator[Difference]:
        """What differs on a sheet that both have."""
        aligned = self._get_alignment(name)
        if aligned is not None:
            yield from _compare_lines(name, self.old[name].cells, self.new[name].cells, aligned)
        pairs = list(self._iter_pairs(name, aligned))
        for pair in pairs:
            label, was = f"{name}!{pair.now}", str(pair.was) if pair.was != pair.now else None
            for what, before, after in self._compare_cells(name, pair.before, pair.after):
                yield Difference(label, what, before, after, was)
        if formats:
            yield from self._compare_formats(name, pairs)
        yield from self._compare_merged(name, aligned)

    def _iter_pairs(self, name: str, aligned: Alignment | None) -> Iterator[_Pair]:
        old, new = self.old[name].cells, self.new[name].cells
        if aligned is None:
            yield from (_Pair(cell, cell, old.get(cell), new.get(cell)) for cell in sorted(old.keys() | new.keys()))
            return
        back = aligned.invert()
        stayed = {now: was for was in old if (now := aligned.place(was))}
        stayed |= {now: was for now in new if now not in stayed and (was := back.place(now))}
        yield from (_Pair(stayed[cell], cell, old.get(stayed[cell]), new.get(cell)) for cell in sorted(stayed))

    def _compare_cells(self, sheet: str, a: Content | None, b: Content | None) -> Iterator[tuple[str, Scalar, Scalar]]:
        old, new = a.formula if a is not None else None, b.formula if b is not None else None
        broken = new is not None and GONE in new and GONE not in (old or "")
        if broken or (old if old is None else self._translate_formula(old, sheet)) != new:
            yield "formula", None if old is None else format_formula(old), None if new is None else format_formula(new)
        values = [content.value if content is not None else None for content in (a, b)]
        if values[0] != values[1] or isinstance(values[0], bool) != isinstance(values[1], bool):
            yield "value", values[0], values[1]

    def _compare_formats(self, name: str, pairs: list[_Pair]) -> Iterator[Difference]:
        """What formats say otherwise than before, for all cells together where it is the same."""
        known: dict[tuple[int, int], _Change] = {}
        changed: dict[_Change, list[tuple[Cell, Cell]]] = {}
        for pair in pairs:
            styles = (pair.before.style if pair.before else 0, pair.after.style if pair.after else 0)
            if styles not in known:
                known[styles] = _compare_formats(
                    self._looks[0].describe_style(styles[0]), self._looks[1].describe_style(styles[1])
                )
            if known[styles] != (None, None):
                changed.setdefault(known[styles], []).append((pair.now, pair.was))
        for change, cells in changed.items():
            for now, was in _group_blocks(cells):
                yield Difference(f"{name}!{now}", "format", *change, str(was) if was != now else None)

    def _compare_merged(self, name: str, aligned: Alignment | None) -> Iterator[Difference]:
        old, new = self.old[name].grid.list_merged(), self.new[name].grid.list_merged()
        moved = [area if aligned is None else aligned.get_later_area(area) for area in old]
        if {str(area) for area in moved if area} != {str(area) for area in new}:
            yield Difference(name, "merged", *(", ".join(sorted(str(area) for area in areas)) for areas in (old, new)))

    def _translate_formula(self, formula: str, own: str) -> str:
        """A formula of the earlier workbook as it reads where rows and columns came and went."""

        def change(ref: Ref) -> Ref | None:
            name = self._both.get((ref.sheet or own).casefold())
            aligned = self._get_alignment(name) if name is not None else None
            return ref if aligned is None else aligned.ref(ref)

        stays = "!" not in formula and own in self.old and own in self.new and self._get_alignment(own) is None
        return formula if stays else rewrite_formula(formula, change)

    def _get_alignment(self, name: str) -> Alignment | None:
        """Which rows and columns of a sheet are which later; None where none came or went."""
        if name not in self._aligned:
            old, new = self.old[name].cells, self.new[name].cells
            aligned = None if old == new else align_versions(old, new)
            self._aligned[name] = aligned if aligned is not None and aligned.changed else None
        return self._aligned[name]


def _compare_lines(name: str, old: Contents, new: Contents, aligned: Alignment) -> Iterator[Difference]:
    """The rows and columns that went and came, with what they say; not the empty ones around cells put far away."""
    for rows, lines in ((True, aligned.rows), (False, aligned.columns)):
        word = "row" if rows else "column"
        for gone, contents, numbers, stayed in (
            (True, old, lines.gone, lines.old),
            (False, new, lines.come, lines.new),
        ):
            line_texts = _describe_lines(contents, numbers, rows=rows)
            for number in numbers:
                if number in line_texts or (stayed and number < stayed[-1]):
                    line, text = str(number) if rows else column_name(number), line_texts.get(number, "[]")
                    label, what = f"{name}!{line}:{line}", f"{word} {'removed' if gone else 'added'}"
                    yield Difference(label, what, text if gone else None, None if gone else text)


def _describe_lines(contents: Contents, numbers: list[int], *, rows: bool) -> dict[int, str]:
    """The first cells of rows (or columns) that say something, as JSON; formulas as such."""
    requested_numbers, line_values = set(numbers), dict[int, list[Scalar]]()
    for cell in sorted(contents) if requested_numbers else ():
        number, at = (cell.row, cell.column) if rows else (cell.column, cell.row)
        content = contents[cell]
        if number in requested_numbers and (content.formula is not None or content.value is not None):
            cells = line_values.setdefault(number, [])
            if at <= _MOST_LISTED:
                cells += [None] * (at - len(cells) - 1)
                cells.append(content.value if content.formula is None else format_formula(content.formula))
    return {number: json.dumps(cells, ensure_ascii=False) for number, cells in line_values.items()}


def _compare_formats(before: dict[str, str], after: dict[str, str]) -> _Change:
    """What two formats say that the other does not."""
    keys = [key for key in before | after if before.get(key) != after.get(key)]
    usual = {"number format": "General"}
    format_texts = (
        "; ".join(filter(None, (record.get(key, usual.get(key)) for key in keys))) for record in (before, after)
    )
    return next(format_texts) or None, next(format_texts) or None


def _group_blocks(cells: list[tuple[Cell, Cell]]) -> list[tuple[Area, Area]]:
    """Cells with where they were, in their order, as areas that moved as one."""
    runs: list[tuple[Area, Area]] = []
    for now, was in cells:
        first_block = Area(*now, *now), Area(*was, *was)
        if runs and _is_following(runs[-1], first_block, down=False):
            runs[-1] = runs[-1][0].join(first_block[0]), runs[-1][1].join(first_block[1])
        else:
            runs.append(first_block)
    blocks: dict[tuple[int, int], list[tuple[Area, Area]]] = {}
    for run in runs:
        above = blocks.setdefault((run[0].left, run[0].right), [])
        if above and _is_following(above[-1], run, down=True):
            above[-1] = above[-1][0].join(run[0]), above[-1][1].join(run[1])
        else:
            above.append(run)
    return sorted(
        (block for block_list in blocks.values() for block in block_list),
        key=lambda block: (block[0].top, block[0].left),
    )


def _is_following(first_areas: tuple[Area, Area], other: tuple[Area, Area], *, down: bool) -> bool:
    """Whether two areas, which are as high or as wide as each other, are neighbours, and were."""
    return all(
        (b.top, b.left) == ((a.bottom + 1, a.left) if down else (a.top, a.right + 1))
        and (a.columns == b.columns if down else a.rows == b.rows)
        for a, b in zip(first_areas, other, strict=True)
    )
