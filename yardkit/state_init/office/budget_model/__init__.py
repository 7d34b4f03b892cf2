"""A live budget with numbers typed over formulas; decisions, corrections and scenarios in minutes and mails."""

import datetime
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from yardkit.state_init.documents import FieldCode, Paper
from yardkit.state_init.mails import mail_name, send_mail
from yardkit.state_init.names import DEPARTMENTS, Person, make_people
from yardkit.state_init.office.budget_model.budget_book import (
    LABELS,
    MONTHS,
    Firm,
    Values,
    compute_budget,
    compute_results,
    make_firm,
    save_budget,
)
from yardkit.world import World, save_text

FILE = "budget_2026.xlsx"
WEAK_DEMAND, TWO = "Weak demand", "Strong dollar"
SHIFT = {
    "Demand growth": 0.01, "Purchase price increase": 0.004, "EUR/USD rate": 0.03, "Energy price": 0.013,
    "Pay rise": 0.006, "Social charges": 0.008, "Freight per unit": 0.05, "Commission": 0.003,
    "Marketing per month": 700, "Rent per month": 900, "Tax rate": 0.02,
}  # fmt: skip
"""By how much a check changes each value of Base to see what follows."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the budget, its stale copies, the minutes and mails; the facts hold all three scenarios."""
    staff = make_people(rng, 14)
    firm = make_firm(rng, [person.name for person in staff[2:]], sorted(rng.sample(DEPARTMENTS, 5)))
    first, base = _make_assumptions(rng)
    firm = _adjust_to_profit(firm, base)
    terms = _make_terms(rng)
    scenarios = _build_scenarios(base, terms)
    shifted = _build_scenarios({label: value + SHIFT[label] for label, value in base.items()}, terms)
    product = rng.choice(firm.goods)
    typed = _type_over_formulas(rng, firm, first)
    save_budget(world.files / FILE, firm, first, world.now, staff[0].name, typed)
    _write_stale_copies(world, rng, firm, first, staff[0].name)
    _write_minutes(world, staff, first, base, rng)
    _write_mails(world, staff[:4], first, base, terms)
    broken = [_describe_broken_cell(firm, place, base, shifted["Base"]) for place in typed]
    return {
        "prompt": {"one": WEAK_DEMAND, "two": TWO, "product": product.name},
        "file": FILE,
        "scenarios": scenarios,
        "shifted": shifted,
        "shift": SHIFT,
        "results": {name: compute_results(firm, given) for name, given in scenarios.items()},
        "shifted_results": {name: compute_results(firm, given) for name, given in shifted.items()},
        "prices": {name: _break_even(firm, product.name, given) for name, given in scenarios.items()},
        "broken": broken,
        "formats": {label: code for label, (_, code) in LABELS.items()},
    }


def _make_assumptions(rng: random.Random) -> tuple[dict[str, float], dict[str, float]]:
    """The values in the budget now, and those of Base after all decisions and corrections."""
    first = {
        "Demand growth": rng.randrange(40, 60, 5) / 1000,
        "Purchase price increase": rng.randrange(15, 30, 5) / 1000,
        "EUR/USD rate": rng.randrange(108, 112) / 100,
        "Energy price": rng.randrange(190, 230, 2) / 1000,
        "Pay rise": rng.randrange(25, 35, 5) / 1000,
        "Social charges": rng.randrange(205, 225, 5) / 1000,
        "Freight per unit": rng.randrange(80, 120, 5) / 100,
        "Commission": rng.randrange(30, 50, 5) / 1000,
        "Marketing per month": float(rng.randrange(9000, 12000, 500)),
        "Rent per month": float(rng.randrange(14000, 18000, 100)),
        "Tax rate": rng.randrange(240, 310, 5) / 1000,
    }
    base = first | {
        "Demand growth": round(first["Demand growth"] - 0.015, 3),
        "Energy price": round(first["Energy price"] + rng.randrange(10, 30, 2) / 1000, 3),
        "Pay rise": round(first["Pay rise"] + rng.choice((-0.004, 0.004, 0.006)), 3),
        "Freight per unit": round(first["Freight per unit"] + rng.choice((0.05, 0.1, 0.15)), 2),
        "Marketing per month": first["Marketing per month"] + rng.choice((-1500, -1000, 1500)),
    }
    return first, base


def _adjust_to_profit(firm: Firm, base: Values) -> Firm:
    """The same firm with purchase prices at which it earns four percent of its revenue."""
    budget = compute_budget(firm, base)["Budget"]
    revenue, ebit, bought = (sum(budget[label]) for label in ("Revenue", "EBIT", "Purchases"))
    factor = 1 + (ebit - 0.04 * revenue) / bought
    return replace(firm, goods=[replace(good, cost_usd=round(good.cost_usd * factor, 2)) for good in firm.goods])


def _make_terms(rng: random.Random) -> dict[str, float]:
    """What the scenarios say: values of their own, and steps from Base."""
    return {
        "growth": -rng.randrange(30, 80, 5) / 1000,
        "commission": rng.choice((0.005, 0.01)),
        "marketing": rng.choice((0.15, 0.2, 0.25)),
        "rate": rng.randrange(98, 104) / 100,
        "freight": rng.choice((0.08, 0.12, 0.16)),
        "purchase": rng.choice((0.01, 0.015, 0.02)),
    }


def _build_scenarios(base: Values, terms: Values) -> dict[str, dict[str, float]]:
    weak = dict(base) | {
        "Demand growth": terms["growth"],
        "Commission": base["Commission"] + terms["commission"],
        "Marketing per month": base["Marketing per month"] * (1 - terms["marketing"]),
    }
    strong = dict(base) | {
        "EUR/USD rate": terms["rate"],
        "Freight per unit": base["Freight per unit"] * (1 + terms["freight"]),
        "Purchase price increase": base["Purchase price increase"] + terms["purchase"],
    }
    return {"Base": dict(base), WEAK_DEMAND: weak, TWO: strong}


def _break_even(firm: Firm, product: str, given: Values) -> float:
    """The lowest price in whole cents at which the year brings no loss; EBIT is linear in it."""
    year = compute_budget(firm, given)
    price = next(good.price for good in firm.goods if good.name == product)
    gain = sum(year["Units"][product]) * (1 - given["Commission"])
    return math.ceil((price - sum(year["Budget"]["EBIT"]) / gain) * 100 - 1e-6) / 100


Place = tuple[str, str, int]


def _type_over_formulas(rng: random.Random, firm: Firm, first: Values) -> dict[Place, float]:
    """A number over a formula on each of three sheets, a little off."""
    places: list[Place] = [
        ("Units", rng.choice(firm.goods).name, rng.randrange(1, 12)),
        ("Staff", rng.choice([employee for employee in firm.staff if employee.start == 1]).name, rng.randrange(1, 12)),
        ("Budget", rng.choice(("Energy", "Freight", "Purchases")), rng.randrange(1, 12)),
    ]
    year = compute_budget(firm, first)
    factor = rng.choice((0.94, 1.07))
    return {place: float(round(year[place[0]][place[1]][place[2]] * factor)) for place in places}


def _describe_broken_cell(firm: Firm, place: Place, base: Values, shifted: Values) -> dict[str, Any]:
    """Where a number was typed, and what the formula gives in Base before and after its values are changed."""
    sheet, label, month = place
    lines = compute_budget(firm, base)[sheet]
    row = 4 + list(lines).index(label)
    letter = chr(ord("E" if sheet == "Staff" else "B") + month)
    values = [compute_budget(firm, given)[sheet][label][month] for given in (base, shifted)]
    return {"sheet": sheet, "cell": f"{letter}{row}", "values": values}


def _write_stale_copies(world: World, rng: random.Random, firm: Firm, first: Values, author: str) -> None:
    """Older versions of the budget beside it, without the typed numbers."""
    before = world.now - datetime.timedelta(days=40)
    older = dict(first) | {"Demand growth": first["Demand growth"] + 0.02, "EUR/USD rate": 1.05}
    save_budget(world.files / "archive" / "budget_2026_v1.xlsx", firm, older, before, author, {})
    cheaper = replace(firm, goods=[replace(good, price=round(good.price * 0.97, 2)) for good in firm.goods])
    target = world.files / "archive" / "budget_2026_final_old.xlsx"
    save_budget(target, cheaper, first, before + datetime.timedelta(days=9), author, {})
    lines = [f"{month};{rng.randrange(180, 320)}" for month in MONTHS]
    save_text(world.files / "archive" / "visitors_2025.csv", "month;visitors\n" + "\n".join(lines) + "\n")


def _write_minutes(world: World, staff: Sequence[Person], first: Values, base: Values, rng: random.Random) -> None:
    """The decisions of 12 March; energy as corrected later is not in them. And those of January."""
    paper = Paper("Decisions of the management board", author=staff[1].name, now=world.now)
    paper.footer("Confidential. Page ", FieldCode("PAGE"))
    paper.add_heading("Decisions of the management board", 0)
    paper.add_paragraph("12 March 2026. Present: ", ", ".join(person.name for person in staff[:5]), ".")
    paper.add_heading("Budget 2026")
    paper.add_paragraph("The board went through the assumptions of the budget and decided:")
    step = base["Marketing per month"] - first["Marketing per month"]
    way = "raised" if step > 0 else "cut"
    paper.add_numbered(
        [
            f"Demand growth is taken down by {(first['Demand growth'] - base['Demand growth']) * 100:.1f} points.",
            f"The energy price is taken up to {round((base['Energy price'] + 0.016) * 100, 1):g} cents per kWh.",
            f"The pay rise is {(first['Pay rise'] + 0.01) * 100:.1f} % from January, subject to the works council.",
            f"Freight per unit: {base['Freight per unit']:.2f} euros.",
            f"Marketing is {way} by {abs(step) * 12:,.0f} euros over the year, in equal parts each month.",
        ]
    )
    paper.add_paragraph("The landlord's wish for 4 % more rent was turned down. The tax rate was discussed and stays.")
    paper.add_heading("Other")
    paper.add_bullets(["The summer party is on 3 July.", f"The car park gets {rng.randint(4, 12)} more places."])
    paper.save(world.files / "board" / "decisions_2026-03-12.docx")
    older = Paper("Decisions of the management board", author=staff[1].name, now=world.now)
    older.add_heading("Decisions of the management board", 0)
    older.add_paragraph("15 January 2026. The budget was presented.")
    older.add_numbered(["Demand growth: 7 %.", "The pay rise is 4.0 %.", "Commission: 5 %."])
    older.save(world.files / "board" / "decisions_2026-01-15.docx")


def _write_mails(world: World, staff: Sequence[Person], first: Values, base: Values, terms: Values) -> None:
    """Scenarios in a first and a second version, two corrections, and mails about something else."""
    chief, clerk, buyer, head = staff
    day = datetime.datetime(2026, 3, 10, 8, 12, tzinfo=datetime.UTC)
    folder = world.files / "mails"
    bodies = [
        (chief, 0, "Scenarios for the budget", _scenario_text(terms, 0.02, 0.03)),
        (buyer, 1, "Canteen", "Soup day moves to Thursday.\n"),
        (chief, 3, "Scenarios for the budget, second version", _write_second_mail(terms)),
        (
            head,
            4,
            "Pay rise",
            f"The works council has agreed to {base['Pay rise'] * 100:.1f} percent from January.\n"
            "That is the pay rise for the budget, not what the board had in mind.\n",
        ),
        (
            buyer,
            5,
            "New contract for electricity",
            f"We signed this morning, at {base['Energy price'] * 100:.1f} cents per kWh.\nPlease take that for the"
            " energy price, the board's figure is out of date.\n",
        ),
        (clerk, 5, "Rent", f"The landlord asks for {first['Rent per month'] * 1.04:,.0f} euros again. I said no.\n"),
    ]
    for number, (sender, days, subject, body) in enumerate(bodies, 1):
        path, sent = folder / mail_name(number, subject.replace(",", "")), datetime.timedelta(days, minutes=7 * number)
        text = f"Hello,\n\n{body}\nKind regards\n{sender.name}\n"
        send_mail(path, sender, "Controlling <controlling@example.com>", subject, text, day + sent)


def _write_second_mail(terms: Values) -> str:
    return "Please forget my first mail about this, these are the scenarios:\n\n" + _scenario_text(terms, 0, 0)


def _scenario_text(terms: Values, more: float, worse: float) -> str:
    """The scenarios in words; `more` and `worse` make a version that no longer counts."""
    return (
        f"{WEAK_DEMAND}:\n"
        f"- demand growth of minus {(-terms['growth'] + more) * 100:.1f} percent,\n"
        f"- commission {(terms['commission'] + more / 4) * 100:.1f} points above Base,\n"
        f"- marketing {(terms['marketing'] + worse) * 100:.0f} percent below Base.\n\n"
        f"{TWO}:\n"
        f"- a euro is {terms['rate'] - worse:.2f} dollars,\n"
        f"- freight per unit {(terms['freight'] + worse) * 100:.0f} percent above Base,\n"
        f"- purchase price increase {(terms['purchase'] + more / 4) * 100:.1f} points above Base.\n\n"
        "All the rest as in Base.\n"
    )
