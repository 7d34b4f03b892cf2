"""The world of sight/label_check: photographed label proofs with planted deviations, and the specification."""

import random
from dataclasses import replace
from typing import Any

from yardkit.state_init.material import fill_in
from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.barcodes import add_check_digit
from yardkit.state_init.rendering.ink import Color
from yardkit.state_init.sight.label_check.labels import JarLabel, jar_label
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

COLORS: dict[str, Color] = {
    "plum": (120, 40, 110),
    "green": (36, 118, 62),
    "amber": (206, 146, 20),
    "red": (176, 34, 46),
    "blue": (36, 78, 160),
}
PRODUCTS = (
    ("Basil Pesto", "basil, sunflower oil, cashew nuts, hard cheese, salt", ("milk", "nuts"), "green"),
    ("Beetroot Relish", "beetroot, onions, sugar, vinegar, mustard seed", ("mustard", "sulphites"), "red"),
    ("Lemon Curd", "sugar, butter, eggs, lemon juice, lemon peel", ("eggs", "milk"), "amber"),
    ("Plum Chutney", "plums, raisins, vinegar, sugar, celery, salt", ("celery", "sulphites"), "plum"),
    ("Sesame Spread", "sesame, soy oil, salt", ("sesame", "soy"), "amber"),
    ("Blueberry Jam", "blueberries, sugar, pectin, lemon juice", ("sulphites",), "blue"),
    ("Pea Hummus", "peas, sesame paste, lemon juice, garlic, salt", ("sesame",), "green"),
    ("Herb Mustard", "mustard seed, vinegar, herbs, sugar, salt", ("mustard",), "blue"),
)
ALLERGENS = ("celery", "eggs", "milk", "mustard", "nuts", "sesame", "soy", "sulphites")
WEIGHTS = (120, 150, 180, 190, 210, 250, 280, 320, 340)
HEAD = ["Article", "Product", "Net weight", "Contains", "EAN", "Band"]
Row = dict[str, Any]
FIELDS = {"weight": "Net weight", "contains": "Contains", "barcode": "EAN", "band": "Band"}


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Print six of the eight labels, four of them wrongly; the facts are the deviations."""
    version, specified = rng.randint(3, 8), _make_specification(rng)
    proofs = rng.sample(specified, 6)
    wrong = [*FIELDS, rng.choice(("weight", "contains", "band"))]
    planted: list[list[str]] = [[] for _ in proofs]
    for place, field in enumerate(wrong):
        planted[place % 4 if field not in planted[place % 4] else 1].append(field)
    deviations = []
    names = rng.sample(range(201, 399), len(proofs))
    for number, row, fields in zip(names, proofs, planted, strict=True):
        photo, printed = f"proof_{number}.jpg", dict(row)
        for field in fields:
            printed[FIELDS[field]] = _choose_wrong_field(field, row, specified, rng)
            deviations.append([photo, row["Article"], field, printed[FIELDS[field]], row[FIELDS[field]]])
        digits = row["EAN"] if fields or row is not proofs[-1] else _choose_wrong_field("barcode", row, specified, rng)
        _print_label(world, photo, printed, digits, rng)
    _write_specification(world, version, specified, rng)
    return {"deviations": deviations, "labels": len(proofs), "free": sum(not fields for fields in planted)}


def _make_specification(rng: random.Random) -> list[Row]:
    numbers = rng.sample(range(104, 990), len(PRODUCTS))
    maker, codes = rng.randint(400_100, 439_900), rng.sample(range(10_000, 999_999), len(PRODUCTS))
    rows = []
    for (name, _, contains, band), number, code in zip(PRODUCTS, numbers, codes, strict=True):
        weight = f"{rng.choice(WEIGHTS)} g"
        values = (f"HK-{number}", name, weight, ", ".join(contains), add_check_digit(f"{maker}{code:06}"), band)
        rows.append(dict(zip(HEAD, values, strict=True)))
    return rows


def _choose_wrong_field(field: str, row: Row, specified: list[Row], rng: random.Random) -> str:
    """What a field of this article might hold by mistake; the number of an article is that of another one."""
    if field == "contains":
        right = row["Contains"].split(", ")
        absent_allergen = rng.choice([name for name in ALLERGENS if name not in right])
        return ", ".join(right[:-1] if len(right) > 1 and rng.random() < 0.5 else [*right[:-1], absent_allergen])
    choices: list[str] = {
        "weight": [f"{weight} g" for weight in WEIGHTS],
        "barcode": [other["EAN"] for other in specified],
        "band": list(COLORS),
    }[field]
    return rng.choice([choice for choice in choices if choice != row[FIELDS[field]]])


def _print_label(world: World, photo: str, printed: Row, digits: str, rng: random.Random) -> None:
    ingredients = next(ingredients for name, ingredients, *_ in PRODUCTS if name == printed["Product"])
    band, lot = COLORS[printed["Band"]], f"L26{rng.randint(100, 999)}"
    label = JarLabel(
        "Hedgerow Kitchen", printed["Product"], ingredients, printed["Contains"], printed["Net weight"], lot, band,
        printed["EAN"], digits,
    )  # fmt: skip
    shot = photograph_picture(jar_label(replace(label), rng), rng, strength=0.35)
    save_image(shot, world.files / "proofs" / photo)


def _write_specification(world: World, version: int, rows: list[Row], rng: random.Random) -> None:
    """The valid version and the one before, which has other weights and bands; the rules; a note."""
    for number in (version - 1, version):
        sheet: list[list[Any]] = [HEAD]
        for row in rows:
            old = {
                "Net weight": _choose_wrong_field("weight", row, rows, rng),
                "Band": _choose_wrong_field("band", row, rows, rng),
            }
            sheet.append(list((row | (old if number < version and rng.random() < 0.6 else {})).values()))
        save_workbook(world.files / "specifications" / f"labels_v{number}.xlsx", {"Labels": sheet}, world.now)
    colors = ", ".join(f"{name} {' '.join(map(str, color))}" for name, color in COLORS.items())
    fill_in(world, "checking_rules.md", version=version, colors=colors)
    save_text(world.files / "proofs" / "from_the_printer.txt", "Six proofs, photographed on the light table.\n")
