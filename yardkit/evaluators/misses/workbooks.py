"""Near misses in workbooks. Columns are given by their header in row 1, rows by a condition on their values."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.misses.edits import Change, Leaves, edit_file, make_edit_decorator, make_miss, set_attributes
from yardkit.evaluators.proof import Miss, Solved
from yardkit.evaluators.readers.engines.formula_tokens import move_formula
from yardkit.evaluators.readers.engines.workbook_files import is_formula, load_workbook

Row = Mapping[str, Any]
Where = Callable[[Row], object]


@dataclass(frozen=True)
class InSheet:
    """Near misses in the sheet `name` of the workbook at `path`."""

    path: str
    name: str

    def column(
        self,
        header: str,
        change: Callable[[Any, Row, Solved], Any] | Callable[[Any], Any] | tuple[str, str],
        caught_by: Leaves,
        *,
        where: Where = lambda _row: True,
    ) -> Miss:
        """The cells of a column are changed in each row that matches `where`.

        `change` returns the new content for the old one (and the row and the solved world, if it has three parameters),
        or is a pattern and its replacement, for texts and formulas.
        """

        def edit(book: Any, work: Solved) -> None:
            for cells in list(_list_cells(book[self.name])):
                row = {title: cell.value for title, cell in cells.items()}
                if where(row) and row[header] is not None:
                    cells[header].value = _apply_change(change, row, header, work)

        return edit_file(self.path, edit, caught_by)

    def frozen(self, *headers: str, caught_by: Leaves) -> Miss:
        """The formulas of some columns are pasted as values: right numbers that do not follow changes."""

        def corrupt_world(work: Solved) -> None:
            values = load_workbook(work.files / self.path, data_only=True)[self.name]
            stored = [{title: cell.value for title, cell in cells.items()} for cells in _list_cells(values)]

            def edit(book: Any, _work: Solved) -> None:
                for cells, row in zip(_list_cells(book[self.name]), stored, strict=True):
                    for header in headers:
                        cells[header].value = row[header]

            edit_file(self.path, edit, caught_by)(work)

        return make_miss(caught_by, corrupt_world)

    def row_gone(self, caught_by: Leaves, *, where: Where = lambda _row: True, all_of: bool = False) -> Miss:
        """The first row that matches `where`, or all of them, are missing."""

        def edit(book: Any, _work: Solved) -> None:
            matching_rows = [number for number, row in _list_rows(book[self.name]) if where(row)]
            for number in reversed(matching_rows if all_of else matching_rows[:1]):
                book[self.name].delete_rows(number)

        return edit_file(self.path, edit, caught_by)

    def row_doubled(self, caught_by: Leaves, *, where: Where = lambda _row: True) -> Miss:
        """The last row that matches `where` is there twice."""

        def edit(book: Any, _work: Solved) -> None:
            *_, (number, _row) = ((number, row) for number, row in _list_rows(book[self.name]) if where(row))
            book[self.name].append([cell.value for cell in book[self.name][number]])

        return edit_file(self.path, edit, caught_by)

    def row_added(self, values: Callable[[Solved], Sequence[Any]], caught_by: Leaves) -> Miss:
        """There is a wrong row below the others."""
        return edit_file(self.path, lambda book, work: book[self.name].append(list(values(work))), caught_by)

    def rows_sorted(self, header: str, caught_by: Leaves) -> Miss:
        """The rows are sorted by another column, and formulas move with them."""

        def edit(book: Any, _work: Solved) -> None:
            given = [
                {title: (cell.coordinate, cell.value) for title, cell in cells.items()}
                for cells in _list_cells(book[self.name])
            ]
            given.sort(key=lambda row: str(row[header][1]))
            for cells, row in zip(_list_cells(book[self.name]), given, strict=True):
                for title, cell in cells.items():
                    origin, value = row[title]
                    cell.value = move_formula(value, origin, cell.coordinate) if is_formula(value) else value

        return edit_file(self.path, edit, caught_by)

    def number_format_lost(self, *headers: str, caught_by: Leaves) -> Miss:
        """The numbers of some columns lose their number format."""

        def edit(book: Any, _work: Solved) -> None:
            for cells in _list_cells(book[self.name]):
                for header in headers:
                    cells[header].number_format = "General"

        return edit_file(self.path, edit, caught_by)

    def change_rule(self, formula: str, caught_by: Leaves) -> Miss:
        """The first conditional format of a sheet has another formula."""

        def edit(book: Any, _work: Solved) -> None:
            next(iter(book[self.name].conditional_formatting)).rules[0].formula = [formula]

        return edit_file(self.path, edit, caught_by)

    def rule_added(self, cells: str, formula: str, caught_by: Leaves) -> Miss:
        """An additional conditional format colours cells by another formula."""
        return self.edit_sheet(lambda sheet: add_rule(sheet, cells, formula), caught_by)

    def rules_unseen(self, caught_by: Leaves) -> Miss:
        """The conditional formats use white."""

        def edit(sheet: Any) -> None:
            from openpyxl.styles import PatternFill

            for rule in (rule for area in sheet.conditional_formatting for rule in area.rules):
                rule.dxf.fill, rule.dxf.font = PatternFill(bgColor="FFFFFF"), None

        return self.edit_sheet(edit, caught_by)

    def paint_cells(self, header: str, where: Where, caught_by: Leaves) -> Miss:
        """The cells of a column in each row that matches `where` are coloured by hand, not by a conditional format."""

        def edit(sheet: Any) -> None:
            from openpyxl.styles import PatternFill

            sheet.conditional_formatting = type(sheet.conditional_formatting)()
            for number, row in _list_rows(sheet):
                if where(row):
                    sheet.cell(number, list(row).index(header) + 1).fill = PatternFill("solid", fgColor="FFC7CE")

        return self.edit_sheet(edit, caught_by)

    def drop_downs_end_at(self, row: int, caught_by: Leaves) -> Miss:
        """The validation of cells ends at a row."""

        def edit(sheet: Any) -> None:
            for validation in sheet.data_validations.dataValidation:
                validation.sqref = type(validation.sqref)(re.sub(r"\d+$", str(row), str(validation.sqref)))

        return self.edit_sheet(edit, caught_by)

    def edit_sheet(self, change: Change, caught_by: Leaves) -> Miss:
        """The sheet is changed in another way, through openpyxl."""
        return edit_file(self.path, change, caught_by, sheet=self.name)

    def set_attributes(self, which: Change, caught_by: Leaves, **attributes: Any) -> Miss:
        """Attributes of what `which` selects in the sheet are set, through openpyxl."""
        return set_attributes(self.path, which, caught_by, sheet=self.name, **attributes)

    def make_edit_decorator(self, *, caught_by: Leaves) -> Callable[[Change], Miss]:
        """Make a decorator that turns a function changing the sheet into a near miss."""
        return make_edit_decorator(self.path, caught_by=caught_by, sheet=self.name)


def add_rule(sheet: Any, cells: str, formula: str) -> None:
    """Add to a sheet of openpyxl a conditional format that colours cells where a formula is true."""
    from openpyxl.formatting.rule import FormulaRule
    from openpyxl.styles import PatternFill

    sheet.conditional_formatting.add(cells, FormulaRule(formula=[formula], fill=PatternFill(bgColor="FFC7CE")))


def _apply_change(change: Any, row: Row, header: str, work: Solved) -> Any:
    value = row[header]
    if isinstance(change, tuple):
        return re.sub(change[0], change[1], str(value))
    takes_all = hasattr(change, "__code__") and change.__code__.co_argcount == 3
    return change(value, row, work) if takes_all else change(value)


def _list_cells(of: Any) -> Iterator[dict[str, Any]]:
    """List the cells of each non-empty row below the headers, by header."""
    heads = {number: str(cell.value) for number, cell in enumerate(of[1]) if cell.value is not None}
    for row in of.iter_rows(min_row=2):
        if any(cell.value is not None for cell in row):
            yield {title: row[number] for number, title in heads.items()}


def _list_rows(of: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """List the number and the values, by header, of each non-empty row below the headers."""
    for cells in _list_cells(of):
        yield next(iter(cells.values())).row, {title: cell.value for title, cell in cells.items()}
