"""Sales agents with their countries: agreements in a folder, tables in the warehouse, letters in the mailbox."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from yardkit.state_init.company.cast import get_stream
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.company.hours import at_work
from yardkit.state_init.company.letters import Letter, link_thread, write_note
from yardkit.state_init.company.persons import address_of, fresh_names
from yardkit.state_init.company.warehouse import fill_warehouse, put_table
from yardkit.state_init.desk.commissions.commissions import Agent, Rules, Terms, save_agreement
from yardkit.state_init.material import take_out
from yardkit.state_init.names import CITIES, ascii_of

EVER = date(2025, 1, 1)
"""Since when countries are as they are."""


@dataclass(frozen=True)
class Change:
    """A country passes from one agent to another.

    Attributes:
        country: its code.
        thought_of, day: when, as it was planned, and as it was agreed.
        entered: when by the warehouse.
    """

    country: str
    thought_of: date
    day: date
    entered: date
    old: Agent
    new: Agent


def make_agents(desk: Desk, rng: random.Random, count: int) -> list[Agent]:
    """Agents whom nobody else of the cast is called like, numbered from A-01 on."""
    taken = [(person.first, person.last) for person in (*desk.cast.staff, *desk.cast.contacts)]
    return [
        Agent(first, last, address_of(first, last, f"{ascii_of(last)}-agency.example"), f"A-{place:02d}")
        for place, (first, last) in enumerate(fresh_names(rng, count, taken), 1)
    ]


def save_agreements(
    desk: Desk, rng: random.Random, terms: Mapping[Agent, Terms], added: Mapping[Agent, tuple[str, Terms]]
) -> None:
    """The agreement of each agent and addenda, with the day since which they hold, of the texts in ``contracts``."""
    agreement, addendum = (take_out(desk.world, f"contracts/{name}.txt") for name in ("agreement", "addendum"))
    folder = desk.world.files / "contracts"
    for agent, agent_terms in terms.items():
        since = f"{rng.randint(1, 28)} {rng.choice(('March', 'May', 'October'))} {rng.randint(2019, 2024)}"
        agreement_values = {"number": agent.number, "company": desk.cast.company.full, "agent": agent.name}
        name, title = f"{agent.number}_{ascii_of(agent.last)}", f"agreement {agent.number}"
        save_agreement(
            folder / f"{name}.pdf",
            f"Agency {title}",
            agreement.format(**agreement_values, since=since, **_format_terms(agent_terms)),
        )
        if agent in added:
            since, new = added[agent]
            text = addendum.format(**agreement_values, since=since, **_format_terms(new))
            save_agreement(folder / f"{name}_addendum.pdf", f"Addendum to {title}", text)


def put_agency_tables(desk: Desk, rules: Rules, agents: list[Agent], change: Change) -> None:
    """The tables of agents, countries and house accounts, among all that the warehouse has."""
    world, cast = desk.world, desk.cast
    place = fill_warehouse(world, cast, get_stream(world, "warehouse"), desk.stories, lines=4_000, events=800).place
    people = {"AGENT_ID": "text", "NAME": "text", "EMAIL": "text", "STATUS": "text"}
    rows = [(agent.number, agent.name, agent.email, "active") for agent in agents]
    gone = f"A-{len(agents) + 1:02d}"
    rows.append((gone, "Iris Falk", "iris.falk@falk-agency.example", "ended"))
    put_table(world, f"{place}.AGENTS", people, rows, "Who sells for us abroad")
    countries = {"COUNTRY_CODE": "text", "AGENT_ID": "text", "VALID_FROM": "date", "VALID_TO": "date"}
    territory_rows: list[tuple[Any, ...]] = []
    for number, (code, ways) in enumerate(rules.territories.items()):
        earlier = gone if number in (5, 6) else ways[0][1]
        territory_rows.append((code, earlier, EVER.replace(year=2023), EVER - timedelta(days=1)))
        territory_rows.append((code, ways[0][1], EVER, change.entered - timedelta(days=1) if len(ways) > 1 else None))
        territory_rows += [(code, agent, change.entered, None) for _, agent in ways[1:]]
    description = "Which agent has which country; VALID_TO is null: still"
    put_table(world, f"{place}.AGENT_TERRITORIES", countries, territory_rows, description)
    house = {"CUSTOMER_ID": "text", "NAME": "text", "SINCE": "date"}
    listed = [(rules.numbers[name], name, since) for name, since in rules.house.items()]
    put_table(world, f"{place}.HOUSE_ACCOUNTS", house, listed, "Firms that we serve ourselves")


def letters_of_change(desk: Desk, rng: random.Random, change: Change) -> Iterator[Letter]:
    """How the Head of Sales thought of it, and what was agreed in the end."""
    owner, head = desk.cast.owner, desk.cast.find_head("Sales")
    country = next(name for _, _, name, code in CITIES if code == change.country)
    thought = (
        f"{change.new.name} has more time for {country} than {change.old.name}. I think of giving it over on "
        f"{change.thought_of:%d %B %Y}. Do you see anything against it?"
    )
    agreed = (
        f"both agents have agreed and have it in writing, and it is sooner than I thought: {country} goes from "
        f"{change.old.name} to {change.new.name} on {change.day:%d %B %Y}. All else is as in the agreements."
    )
    answer = "nothing, if both agree. Please let me have the day as soon as it is settled."
    messages = ((head, owner, thought, -33), (owner, head, answer, -32), (head, owner, agreed, -6))
    letters = []
    for by, to, text, days in messages:
        at = at_work(rng, change.day + timedelta(days=days), owner.time_zone)
        key, subject, body = f"country/{at:%m%d}", f"Agent for {country}", write_note(to.first, text, by.first)
        letters.append(Letter(key, by.mailbox, (to.mailbox,), subject, body, at))
    yield from link_thread(*letters)


def letters_of_agents(
    desk: Desk, rng: random.Random, asks: Agent, sent: int, claims: Agent, house: int
) -> Iterator[Letter]:
    """One asks for an order that was sent in January only, another claims one of a house account."""
    owner = desk.cast.owner
    at = at_work(rng, date(2026, 1, 22), owner.time_zone)
    question = f"order {sent} is not in my statement, though it was placed in December."
    answer_text = "it was sent in January, so it is in the next one, if it is yours."
    later, answer = at + timedelta(hours=3), write_note(asks.first, answer_text, owner.name)
    yield from link_thread(
        Letter(
            "asked/1", asks.mailbox, (owner.mailbox,), "My statement", write_note(owner.first, question, asks.name), at
        ),
        Letter("asked/2", owner.mailbox, (asks.mailbox,), "", answer, later),
    )
    wish = f"order {house} is mine, please do not forget it: I have looked after the firm for years."
    yield desk.letter("claimed", claims, f"Order {house}", wish, at_work(rng, date(2026, 4, 7), owner.time_zone))


def _format_terms(terms: Terms) -> dict[str, str]:
    rates = {"rate": f"{terms.rate * 100:.1f}", "upper": f"{terms.upper * 100:.1f}"}
    return rates | {"limit": f"{terms.limit / 100:,.0f}"}
