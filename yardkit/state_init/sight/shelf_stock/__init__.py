"""The world of sight/shelf_stock: pictures of two shelves, one of them taken twice, and the stock list."""

import datetime
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from yardkit.state_init.names import make_companies
from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.barcodes import add_check_digit
from yardkit.state_init.sight.shelf_stock.shelves import BOARDS, SLOTS, Pack, Place, shelf_photo
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

PRODUCTS = (
    ("Oat Flakes", ("500 g", "1 kg"), (218, 174, 84)),
    ("Basmati Rice", ("500 g", "1 kg"), (88, 108, 170)),
    ("Green Tea", ("20 bags", "40 bags"), (70, 140, 80)),
    ("Tomato Soup", ("400 g",), (190, 84, 50)),
    ("Black Beans", ("400 g",), (92, 62, 110)),
    ("Sea Salt", ("750 g",), (70, 150, 176)),
    ("Red Lentils", ("500 g",), (200, 110, 70)),
    ("Corn Grits", ("1 kg",), (206, 186, 60)),
    ("Rye Crackers", ("250 g",), (134, 96, 64)),
)
NEXT_DOOR = ("Almond Milk", "1 l", (206, 200, 190))
PLACES = BOARDS * SLOTS
HEAD = ["EAN", "Product", "Size", "Book", "Counted", "Difference", "Minimum", "Target", "Carton"]
Boards = list[list[Place]]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill the shelves, photograph them, write the list; the facts are the rows of both sheets."""
    packs, foreign = _make_packs(rng)
    absent = rng.choice(packs)
    tags = [pack for pack in packs if pack is not absent]
    tags = sorted(tags * 2 + rng.choices(tags, k=2 * PLACES - 2 * len(tags)), key=lambda pack: pack.ean)
    start = rng.randrange(len(tags))
    tags = [*tags[start:], *tags[:start]]
    shelves = [_stock_shelf(tags[place * PLACES : (place + 1) * PLACES], packs, foreign, rng) for place in (0, 1)]
    _save_photographs(world, shelves, packs, foreign, rng)
    counted = Counter(
        place.pack.ean
        for boards in shelves
        for places in boards
        for place in places
        if place.pack and not place.damaged and place.pack is not foreign
    )
    rows = _write_stock(world, packs, counted, rng)
    short = [row for row in rows if row["Counted"] < row["Minimum"]]
    for row in short:
        row["Missing"] = row["Target"] - row["Counted"]
        row["Cartons"] = math.ceil(row["Missing"] / row["Carton"])
    return {"stock": rows, "reorder": [row["EAN"] for row in short], "cartons": sum(row["Cartons"] for row in short)}


def _make_packs(rng: random.Random) -> tuple[list[Pack], Pack]:
    """Our products, a little different in colour from size to size, and the one of the shop next door."""
    maker = rng.randint(400_100, 439_900)
    packs: list[Pack] = []
    names = [*PRODUCTS[:3], *rng.sample(PRODUCTS[3:], 3)]
    codes = iter(rng.sample(range(10_000, 999_999), 12))
    for name, sizes, color in names:
        for size in sizes:
            shade = (color[0] - 6 * len(packs) % 13, color[1], color[2])
            price = f"{rng.randrange(79, 499, 10) / 100:.2f}"
            packs.append(Pack(name, size, add_check_digit(f"{maker}{next(codes):06}"), shade, price))
    name, size, color = NEXT_DOOR
    return packs, Pack(name, size, add_check_digit(f"{rng.randint(500_100, 509_900)}{next(codes):06}"), color, "2.29")


def _stock_shelf(tags: Sequence[Pack], packs: Sequence[Pack], foreign: Pack, rng: random.Random) -> Boards:
    """A shelf: some places are empty, one pack stands in a wrong place, one is damaged, one is not ours."""
    places = [Place(tag, tag) for tag in tags]
    gaps, misplaced, damaged, strange = rng.randint(2, 3), *rng.sample(range(len(tags)), 3)
    for place in rng.sample([place for place in range(len(tags)) if place not in (misplaced, damaged, strange)], gaps):
        places[place] = replace(places[place], pack=None)
    wrong = rng.choice([pack for pack in packs if pack.ean in {tag.ean for tag in tags} and pack != tags[misplaced]])
    places[misplaced] = replace(places[misplaced], pack=wrong)
    places[damaged] = replace(places[damaged], damaged=True)
    places[strange] = replace(places[strange], pack=foreign)
    return [places[board * SLOTS : (board + 1) * SLOTS] for board in range(BOARDS)]


def _save_photographs(
    world: World, shelves: list[Boards], packs: list[Pack], foreign: Pack, rng: random.Random
) -> None:
    """Each shelf this morning, and one of them some hours or days before."""
    names, again = rng.sample(range(3001, 3999), 3), rng.randrange(2)
    signs = [f"SHELF {letter}" for letter in rng.sample("ABCDEF", 2)]
    morning = datetime.datetime(2026, 3, 16, 7, rng.randint(0, 40))  # noqa: DTZ001 - a camera has no zone
    before = morning - datetime.timedelta(hours=rng.choice((1, 14, 24 * 7)), minutes=rng.randint(3, 50))
    tags = [place.tag for places in shelves[again] for place in places]
    older = _stock_shelf(tags, packs, foreign, rng)
    shots = [(signs[0], shelves[0], morning), (signs[1], shelves[1], morning + datetime.timedelta(minutes=4))]
    shots.append((signs[again], older, before))
    for name, (sign, boards, taken) in zip(names, shots, strict=True):
        image = shelf_photo(sign, boards, f"{taken:%Y-%m-%d %H:%M}", rng)
        save_image(photograph_picture(image, rng, 0.25, frame=False), world.files / "shelves" / f"IMG_{name}.jpg", 85)


def _write_stock(world: World, packs: list[Pack], counted: Counter[str], rng: random.Random) -> list[dict[str, Any]]:
    """The list of what should be there, last week's list, the suppliers; its rows with what was counted."""
    level = rng.choice([pack.ean for pack in packs])
    rows = []
    for pack in sorted(packs, key=lambda pack: pack.ean):
        count, carton = counted[pack.ean], rng.choice((4, 6, 8, 10))
        least = count if pack.ean == level else rng.randint(1, 4)
        numbers = [max(0, count + rng.choice((-1, 0, 0, 1, 2))), least, least + rng.randint(4, 18), carton]
        row = dict(zip(("EAN", "Product", "Size"), (pack.ean, pack.name, pack.size), strict=True))
        rows.append(row | dict(zip(("Book", "Minimum", "Target", "Carton"), numbers, strict=True)) | {"Counted": count})
    sheet: list[list[Any]] = [
        HEAD,
        *([row.get(column) if column != "Counted" else None for column in HEAD] for row in rows),
    ]
    firms = make_companies(rng, 3)
    suppliers: list[list[Any]] = [
        ["Supplier", "City", "Delivers"],
        *([firm.full, firm.city, rng.choice(("Mon", "Thu"))] for firm in firms),
    ]
    save_workbook(world.files / "stock.xlsx", {"Stock": sheet, "Suppliers": suppliers}, world.now)
    old = [[*line[:4], rng.randint(0, 5), None, *line[6:]] if line is not sheet[0] else line for line in sheet]
    save_workbook(world.files / "archive" / "stock_last_week.xlsx", {"Stock": old}, world.now)
    save_text(world.files / "opening_hours.txt", "Mon-Fri 8-19, Sat 8-14\n")
    return rows
