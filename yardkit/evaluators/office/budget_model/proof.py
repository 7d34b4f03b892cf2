"""Solutions and near misses of office/budget_model."""

import math
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import read_mail_files

FILE = "budget_2026.xlsx"
SHEET = "Scenarios"
FIRST = 4
Rows = list[list[Any]]


def solve(agent: Agent) -> str:
    """Mend, write the scenarios, let the assumptions choose among them, seek each price and put the old one back."""
    _repair_formulas(agent)
    labels = _write_scenarios(agent, "=INDEX(Scenarios!$B{0}:$D{0},MATCH(Scenarios!$B$1,Scenarios!$B$3:$D$3,0))")
    row = FIRST + len(labels) + 5
    prices = {name: _seek_price(agent, name) for name in _read_names(agent)}
    agent.call("write_cells", path=FILE, sheet=SHEET, rows=[list(prices.values())], start_cell=f"B{row}")
    _format_sheet(agent, len(labels))
    return f"Under {_read_names(agent)[1]} it takes\n\n{prices[_read_names(agent)[1]]:.2f}"


def alternative_with_choose_and_arithmetic_and_saved_by_openpyxl(agent: Agent, files: Path) -> str:
    """CHOOSE on the position, prices worked out from the slope of EBIT, no stored values."""
    _repair_formulas(agent)
    labels = _write_scenarios(
        agent,
        "=CHOOSE(MATCH(Scenarios!$B$1,Scenarios!$B$3:$D$3,0),Scenarios!B{0},Scenarios!C{0},Scenarios!D{0})",
        choices="=$B$3:$D$3",
    )
    row = FIRST + len(labels) + 5
    prices = [_worked_out(agent, name) for name in _read_names(agent)]
    agent.call("write_cells", path=FILE, sheet=SHEET, rows=[prices], start_cell=f"B{row}")
    _format_sheet(agent, len(labels))
    with open_edited(files / FILE):
        pass
    return f"{prices[1]:.2f} euros"


def alternative_scenarios_first_and_results_under_a_heading(agent: Agent, _files: Path) -> str:
    """The sheet stands first, its results have a heading, and IF chooses."""
    _repair_formulas(agent)
    labels = _write_scenarios(
        agent,
        "=IF(Scenarios!B$1=Scenarios!C$3,Scenarios!C{0},IF(Scenarios!B$1=Scenarios!D$3,Scenarios!D{0},Scenarios!B{0}))",
    )
    row = FIRST + len(labels) + 5
    prices = [_seek_price(agent, name) for name in _read_names(agent)]
    agent.call("write_cells", path=FILE, sheet=SHEET, rows=[prices], start_cell=f"B{row}")
    agent.call("write_cells", path=FILE, sheet=SHEET, rows=[["Year 2026"]], start_cell=f"A{row - 5}")
    _format_sheet(agent, len(labels))
    agent.call("change_sheets", path=FILE, action="move", sheet=SHEET, position=1)
    return f"The price is {prices[1]:.2f}"


altered = partial(misses.set_attributes, FILE)
near_miss_one_typed_number_left = altered(
    lambda book, work: book["Staff"][
        next(formula for formula in work.facts["broken"] if formula["sheet"] == "Staff")["cell"]
    ],
    "mended",
    value=4321,
)


@misses.make_edit_decorator(FILE, caught_by=("mended", "results"))
def near_miss_typed_number_replaced_by_the_right_number(book: Any, work: Solved) -> None:
    place = work.facts["broken"][2]
    _put_value(book[place["sheet"]][place["cell"]], place["values"][0])


@misses.make_edit_decorator(FILE, caught_by="base")
def near_miss_correction_of_energy_overlooked(book: Any, work: Solved) -> None:
    _put_value(_find_labelled_cell(book, "Energy price", 2), work.facts["scenarios"]["Base"]["Energy price"] + 0.016)


near_miss_marketing_of_the_year_taken_for_a_month = altered(
    lambda book: _find_labelled_cell(book, "Marketing per month", 2), "base", value=30_000
)
near_miss_points_taken_for_percent = altered(
    lambda book: _find_labelled_cell(book, "Commission", 3), "values", value="=B11*1.005"
)


@misses.make_edit_decorator(FILE, caught_by="following")
def near_miss_scenarios_as_plain_numbers(book: Any, work: Solved) -> None:
    for label, value in _get_second_scenario(work).items():
        _put_value(_find_labelled_cell(book, label, 4), value)


@misses.make_edit_decorator(FILE, caught_by=("assumptions", "results"))
def near_miss_values_of_base_pasted_into_assumptions(book: Any, work: Solved) -> None:
    for row, value in enumerate(work.facts["scenarios"]["Base"].values(), FIRST):
        book["Assumptions"].cell(row, 2).value = value


@misses.make_edit_decorator(FILE, caught_by="prices")
def near_miss_prices_rounded_down(book: Any, work: Solved) -> None:
    _put_value(_find_labelled_cell(book, "Break-even price", 3), work.facts["prices"]["Weak demand"] - 0.01)


@misses.make_edit_decorator(FILE, caught_by="kept")
def near_miss_price_left_in_products(book: Any, work: Solved) -> None:
    for row in book["Products"].iter_rows(min_row=FIRST):
        if row[0].value == work.facts["prompt"]["product"]:
            row[1].value = work.facts["prices"]["Weak demand"]


near_miss_left_at_another_scenario = altered(lambda book: book[SHEET]["B1"], "laid_out", value="Weak demand")
near_miss_all_three_prices_told = misses.change_answer(
    lambda work: ", ".join(f"{price:.2f}" for price in work.facts["prices"].values())
)
near_miss_old_budget_deleted = misses.delete_file("archive/budget_2026_v1.xlsx", caught_by="others")


def _get_second_scenario(work: Solved) -> Mapping[str, float]:
    values: Mapping[str, float] = work.facts["scenarios"][work.facts["prompt"]["two"]]
    return values


def _put_value(cell: Any, value: Any) -> Any:
    cell.value = value
    return cell


def _find_labelled_cell(opened: Any, label: str, column: int) -> Any:
    sheet = opened[SHEET]
    row = next(row for row in range(FIRST, sheet.max_row + 1) if sheet.cell(row, 1).value == label)
    return sheet.cell(row, column)


def _read_names(agent: Agent) -> list[str]:
    matches = re.findall(r"headers `Assumption`, `(.+?)`, `(.+?)`, `(.+?)`", " ".join(agent.prompt.split()))
    return list(matches[0])


def _repair_formulas(agent: Agent) -> None:
    """Fill each typed number from the formula beside it; rows of numbers alone are typed in on purpose."""
    for sheet, first in (("Units", 1), ("Staff", 4), ("Budget", 1)):
        rows = agent.call("read_cells", path=FILE, sheet=sheet, show="formulas", range="A1:Q40")["rows"]
        for number, row in enumerate(rows, 1):
            months = row[first : first + 12]
            live = [str(cell).startswith("=") for cell in months]
            if sum(live) == 11:
                place = live.index(False)
                beside = _name_column(first + place - 1 if place else first + place + 1)
                target = f"{_name_column(first + place)}{number}"
                operation = {"op": "copy", "sheet": sheet, "range": f"{beside}{number}", "to": target}
                agent.call("edit_workbook", path=FILE, edits=[operation])


def _name_column(number: int) -> str:
    return chr(ord("A") + number)


def _write_scenarios(agent: Agent, formula: str, choices: str = "") -> list[str]:
    """Scenarios, and the assumptions that choose among them; the labels."""
    now = _read_assumptions(agent)
    first_scenario, two = _read_names(agent)[1:]
    base = _read_decisions(agent, now)
    own = _read_terms(agent, list(now))
    rows: Rows = [["Scenario", "Base"], [None], ["Assumption", "Base", first_scenario, two]]
    for number, label in enumerate(now, FIRST):
        same = f"=B{number}"
        rows.append([label, base[label], *(own[name].get(label, same) for name in (first_scenario, two))])
    year = {label: _find_row(agent, label) for label in ("Revenue", "EBIT", "Net profit")}
    rows += [[None], *([label, f"=Budget!N{row}"] for label, row in year.items()), [None], ["Break-even price"]]
    agent.call("write_cells", path=FILE, sheet=SHEET, rows=rows)
    items = [choices] if choices else _read_names(agent)
    agent.call("set_validation", path=FILE, sheet=SHEET, range="B1", allow="list", items=items)
    chosen = [[formula.format(row)] for row in range(FIRST, FIRST + len(now))]
    agent.call("write_cells", path=FILE, sheet="Assumptions", rows=chosen, start_cell=f"B{FIRST}")
    return list(now)


def _read_assumptions(agent: Agent) -> dict[str, float]:
    rows = agent.call("read_cells", path=FILE, sheet="Assumptions")["rows"]
    return {row[0]: float(row[1]) for row in rows[FIRST - 1 :]}


def _find_row(agent: Agent, label: str) -> int:
    rows = agent.call("read_cells", path=FILE, sheet="Budget", range="A1:A40")["rows"]
    return 1 + [row[0] for row in rows].index(label)


def _read_decisions(agent: Agent, now: Mapping[str, float]) -> dict[str, float]:
    """The values now, with the decisions and the mails that corrected them."""
    blocks = agent.call("read_document", path="board/decisions_2026-03-12.docx")["blocks"]
    minutes_text = " ".join(str(block.get("text", "")) for block in blocks)
    way = 1 if "Marketing is raised" in minutes_text else -1
    mails = " ".join(_read_mails(agent))
    return dict(now) | {
        "Demand growth": round(
            now["Demand growth"] - _parse_number(r"taken down by ([\d.]+) points", minutes_text) / 100, 4
        ),
        "Energy price": round(_parse_number(r"at ([\d.]+) cents per kWh", mails) / 100, 4),
        "Pay rise": round(_parse_number(r"agreed to ([\d.]+) percent", mails) / 100, 4),
        "Freight per unit": _parse_number(r"Freight per unit: ([\d.]+) euros", minutes_text),
        "Marketing per month": now["Marketing per month"]
        + way * _parse_number(r"by ([\d,]+) euros over", minutes_text) / 12,
    }


def _read_terms(agent: Agent, labels: list[str]) -> dict[str, dict[str, float | str]]:
    """What the scenarios set: numbers, and formulas over the column of Base."""
    text = next(mail for mail in _read_mails(agent) if "second version" in mail)
    rows = {label: f"B{row}" for row, label in enumerate(labels, FIRST)}
    growth, commission = (
        _parse_number(r"minus ([\d.]+) percent", text),
        _parse_number(r"commission ([\d.]+) points", text),
    )
    marketing, rate = _parse_number(r"marketing (\d+) percent", text), _parse_number(r"euro is ([\d.]+) dollars", text)
    freight, purchase = _parse_number(r"unit (\d+) percent", text), _parse_number(r"increase ([\d.]+) points", text)
    first_scenario, two = _read_names(agent)[1:]
    return {
        first_scenario: {
            "Demand growth": round(-growth / 100, 6),
            "Commission": f"={rows['Commission']}+{commission / 100:g}",
            "Marketing per month": f"={rows['Marketing per month']}*(1-{marketing / 100:g})",
        },
        two: {
            "EUR/USD rate": rate,
            "Freight per unit": f"={rows['Freight per unit']}*(1+{freight / 100:g})",
            "Purchase price increase": f"={rows['Purchase price increase']}+{purchase / 100:g}",
        },
    }


def _parse_number(pattern: str, text: str) -> float:
    return float(re.findall(pattern, text)[0].replace(",", ""))


def _read_mails(agent: Agent) -> list[str]:
    return [" ".join(f"{mail['Subject']} {mail.get_content()}".split()) for mail in read_mail_files(agent, "mails")]


def _find_product(agent: Agent) -> tuple[str, float]:
    """The cell of the price in question, and the price."""
    name = re.findall(r"lowest price of the product (.+?) in whole cents", " ".join(agent.prompt.split()))[0]
    rows = agent.call("read_cells", path=FILE, sheet="Products")["rows"]
    row = [cells[0] for cells in rows].index(name)
    return f"B{row + 1}", float(rows[row][1])


def _set_cell(agent: Agent, sheet: str, cell: str, value: float | str) -> None:
    agent.call("write_cells", path=FILE, sheet=sheet, rows=[[value]], start_cell=cell)


def _read_ebit(agent: Agent) -> float:
    row = _find_row(agent, "EBIT")
    return float(agent.call("read_cells", path=FILE, sheet="Budget", range=f"N{row}")["rows"][0][0])


def _seek_price(agent: Agent, name: str) -> float:
    """Goal seek under a scenario; then all as before."""
    cell, old = _find_product(agent)
    _set_cell(agent, SHEET, "B1", name)
    target = f"Budget!N{_find_row(agent, 'EBIT')}"
    seek = {"op": "seek_goal", "range": target, "value": 0, "by": [f"Products!{cell}"]}
    agent.call("edit_workbook", path=FILE, edits=[seek])
    price = _find_product(agent)[1]
    _set_cell(agent, "Products", cell, old)
    _set_cell(agent, SHEET, "B1", "Base")
    return math.ceil(price * 100 - 1e-4) / 100


def _worked_out(agent: Agent, name: str) -> float:
    """EBIT is linear in the price: two values are enough."""
    cell, old = _find_product(agent)
    _set_cell(agent, SHEET, "B1", name)
    before = _read_ebit(agent)
    _set_cell(agent, "Products", cell, old + 1)
    gain = _read_ebit(agent) - before
    _set_cell(agent, "Products", cell, old)
    _set_cell(agent, SHEET, "B1", "Base")
    return math.ceil((old - before / gain) * 100 - 1e-4) / 100


def _format_sheet(agent: Agent, count: int) -> None:
    """Number formats as in Assumptions, widths, a head in the house's colours."""
    copied = {"op": "copy", "sheet": "Assumptions", "to_sheet": SHEET, "how": "formats"}
    span = f"B{FIRST}:B{FIRST + count - 1}"
    copies = [copied | {"range": span, "to": f"{letter}{FIRST}"} for letter in "BCD"]
    agent.call("edit_workbook", path=FILE, edits=copies)
    first = FIRST + count + 1
    agent.call("format_cells", path=FILE, sheet=SHEET, range=f"B{first}:B{first + 2}", number_format="#,##0")
    agent.call("format_cells", path=FILE, sheet=SHEET, range=f"B{first + 4}:D{first + 4}", number_format="0.00")
    agent.call("format_cells", path=FILE, sheet=SHEET, range="A3:D3 A1", bold=True, fill_color="DDE3EE")
    agent.call("set_sheet_layout", path=FILE, sheet=SHEET, column_widths={"A": 28, "B:D": 15}, freeze_at="B4")
