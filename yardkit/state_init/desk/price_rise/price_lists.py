"""Prices that suppliers recommend: their lists, and what becomes of them in a shop without tax."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Literal

from yardkit.apps.shop import Product
from yardkit.apps.shop_sums import on_sale
from yardkit.apps.store import Store
from yardkit.state_init.company.trade import Supplier
from yardkit.state_init.workbooks import make_single_sheet

Trap = Literal[
    "", "on_sale", "on_sale_too", "sale_later", "lower", "mended", "outdated", "exactly", "successor", "hidden"
]
"""What is odd about a price: the product is on sale, or will be; the price would fall; a mail mends it; an older list
has another one; it needs no rounding; another SKU is nearly the same; customers do not see the product."""
TAX = Fraction(6, 5)


@dataclass
class Priced:
    """A product with what a list says of it.

    Attributes:
        recommended_cents: the recommended price in cents, with tax or without.
        listed: the same as it stands in the list that holds, where a mail mends it.
    """

    product: Product
    recommended_cents: int
    with_tax: bool
    trap: Trap = ""
    listed: int = 0

    @property
    def old(self) -> int:
        return self.product.price_cents or 0

    @property
    def new(self) -> int:
        """The regular price that follows, in cents."""
        return max(self.old, price_after(self.recommended_cents, with_tax=self.with_tax))

    def get_start(self, now: datetime) -> str:
        """The day on which the new price is there: today, or when the sale is over."""
        return str(self.product.sale_until if on_sale(self.product, now) else now.isoformat())[:10]


def model_of(product: Product) -> str:
    """The SKU without its variant."""
    return "-".join(product.sku.split("-")[:2])


def goods_of_a_supplier(suppliers: Sequence[Supplier], store: Store) -> tuple[Supplier, list[Product]]:
    """The one of most products, some of which have a successor of nearly the same SKU, with what can be sold."""
    products_by_id = {product.id: product for product in store.find(Product)}
    sold = [product for product in products_by_id.values() if product.price_cents is not None]

    def of(number: str) -> list[Product]:
        return [
            product
            for product in sold
            if products_by_id[product.parent_id or product.id].meta.get("supplier") == number
        ]

    def worth(supplier: Supplier) -> tuple[bool, int]:
        families = {product.sku.split("-")[1] for product in of(supplier.number)}
        return any(f"{name}B" in families for name in families), len(of(supplier.number))

    best = max(suppliers, key=worth)
    return best, of(best.number)


def price_after(recommended_cents: int, *, with_tax: bool) -> int:
    """A recommended price without its tax, rounded up to one that ends in 90; all in cents."""
    net = recommended_cents / TAX if with_tax else Fraction(recommended_cents)
    return math.ceil((net - 90) / 100) * 100 + 90


def recommend_price(rng: random.Random, product: Product, *, with_tax: bool, trap: Trap = "") -> Priced:
    """A price that is some per cent higher than it was, or lower."""
    factor = rng.uniform(0.9, 0.94) if trap == "lower" else rng.uniform(1.03, 1.12)
    target = math.ceil(((product.price_cents or 0) * factor - 90) / 100) * 100 + 90
    net = target if trap == "exactly" else target - rng.randint(8, 92)
    recommended_cents = int(net * TAX) if with_tax else net
    corrected_cents = round(recommended_cents * 1.1) if trap == "mended" else recommended_cents
    return Priced(product, recommended_cents, with_tax, trap, corrected_cents)


def put_on_sale(product: Product, now: datetime, begins: int, ends: int) -> Product:
    """A product with a lower price for some days, counted from today."""
    midnight = now.replace(hour=0, minute=0)
    first, last = ((midnight + timedelta(days=days)).isoformat() for days in (begins, ends))
    return replace(
        product, sale_price_cents=(product.price_cents or 0) * 85 // 1000 * 10, sale_from=first, sale_until=last
    )


def save_list(
    path: Path, title: str, prices: Sequence[tuple[str, str, int, bool]], created_at: datetime, author: str
) -> None:
    """A list as a workbook: SKU, item, price in cents, whether tax is within."""
    head = ("SKU", "Item", "Recommended price EUR", "Tax 20 %")
    rows = [(sku, name, cents / 100, "included" if taxed else "excluded") for sku, name, cents, taxed in prices]
    make_single_sheet("Prices", [head, *rows], created_at, title=title, author=author, formats={2: "#,##0.00"}).save(
        path
    )
