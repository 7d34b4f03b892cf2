"""Shelves that were counted on a Friday, in pieces and in cases, and a shop that has sold some of what stands there."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from yardkit.apps.shop import Order, OrderLine, Product
from yardkit.apps.store import Store
from yardkit.state_init.cast import stream
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.company.note_pages import notebook, parts_of
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.shelf_counts import Line, Trap, letters_after, save_count, units_on_shelves
from yardkit.state_init.material import take_out
from yardkit.world import World

COUNTED = datetime(2026, 4, 17, 18, tzinfo=UTC)
"""When the count ended."""
IN_CASES = ("MUG", "BTL", "GLV")
"""Families that are counted in cases and loose pieces."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill shop, notes, mailbox and the workbook of the count; the facts say what is right."""
    desk = Desk.of(world, orders=560)
    sizes = {prefix: rng.choice((6, 12)) for prefix in IN_CASES} | {rng.choice(IN_CASES): 6}
    with desk.shop_opened() as store:
        late = _send_some(store, rng)
        lines = _choose(store, rng, sizes, late)
    staff = rng.sample([one for one in desk.cast.colleagues if one.department == "Operations"][1:], 2)
    *counted, blocked = lines
    save_count(world.files / "count/2026-04-17.xlsx", rng, lines, staff, COUNTED)
    _fill_notes(desk, sizes)
    traps: dict[Trap, Line] = {one.trap: one for one in lines if one.trap}
    head = desk.cast.head("Operations")
    desk.fill_mailbox(*letters_after(desk, rng, traps, staff, COUNTED))
    return {
        "prompt": {"head": head.name}, "owner": desk.cast.owner.email, "head": head.email, "other": staff[0].email,
        "stock": [{"id": one.product.id, "stock": one.right, "stock_status": one.status} for one in counted],
        "listed": [[one.product.sku, one.said, one.right, one.right - one.said] for one in counted if one.listed],
        "unlisted": [one.product.sku for one in lines if one is blocked or not one.listed],
        **{name: one.product.id for name, one in traps.items()}, "exactly_sku": traps["exactly"].product.sku,
    }  # fmt: skip


def _send_some(store: Store, rng: random.Random) -> list[Order]:
    """Some orders left on the Saturday after the count."""
    days = [(COUNTED - timedelta(days=days)).isoformat() for days in (13, 1)]
    found = store.find(Order, "status = 'processing' AND created BETWEEN ? AND ?", days)
    late = []
    for place, order in enumerate(rng.sample(found, min(4, len(found)))):
        at = (COUNTED + timedelta(hours=15, minutes=11 * place)).isoformat()
        late.append(store.put(replace(order, status="completed", completed=at, modified=at)))
    return late


def _choose(store: Store, rng: random.Random, sizes: Mapping[str, int], late: Sequence[Order]) -> list[Line]:
    """The products of some families with what was counted; the last one was not, since its shelf was blocked."""
    sold = units_on_shelves(store, COUNTED)
    goods = [one for one in store.find(Product, "stock IS NOT NULL") if one.status == "publish"]
    sent = [line for order in late for line in store.find(OrderLine, "order_id = ?", [order.id])]
    families = sorted({_family(one.sku) for one in goods} - {*sizes})
    with_sent = sorted({_family(line.sku) for line in sent} & {*families})[:3]
    chosen = [*sizes, *with_sent, *rng.sample([one for one in families if one not in with_sent], 4)]
    lines = [_line(rng, one, sold[one.id], sizes) for one in goods if _family(one.sku) in chosen]
    rng.shuffle(lines)
    plain, late_ids = [one for one in lines if one.case == 1], {line.variant_id or line.product_id for line in sent}
    _first(plain, lambda one: one.product.id in late_ids, "late")
    _first(
        plain, lambda one: one.pieces > 10 and one.pieces % 10 > one.pieces // 10 > 0 and one.pieces < 100, "corrected"
    )
    usual: tuple[Trap, ...] = ("recounted", "two_shelves", "came", "came_before", "exactly", "none", "blocked")
    for trap in usual:
        _first(plain, lambda one: one.pieces > 9 and one.said > 9, trap)
    _first([one for one in lines if one.case > 1], lambda one: one.pieces > 2 * one.case, "in_cases")
    for one in lines:
        _set(store, rng, one)
    places = sorted({_family(one.product.sku) for one in lines})
    for number, one in enumerate(sorted(lines, key=lambda one: one.product.sku)):
        one.shelf = f"{'ABCDEFGHIJKLM'[places.index(_family(one.product.sku)) // 3]}-{number + 1:02d}"
    return sorted(lines, key=lambda one: one.trap == "blocked")


def _set(store: Store, rng: random.Random, one: Line) -> None:
    """What a trap makes of a line, and of the stock in the shop."""
    if one.trap in ("exactly", "none"):
        one.said, one.right = (40, 38) if one.trap == "exactly" else (0, rng.randint(2, 4))
    elif one.trap == "came":
        one.came = rng.choice((12, 24, 30))
        one.said, one.right = one.said + one.came, one.right + one.came
    store.put(replace(one.product, stock=one.said, stock_status="instock" if one.said else "outofstock"))


def _first(lines: Sequence[Line], fits: Callable[[Line], bool], trap: Trap) -> None:
    next(one for one in lines if not one.trap and fits(one)).trap = trap


def _family(sku: str) -> str:
    return sku.partition("-")[0]


def _line(rng: random.Random, product: Product, sold: int, sizes: Mapping[str, int]) -> Line:
    """A product with a difference, or without."""
    said = product.stock or 0
    off = rng.choices((0, rng.choice((-1, 1)), rng.choice((-9, -7, -4, -3, 3, 4, 6, 8))), (50, 15, 35))[0]
    return Line(product, said, max(said + off, 0), sold, sizes.get(_family(product.sku), 1))


def _fill_notes(desk: Desk, sizes: Mapping[str, int]) -> None:
    """The page on counts among all notes, and how it was before the cases were others."""
    world, cast = desk.world, desk.cast
    pages = fill_notes(world, cast, stream(world, "notes"), desk.stories, minutes=14, tasks=30).pages
    names = {"MUG": "mugs", "BTL": "bottles", "GLV": "gloves (pairs)"}
    cases = "; ".join(f"of {names[prefix]} ({prefix}) it has {size}" for prefix, size in sizes.items())
    text, head = take_out(world, "counts.md"), cast.head("Operations").email
    now, before = (parts_of(text.format(cases=said)) for said in (cases, "it has 10, whatever is in it"))
    with notebook(world) as book:
        page = book.page("Stock counts", pages["Shop"], world.now - timedelta(days=410), head, now)
        book.older(page, world.now - timedelta(days=95), head, before)
