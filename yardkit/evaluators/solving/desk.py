"""Shared steps of reference solutions of the suite desk, using only tool calls."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.notes import find_note

Mail = Mapping[str, Any]
OrderView = Mapping[str, Any]


def read_all(agent: Agent, tool: str, kind: str, **query_fields: Any) -> Iterator[Mapping[str, Any]]:
    """Read the items on all pages of a tool's answer."""
    offset: int | None = 0
    while offset is not None:
        page = agent.call(tool, **query_fields, offset=offset, limit=200)
        yield from page[kind]
        offset = page.get("next_offset")


def read_mails(agent: Agent, **query_fields: Any) -> list[Mail]:
    """Read the full mails that `search_messages` finds, oldest first."""
    mails = list(read_all(agent, "search_messages", "messages", **query_fields))
    return [agent.call("read_message", message_id=line["id"]) for line in reversed(mails)]


def find_order_ids(agent: Agent, **query_fields: Any) -> list[int]:
    """List the numbers of all orders that `find_orders` finds, in order."""
    return sorted(order["id"] for order in read_all(agent, "find_orders", "orders", **query_fields))


def read_orders(agent: Agent, **query_fields: Any) -> list[OrderView]:
    """Read all orders that `find_orders` finds, in the order of their numbers."""
    return [agent.call("read_order", order_id=number) for number in find_order_ids(agent, **query_fields)]


def read_pdf(agent: Agent, path: str) -> str:
    """Read the text of a PDF file with a few pages."""
    return "\n".join(str(page["text"]) for page in agent.call("read_pdf_text", path=path)["pages"])


def read_note(agent: Agent, title: str) -> str:
    """Read the text of the note with this title, in Markdown."""
    return str(find_note(agent, title)["text"])


def read_today(agent: Agent) -> date:
    """Read the day at the beginning of the prompt."""
    return read_day(re.findall(r"Today is \w+, (\d+ \w+ \d{4})", agent.prompt)[0])


def read_day(text: str) -> date:
    """Parse a day such as 3 February 2026."""
    return datetime.strptime(text, "%d %B %Y").date()  # noqa: DTZ007 - a day


def list_orders(agent: Agent, **query_fields: Any) -> list[Mapping[str, Any]]:
    """List the lines of all orders that `find_orders` finds."""
    return list(read_all(agent, "find_orders", "orders", **query_fields))


def list_customers(agent: Agent, **query_fields: Any) -> list[Mapping[str, Any]]:
    """List all customers that `find_customers` finds."""
    return list(read_all(agent, "find_customers", "customers", **query_fields))


def list_products(agent: Agent, **query_fields: Any) -> list[Mapping[str, Any]]:
    """List the lines of all products that `find_products` finds."""
    return list(read_all(agent, "find_products", "products", **query_fields))
