"""What a seeded company sells: products with SKUs, variants, prices, and models that are easily mixed up."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

COLOURS = ("black", "white", "grey", "oak", "navy", "sage", "brick", "sand")
SIZES = ("S", "M", "L", "XL")
_VOLUMES = ("0.5 l", "0.75 l", "1 l")
_OPTIONS = {"colour": COLOURS, "size": SIZES, "volume": _VOLUMES}


@dataclass(frozen=True)
class Variant:
    """A product in one colour or size. option: what is chosen, such as ``colour``; price: in minor units."""

    sku: str
    option: str
    value: str
    price: int
    stock: int


@dataclass(frozen=True)
class Product:
    """Something that is sold.

    Attributes:
        sku: such as ``LMP-20``; unique, those of variants too.
        price, cost: of one, in minor units of the company's currency, without tax: what is asked, and what is paid.
        tax_percent: what is added.
        stock: pieces, those of its variants together where it has any.
        reorder_at: pieces at which it is ordered again.
        supplier: the number of the supplier.
        introduced: since when it is sold.
        active: whether it still is.
    """

    sku: str
    name: str
    category: str
    description: str
    price: int
    cost: int
    tax_percent: int
    weight_g: int
    stock: int
    reorder_at: int
    supplier: str
    introduced: date
    active: bool
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True)
class _Family:
    prefix: str
    name: str
    category: str
    models: tuple[str, ...]
    cents: int
    grams: int
    option: str
    says: str


_FAMILIES = tuple(
    _Family(prefix, name, category, tuple(models.split()), cents, grams, option, description)
    for prefix, name, category, models, cents, grams, option, description in (
        ("LMP", "Desk lamp", "Lighting", "20 25 40", 4_900, 1_400, "colour", "dimmable, with a heavy foot"),
        ("FLR", "Floor lamp", "Lighting", "110 150", 11_900, 4_800, "colour", "with a shade of linen"),
        ("CHR", "Office chair", "Seating", "3 5 7", 18_900, 14_500, "colour", "with armrests and lumbar support"),
        ("STL", "Oak stool", "Seating", "45 65", 7_900, 4_100, "", "oiled, to be stacked"),
        ("DSK", "Sit-stand desk", "Desks", "120 140 160", 42_900, 38_000, "colour", "with a motor and four memories"),
        ("TBL", "Meeting table", "Desks", "180 240", 68_900, 52_000, "", "with a tray for cables"),
        ("ARM", "Monitor arm", "Desk equipment", "1 2 2X", 8_900, 3_200, "colour", "for screens up to 9 kg"),
        ("TRY", "Document tray", "Desk equipment", "A4 A3", 1_290, 420, "colour", "of felt and birch"),
        ("FTR", "Footrest", "Desk equipment", "10 12", 3_490, 2_100, "", "tilts from 0 to 20 degrees"),
        ("DCK", "USB-C dock", "Electronics", "8 11 14", 12_900, 380, "", "with two video outputs"),
        ("PRT", "Label printer", "Electronics", "62 102", 15_900, 1_250, "", "prints labels without ink"),
        ("HDS", "Headset", "Electronics", "310 330 350", 9_900, 210, "", "with a microphone that hears one voice"),
        ("CAB", "Filing cabinet", "Storage", "2 3 4", 21_900, 31_000, "colour", "with a lock and drawers on rails"),
        ("SHF", "Wall shelf", "Storage", "60 90 120", 5_900, 3_900, "colour", "carries 18 kg"),
        ("BOX", "Archive box", "Storage", "S L", 590, 310, "", "of board without acid, set of five"),
        ("WBD", "Whiteboard", "Meeting rooms", "90 120 180", 13_900, 9_800, "", "of enamelled steel, with a tray"),
        ("FLP", "Flip chart", "Meeting rooms", "70 75", 9_490, 11_000, "", "on wheels"),
        ("PNL", "Acoustic panel", "Meeting rooms", "4 6", 6_490, 2_700, "colour", "takes the echo out of a room"),
        ("BTL", "Insulated bottle", "Kitchen", "1 2", 2_490, 340, "volume", "keeps tea hot for eight hours"),
        ("MUG", "Stoneware mug", "Kitchen", "30 35", 1_190, 360, "colour", "for the dishwasher"),
        ("KTL", "Kettle", "Kitchen", "12 17", 4_490, 1_150, "", "stops at 70, 80 or 100 degrees"),
        ("THR", "Wool throw", "Comfort", "130 150", 5_490, 900, "colour", "of virgin wool, 130 cm wide"),
        ("CSH", "Seat cushion", "Comfort", "38 40", 2_990, 520, "colour", "with a cover that can be washed"),
        ("VST", "Work vest", "Workwear", "5 6", 3_990, 480, "size", "with nine pockets"),
        ("GLV", "Work gloves", "Workwear", "11 12", 890, 90, "size", "of nitrile and cotton, per pair"),
        ("PLT", "Plant tub", "Plants", "25 30 35", 3_290, 2_200, "colour", "shows when it wants water"),
        ("CLK", "Wall clock", "Comfort", "28 30", 3_890, 640, "colour", "without a tick"),
        ("TRL", "Serving trolley", "Kitchen", "2 3", 16_900, 12_400, "", "folds flat"),
        ("MAT", "Standing mat", "Comfort", "50 60", 4_990, 1_800, "", "for desks at which one stands"),
        ("LCK", "Locker", "Storage", "1 4", 17_900, 24_000, "colour", "opens with a code"),
    )
)  # fmt: skip
"""Models of which some differ in a digit only: 20 and 25, 2 and 2X."""


def make_products(rng: random.Random, suppliers: Sequence[str], today: date) -> tuple[Product, ...]:
    """70 of all families, and ten successors, whose SKUs end in B: nearly the same name, another price. By SKU."""
    makers = {family.prefix: rng.choice(suppliers) for family in _FAMILIES}
    base_products = [
        _make_product(rng, family, model, makers[family.prefix], today)
        for family in _FAMILIES
        for model in family.models
    ]
    successors = [_make_successor(rng, old, today) for old in rng.sample(base_products, 10)]
    return tuple(sorted([*base_products, *successors], key=lambda product: product.sku))


def _make_product(rng: random.Random, family: _Family, model: str, supplier: str, today: date) -> Product:
    step = 1 + family.models.index(model)
    price = _round_to_shop_price(family.cents * rng.uniform(0.85, 1.15) * (0.75 + 0.25 * step))
    sku = f"{family.prefix}-{model}"
    variants = _make_variants(rng, family, sku, price)
    stock = sum(variant.stock for variant in variants) or rng.randint(0, 240)
    return Product(
        *(sku, f"{family.name} {model}", family.category, f"{family.name} {family.says}."),
        *(price, round(price * rng.uniform(0.45, 0.68)), 20, round(family.grams * (0.8 + 0.2 * step)), stock),
        *(rng.choice((5, 10, 20, 25)), supplier, today - timedelta(days=rng.randint(200, 2_500)), rng.random() > 0.06),
        variants,
    )


def _make_variants(rng: random.Random, family: _Family, sku: str, price: int) -> tuple[Variant, ...]:
    if not family.option or (family.option == "colour" and rng.random() < 0.3):
        return ()
    values = _OPTIONS[family.option]
    chosen = rng.sample(values, rng.randint(2, 4)) if family.option == "colour" else list(values)
    surcharge = 0 if family.option == "colour" else round(price * 0.08 / 50) * 50
    return tuple(
        Variant(f"{sku}-{_make_code(value)}", family.option, value, price + place * surcharge, rng.randint(0, 90))
        for place, value in enumerate(chosen)
    )


def _make_successor(rng: random.Random, old: Product, today: date) -> Product:
    """The same thing once more: SKU with a B, a little dearer, newer."""
    price = _round_to_shop_price(old.price * rng.uniform(1.04, 1.12))
    variants = tuple(
        Variant(
            variant.sku.replace(old.sku, f"{old.sku}B", 1),
            variant.option,
            variant.value,
            price + variant.price - old.price,
            rng.randint(0, 60),
        )
        for variant in old.variants
    )
    stock = sum(variant.stock for variant in variants) or rng.randint(0, 120)
    introduced = today - timedelta(days=rng.randint(20, 150))
    return Product(
        *(f"{old.sku}B", f"{old.name} B", old.category, old.description, price, round(price * 0.58), old.tax_percent),
        *(old.weight_g, stock, old.reorder_at, old.supplier, introduced, True, variants),
    )


def _round_to_shop_price(cents: float) -> int:
    """A price as shops write it: it ends in 90."""
    return max(490, round(cents / 100) * 100 - 10)


def _make_code(value: str) -> str:
    """A colour or size within an SKU."""
    return value[:3].upper() if value.isalpha() else value.split()[0].replace(".", "")
