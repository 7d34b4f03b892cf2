"""The quarter's workbook is as the last ones, and live, and each agent has the statement that follows from it."""

import re
from collections.abc import Iterator
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Code, Date, Exact, Mails, Number, Table
from yardkit.evaluators.leaves.live_formulas import Trial
from yardkit.evaluators.leaves.tables import Sheets
from yardkit.evaluators.readers.answers import find_numbers
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.submission import Submission

BOOK, QUARTER, PAID = "commissions/2026-Q1.xlsx", "2026-Q1", "20 April 2026"
WORD, DAY, CENTS, SHARE = Exact(), Date(), Number(), Number(0.00001, places=4)
AMOUNTS = ("Sales", "Returns", "Base", "Commission", "Brought forward", "Payable", "Carried forward")
SUMMARY = Table(
    BOOK, "Summary", {"Agent": WORD, "Name": WORD, "Orders": CENTS, **dict.fromkeys(AMOUNTS, CENTS)}, ("Agent",),
    lambda facts: facts["summary"],
)  # fmt: skip
TERMS = Table(
    BOOK, "Terms",
    {"Agent": WORD, "Name": WORD, "Rate": SHARE, "Limit": CENTS, "Upper rate": SHARE, "Brought forward": CENTS},
    ("Agent",), lambda facts: facts["terms"],
)  # fmt: skip
ORDERS = Table(
    BOOK, "Orders",
    {"Order": Code(), "Placed": DAY, "Completed": DAY, "Customer": WORD, "Country": WORD, "Agent": WORD, "Net": CENTS},
    ("Order",), lambda facts: facts["orders"],
)  # fmt: skip
RETURNS = Table(
    BOOK, "Returns", {"Refund": Code(), "Order": Code(), "Booked": DAY, "Agent": WORD, "Net": CENTS}, ("Refund",),
    lambda facts: facts["returns"],
)  # fmt: skip


def _list_statements(facts: Facts) -> Iterator[dict[str, Any]]:
    """A statement for each agent, which neither names another nor what that one has sold."""
    for email, own in zip(facts["emails"], facts["summary"], strict=True):
        others = [row for row in facts["summary"] if row is not own]
        sold = [row["Sales"] for row in others if row["Sales"] and row["Sales"] not in own.values()]
        yield {"to": [email], "says": [QUARTER, PAID], "never": [*(row["Name"] for row in others), *sold]}


MAILS = Mails(_list_statements)
AMOUNT_COLUMNS = {SUMMARY: AMOUNTS, ORDERS: ("Net",), RETURNS: ("Net",)}
HIGHER, DEBT = 0.008, 9_000.0
"""What is added to each rate, and what is owed to an agent more, or less where something is payable."""


def _build_trial(sheets: Sheets, facts: Facts) -> Trial:
    """Orders and returns are dealt out to the agents by turns, each for one more than the last."""
    trial, terms = Trial(), {row["Agent"]: row for row in facts["terms"]}
    dealt: list[dict[str, list[float]]] = []
    for table in (ORDERS, RETURNS):
        dealt.append({agent: [] for agent in terms})
        for place, line in enumerate(line for line in table.list_lines(sheets) if line.normalize_cell("Net")):
            agent, net = [*terms][place % len(terms)], float(line.values["Net"]) + place
            dealt[-1][agent].append(net)
            trial.change_cell(line, "Agent", agent)
            trial.change_cell(line, "Net", net)
    debts = {row["Agent"]: -DEBT if row["Payable"] else DEBT for row in facts["summary"]}
    for line in TERMS.list_lines(sheets):
        for column, more in (("Rate", HIGHER), ("Brought forward", debts.get(line.values["Agent"], 0.0))):
            if line.normalize_cell(column):
                trial.change_cell(line, column, float(line.values[column]) + more)
    changed = {agent: row | {"Brought forward": row["Brought forward"] + debts[agent]} for agent, row in terms.items()}
    trial.expect_rows(SUMMARY, [_sum_terms(row, *(of[agent] for of in dealt)) for agent, row in changed.items()])
    return trial


def _sum_terms(terms: dict[str, Any], orders: list[float], returns: list[float]) -> dict[str, Any]:
    """The row of the summary that follows."""
    base, brought = sum(orders) - sum(returns), terms["Brought forward"]
    low, high = min(base, terms["Limit"]), max(base - terms["Limit"], 0)
    commission = round(low * (terms["Rate"] + HIGHER) + high * terms["Upper rate"], 2)
    left = commission + brought
    amounts = (sum(orders), sum(returns), base, commission, brought, max(left, 0), min(left, 0))
    return {"Agent": terms["Agent"], "Orders": len(orders), **dict(zip(AMOUNTS, amounts, strict=True))}


def _check_statements(submission: Submission, facts: Facts) -> Finding:
    pairs, _ = MAILS.pair_mails(submission, facts)
    problems = [
        f"{row['Name']} does not learn {name} {row[name]}"
        for (_, mail), row in zip(pairs, facts["summary"], strict=True)
        for name in ("Orders", *AMOUNTS)
        if not mail or not _states_amount(name, row[name], mail)
    ]
    return make_finding(not problems, "; ".join(problems[:6]) or "all amounts are stated")


def _states_amount(name: str, amount: float, mail: Mail) -> bool:
    """Whether the number behind a word is the amount."""
    text = re.sub(r"\([^)]*\)", "", mail.own_text).replace("-EUR ", "EUR -")
    behind = re.split(rf"\b{name}\b", text, flags=re.IGNORECASE)[1:]
    return any(is_near(number, amount) for text in behind for number in find_numbers(text)[:1])


CHECKS = make_group(
    "commissions",
    "The commissions of the quarter are calculated and announced",
    make_group(
        "workbook",
        "The workbook is as the last ones",
        leaves.check_exact_rows(
            "orders", "The orders are those that count, each with its agent and net value", ORDERS, weight=3
        ),
        leaves.check_exact_rows("returns", "The returns are those that count, each with its agent", RETURNS, weight=2),
        leaves.check_exact_rows("terms", "The terms are in force, with what was carried forward", TERMS, weight=2),
        leaves.check_exact_rows("summary", "Each agent has the amounts that follow", SUMMARY, weight=2),
        leaves.check_live_formulas(
            "live", "They follow by formulas", _build_trial, follows=(SUMMARY,), of=(ORDERS, RETURNS, TERMS), weight=2
        ),
        leaves.check_decimals("shown", "Amounts have two decimals", AMOUNT_COLUMNS, weight=0.5),
        leaves.check_types("days", "Days are days", ORDERS, "Placed", "Completed", filled=True, weight=0.5),
        leaves.check_types("booked", "So are those of the returns", RETURNS, "Booked", filled=True, weight=0.5),
        weight=4,
    ),
    make_group(
        "statements",
        "The agents know",
        MAILS.check_sent("sent", "Each agent has one statement, and no one else has any", weight=2),
        MAILS.says("said", "It names the quarter and the day of the payment, and nothing of other agents"),
        make_checkpoint("told", "It has all amounts", _check_statements, covers=("mail:Sent#text",), weight=2),
        MAILS.check_files("bare", "No file goes with it", weight=0.5),
        weight=2,
    ),
    leaves.check_unchanged_records("mail:sent", "mail:answers"),
    leaves.nothing_else(BOOK),
)
