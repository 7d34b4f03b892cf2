"""Rates, facts and summary are right, and the report says what it was and is, as the earlier restatements do."""

from collections.abc import Callable
from datetime import date
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Checkpoint, Facts, make_group
from yardkit.evaluators.leaves import Number, Records, Sheets, Table, Text, Trial
from yardkit.evaluators.leaves.notes import ExpectedValue

MONEY = ("Before", "After", "Difference")
CALCULATION = Table(
    "restatements/2026-02.xlsx",
    "Restatement",
    {"Market": Text(), **dict.fromkeys(MONEY, Number(typed=True)), "Difference %": Number(0.0001, typed=True)},
    ("Market",),
    lambda facts: facts["calculation"],
)
NOTICE = "It begins with what was wrong, the totals before and after, the day, and where the calculation is"
SOURCE, REWRITTEN_KINDS = ["MONTHLY_SALES", "version 2", "February 2026"], ("callout", "table", "paragraph")


def _make_fact_getter(name: str) -> Callable[[Facts], Any]:
    return lambda facts: facts[name]


PAGE = _make_fact_getter("page")


def _check_changes(name: str, statement: str, called: str, weight: float = 2) -> Checkpoint:
    added, removed = (_get_changes_part(name, which) for which in ("added", "removed"))
    rest: dict[str, Any] = {"tolerance": 0.00005, "called": called, "weight": weight}
    return leaves.warehouse_changes(
        name, statement, _get_changes_part(name, "table"), added=added, removed=removed, **rest
    )


def _get_changes_part(name: str, which: str) -> Callable[[Facts], Any]:
    return lambda facts: facts["changes"][name][which]


def _build_notice(facts: Facts) -> list[ExpectedValue]:
    first, last, today = (date.fromisoformat(facts[name]) for name in ("first", "last", "today"))
    *_, total = facts["calculation"]
    notice_values = (total["Before"], total["After"], today, (first, float(first.day)), last)
    return [*notice_values, *facts["pair"], CALCULATION.path]


def _another_month(sheets: Sheets, facts: Facts) -> Trial:
    """One market was higher by a thousand afterwards."""
    trial, (market, total) = Trial(), (facts["calculation"][place] for place in (2, -1))
    for line in CALCULATION.list_lines(sheets):
        if line.normalize_cell("Market") == "poland":
            trial.change_cell(line, "After", market["After"] + 1000)
    moved = [{"Market": row["Market"], "After": row["After"] + 1000, "Difference": row["Difference"] + 1000,
              "Difference %": (row["Difference"] + 1000) / row["Before"]} for row in (market, total)]  # fmt: skip
    trial.expect_rows(CALCULATION, moved)
    return trial


def _list_allowed(facts: Facts) -> tuple[str, ...]:
    pages = (facts["page"], "title"), (facts["row"], "values")
    fields = [f"notes:pages#{number}.{name}" for number, own in pages for name in (own, "edited", "editor_id")]
    files = (
        f"warehouse:{table_change['table'].replace('.', '/')}.parquet" for table_change in facts["changes"].values()
    )
    return (*fields, *(f"notes:blocks#{number}" for number in facts["blocks"]), *files, "warehouse:catalog.json")


CHECKS = make_group(
    "restated_month",
    "February is right in the warehouse, and restated as earlier months were",
    make_group(
        "warehouse",
        "The warehouse is right",
        _check_changes("rates", "The rates are those of the market, and no others changed", "*EXCHANGE_RATES"),
        _check_changes("facts", "Daily rates are corrected; rows loaded twice are there once", "*SALES_FACTS", 4),
        _check_changes("summary", "The month is there again, as version 2", "*MONTHLY_SALES"),
        weight=5,
    ),
    make_group(
        "page",
        "The page of the report is restated",
        leaves.note_title(
            "title", "Its title says so", PAGE, lambda facts: f"Sales report {facts['month']} (restated)"
        ),
        leaves.note_block("notice", NOTICE, PAGE, "callout", _build_notice, icon="🔁", first=True, weight=2),
        leaves.note_block("source", "It names the new version", PAGE, "paragraph", lambda _: SOURCE),
        leaves.note_grid(
            "figures", "Its table has new and published figures", PAGE, _make_fact_getter("grid"), weight=2
        ),
        leaves.note_rest("rest", "All else is as it was", PAGE, lambda block: block.kind in REWRITTEN_KINDS),
        leaves.note_versions("versions", "No other page was edited", lambda facts: [facts["page"], facts["row"]]),
        weight=4,
    ),
    leaves.check_records(
        "register",
        "The register says that it is restated, and when",
        Records("notes", "pages", ("values",)),
        lambda facts: [{"id": facts["row"], "title": facts["month"], "values": facts["values"]}],
        where=lambda row, facts: row["id"] == facts["row"],
        weight=2,
    ),
    make_group(
        "calculation",
        "The calculation is in a workbook, like earlier ones",
        leaves.check_exact_rows(
            "amounts", "It has the figures of each market, and the total, before and after", CALCULATION, weight=2
        ),
        leaves.check_live_formulas("live", "Differences and totals follow", _another_month, follows=(CALCULATION,)),
        leaves.check_formulas("formulas", "All differences are formulas", CALCULATION, "Difference", "Difference %"),
        leaves.check_decimals("shown", "Amounts have two decimals", {CALCULATION: MONEY}),
        leaves.number_format("percent", "Shares are percent", {CALCULATION: ("Difference %",)}, "0.00%"),
        weight=2,
    ),
    leaves.check_unchanged_records("notes:blocks+", "notes:versions+", also=_list_allowed),
    leaves.check_unchanged_tables(
        also=lambda facts: tuple(table_change["table"] for table_change in facts["changes"].values())
    ),
    leaves.nothing_else(CALCULATION.path),
)
