"""Shelves that were counted on a Friday, in pieces and in cases, and a shop that has sold some of what stands there."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from yardkit.apps.shop import Order, OrderLine, Product
from yardkit.apps.store import Store
from yardkit.state_init.cast import get_stream
from yardkit.state_init.company.desk import Desk
from yardkit.state_init.company.note_pages import open_notebook, parts_of
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.desk.stock_count.shelf_counts import Line, Trap, letters_after, save_count, units_on_shelves
from yardkit.state_init.material import take_out
from yardkit.world import World

COUNTED = datetime(2026, 4, 17, 18, tzinfo=UTC)
"""When the count ended."""
IN_CASES = ("MUG", "BTL", "GLV")
"""Families that are counted in cases and loose pieces."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill shop, notes, mailbox and the workbook of the count; the facts say what is right."""
    desk = Desk.open_filled(world, orders=560)
    sizes = {prefix: rng.choice((6, 12)) for prefix in IN_CASES} | {rng.choice(IN_CASES): 6}
    with desk.shop_opened() as store:
        late = _send_some(store, rng)
        lines = _choose_lines(store, rng, sizes, late)
    staff = rng.sample([colleague for colleague in desk.cast.colleagues if colleague.department == "Operations"][1:], 2)
    *counted, blocked = lines
    save_count(world.files / "count/2026-04-17.xlsx", rng, lines, staff, COUNTED)
    _fill_notes(desk, sizes)
    traps: dict[Trap, Line] = {line.trap: line for line in lines if line.trap}
    head = desk.cast.find_head("Operations")
    desk.fill_mailbox(*letters_after(desk, rng, traps, staff, COUNTED))
    return {
        "prompt": {"head": head.name},
        "owner": desk.cast.owner.email,
        "head": head.email,
        "other": staff[0].email,
        "stock": [{"id": line.product.id, "stock": line.right, "stock_status": line.status} for line in counted],
        "listed": [
            [line.product.sku, line.stated_stock, line.right, line.right - line.stated_stock]
            for line in counted
            if line.listed
        ],
        "unlisted": [line.product.sku for line in lines if line is blocked or not line.listed],
        **{name: line.product.id for name, line in traps.items()},
        "exactly_sku": traps["exactly"].product.sku,
    }


def _send_some(store: Store, rng: random.Random) -> list[Order]:
    """Some orders left on the Saturday after the count."""
    days = [(COUNTED - timedelta(days=days)).isoformat() for days in (13, 1)]
    orders = store.find(Order, "status = 'processing' AND created BETWEEN ? AND ?", days)
    late = []
    for place, order in enumerate(rng.sample(orders, min(4, len(orders)))):
        at = (COUNTED + timedelta(hours=15, minutes=11 * place)).isoformat()
        late.append(store.put(replace(order, status="completed", completed=at, modified=at)))
    return late


def _choose_lines(store: Store, rng: random.Random, sizes: Mapping[str, int], late: Sequence[Order]) -> list[Line]:
    """The products of some families with what was counted; the last one was not, since its shelf was blocked."""
    sold = units_on_shelves(store, COUNTED)
    goods = [product for product in store.find(Product, "stock IS NOT NULL") if product.status == "publish"]
    sent = [line for order in late for line in store.find(OrderLine, "order_id = ?", [order.id])]
    families = sorted({_get_family(product.sku) for product in goods} - {*sizes})
    with_sent = sorted({_get_family(line.sku) for line in sent} & {*families})[:3]
    chosen = [
        *sizes,
        *with_sent,
        *rng.sample([family_code for family_code in families if family_code not in with_sent], 4),
    ]
    lines = [
        _make_line(rng, product, sold[product.id], sizes) for product in goods if _get_family(product.sku) in chosen
    ]
    rng.shuffle(lines)
    single_lines, late_ids = (
        [line for line in lines if line.case == 1],
        {line.variant_id or line.product_id for line in sent},
    )
    _set_first_trap(single_lines, lambda line: line.product.id in late_ids, "late")
    _set_first_trap(
        single_lines,
        lambda line: line.pieces > 10 and line.pieces % 10 > line.pieces // 10 > 0 and line.pieces < 100,
        "corrected",
    )
    usual: tuple[Trap, ...] = ("recounted", "two_shelves", "came", "came_before", "exactly", "none", "blocked")
    for trap in usual:
        _set_first_trap(single_lines, lambda line: line.pieces > 9 and line.stated_stock > 9, trap)
    _set_first_trap([line for line in lines if line.case > 1], lambda line: line.pieces > 2 * line.case, "in_cases")
    for line in lines:
        _set_trap(store, rng, line)
    places = sorted({_get_family(line.product.sku) for line in lines})
    for number, line in enumerate(sorted(lines, key=lambda line: line.product.sku)):
        line.shelf = f"{'ABCDEFGHIJKLM'[places.index(_get_family(line.product.sku)) // 3]}-{number + 1:02d}"
    return sorted(lines, key=lambda line: line.trap == "blocked")


def _set_trap(store: Store, rng: random.Random, line: Line) -> None:
    """What a trap makes of a line, and of the stock in the shop."""
    if line.trap in ("exactly", "none"):
        line.stated_stock, line.right = (40, 38) if line.trap == "exactly" else (0, rng.randint(2, 4))
    elif line.trap == "came":
        line.came = rng.choice((12, 24, 30))
        line.stated_stock, line.right = line.stated_stock + line.came, line.right + line.came
    store.put(
        replace(line.product, stock=line.stated_stock, stock_status="instock" if line.stated_stock else "outofstock")
    )


def _set_first_trap(lines: Sequence[Line], fits: Callable[[Line], bool], trap: Trap) -> None:
    next(line for line in lines if not line.trap and fits(line)).trap = trap


def _get_family(sku: str) -> str:
    return sku.partition("-")[0]


def _make_line(rng: random.Random, product: Product, sold: int, sizes: Mapping[str, int]) -> Line:
    """A product with a difference, or without."""
    stock_level = product.stock or 0
    off = rng.choices((0, rng.choice((-1, 1)), rng.choice((-9, -7, -4, -3, 3, 4, 6, 8))), (50, 15, 35))[0]
    return Line(product, stock_level, max(stock_level + off, 0), sold, sizes.get(_get_family(product.sku), 1))


def _fill_notes(desk: Desk, sizes: Mapping[str, int]) -> None:
    """The page on counts among all notes, and how it was before the cases were others."""
    world, cast = desk.world, desk.cast
    pages = fill_notes(world, cast, get_stream(world, "notes"), desk.stories, minutes=14, tasks=30).pages
    names = {"MUG": "mugs", "BTL": "bottles", "GLV": "gloves (pairs)"}
    cases = "; ".join(f"of {names[prefix]} ({prefix}) it has {size}" for prefix, size in sizes.items())
    text, head = take_out(world, "counts.md"), cast.find_head("Operations").email
    now, before = (parts_of(text.format(cases=case_text)) for case_text in (cases, "it has 10, whatever is in it"))
    with open_notebook(world) as book:
        page = book.add_page("Stock counts", pages["Shop"], world.now - timedelta(days=410), head, now)
        book.add_older_page(page, world.now - timedelta(days=95), head, before)
