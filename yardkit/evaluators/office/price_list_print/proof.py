"""Solutions and near misses of office/price_list_print."""

import csv
import datetime
import re
import textwrap
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Miss, Solved
from yardkit.evaluators.readers.engines.libreoffice import convert_files
from yardkit.evaluators.solving.solver import read_full_sheet, read_full_text

FILE = "price_list_2026.xlsx"
SHEET = "Price list"
FIRST = 5
DAY = datetime.date(2026, 4, 1)
WIDTHS = {"A": 11, "B": 36, "C": 19, "D": 8, "E": 15, "F": 7, "G": 9, "H": 11, "I": 12, "J": 11, "K": 11, "L": 12}
REST = {"M": 14, "N": 40}
PRINT: dict[str, Any] = {
    "orientation": "landscape",
    "paper": "a4",
    "print_area": "none",
    "title_rows": "3:4",
    "fit_wide": 1,
    "fit_tall": 0,
    "breaks": [],
    "page_footer": ["", "Page &P of &N", ""],
}
Rows = list[list[Any]]
in_list = misses.InSheet(FILE, SHEET)


def solve(agent: Agent) -> str:
    """Prices by April's line, then paper, broken lines with room for them, and a look."""
    rows = _read_list(agent)
    changed = _update_prices(agent, rows)
    _fit_columns(agent, rows, WIDTHS | REST)
    agent.call("set_print", path=FILE, sheet=SHEET, **PRINT)
    agent.call("render_pages", path=FILE, pages="1-3")
    return f"The list is ready.\n\n{changed}"


def alternative_paper_first_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Print set-up first, the whole range as print area, cells written one by one, saved by openpyxl, seen as PDF."""
    rows = _read_list(agent)
    area = f"A1:N{len(rows)}"
    agent.call("set_print", path=FILE, sheet=SHEET, **(PRINT | {"print_area": area, "title_rows": "1:4"}))
    _fit_columns(agent, rows, WIDTHS | REST | {"B": 26, "N": 28})
    changed = _update_prices(agent, rows)
    with open_edited(files / FILE):
        pass
    agent.call("render_range", path=FILE, sheet=SHEET)
    return f"{changed} prices changed.\n**{changed}**"


def alternative_in_the_middle_of_higher_rows(agent: Agent, _files: Path) -> str:
    """Narrower columns, higher rows with their text in the middle, narrow margins, a header, the head broken too."""
    rows = _read_list(agent)
    changed = _update_prices(agent, rows)
    _fit_columns(agent, rows, WIDTHS | REST | {"B": 25, "M": 10, "N": 30})
    last = len(rows)
    agent.call("format_cells", path=FILE, sheet=SHEET, range=f"A{FIRST}:N{last}", vertical="center")
    agent.call("set_sheet_layout", path=FILE, sheet=SHEET, row_heights={"4": 32})
    margins = {"left": 0.4, "right": 0.4}
    agent.call("set_print", path=FILE, sheet=SHEET, **(PRINT | {"margins": margins, "page_header": ["", "&A", ""]}))
    agent.call("render_pages", path=FILE, pages="1")
    return str(changed)


def alternative_by_scale_and_saved_by_libreoffice(agent: Agent, files: Path) -> str:
    """The columns are on one page because of a scale; LibreOffice saved the file, its panes frozen as they were."""
    import openpyxl

    answer = solve(agent)
    _set_up(files, fitted=False, scale=60)
    frozen = {worksheet.title: worksheet.freeze_panes for worksheet in openpyxl.load_workbook(files / FILE).worksheets}
    convert_files({files / FILE: files / FILE}, "xlsx")
    with open_edited(files / FILE) as book:
        for sheet in book.worksheets:
            sheet.freeze_panes = frozen[sheet.title]
    agent.call("render_pages", path=FILE, pages="1")
    return answer


def alternative_as_tall_as_it_takes(agent: Agent, files: Path) -> str:
    """Fitted to one page's width and more pages than there are; a new price is a formula."""
    answer = solve(agent)
    _set_up(files, fitted=True, fitToHeight=99)
    return answer


def _set_up(files: Path, *, fitted: bool, **settings: int) -> None:
    with open_edited(files / FILE) as book:
        sheet = book[SHEET]
        sheet.sheet_properties.pageSetUpPr.fitToPage = fitted
        for name, value in settings.items():
            setattr(sheet.page_setup, name, value)
        changed = next(row for row in sheet.iter_rows(min_row=FIRST) if row[11].value.date() == DAY)
        changed[7].value = f"=ROUND({changed[7].value}*1.5/1.5,2)"


def _read_list(agent: Agent) -> Rows:
    return read_full_sheet(agent, FILE, SHEET)


def _update_prices(agent: Agent, rows: Rows) -> int:
    """Write the prices that differ by more than two percent; how many."""
    prices = _read_april_prices(agent)
    changes = []
    for number, row in enumerate(rows[FIRST - 1 :], FIRST):
        new = prices.get(row[0].replace("-", "").lstrip("0"))
        old = Decimal(str(row[7]))
        if new is not None and abs(new - old) > old * Decimal("0.02"):
            changes.append((number, float(new)))
    operations = [
        {"op": "write", "sheet": SHEET, "range": f"{letter}{number}", "values": [[value]]}
        for number, price in changes
        for letter, value in (("H", price), ("L", DAY.isoformat()))
    ]
    for start in range(0, len(operations), 200):
        agent.call("edit_workbook", path=FILE, edits=operations[start : start + 200])
    return len(changes)


def _read_april_prices(agent: Agent) -> dict[str, Decimal]:
    """The price in euros by article that is valid on the day."""
    rates = agent.call("read_file", path="incoming/rates.txt")["content"]
    rate = Decimal(re.findall(r"1 EUR = ([\d.]+) USD", rates)[0])
    best: dict[str, tuple[datetime.date, Decimal]] = {}
    for row in csv.DictReader(read_full_text(agent, "incoming/supplier_prices.csv").splitlines(), delimiter=";"):
        day = datetime.datetime.strptime(row["valid_from"], "%d.%m.%Y").date()  # noqa: DTZ007 - a day
        price = Decimal(row["price"].replace(".", "").replace(",", "."))
        if row["cur"] == "USD":
            price = (price / rate).quantize(Decimal("0.01"), ROUND_HALF_UP)
        if day <= DAY and day >= best.get(row["article"], (day, price))[0]:
            best[row["article"]] = (day, price)
    return {article: price for article, (_, price) in best.items()}


def _fit_columns(agent: Agent, rows: Rows, widths: dict[str, int]) -> None:
    """Widths for the numbers, broken lines for the texts, and rows as high as these need."""
    heights: dict[str, float] = {}
    letters = {1: int(widths["B"] * 1.1), 13: int(widths["N"] * 1.1)}  # widths count digits, letters are narrower
    for number, row in enumerate(rows[FIRST - 1 :], FIRST):
        lines = max(len(textwrap.wrap(str(row[column] or ""), letters[column])) for column in letters)
        heights[str(number)] = 15.0 * max(1, lines)
    last, looks = len(rows), dict[str, dict[str, Any]]()
    looks[f"B{FIRST}:B{last} N{FIRST}:N{last}"] = {"wrap": True}
    looks[f"A{FIRST}:N{last}"] = {"vertical": "top"}
    looks |= {f"F4:F{last} M4:M{last}": {"align": "center"}, "E4 G4:L4": {"align": "right"}}
    for area, look in looks.items():
        agent.call("format_cells", path=FILE, sheet=SHEET, range=area, **look)
    agent.call("set_sheet_layout", path=FILE, sheet=SHEET, column_widths=widths, row_heights=heights)


def _spoil_change(column: int, value: Callable[[Any], Any], caught_by: str) -> Miss:
    """A cell of the first changed price is another one, made from what it was."""

    def edit(sheet: Any, work: Solved) -> None:
        cell = sheet.cell(work.facts["rows"][work.facts["changed"][0]], column)
        cell.value = value(cell.value)

    return in_list.edit_sheet(edit, caught_by)


AFTERNOON = datetime.datetime(2026, 4, 1, 13, 30)  # noqa: DTZ001 - cells have no zone
near_miss_price_of_summer_taken = _spoil_change(8, lambda price: round(price * 1.1, 2), caught_by="net")
near_miss_parts_of_a_cent = _spoil_change(8, lambda price: price + 0.004, caught_by="net")
near_miss_day_not_set = _spoil_change(12, lambda _: datetime.date(2025, 7, 1), caught_by="since")
near_miss_day_as_text = _spoil_change(12, lambda _: DAY.isoformat(), caught_by="since")
near_miss_day_with_a_time = _spoil_change(12, lambda _: AFTERNOON, caught_by="since")
near_miss_remarks_in_tiny_letters = in_list.edit_sheet(
    lambda sheet, work: _change_letters(work, sheet, sz=4), caught_by="readable"
)
near_miss_remarks_in_white = in_list.edit_sheet(
    lambda sheet, work: _change_letters(work, sheet, color="FFFFFFFF"), caught_by="whole"
)
near_miss_tiny_footer = in_list.edit_sheet(
    lambda sheet: setattr(sheet.oddFooter.center, "size", 3), caught_by="readable"
)
near_miss_numbers_too_wide_for_their_column = in_list.edit_sheet(
    lambda sheet: setattr(sheet.column_dimensions["E"], "width", 8), caught_by="whole"
)
near_miss_two_pages_wide = in_list.edit_sheet(
    lambda sheet: setattr(sheet.sheet_properties.pageSetUpPr, "fitToPage", False), caught_by=("set_up", "readable")
)
near_miss_old_print_area_kept = in_list.edit_sheet(
    lambda sheet: setattr(sheet, "print_area", "A1:J60"), caught_by=("set_up", "whole")
)
near_miss_only_the_title_repeated = in_list.edit_sheet(
    lambda sheet: setattr(sheet, "print_title_rows", "1:1"), caught_by="repeated"
)
near_miss_wide_columns_hidden = in_list.edit_sheet(
    lambda sheet: setattr(sheet.column_dimensions["E"], "hidden", True), caught_by="kept"
)
near_miss_never_looked = misses.never_looked()
near_miss_all_articles_counted = misses.change_answer(lambda work: len(work.facts["rows"]))


@in_list.make_edit_decorator(caught_by=("net", "since"))
def near_miss_prices_of_two_percent_taken_too(sheet: Any, work: Solved) -> None:
    """A price that is one percent dearer was taken over."""
    row = next(row for number, row in work.facts["rows"].items() if number not in work.facts["changed"])
    sheet.cell(row, 8).value *= 1.01
    sheet.cell(row, 12).value = DAY


@in_list.make_edit_decorator(caught_by="whole")
def near_miss_last_long_remark_cut(sheet: Any, work: Solved) -> None:
    """One row is as high as a line, its remark takes three."""
    long = [row for number, row in work.facts["rows"].items() if len(work.facts["texts"][number][1]) > 60]
    sheet.row_dimensions[long[-1]].height = 15


@in_list.make_edit_decorator(caught_by="whole")
def near_miss_rows_too_low_for_their_text(sheet: Any, work: Solved) -> None:
    """Texts are broken into lines of which only the first has room."""
    for row in work.facts["rows"].values():
        sheet.row_dimensions[row].height = 15


@in_list.make_edit_decorator(caught_by="readable")
def near_miss_everything_on_one_line_in_tiny_letters(sheet: Any) -> None:
    """Columns as wide as their longest text."""
    sheet.column_dimensions["B"].width, sheet.column_dimensions["N"].width = 50, 110


def _change_letters(work: Solved, sheet: Any, **look: Any) -> None:
    """Give the remarks other letters."""
    import openpyxl

    for row in work.facts["rows"].values():
        cell = sheet.cell(row, 14)
        cell.font = openpyxl.styles.Font(**({"name": cell.font.name, "sz": cell.font.sz} | look))
