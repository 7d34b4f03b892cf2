"""Solutions and near misses of desk/service_levels."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.warehouse import Row
from yardkit.evaluators.solving.calendar import ZONES, list_holidays, service_minutes
from yardkit.evaluators.solving.desk import Mail, read_day, read_mails
from yardkit.evaluators.solving.solver import find_paths, read_full_text
from yardkit.evaluators.solving.warehouse import change_tables, find_tables, query_rows

PATH, MARCH = "service/credits_2026-04.docx", "service/credits_2026-03.docx"
SOLVED = (
    "SELECT * FROM {TICKETS} WHERE STATUS = 'solved' AND strftime(SOLVED_AT, '%Y-%m') = '2026-04' ORDER BY TICKET_ID"
)
INSERT = "INSERT INTO {SERVICE_MINUTES} VALUES {rows}"
Result = tuple[str, int, int]
"""A ticket, its minutes and those of its contract."""


@dataclass
class Contract:
    """What the documents say of a contract; hours: none if it is around the clock."""

    customer: str
    email: str
    fee: float
    targets: dict[str, int]
    country: str = ""
    hours: tuple[int, int] | None = None
    amended: tuple[date, int] | None = None

    def target(self, ticket: Mapping[str, Any]) -> int:
        """The minutes for a ticket."""
        if self.amended and ticket["PRIORITY"] == "P2" and _parse_utc(ticket["OPENED_AT"]).date() >= self.amended[0]:
            return self.amended[1]
        return self.targets[ticket["PRIORITY"]]

    def count_minutes(self, start: datetime, end: datetime, off: Mapping[str, set[date]]) -> int:
        """Those of service time between two moments."""
        if self.hours is None:
            return round((end - start) / timedelta(minutes=1))
        return service_minutes(start, end, self.hours, ZONES[self.country], off[self.country])


def solve(agent: Agent) -> str:
    """Contracts, holidays and the mails of each ticket; then rows, document, drafts and escalations."""
    tables, contracts, results = _read_situation(agent)
    rows = ", ".join(f"('{ticket_number}', {minutes}, {target}, {minutes > target})" for of in results.values()
                     for ticket_number, minutes, target in of)  # fmt: skip
    change_tables(agent, INSERT, **tables, rows=rows)
    owed = list(_list_credits(contracts, results))
    agent.call("read_document", path=MARCH)
    agent.call("create_document", path=PATH, title="Credits for April 2026")
    intro = {"text": "Credits by our service contracts, for Finance to agree."}
    agent.call("edit_blocks", path=PATH, edits=[{"op": "insert", "blocks": [intro, _build_table(owed)]}])
    for number, _, tickets, percent, credit in owed:
        text = f"Hello,\n\nunder {number} these were late: {tickets}. Your credit is EUR {credit:,.2f}."
        agent.call("save_draft", to=[contracts[number].email], subject="Service credit", text=text)
        if percent == 20:
            text = f"{number} has reached {percent} % in April: EUR {credit:,.2f}."
            agent.call(
                "send_message",
                to=_list_superiors(agent, tables, contracts[number]),
                subject="Escalation",
                text=text,
            )
    return "April is done."


def alternative_row_by_row_and_mails_first(agent: Agent, files: Path) -> str:
    """Escalations come first, in copy; each ticket is entered alone; last month's document is the template."""
    tables, contracts, results = _read_situation(agent)
    owed = list(_list_credits(contracts, results))
    for number, _, _, percent, credit in owed[::-1]:
        if percent == 20:
            first, *rest = _list_superiors(agent, tables, contracts[number])
            agent.call("send_message", to=[first], cc=rest, subject="Please call them",
                       text=f"{number} gets {credit:.2f} euros, that is {percent}% of its fee.")  # fmt: skip
    for number, of in results.items():
        for ticket, minutes, target in of:
            row = f"('{ticket}', {minutes}, {target}, {minutes} > {target})"
            change_tables(agent, INSERT, **tables, rows=row)
        for owing in owed:
            if owing[0] == number:
                credit_text = f"{owing[4]:.2f} EUR for {owing[2].replace(', ', ' and ')} ({number})"
                agent.call(
                    "save_draft", to=[contracts[number].email], subject="Credit", text=f"We owe you {credit_text}."
                )
    agent.call("create_document", path=PATH, template=MARCH)
    title = {"kind": "heading", "level": 1, "text": "Credits for April 2026"}
    agent.call("edit_blocks", path=PATH, edits=[{"op": "insert", "blocks": [title, _build_table(owed)]}])
    with misses.open_edited(files / PATH):
        pass
    return ""


def alternative_document_by_another_program(agent: Agent, files: Path) -> str:
    """The document is saved by another program: amounts without decimals, tickets in another order."""
    answer = solve(agent)
    with misses.open_edited(files / PATH) as document:
        for row in document.tables[0].rows[1:]:
            row.cells[2].text = ", ".join(reversed(row.cells[2].text.split(", ")))
            row.cells[4].text = row.cells[4].text.replace(",", "").removesuffix(".00")
    return answer


def _read_situation(agent: Agent) -> tuple[dict[str, str], dict[str, Contract], dict[str, list[Result]]]:
    """The tables, contracts by number, and the minutes of April's tickets by contract."""
    read_full_text(agent, "service/procedure.md")
    tables, contracts = find_tables(agent), _read_contracts(agent)
    off = defaultdict(set, list_holidays(agent, "2026-03-25", "2026-05-01"))
    results: dict[str, list[Result]] = defaultdict(list)
    for ticket in query_rows(agent, SOLVED, **tables):
        contract = contracts[ticket["CONTRACT"]]
        mails = read_mails(agent, query=ticket["TICKET_ID"])
        minutes = contract.count_minutes(_parse_utc(ticket["OPENED_AT"]), _parse_utc(ticket["SOLVED_AT"]), off)
        minutes -= sum(contract.count_minutes(*pause, off) for pause in _list_pauses(mails, contract.email))
        results[ticket["CONTRACT"]].append((ticket["TICKET_ID"], minutes, contract.target(ticket)))
    return tables, contracts, dict(sorted(results.items()))


def _list_pauses(mails: Sequence[Mail], email: str) -> Iterator[tuple[datetime, datetime]]:
    """From each question of ours until its answer."""
    asked = None
    for mail in sorted(mails, key=lambda mail: datetime.fromisoformat(mail["date"])):
        moment, theirs = datetime.fromisoformat(mail["date"]).astimezone(UTC), email in mail["sender"]
        if theirs and asked and "automatic reply" not in mail["text"]:
            yield asked, moment
            asked = None
        elif not theirs and "?" in mail["text"]:
            asked = moment


def _read_contracts(agent: Agent) -> dict[str, Contract]:
    """What contracts and their amendments say."""
    contracts: dict[str, Contract] = {}
    for path in find_paths(agent, "contracts", ".docx"):
        text = str(agent.text("read_document", path=path, format="markdown"))
        number = re.findall(r"SC-\d+", text)[0]
        if "amendment" in path:
            day, hours = re.findall(r"opened from (\d+ \w+ \d+) on .+? within (\d+) hours", text)[0]
            contracts[number].amended = read_day(day), int(hours) * 60
            continue
        customer = re.findall(r"\(we\) and (.+?) \(the customer\)", text)[0]
        targets = {key: int(hours) * 60 for key, hours in re.findall(r"(P\d) *\| *(\d+)", text)}
        fee = float(re.findall(r"fee is EUR ([\d,.]+\d)", text)[0].replace(",", ""))
        email = re.findall(r"[\w.+-]+@[\w.-]+\w", text)[0]
        contracts[number] = Contract(customer, email, fee, targets)
        for begins, ends, country in re.findall(r"(\d+):00 to (\d+):00 by the clocks of (\w+)", text):
            contracts[number].hours, contracts[number].country = (int(begins), int(ends)), country
    return contracts


def _list_credits(
    contracts: Mapping[str, Contract], results: Mapping[str, Sequence[Result]]
) -> Iterator[tuple[Any, ...]]:
    """A row of the document for each contract with a credit."""
    for number, of in results.items():
        late = [(ticket, 10 if minutes > 2 * target else 5) for ticket, minutes, target in of if minutes > target]
        if late:
            percent, tickets = min(20, sum(share for _, share in late)), ", ".join(sorted(ticket for ticket, _ in late))
            yield number, contracts[number].customer, tickets, percent, contracts[number].fee * percent / 100


def _build_table(owed: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    rows = [[*row[:3], str(row[3]), f"{row[4]:,.2f}"] for row in owed]
    head = ["Contract", "Customer", "Late tickets", "Percent", "Credit EUR"]
    return {"kind": "table", "rows": [head, *rows, ["Total", "", "", "", f"{sum(row[4] for row in owed):,.2f}"]]}


def _list_superiors(agent: Agent, tables: Mapping[str, str], contract: Contract) -> list[str]:
    """The account manager and the head of Sales, once."""
    sql = (
        "SELECT ACCOUNT_MANAGER AS EMAIL FROM {CUSTOMERS} WHERE NAME = '{name}' UNION "
        "SELECT EMAIL FROM {EMPLOYEES} WHERE TITLE = 'Head of Sales' ORDER BY 1"
    )
    return [row["EMAIL"] for row in query_rows(agent, sql, **tables, name=contract.customer.replace("'", "''"))]


def _parse_utc(text: str) -> datetime:
    return datetime.fromisoformat(str(text)[:19]).replace(tzinfo=UTC)


def _change_ticket(part: str, change_row: Callable[[Row], object]) -> Miss:
    """The row of a ticket that plays a part says something else."""

    def corrupt_rows(rows: list[Row], facts: Facts) -> None:
        change_row(next(row for row in rows if row["TICKET_ID"] == facts["cases"][part]))

    return misses.table_changed(lambda facts: facts["minutes"], corrupt_rows, caught_by="minutes")


def _shift_minutes(part: str, minutes: int) -> Miss:
    return _change_ticket(part, lambda row: row.update(MINUTES=row["MINUTES"] + minutes))


def _is_contract_mail(number: str, facts: Facts, mail: Any) -> bool:
    """A mail of ours about a contract."""
    return mail.sender == facts["owner"] and number in mail.own_text


near_miss_pause_forgotten = _shift_minutes("paused", 300)
near_miss_holiday_counted = _shift_minutes("holiday", 540)
near_miss_automatic_reply_taken_for_the_answer = _shift_minutes("automatic", 400)
near_miss_news_taken_for_a_question = _change_ticket("told", lambda row: row.update(MINUTES=100, LATE=False))
near_miss_amendment_forgotten = _change_ticket(
    "amended", lambda row: row.update(TARGET_MINUTES=2 * row["TARGET_MINUTES"], LATE=False)
)
near_miss_withdrawn_ticket_counted = misses.table_changed(
    lambda facts: facts["minutes"],
    lambda rows, facts: rows.append({**rows[-1], "TICKET_ID": facts["cases"]["withdrawn"]}),
    caught_by="minutes",
)
near_miss_draft_to_the_other_customer = misses.mail_edited(
    lambda mail, facts: _is_contract_mail("SC-2101", facts, mail),
    lambda message, facts: message.replace_header("To", facts["contacts"]["SC-2102"]),
    caught_by="drafted",
)
near_miss_all_credits_in_each_draft = misses.mails_joined(caught_by="draft_says", folder="Drafts")
near_miss_customer_told_of_the_escalation = misses.mail_edited(
    lambda mail, facts: _is_contract_mail("SC-2102", facts, mail) and mail.subject == "Escalation",
    lambda message, facts: message.replace_header("To", facts["contacts"]["SC-2102"]),
    caught_by="sent",
)
near_miss_draft_without_credit = misses.mail_edited(
    lambda mail, facts: _is_contract_mail("SC-2104", facts, mail),
    lambda message, _: message.set_content(message.get_content().split(" Your credit")[0]),
    caught_by="draft_says",
)


@misses.make_edit_decorator(PATH, caught_by="credits")
def near_miss_more_than_the_most(document: Any) -> None:
    """The credit of a contract is the sum of its late tickets."""
    next(row for row in document.tables[0].rows if row.cells[0].text == "SC-2102").cells[3].text = "25"
