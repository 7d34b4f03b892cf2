"""Steps of reference solutions with agents' commissions, using only tool calls."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.desk import list_customers, list_orders, read_day, read_mails, read_pdf
from yardkit.evaluators.solving.solver import find_paths, read_full_sheet, write_book
from yardkit.evaluators.solving.warehouse import query_rows

Rows = list[list[Any]]
Days = tuple[str, str]
"""The first and the last of a quarter, as YYYY-MM-DD."""
SUM = "SUMIF({sheet}!{key}$2:{key}$200,A{row},{sheet}!{sum}$2:{sum}$200)"


def save_run(
    agent: Agent, last: str, book: str, days: Days, formula: str = SUM, *, backwards: bool = False
) -> dict[str, dict[str, Any]]:
    """Save the workbook of a quarter in the form of the last one; return its summary by agent and header.

    formula: sums up a sheet's amounts of an agent.
    """
    orders, returns = count_orders(agent, *days)
    terms = read_terms(agent, days[0], last)
    rows = []
    for place in range(2, len(terms) + 2):
        sales = formula.format(sheet="Orders", key="F", sum="G", row=place)
        given = formula.format(sheet="Returns", key="D", sum="E", row=place)
        low, high = f"MIN(F{place},Terms!D{place})", f"MAX(0,F{place}-Terms!D{place})"
        rows.append(
            [
                *(*terms[place - 2][:2], f"=COUNTIF(Orders!F:F,A{place})", f"={sales}", f"={given}"),
                *(f"=D{place}-E{place}", f"=ROUND({low}*Terms!C{place}+{high}*Terms!E{place},2)", f"=Terms!F{place}"),
                *(f"=MAX(0,G{place}+H{place})", f"=MIN(0,G{place}+H{place})"),
            ]
        )
    if backwards:
        orders, returns = orders[::-1], returns[::-1]
    sheets = {"Orders": orders, "Returns": returns, "Terms": terms, "Summary": rows}
    full_sheets = {name: [read_full_sheet(agent, last, name)[0], *new_rows] for name, new_rows in sheets.items()}
    write_book(agent, book, full_sheets, {"Summary": "D2:J7", "Orders": "G2:G200", "Returns": "E2:E200"})
    head, *read = read_full_sheet(agent, book, "Summary")
    return {row[0]: dict(zip(head, row, strict=True)) for row in read}


def count_orders(agent: Agent, first: str, last: str) -> tuple[Rows, Rows]:
    """List the rows of the orders that were sent in a quarter, and of the goods returned in it."""
    firms = {row["NAME"]: row["CUSTOMER_ID"] for row in query_rows(agent, "SELECT NAME, CUSTOMER_ID FROM CUSTOMERS")}
    house = {row["NAME"]: row["SINCE"] for row in query_rows(agent, "SELECT NAME, SINCE FROM HOUSE_ACCOUNTS")}
    territories, orders, returns = _read_territories(agent), [], []
    for view in _of_firms(agent, last):
        order = view["order"]
        code, firm, placed = order["billing"]["country"], order["billing"].get("company"), order["created"][:10]
        by = [number for since, number in territories.get(code, ()) if since <= placed]
        if firm not in firms or not by or placed >= str(house.get(firm, "9"))[:10]:
            continue
        sent, number = order.get("completed", "")[:10], order["id"]
        net = sum(line.get("total_cents", 0) for line in view["lines"]) / 100
        if first <= sent <= last:
            orders.append([number, placed, sent, firms[firm], code, by[-1], net])
        for refund in view.get("refunds", ()):
            back, day = sum(part["total_cents"] for part in refund["lines"] if part["quantity"]), refund["created"][:10]
            if back and first <= day <= last:
                returns.append([refund["id"], number, day, by[-1], back / 100])
    return orders, returns


def _of_firms(agent: Agent, last: str) -> Iterator[Mapping[str, Any]]:
    """List the orders of firms that were sent or refunded, and may belong to the quarter."""
    firms = {
        customer["email"] for customer in list_customers(agent, details=True) if customer["billing"].get("company")
    }
    listed = list_orders(agent, statuses=["completed", "refunded"], since="2025-09-01", until=last)
    for line in sorted(listed, key=lambda line: int(line["id"])):
        if line["email"] in firms and (line["created"] >= "2025-12-10" or line.get("refunded_cents")):
            yield agent.call("read_order", order_id=line["id"])


def _read_territories(agent: Agent) -> dict[str, list[tuple[str, str]]]:
    """Read, by country, the agents with the start of their territory and the day of the agreement."""
    text = " ".join(read_mails(agent, subject="Agent for")[-1]["text"].split())
    old, new, day = re.findall(r"goes from (.+?) to (.+?) on (\d+ \w+ \d{4})", text)[0]
    numbers = {row["NAME"]: row["AGENT_ID"] for row in query_rows(agent, "SELECT NAME, AGENT_ID FROM AGENTS")}
    territories: dict[str, list[tuple[str, str]]] = {}
    sql = "SELECT COUNTRY_CODE, VALID_FROM, AGENT_ID FROM AGENT_TERRITORIES ORDER BY VALID_FROM"
    for row in query_rows(agent, sql):
        number, before = row["AGENT_ID"], territories.setdefault(row["COUNTRY_CODE"], [])
        passes = before and (before[-1][1], number) == (numbers[old], numbers[new])
        before.append((str(read_day(day)) if passes else str(row["VALID_FROM"])[:10], number))
    return territories


def read_terms(agent: Agent, first: str, book: str) -> Rows:
    """Read each agent's terms in force, and the amount carried forward from last quarter's workbook."""
    rates_by_term: dict[str, list[float]] = {}
    for path in sorted(find_paths(agent, "contracts", ".pdf"), key=lambda path: ("addendum" in path, path)):
        text = " ".join(read_pdf(agent, path).split())
        since = re.findall(r"begins on or after (\d+ \w+ \d{4})", text)
        if not since or str(read_day(since[0])) <= first:
            rates = re.findall(r"commission is ([\d.]+) % .*? EUR ([\d,]+) .*? and ([\d.]+) %", text)[0]
            low, limit, high = (float(number.replace(",", "")) for number in rates)
            rates_by_term[re.findall(r"greement (A-\d+) between", text)[0]] = [low / 100, limit, high / 100]
    last = read_full_sheet(agent, book, "Summary")[1:]
    return [[row[0], row[1], *rates_by_term[row[0]], row[9]] for row in last]


def read_emails(agent: Agent) -> dict[str, str]:
    """Read the addresses of the agents, by number."""
    return {row["AGENT_ID"]: row["EMAIL"] for row in query_rows(agent, "SELECT AGENT_ID, EMAIL FROM AGENTS")}
