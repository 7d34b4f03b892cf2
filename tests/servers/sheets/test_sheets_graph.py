"""Which formulas depend on a cell: as many as there are, and found in no time."""

import time
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yardkit.servers.sheets.engine.cells.dependencies import Graph
from yardkit.servers.sheets.engine.cells.grid import FormulaCell
from yardkit.servers.sheets.engine.cells.regions import Regions
from yardkit.servers.sheets.engine.notation.references import MAX_COLUMN, MAX_ROW, Area, Cell
from yardkit.servers.sheets.engine.package.workbook import Workbook


def draw_line_spans(last: int) -> st.SearchStrategy[tuple[int, int]]:
    number = st.one_of(st.integers(1, 9), st.integers(1, last), st.just(last))
    return st.tuples(number, number).map(lambda pair: (min(pair), max(pair)))


AREAS = st.builds(
    lambda rows, columns: Area(rows[0], columns[0], rows[1], columns[1]),
    draw_line_spans(MAX_ROW),
    draw_line_spans(MAX_COLUMN),
)


@given(areas=st.lists(AREAS, unique=True, max_size=12), removed=st.integers(0, 12), data=st.data())
def test_the_areas_around_a_cell_are_those_that_hold_it(areas: Any, removed: Any, data: Any) -> None:
    regions = Regions()
    for area in areas:
        regions.add(area)
    for area in areas[:removed]:
        regions.remove(area)
    left = areas[removed:]
    corners = [Cell(area.bottom, area.right) for area in areas] or [Cell(1, 1)]
    cell = data.draw(st.one_of(st.sampled_from(corners), st.builds(Cell, st.integers(1, 12), st.integers(1, 12))))
    assert set(regions.iter_around(cell, set())) == {area for area in left if cell in area}


@given(areas=st.lists(AREAS, unique=True, max_size=12), cells=st.lists(st.builds(Cell, *[st.integers(1, 9)] * 2)))
def test_areas_that_were_seen_around_other_cells_are_not_given_again(areas: Any, cells: Any) -> None:
    regions, seen = Regions(), set[Any]()
    for area in areas:
        regions.add(area)
    all_areas = [area for cell in cells for area in regions.iter_around(cell, seen)]
    assert set(all_areas) == {area for area in areas if any(cell in area for cell in cells)}


def graph_of(folder: Path, formulas: dict[str, str]) -> Graph:
    openpyxl.Workbook().save(folder / "empty.xlsx")
    places = {
        ("Sheet", Cell(int(cell[1:]), ord(cell[0]) - 64)): FormulaCell(text, area=None, dynamic=False, has_value=True)
        for cell, text in formulas.items()
    }
    return Graph(places, Workbook.open(folder / "empty.xlsx"))


@pytest.mark.drill
def test_dependents_of_thousands_of_running_totals_are_found_in_no_time(tmp_path: Path) -> None:
    rows = range(1, 20_001)
    formulas = {f"B{row}": f"A{row}*$D$1" for row in rows}
    formulas |= {f"C{row}": f"SUM(B$1:B{row})" for row in rows} | {f"E{row}": f"SUM(C{row}:C{row + 5})" for row in rows}
    graph, started = graph_of(tmp_path, formulas), time.process_time()
    assert len(graph.list_dependents([("Sheet", Cell(1, 4))])) == 60_000
    last = graph.list_dependents([("Sheet", Cell(row, 2)) for row in range(19_999, 20_001)])
    assert last == {("Sheet", Cell(row, 3)) for row in (19_999, 20_000)} | {
        ("Sheet", Cell(row, 5)) for row in range(19_994, 20_001)
    }
    for row in rows:
        graph.drop(("Sheet", Cell(row, 3)))
    assert graph.list_dependents([("Sheet", Cell(1, 2))]) == set()
    assert time.process_time() - started < 10  # It took minutes when each cell looked at all areas of its sheet.
