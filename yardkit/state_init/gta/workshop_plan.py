"""Workshops in a PDF file with late changes, and the wishes of members, for whom some plan is the best."""

import random
from dataclasses import asdict, dataclass, replace
from typing import Any

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.names import make_people
from yardkit.state_init.pdfs import Sheet
from yardkit.world import World

TITLES = ("Bread baking", "Bicycle repair", "Woodcut printing", "Climbing", "Bee keeping", "Film editing", "Juggling")
ROOMS = ("Hall", "Yard", "Kitchen", "Studio", "Room 12", "Room 14", "Library", "Workshop")
SLOTS = ("morning", "afternoon")
HEAD = ("Sent", "Name", "Age", "First", "Second", "Third", "Not in")
MEMBERS = 20


@dataclass(frozen=True)
class Offer:
    """A workshop; the price is in euros, `age` the least one."""

    code: str
    title: str
    slot: str
    room: str
    places: int
    price: int
    age: int = 0


@dataclass(frozen=True)
class Wish:
    """What a member wishes for, by code, the first first; `absent` is a slot or empty."""

    sent: str
    name: str
    age: int
    wishes: tuple[str, ...]
    absent: str


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write offers and wishes; the facts hold what a place is worth to whom, and the points of the best plan."""
    best = 0
    while not MEMBERS < best < 3 * MEMBERS - 5:
        announced = _make_offers(rng)
        offers, change_notes = _change_offers(announced, rng)
        wishes = _make_wishes(offers, rng)
        best = _find_best_points(offers, wishes)
    _offers_pdf(world, announced, change_notes)
    earlier = [replace(wish, wishes=wish.wishes[::-1], sent="2026-05-02") for wish in rng.sample(wishes, 3)]
    lines = sorted([*wishes, *earlier], key=lambda wish: (wish.name.split()[1], wish.sent == "2026-05-02"))
    rows = [(wish.sent, wish.name, wish.age, *wish.wishes, wish.absent) for wish in lines]
    save_csv(world.files / "wishes.csv", [HEAD, *rows])
    save_csv(world.files / "wishes_2025.csv", [HEAD, *(("2025-05-09", *row[1:]) for row in rows[3:14])])
    return {
        "offers": {offer.code: asdict(offer) for offer in offers},
        "worth": {wish.name: {offer.code: _score_wish(offer, wish) for offer in offers} for wish in wishes},
        "best": best,
        "workflow_category": "Planning & Decision",
    }


def _make_offers(rng: random.Random) -> list[Offer]:
    adult, titles, rooms = rng.randrange(6), rng.sample(TITLES, 6), rng.sample(ROOMS, 6)
    return [
        Offer(f"W{number + 1}", titles[number], SLOTS[number % 2], rooms[number], rng.randint(4, 6),
              rng.randrange(4, 30), 16 if number == adult else 0)
        for number in range(6)
    ]  # fmt: skip


def _change_offers(offers: list[Offer], rng: random.Random) -> tuple[list[Offer], list[str]]:
    """A smaller room, another price and another slot, each of another workshop, and what is said of it."""
    room, price, slot = rng.sample(range(6), 3)
    places, dearer = offers[room].places - 2, offers[price].price + rng.randint(2, 6)
    free = next(name for name in ROOMS if name not in {offer.room for offer in offers})
    other = SLOTS[1 - SLOTS.index(offers[slot].slot)]
    changed: dict[int, tuple[str, dict[str, Any]]] = {
        room: (f"has moved to {free}, with only {places} places.", {"room": free, "places": places}),
        price: (f"costs {dearer}.00, since the material has become dearer.", {"price": dearer}),
        slot: (f"takes place in the {other}.", {"slot": other}),
    }
    change_notes = [f"{offers[number].code} {change_text}" for number, (change_text, _) in sorted(changed.items())]
    return [replace(offer, **changed.get(number, ("", {}))[1]) for number, offer in enumerate(offers)], change_notes


def _make_wishes(offers: list[Offer], rng: random.Random) -> list[Wish]:
    """Wishes that go for some workshops more than for others."""
    codes, new_wishes = [offer.code for offer in offers], []
    liked = rng.sample(codes, 3)
    for person in make_people(rng, MEMBERS):
        chosen = list(dict.fromkeys([*rng.sample(liked, rng.randint(1, 2)), *rng.sample(codes, 3)]))[:3]
        sent, absent = f"2026-05-{rng.randint(4, 15):02d}", rng.choice(("", "", "", *SLOTS))
        new_wishes.append(Wish(sent, person.name, rng.randint(12, 60), tuple(chosen), absent))
    return new_wishes


def _find_best_points(offers: list[Offer], wishes: list[Wish]) -> int:
    """The points of the best plan; less than one each where not everybody gets a place."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    places = [offer for offer in offers for _ in range(offer.places)]
    worth = np.array([[_score_wish(offer, wish) or -1000 for offer in places] for wish in wishes])
    return int(worth[linear_sum_assignment(worth, maximize=True)].sum()) if len(places) >= len(wishes) else 0


def _score_wish(offer: Offer, wish: Wish) -> int:
    """What a place is worth; 0 where it is not possible."""
    possible = offer.code in wish.wishes and wish.age >= offer.age and offer.slot != wish.absent
    return 3 - wish.wishes.index(offer.code) if possible else 0


def _offers_pdf(world: World, announced: list[Offer], change_notes: list[str]) -> None:
    sheet = Sheet("Summer day: workshops", "Club office")
    sheet.add_heading("Summer day: workshops", 0)
    sheet.text("All workshops take place on 20 June 2026. Prices are in euros, for each person.")
    rows = [
        (offer.code, offer.title, offer.slot, offer.room, str(offer.places), f"{offer.price}.00") for offer in announced
    ]
    sheet.table(
        [("Code", "Workshop", "Slot", "Room", "Places", "Price"), *rows], (16, 46, 28, 32, 20, 20), right=(4, 5)
    )
    sheet.text("".join(f"{offer.code} is for members of {offer.age} and more." for offer in announced if offer.age))
    sheet.new_page()
    sheet.add_heading("Changes")
    sheet.text("\n".join(["What is said here replaces what the first page says.", *change_notes]))
    sheet.save(world.files / "offers.pdf")
