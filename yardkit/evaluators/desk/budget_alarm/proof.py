"""Solutions and near misses of desk/budget_alarm."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.warehouse import Row
from yardkit.evaluators.solving.desk import read_day, read_mails, read_note, read_today
from yardkit.evaluators.solving.notes import find_note_rows
from yardkit.evaluators.solving.solver import write_book
from yardkit.evaluators.solving.warehouse import change_tables, find_tables, query_rows

FILE, SHEET = "budget/budget_2026.xlsx", "2026-09-16"
LINES = (
    "SELECT n.CODE, n.NAME, (SELECT sum(l.AMOUNT) FROM {LEDGER} l JOIN {COST_CENTRES} o ON o.CODE = l.COST_CENTRE "
    "WHERE coalesce(o.SUCCESSOR, o.CODE) = n.CODE AND year(l.POSTED_ON) = year(CURRENT_DATE) AND l.ACCOUNT NOT LIKE "
    "'{worn}%') AS SPENT, (SELECT sum(p.AMOUNT - p.INVOICED) FROM {PURCHASE_ORDERS} p JOIN {COST_CENTRES} o "
    "ON o.CODE = p.COST_CENTRE WHERE coalesce(o.SUCCESSOR, o.CODE) = n.CODE AND p.STATUS = 'open') AS OPEN "
    "FROM {COST_CENTRES} n WHERE n.SUCCESSOR IS NULL ORDER BY n.CODE"
)
ACTIVE = (
    "SELECT c.CARD_ID FROM {CARDS} c JOIN {COST_CENTRES} n ON n.CODE = c.COST_CENTRE WHERE c.STATUS = 'active' AND "
    "coalesce(n.SUCCESSOR, n.CODE) IN ({codes}) ORDER BY 1"
)
FREEZE = "UPDATE {CARDS} SET LIMIT_EUR = 0, STATUS = 'frozen', CHANGED_ON = CURRENT_DATE WHERE CARD_ID IN ({cards})"
LEFT = "{code} {name} has used {percent:.1f} % of its budget. EUR {rest:,.2f} are left."
OVER = "{code} {name} has used {percent:.1f} % of its budget. It is over by EUR {rest:,.2f}; its cards are frozen."


@dataclass(frozen=True)
class Line:
    """A cost centre at the check, in euros."""

    code: str
    name: str
    budget: float
    spent: float
    open: float
    owner: str

    @property
    def percent(self) -> float:
        return (self.spent + self.open) / self.budget * 100


def solve(agent: Agent) -> str:
    """The rule, tables, workbook and mails; then sheet, warnings and cards."""
    tables, lines, limit = _read_situation(agent)
    _write_sheet(
        agent,
        [
            [line.code, line.name, line.budget, line.spent, line.open, f"=(D{at}+E{at})/C{at}", f"=C{at}-D{at}-E{at}"]
            for at, line in enumerate(lines, 2)
        ],
    )
    _send_warnings(agent, [line for line in lines if line.percent > limit])
    change_tables(agent, FREEZE, **tables, cards=", ".join(_list_active_cards(agent, tables, lines)))
    return "The check is done."


def alternative_cards_first_one_by_one(agent: Agent, files: Path) -> str:
    """Each card is frozen alone, mails have other words, budgets are formulas; another program saves the workbook."""
    tables, lines, limit = _read_situation(agent)
    for card in _list_active_cards(agent, tables, lines):
        change_tables(agent, FREEZE, **tables, cards=card)
    left_and_over = (
        "{code}: {percent:.1f}% used, {rest:.2f} EUR left",
        "{code}: {percent:.1f}%, {rest:.2f} EUR over, frozen!",
    )
    _send_warnings(agent, [line for line in lines[::-1] if line.percent > limit], *left_and_over)
    _write_sheet(agent, [[line.code, line.name, f"={line.budget}+0", line.spent, line.open, f"=1-G{at}/C{at}",
                    f"=C{at}-(D{at}+E{at})"] for at, line in enumerate(lines, 2)])  # fmt: skip
    with misses.open_edited(files / FILE) as book:
        book[SHEET].freeze_panes = "A2"
    return ""


def alternative_sheet_copied(agent: Agent, _files: Path) -> str:
    """The sheet of the last check is copied, and its cells are written over."""
    agent.call("change_sheets", path=FILE, action="copy", sheet="2026-05-15", name=SHEET)
    return solve(agent)


def _list_active_cards(agent: Agent, tables: Mapping[str, str], lines: Sequence[Line]) -> list[str]:
    """The active cards of cost centres over their budget, quoted."""
    codes = ", ".join(f"'{line.code}'" for line in lines if line.percent > 100)
    return [f"'{row['CARD_ID']}'" for row in query_rows(agent, ACTIVE, **tables, codes=codes)]


def _send_warnings(agent: Agent, lines: Sequence[Line], left: str = LEFT, over: str = OVER) -> None:
    for line in lines:
        rest = line.budget - line.spent - line.open
        text = (left if rest > 0 else over).format(code=line.code, name=line.name, percent=line.percent, rest=abs(rest))
        agent.call("send_message", to=[line.owner], subject="Budget check", text=text)


def _read_situation(agent: Agent) -> tuple[dict[str, str], list[Line], int]:
    """The tables, today's cost centres with all figures and owners, and the limit."""
    rule = read_note(agent, "Budget control")
    limit, worn = (int(re.findall(pattern, rule)[0]) for pattern in (r"Over (\d+) % used", r"accounts (\d+)"))
    tables = find_tables(agent)
    staff = query_rows(agent, "SELECT * FROM {EMPLOYEES} ORDER BY 1", **tables)
    head = next(row["EMAIL"] for row in staff if row["TITLE"] == "Head of Finance")
    codes = query_rows(agent, "SELECT CODE, coalesce(SUCCESSOR, CODE) AS NOW FROM {COST_CENTRES} ORDER BY 1", **tables)
    budgets = _read_budgets(agent, {row["CODE"]: row["NOW"] for row in codes}, head)
    owners = _read_owners(agent, {f"{row['FIRST_NAME']} {row['LAST_NAME']}": row["EMAIL"] for row in staff})
    lines = [
        Line(
            row["CODE"], row["NAME"], budgets[row["CODE"]], float(row["SPENT"]), float(row["OPEN"]), owners[row["CODE"]]
        )
        for row in query_rows(agent, LINES, **tables, worn=worn)
    ]
    return tables, lines, limit


def _read_budgets(agent: Agent, code_of: Mapping[str, str], head: str) -> dict[str, float]:
    """Budgets of the year by the code of today, with transfers that the sheet or the head of Finance approves."""
    budgets: dict[str, float] = {}
    agent.call("read_cells", path=FILE, sheet="2026-05-15", show="formulas")
    for row in agent.call("read_cells", path=FILE, sheet="Budget")["rows"][3:]:
        budgets[code_of[str(row[0])]] = float(row[6])
    for no, _, of, to, euros, status in agent.call("read_cells", path=FILE, sheet="Transfers")["rows"][1:]:
        approvals = read_mails(agent, query=no, sender=head) if status == "asked" else []
        if status == "approved" or any(f"{no} is approved" in mail["text"] for mail in approvals):
            budgets[code_of[str(of)]] -= euros
            budgets[code_of[str(to)]] += euros
    return budgets


def _read_owners(agent: Agent, emails: Mapping[str, str]) -> dict[str, str]:
    """Addresses of owners by code, with what was handed over by today."""
    rows = find_note_rows(agent, "Cost centre owners")[1]
    owners = {row["values"]["Code"]: emails[row["values"]["Owner"][0]] for row in rows}
    text = "\n".join(mail["text"] for mail in read_mails(agent, query="owns Until then it is me"))
    handovers = re.findall(r"(?i)from (\d+ \w+ \d+) on [^(]+\((\S+)\) owns (\d+)", text)
    return owners | {code: email for when, email, code in handovers if read_day(when) <= read_today(agent)}


def _write_sheet(agent: Agent, rows: Sequence[Sequence[Any]]) -> None:
    head = ["Code", "Cost centre", "Budget", "Actual", "Open orders", "Used %", "Left"]
    write_book(agent, FILE, {SHEET: [head, *rows]}, {SHEET: f"C2:G{len(rows) + 1}"})
    agent.call("format_cells", path=FILE, sheet=SHEET, range=f"F2:F{len(rows) + 1}", number_format="0.0%")


in_sheet = misses.InSheet(FILE, SHEET)


def _change_figure(role: str, column: str, factor: float) -> Miss:
    """A figure of the cost centre with this role is another one."""

    def moved(value: Any, row: Mapping[str, Any], work: Any) -> Any:
        return value * factor if str(row["Code"]) == work.facts["codes"][role] else value

    return in_sheet.column(column, moved, caught_by="figures")


def _match_warning(role: str) -> Any:
    """The warning about the cost centre with this role."""
    return lambda mail, facts: mail.sender == facts["owner"] and facts["codes"][role] in mail.own_text[:80]


def _change_card(which: Callable[[Row, Facts], bool], status: str) -> Miss:
    """A card has another status."""

    def change_card(rows: list[Row], facts: Facts) -> None:
        next(row for row in rows if which(row, facts))["STATUS"] = status

    return misses.table_changed(lambda facts: facts["cards"], change_card, caught_by="cards")


near_miss_older_code_forgotten = _change_figure("renamed", "Actual", 0.4)
near_miss_depreciation_counted = _change_figure("worn", "Actual", 1.13)
near_miss_closed_orders_counted = _change_figure("closed", "Open orders", 3.3)
near_miss_transfer_by_mail_forgotten = _change_figure("gave", "Budget", 1.08)
near_miss_transfer_that_nobody_approved = _change_figure("asked", "Budget", 1.1)
near_miss_values_pasted = in_sheet.frozen("Used %", "Left", caught_by="live")
near_miss_warned_the_owner_before = misses.mail_edited(
    _match_warning("handed"), lambda mail, facts: mail.replace_header("To", facts["owners"]["handed"]), caught_by="sent"
)
near_miss_warned_the_owner_of_october = misses.mail_edited(
    _match_warning("not_yet"), lambda mail, facts: mail.replace_header("To", facts["new"]["not_yet"]), caught_by="sent"
)
near_miss_cards_not_mentioned = misses.mail_edited(
    _match_warning("over"),
    lambda mail, _: mail.set_content(mail.get_content().replace("its cards are frozen", "")),
    caught_by="said",
)
near_miss_all_warnings_in_each_mail = misses.mails_joined(caught_by="said")
near_miss_card_under_the_older_code = _change_card(lambda row, facts: row["COST_CENTRE"] == facts["older"], "active")
near_miss_closed_card_frozen = _change_card(lambda row, _: row["STATUS"] == "closed", "frozen")
near_miss_card_of_a_warned_one = _change_card(
    lambda row, facts: row["COST_CENTRE"] == facts["codes"]["asked"], "frozen"
)
