"""Solutions and near misses of sight/scan_table."""

import re
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.sheet_layout import format_sheets
from yardkit.evaluators.solving.solver import find_paths, write_book

BOOK, REPORT = "visitors_2025.xlsx", "scans/report_2025_h1.pdf"
MONTHS = ["January", "February", "March", "April", "May", "June"]
VISITORS = ["Branch", *MONTHS, "Total", "Printed", "Difference"]
DOUBTFUL = ["Branch", "Month", "Printed", "Expected", "Page"]
Rows = list[list[Any]]


def solve(agent: Agent) -> str:
    """Take the pictures out of the scan, find the page, read the table, compare its sums."""
    paper, page = _read_paper(agent)
    write_book(agent, BOOK, {"Visitors": _build_sheet(paper), "Doubtful": [DOUBTFUL, [*_find_doubtful(paper), page]]})
    format_sheets(agent, BOOK, "Visitors", right="B1:J1")
    format_sheets(agent, BOOK, "Doubtful", right="C1:E1")
    return f"The figure was typed with two digits swapped.\n\n{_find_doubtful(paper)[3]}"


def alternative_with_other_formulas_and_notes_left(agent: Agent, files: Path) -> str:
    """Additions and SUMPRODUCT, differences the other way round, notes on the way kept, saved by openpyxl."""
    answer = solve(agent)
    (files / "work").mkdir()
    (files / "work" / "notes.txt").write_text("the table lies sideways\n", "utf-8")
    with open_edited(files / BOOK) as book:
        sheet, last = book["Visitors"], book["Visitors"].max_row - 2
        for row in range(2, last):
            sheet.cell(row, 8).value = "=" + "+".join(f"{column}{row}" for column in "BCDEFG")
            sheet.cell(row, 10).value = f"=-(I{row}-H{row})"
        for column in "BCDEFGH":
            sheet[f"{column}{last}"].value = f"=SUMPRODUCT({column}2:{column}{last - 1})"
    return answer


def alternative_with_the_doubtful_figure_first_and_as_formulas(agent: Agent, files: Path) -> str:
    """Sheets in another order; printed and expected refer to the table."""
    answer = solve(agent).splitlines()[-1]
    with open_edited(files / BOOK) as book:
        book.move_sheet("Doubtful", -1)
        sheet = book["Visitors"]
        row = next(cells[0].row for cells in sheet.iter_rows() if cells[0].value == book["Doubtful"]["A2"].value)
        column = "BCDEFG"[MONTHS.index(book["Doubtful"]["B2"].value)]
        book["Doubtful"]["C2"].value = f"=Visitors!{column}{row}"
        book["Doubtful"]["D2"].value = f"=C2-Visitors!J{row}"
    return f"It must be **{int(answer):,}**"


in_table, in_doubtful = misses.InSheet(BOOK, "Visitors"), misses.InSheet(BOOK, "Doubtful")
near_miss_a_figure_put_right = in_table.edit_sheet(
    lambda sheet, work: _put_right(sheet, *work.facts["doubtful"][2:4]), "figures"
)
near_miss_last_branch_left_out = in_table.row_gone(caught_by="each_once", where=lambda row: row["Branch"] != "Total")
near_miss_printed_totals_by_formula = in_table.column(
    "Printed",
    lambda _printed, row, _work: row["Total"],
    where=lambda row: row["Branch"] not in VISITORS,
    caught_by="totals",
)
near_miss_sums_as_numbers = in_table.frozen("Total", "Difference", caught_by="live")
near_miss_figures_as_text = in_table.column(
    "March", str, where=lambda row: row["Branch"] not in VISITORS, caught_by="figures"
)
near_miss_no_row_of_differences = in_table.row_gone(
    caught_by="each_once", where=lambda row: row["Branch"] == "Difference"
)
near_miss_expected_is_as_printed = in_doubtful.column(
    "Expected", lambda _, row, _work: row["Printed"], caught_by="expected"
)
near_miss_page_counted_from_zero = in_doubtful.column("Page", lambda page: page - 1, caught_by="page")
near_miss_a_second_suspect = in_doubtful.row_added(
    lambda work: [work.facts["branches"][0], "June", 1, 2, 3], caught_by="place"
)
near_miss_answer_as_printed = misses.change_answer(lambda work: work.facts["doubtful"][2])
near_miss_scan_tidied_away = misses.delete_file("scans/minutes.pdf")


def _put_right(sheet: Any, old: int, new: int) -> None:
    next(cell for row in sheet.iter_rows() for cell in row if cell.value == old).value = new


def _read_paper(agent: Agent) -> tuple[dict[str, list[int]], int]:
    """The rows of the table by name, totals included, and its page."""
    agent.call("extract_pdf_files", path=REPORT, folder="work")
    page_number, rows = 0, dict[int, str]()
    for page, path in enumerate(find_paths(agent, "work"), 1):
        if not page_number and agent.call("find_tables", path=REPORT, page=page)["tables"]:
            pieces = agent.call("read_image_text", path=path)["pieces"]
            if any(re.match(r"Visitors ?2025 ?by ?branch", piece["text"]) for piece in pieces):
                page_number = page
                for piece in pieces:
                    rows[piece["row"]] = f"{rows.get(piece['row'], '')} {piece['text']}".strip()
    agent.call("delete_path", path="work", recursive=True)
    named = (re.fullmatch(r"([A-Za-z ]+?)((?: (?:\d+|\W)){7})", row) for row in rows.values())
    return {
        row[1]: [int(word) if word.isdigit() else 0 for word in row[2].split()] for row in named if row
    }, page_number


def _build_sheet(paper: dict[str, list[int]]) -> Rows:
    branches = [name for name in paper if name != "Total"]
    last = len(branches) + 2
    rows: Rows = [VISITORS]
    for number, name in enumerate(branches, 2):
        *figures, printed = paper[name]
        rows.append([name, *figures, f"=SUM(B{number}:G{number})", printed, f"=H{number}-I{number}"])
    sums = [f"=SUM({column}2:{column}{last - 1})" for column in "BCDEFGH"]
    *months, grand = paper["Total"]
    rows.append(["Total", *sums, grand, f"=H{last}-I{last}"])
    rows.append(["Printed", *months])
    return [*rows, ["Difference", *(f"={column}{last}-{column}{last + 1}" for column in "BCDEFG")]]


def _find_doubtful(paper: dict[str, list[int]]) -> list[Any]:
    """The only place where both its row and its month are off by the same."""
    branches = [name for name in paper if name != "Total"]
    off = {name: sum(paper[name][:-1]) - paper[name][-1] for name in branches}
    month = next(
        place for place in range(len(MONTHS)) if sum(paper[name][place] for name in branches) != paper["Total"][place]
    )
    name = next(name for name, difference in off.items() if difference)
    return [name, MONTHS[month], paper[name][month], paper[name][month] - off[name]]
