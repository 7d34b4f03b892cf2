"""Solutions and near misses of office/stock_cleanup."""

import re
from itertools import zip_longest
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.sheet_layout import format_sheets
from yardkit.evaluators.solving.solver import read_csv_records, read_full_sheet, to_iso_day, write_book

BOOK = "stock_clean.xlsx"
STOCK = ["SKU", "Description", "Location", "Quantity", "Unit", "Counted", "Reorder level"]
REMOVED = ["Row", "SKU", "Reason"]
FIRST_ROW = 5
Row = list[Any]


def solve(agent: Agent) -> str:
    """Clean each line, keep the latest of each item and place, log the others; lists by range, a rule for rows."""
    stay, removed, places = _clean_rows(agent)
    last = len(stay) + 1
    _write_workbook(agent, stay, removed, places)
    _list_of(agent, f"E2:E{last}", "=Lists!$A$2:$A$5")
    _list_of(agent, f"C2:C{last}", f"=Lists!$B$2:$B${len(places) + 1}")
    _add_rule(agent, f"A2:G{last}", rule="formula", value="=$D2<$G2", fill_color="FFC7CE")
    format_sheets(agent, BOOK, "Stock", right="D1:G1", separator="E:E")
    format_sheets(agent, BOOK, "Lists")
    format_sheets(agent, BOOK, "Removed", left="A:A")
    return f"{sum(row[3] < row[6] for row in stay)}"


def alternative_by_formulas_lists_of_items_and_a_rule_for_the_quantity(agent: Agent, files: Path) -> str:
    """Description and level by lookup, written items for units, a name for the places, a rule for one column."""
    stay, removed, places = _clean_rows(agent)
    _write_workbook(agent, stay, removed[::-1], places)
    _list_of(agent, f"E2:E{len(stay) + 201}", *("pcs", "kg", "l", "m"))
    agent.call("set_name", path=BOOK, name="Places", refers_to=f"=Lists!$B$2:$B${len(places) + 1}")
    _list_of(agent, "C2:C9999", "=Places")
    _add_rule(agent, "D2:D9999", rule="cell", operator="<", value="=$G2", font_color="C00000", bold=True)
    with open_edited(files / BOOK):
        pass
    return f"So many rows are below:\n**{sum(row[3] < row[6] for row in stay)}**"


def alternative_another_order_of_sheets_and_formulas_for_levels(agent: Agent, files: Path) -> str:
    """The log first; quantities as formulas; a rule that also looks for empty cells."""
    answer = solve(agent)
    with open_edited(files / BOOK) as book:
        book.move_sheet("Removed", -1)
        sheet = book["Stock"]
        for row in range(2, 40):
            sheet.cell(row, 4).value = f"=ROUND({sheet.cell(row, 4).value}*1,3)"
        next(iter(sheet.conditional_formatting)).rules[0].formula = ["AND(ISNUMBER($D2),$G2>$D2)"]
    return answer


def alternative_lists_that_grow_and_levels_looked_up_in_whole_columns(agent: Agent, files: Path) -> str:
    """Drop-downs by OFFSET and INDIRECT, a rule from row 1 on that looks at other cells, levels from a sheet beside."""
    answer = solve(agent)
    formulas = {"E": 'INDIRECT("Lists!$A$2:$A$5")', "C": "OFFSET(Lists!$B$2,0,0,COUNTA(Lists!$B:$B)-1,1)"}
    with open_edited(files / BOOK) as book:
        sheet, items = book["Stock"], book.create_sheet("Items")
        for sku, level in {row[0].value: row[6].value for row in sheet.iter_rows(min_row=2)}.items():
            items.append([sku, level])
        for row in range(2, sheet.max_row + 1):
            sheet.cell(row, 7).value = f"=VLOOKUP(A{row},Items!A:B,2,FALSE)"
        for validation in sheet.data_validations.dataValidation:
            validation.formula1 = formulas[str(validation.sqref)[0]]
        sheet.conditional_formatting = type(sheet.conditional_formatting)()
        misses.add_rule(sheet, f"A1:G{sheet.max_row}", 'AND(ROW()>1,$A1<>"",$D1<INDIRECT("G"&ROW()))')
    return answer


in_stock, in_removed = (misses.InSheet(BOOK, name) for name in ("Stock", "Removed"))
near_miss_units_not_converted = in_stock.column(
    "Quantity", lambda quantity: quantity * 1000, where=lambda row: row["Unit"] == "kg", caught_by="quantities"
)
near_miss_decimal_comma_read_as_thousands = in_stock.column(
    "Quantity", lambda quantity: quantity * (1 if quantity % 1 == 0 else 10), caught_by="quantities"
)
near_miss_duplicates_kept = in_stock.row_doubled(caught_by="each_once")
near_miss_all_called_duplicates = in_removed.column("Reason", lambda _: "DUPLICATE", caught_by="reasons")
near_miss_rows_counted_from_the_first_line = in_removed.column(
    "Row", lambda row: row - FIRST_ROW + 1, caught_by="logged"
)
near_miss_days_as_text = in_stock.column("Counted", lambda day: str(day)[:10], caught_by="days")
near_miss_warning_at_the_level_as_well = in_stock.change_rule("$D2<=$G2", caught_by="warning")
near_miss_second_rule_that_takes_the_level_as_well = in_stock.rule_added("D2:D9999", "$D2<=$G2", caught_by="warning")
near_miss_warning_in_white = in_stock.rules_unseen(caught_by="warning")
near_miss_warning_that_looks_at_one_row = in_stock.change_rule("$D$2<$G$2", caught_by="warning")
near_miss_cells_painted_by_hand = in_stock.paint_cells(
    "Quantity", lambda row: row["Quantity"] < row["Reorder level"], caught_by="warning"
)
near_miss_drop_downs_for_half_of_the_rows = in_stock.drop_downs_end_at(400, caught_by="drop_downs")
near_miss_sorted_by_place = in_stock.rows_sorted("Location", caught_by="sorted")
near_miss_equal_counted_as_below = misses.change_answer(
    lambda work: sum(quantity <= level for _, quantity, _, _, level in work.facts["stock"].values())
)
near_miss_count_overwritten = misses.overwrite_file("stock_count_2026.xlsx", BOOK)


def _write_workbook(agent: Agent, stay: list[Row], removed: list[Row], places: list[str]) -> None:
    lists = [list(row) for row in zip_longest(("Units", "kg", "l", "m", "pcs"), ("Locations", *places))]
    write_book(agent, BOOK, {"Stock": [STOCK, *stay], "Removed": [REMOVED, *removed], "Lists": lists})


def _list_of(agent: Agent, cells: str, *items: str) -> None:
    agent.call("set_validation", path=BOOK, sheet="Stock", range=cells, allow="list", items=list(items))


def _add_rule(agent: Agent, cells: str, **rule: Any) -> None:
    agent.call("set_conditional_format", path=BOOK, sheet="Stock", range=cells, **rule)


def _clean_rows(agent: Agent) -> tuple[list[Row], list[Row], list[str]]:
    """The rows that stay, the rows of the log, and all places."""
    items = _read_items(agent)
    units = read_csv_records(agent, "units.csv")
    factors = {unit["written"]: (unit["base unit"], float(unit["factor"])) for unit in units}
    lines = read_full_sheet(agent, "stock_count_2026.xlsx", "Count", FIRST_ROW - 1)
    reasons: dict[int, str] = {}
    best: dict[tuple[str, str], tuple[Any, int, Row]] = {}
    for number, line in enumerate(lines, FIRST_ROW):
        sku, quantity = _normalize_sku(line[2]), _parse_quantity(line[4], line[1])
        base, factor = factors[line[5].lower().rstrip(".")]
        if sku not in items:
            reasons[number] = "UNKNOWN SKU"
        elif quantity is None:
            reasons[number] = "NO QUANTITY"
        elif items[sku][1] != base:
            reasons[number] = "WRONG UNIT"
        else:
            name, unit, level = items[sku]
            key, day = (sku, line[3].strip().upper()), to_iso_day(line[6], "%d.%m.%Y", "%d %b %Y")
            entry = ((day, line[0]), number, [sku, name, key[1], round(quantity * factor, 3), unit, day, level])
            older, best[key] = sorted((entry, best.get(key, entry)))
            if older is not best[key]:
                reasons[older[1]] = "DUPLICATE"
    removed = [[number, lines[number - FIRST_ROW][2].strip(), reason] for number, reason in sorted(reasons.items())]
    stay = sorted((row for _, _, row in best.values()), key=lambda row: (row[0], row[2]))
    places = agent.call("read_file", path="locations.txt")["content"].split()
    return stay, removed, places


def _read_items(agent: Agent) -> dict[str, tuple[str, str, float]]:
    records = agent.call("read_records", path="items.xlsx", sheet="Items", limit=5000)["records"]
    return {record["SKU"]: (record["Description"], record["Base unit"], record["Reorder level"]) for record in records}


def _normalize_sku(text: str) -> str:
    bare_sku = text.strip().upper().replace("-", "")
    return f"{bare_sku[:2]}-{bare_sku[2:]}"


def _parse_quantity(value: Any, team: str) -> float | None:
    if isinstance(value, int | float):
        return float(value)
    text = str(value or "").strip()
    text = text.replace(".", "").replace(",", ".") if team == "D" else text.replace(",", "")
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None
