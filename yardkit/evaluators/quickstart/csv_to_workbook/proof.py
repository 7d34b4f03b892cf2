"""Solutions and near misses of quickstart/csv_to_workbook."""

import csv
import datetime
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.solver import write_book

BOOK = "sales_q1.xlsx"
HEADER = ["Order", "Date", "Region", "Product", "Units", "Unit price", "Amount"]
MONTHS = ("2026-01", "2026-02", "2026-03")
DATES = {"2025-12-31": "%Y-%m-%d", "31.12.2025": "%d.%m.%Y", "31/12/2025": "%d/%m/%Y", "12/31/2025": "%m/%d/%Y"}
Row = list[Any]


def solve(agent: Agent) -> str:
    """Read each export in its own way, write typed rows, let SUMIFS add them up by date."""
    rows = _read_orders(agent)
    data = [[*row, f"=E{number}*F{number}"] for number, row in enumerate(rows, 2)]
    return _deliver_workbook(agent, data, _sum_by_date(len(data) + 1))


def alternative_backwards_without_stored_values(agent: Agent, files: Path) -> str:
    """Another order of rows, SUMPRODUCT over a month column of its own, saved by openpyxl."""
    rows = _read_orders(agent)[::-1]
    data = [[*row, f"=E{number}*F{number}", f'=TEXT(B{number},"yyyy-mm")'] for number, row in enumerate(rows, 2)]
    months, regions, amounts = (f"Data!${letter}$2:${letter}${len(data) + 1}" for letter in "HCG")
    product = f"=SUMPRODUCT(({months}=$A{{1}})*({regions}={{0}}$1)*{amounts})"
    answer = _deliver_workbook(agent, data, product.format)
    with open_edited(files / BOOK) as book:
        book["Data"]["H1"].value = "Month"
    return f"The workbook is ready.\n\n**{answer}**"


def alternative_summary_first_and_dates_with_times(agent: Agent, files: Path) -> str:
    """Summary as the first sheet, dates that carry a time of midnight, totals by plus signs."""
    answer = solve(agent)

    with open_edited(files / BOOK) as book:
        book.move_sheet("Summary", -1)
        for row in range(2, book["Data"].max_row + 1):
            day = book["Data"].cell(row, 2).value
            book["Data"].cell(row, 2).value = datetime.datetime(day.year, day.month, day.day)  # noqa: DTZ001
        for row in range(2, 6):
            book["Summary"].cell(row, 6).value = f"=B{row}+C{row}+D{row}+E{row}"
    return answer


in_data, in_summary = misses.InSheet(BOOK, "Data"), misses.InSheet(BOOK, "Summary")
near_miss_sums_pasted_as_values = in_summary.frozen(*["East", "North", "South", "West", "Total"], caught_by="live")
near_miss_amounts_pasted_as_values = in_data.frozen("Amount", caught_by="live")
near_miss_day_and_month_swapped = in_data.column(
    "Date", lambda day: day.replace(day=day.month, month=day.day) if day.day <= 3 else day, ("values", "sums")
)
near_miss_dates_as_text = in_data.column("Date", lambda day: str(day)[:10], "types")
near_miss_accents_lost = in_data.column("Product", lambda name: name.encode().decode("latin-1"), "values")
near_miss_line_of_totals_kept_as_an_order = in_data.row_added(
    lambda _: ["Total", None, "East", None, 300, None, None], "each_once"
)
near_miss_months_as_names = in_summary.set_attributes(lambda sheet: sheet["A2"], "layout", value="January")
near_miss_all_regions_named = misses.change_answer(lambda _: "East, North, South, West")
near_miss_stale_export_tidied_away = misses.delete_file("exports/*.csv")


@in_data.make_edit_decorator(caught_by=("each_once", "sums"))
def near_miss_order_sent_twice_counted_twice(sheet: Any) -> None:
    """A row stands at the place of another, so that every formula still covers it."""
    for column in range(1, 7):
        sheet.cell(5, column).value = sheet.cell(4, column).value


def _sum_by_date(last: int) -> Callable[[str, int], str]:
    def formula(column: str, row: int) -> str:
        first = f'DATEVALUE($A{row}&"-01")'
        dates, regions, amounts = (f"Data!${letter}$2:${letter}${last}" for letter in "BCG")
        return f'=SUMIFS({amounts},{regions},{column}$1,{dates},">="&{first},{dates},"<"&EDATE({first},1))'

    return formula


def _deliver_workbook(agent: Agent, data: list[Row], cell: Callable[[str, int], str]) -> str:
    regions = re.findall(r"then the regions (.*), then `Total`", agent.prompt)[0].replace("`", "").split(", ")
    summary: list[Row] = [["Month", *regions, "Total"]]
    for row, month in enumerate(MONTHS, 2):
        summary.append([f"'{month}", *(cell(column, row) for column in "BCDE"), f"=SUM(B{row}:E{row})"])
    summary.append(["Total", *(f"=SUM({column}2:{column}4)" for column in "BCDEF")])
    write_book(agent, BOOK, {"Data": [HEADER, *data], "Summary": summary})
    totals = agent.call("read_cells", path=BOOK, sheet="Summary", range="B5:E5")["rows"][0]
    return str(max(zip(totals, regions, strict=True))[1])


def _read_orders(agent: Agent) -> list[Row]:
    """Order, ISO date, region, product, units and price of every order of the quarter, once."""
    about = agent.call("read_file", path="exports/about.md")["content"]
    orders: dict[str, Row] = {}
    for name, sample, number in re.findall(r"\| `(\S+)` \|.*\| (\S+) \| (\S+) \|", about):
        text = agent.call("read_file", path=f"exports/{name}")["content"]
        region = name.split("_")[0].capitalize()
        for row in _split_rows(text):
            date = datetime.datetime.strptime(row[1], DATES[sample]).date().isoformat()  # noqa: DTZ007 - a day
            if date[:7] in MONTHS:
                price = row[4].replace("." if number[-2] == "," else ",", "").replace(",", ".")
                orders[row[0]] = [row[0], date, region, row[2], int(row[3]), float(price)]
    return list(orders.values())


def _split_rows(text: str) -> list[list[str]]:
    delimiter = max(",;\t", key=text.splitlines()[-1].count)
    rows = list(csv.reader(text.splitlines(), delimiter=delimiter))
    return [row for row in rows if len(row) == 6 and re.fullmatch(r"[A-Z]\d{5}", row[0])]
