"""Two workbooks compared by what they say: sheets, names, values, formulas, formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from toolyard.servers.sheets.engine.formulas import shown
from toolyard.servers.sheets.engine.grid import Content, Grid
from toolyard.servers.sheets.engine.refs import Cell
from toolyard.servers.sheets.engine.results import Comparison, Difference
from toolyard.servers.sheets.engine.styles import Styles
from toolyard.servers.sheets.engine.workbook import Workbook
from toolyard.world import Problem


def compare(
    path: Path, other: Path, sheet: str | None = None, *, formats: bool = False, offset: int = 0, limit: int = 200
) -> Comparison:
    """What differs from the workbook at `path` to the one at `other`, whose sheets are matched by name.

    Raises:
        Problem: one is no workbook, or `sheet` is in neither.
    """
    before, after = Workbook.open(path), Workbook.open(other)
    old = {info.name: info for info in before.sheets if info.kind == "worksheet"}
    new = {info.name: info for info in after.sheets if info.kind == "worksheet"}
    if sheet is not None and sheet not in old.keys() | new.keys():
        raise Problem(f"there is no sheet {sheet!r} in either workbook; they have {', '.join(sorted(old | new))}")
    wanted = [name for name in old if name in new and sheet in (None, name)]
    found = [
        difference
        for name in wanted
        for difference in _sheet(Grid(before, old[name]), Grid(after, new[name]), name, formats=formats)
    ]
    added = [name for name in new if name not in old and sheet in (None, name)]
    removed = [name for name in old if name not in new and sheet in (None, name)]
    names = _names(before, after) if sheet is None else []
    end = offset + limit
    return Comparison(
        not (found or added or removed or names),
        len(found),
        found[offset:end],
        added,
        removed,
        names,
        end if end < len(found) else None,
    )


def _names(before: Workbook, after: Workbook) -> list[str]:
    old, new = ({(name.name, name.scope): name.formula for name in book.names} for book in (before, after))
    keys = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
    return [f"{key[0]}: {old.get(key, 'none')} -> {new.get(key, 'none')}" for key in keys]


def _sheet(before: Grid, after: Grid, name: str, *, formats: bool) -> Iterator[Difference]:
    old, new = _contents(before), _contents(after)
    looks: dict[tuple[int, int], tuple[str, str]] = {}
    for cell in sorted(old.keys() | new.keys()):
        a, b = old.get(cell), new.get(cell)
        yield from _cell(f"{name}!{cell}", a, b)
        if formats:
            key = (a.style if a else 0, b.style if b else 0)
            if key not in looks:
                looks[key] = described(before.book.styles, key[0]), described(after.book.styles, key[1])
            if looks[key][0] != looks[key][1]:
                yield Difference(f"{name}!{cell}", "format", *looks[key])
    if {str(area) for area in before.merged()} != {str(area) for area in after.merged()}:
        merged = (", ".join(sorted(str(area) for area in grid.merged())) for grid in (before, after))
        yield Difference(name, "merged", *merged)


def _cell(name: str, a: Content | None, b: Content | None) -> Iterator[Difference]:
    texts = [shown(each.formula) if each is not None and each.formula is not None else None for each in (a, b)]
    values = [each.value if each is not None else None for each in (a, b)]
    if texts[0] != texts[1]:
        yield Difference(name, "formula", *texts)
    if values[0] != values[1] or isinstance(values[0], bool) != isinstance(values[1], bool):
        yield Difference(name, "value", *values)


def _contents(grid: Grid) -> dict[Cell, Content]:
    used = grid.used()
    return dict(grid.contents(used)) if used else {}


def described(styles: Styles, style: int) -> str:
    """A cell style as words that are the same in every workbook: number format, font, fill, border, alignment."""
    parts = [styles.number_format(style), *styles.parts(style)]
    return "; ".join(part for part in parts if part)
