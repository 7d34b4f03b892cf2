"""Solutions and near misses of office/stock_cleanup."""

import csv
import datetime
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolyard.evaluators.office.dressing import dress
from toolyard.evaluators.proof import Agent, Solved, killed_by

BOOK = "stock_clean.xlsx"
STOCK = ["SKU", "Description", "Location", "Quantity", "Unit", "Counted", "Reorder level"]
REMOVED = ["Row", "SKU", "Reason"]
FIRST_ROW = 5
Row = list[Any]


def solve(agent: Agent) -> str:
    """Clean each line, keep the latest of each item and place, log the others; lists by range, a rule for rows."""
    stay, removed, places = _cleaned(agent)
    last = len(stay) + 1
    _write(agent, stay, removed, places)
    _list_of(agent, f"E2:E{last}", "=Lists!$A$2:$A$5")
    _list_of(agent, f"C2:C{last}", f"=Lists!$B$2:$B${len(places) + 1}")
    agent.call(
        "set_conditional_format",
        path=BOOK,
        sheet="Stock",
        range=f"A2:G{last}",
        rule="formula",
        value="=$D2<$G2",
        fill_color="FFC7CE",
    )
    dress(agent, BOOK, "Stock", right="D1:G1", apart="E:E")
    dress(agent, BOOK, "Lists")
    dress(agent, BOOK, "Removed", left="A:A")
    return f"{sum(row[3] < row[6] for row in stay)}"


def also_by_formulas_lists_of_items_and_a_rule_for_the_quantity(agent: Agent, files: Path) -> str:
    """Description and level by lookup, written items for units, a name for the places, a rule for one column."""
    import openpyxl

    stay, removed, places = _cleaned(agent)
    last = len(stay) + 1
    _write(agent, stay, removed[::-1], places)
    _list_of(agent, f"E2:E{last + 200}", *("pcs", "kg", "l", "m"))
    agent.call("set_name", path=BOOK, name="Places", refers_to=f"=Lists!$B$2:$B${len(places) + 1}")
    _list_of(agent, "C2:C9999", "=Places")
    agent.call(
        "set_conditional_format",
        path=BOOK,
        sheet="Stock",
        range="D2:D9999",
        rule="cell",
        operator="<",
        value="=$G2",
        font_color="C00000",
        bold=True,
    )
    book = openpyxl.load_workbook(files / BOOK)
    book.save(files / BOOK)
    return f"So many rows are below:\n**{sum(row[3] < row[6] for row in stay)}**"


def also_another_order_of_sheets_and_formulas_for_levels(agent: Agent, files: Path) -> str:
    """The log first; quantities as formulas; a rule that also looks for empty cells."""
    import openpyxl

    answer = solve(agent)
    book = openpyxl.load_workbook(files / BOOK)
    book.move_sheet("Removed", -1)
    sheet = book["Stock"]
    for row in range(2, 40):
        sheet.cell(row, 4).value = f"=ROUND({sheet.cell(row, 4).value}*1,3)"
    rules = sheet.conditional_formatting
    formula = "AND(ISNUMBER($D2),$G2>$D2)"
    next(iter(rules)).rules[0].formula = [formula]
    book.save(files / BOOK)
    return answer


def also_lists_that_grow_and_levels_looked_up_in_whole_columns(agent: Agent, files: Path) -> str:
    """Drop-downs by OFFSET and INDIRECT, a rule from row 1 on that looks at other cells, levels from a sheet beside."""
    import openpyxl
    from openpyxl.formatting.formatting import ConditionalFormattingList
    from openpyxl.formatting.rule import FormulaRule
    from openpyxl.styles import PatternFill

    answer = solve(agent)
    book = openpyxl.load_workbook(files / BOOK)
    sheet, items = book["Stock"], book.create_sheet("Items")
    for sku, level in {row[0].value: row[6].value for row in sheet.iter_rows(min_row=2)}.items():
        items.append([sku, level])
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, 7).value = f"=VLOOKUP(A{row},Items!A:B,2,FALSE)"
    formulas = {"E": 'INDIRECT("Lists!$A$2:$A$5")', "C": "OFFSET(Lists!$B$2,0,0,COUNTA(Lists!$B:$B)-1,1)"}
    for rule in sheet.data_validations.dataValidation:
        rule.formula1 = formulas[str(rule.sqref)[0]]
    fill = PatternFill(bgColor="FFC7CE")
    sheet.conditional_formatting = ConditionalFormattingList()
    rule = 'AND(ROW()>1,$A1<>"",$D1<INDIRECT("G"&ROW()))'
    sheet.conditional_formatting.add(f"A1:G{sheet.max_row}", FormulaRule(formula=[rule], fill=fill))
    book.save(files / BOOK)
    return answer


@killed_by("quantities")
def miss_units_not_converted(work: Solved) -> None:
    """Quantities as they were counted, in thousandths."""
    _each(work, "Stock", lambda row: setattr(row[3], "value", row[3].value * (1000 if row[4].value == "kg" else 1)))


@killed_by("quantities")
def miss_decimal_comma_read_as_thousands(work: Solved) -> None:
    """Numbers with decimals are ten times too large."""
    _each(work, "Stock", lambda row: setattr(row[3], "value", row[3].value * (1 if row[3].value % 1 == 0 else 10)))


@killed_by("each_once")
def miss_duplicates_kept(work: Solved) -> None:
    """One of the recounted lines stays as well."""

    def change(book: Any) -> None:
        sheet = book["Stock"]
        sheet.append([cell.value for cell in sheet[sheet.max_row]])

    _edit(work, change)


@killed_by("reasons")
def miss_all_called_duplicates(work: Solved) -> None:
    """One reason for all."""
    _each(work, "Removed", lambda row: setattr(row[2], "value", "DUPLICATE"))


@killed_by("logged")
def miss_rows_counted_from_the_first_line(work: Solved) -> None:
    """Row numbers that leave out the header."""
    _each(work, "Removed", lambda row: setattr(row[0], "value", row[0].value - FIRST_ROW + 1))


@killed_by("days")
def miss_days_as_text(work: Solved) -> None:
    """Dates that only look like dates."""
    _each(work, "Stock", lambda row: setattr(row[5], "value", str(row[5].value)[:10]))


@killed_by("warning")
def miss_warning_at_the_level_as_well(work: Solved) -> None:
    """Below or equal is coloured."""
    _rule(work, "$D2<=$G2")


@killed_by("warning")
def miss_second_rule_that_takes_the_level_as_well(work: Solved) -> None:
    """One rule is right, another one colours what is equal too."""
    from openpyxl.formatting.rule import FormulaRule
    from openpyxl.styles import PatternFill

    def change(book: Any) -> None:
        sheet = book["Stock"]
        fill = PatternFill(bgColor="FFEB9C")
        sheet.conditional_formatting.add(f"D2:D{sheet.max_row}", FormulaRule(formula=["$D2<=$G2"], fill=fill))

    _edit(work, change)


@killed_by("warning")
def miss_warning_in_white(work: Solved) -> None:
    """The rule is right, its colour cannot be seen."""
    from openpyxl.styles import PatternFill

    def change(book: Any) -> None:
        for area in book["Stock"].conditional_formatting:
            for rule in area.rules:
                rule.dxf.fill, rule.dxf.font = PatternFill(bgColor="FFFFFF"), None

    _edit(work, change)


@killed_by("warning")
def miss_warning_that_looks_at_one_row(work: Solved) -> None:
    """All rows are coloured by the first one."""
    _rule(work, "$D$2<$G$2")


@killed_by("warning")
def miss_cells_painted_by_hand(work: Solved) -> None:
    """Colours that do not follow."""
    from openpyxl.styles import PatternFill

    def change(book: Any) -> None:
        sheet = book["Stock"]
        sheet.conditional_formatting = type(sheet.conditional_formatting)()
        for row in sheet.iter_rows(min_row=2):
            if row[3].value < row[6].value:
                row[3].fill = PatternFill("solid", fgColor="FFC7CE")

    _edit(work, change)


@killed_by("drop_downs")
def miss_drop_downs_for_half_of_the_rows(work: Solved) -> None:
    """The lists end early."""

    def change(book: Any) -> None:
        for each in book["Stock"].data_validations.dataValidation:
            each.sqref = type(each.sqref)(re.sub(r"\d+$", "400", str(each.sqref)))

    _edit(work, change)


@killed_by("sorted")
def miss_sorted_by_place(work: Solved) -> None:
    """Rows of one place together."""

    def change(book: Any) -> None:
        sheet = book["Stock"]
        rows = sorted(([cell.value for cell in row] for row in sheet.iter_rows(min_row=2)), key=lambda row: row[2])
        for line, cells in zip(sheet.iter_rows(min_row=2), rows, strict=True):
            for cell, value in zip(line, cells, strict=True):
                cell.value = value

    _edit(work, change)


@killed_by("answer")
def miss_equal_counted_as_below(work: Solved) -> None:
    """Rows at their level are counted."""
    work.answer = str(sum(quantity <= level for _, quantity, _, _, level in work.facts["stock"].values()))


@killed_by("kept")
def miss_count_overwritten(work: Solved) -> None:
    """The clean sheet lies over the count."""
    (work.files / "stock_count_2026.xlsx").write_bytes((work.files / BOOK).read_bytes())


def _edit(work: Solved, change: Callable[[Any], object]) -> None:
    import openpyxl

    book = openpyxl.load_workbook(work.files / BOOK)
    change(book)
    book.save(work.files / BOOK)


def _each(work: Solved, sheet: str, change: Callable[[Any], object]) -> None:
    def edit(book: Any) -> None:
        for row in book[sheet].iter_rows(min_row=2):
            change(row)

    _edit(work, edit)


def _rule(work: Solved, formula: str) -> None:
    def change(book: Any) -> None:
        next(iter(book["Stock"].conditional_formatting)).rules[0].formula = [formula]

    _edit(work, change)


def _write(agent: Agent, stay: list[Row], removed: list[Row], places: list[str]) -> None:
    units = ["kg", "l", "m", "pcs"]
    lists = [[units[n] if n < len(units) else None, place] for n, place in enumerate(places)]
    agent.call("write_cells", path=BOOK, sheet="Stock", rows=[STOCK, *stay])
    agent.call("write_cells", path=BOOK, sheet="Removed", rows=[REMOVED, *removed])
    agent.call("write_cells", path=BOOK, sheet="Lists", rows=[["Units", "Locations"], *lists])


def _list_of(agent: Agent, cells: str, *items: str) -> None:
    agent.call("set_validation", path=BOOK, sheet="Stock", range=cells, allow="list", items=list(items))


def _cleaned(agent: Agent) -> tuple[list[Row], list[Row], list[str]]:
    """The rows that stay, the rows of the log, and all places."""
    items = _items(agent)
    units = list(csv.reader(agent.call("read_file", path="units.csv")["content"].splitlines()))[1:]
    factors = {unit: (base, float(factor)) for unit, base, factor in units}
    page = agent.call("read_cells", path="stock_count_2026.xlsx", sheet="Count", offset=FIRST_ROW - 1, limit=9000)
    lines = page["rows"]
    removed: list[Row] = []
    best: dict[tuple[str, str], tuple[Any, int, Row]] = {}
    for number, line in enumerate(lines, FIRST_ROW):
        sku, reason = _sku(line[2]), ""
        base, factor = factors[line[5].lower().rstrip(".")]
        quantity = _quantity(line[4], line[1])
        if sku not in items:
            reason = "UNKNOWN SKU"
        elif quantity is None:
            reason = "NO QUANTITY"
        elif items[sku][1] != base:
            reason = "WRONG UNIT"
        if quantity is None or reason:
            removed.append([number, line[2].strip(), reason])
            continue
        name, unit, level = items[sku]
        key, day = (sku, line[3].strip().upper()), _day(line[6])
        entry = ((day, line[0]), number, [sku, name, key[1], round(quantity * factor, 3), unit, day, level])
        older, newer = sorted((entry, best.get(key, entry)), key=lambda each: each[0])
        if key in best:
            removed.append([older[1], lines[older[1] - FIRST_ROW][2].strip(), "DUPLICATE"])
        best[key] = newer
    stay = sorted((row for _, _, row in best.values()), key=lambda row: (row[0], row[2]))
    places = agent.call("read_file", path="locations.txt")["content"].split()
    return stay, sorted(removed), places


def _items(agent: Agent) -> dict[str, tuple[str, str, float]]:
    records = agent.call("read_records", path="items.xlsx", sheet="Items", limit=5000)["records"]
    return {each["SKU"]: (each["Description"], each["Base unit"], each["Reorder level"]) for each in records}


def _sku(text: str) -> str:
    plain = text.strip().upper().replace("-", "")
    return f"{plain[:2]}-{plain[2:]}"


def _quantity(value: Any, team: str) -> float | None:
    if isinstance(value, int | float):
        return float(value)
    text = str(value or "").strip()
    text = text.replace(".", "").replace(",", ".") if team == "D" else text.replace(",", "")
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None


def _day(text: str) -> str:
    for form in ("%d.%m.%Y", "%d %b %Y"):
        try:
            return datetime.datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a day
        except ValueError:
            continue
    return text
