"""Coupons: they are listed and saved, and hold for an order or not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from yardkit.apps.shop import Category, Coupon, Order, OrderLine, OrderStatus, Product
from yardkit.apps.shop_sums import on_sale
from yardkit.apps.store import Store
from yardkit.kit.times import to_moment
from yardkit.servers.shop.engine.context import format_money, merged_meta, opened_shop, take_fitting
from yardkit.world import Problem, World

State = Literal["any", "usable", "expired"]
GIVES_COUPON_BACK: tuple[OrderStatus, ...] = ("cancelled", "trash")
"""An order that becomes one of these no longer counts as a use of its coupons."""


@dataclass(frozen=True)
class Coupons:
    """A page of coupons. total: all that match; next_offset: where it goes on, null at its end."""

    coupons: list[Coupon]
    total: int
    next_offset: int | None = None


def list_coupons(world: World, query: str = "", state: State = "any", offset: int = 0, limit: int = 50) -> Coupons:
    """Coupons in whose code or description each word stands, newest first."""
    with opened_shop(world) as store:
        page = store.search(Coupon, query, "code", "description", order="created DESC", limit=1_000_000)
        coupons = [
            coupon for coupon in page.items if state == "any" or _is_usable(store, coupon) == (state == "usable")
        ]
        return Coupons(*take_fitting(coupons[offset : offset + limit], len(coupons), offset))


def save_coupon(world: World, coupon_id: int | None, values: Mapping[str, Any], clear: Sequence[str] = ()) -> Coupon:
    """A new coupon, or changes to the one of this number: the fields that `values` names; those of `clear` are empty.

    Raises:
        Problem: there is none, a value does not fit, or the code is another's.
    """
    with opened_shop(world, writes=True) as store:
        last = {"expires": to_moment(store.now, values["expires"], end=True)} if values.get("expires") else {}
        return put_coupon(store, coupon_id, {**values, **last}, clear)


def put_coupon(store: Store, coupon_id: int | None, values: Mapping[str, Any], clear: Sequence[str] = ()) -> Coupon:
    """As `save_coupon`, within a transaction."""
    values = {**dict.fromkeys(clear), **values}
    if "code" in values:
        values["code"] = str(values["code"]).strip().casefold()
    if coupon_id is None:
        missing = [name for name in ("code", "kind") if not values.get(name)]
        if missing:
            raise Problem(f"a new coupon needs a {missing[0]}")
        old = Coupon(store.next_id(Coupon), values["code"], values["kind"], store.make_stamp(Coupon, "created"), "")
    else:
        old = store.get(Coupon, coupon_id)
    values["meta"] = merged_meta(old.meta, values.get("meta"))
    new = replace(old, **values, modified=store.now.isoformat())
    _require_sound(store, new)
    return store.put(new)


def coupon_of(store: Store, code: str) -> Coupon:
    """The coupon with this code, whatever its case.

    Raises:
        Problem: there is none.
    """
    coupons = store.find(Coupon, "code = ? COLLATE NOCASE AND status = 'publish'", [code.strip()])
    if not coupons:
        raise Problem(f"there is no coupon {code!r}; list_coupons shows the existing ones")
    return coupons[0]


def require_usable(store: Store, coupon: Coupon, order: Order, lines: Sequence[OrderLine]) -> None:
    """That a coupon can be used for an order.

    Raises:
        Problem: it cannot; it says why.
    """
    worth, mail = sum(line.price_cents * line.quantity for line in lines), order.billing.email.casefold()
    uses = [
        other
        for other in store.find(Order, "has_words(?, coupons)", [f'"{coupon.code}"'])
        if other.id != order.id and other.billing.email.casefold() == mail and other.status not in GIVES_COUPON_BACK
    ]
    amounts = [format_money(cents, order.currency) for cents in (worth, coupon.minimum_cents, coupon.maximum_cents)]
    reasons = {
        "it has expired": _has_expired(store, coupon),
        f"it was used {coupon.used} times, the limit": _is_used_up(coupon),
        f"{mail} used it {len(uses)} times, the limit": 0 < (coupon.usage_limit_per_user or 0) <= len(uses),
        f"the goods are worth {amounts[0]}, less than {amounts[1]}": worth < coupon.minimum_cents,
        f"the goods are worth {amounts[0]}, more than {amounts[2]}": 0 < coupon.maximum_cents < worth,
        f"it is not for {mail}": bool(coupon.emails) and mail not in map(str.casefold, coupon.emails),
        "it applies to none of the goods": not any(taken_lines(store, coupon, lines)),
    }
    violations = [reason for reason, holds in reasons.items() if holds]
    if violations:
        raise Problem(f"the coupon {coupon.code!r} cannot be used: {violations[0]}")


def require_compatible(coupons: Sequence[Coupon]) -> None:
    """That coupons can be used together.

    Raises:
        Problem: one of several is only valid by itself.
    """
    alone = [coupon.code for coupon in coupons if coupon.individual_use]
    if alone and len(coupons) > 1:
        raise Problem(f"the coupon {alone[0]!r} cannot be combined with others; use it alone, or leave it out")


def count_uses(store: Store, codes: Iterable[str], change: int) -> None:
    """Count orders that now use coupons, or no longer do; a coupon that was deleted is left out."""
    for code in codes:
        for coupon in store.find(Coupon, "code = ? COLLATE NOCASE AND status != 'trash'", [code]):
            store.change(coupon, used=max(coupon.used + change, 0))


def taken_lines(store: Store, coupon: Coupon, lines: Sequence[OrderLine]) -> list[bool]:
    """For which lines a coupon holds."""
    return [_applies_to_line(store, coupon, line) for line in lines]


def _applies_to_line(store: Store, coupon: Coupon, line: OrderLine) -> bool:
    product, sold = (
        store.find(Product, "id = ?", [product_id])
        for product_id in (line.product_id, line.variant_id or line.product_id)
    )
    ids = {line.product_id, line.variant_id}
    categories = set(product[0].category_ids) if product else set()
    return not (
        (coupon.product_ids and not ids & set(coupon.product_ids))
        or ids & set(coupon.excluded_product_ids)
        or (coupon.category_ids and not categories & set(coupon.category_ids))
        or (coupon.exclude_sale_items and sold and on_sale(sold[0], store.now))
    )


def _has_expired(store: Store, coupon: Coupon) -> bool:
    return coupon.expires is not None and coupon.expires <= store.now.isoformat()


def _is_used_up(coupon: Coupon) -> bool:
    return coupon.usage_limit is not None and coupon.used >= coupon.usage_limit > 0


def _is_usable(store: Store, coupon: Coupon) -> bool:
    return coupon.status == "publish" and not _has_expired(store, coupon) and not _is_used_up(coupon)


def _require_sound(store: Store, coupon: Coupon) -> None:
    same = store.find(Coupon, "code = ? AND id != ? AND status != 'trash'", [coupon.code, coupon.id])
    if same:
        raise Problem(f"coupon {same[0].id} already has the code {coupon.code!r}")
    if not coupon.code or not 0 <= coupon.percent <= 100 or coupon.amount_cents < 0:
        off = f"{coupon.percent} % or {coupon.amount_cents}"
        raise Problem(f"a coupon needs a code and a discount of 0 to 100 % or an amount, not {coupon.code!r} and {off}")
    if (coupon.kind == "percent") == (coupon.amount_cents > 0) and not coupon.free_shipping:
        raise Problem(
            f"a coupon of kind {coupon.kind!r} needs the discount of its kind: percent for kind percent, "
            "otherwise amount_cents"
        )
    for product in (*coupon.product_ids, *coupon.excluded_product_ids):
        store.get(Product, product)
    for category in coupon.category_ids:
        store.get(Category, category)
