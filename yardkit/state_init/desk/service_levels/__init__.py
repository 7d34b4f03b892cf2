"""Service levels of a month: tickets whose clocks stand still, credits by contract, two contracts to be escalated."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.calendar import fill_calendar
from yardkit.state_init.company.letters import Letter
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.parcels import days_off, holiday_events
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.company.warehouse import build_change_facts, fill_warehouse, put_table
from yardkit.state_init.desk.service_levels import service
from yardkit.state_init.desk.service_levels import service_documents as documents
from yardkit.state_init.desk.service_levels.service import Contract, Ticket
from yardkit.state_init.material import take_out
from yardkit.world import World

PARTS = {
    "SC-2101": ("late", "very", "paused", "withdrawn"), "SC-2102": ("very", "late", "very"),
    "SC-2103": ("holiday", "automatic", "fast", "withdrawn"), "SC-2104": ("amended", "paused_less", "fast"),
    "SC-2105": ("very", "very", "late"), "SC-2106": ("told", "paused", "fast"),
}  # fmt: skip
"""By contract the parts of its tickets; that of `SC-2105` is around the clock, that of `SC-2104` was amended."""
MARCH = ("fast", "fast", "late")
FIRST, LATER, DAY = date(2026, 4, 1), date(2026, 5, 1), timedelta(days=1)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Contracts, tickets and their mails, holidays, what was done last month; the facts say what is right."""
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    filled = fill_warehouse(world, cast, get_stream(world, "warehouse"), stories, lines=4_000, events=1_000)
    contracts, schema = _make_contracts(rng, cast), f"{filled.place.partition('.')[0]}.SUPPORT"
    terms = take_out(world, "contract.md"), take_out(world, "amendment.md")
    documents.save_contracts(world, cast.company.full, contracts, (contracts[5], LATER), *terms)
    tickets = {contract.number: _make_tickets(rng, contract, PARTS[contract.number], 40_100 + 20 * place, FIRST)
               for place, contract in enumerate(contracts)}  # fmt: skip
    before = {contract.number: _make_tickets(rng, contract, MARCH, 39_700 + 20 * place, date(2026, 3, 2))
              for place, contract in enumerate(contracts[:4])}  # fmt: skip
    waiting = [
        replace(
            service.make_ticket(rng, contract, "fast", f"T-{40_300 + place}", frozenset(), [date(2026, 4, 29)]),
            status="open",
        )
        for place, contract in enumerate(contracts[1:4])
    ]
    everything = [*(ticket for of in (before, tickets) for some in of.values() for ticket in some), *waiting]
    rows = sorted((ticket.row() for ticket in everything), key=lambda row: row[5])
    put_table(world, f"{schema}.TICKETS", service.TICKETS, rows, "Tickets of service contracts", {"SOLVED_AT": "UTC"})
    old, new = _list_results(before), _list_results(tickets)
    done = [row for results in old.values() for row in results]
    table, description = f"{schema}.SERVICE_MINUTES", "The clocks of solved tickets, month by month"
    put_table(world, table, service.MINUTES, done, description, {"LATE": "More minutes than its contract gives"})
    documents.save_credits(
        world, [row for contract in contracts if (row := service.credit_of(contract, old.get(contract.number, [])))]
    )
    letters: list[Letter] = [letter for ticket in everything for letter in service.letters_of(rng, ticket, cast.owner)]
    fill_mail(world, cast, get_stream(world, "mail"), count=200 + len(letters), stories=stories, more=letters)
    holidays = [*holiday_events(cast.domain)]
    fill_calendar(world, cast, get_stream(world, "calendar"), stories, people=3, more=holidays)
    owed = [(contract, row) for contract in contracts if (row := service.credit_of(contract, new[contract.number]))]
    added = [*done, *(row for results in new.values() for row in results)]
    return {
        "owner": cast.owner.email,
        "minutes": table,
        "changes": build_change_facts(service.MINUTES, done, added),
        "rows": service.with_total([row for _, row in owed]),
        "drafts": [
            {
                "to": [contract.customer.contacts[0].email],
                "says": [contract.number, *row["Late tickets"].split(", "), row["Credit EUR"]],
            }
            for contract, row in owed
        ],
        "mails": [
            {
                "to": [*dict.fromkeys((contract.customer.account_manager, cast.find_head("Sales").email))],
                "says": [contract.number, 20, row["Credit EUR"]],
            }
            for contract, row in owed
            if row["Percent"] == service.MOST
        ],
        "contacts": {contract.number: contract.customer.contacts[0].email for contract in contracts},
        "cases": {
            part: ticket.number
            for contract in contracts
            for part, ticket in zip(PARTS[contract.number], tickets[contract.number], strict=True)
        },
    }


def _make_contracts(rng: random.Random, cast: Cast) -> list[Contract]:
    """Of customers of which two have nearly the same name, in countries with different holidays."""
    countries = rng.sample(["Portugal", "Austria", "Poland", "Netherlands", "Germany"], 5)
    countries.insert(2, rng.choice(("Denmark", "Sweden")))
    customers = [*cast.customers[:2], *rng.sample(cast.customers[2:-1], 4)]
    new_contracts = []
    for number, country, customer in zip(PARTS, countries, customers, strict=True):
        targets = {"P1": 4 * 60, "P2": rng.choice((8, 10)) * 60, "P3": rng.choice((18, 20, 24)) * 60}
        begins, fee = rng.choice((8, 9)), rng.randrange(12, 60) * 100_00
        new_contracts.append(Contract(number, customer, country, (begins, begins + 9), fee, targets))
    new_contracts[3] = replace(new_contracts[3], amended=(FIRST, new_contracts[3].targets["P2"] // 2))
    new_contracts[4] = replace(new_contracts[4], hours=None)
    return new_contracts


def _make_tickets(
    rng: random.Random, contract: Contract, parts: Sequence[str], number: int, first: date
) -> list[Ticket]:
    days = [day for day in (first + place * DAY for place in range(28)) if day.weekday() < 5]
    off = days_off([contract.country])
    new_tickets = [service.make_ticket(rng, contract, part, "", off, days) for part in parts]
    numbers = rng.sample(range(number, number + 20), len(new_tickets))
    return [replace(ticket, number=f"T-{own}") for ticket, own in zip(new_tickets, numbers, strict=True)]


def _list_results(tickets: dict[str, list[Ticket]]) -> dict[str, list[tuple[str, int, int, bool]]]:
    return {
        number: [
            ticket.build_result(days_off([ticket.contract.country])) for ticket in some if ticket.status == "solved"
        ]
        for number, some in tickets.items()
    }
