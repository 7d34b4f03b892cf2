"""Receipts of dinners that were paid by card: two rates of VAT, a tip, and whose card it was."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from yardkit.state_init.rendering.ink import Box
from yardkit.state_init.rendering.receipts import Receipt, ReceiptLine

RESTAURANTS = ("Harbour Grill", "Casa Morena", "The Copper Pot", "Trattoria Lucia", "Bistro Malou")
ADDRESSES = (
    ("12 Dock Street", "Bristol BS1 4DJ"),
    ("3 Mill Lane", "Cork T12 XY45"),
    ("47 Quay Street", "Porto 4050-253"),
)
FOOD = ("Tomato soup", "Grilled bream", "Mushroom risotto", "Lamb chops", "Lentil curry", "Lemon tart", "Cheese plate")
DRINKS = ("Mineral water 1 l", "Espresso", "Red wine 0.2 l", "Draught beer 0.5 l", "Apple juice 0.3 l")
RATES = {"A": Decimal("0.10"), "B": Decimal("0.20")}
_CENT = Decimal("0.01")


@dataclass(frozen=True)
class Dinner:
    """A receipt, with net, VAT of both rates together, and the total without the tip."""

    receipt: Receipt
    net: float
    vat: float
    total: float


def make_dinner(rng: random.Random, shop: str, day: datetime.date, card: str, holder: str) -> Dinner:
    """A dinner of five things; the number of the card and the holder's name stand twice each on the receipt."""
    kinds = ((FOOD, 3, 690, 2480, "A"), (DRINKS, 2, 240, 780, "B"))
    chosen = [
        (name, rng.randint(1, 3), Decimal(rng.randrange(low, high, 10)) / 100, code)
        for names, count, low, high, code in kinds
        for name in rng.sample(names, count)
    ]
    lines = [
        ReceiptLine(name, f"{count * price:.2f}", f"{count} x {price:.2f}" if count > 1 else "", code)
        for name, count, price, code in chosen
    ]
    goods = {code: sum((count * price for _, count, price, of in chosen if of == code), Decimal(0)) for code in RATES}
    vat = {code: goods[code] - (goods[code] / (1 + rate)).quantize(_CENT) for code, rate in RATES.items()}
    total, taxes, tip = sum(goods.values(), Decimal(0)), sum(vat.values(), Decimal(0)), rng.randint(3, 9)
    totals = [
        ("Net", f"{total - taxes:.2f}"),
        *((f"VAT {code} {rate:.0%}", f"{vat[code]:.2f}") for code, rate in RATES.items()),
        ("TOTAL EUR", f"{total:.2f}"),
        ("Tip", f"{tip:.2f}"),
        ("Charged", f"{total + tip:.2f}"),
        ("Card", card),
        ("Holder", holder),
    ]
    facts = [
        ("Date", f"{day}"),
        ("Time", f"{rng.randint(19, 21)}:{rng.randint(10, 59)}"),
        ("Table", f"{rng.randint(2, 30)}"),
    ]
    footer = [f"Ref {card.replace(' ', '')}", f"Auth {rng.randint(100_000, 999_999)}", f"We thank {holder}"]
    receipt = Receipt(shop, lines, totals, list(rng.choice(ADDRESSES)), facts, footer, strong=("TOTAL EUR",))
    return Dinner(receipt, float(total - taxes), float(taxes), float(total))


def find_places(places: Sequence[tuple[str, Box]], words: str) -> list[list[int]]:
    """The boxes of some words on a receipt in the texts that end with them, blanks aside."""
    target_text, boxes = words.replace(" ", ""), []
    for text, (left, top, right, bottom) in places:
        packed = text.replace(" ", "")
        if packed.endswith(target_text):
            boxes.append([round(right - (right - left) * len(target_text) / len(packed)), top, right, bottom])
    return boxes
