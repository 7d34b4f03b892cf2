"""Orders, returns and agreements of six agents, two runs of commissions, and a country that changes hands."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import cycle
from typing import Any, Literal, get_args

from yardkit.state_init.cast import Customer
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.desk.commissions import agencies
from yardkit.state_init.desk.commissions.agencies import EVER, Change
from yardkit.state_init.desk.commissions.commissions import Agent, Rules, Run, draw_terms, get_quarter, settle_runs
from yardkit.state_init.desk.commissions.handed_orders import Fits, Till
from yardkit.state_init.names import CITIES
from yardkit.world import World

SUMMER, AUTUMN, WINTER = get_quarter(2025, 3), get_quarter(2025, 4), get_quarter(2026, 1)
"""Two that were run, and the one that is to be run."""
THOUGHT_OF = date(2026, 3, 1)
Role = Literal["loses", "owes", "raised", "raised later", "gets", ""]
"""Of agents: who loses a country or gets it, owes something, has an addendum that holds, or one for later."""
Roles = Mapping[Role, Agent]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill shop, warehouse, folders and mailbox; the facts say what is right."""
    desk = Desk.open_filled(world, orders=640, shoppers=90)
    agents = agencies.make_agents(desk, rng, 6)
    roles: Roles = dict(zip(get_args(Role), rng.sample(agents, len(agents)), strict=True))
    rules, change = _make_rules(desk, rng, roles)
    with desk.shop_opened() as store:
        till = Till.from_desk(desk, store, rng)
        cases = _make_cases(till, rules, change)
        _fill_orders(till, agents, rules)
        runs = [Run.from_store(store, period, rules) for period in (SUMMER, AUTUMN, WINTER)]
    before, raised, later = (
        {agent_number: draw_terms(rng) for agent_number in agents},
        roles["raised"],
        roles["raised later"],
    )
    terms = before | {raised: before[raised].raise_rates(0.008)}
    *earlier, run = settle_runs(runs, roles["owes"], before, terms)
    added = {raised: ("1 January 2026", terms[raised]), later: ("1 April 2026", before[later].raise_rates(0.016))}
    agencies.save_agreements(desk, rng, before, added)
    agencies.put_agency_tables(desk, rules, agents, change)
    for old in earlier:
        old.save(world.files / f"commissions/{old.quarter.name}.xlsx", desk.cast.owner.name)
    numbered, owner = {agent.number: agent for agent in agents}, desk.cast.owner
    letters = [letter for old in earlier for letter in old.write_statements(numbered, owner)]
    letters += agencies.letters_of_change(desk, rng, change)
    letters += agencies.letters_of_agents(desk, rng, raised, cases["sent_in_january"], roles["owes"], cases["house"])
    desk.fill_mailbox(*letters, count=300)
    return {
        "owner": desk.cast.owner.email, "head": desk.cast.find_head("Sales").email, **cases, "raised": raised.number,
        "old_agent": change.old.number, "new_agent": change.new.number, "old_rate": before[raised].rate,
        "emails": [agent.email for agent in agents], "terms": run.terms, "orders": run.orders, "returns": run.returns,
        "summary": run.summary,
    }  # fmt: skip


def _make_rules(desk: Desk, rng: random.Random, roles: Roles) -> tuple[Rules, Change]:
    """Countries by turns, the one with most firms first; it passes to another agent in this quarter."""
    home, firms = desk.cast.offices[0].country_code, desk.cast.customers
    codes = Counter(customer.company.vat[:2] for customer in firms) + Counter(code for *_, code in CITIES)
    ranked, turns = [code for code, _ in codes.most_common() if code != home], cycle(roles.values())
    territories = {code: [(EVER, next(turns).number)] for code in ranked}
    day = date(2026, 2, rng.choice((9, 10, 16, 17)))
    territories[ranked[0]].append((day, roles["gets"].number))
    others = [customer for customer in firms[2:] if customer.company.vat[:2] in ranked[1:]]
    house = {firms[0].name: date(2025, 3, 1), rng.choice(others).name: date(2026, 2, rng.randint(2, 20))}
    entered = rng.choice((THOUGHT_OF, THOUGHT_OF, day))
    change = Change(ranked[0], THOUGHT_OF, day, entered, roles["loses"], roles["gets"])
    return Rules({customer.name: customer.number for customer in firms}, territories, house), change


def _make_cases(till: Till, rules: Rules, change: Change) -> dict[str, int]:
    """Orders that are easily counted for somebody else, in another quarter, or though they do not count."""
    firms = [customer for customer in till.desk.cast.customers if customer.name not in rules.house]
    there = [customer for customer in firms if customer.company.vat[:2] == change.country]
    others = [customer for customer in firms if customer not in there and customer.company.vat[:2] in rules.territories]
    old_house, new_house = (
        [customer for customer in till.desk.cast.customers if customer.name == name] for name in rules.house
    )
    day, weeks_before, since = str(change.day), str(change.day - timedelta(days=12)), str([*rules.house.values()][1])
    case_plans: dict[str, tuple[Sequence[Customer], Fits]] = {
        "sent_in_april": (others, lambda placed, sent: "2026-03-20" < placed < "2026-04-01" <= sent),
        "just_before": (there, lambda placed, sent: weeks_before < placed < day <= sent),
        "just_after": (there, lambda placed, _: day <= placed < "2026-02-28"),
        "later": (there, lambda placed, sent: placed > "2026-03-01" and sent < "2026-03-30"),
        "back": (there, lambda placed, sent: placed > "2025-10-20" and sent < "2025-12-20"),
        "sent_in_january": (others, lambda placed, sent: placed < "2026-01-01" <= sent),
        "back_in_april": (others, lambda placed, sent: placed > "2026-03-01" and sent < "2026-03-30"),
        "goodwill": (others, lambda placed, sent: placed > "2026-01-01" and sent < "2026-02-20"),
        "house": (old_house, lambda placed, sent: placed > "2026-01-01" and sent < "2026-03-30"),
        "before_house": (new_house, lambda placed, sent: "2026-01-01" <= placed < since and sent < "2026-03-30"),
        "since_house": (new_house, lambda placed, sent: placed >= since and sent < "2026-03-30"),
    }
    orders = {name: till.hand_over(*how) for name, how in case_plans.items()}
    till.give_back(orders["back"], change.day + timedelta(days=3))
    till.give_back(orders["back_in_april"], date(2026, 4, till.rng.randint(2, 9)))
    till.give_back(orders["goodwill"], date(2026, 3, till.rng.randint(2, 9)), goods=False)
    return {name: order.id for name, order in orders.items()}


def _fill_orders(till: Till, agents: Sequence[Agent], rules: Rules) -> None:
    """Two more orders of each agent in each quarter."""
    firms = [customer for customer in till.desk.cast.customers if customer.name not in rules.house]
    for agent in agents:
        countries = [code for code, assignments in rules.territories.items() if assignments[0][1] == agent.number]
        theirs = [customer for customer in firms if customer.company.vat[:2] in countries]
        for period in (SUMMER, AUTUMN, WINTER) * (2 * bool(theirs)):
            days = str(period.first), str(period.last)
            till.hand_over(theirs, lambda placed, sent, days=days: days[0] <= placed and sent <= days[1])  # type: ignore[misc]
