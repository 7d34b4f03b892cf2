"""Solutions and near misses of desk/commissions."""

import re
from datetime import date
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.desk.commissions.commission_steps import read_emails, save_run
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.solving.desk import read_mails

LAST, BOOK = "commissions/2025-Q4.xlsx", "commissions/2026-Q1.xlsx"
QUARTER, DAYS = "2026-Q1", ("2026-01-01", "2026-03-31")


def solve(agent: Agent) -> str:
    """Agreements, mails, tables and orders; the workbook; what it comes to, by mail."""
    for number, sums in save_run(agent, LAST, BOOK, DAYS).items():
        lines = "\n".join(f"{name}: EUR {value:,.2f}" for name, value in list(sums.items())[3:])
        text = f"Dear agent,\n\nfor 2026-Q1:\n\nOrders: {sums['Orders']:.0f}\n{lines}\n\nPaid on 20 April 2026."
        to = read_emails(agent)[number]
        agent.call("send_message", to=[to], subject="Commission statement 2026-Q1", text=text)
    return "All statements are out."


def alternative_on_the_last_workbook(agent: Agent, files: Path) -> str:
    """A copy of the last workbook is filled from the newest order on; it is saved elsewhere; mails were drafts."""
    agent.call("copy_path", source=LAST, target=BOOK)
    for sheet in ("Orders", "Returns"):
        agent.call("change_sheets", path=BOOK, action="delete", sheet=sheet)
    rows = save_run(
        agent, LAST, BOOK, DAYS, "SUMPRODUCT(({sheet}!{key}2:{key}200=A{row})*{sheet}!{sum}2:{sum}200)", backwards=True
    )
    with misses.open_edited(files / BOOK):
        pass
    for number, sums in [*rows.items()][::-1]:
        statement = ", ".join(f"{name} {value:.2f} EUR" for name, value in list(sums.items())[3:])
        text = f"Here is what we owe you, as of 20 April 2026. Orders {sums['Orders']}, {statement}."
        told_to = [f"{sums['Name']} <{read_emails(agent)[number]}>"]
        draft = agent.call("save_draft", to=told_to, subject="2026-Q1", text=text)
        agent.call("send_draft", message_id=draft["id"])
    return ""


def alternative_in_the_old_threads(agent: Agent, _files: Path) -> str:
    """Each statement answers the last one, with a table; formulas look at whole columns."""
    old = {mail["to"][0]: mail["id"] for mail in read_mails(agent, subject="Commission statement 2025-Q4")}
    for number, sums in save_run(
        agent, LAST, BOOK, DAYS, "SUMIFS({sheet}!${sum}:${sum},{sheet}!${key}:${key},$A{row})"
    ).items():
        table = "".join(f"| {name} | {value} |\n" for name, value in list(sums.items())[2:])
        email = read_emails(agent)[number]
        message = next(message for to, message in old.items() if email in to)
        text = f"2026-Q1, to be paid on 20 April 2026\n\n{table}"
        agent.call("reply_message", message_id=message, text=text)
    return "Done."


SUMMARY, TERMS, ORDERS, RETURNS = (misses.InSheet(BOOK, name) for name in ("Summary", "Terms", "Orders", "Returns"))
ROW = (date(2026, 3, 9), date(2026, 3, 9), "C-1001", "DE", "A-01", 250.0)
BACK = (date(2026, 3, 30), "A-01", 25.0)


def _change_agent(order: str, agent: str) -> Any:
    """Changes the agent of an order, both named by a fact."""
    return lambda old, row, work: work.facts[agent] if row["Order"] == work.facts[order] else old


near_miss_country_passes_as_it_was_planned = ORDERS.column(
    "Agent", _change_agent("just_after", "old_agent"), caught_by="orders"
)
near_miss_order_before_the_change_for_the_new_agent = ORDERS.column(
    "Agent", _change_agent("just_before", "new_agent"), caught_by="orders"
)
near_miss_order_of_a_house_account = ORDERS.row_added(lambda work: [work.facts["house"], *ROW], "orders")
near_miss_order_sent_after_the_quarter = ORDERS.row_added(lambda work: [work.facts["sent_in_april"], *ROW], "orders")
near_miss_return_for_the_new_agent = RETURNS.column("Agent", _change_agent("back", "new_agent"), caught_by="returns")
near_miss_return_after_the_quarter = RETURNS.row_added(
    lambda work: [900, work.facts["back_in_april"], *BACK], "returns"
)
near_miss_goodwill_taken_for_a_return = RETURNS.row_added(lambda work: [900, work.facts["goodwill"], *BACK], "returns")
near_miss_rate_of_the_last_quarter = TERMS.column(
    "Rate", lambda old, row, work: work.facts["old_rate"] if row["Agent"] == work.facts["raised"] else old, "terms"
)
near_miss_debt_forgotten = TERMS.column("Brought forward", lambda _debt: 0, caught_by="terms")
near_miss_commissions_pasted_as_values = SUMMARY.frozen("Commission", caught_by="live")
near_miss_amounts_shown_as_they_come = SUMMARY.number_format_lost("Payable", caught_by="shown")
near_miss_last_workbook_overwritten = misses.overwrite_file(LAST, BOOK)


@ORDERS.make_edit_decorator(caught_by="orders")
def near_miss_order_of_december_forgotten(sheet: Any, work: Solved) -> None:
    numbers = [cell.value for cell in sheet["A"]]
    sheet.delete_rows(numbers.index(work.facts["sent_in_january"]) + 1)


def _is_statement(mail: Mail, facts: Facts) -> bool:
    return mail.sender == facts["owner"] and facts["emails"][0] in mail.people and QUARTER in mail.text


def _replace_pattern(pattern: str, other: str) -> Any:
    def change(message: EmailMessage, _facts: Facts) -> None:
        message.set_content(re.sub(pattern, other, message.get_content()))

    return change


def _with_the_workbook(message: EmailMessage, _facts: Facts) -> None:
    message.add_attachment(b"PK", maintype="application", subtype="octet-stream", filename="2026-Q1.xlsx")


def _copy_to_head(message: EmailMessage, facts: Facts) -> None:
    message["Cc"] = facts["head"]


near_miss_head_of_sales_gets_a_copy = misses.mail_edited(_is_statement, _copy_to_head, caught_by="sent")
near_miss_statement_never_arrived = misses.mail_removed(
    lambda mail, facts: _is_statement(mail, facts) and facts["emails"][0] in mail.delivered_to, caught_by="sent"
)
near_miss_paid_on_the_day_of_last_time = misses.mail_edited(
    _is_statement, _replace_pattern("20 April", "20 January"), caught_by="said"
)
near_miss_all_statements_in_each_mail = misses.mails_joined(caught_by="said")
near_miss_other_base_told = misses.mail_edited(
    _is_statement, _replace_pattern("Base: EUR ", "Base: EUR 1"), caught_by="told"
)
near_miss_workbook_goes_with_a_statement = misses.mail_edited(_is_statement, _with_the_workbook, caught_by="bare")
