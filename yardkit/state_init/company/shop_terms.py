"""The terms of a seeded shop: taxes, ways of shipping and paying, coupons."""

import random
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Literal

from yardkit.apps.shop import Coupon, Gateway, Settings, ShippingMethod, ShippingZone, TaxRate, Webhook
from yardkit.apps.store import Store
from yardkit.state_init.company.cast import Cast

_PERCENTS = {"AT": 20, "BE": 21, "CZ": 21, "DE": 19, "DK": 25, "ES": 21, "FI": 25.5, "FR": 20, "IE": 23, "IT": 22,
             "NL": 21, "PL": 23, "PT": 23}  # fmt: skip
"""Standard rates of value added tax in 2026, in percent."""


def put_terms(store: Store, cast: Cast, *, tax_by_country: bool) -> None:
    """Settings, taxes, ways of shipping and of paying, webhooks."""
    home = cast.offices[0].country_code
    url = f"https://shop.{cast.domain}"
    store.put(Settings(1, cast.company.name, url, cast.currency, home, prices_include_tax=False))
    abroad = {country: float(percent) for country, percent in _PERCENTS.items() if country != home}
    percents = {home: 20.0, **abroad} if tax_by_country else {"": 20.0}
    for number, (country, percent) in enumerate(percents.items(), 1):
        store.put(TaxRate(number, country, percent, f"VAT {country}".strip()))
    store.put(TaxRate(len(percents) + 1, home, 10.0, f"Reduced VAT {home}", "reduced-rate"))
    zones: tuple[tuple[str, list[str]], ...] = (
        ("Home", [home]),
        ("European Union", sorted(abroad)),
        ("Everywhere else", []),
    )
    for number, (name, countries) in enumerate(zones, 1):
        store.put(ShippingZone(number, name, number, countries))
    methods = (
        (1, "flat_rate", "Parcel", 590, 0), (1, "free_shipping", "Free parcel", 0, 15_000),
        (1, "local_pickup", f"Fetch it in {cast.offices[0].city}", 0, 0), (2, "flat_rate", "Parcel abroad", 1_290, 0),
        (2, "flat_rate", "Express abroad", 2_490, 0), (3, "flat_rate", "Air parcel", 3_990, 0),
    )  # fmt: skip
    for number, (zone, kind, title, cost, minimum) in enumerate(methods, 1):
        store.put(ShippingMethod(number, zone, kind, title, cost, minimum, position=number))
    gateways = (
        ("bacs", "Bank transfer", "Pay within 14 days.", True), ("paypal", "PayPal", "Pay with PayPal.", True),
        ("card", "Card", "Pay by card.", True), ("cod", "Cash on delivery", "Pay when it comes.", False),
        ("cheque", "Cheque", "Send a cheque.", False),
    )  # fmt: skip
    for position, (key, title, description, enabled) in enumerate(gateways):
        store.put(Gateway(key, title, description, enabled, position))
    at = (store.now - timedelta(days=400)).isoformat()
    hooks = (
        ("Orders to the ledger", "order.created", "ledger"),
        ("Stock to the old depot", "product.updated", "depot"),
    )
    for number, (name, topic, host) in enumerate(hooks, 1):
        status: Literal["active", "disabled"] = "active" if number == 1 else "disabled"
        store.put(Webhook(number, name, topic, f"https://{host}.{cast.domain}/in", status, at))


def put_coupons(store: Store, rng: random.Random) -> list[Coupon]:
    """Codes that hold, have expired or are used up, some nearly alike, and the discounts of contracts."""
    now = store.now

    def day(offset: int) -> str:
        return datetime.combine(now.date() + timedelta(days=offset), time(), now.tzinfo).isoformat()

    def coupon(number: int, code: str, description: str, expires: int | None, limit: int | None = None) -> Coupon:
        at = day(-rng.randint(380, 420))
        return Coupon(
            number, code, "percent", at, at, description=description, usage_limit=limit,
            expires=None if expires is None else day(expires),
        )  # fmt: skip

    coupons = [
        replace(coupon(1, "welcome10", "First order", None), percent=10, usage_limit_per_user=1),
        replace(coupon(2, "welcome15", "First order, until summer", -200), percent=15, usage_limit_per_user=1),
        replace(coupon(3, "spring26", "Spring", 45), percent=12.5, minimum_cents=5_000),
        replace(coupon(4, "spring25", "Spring of last year", -290), percent=12.5, minimum_cents=5_000),
        replace(coupon(5, "sorry20", "For late parcels", None), kind="fixed_cart", amount_cents=2_000),
        replace(coupon(6, "sorry5", "For small mistakes", None), kind="fixed_cart", amount_cents=500),
        replace(coupon(7, "seat25", "Off each seat", 80), kind="fixed_product", amount_cents=2_500, category_ids=[12]),
        replace(coupon(8, "freeparcel", "No shipping", 10), free_shipping=True),
        replace(coupon(9, "staff30", "For colleagues", None), percent=30),
        replace(coupon(10, "fair2025", "At the fair", -120, 50), percent=20),
    ]
    for percent in (3, 5, 10):
        description = f"By contract, {percent} % off each order"
        coupons.append(replace(coupon(len(coupons) + 1, f"contract{percent}", description, None), percent=percent))
    for coupon_entry in coupons:
        store.put(coupon_entry)
    return coupons
