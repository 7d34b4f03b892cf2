"""Last year's plan with its rule and its notes, the results with rows that do not count, and a photograph."""

import random
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.names import make_companies, make_people
from yardkit.state_init.photographs import vary_photograph
from yardkit.state_init.rendering import save_image
from yardkit.world import World

CHANNELS = ("Fairs", "Posters", "Newsletter", "Video", "Radio", "Flyers")
MONTHS = ("May", "June", "July", "August", "September", "October")
PRODUCTS = {
    "cup": ("espresso cups", ("Small cup, big morning", "The first minute of the day")),
    "plane": ("weekend flights", ("Two hours to somewhere else", "Be there for breakfast")),
    "jockey": ("riding lessons", ("Find your stride", "Higher ground, one hour a week")),
    "cat": ("cat food", ("Nine lives, one bowl", "They know the difference")),
}
AUDIENCES = ("young families", "people who work from home", "small offices", "students", "people over sixty", "clubs")
COLORS = ("0B6E4F", "1F5FA8", "8A3B12", "6A2C91")
RULES = ((25, 50), (20, 40), (30, 50))
"""By how many percent the cheapest channel grows, and the dearest shrinks."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write deck, results and photograph; the facts hold costs, budgets and slogan, and what is wrong to take."""
    what = rng.choice(sorted(PRODUCTS))
    goods, slogans = PRODUCTS[what]
    old_slogan, slogan = rng.sample(slogans, 2)
    grows, shrinks = rng.choice(RULES)
    rows, wrong = _make_results(rng)
    counted = [row for row in rows if not row[4]]
    spent = {row[1]: sum(other[2] for other in counted if other[1] == row[1]) for row in counted}
    orders = {row[1]: sum(other[3] for other in counted if other[1] == row[1]) for row in counted}
    ranked = sorted(spent, key=lambda name: spent[name] / orders[name])
    budgets = dict(spent)
    for name, percent in ((ranked[0], 100 + grows), (ranked[-1], 100 - shrinks)):
        budgets[name] = int(_round_value(Decimal(spent[name]) * percent / 100, 0))
    costs = [(name, f"{_round_value(Decimal(spent[name]) / orders[name])}") for name in ranked]
    sums = [sum(int(row[at]) for row in rows if row[1] == wrong) for at in (2, 3)]
    head = ("month", "channel", "spent EUR", "orders", "remark")
    save_csv(world.files / "results_2025.csv", [head, *rows])
    save_csv(world.files / "results_2025_august.csv", [head, *(row for row in rows if row[0] in MONTHS[:4])])
    color, audiences = rng.choice(COLORS), rng.sample(AUDIENCES, 3)
    save_image(vary_photograph(what, rng), world.files / "product.jpg", 92)
    plans = {name: round(spent[name] * rng.uniform(0.8, 1.3), -2) for name in spent}
    _write_deck(world, rng, {"goods": goods, "old": old_slogan, "new": slogan, "color": color, "audiences": audiences,
                             "grows": grows, "shrinks": shrinks, "plans": plans})  # fmt: skip
    return {
        "costs": costs,
        "spent": sum(spent.values()), "orders": sum(orders.values()), "wrong_spent": sum(row[2] for row in rows),
        "doubled": [dict(costs)[wrong], f"{_round_value(Decimal(sums[0]) / sums[1])}"],
        "budgets": [[name, budgets[name]] for name in spent], "total": sum(budgets.values()),
        "kept": [spent[ranked[0]], budgets[ranked[0]]],
        "slogan": slogan, "old_slogan": old_slogan, "audiences": audiences, "color": f"#{color}",
        "workflow_category": "Marketing Strategy",
    }  # fmt: skip


def _make_results(rng: random.Random) -> tuple[list[tuple[str, str, int, int, str]], str]:
    """The rows by month and channel, one posted twice and one cancelled; costs of an order are well apart."""
    names = rng.sample(CHANNELS, 4)
    prices = dict(zip(names, rng.sample((4, 7, 11, 16, 22), 4), strict=True))
    rows = []
    for month, name, orders in ((month, name, rng.randint(40, 160)) for month in MONTHS for name in names):
        rows.append((month, name, round(orders * prices[name] * rng.uniform(0.9, 1.1)), orders, ""))
    wrong = rng.choice(names)
    at = rng.choice([place for place, row in enumerate(rows) if row[1] == wrong])
    twice = (rows[at][0], wrong, rows[at][2], rows[at][3] // 3, "posted again by mistake, does not count")
    rows.insert(at + rng.randint(1, 3), twice)
    rows.append((MONTHS[-1], rng.choice(names), rng.randrange(400, 900), 0, "cancelled and paid back, does not count"))
    return rows, wrong


def _round_value(value: Decimal, decimals: int = 2) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def _write_deck(world: World, rng: random.Random, plan_facts: dict[str, Any]) -> None:
    company, author = make_companies(rng, 1)[0], make_people(rng, 1)[0]
    deck = Deck("Plan 2025", author.name, world.now.replace(year=2025), Brand(company.name, accent=plan_facts["color"]))
    deck.title_slide("Plan 2025", f"How we sell {plan_facts['goods']}. House colour #{plan_facts['color']}")
    deck.add_bullets("Whom we talk to", plan_facts["audiences"])
    deck.add_bullets(
        "Slogan",
        [f"2025: {plan_facts['old']}"],
        notes=(
            f"Decided in December: from 2026 on the slogan is: {plan_facts['new']}. The old one is not used any more."
        ),
    )
    deck.table(
        "Budgets 2025", [["Channel", "EUR"], *([name, f"{plan:,.0f}"] for name, plan in plan_facts["plans"].items())]
    )
    deck.add_bullets("How we share the money", [
        "We rank the channels by what an order cost last year: what was spent, divided by the orders",
        f"The cheapest channel gets {plan_facts['grows']} % more than was spent on it",
        f"The dearest one gets {plan_facts['shrinks']} % less than was spent on it",
        "The others get what was spent on them",
        "Budgets are in whole euros, halves are rounded up",
    ])  # fmt: skip
    deck.save(world.files / "plan_2025.pptx")
