"""Every day worked once with its hours; a payroll that follows its entries and rates; the breaches of the rules."""

from collections.abc import Mapping
from dataclasses import replace

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Code, Date, Number, Row, Sheets, Table, Text, Trial
from yardkit.evaluators.readers.tables import to_decimal
from yardkit.evaluators.submission import Submission

BOOK, NUMBER, NAME = "payroll.xlsx", "Personnel no.", "Name"
SUMS = {"Hours": "hours", "Night hours": "night", "Pay": "pay"}
RULES = {"LONG", "BREAK", "REST", "TOTAL"}


def _list_entries(facts: Facts) -> list[Row]:
    entries = [(*key.split(), *hours) for key, hours in facts["entries"].items()]
    return [
        {NUMBER: number, NAME: facts["names"][number], "Date": day, "Hours": hours, "Night hours": night}
        for number, day, hours, night in entries
    ]


def _list_people(facts: Facts) -> list[Row]:
    """The rows of the payroll; what stands in the one of the total has a table of its own."""
    names, rates = facts["names"], facts["rates"]
    rows = [
        {NUMBER: who, NAME: names[who], "Rate": rates[who], **_map_sums(total)} for who, total in facts["sums"].items()
    ]
    return [*rows, {NUMBER: "Total"}]


def _map_sums(hours: Mapping[str, float]) -> Row:
    return {column: hours[key] for column, key in SUMS.items()}


HOURS = {"Hours": Number(), "Night hours": Number()}
ENTRIES = Table(
    BOOK, "Entries", {NUMBER: Code(), NAME: Text(), "Date": Date(), **HOURS}, (NUMBER, "Date"), _list_entries
)
NAMES = replace(
    ENTRIES, key=(NUMBER,), truth=lambda facts: [{NUMBER: who, NAME: name} for who, name in facts["names"].items()]
)
PAY = {"Rate": Number(), **dict.fromkeys(SUMS, Number(0.011))}
PAYROLL = Table(BOOK, "Payroll", {NUMBER: Code(), NAME: Text(), **PAY}, (NUMBER,), _list_people)
TOTAL = replace(
    PAYROLL,
    columns={**PAYROLL.columns, **dict.fromkeys(SUMS, Number(0.065))},
    truth=lambda facts: [{NUMBER: "Total", **_map_sums(facts["totals"])}],
)
"""Its sums may be off by what twelve people are rounded by."""
EXCEPTIONS = Table(
    BOOK,
    "Exceptions",
    {NUMBER: Code(), "Date": Date(typed=False), "Rule": Text()},
    (NUMBER, "Date", "Rule"),
    lambda facts: [{NUMBER: who, "Date": day, "Rule": code} for who, day, code in facts["exceptions"]],
)


def _check_rounded(submission: Submission, facts: Facts) -> Finding:
    """Pays are full cents, and the nearest ones; half a cent may go either way."""
    wrong = []
    for row in PAYROLL.read_rows(submission):
        number, pay = PAYROLL.name(row), to_decimal(row["Pay"])
        if number in facts["sums"] and pay is not None:
            exact = _compute_exact_pay(facts["rates"][number], facts["sums"][number], facts)
            if abs(float(pay) - exact) > 0.00501 or abs(float(pay) - round(float(pay), 2)) > 1e-6:
                wrong.append(f"Pay of {number} is {pay}, {exact:.4f} before it is rounded")
    return make_finding(not wrong, "; ".join(wrong[:4]) or "each pay is rounded to the nearest cent")


def _compute_exact_pay(rate: float, sums: Mapping[str, float], facts: Facts) -> float:
    return float(rate * (sums["hours"] + facts["supplement"] * sums["night"]))


def _raise_hours(sheets: Sheets, facts: Facts) -> Trial:
    """A day of each person gets more hours and night hours, and each rate is raised, everywhere by another amount."""
    trial, sums, rates = Trial(), {who: dict(own) for who, own in facts["sums"].items()}, dict(facts["rates"])
    for table, column, added in ((ENTRIES, "Hours", 2.0), (ENTRIES, "Night hours", 1.0), (PAYROLL, "Rate", 3.0)):
        first = {line.normalize_cell(NUMBER): line for line in reversed(list(table.list_lines(sheets)))}
        for index, who in enumerate(sums):
            if who in first:
                more = added * (1 + index / 4)
                trial.change_cell(first[who], column, float(to_decimal(first[who].values[column]) or 0) + more)
                changed, key = (rates, who) if column == "Rate" else (sums[who], SUMS[column])
                changed[key] += more
    for who, worked in sums.items():
        worked["pay"] = round(_compute_exact_pay(rates[who], worked, facts) + 1e-9, 2)
    total = {key: sum(own[key] for own in sums.values()) for key in SUMS.values()}
    trial.expect_rows(PAYROLL, [{NUMBER: who, **_map_sums(own)} for who, own in sums.items()])
    trial.expect_rows(TOTAL, [{NUMBER: "Total", **_map_sums(total)}])
    return trial


def _check_breaches(id: str, statement: str, *codes: str, weight: float = 1.0) -> Checkpoint:  # noqa: A002
    others = {code.casefold() for code in RULES - set(codes)}
    return leaves.check_exact_rows(
        id, statement, EXCEPTIONS, where=lambda row: str(row["Rule"]).strip().casefold() not in others, weight=weight
    )


FORMATS = (*ENTRIES.formats, *PAYROLL.formats, *EXCEPTIONS.formats)

CHECKS = make_group(
    "timesheets",
    "February is ready to be paid",
    make_group(
        "entries",
        "Each day worked is an entry",
        leaves.check_rows("each_once", "Each person and day worked has one row", ENTRIES, weight=2),
        leaves.check_cells("hours", "The hours of each day are right", ENTRIES, "Hours", weight=3),
        leaves.check_cells("night", "The night hours of each day are right", ENTRIES, "Night hours", weight=2),
        leaves.all_of(
            "types",
            "Dates are dates, names match their numbers",
            leaves.check_types("", "", ENTRIES, "Date", filled=True),
            leaves.check_types("", "", ENTRIES, *HOURS),
            leaves.check_cells("", "", NAMES, NAME, known=True),
            leaves.check_types("", "", EXCEPTIONS, "Date", covers=FORMATS),
            kind="format",
        ),
        weight=4,
    ),
    make_group(
        "payroll",
        "The payroll adds them up",
        leaves.all_of(
            "people",
            "Every employee is listed in order, with rate",
            leaves.check_rows("", "", PAYROLL, ordered=True),
            leaves.check_cells("", "", PAYROLL, NAME, "Rate"),
            weight=2,
        ),
        leaves.check_cells("sums", "Hours and night hours are right", PAYROLL, *HOURS, covers=ENTRIES.covers, weight=2),
        leaves.all_of(
            "pay",
            "Each pay is right",
            leaves.check_cells("", "", PAYROLL, "Pay"),
            make_checkpoint("", "", _check_rounded, covers=(*ENTRIES.covers, *PAYROLL.covers)),
            weight=3,
        ),
        leaves.check_cells("totals", "The totals are right", TOTAL, *SUMS, covers=ENTRIES.covers),
        leaves.check_live_formulas(
            "live",
            "The payroll follows its entries and rates",
            _raise_hours,
            follows=(PAYROLL,),
            of=(ENTRIES,),
            least=lambda facts: 3 * len(facts["sums"]),
            weight=3,
        ),
        weight=4,
    ),
    make_group(
        "exceptions",
        "The breaches of the rules are listed",
        _check_breaches("long", "Just the long days are listed", "LONG"),
        _check_breaches("breaks", "Just the short breaks and rests are listed", "BREAK", "REST", weight=2),
        _check_breaches("misstated", "Just the wrong totals are listed", "TOTAL"),
        weight=3,
    ),
    leaves.check_headers("layout", "The sheets are laid out as asked", ENTRIES, PAYROLL, EXCEPTIONS, weight=0.5),
    leaves.check_decimals(
        "decimals", "Hours and money have two decimals", {ENTRIES: (*HOURS,), PAYROLL: (*PAY,)}, weight=0.5
    ),
    leaves.answer_number("The answer is the total pay", lambda facts: facts["totals"]["pay"], 0.005),
    leaves.nothing_else(BOOK),
)
