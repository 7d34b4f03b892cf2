"""A voice mail about broken goods in which the caller corrects her order number, and what it is dealt with."""

import datetime
import random
from pathlib import Path
from typing import Any

from yardkit.state_init import sounds
from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.names import make_people
from yardkit.state_init.pdfs import Blank, Sheet
from yardkit.world import World

NUMBERS = ("4172", "5836", "6294", "7518", "8347", "9265")
ITEMS, BROKEN = ("lamps", "cups", "chairs", "clocks", "mirrors"), (2, 3, 4, 5)
WISHES = {"replacement": "new pieces", "refund": "money back"}
WEEKDAYS = {"Wednesday": 2, "Thursday": 3, "Friday": 4}
RATE_HZ = 16_000
_VOICES = Path(__file__).parent / "voices" / "voicemail"


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw the order and the wish; a stranger's order has the number that is taken back."""
    wrong = rng.choice(NUMBERS)
    number = wrong[:3] + rng.choice([digit for digit in "0123456789" if digit != wrong[3]])
    item, broken, wish = rng.choice(ITEMS), rng.choice(BROKEN), rng.choice(sorted(WISHES))
    weekday = rng.choice(sorted(WEEKDAYS))
    correction, about = f"last-{number[3]}", [f"item-{item}", f"broken-{broken}"]
    middle = rng.choice([[correction, *about], [about[0], correction, about[1]], [*about, correction]])
    spoken_keys = ["hello", f"number-{wrong}", *middle, f"wish-{wish}", f"call-{weekday.lower()}", "bye"]
    _record_message(world.files / "voicemail.wav", spoken_keys, rng)
    customer, price = _save_orders(world, rng, {number: item, wrong: item})
    _write_form(world.files / "claim_form.pdf")
    day = world.now.date() + datetime.timedelta(days=(WEEKDAYS[weekday] - world.now.weekday()) % 7)
    amount = f"{broken * price:.2f}" if wish == "refund" else "0.00"
    return {
        "form": {
            "order_number": number, "customer": customer, "item": item, "pieces": str(broken),
            "wish": WISHES[wish], "amount": amount, "call_on": day.isoformat(),
        },
        "wrong": wrong, "weekday": weekday, "day": f"{weekday}, {day.day} {day:%B %Y}", "refund": wish == "refund",
    }  # fmt: skip


def _record_message(path: Path, spoken_keys: list[str], rng: random.Random) -> None:
    """The message as a telephone carries it, with a hiss on the line."""
    parts = [sounds.make_silence(0.8, RATE_HZ)]
    for name in spoken_keys:
        voice = sounds.normalize_level(sounds.load_speech(_VOICES / f"{name}.wav", RATE_HZ), -20)
        parts += [voice, sounds.make_silence(rng.uniform(0.5, 0.9), RATE_HZ)]
    message = sounds.join_sounds(parts)
    hiss = sounds.apply_gain(sounds.white_noise(rng, len(message) / RATE_HZ, RATE_HZ), -52)[: len(message)]
    sounds.save_sound(sounds.over_phone(message + hiss, RATE_HZ), path, RATE_HZ)


def _save_orders(world: World, rng: random.Random, needed: dict[str, str]) -> tuple[str, float]:
    """Save the orders; the customer and the price of the first one that is needed."""
    numbers = list(needed) + [str(number) for number in rng.sample(range(4000, 9999), 24) if str(number) not in needed]
    prices = {item: rng.randrange(1190, 4990, 10) / 100 for item in ITEMS}
    rows = [
        (number, person.name, item := needed.get(number) or rng.choice(ITEMS), 6, f"{prices[item]:.2f}")
        for number, person in zip(numbers, make_people(rng, len(numbers)), strict=True)
    ]
    head = ("Order", "Customer", "Item", "Pieces", "Price each EUR")
    save_csv(world.files / "orders.csv", [head, *sorted(rows)])
    return rows[0][1], prices[rows[0][2]]


def _write_form(path: Path) -> None:
    sheet = Sheet("Claim", author="Customer service")
    sheet.add_heading("Claim for broken goods", 0)
    labels = {"order_number": "Order number", "customer": "Customer", "item": "Item", "pieces": "Broken pieces"}
    blanks = [Blank(name, label) for name, label in labels.items()]
    blanks.append(Blank("wish", "Wish", "choice", tuple(WISHES.values())))
    sheet.add_form([*blanks, Blank("amount", "Amount in EUR"), Blank("call_on", "Call on")])
    sheet.save(path)
