"""Finding cells: by value, by formula, and along the references of formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from yardkit.servers.sheets.engine.cells.bulk_values import read_values
from yardkit.servers.sheets.engine.cells.cell_formats import CellFormats
from yardkit.servers.sheets.engine.cells.cell_reader import named_area, resolve_area
from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.cells.grid import Content, Grid
from yardkit.servers.sheets.engine.compute.calculations import calculation_of
from yardkit.servers.sheets.engine.compute.formula_index import FormulaIndex
from yardkit.servers.sheets.engine.notation.formulas import format_formula
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell
from yardkit.servers.sheets.engine.notation.text_patterns import compile_pattern
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.results import CellHit, SearchHits
from yardkit.world import Problem

PAGE = 200
BLOCK_CELLS = 20_000
MAX_ROOTS = 100_000


def find_cells(
    path: Path, find: str, *, by: str = "text", sheet: str | None = None, match_case: bool = False, offset: int = 0
) -> SearchHits:
    """The cells whose value (formula, format) has a text or fits a pattern, or that a reference leads to.

    Raises:
        Problem: no workbook, sheet, range or pattern.
    """
    book = Workbook.open(path)
    if by in ("precedents", "dependents"):
        return _page_hits(_trace_cells(book, sheet, find, by), offset)
    search_pattern = compile_pattern(find, regex=by == "regex", match_entire=by == "whole", match_case=match_case)
    infos = [book.sheet(sheet)] if sheet else [info for info in book.sheets if info.kind == "worksheet"]
    grids = {info.name: Grid(book, info) for info in infos}
    formats = CellFormats(book)
    hits = []
    for name, grid in grids.items():
        if by == "formula":
            hits += [(name, cell) for cell, text in _iter_formulas(grid) if search_pattern.search(text)]
            continue
        if by == "format":
            hits += [(name, cell) for cell in _find_formatted(grid, formats, search_pattern)]
            continue
        for texts in _iter_blocks(grid):
            # A part of a value is in none of them where it is not in all of them together.
            if by != "text" or search_pattern.search("\0".join(texts.values())):
                hits += [(name, cell) for cell, text in texts.items() if search_pattern.search(text)]
    looks = formats if by == "format" else None
    shown_hits = [
        _describe_cell(place, _get_content(book, grids, place), looks) for place in hits[offset : offset + PAGE]
    ]
    after = offset + PAGE
    return SearchHits(len(hits), shown_hits, after if after < len(hits) else None)


def _iter_blocks(grid: Grid) -> Iterator[dict[Cell, str]]:
    """The values of all cells as text, block by block."""
    used = grid.get_used_area()
    if used is None:
        return
    step = max(1, BLOCK_CELLS // used.columns)
    for top in range(used.top, used.bottom + 1, step):
        block = Area(top, used.left, min(top + step - 1, used.bottom), used.right)
        yield {
            Cell(number, column): str(value).upper() if isinstance(value, bool) else str(value)
            for number, row in enumerate(read_values(grid, block)[0], start=top)
            for column, value in enumerate(row, start=used.left)
            if value is not None
        }


def _iter_formulas(grid: Grid) -> Iterator[tuple[Cell, str]]:
    for row in grid.formula_rows().values():
        for cell, formula in row.items():
            yield cell, format_formula(formula.text)


def _find_formatted(grid: Grid, formats: CellFormats, search_pattern: re.Pattern[str]) -> Iterator[Cell]:
    """The cells whose format says what is looked for; empty ones where a fill or a border is seen."""
    fits: dict[int, bool] = {}
    for cell, content in grid.contents(Area(1, 1, MAX_ROW, MAX_COLUMN)):
        style = content.style
        if style not in fits:
            format_texts = (
                grid.book.styles.number_format(style),
                *formats.describe_style(style).values(),
                formats.words(style),
            )
            fits[style] = any(search_pattern.search(words) for words in format_texts)
        if fits[style] and (content.kind != "empty" or content.formula is not None or formats.seen_empty(style)):
            yield cell


def _describe_cell(place: Place, content: Content | None, formats: CellFormats | None = None) -> CellHit:
    label = f"{place[0]}!{place[1]}"
    if content is None:
        return CellHit(label)
    formula = None if content.formula is None else format_formula(content.formula)
    return CellHit(label, content.value, formula, formats.words(content.style) if formats else None)


def _page_hits(hits: list[CellHit], offset: int) -> SearchHits:
    after = offset + PAGE
    return SearchHits(len(hits), hits[offset:after], after if after < len(hits) else None)


def _trace_cells(book: Workbook, sheet: str | None, text: str, by: str) -> list[CellHit]:
    sheet, named = named_area(book, sheet, text)
    grids: dict[str, Grid] = {}
    grid = Grid(book, book.sheet(sheet))
    area = resolve_area(grid, named)
    if area is None or area.size > MAX_ROOTS:
        raise Problem(f"{text!r} cannot be traced; give a cell or a range of at most {MAX_ROOTS:,} cells")
    index = calculation_of(book.known).index or FormulaIndex(book, grids)
    if by == "dependents":
        roots = {(grid.info.name, cell) for cell in area.cells()}
        places = sorted(place for place in index.get_graph(book).list_dependents(roots) if index.get(place) is not None)
        return [_describe_cell(place, _get_content(book, grids, place)) for place in places]
    return list(_find_precedents(book, grids, index, grid.info.name, area))


def _find_precedents(
    book: Workbook, grids: dict[str, Grid], index: FormulaIndex, sheet: str, area: Area
) -> Iterator[CellHit]:
    """The areas that the formulas in `area` read, then those that these read, and so on; a formula as one cell."""
    graph, names = index.get_graph(book), {info.name.casefold(): info.name for info in book.sheets}
    waiting, seen = [(sheet, area)], {(sheet, area)}
    while waiting and len(seen) < MAX_ROOTS:
        own, here = waiting.pop(0)
        for place, formula in index.list_within(own, here):
            for other, read in graph.list_reads(place, formula.text):
                source = names.get(other.casefold(), other), read
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)
                    single = read.size == 1
                    content = _get_content(book, grids, (source[0], next(read.cells()))) if single else None
                    yield (
                        CellHit(f"{source[0]}!{read}", None, None)
                        if not single
                        else _describe_cell((source[0], next(read.cells())), content)
                    )


def _get_content(book: Workbook, grids: dict[str, Grid], place: Place) -> Content | None:
    sheet, cell = place
    if sheet not in {info.name for info in book.sheets if info.kind == "worksheet"}:
        return None
    grid = grids.setdefault(sheet, Grid(book, book.sheet(sheet)))
    return next((content for _, content in grid.contents(Area(*cell, *cell))), None)
