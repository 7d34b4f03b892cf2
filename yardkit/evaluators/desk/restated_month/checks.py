"""Rates, facts and summary are right, and the report says what it was and is, as the earlier restatements do."""

from collections.abc import Callable
from datetime import date
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Checkpoint, Facts, group
from yardkit.evaluators.leaves import Number, Records, Sheets, Table, Text, Trial
from yardkit.evaluators.leaves.notes import Saying

MONEY = ("Before", "After", "Difference")
CALCULATION = Table(
    "restatements/2026-02.xlsx",
    "Restatement",
    {"Market": Text(), **dict.fromkeys(MONEY, Number(typed=True)), "Difference %": Number(0.0001, typed=True)},
    ("Market",),
    lambda facts: facts["calculation"],
)
NOTICE = "It begins with what was wrong, the totals before and after, the day, and where the calculation is"
SOURCE, TOLD_ANEW = ["MONTHLY_SALES", "version 2", "February 2026"], ("callout", "table", "paragraph")


def _of(name: str) -> Callable[[Facts], Any]:
    return lambda facts: facts[name]


PAGE = _of("page")


def _changes(name: str, says: str, called: str, weight: float = 2) -> Checkpoint:
    added, removed = (_part(name, which) for which in ("added", "removed"))
    rest: dict[str, Any] = {"tolerance": 0.00005, "called": called, "weight": weight}
    return leaves.warehouse_changes(name, says, _part(name, "table"), added=added, removed=removed, **rest)


def _part(name: str, which: str) -> Callable[[Facts], Any]:
    return lambda facts: facts["changes"][name][which]


def _notice(facts: Facts) -> list[Saying]:
    first, last, today = (date.fromisoformat(facts[name]) for name in ("first", "last", "today"))
    *_, total = facts["calculation"]
    told = (total["Before"], total["After"], today, (first, float(first.day)), last)
    return [*told, *facts["pair"], CALCULATION.path]


def _another_month(sheets: Sheets, facts: Facts) -> Trial:
    """One market was higher by a thousand afterwards."""
    trial, (market, total) = Trial(), (facts["calculation"][place] for place in (2, -1))
    for line in CALCULATION.lines(sheets):
        if line.plain("Market") == "poland":
            trial.change(line, "After", market["After"] + 1000)
    moved = [{"Market": row["Market"], "After": row["After"] + 1000, "Difference": row["Difference"] + 1000,
              "Difference %": (row["Difference"] + 1000) / row["Before"]} for row in (market, total)]  # fmt: skip
    trial.expect(CALCULATION, moved)
    return trial


def _allowed(facts: Facts) -> tuple[str, ...]:
    pages = (facts["page"], "title"), (facts["row"], "values")
    fields = [f"notes:pages#{number}.{name}" for number, own in pages for name in (own, "edited", "editor_id")]
    files = (f"warehouse:{one['table'].replace('.', '/')}.parquet" for one in facts["changes"].values())
    return (*fields, *(f"notes:blocks#{number}" for number in facts["blocks"]), *files, "warehouse:catalog.json")


CHECKS = group(
    "restated_month",
    "February is right in the warehouse, and restated as earlier months were",
    group(
        "warehouse",
        "The warehouse is right",
        _changes("rates", "The rates are those of the market, and no others changed", "*EXCHANGE_RATES"),
        _changes("facts", "Daily rates are corrected; rows loaded twice are there once", "*SALES_FACTS", 4),
        _changes("summary", "The month is there again, as version 2", "*MONTHLY_SALES"),
        weight=5,
    ),
    group(
        "page",
        "The page of the report is restated",
        leaves.note_title(
            "title", "Its title says so", PAGE, lambda facts: f"Sales report {facts['month']} (restated)"
        ),
        leaves.note_block("notice", NOTICE, PAGE, "callout", _notice, icon="🔁", first=True, weight=2),
        leaves.note_block("source", "It names the new version", PAGE, "paragraph", lambda _: SOURCE),
        leaves.note_grid("figures", "Its table has new and published figures", PAGE, _of("grid"), weight=2),
        leaves.note_rest("rest", "All else is as it was", PAGE, lambda block: block.kind in TOLD_ANEW),
        leaves.note_versions("versions", "No other page was edited", lambda facts: [facts["page"], facts["row"]]),
        weight=4,
    ),
    leaves.records(
        "register",
        "The register says that it is restated, and when",
        Records("notes", "pages", ("values",)),
        lambda facts: [{"id": facts["row"], "title": facts["month"], "values": facts["values"]}],
        where=lambda row, facts: row["id"] == facts["row"],
        weight=2,
    ),
    group(
        "calculation",
        "The calculation is in a workbook, like earlier ones",
        leaves.just(
            "amounts", "It has the figures of each market, and the total, before and after", CALCULATION, weight=2
        ),
        leaves.live("live", "Differences and totals follow", _another_month, follows=(CALCULATION,)),
        leaves.formulas("formulas", "All differences are formulas", CALCULATION, "Difference", "Difference %"),
        leaves.decimals("shown", "Amounts have two decimals", {CALCULATION: MONEY}),
        leaves.number_format("percent", "Shares are percent", {CALCULATION: ("Difference %",)}, "0.00%"),
        weight=2,
    ),
    leaves.kept_records("notes:blocks+", "notes:versions+", also=_allowed),
    leaves.kept_tables(also=lambda facts: tuple(one["table"] for one in facts["changes"].values())),
    leaves.nothing_else(CALCULATION.path),
)
