"""The tools of the `shop` server."""

from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.apps.shop import (
    Backorders,
    Coupon,
    DiscountKind,
    OrderNote,
    OrderStatus,
    ProductStatus,
    ReviewStatus,
)
from yardkit.apps.store import drop_missing
from yardkit.kit.surface import make_server, tool
from yardkit.servers.shop.engine import (
    catalog,
    categories,
    coupons,
    customers,
    order_changes,
    orders,
    refunds,
    reports,
    shelf,
)
from yardkit.servers.shop.engine.context import MAX_CENTS
from yardkit.world import current_world

mcp = make_server(
    "shop",
    "The web shop of the workspace's owner. Amounts are integer cents: 1990 is 19.90 in the "
    "shop's currency. Changes apply at once; stock, totals and taxes are updated automatically.",
)

ProductId = Annotated[int, Field(description="Number of the product or variant.", ge=1)]
SomeProduct = Annotated[int | None, Field(description="Number of the product or variant.", ge=1)]
OrderId = Annotated[int, Field(description="Number of the order.", ge=1)]
SomeCustomer = Annotated[int | None, Field(description="Number of the customer.", ge=1)]
SomeCategory = Annotated[int | None, Field(description="Number of the category.", ge=1)]
Words = Annotated[str, Field(max_length=1_000)]
Name = Annotated[str, Field(min_length=1, max_length=500)]
Cents = Annotated[int | None, Field(description="Amount in cents.", ge=0, le=MAX_CENTS)]
Numbers = Annotated[list[int], Field(max_length=200)]
Texts = Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=100)]
Meta = Annotated[
    dict[str, Any] | None,
    Field(description="Custom fields by name; null removes one, others are kept.", max_length=100),
]
AddressPart = Literal[
    "first_name", "last_name", "company", "street", "street_2", "city", "postcode", "state", "country", "email", "phone"
]
SomeAddress = dict[AddressPart, Annotated[str, Field(max_length=500)]]
Billing = Annotated[SomeAddress | None, Field(description="Billing address; omitted fields are kept.")]
Shipping = Annotated[SomeAddress | None, Field(description="Shipping address; omitted fields are kept.")]
Since = Annotated[str, Field(description="Earliest date or time (ISO 8601).", max_length=40)]
Until = Annotated[str, Field(description="Latest date or time; a date includes that day.", max_length=40)]
Offset = Annotated[int, Field(description="Records to skip; use next_offset of the previous page.", ge=0)]
Limit = Annotated[int, Field(description="Records per page.", ge=1, le=200)]
Goods = Annotated[
    list[order_changes.Goods] | None,
    Field(description="Goods: product_id (the variant's, if it has any), quantity, price_cents?."),
]


@tool(mcp, bulk=True)
def find_products(
    query: Annotated[
        Words, Field(description="Words that must all occur in the name, SKU, descriptions, tags, options or meta.")
    ] = "",
    category_id: SomeCategory = None,
    tag: Annotated[str, Field(description="Tag; by default all.", max_length=200)] = "",
    status: Annotated[ProductStatus | Literal["any"], Field(description="publish: visible to customers.")] = "publish",
    availability: Annotated[shelf.Stocked, Field(description="low: few units left, or none.")] = "any",
    on_sale: Annotated[bool | None, Field(description="true: only on sale; false: only not on sale.")] = None,
    min_price_cents: Cents = None,
    max_price_cents: Cents = None,
    with_variants: Annotated[bool, Field(description="List variants instead of their products.")] = False,
    sort_by: Annotated[shelf.SortBy, Field(description="sold: best sellers first.")] = "name",
    descending: Annotated[bool, Field(description="Reverse the order.")] = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> shelf.Products:
    """Search products, with price and stock; all given criteria must match."""
    sought = shelf.Sought(
        query, category_id, tag, status, availability, on_sale, min_price_cents, max_price_cents, with_variants
    )
    return shelf.find_products(current_world(), sought, sort_by, offset, limit, descending=descending)


@tool(mcp, bulk=True)
def read_product(
    product_id: SomeProduct = None,
    sku: Annotated[str, Field(description="SKU, instead of the number.", max_length=200)] = "",
) -> catalog.ProductView:
    """Read all details of a product or variant: prices, sale, stock, options, meta, variants, units sold."""
    return catalog.read_product(current_world(), product_id, sku)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_product(
    product_id: Annotated[
        int | None, Field(description="Product or variant to change; by default one is created.", ge=1)
    ] = None,
    name: Annotated[Name | None, Field(description="Name of the product.")] = None,
    sku: Annotated[str | None, Field(description="SKU, which must be unique.", max_length=200)] = None,
    price_cents: Annotated[int | None, Field(description="Regular price per unit.", ge=0, le=MAX_CENTS)] = None,
    sale_price_cents: Annotated[int | None, Field(description="Price during the sale.", ge=0, le=MAX_CENTS)] = None,
    sale_from: Annotated[str | None, Field(description="Start of the sale (ISO 8601).", max_length=40)] = None,
    sale_until: Annotated[
        str | None, Field(description="End of the sale; a date includes that day.", max_length=40)
    ] = None,
    stock: Annotated[int | None, Field(description="Units in stock.", ge=-1_000_000, le=10_000_000)] = None,
    low_stock: Annotated[int | None, Field(description="Stock level that counts as low.", ge=0)] = None,
    backorders: Annotated[Backorders | None, Field(description="Whether it can be ordered when out of stock.")] = None,
    status: Annotated[ProductStatus | None, Field(description="publish: visible to customers.")] = None,
    description: Annotated[str | None, Field(description="Description for customers.", max_length=50_000)] = None,
    short_description: Annotated[str | None, Field(description="Short description.", max_length=5_000)] = None,
    category_ids: Annotated[Numbers | None, Field(description="All category numbers.")] = None,
    tags: Annotated[Texts | None, Field(description="All its tags.")] = None,
    parent_id: Annotated[int | None, Field(description="Of a new variant: its product.", ge=1)] = None,
    options: Annotated[
        dict[str, Texts] | None,
        Field(description="{'Size': ['S', 'M']}: the choices; for a variant, its one value for each."),
    ] = None,
    cross_sell_ids: Annotated[Numbers | None, Field(description="Products suggested in the cart.")] = None,
    upsell_ids: Annotated[Numbers | None, Field(description="Products suggested instead.")] = None,
    tax_class: Annotated[
        str | None, Field(description="standard, or another tax class of the shop.", max_length=100)
    ] = None,
    weight_kg: Annotated[float | None, Field(description="Weight of a unit.", ge=0, le=100_000)] = None,
    meta: Meta = None,
    clear: Annotated[
        list[Literal["price_cents", "sale_price_cents", "sale_from", "sale_until", "stock", "low_stock", "weight_kg"]],
        Field(description="Fields to clear; without stock, units are not counted."),
    ] = [],  # noqa: B006 - never changed
) -> catalog.ProductView:
    """Create a product or variant, or change the given fields of one."""
    values = drop_missing(
        name=name, sku=sku, price_cents=price_cents, sale_price_cents=sale_price_cents, sale_from=sale_from,
        sale_until=sale_until, stock=stock, low_stock=low_stock, backorders=backorders, status=status,
        description=description, short_description=short_description, category_ids=category_ids, tags=tags,
        parent_id=parent_id, options=options, cross_sell_ids=cross_sell_ids, upsell_ids=upsell_ids,
        tax_class=tax_class, weight_kg=weight_kg, meta=meta,
    )  # fmt: skip
    return catalog.save_product(current_world(), product_id, values, clear)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_product(
    product_id: ProductId,
    for_good: Annotated[bool, Field(description="Delete permanently instead of moving to the trash.")] = False,
) -> catalog.Deleted:
    """Remove a product and its variants from the shop; existing orders are unchanged."""
    return catalog.delete_product(current_world(), product_id, for_good=for_good)


@tool(mcp, bulk=True)
def list_categories() -> categories.Categories:
    """List the product categories, each after its parent."""
    return categories.list_categories(current_world())


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_category(
    category_id: Annotated[
        int | None, Field(description="Category to change; by default one is created.", ge=1)
    ] = None,
    name: Annotated[Name | None, Field(description="Name of the category.")] = None,
    description: Annotated[str | None, Field(description="Description for customers.", max_length=5_000)] = None,
    parent_id: Annotated[int | None, Field(description="Parent category.", ge=1)] = None,
    at_top: Annotated[bool, Field(description="Make it a top-level category.")] = False,
) -> categories.CategoryLine:
    """Create a category, or change the given fields of one."""
    return categories.save_category(current_world(), category_id, name, description, parent_id, at_top=at_top)


@tool(mcp, bulk=True)
def find_orders(
    query: Annotated[
        Words,
        Field(
            description="Words that must all occur in the names, addresses, goods, notes or meta, or the order number."
        ),
    ] = "",
    statuses: Annotated[
        list[OrderStatus], Field(description="Statuses; by default all except trash.", max_length=9)
    ] = [],  # noqa: B006 - never changed
    customer_id: SomeCustomer = None,
    product_id: Annotated[int | None, Field(description="Product or variant in the order.", ge=1)] = None,
    coupon: Annotated[str, Field(description="Coupon code used.", max_length=100)] = "",
    since: Since = "",
    until: Until = "",
    sort_by: Annotated[orders.SortBy, Field(description="Sort by creation date or by total.")] = "newest",
    offset: Offset = 0,
    limit: Limit = 50,
) -> orders.Orders:
    """Search orders; all given criteria must match."""
    return orders.find_orders(
        current_world(), query, statuses, customer_id, product_id, coupon, since, until, sort_by, offset, limit
    )


@tool(mcp, bulk=True)
def read_order(order_id: OrderId) -> orders.OrderView:
    """Read all details of an order: addresses, goods with prices and taxes, refunds, notes."""
    return orders.read_order(current_world(), order_id)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_order(
    goods: Goods,
    customer_id: SomeCustomer = None,
    billing: Billing = None,
    shipping: Shipping = None,
    shipping_way: Annotated[
        str,
        Field(
            description="Title of a shipping method, such as 'Parcel'; an invalid one lists the choices.",
            max_length=200,
        ),
    ] = "",
    coupons: Annotated[Texts, Field(description="Coupon codes to apply.")] = [],  # noqa: B006
    payment_method: Annotated[str, Field(description="Payment method, such as bacs or paypal.", max_length=100)] = "",
    paid: Annotated[bool, Field(description="Mark it as paid, with status processing.")] = False,
    customer_note: Annotated[str, Field(description="Note from the customer.", max_length=5_000)] = "",
    meta: Meta = None,
) -> orders.OrderView:
    """Create an order. Addresses default to the customer's, prices to the products'; a paid order reduces stock."""
    status: OrderStatus = "processing" if paid else "pending"
    request = order_changes.Request(
        goods or [], customer_id, billing or {}, shipping or {}, shipping_way, coupons, payment_method, status,
        customer_note, meta or {},
    )  # fmt: skip
    return order_changes.create_order(current_world(), request)


@tool(mcp, bulk=True, writes=True, destructive=True)
def update_order(
    order_id: OrderId,
    status: Annotated[
        OrderStatus | None, Field(description="New status; processing, on-hold and completed reduce stock.")
    ] = None,
    customer_id: SomeCustomer = None,
    billing: Billing = None,
    shipping: Shipping = None,
    goods: Annotated[
        list[order_changes.Goods] | None,
        Field(
            description="All its goods, replacing the old ones, while it is pending or on-hold; line_id: one to keep."
        ),
    ] = None,
    coupons: Annotated[Texts | None, Field(description="All coupon codes.")] = None,
    shipping_way: Annotated[str | None, Field(description="Title of a shipping method.", max_length=200)] = None,
    payment_method: Annotated[
        str | None, Field(description="Payment method, such as bacs or paypal.", max_length=100)
    ] = None,
    customer_note: Annotated[str | None, Field(description="Note from the customer.", max_length=5_000)] = None,
    meta: Meta = None,
) -> orders.OrderView:
    """Change the given fields of an order."""
    changes = drop_missing(
        status=status, customer_id=customer_id, billing=billing, shipping=shipping, goods=goods, coupons=coupons,
        shipping_way=shipping_way, payment_method=payment_method, customer_note=customer_note, meta=meta,
    )  # fmt: skip
    return order_changes.update_order(current_world(), order_id, changes)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def add_order_note(
    order_id: OrderId,
    text: Annotated[str, Field(description="Text of the note.", min_length=1, max_length=10_000)],
    for_customer: Annotated[bool, Field(description="Also send it to the customer.")] = False,
) -> OrderNote:
    """Add a note to an order."""
    return order_changes.add_note(current_world(), order_id, text, for_customer=for_customer)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def refund_order(
    order_id: OrderId,
    reason: Annotated[str, Field(description="Reason for the refund.", max_length=2_000)] = "",
    returned: Annotated[
        list[refunds.Returned],
        Field(description="Lines: line_id, quantity, amount_cents? (by default their share of the amount paid)."),
    ] = [],  # noqa: B006 - never changed
    amount_cents: Annotated[
        int | None,
        Field(description="Total to refund instead of the lines' sum; with neither, all that is left.", ge=1),
    ] = None,
    restock: Annotated[bool, Field(description="Return the units of the lines to stock.")] = True,
) -> refunds.Refunded:
    """Refund an order; when nothing is left to refund, its status becomes refunded."""
    return refunds.refund_order(
        current_world(), order_id, reason, returned, amount_cents, restock_goods=restock, paid_back=True
    )


@tool(mcp, bulk=True)
def find_customers(
    query: Annotated[Words, Field(description="Words that must all occur in the names, addresses or meta.")] = "",
    customer_id: SomeCustomer = None,
    details: Annotated[bool, Field(description="Include each customer's addresses and meta.")] = False,
    sort_by: Annotated[customers.SortBy, Field(description="orders, spent: highest first.")] = "name",
    offset: Offset = 0,
    limit: Limit = 50,
) -> customers.Customers:
    """Search customers, with their order counts and totals."""
    return customers.find_customers(current_world(), query, customer_id, sort_by, offset, limit, details=details)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_customer(
    customer_id: Annotated[
        int | None, Field(description="Customer to change; by default one is created.", ge=1)
    ] = None,
    email: Annotated[str | None, Field(description="Mail address, which must be unique.", max_length=300)] = None,
    first_name: Annotated[str | None, Field(description="First name.", max_length=200)] = None,
    last_name: Annotated[str | None, Field(description="Last name.", max_length=200)] = None,
    billing: Billing = None,
    shipping: Shipping = None,
    meta: Meta = None,
) -> customers.CustomerLine:
    """Create a customer, or change the given fields of one."""
    return customers.save_customer(current_world(), customer_id, email, first_name, last_name, billing, shipping, meta)


@tool(mcp, bulk=True)
def list_coupons(
    query: Annotated[Words, Field(description="Words that must all occur in the code or description.")] = "",
    state: Annotated[coupons.State, Field(description="usable: neither expired nor used up.")] = "any",
    offset: Offset = 0,
    limit: Limit = 50,
) -> coupons.Coupons:
    """List coupons, newest first."""
    return coupons.list_coupons(current_world(), query, state, offset, limit)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_coupon(
    coupon_id: Annotated[int | None, Field(description="Coupon to change; by default one is created.", ge=1)] = None,
    coupon: Annotated[str | None, Field(description="Code of the coupon.", min_length=1, max_length=100)] = None,
    kind: Annotated[
        DiscountKind | None, Field(description="percent; fixed_cart: off the order; fixed_product: off each unit.")
    ] = None,
    percent_off: Annotated[float | None, Field(description="Discount, for kind percent.", ge=0, le=100)] = None,
    amount_cents: Annotated[int | None, Field(description="Discount, for the other kinds.", ge=0, le=MAX_CENTS)] = None,
    description: Annotated[str | None, Field(description="Description of the coupon.", max_length=5_000)] = None,
    expires: Annotated[str | None, Field(description="Last valid day or time (ISO 8601).", max_length=40)] = None,
    usage_limit: Annotated[int | None, Field(description="Total number of uses.", ge=0)] = None,
    usage_limit_per_user: Annotated[int | None, Field(description="Number of uses per customer.", ge=0)] = None,
    minimum_cents: Annotated[int | None, Field(description="Minimum value of the goods.", ge=0, le=MAX_CENTS)] = None,
    product_ids: Annotated[Numbers | None, Field(description="Products it is limited to.")] = None,
    category_ids: Annotated[Numbers | None, Field(description="Categories it is limited to.")] = None,
    emails: Annotated[Texts | None, Field(description="Customer addresses it is limited to.")] = None,
    free_shipping: Annotated[bool | None, Field(description="Makes shipping free.")] = None,
    status: Annotated[Literal["publish", "draft", "trash"] | None, Field(description="publish: can be used.")] = None,
    meta: Meta = None,
    clear: Annotated[
        list[Literal["expires", "usage_limit", "usage_limit_per_user"]],
        Field(description="Fields to clear."),
    ] = [],  # noqa: B006 - never changed
) -> Coupon:
    """Create a coupon, or change the given fields of one."""
    values = drop_missing(
        code=coupon, kind=kind, percent=percent_off, amount_cents=amount_cents, description=description,
        expires=expires, usage_limit=usage_limit, usage_limit_per_user=usage_limit_per_user,
        minimum_cents=minimum_cents, product_ids=product_ids, category_ids=category_ids, emails=emails,
        free_shipping=free_shipping, status=status, meta=meta,
    )  # fmt: skip
    return coupons.save_coupon(current_world(), coupon_id, values, clear)


@tool(mcp, bulk=True)
def find_reviews(
    product_id: SomeProduct = None,
    query: Annotated[Words, Field(description="Words that must all occur in the text or reviewer.")] = "",
    status: Annotated[ReviewStatus | Literal["any"], Field(description="hold: awaiting approval.")] = "any",
    max_rating: Annotated[int | None, Field(description="Highest rating, of 5 stars.", ge=1, le=5)] = None,
    since: Since = "",
    until: Until = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> categories.Reviews:
    """Search customers' product reviews, newest first."""
    return categories.find_reviews(current_world(), product_id, query, status, max_rating, since, until, offset, limit)


@tool(mcp, bulk=True)
def report_sales(
    since: Since = "",
    until: Until = "",
    by: Annotated[reports.By, Field(description="Grouping of the rows.")] = "day",
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Rows per page.", ge=1, le=400)] = 100,
) -> reports.SalesReport:
    """Report sales: orders that are processing, on hold, completed or refunded, by creation date."""
    return reports.report_sales(current_world(), since, until, by, offset, limit)
