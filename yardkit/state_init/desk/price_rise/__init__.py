"""A supplier's new prices, with and without tax, a list that holds no more, and products that are on sale."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, get_args

from yardkit.apps.shop import Product
from yardkit.apps.store import Store
from yardkit.state_init.cast import Supplier, get_stream
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.company.hours import at_work
from yardkit.state_init.company.letters import Letter
from yardkit.state_init.company.note_pages import build_grid, open_notebook, parts_of
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.notes_texts import make_part
from yardkit.state_init.desk.price_rise.price_lists import (
    Priced,
    Trap,
    goods_of_a_supplier,
    model_of,
    put_on_sale,
    recommend_price,
    save_list,
)
from yardkit.state_init.material import take_out
from yardkit.state_init.names import ascii_of
from yardkit.world import World

HEAD = ("SKU", "Old", "New", "From")
DAY = timedelta(days=1)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill shop, notes, mailbox and the folder of lists; the facts say what is right."""
    desk, now = Desk.open_filled(world, orders=280), world.now
    with desk.shop_opened() as store:
        supplier, goods = goods_of_a_supplier(desk.cast.suppliers[2:], store)
        prices = _make_prices(rng, store, goods)
        others = [product for product in store.find(Product, "price_cents IS NOT NULL") if product not in goods]
    issued_at, older = now - 6 * DAY, now - 17 * DAY
    word, by = ascii_of(supplier.company.name), supplier.contacts[0]
    strange = [
        (
            f"{priced.product.sku.partition('-')[0]}-{rng.randint(700, 990)}",
            priced.product.name,
            priced.recommended_cents,
            priced.with_tax,
        )
        for priced in rng.sample(prices, 3)
    ]
    lists = {
        issued_at: [(priced.product.sku, priced.product.name, priced.listed, priced.with_tax) for priced in prices],
        older: [
            (priced.product.sku, priced.product.name, _choose_outdated_price(rng, priced), priced.with_tax)
            for priced in prices
        ],
    }
    for day, rows in lists.items():
        path = world.files / f"price_lists/{word}_{day:%Y-%m-%d}.xlsx"
        save_list(path, f"Recommended prices {day:%d %B %Y}", sorted([*rows, *strange]), day, by.name)
    page, title = _fill_notes(desk, rng, supplier, goods, others)
    desk.fill_mailbox(*_write_letters(desk, supplier, prices, issued_at, older))
    changed = [priced for priced in prices if priced.new != priced.old]
    at_once = [priced for priced in changed if priced.get_start(now) == str(now.date())]
    traps = {priced.trap: priced for priced in prices if priced.trap}
    return {
        "prompt": {"supplier": supplier.name},
        "owner": desk.cast.owner.email,
        "parent": page,
        "title": title,
        "prices": [
            {"id": priced.product.id, "price_cents": priced.new if priced in at_once else priced.old}
            for priced in prices
        ],
        "changed": [priced.product.id for priced in at_once],
        "rows": [[priced.product.sku, priced.old / 100, priced.new / 100, priced.get_start(now)] for priced in changed],
        **{trap: priced.product.id for trap, priced in traps.items()},
    }


def _make_prices(rng: random.Random, store: Store, goods: Sequence[Product]) -> list[Priced]:
    """What the list says of each product; each trap is set once."""
    models = sorted({model_of(product) for product in goods})
    taxed = {model: place % 2 == 0 for place, model in enumerate(rng.sample(models, len(models)))}
    taxed |= {f"{model}B": not taxed[model] for model in models if f"{model}B" in taxed}
    traps = [trap for trap in get_args(Trap) if trap not in ("", "successor")]
    newer = next((product for product in goods if model_of(product).endswith("B")), goods[0])
    rest = rng.sample([product for product in goods if product is not newer], len(goods) - 1)
    new_prices = []
    for old, trap in zip((newer, *rest), ("successor", *traps, *("" for _ in goods)), strict=False):
        days = {"on_sale": (-9, 11), "on_sale_too": (-3, 25), "sale_later": (8, 22)}.get(trap)
        product = put_on_sale(old, store.now, *days) if days else old
        product = store.put(replace(product, status="private") if trap == "hidden" else product)
        new_prices.append(recommend_price(rng, product, with_tax=taxed[model_of(product)], trap=trap))
    return new_prices


def _choose_outdated_price(rng: random.Random, priced: Priced) -> int:
    """What the older list says."""
    return (
        round(priced.recommended_cents * 1.15)
        if priced.trap == "outdated" or rng.random() < 0.3
        else priced.recommended_cents
    )


def _fill_notes(
    desk: Desk, rng: random.Random, supplier: Supplier, goods: Sequence[Product], others: Sequence[Product]
) -> tuple[int, str]:
    """The rules and earlier change notes among all notes: the page in which those stand, and the new one's title."""
    world, by = desk.world, desk.cast.find_head("Sales").email
    pages = fill_notes(world, desk.cast, get_stream(world, "notes"), desk.stories, minutes=14, tasks=30).pages
    with open_notebook(world) as book:
        shop, begun = pages["Shop"], world.now - 700 * DAY
        book.add_page("Price lists of suppliers", shop, begun, by, parts_of(take_out(world, "rules.md")))
        above = book.add_page("Price changes", shop, begun, by, [make_part("paragraph", "One page for each list.")])
        for firm, products, days in ((supplier, goods, 224), (desk.cast.suppliers[0], others, 98)):
            at = world.now - days * DAY
            rows = [
                (
                    product.sku,
                    f"{product.price_cents / 100 * 0.95 // 1 + 0.9:.2f}",
                    f"{product.price_cents / 100:.2f}",
                    f"{at:%Y-%m-%d}",
                )
                for product in sorted(rng.sample(products, 5), key=lambda sort_product: sort_product.sku)
                if product.price_cents
            ]
            source_note = make_part("paragraph", f"From the list of {firm.name}.")
            book.add_page(
                f"Price change {at:%Y-%m-%d}, {firm.name}", above.id, at, by, [source_note, build_grid(HEAD, *rows)]
            )
        return above.id, f"Price change {world.now:%Y-%m-%d}, {supplier.name}"


def _write_letters(
    desk: Desk, supplier: Supplier, prices: Sequence[Priced], issued_at: datetime, older: datetime
) -> Iterator[Letter]:
    """What came with the lists, and the price that was mended."""
    by, rng = supplier.contacts[0], get_stream(desk.world, "price letters")
    corrected_price = next(priced for priced in prices if priced.trap == "mended")
    taxed = "tax included" if corrected_price.with_tax else "without tax"
    letter_text = (
        (older, f"our new recommended prices are in the list of {older:%d %B %Y}. You may take them over at once."),
        (
            issued_at,
            f"please take our list of {issued_at:%d %B %Y}. That of {older:%d %B} had errors and holds no more.",
        ),
        (
            issued_at + 3 * DAY,
            f"one price in our list of {issued_at:%d %B} is wrong: that of {corrected_price.product.sku}. It is EUR "
            f"{corrected_price.recommended_cents / 100:,.2f}, {taxed}. All others hold.",
        ),
    )
    for at, text in letter_text:
        moment = at_work(rng, at.date(), by.time_zone)
        yield desk.letter(f"prices/{at:%m%d}", by, "Recommended prices", text, moment)
