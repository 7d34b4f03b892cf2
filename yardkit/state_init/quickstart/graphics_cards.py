"""Pictures of a shop's price lists, of which the latest list of graphics cards counts."""

import random
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

from yardkit.state_init.rendering import draw_table, photograph_picture, save_image
from yardkit.state_init.rendering.tables import TableStyle
from yardkit.world import World, save_text

FAMILIES = {"Falcon": ("7600", "7700", "7800", "9060", "9070"), "Nimbus": ("4060", "4070", "5060", "5070", "5080")}
SUFFIXES = ("", " XT", " Pro")
SCREENS = ("Vista 24", "Vista 27", "Vista 32", "Arc 34", "Studio 27", "Studio 32")
CARDS = 12
_TRIES = 20_000
Card = dict[str, Any]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Render the lists; the facts hold the cards that count and the limits."""
    cards, older, power, memory = _make_instance(rng)
    day, day_before = rng.randint(9, 15), rng.randint(1, 27)
    offers = world.files / "offers"
    styles: list[TableStyle] = rng.sample(get_args(TableStyle), 3)
    _card_list(offers / f"cards_2026-03-{day:02}.jpg", f"Graphics cards, {day} March 2026", cards, styles[0], rng)
    _card_list(
        offers / f"cards_2026-02-{day_before:02}.jpg",
        f"Graphics cards, {day_before} February 2026",
        older,
        styles[1],
        rng,
    )
    _screen_list(offers / f"monitors_2026-03-{day + 1:02}.jpg", f"Monitors, {day + 1} March 2026", styles[2], rng)
    _write_notes(world.files, power, memory, rng)
    return {"prompt": {"memory": memory, "power": power}, "cards": cards, "older": older}


def _make_instance(rng: random.Random) -> tuple[list[Card], list[Card], int, int]:
    """Cards, the older list, and limits for which each trap leads to another pair."""
    for _ in range(_TRIES):
        cards = _make_cards(rng)
        older = _make_older_list(cards, rng)
        power, memory = rng.randrange(380, 541, 10), rng.choice([12, 16])
        if _is_tricky(cards, older, power, memory):
            return cards, older, power, memory
    raise RuntimeError(f"no instance in {_TRIES} tries")


def _make_cards(rng: random.Random) -> list[Card]:
    names = [f"{family} {model}" for family, models in FAMILIES.items() for model in models]
    chosen = rng.sample(names, 7)
    # Near-duplicates: the same model once more with another suffix.
    chosen += [
        name + suffix for name, suffix in zip(rng.sample(chosen, 5), rng.choices(SUFFIXES[1:], k=5), strict=True)
    ]
    gone = rng.sample(range(CARDS), 3)
    return [_make_card(name, number not in gone, rng) for number, name in enumerate(sorted(chosen))]


def _make_card(name: str, stocked: bool, rng: random.Random) -> Card:
    power, memory = rng.randrange(115, 331, 5), rng.choice([8, 12, 16, 16, 24])
    cents = rng.choice([0, 50, 90, 99])
    price = round(1.6 * power + 22 * memory + rng.uniform(-190, 330)) + cents / 100
    return {"name": name, "memory": memory, "power": power, "price": price, "stocked": stocked}


def _make_older_list(cards: list[Card], rng: random.Random) -> list[Card]:
    return [
        {**card, "price": round(card["price"] * rng.uniform(0.82, 1.12)) + 0.95, "stocked": rng.random() < 0.8}
        for card in cards
    ]


def _is_tricky(cards: list[Card], older: list[Card], power: int, memory: int) -> bool:
    """Whether the best pair is clear, and overlooking any condition, or a thousands separator, gives another one."""
    right = _list_pairs(cards, power, memory)
    if len(right) < 3 or right[1][0] - right[0][0] < 4:
        return False
    misread = [{**card, "price": card["price"] // 1000 if card["price"] >= 1000 else card["price"]} for card in cards]
    unstocked = [{**card, "stocked": True} for card in cards]
    wrong = [
        _list_pairs(unstocked, power, memory),
        _list_pairs(cards, 10_000, memory),
        _list_pairs(cards, power, 0),
        _list_pairs(older, power, memory),
        _list_pairs(misread, power, memory),
    ]
    return all(pairs and pairs[0][1] != right[0][1] for pairs in wrong)


def _list_pairs(cards: list[Card], power: int, memory: int) -> list[tuple[float, tuple[str, str]]]:
    """Price and names of all pairs within the limits, the cheapest first."""
    fit = [card for card in cards if card["stocked"] and card["memory"] >= memory]
    pairs = [pair for pair in combinations(fit, 2) if pair[0]["power"] + pair[1]["power"] <= power]
    return sorted(
        (first_card["price"] + other["price"], (first_card["name"], other["name"])) for first_card, other in pairs
    )


def _card_list(path: Path, title: str, cards: list[Card], style: TableStyle, rng: random.Random) -> None:
    rows = [
        [
            card["name"],
            f"{card['memory']} GB",
            f"{card['power']} W",
            f"${card['price']:,.2f}",
            "in stock" if card["stocked"] else "sold out",
        ]
        for card in cards
    ]
    picture = draw_table(["Card", "Memory", "Power", "Price", "Stock"], rows, style, rng, title)
    save_image(photograph_picture(picture, rng, strength=0.3), path)


def _screen_list(path: Path, title: str, style: TableStyle, rng: random.Random) -> None:
    rows = [[name, f"{rng.choice([60, 75, 120, 144])} Hz", f"${rng.randint(140, 780)}.00"] for name in SCREENS]
    save_image(
        photograph_picture(draw_table(["Monitor", "Refresh", "Price"], rows, style, rng, title), rng, strength=0.3),
        path,
    )


def _write_notes(files: Path, power: int, memory: int, rng: random.Random) -> None:
    save_text(
        files / "build.md",
        f"# Workstation\n\n- case and fans: bought\n- power supply: ordered, {power + rng.randrange(300, 360, 10)} W\n"
        "- graphics: two different models, so that drivers can be compared\n",
    )
    save_text(
        files / "build_2024.md",
        f"# The old machine\n\nOne card, at least {memory - 4} GB, at most {power - 150} W. Sold in January.\n",
    )
    save_text(files / "shop_mail.txt", "Our lists are net of shipping. Code WINTER10 ended on 28 February 2026.\n")
