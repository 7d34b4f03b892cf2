"""Photos of three receipts, of which one is the dinner in question, and an agreement on how to split it."""

import datetime
import random
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, get_args

from yardkit.state_init.rendering import Receipt, ReceiptLine, draw_receipt, photograph_picture, save_image
from yardkit.state_init.rendering.receipts import ReceiptStyle
from yardkit.world import World, save_text

RESTAURANTS = ("Trattoria Lucia", "Zum Anker", "Casa Morena", "The Copper Pot", "Bistro Malou")
FOOD = (
    "Tomato soup",
    "Beer-battered cod",
    "Veal in wine sauce",
    "Mushroom risotto",
    "Grilled trout",
    "Side salad",
    "Lentil curry",
    "Lamb chops",
    "Panna cotta",
    "Apple tart",
    "Cheese plate",
)
SOFT = ("Mineral water 0.75 l", "Apple juice 0.3 l", "Ginger ale 0.3 l", "Espresso")
ALCOHOL = ("Red wine 0.2 l", "White wine 0.2 l", "Draught beer 0.5 l", "Wheat beer 0.5 l", "Dessert wine 0.1 l")
PEOPLE = ("Ana", "Tom", "Mira", "Jonas", "Leila", "Pavel", "Ines", "Hugo")
STREETS = ("12 Harbour Street", "3 Mill Lane", "47 Station Road", "9 Castle Square")
Order = list[tuple[str, int, Decimal]]
CENT = Decimal("0.01")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Render the receipts; the facts hold each person's share in euros."""
    restaurant, other_place = rng.sample(RESTAURANTS, 2)
    people = rng.sample(PEOPLE, 4)
    drinkers = sorted(people[:2])
    tip = rng.choice([8, 10, 12, 15])
    day = datetime.date(2026, 3, 16) - datetime.timedelta(days=rng.randint(2, 6))
    order = _make_order(rng)
    earlier = day - datetime.timedelta(days=rng.choice([7, 14, 28]))
    papers = [(restaurant, day, order), (restaurant, earlier, _make_order(rng)), (other_place, day, _make_order(rng))]
    numbers = sorted(rng.sample(range(1200, 9800), 3))
    styles: tuple[ReceiptStyle, ...] = get_args(ReceiptStyle)
    for (place, date, lines), number in zip(rng.sample(papers, 3), numbers, strict=True):
        _save_photo(world.files / "receipts" / f"IMG_{number}.jpg", place, date, lines, rng.choice(styles), rng)
    _write_agreements(world.files, people, drinkers, tip, rng)
    shares = _compute_shares(order, people, drinkers, tip)
    prompt = {"day": f"{day:%A, %d %B}", "restaurant": restaurant, "asker": rng.choice(drinkers)}
    return {"prompt": prompt, "shares": shares, "asker": prompt["asker"], "drinkers": drinkers, "tip": tip}


def _make_order(rng: random.Random) -> Order:
    """Name, count and unit price of what was ordered."""
    cents = ((FOOD, 5, 690, 2480), (SOFT, 2, 240, 590), (ALCOHOL, 2, 420, 880))
    return [
        (name, rng.choice([1, 1, 2, 3]), Decimal(rng.randrange(low, high, 10)) / 100)
        for names, count, low, high in cents
        for name in rng.sample(names, count)
    ]


def _save_photo(
    path: Path,
    place: str,
    date: datetime.date,
    order: Order,
    style: ReceiptStyle,
    rng: random.Random,
) -> None:
    lines = [
        ReceiptLine(name, f"{count * price:.2f}", f"{count} x {price:.2f}" if count > 1 else "")
        for name, count, price in order
    ]
    total = _sum_order(order)
    net = (total / Decimal("1.19")).quantize(CENT)
    content = Receipt(
        shop=place,
        lines=lines,
        totals=[("Net", f"{net:.2f}"), ("VAT 19%", f"{total - net:.2f}"), ("TOTAL EUR", f"{total:.2f}")],
        address=[rng.choice(STREETS)],
        facts=[("Date", f"{date} {rng.randint(19, 22)}:{rng.randint(10, 59)}"), ("Table", str(rng.randint(2, 30)))],
        footer=["Thank you for your visit"],
    )
    save_image(photograph_picture(draw_receipt(content, style, rng), rng, strength=0.35), path)


def _sum_order(order: Order) -> Decimal:
    return sum((count * price for _, count, price in order), Decimal())


def _compute_shares(order: Order, people: list[str], drinkers: list[str], tip: int) -> dict[str, float]:
    total = _sum_order(order)
    alcohol = _sum_order([line for line in order if line[0] in ALCOHOL])
    common = (total - alcohol) / 4 + total * tip / 100 / 4
    exact = {person: common + (alcohol / 2 if person in drinkers else 0) for person in people}
    return {person: float(share.quantize(CENT, ROUND_HALF_UP)) for person, share in sorted(exact.items())}


def _write_agreements(files: Path, people: list[str], drinkers: list[str], tip: int, rng: random.Random) -> None:
    others = sorted(set(people) - set(drinkers))
    text = (
        "# How we split dinners\n\n"
        f"We are {', '.join(sorted(people))}.\n\n"
        f"- Wine and beer are paid by {drinkers[0]} and {drinkers[1]} alone, half each.\n"
        "- Everything else is split equally between the four of us.\n"
        f"- We tip {tip} % of the total. The tip is split equally between the four of us.\n"
    )
    draft = text.replace(f"{drinkers[0]} and {drinkers[1]}", f"{others[0]} and {others[1]}")
    draft = draft.replace(f"We tip {tip} %", f"We tip {tip - 3} %").replace("# How", "# DRAFT: how")
    save_text(files / "agreement.md", text)
    save_text(files / "agreement_draft.md", draft)
    cars = rng.sample(sorted(people), 2)
    save_text(files / "trip.txt", f"{cars[0]} drives there, {cars[1]} drives back.\nMeet at 18:30 at the fountain.\n")
    save_text(files / "shopping.txt", "oat milk\nbread\n2 lemons\n")
