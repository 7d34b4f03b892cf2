"""A supplier's new prices, with and without tax, a list that holds no more, and products that are on sale."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, get_args

from yardkit.apps.shop import Product
from yardkit.apps.store import Store
from yardkit.state_init.cast import Supplier, stream
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.company.hours import at_work
from yardkit.state_init.company.letters import Letter
from yardkit.state_init.company.note_pages import grid, notebook, parts_of
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.notes_texts import part
from yardkit.state_init.company.price_lists import (
    Priced,
    Trap,
    goods_of_a_supplier,
    model_of,
    put_on_sale,
    recommend,
    save_list,
)
from yardkit.state_init.material import take_out
from yardkit.state_init.names import ascii_of
from yardkit.world import World

HEAD = ("SKU", "Old", "New", "From")
DAY = timedelta(days=1)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill shop, notes, mailbox and the folder of lists; the facts say what is right."""
    desk, now = Desk.of(world, orders=280), world.now
    with desk.shop_opened() as store:
        supplier, goods = goods_of_a_supplier(desk.cast.suppliers[2:], store)
        prices = _prices(rng, store, goods)
        others = [one for one in store.find(Product, "price_cents IS NOT NULL") if one not in goods]
    made, older = now - 6 * DAY, now - 17 * DAY
    word, by = ascii_of(supplier.company.name), supplier.contacts[0]
    strange = [
        (f"{one.product.sku.partition('-')[0]}-{rng.randint(700, 990)}", one.product.name, one.told, one.with_tax)
        for one in rng.sample(prices, 3)
    ]
    lists = {
        made: [(one.product.sku, one.product.name, one.listed, one.with_tax) for one in prices],
        older: [(one.product.sku, one.product.name, _outdated(rng, one), one.with_tax) for one in prices],
    }
    for day, rows in lists.items():
        path = world.files / f"price_lists/{word}_{day:%Y-%m-%d}.xlsx"
        save_list(path, f"Recommended prices {day:%d %B %Y}", sorted([*rows, *strange]), day, by.name)
    page, title = _fill_notes(desk, rng, supplier, goods, others)
    desk.fill_mailbox(*_letters(desk, supplier, prices, made, older))
    changed = [one for one in prices if one.new != one.old]
    at_once = [one for one in changed if one.starts(now) == str(now.date())]
    traps = {one.trap: one for one in prices if one.trap}
    return {
        "prompt": {"supplier": supplier.name}, "owner": desk.cast.owner.email, "parent": page, "title": title,
        "prices": [{"id": one.product.id, "price_cents": one.new if one in at_once else one.old} for one in prices],
        "changed": [one.product.id for one in at_once],
        "rows": [[one.product.sku, one.old / 100, one.new / 100, one.starts(now)] for one in changed],
        **{trap: one.product.id for trap, one in traps.items()},
    }  # fmt: skip


def _prices(rng: random.Random, store: Store, goods: Sequence[Product]) -> list[Priced]:
    """What the list says of each product; each trap is set once."""
    models = sorted({model_of(one) for one in goods})
    taxed = {model: place % 2 == 0 for place, model in enumerate(rng.sample(models, len(models)))}
    taxed |= {f"{model}B": not taxed[model] for model in models if f"{model}B" in taxed}
    traps = [trap for trap in get_args(Trap) if trap not in ("", "successor")]
    newer = next((one for one in goods if model_of(one).endswith("B")), goods[0])
    rest = rng.sample([one for one in goods if one is not newer], len(goods) - 1)
    made = []
    for old, trap in zip((newer, *rest), ("successor", *traps, *("" for _ in goods)), strict=False):
        days = {"on_sale": (-9, 11), "on_sale_too": (-3, 25), "sale_later": (8, 22)}.get(trap)
        product = put_on_sale(old, store.now, *days) if days else old
        product = store.put(replace(product, status="private") if trap == "hidden" else product)
        made.append(recommend(rng, product, with_tax=taxed[model_of(product)], trap=trap))
    return made


def _outdated(rng: random.Random, one: Priced) -> int:
    """What the older list says."""
    return round(one.told * 1.15) if one.trap == "outdated" or rng.random() < 0.3 else one.told


def _fill_notes(
    desk: Desk, rng: random.Random, supplier: Supplier, goods: Sequence[Product], others: Sequence[Product]
) -> tuple[int, str]:
    """The rules and earlier change notes among all notes: the page in which those stand, and the new one's title."""
    world, by = desk.world, desk.cast.head("Sales").email
    pages = fill_notes(world, desk.cast, stream(world, "notes"), desk.stories, minutes=14, tasks=30).pages
    with notebook(world) as book:
        shop, begun = pages["Shop"], world.now - 700 * DAY
        book.page("Price lists of suppliers", shop, begun, by, parts_of(take_out(world, "rules.md")))
        above = book.page("Price changes", shop, begun, by, [part("paragraph", "One page for each list.")])
        for firm, products, days in ((supplier, goods, 224), (desk.cast.suppliers[0], others, 98)):
            at = world.now - days * DAY
            rows = [
                (
                    one.sku,
                    f"{one.price_cents / 100 * 0.95 // 1 + 0.9:.2f}",
                    f"{one.price_cents / 100:.2f}",
                    f"{at:%Y-%m-%d}",
                )
                for one in sorted(rng.sample(products, 5), key=lambda one: one.sku)
                if one.price_cents
            ]
            said = part("paragraph", f"From the list of {firm.name}.")
            book.page(f"Price change {at:%Y-%m-%d}, {firm.name}", above.id, at, by, [said, grid(HEAD, *rows)])
        return above.id, f"Price change {world.now:%Y-%m-%d}, {supplier.name}"


def _letters(
    desk: Desk, supplier: Supplier, prices: Sequence[Priced], made: datetime, older: datetime
) -> Iterator[Letter]:
    """What came with the lists, and the price that was mended."""
    by, rng = supplier.contacts[0], stream(desk.world, "price letters")
    mended = next(one for one in prices if one.trap == "mended")
    taxed = "tax included" if mended.with_tax else "without tax"
    told = (
        (older, f"our new recommended prices are in the list of {older:%d %B %Y}. You may take them over at once."),
        (made, f"please take our list of {made:%d %B %Y}. That of {older:%d %B} had errors and holds no more."),
        (
            made + 3 * DAY,
            f"one price in our list of {made:%d %B} is wrong: that of {mended.product.sku}. It is EUR "
            f"{mended.told / 100:,.2f}, {taxed}. All others hold.",
        ),
    )
    for at, text in told:
        moment = at_work(rng, at.date(), by.time_zone)
        yield desk.letter(f"prices/{at:%m%d}", by, "Recommended prices", text, moment)
