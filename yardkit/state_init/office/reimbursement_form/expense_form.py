"""The company's form for the expenses of a trip: named cells, drop-downs, limits, locked formulas."""

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.state_init.workbooks import Book

COUNTRIES: Mapping[str, tuple[str, str, float, int, int]] = {
    "Czechia": ("Prague", "CZK", 0.0402, 35, 24),
    "Denmark": ("Copenhagen", "DKK", 0.1340, 58, 39),
    "Poland": ("Warsaw", "PLN", 0.2352, 40, 27),
    "Sweden": ("Stockholm", "SEK", 0.0893, 66, 44),
    "Switzerland": ("Zurich", "CHF", 1.0625, 64, 43),
}
"""City, currency, about its rate, allowance of a full day and of the first or last day."""
TYPES = ("Hotel", "Train", "Taxi", "Local transport", "Fee", "Other")
KINDS = ("first/last day", "full day")
CENTRES = ("4410 Sales", "4420 Marketing", "4430 Engineering", "4440 Service", "4450 Quality")
FIELDS = ("claimant", "personnel_no", "cost_centre", "purpose", "country", "first_day", "last_day")
LABELS = ("Name", "Personnel no.", "Cost centre", "Purpose of the trip", "Country", "First day", "Last day")
EXPENSES, DAYS = range(14, 26), range(30, 38)
"""Rows of the form for receipts and for days."""
_HEAD = {
    "bold": True,
    "font_color": "#FFFFFF",
    "bg_color": "#1F3864",
    "text_wrap": True,
    "valign": "vcenter",
    "border": 1,
}


def save_form(path: Path, now: datetime.datetime, *, year: int = 2026, filled: Sequence[tuple[str, Any]] = ()) -> None:
    """Write the form; `filled` are cells that somebody has filled in."""
    book = Book(now, title=f"Travel expenses {year}", author="Finance")
    sheet = book.xlsx.add_worksheet("Claim")
    lists = book.xlsx.add_worksheet("Lists")
    _write_lists(book, lists, year)
    _write_top(book, sheet, year)
    _write_expenses(book, sheet)
    _write_days(book, sheet)
    _write_foot(book, sheet)
    for place, value in filled:
        sheet.write(place, value, book.look(locked=False, bg_color="#FFF8DC", border=1))
    sheet.protect("", {"select_locked_cells": True, "select_unlocked_cells": True})
    lists.hide()
    book.save(path)


def _write_lists(book: Book, sheet: Any, year: int) -> None:
    cut = 0 if year == 2026 else 4
    for column, (name, items) in enumerate({"Types": TYPES, "Kinds": KINDS, "Cost centres": CENTRES}.items()):
        sheet.write_column(0, column, [name, *items])
    for row, (country, (_, _, _, full, part)) in enumerate(COUNTRIES.items(), 1):
        sheet.write_row(row, 4, [country, full - cut, part - cut])
    sheet.write_row(0, 4, ["Country", "Full day EUR", "First/last day EUR"])
    for row, text in enumerate(("EUR", *(currency for _, currency, *_ in COUNTRIES.values())), 1):
        sheet.write(row, 8, text)
    sheet.write(0, 8, "Currency")
    sheet.set_column(0, 8, 18)
    for row, (key, letter) in enumerate((("full_day", "F"), ("part_day", "G")), 1):
        sheet.write(row, 10, key)
        lookup_formula = f"INDEX(Lists!${letter}$2:${letter}$6,MATCH(Claim!$C$8,Lists!$E$2:$E$6,0))"
        sheet.write_formula(row, 11, f'=IF(Claim!$C$8="",0,{lookup_formula})', None, 0)
        book.xlsx.define_name(key, f"=Lists!$L${row + 1}")


def _write_top(book: Book, sheet: Any, year: int) -> None:
    big = book.look(bold=True, font_size=16, font_color="#1F3864")
    sheet.merge_range("A1:I1", f"Claim for travel expenses {year}", big)
    sheet.merge_range("A2:I2", "Fill in the yellow cells only. Receipts that are not reimbursed are not entered.",
                      book.look(italic=True, font_color="#7F7F7F"))  # fmt: skip
    for number, (name, label) in enumerate(zip(FIELDS, LABELS, strict=True)):
        row = 3 + number
        sheet.write(row, 0, label, book.look(bold=True))
        look = {"locked": False, "bg_color": "#FFF8DC", "border": 1, "align": "left"}
        look |= {"num_format": "yyyy-mm-dd"} if name.endswith("_day") else {}
        sheet.merge_range(row, 2, row, 4, "", book.look(**look))
        book.xlsx.define_name(name, f"=Claim!$C${row + 1}")
    sheet.data_validation("C6", {"validate": "list", "source": "=Lists!$C$2:$C$6"})
    sheet.data_validation("C8", {"validate": "list", "source": "=Lists!$E$2:$E$6"})
    day = {"validate": "date", "criteria": ">=", "value": datetime.date(2024, 1, 1), "error_message": "A date, please."}
    sheet.data_validation("C9:C10", day)
    for column, width in enumerate((11, 13, 17, 34, 12, 10, 11, 12, 14)):
        sheet.set_column(column, column, width)


def _write_head(book: Book, sheet: Any, row: int, names: Sequence[str]) -> None:
    sheet.set_row(row - 1, 32)
    for column, name in enumerate(names):
        sheet.write(row - 1, column, name, book.look(**_HEAD))


def _write_expenses(book: Book, sheet: Any) -> None:
    sheet.write("A12", "Receipts", book.look(bold=True, font_size=12))
    _write_head(
        book,
        sheet,
        13,
        ["No.", "Date", "Type", "Description", "Amount", "Currency", "EUR per unit", "EUR", "Reimbursed EUR"],
    )
    for row in EXPENSES:
        sheet.write(row - 1, 0, row - EXPENSES[0] + 1, book.look(border=1, bg_color="#EDEDED"))
        for column, number_format in zip(
            "BCDEFGI", ("yyyy-mm-dd", "", "", "#,##0.00", "", "0.0000", "#,##0.00"), strict=True
        ):
            _open_cell(book, sheet, f"{column}{row}", number_format)
        formula = f'=IF(E{row}="","",ROUND(E{row}*G{row},2))'
        sheet.write_formula(f"H{row}", formula, book.look(num_format="#,##0.00", border=1, bg_color="#EDEDED"), "")
    first, last = EXPENSES[0], EXPENSES[-1]
    sheet.data_validation(f"C{first}:C{last}", {"validate": "list", "source": "=Lists!$A$2:$A$7"})
    sheet.data_validation(f"F{first}:F{last}", {"validate": "list", "source": "=Lists!$I$2:$I$7"})
    amount = {"validate": "decimal", "criteria": ">=", "value": 0}
    sheet.data_validation(f"E{first}:E{last}", amount)
    limit = {"validate": "custom", "value": f"=I{first}<=H{first}", "error_message": "Not more than was paid."}
    sheet.data_validation(f"I{first}:I{last}", limit)
    _write_total(book, sheet, last + 1, "H", f"=SUM(H{first}:H{last})")
    _write_total(book, sheet, last + 1, "I", f"=SUM(I{first}:I{last})")
    sheet.write(last, 0, "Total of receipts", book.look(bold=True))


def _open_cell(book: Book, sheet: Any, place: str, number_format: str) -> None:
    look = {
        "locked": False,
        "bg_color": "#FFF8DC",
        "border": 1,
        **({"num_format": number_format} if number_format else {}),
    }
    sheet.write_blank(place, None, book.look(**look))


def _write_total(book: Book, sheet: Any, row: int, column: str, formula: str) -> None:
    look = book.look(bold=True, num_format="#,##0.00", top=1, bottom=6, bg_color="#EDEDED")
    sheet.write_formula(f"{column}{row}", formula, look, 0)


def _write_days(book: Book, sheet: Any) -> None:
    sheet.write("A28", "Daily allowance", book.look(bold=True, font_size=12))
    _write_head(
        book, sheet, 29, ["No.", "Date", "Kind of day", "Remark", "Breakfast (x)", "Lunch (x)", "Dinner (x)", "EUR"]
    )
    first, last = DAYS[0], DAYS[-1]
    for row in DAYS:
        sheet.write(row - 1, 0, row - first + 1, book.look(border=1, bg_color="#EDEDED"))
        for column, number_format in zip("BCDEFG", ("yyyy-mm-dd", "", "", "", "", ""), strict=True):
            _open_cell(book, sheet, f"{column}{row}", number_format)
        meals = f'IF(E{row}="x",0.2,0)+IF(F{row}="x",0.4,0)+IF(G{row}="x",0.4,0)'
        day = f'IF(C{row}="full day",full_day,part_day)'
        formula = f'=IF(B{row}="","",MAX(0,ROUND({day}-full_day*({meals}),2)))'
        sheet.write_formula(f"H{row}", formula, book.look(num_format="#,##0.00", border=1, bg_color="#EDEDED"), "")
    sheet.data_validation(f"C{first}:C{last}", {"validate": "list", "source": "=Lists!$B$2:$B$3"})
    sheet.data_validation(f"E{first}:G{last}", {"validate": "list", "source": ["x"]})
    _write_total(book, sheet, last + 1, "H", f"=SUM(H{first}:H{last})")
    sheet.write(last, 0, "Total of allowances", book.look(bold=True))


def _write_foot(book: Book, sheet: Any) -> None:
    sheet.write("A40", "To be paid out, EUR", book.look(bold=True, font_size=12))
    look = book.look(bold=True, num_format="#,##0.00", border=2, font_size=12)
    sheet.write_formula("H40", f"=I{EXPENSES[-1] + 1}+H{DAYS[-1] + 1}", look, 0)
    book.xlsx.define_name("grand_total", "=Claim!$H$40")
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 1)
    sheet.print_area("A1:I40")
    sheet.hide_gridlines(2)
