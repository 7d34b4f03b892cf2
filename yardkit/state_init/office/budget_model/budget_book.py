"""The budget of a trading house: its workbook of live formulas, and the same computation in Python."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.state_init.material import read_texts
from yardkit.state_init.names import make_products
from yardkit.state_init.workbooks import Book, Formula, Styled

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
REGIONS = ("Home", "Export")
_TEXTS = read_texts(__file__)
LABELS = _TEXTS["labels"]
"""Assumptions with their remark and number format, in the order of the sheet."""
FIRST_ROW = 4
PLACES = {label: f"Assumptions!$B${row}" for row, label in enumerate(LABELS, FIRST_ROW)}
INPUT = {"font_color": "#0000FF"}
RESULTS = ("Revenue", "EBIT", "Net profit")
Values = Mapping[str, float]


@dataclass(frozen=True)
class Product:
    """What is sold: price in euros, purchase price in dollars, energy for packing it."""

    name: str
    price: float
    cost_usd: float
    kwh: float


@dataclass(frozen=True)
class Employee:
    """Somebody with the pay of 2025 per month and the month (1 to 12) in which the work begins."""

    name: str
    department: str
    pay: int
    start: int


@dataclass(frozen=True)
class Firm:
    """All that the budget rests upon; `sold` are units of 2025 by product and month, `actuals` the rows behind them."""

    goods: Sequence[Product]
    staff: Sequence[Employee]
    actuals: Sequence[tuple[str, str, str, int]]
    depreciation: Sequence[int]

    def count_sold(self, product: str, month: str) -> int:
        """Units of 2025."""
        return sum(units for m, _, name, units in self.actuals if m == month and name == product)


def make_firm(rng: random.Random, names: Sequence[str], departments: Sequence[str]) -> Firm:
    """A firm that earns a little."""
    goods = []
    for name in make_products(rng, 8, ("home", "outdoor")):
        price = rng.randrange(1290, 5990, 10) / 100
        goods.append(Product(name, price, round(price * rng.uniform(0.44, 0.52), 2), rng.randrange(20, 90) / 100))
    staff = [
        Employee(name, departments[number % len(departments)], rng.randrange(4600, 9400, 50), 1)
        for number, name in enumerate(names)
    ]
    for number in rng.sample(range(len(staff)), 4):
        staff[number] = Employee(staff[number].name, staff[number].department, staff[number].pay, rng.randint(3, 9))
    season = [rng.uniform(0.8, 1.2) for _ in MONTHS]
    actuals = [
        (month, region, good.name, round(rng.randrange(380, 820) * factor))
        for month, factor in zip(MONTHS, season, strict=True)
        for region in REGIONS
        for good in goods
    ]
    depreciation = [rng.randrange(3800, 4400, 20) for _ in MONTHS]
    return Firm(goods, staff, actuals, depreciation)


Typed = Mapping[tuple[str, str, int], float]


def compute_budget(firm: Firm, given: Values, typed: Typed | None = None) -> dict[str, dict[str, list[float]]]:
    """The rows of the sheets ``Units``, ``Staff`` and ``Budget``, month by month.

    `typed` are numbers in place of formulas by sheet, row's label and month (0 to 11).
    """
    units = {
        good.name: [firm.count_sold(good.name, month) * (1 + given["Demand growth"]) for month in MONTHS]
        for good in firm.goods
    }
    pay = {
        employee.name: [
            employee.pay * (1 + given["Pay rise"]) * (1 + given["Social charges"]) if month >= employee.start else 0.0
            for month in range(1, 13)
        ]
        for employee in firm.staff
    }
    forced: dict[tuple[str, int], float] = {}
    for (sheet, label, month), number in (typed or {}).items():
        if sheet == "Budget":
            forced[label, month] = number
        else:
            {"Units": units, "Staff": pay}[sheet][label][month] = number
    rows: dict[str, list[float]] = {label: [] for label in BUDGET}
    for month in range(12):
        sold = [(good, units[good.name][month]) for good in firm.goods]
        line = _compute_direct_lines(sold, given) | {
            "Staff": sum(months[month] for months in pay.values()),
            "Depreciation": float(firm.depreciation[month]),
        }
        line |= {label: number for (label, place), number in forced.items() if place == month}
        for label, value in _settle_lines(line, given).items():
            rows[label].append(value)
    return {"Units": units, "Staff": pay, "Budget": rows}


def _compute_direct_lines(sold: Sequence[tuple[Product, float]], given: Values) -> dict[str, float]:
    """The lines of a month that follow from units and assumptions alone."""
    count, revenue = sum(units for _, units in sold), sum(units * product.price for product, units in sold)
    bought = sum(units * product.cost_usd for product, units in sold)
    return {
        "Units": count,
        "Revenue": revenue,
        "Purchases": bought * (1 + given["Purchase price increase"]) / given["EUR/USD rate"],
        "Energy": sum(units * product.kwh for product, units in sold) * given["Energy price"],
        "Freight": count * given["Freight per unit"],
        "Commission": revenue * given["Commission"],
        "Rent": given["Rent per month"],
        "Marketing": given["Marketing per month"],
    }


def _settle_lines(line: dict[str, float], given: Values) -> dict[str, float]:
    """The lines of a month with what they leave."""
    margin = line["Revenue"] - sum(line[name] for name in VARIABLE)
    ebit = margin - sum(line[name] for name in FIXED)
    tax = max(0.0, ebit) * given["Tax rate"]
    return line | {"Gross margin": margin, "EBIT": ebit, "Tax": tax, "Net profit": ebit - tax}


VARIABLE = ("Purchases", "Energy", "Freight", "Commission")
FIXED = ("Staff", "Rent", "Marketing", "Depreciation")
BUDGET = ("Units", "Revenue", *VARIABLE, "Gross margin", *FIXED, "EBIT", "Tax", "Net profit")
BUDGET_ROW = {label: row for row, label in enumerate(BUDGET, FIRST_ROW)}


def compute_results(firm: Firm, given: Values) -> dict[str, float]:
    """Revenue, EBIT and net profit of the year."""
    budget = compute_budget(firm, given)["Budget"]
    return {label: sum(budget[label]) for label in RESULTS}


def save_budget(path: Path, firm: Firm, given: Values, now: datetime.datetime, author: str, typed: Typed) -> None:
    """The workbook; `typed` as in `compute_budget`."""
    book = Book(now, title="Budget 2026", author=author)
    values = compute_budget(firm, given, typed)
    _write_assumptions(book, given)
    _write_products(book, firm)
    _write_units(book, firm, values["Units"], typed)
    _write_staff(book, firm, values["Staff"], typed)
    _budget_sheet(book, firm, values["Budget"], typed)
    actuals: list[list[Any]] = [["Month", "Region", "Product", "Units"], *map(list, firm.actuals)]
    book.sheet("Actuals 2025", actuals, formats={3: "#,##0"})
    book.save(path)


def _write_assumptions(book: Book, given: Values) -> None:
    rows: list[list[Any]] = [["Assumption", "Value", "Remark"]]
    rows += [
        [label, Styled(given[label], {**INPUT, "num_format": code}), remark] for label, (remark, code) in LABELS.items()
    ]
    book.sheet(
        "Assumptions",
        rows,
        title="Assumptions 2026 (blue: typed in, the rest is formulas)",
        widths={0: 28, 1: 12, 2: 34},
    )


def _write_products(book: Book, firm: Firm) -> None:
    rows: list[list[Any]] = [["Product", "Price EUR", "Purchase USD", "kWh per unit"]]
    rows += [
        [
            good.name,
            *(Styled(number, {**INPUT, "num_format": "0.00"}) for number in (good.price, good.cost_usd, good.kwh)),
        ]
        for good in firm.goods
    ]
    book.sheet("Products", rows, title="Products", widths={0: 24, 1: 12, 2: 14, 3: 13})


def _build_month_rows(
    sheet: str, rows: Mapping[str, Sequence[str]], values: Mapping[str, Sequence[float]], typed: Typed, first: int
) -> list[list[Any]]:
    """Rows of twelve formulas and their sum; `first` is the number of the column of January, from 0."""
    month_rows = []
    for row, (label, texts) in enumerate(rows.items(), FIRST_ROW):
        cells: list[Any] = [Formula(text, values[label][month]) for month, text in enumerate(texts)]
        for month in range(12):
            if (sheet, label, month) in typed:
                cells[month] = typed[sheet, label, month]
        start, end = _get_column_letter(first), _get_column_letter(first + 11)
        month_rows.append([label, *cells, Formula(f"=SUM({start}{row}:{end}{row})", sum(values[label]))])
    return month_rows


def _get_column_letter(column: int) -> str:
    return chr(ord("A") + column)


def _write_units(book: Book, firm: Firm, values: Mapping[str, Sequence[float]], typed: Typed) -> None:
    last = len(firm.actuals) + 1
    month, name, units = (f"'Actuals 2025'!${letter}$2:${letter}${last}" for letter in "ACD")
    growth = PLACES["Demand growth"]
    texts = {
        good.name: [
            f"=SUMIFS({units},{name},$A{row},{month},{_get_column_letter(column)}$3)*(1+{growth})"
            for column in range(1, 13)
        ]
        for row, good in enumerate(firm.goods, FIRST_ROW)
    }
    rows = [["Product", *MONTHS, "Year"], *_build_month_rows("Units", texts, values, typed, 1)]
    formats = dict.fromkeys(range(1, 14), "#,##0")
    book.sheet("Units", rows, title="Units", formats=formats, widths={0: 24, **dict.fromkeys(range(1, 14), 9)})


def _write_staff(book: Book, firm: Firm, values: Mapping[str, Sequence[float]], typed: Typed) -> None:
    cost = f"(1+{PLACES['Pay rise']})*(1+{PLACES['Social charges']})"
    texts = {
        employee.name: [f"=IF({month}>=$D{row},$C{row}*{cost},0)" for month in range(1, 13)]
        for row, employee in enumerate(firm.staff, FIRST_ROW)
    }
    months = {row[0]: row[1:] for row in _build_month_rows("Staff", texts, values, typed, 4)}
    rows: list[list[Any]] = [["Name", "Department", "Pay 2025", "From month", *MONTHS, "Year"]]
    rows += [
        [
            employee.name,
            employee.department,
            *(Styled(value, {**INPUT, "num_format": "#,##0"}) for value in (employee.pay, employee.start)),
            *months[employee.name],
        ]
        for employee in firm.staff
    ]
    formats = dict.fromkeys(range(4, 17), "#,##0")
    widths = {0: 24, 1: 18, 2: 10, 3: 12, **dict.fromkeys(range(4, 17), 10)}
    book.sheet("Staff", rows, title="Staff, with social charges", formats=formats, widths=widths)


def _budget_sheet(book: Book, firm: Firm, values: Mapping[str, Sequence[float]], typed: Typed) -> None:
    texts = {
        label: [_build_line_formula(label, column, len(firm.goods), len(firm.staff)) for column in range(1, 13)]
        for label in BUDGET
    }
    rows: list[list[Any]] = [["Line", *MONTHS, "Year"], *_build_month_rows("Budget", texts, values, typed, 1)]
    place = BUDGET.index("Depreciation") + 1
    rows[place][1:13] = [Styled(index, {**INPUT, "num_format": "#,##0"}) for index in firm.depreciation]
    for label in ("Gross margin", "EBIT", "Net profit"):
        number = BUDGET.index(label) + 1
        rows[number] = [Styled(cell, {"bold": True, "num_format": "#,##0", "top": 1}) for cell in rows[number]]
    formats = dict.fromkeys(range(1, 14), "#,##0")
    widths = {0: 20, **dict.fromkeys(range(1, 14), 11)}
    budget_sheet = book.sheet("Budget", rows, title="Budget 2026, euros", formats=formats, widths=widths)
    red = book.look(font_color="#C00000")
    row = BUDGET_ROW["EBIT"]
    budget_sheet.conditional_format(f"B{row}:N{row}", {"type": "cell", "criteria": "<", "value": 0, "format": red})


def _build_line_formula(label: str, column: int, goods: int, staff: int) -> str:
    """The formula of a line of the budget in a month's column."""
    letter, last = _get_column_letter(column), FIRST_ROW + goods - 1
    units = f"Units!{letter}${FIRST_ROW}:{letter}${last}"

    def total(good: str) -> str:
        return f"SUMPRODUCT({units},Products!${good}${FIRST_ROW}:${good}${last})"

    def cell(line: str) -> str:
        return f"{letter}{BUDGET_ROW[line]}"

    pay = _get_column_letter(column + 3)
    texts = {
        "Units": f"=SUM({units})",
        "Revenue": f"={total('B')}",
        "Purchases": f"={total('C')}*(1+{PLACES['Purchase price increase']})/{PLACES['EUR/USD rate']}",
        "Energy": f"={total('D')}*{PLACES['Energy price']}",
        "Freight": f"={cell('Units')}*{PLACES['Freight per unit']}",
        "Commission": f"={cell('Revenue')}*{PLACES['Commission']}",
        "Gross margin": f"={cell('Revenue')}-SUM({cell('Purchases')}:{cell('Commission')})",
        "Staff": f"=SUM(Staff!{pay}${FIRST_ROW}:{pay}${FIRST_ROW + staff - 1})",
        "Rent": f"={PLACES['Rent per month']}",
        "Marketing": f"={PLACES['Marketing per month']}",
        "Depreciation": "",
        "EBIT": f"={cell('Gross margin')}-SUM({cell('Staff')}:{cell('Depreciation')})",
        "Tax": f"=MAX(0,{cell('EBIT')})*{PLACES['Tax rate']}",
        "Net profit": f"={cell('EBIT')}-{cell('Tax')}",
    }
    return texts[label]
