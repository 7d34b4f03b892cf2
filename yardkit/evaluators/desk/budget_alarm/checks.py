"""The sheet of the check is right, owners over the limit know, and the right cards are frozen; nothing else changed."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Code, Kind, Mails, Number, Sheets, Table, Text, Trial

FILE, SHEET = "budget/budget_2026.xlsx", "2026-09-16"
EUROS = ("Budget", "Actual", "Open orders", "Left")
COLUMNS: dict[str, Kind] = {
    "Code": Code(), "Cost centre": Text(), **dict.fromkeys(EUROS, Number(typed=True)),
    "Used %": Number(0.0005, typed=True),
}  # fmt: skip
CHECK = Table(FILE, SHEET, COLUMNS, ("Code",), lambda facts: facts["rows"])
MAILS = Mails(lambda facts: facts["mails"])
ASPECTS = ("cells", "formulas", "formats", "rows", "sheet", "looks", "visibility")
BOOK = tuple(
    f"{aspect}:{FILE}#{sheet}*" for sheet in ("Budget", "Transfers", "2026-02", "2026-05") for aspect in ASPECTS
)


def _spent_more(sheets: Sheets, facts: Facts) -> Trial:
    """Each cost centre had spent a thousand more."""
    trial, rows = Trial(), {row["Code"]: row for row in facts["rows"]}
    for line in CHECK.list_lines(sheets):
        if line.normalize_cell("Code") in rows:
            trial.change_cell(line, "Actual", rows[line.normalize_cell("Code")]["Actual"] + 1000)
    moved = [{**row, "Actual": row["Actual"] + 1000, "Left": row["Left"] - 1000,
              "Used %": 1 - (row["Left"] - 1000) / row["Budget"]} for row in rows.values()]  # fmt: skip
    trial.expect_rows(CHECK, moved)
    return trial


def _format_cards(facts: Facts) -> str:
    return str(facts["cards"])


CHECKS = make_group(
    "budget_alarm",
    "The budget check is done",
    make_group(
        "sheet",
        "The check has its sheet",
        leaves.check_rows("centres", "Each cost centre of today has a row, by code", CHECK, ordered=True),
        leaves.check_cells("figures", "Budget, actual, open orders and what follows are right", CHECK, weight=4),
        leaves.check_live_formulas(
            "live", "Share and rest follow", _spent_more, follows=(CHECK,), least=lambda f: len(f["rows"])
        ),
        leaves.check_decimals("euros", "Euros have two decimals", {CHECK: EUROS}),
        leaves.number_format("percent", "Shares are percent with one decimal", {CHECK: ("Used %",)}, "0.0%"),
        weight=4,
    ),
    make_group(
        "mails",
        "The owners know",
        MAILS.check_sent("sent", "One mail for each cost centre over the limit, to its owner, and no others", weight=2),
        MAILS.says("said", "It says code, percentage, what is left or over, of frozen cards, not of others", weight=2),
        weight=4,
    ),
    leaves.warehouse_changes(
        "cards",
        "The active cards of cost centres over their budget are frozen, and no others",
        _format_cards,
        added=lambda facts: facts["changes"]["added"],
        removed=lambda facts: facts["changes"]["removed"],
        weight=3,
    ),
    leaves.check_unchanged(
        "book", "The other sheets are as they were", FILE, f"*#{SHEET}!*", f"*#{SHEET}", covers=BOOK
    ),
    leaves.check_unchanged_records(
        "mail:sent",
        "mail:answers",
        "warehouse:catalog.json",
        also=lambda facts: (f"warehouse:{_format_cards(facts).replace('.', '/')}.parquet",),
    ),
    leaves.check_unchanged_tables(also=lambda facts: (_format_cards(facts),)),
    leaves.nothing_else(FILE),
)
