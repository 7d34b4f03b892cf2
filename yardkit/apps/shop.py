"""The records of the app `shop`: products and their variants, orders with lines, customers, coupons, and its rates.

Money is in integer hundredths of the shop's currency (``_cents``). Times are ISO 8601. Products and variants share one
sequence of numbers, so that a number is unambiguous.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

APP = "shop"
HOST = "shop.example"
"""Where the browser shows the shop, besides at its own address."""
Kind = Literal["simple", "variable", "grouped", "external", "variation"]
"""Of a product; a ``variable`` one is sold as its variants, which are of kind ``variation``."""
ProductStatus = Literal["publish", "draft", "pending", "private", "trash"]
StockStatus = Literal["instock", "outofstock", "onbackorder"]
Backorders = Literal["no", "notify", "yes"]
"""Whether it is sold when none is left: not, yes and the customer is told, yes."""
OrderStatus = Literal[
    "pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed", "trash", "checkout-draft"
]
DiscountKind = Literal["percent", "fixed_cart", "fixed_product"]
ReviewStatus = Literal["approved", "hold", "spam", "trash"]
NEXT: dict[OrderStatus, tuple[OrderStatus, ...]] = {
    "checkout-draft": ("pending", "trash"),
    "pending": ("processing", "on-hold", "completed", "cancelled", "failed", "trash"),
    "on-hold": ("pending", "processing", "completed", "cancelled", "failed"),
    "processing": ("on-hold", "completed", "cancelled", "refunded"),
    "completed": ("refunded",),
    "failed": ("pending", "processing", "cancelled", "trash"),
    "cancelled": ("trash",),
    "refunded": (),
    "trash": (),
}
"""What an order may become."""
TAKES_STOCK: tuple[OrderStatus, ...] = ("processing", "on-hold", "completed")
"""An order that becomes one of these takes its goods out of the stock, once."""
GIVES_BACK: tuple[OrderStatus, ...] = ("pending", "cancelled")
"""An order that becomes one of these gives back what it took."""
SOLD: tuple[OrderStatus, ...] = ("processing", "on-hold", "completed", "refunded")
"""The orders that sales are counted of."""


@dataclass(frozen=True)
class Settings:
    """The shop's settings. low_stock: the number of units at which a product runs low."""

    id: int
    name: str
    url: str
    currency: str = "EUR"
    country: str = "DE"
    prices_include_tax: bool = True
    low_stock: int = 5
    weight_unit: str = "kg"


@dataclass(frozen=True)
class Category:
    """A category of products; parent_id: its parent category."""

    id: int
    name: str
    slug: str
    description: str = ""
    parent_id: int | None = None
    position: int = 0


@dataclass(frozen=True)
class Product:
    """A product, or a variant of one.

    Attributes:
        parent_id: the product of a variant; else null.
        price_cents: the regular price; null if it is sold as variants or has none yet.
        sale_price_cents: the price from `sale_from` to `sale_until`; null means open.
        stock: the units; null if they are not counted, and then `stock_status` is set by hand.
        options: the choices of a variable product, the chosen values of a variant, or facts of other products.
        low_stock: the number of units at which it runs low; null for the shop's default.
        meta: further values by name.
        extra: further fields under WooCommerce's names.
    """

    id: int
    name: str
    slug: str
    kind: Kind
    status: ProductStatus
    sku: str
    created: str
    modified: str
    parent_id: int | None = None
    description: str = ""
    short_description: str = ""
    price_cents: int | None = None
    sale_price_cents: int | None = None
    sale_from: str | None = None
    sale_until: str | None = None
    tax_class: str = "standard"
    stock: int | None = None
    stock_status: StockStatus = "instock"
    backorders: Backorders = "no"
    low_stock: int | None = None
    weight_kg: float | None = None
    category_ids: list[int] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    options: dict[str, list[str]] = field(default_factory=dict)
    images: list[str] = field(default_factory=list)
    upsell_ids: list[int] = field(default_factory=list)
    cross_sell_ids: list[int] = field(default_factory=list)
    grouped_ids: list[int] = field(default_factory=list)
    featured: bool = False
    meta: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Address:
    """A billing or shipping address. country: two letters of ISO 3166."""

    first_name: str = ""
    last_name: str = ""
    company: str = ""
    street: str = ""
    street_2: str = ""
    city: str = ""
    postcode: str = ""
    state: str = ""
    country: str = ""
    email: str = ""
    phone: str = ""


@dataclass(frozen=True)
class Customer:
    """A customer with an account. meta: further values by name, such as consents."""

    id: int
    email: str
    first_name: str
    last_name: str
    username: str
    created: str
    modified: str
    role: str = "customer"
    billing: Address = field(default_factory=Address)
    shipping: Address = field(default_factory=Address)
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class CouponUse:
    """A coupon in an order, and its discount without tax."""

    code: str
    discount_cents: int
    discount_tax_cents: int = 0


@dataclass(frozen=True)
class Order:
    """An order; its goods are `OrderLine`s.

    Attributes:
        customer_id: null for a guest.
        paid, completed: the times; null before.
        shipping_cents, discount_cents: without tax, which has separate fields.
        tax_cents: the tax of lines and shipping; total_cents: the customer's total, including tax.
    """

    id: int
    status: OrderStatus
    customer_id: int | None
    created: str
    modified: str
    currency: str
    prices_include_tax: bool
    billing: Address
    shipping: Address
    discount_cents: int = 0
    discount_tax_cents: int = 0
    shipping_cents: int = 0
    shipping_tax_cents: int = 0
    tax_cents: int = 0
    total_cents: int = 0
    payment_method: str = ""
    payment_title: str = ""
    shipping_method: str = ""
    shipping_title: str = ""
    coupons: list[CouponUse] = field(default_factory=list)
    paid: str | None = None
    completed: str | None = None
    transaction: str = ""
    customer_note: str = ""
    created_via: str = "checkout"
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OrderLine:
    """Goods of an order.

    Attributes:
        price_cents: the price per unit as the shop shows it: with tax if its prices include it.
        subtotal_cents, total_cents: for all units without tax, before and after discounts; taxes have separate fields.
        from_stock: the units that it took from the stock and has not returned.
    """

    id: int
    order_id: int
    product_id: int
    variant_id: int | None
    sku: str
    name: str
    quantity: int
    price_cents: int
    subtotal_cents: int = 0
    subtotal_tax_cents: int = 0
    total_cents: int = 0
    tax_cents: int = 0
    tax_class: str = "standard"
    from_stock: int = 0
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RefundLine:
    """The refunded part of a line: units, net amount and tax."""

    line_id: int
    quantity: int
    total_cents: int
    tax_cents: int = 0


@dataclass(frozen=True)
class Refund:
    """A refund. restocked: whether its units are back in the stock; paid_back: whether by the payment method."""

    id: int
    order_id: int
    created: str
    amount_cents: int
    reason: str
    lines: list[RefundLine]
    restocked: bool = False
    paid_back: bool = False


@dataclass(frozen=True)
class OrderNote:
    """A note on an order. for_customer: it was sent to the customer."""

    id: int
    order_id: int
    created: str
    author: str
    text: str
    for_customer: bool = False


@dataclass(frozen=True)
class Coupon:
    """A code for a discount.

    Attributes:
        percent: the discount of the kind ``percent``; amount_cents: that of other kinds.
        product_ids, category_ids: it only applies to these, if there are any.
        expires: the first moment at which it is no longer valid.
        used: how often it was used.
    """

    id: int
    code: str
    kind: DiscountKind
    created: str
    modified: str
    percent: float = 0
    amount_cents: int = 0
    description: str = ""
    status: Literal["publish", "draft", "trash"] = "publish"
    expires: str | None = None
    used: int = 0
    usage_limit: int | None = None
    usage_limit_per_user: int | None = None
    minimum_cents: int = 0
    maximum_cents: int = 0
    product_ids: list[int] = field(default_factory=list)
    excluded_product_ids: list[int] = field(default_factory=list)
    category_ids: list[int] = field(default_factory=list)
    emails: list[str] = field(default_factory=list)
    individual_use: bool = False
    free_shipping: bool = False
    exclude_sale_items: bool = False
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Review:
    """A review of a product. rating: 1 to 5; verified: whether by a buyer."""

    id: int
    product_id: int
    created: str
    reviewer: str
    email: str
    rating: int
    text: str
    status: ReviewStatus = "approved"
    verified: bool = False


@dataclass(frozen=True)
class TaxRate:
    """A tax. percent: such as 19.0; country: empty for all; shipping: whether it applies to shipping, too."""

    id: int
    country: str
    percent: float
    name: str
    tax_class: str = "standard"
    state: str = ""
    priority: int = 1
    compound: bool = False
    shipping: bool = True


@dataclass(frozen=True)
class ShippingZone:
    """Countries with the same shipping methods; a zone without countries is for all others."""

    id: int
    name: str
    position: int
    countries: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ShippingMethod:
    """A shipping method in a zone. minimum_cents: the sum from which it can be chosen."""

    id: int
    zone_id: int
    kind: str
    title: str
    cost_cents: int = 0
    minimum_cents: int = 0
    enabled: bool = True
    position: int = 1
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Gateway:
    """A payment method."""

    id: str
    title: str
    description: str
    enabled: bool
    position: int
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Webhook:
    """An address that is notified of changes."""

    id: int
    name: str
    topic: str
    url: str
    status: Literal["active", "paused", "disabled"]
    created: str
    secret: str = ""


RECORDS = (
    *(Settings, Category, Product, Customer, Order, OrderLine, Refund, OrderNote, Coupon, Review),
    *(TaxRate, ShippingZone, ShippingMethod, Gateway, Webhook),
)
