"""Finding cells: by value, by formula, and along the references of formulas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from toolyard.servers.sheets.engine.formulas import shown
from toolyard.servers.sheets.engine.graph import Place
from toolyard.servers.sheets.engine.grid import Content, Grid
from toolyard.servers.sheets.engine.index import FormulaIndex
from toolyard.servers.sheets.engine.patterns import pattern
from toolyard.servers.sheets.engine.reading import named_area, whole_area
from toolyard.servers.sheets.engine.refs import Area
from toolyard.servers.sheets.engine.results import Found, FoundCell
from toolyard.servers.sheets.engine.workbook import Workbook
from toolyard.world import Problem

PAGE = 200
MAX_ROOTS = 100_000


def find_cells(
    path: Path, find: str, *, by: str = "text", sheet: str | None = None, match_case: bool = False, offset: int = 0
) -> Found:
    """The cells whose value (or formula) has a text or fits a pattern, or that a reference leads to.

    Raises:
        Problem: no workbook, sheet, range or pattern.
    """
    book = Workbook.open(path)
    if by in ("precedents", "dependents"):
        return _page(_traced(book, sheet, find, by), offset)
    found = pattern(find, regex=by == "regex", whole=by == "whole", match_case=match_case)
    infos = [book.sheet(sheet)] if sheet else [info for info in book.sheets if info.kind == "worksheet"]
    hits = []
    for info in infos:
        grid = Grid(book, info)
        used = grid.used()
        for cell, content in grid.contents(used) if used else ():
            if content.kind == "empty" and content.formula is None:
                continue
            text = _text(content, formula=by == "formula")
            if text is not None and found.search(text):
                hits.append(_found((info.name, cell), content))
    return _page(hits, offset)


def _text(content: Content, *, formula: bool) -> str | None:
    if formula:
        return None if content.formula is None else shown(content.formula)
    if content.value is None:
        return None
    return str(content.value).upper() if isinstance(content.value, bool) else str(content.value)


def _found(place: Place, content: Content | None) -> FoundCell:
    formula = None if content is None or content.formula is None else shown(content.formula)
    return FoundCell(f"{place[0]}!{place[1]}", None if content is None else content.value, formula)


def _page(hits: list[FoundCell], offset: int) -> Found:
    after = offset + PAGE
    return Found(len(hits), hits[offset:after], after if after < len(hits) else None)


def _traced(book: Workbook, sheet: str | None, text: str, by: str) -> list[FoundCell]:
    sheet, named = named_area(book, sheet, text)
    grids: dict[str, Grid] = {}
    grid = Grid(book, book.sheet(sheet))
    area = whole_area(grid, named)
    if area is None or area.size > MAX_ROOTS:
        raise Problem(f"{text!r} cannot be traced; name a cell or a range of at most {MAX_ROOTS:,} cells")
    index = book.known.index or FormulaIndex(book, grids)
    if by == "dependents":
        roots = {(grid.info.name, cell) for cell in area.cells()}
        places = sorted(place for place in index.graph(book).dependents(roots) if index.get(place) is not None)
        return [_found(place, _content(book, grids, place)) for place in places]
    return list(_precedents(book, grids, index, grid.info.name, area))


def _precedents(
    book: Workbook, grids: dict[str, Grid], index: FormulaIndex, sheet: str, area: Area
) -> Iterator[FoundCell]:
    """The areas that the formulas in `area` read, then those that these read, and so on; a formula as one cell."""
    graph, names = index.graph(book), {info.name.casefold(): info.name for info in book.sheets}
    waiting, seen = [(sheet, area)], {(sheet, area)}
    while waiting and len(seen) < MAX_ROOTS:
        own, here = waiting.pop(0)
        for place, formula in index.within(own, here):
            for other, read in graph.reads(place, formula.text):
                source = names.get(other.casefold(), other), read
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)
                    single = read.size == 1
                    content = _content(book, grids, (source[0], next(read.cells()))) if single else None
                    yield (
                        FoundCell(f"{source[0]}!{read}", None, None)
                        if not single
                        else _found((source[0], next(read.cells())), content)
                    )


def _content(book: Workbook, grids: dict[str, Grid], place: Place) -> Content | None:
    sheet, cell = place
    if sheet not in {info.name for info in book.sheets if info.kind == "worksheet"}:
        return None
    grid = grids.setdefault(sheet, Grid(book, book.sheet(sheet)))
    return next((content for _, content in grid.contents(Area(*cell, *cell))), None)
