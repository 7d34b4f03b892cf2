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
from yardkit.apps.store import given
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
from yardkit.servers.shop.engine.ground import MAX_CENTS
from yardkit.world import current_world

mcp = make_server(
    "shop",
    "The web shop of the workspace's owner. Money is whole cents: 1990 is 19.90 of the shop's currency. "
    "What is changed holds at once; stock, totals and taxes follow by themselves.",
)

ProductId = Annotated[int, Field(description="Number of the product or variant.", ge=1)]
SomeProduct = Annotated[int | None, Field(description="Number of the product or variant.", ge=1)]
OrderId = Annotated[int, Field(description="Number of the order.", ge=1)]
SomeCustomer = Annotated[int | None, Field(description="Number of the customer.", ge=1)]
SomeCategory = Annotated[int | None, Field(description="Number of the category.", ge=1)]
Words = Annotated[str, Field(max_length=1_000)]
Name = Annotated[str, Field(min_length=1, max_length=500)]
Cents = Annotated[int | None, Field(description="In cents.", ge=0, le=MAX_CENTS)]
Numbers = Annotated[list[int], Field(max_length=200)]
Texts = Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=100)]
Meta = Annotated[
    dict[str, Any] | None, Field(description="Further values by name; null takes one out, others stay.", max_length=100)
]
AddressPart = Literal[
    "first_name", "last_name", "company", "street", "street_2", "city", "postcode", "state", "country", "email", "phone"
]
SomeAddress = dict[AddressPart, Annotated[str, Field(max_length=500)]]
Billing = Annotated[SomeAddress | None, Field(description="Where the bill goes; parts that are not given stay.")]
Shipping = Annotated[SomeAddress | None, Field(description="Where the parcel goes; parts that are not given stay.")]
Since = Annotated[str, Field(description="Only from this date or time (ISO 8601) on.", max_length=40)]
Until = Annotated[str, Field(description="Only to this date or time; the day itself counts.", max_length=40)]
Offset = Annotated[int, Field(description="Records to skip; take next_offset of the page before.", ge=0)]
Limit = Annotated[int, Field(description="Records per page.", ge=1, le=200)]
Goods = Annotated[
    list[order_changes.Goods] | None,
    Field(description="What is ordered: product_id (of the variant, where there are some), quantity, price_cents?."),
]


@tool(mcp, bulk=True)
def find_products(
    query: Annotated[
        Words, Field(description="Words that all stand in name, SKU, descriptions, tags, options or meta.")
    ] = "",
    category_id: SomeCategory = None,
    tag: Annotated[str, Field(description="Only with this tag.", max_length=200)] = "",
    status: Annotated[ProductStatus | Literal["any"], Field(description="publish: what customers see.")] = "publish",
    availability: Annotated[shelf.Stocked, Field(description="low: few units are left, or none.")] = "any",
    on_sale: Annotated[bool | None, Field(description="Only with a lower price now, or only without.")] = None,
    min_price_cents: Cents = None,
    max_price_cents: Cents = None,
    with_variants: Annotated[
        bool, Field(description="Each variant by itself, instead of the product that it is of.")
    ] = False,
    sort_by: Annotated[shelf.SortBy, Field(description="sold: best sellers first.")] = "name",
    descending: Annotated[bool, Field(description="The other way round.")] = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> shelf.Products:
    """Find products by words and by what else is given, with price and stock."""
    sought = shelf.Sought(
        query, category_id, tag, status, availability, on_sale, min_price_cents, max_price_cents, with_variants
    )
    return shelf.find_products(current_world(), sought, sort_by, offset, limit, descending=descending)


@tool(mcp, bulk=True)
def read_product(
    product_id: SomeProduct = None,
    sku: Annotated[str, Field(description="Instead of the number.", max_length=200)] = "",
) -> catalog.ProductView:
    """Show all of a product or variant: prices, sale, stock, options, meta, its variants, how many were sold."""
    return catalog.read_product(current_world(), product_id, sku)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_product(
    product_id: Annotated[int | None, Field(description="To change; without it a new one is made.", ge=1)] = None,
    name: Annotated[Name | None, Field(description="Its name.")] = None,
    sku: Annotated[str | None, Field(description="Its SKU, which no other has.", max_length=200)] = None,
    price_cents: Annotated[int | None, Field(description="Regular price of a unit.", ge=0, le=MAX_CENTS)] = None,
    sale_price_cents: Annotated[
        int | None, Field(description="Lower price while the sale lasts.", ge=0, le=MAX_CENTS)
    ] = None,
    sale_from: Annotated[str | None, Field(description="When the sale begins (ISO 8601).", max_length=40)] = None,
    sale_until: Annotated[
        str | None, Field(description="When the sale ends; of a date, the day itself counts.", max_length=40)
    ] = None,
    stock: Annotated[int | None, Field(description="Units.", ge=-1_000_000, le=10_000_000)] = None,
    low_stock: Annotated[int | None, Field(description="From how many units on it runs low.", ge=0)] = None,
    backorders: Annotated[Backorders | None, Field(description="Whether it is sold when none is left.")] = None,
    status: Annotated[ProductStatus | None, Field(description="publish: customers see it.")] = None,
    description: Annotated[str | None, Field(description="What customers read.", max_length=50_000)] = None,
    short_description: Annotated[str | None, Field(description="The same in short.", max_length=5_000)] = None,
    category_ids: Annotated[Numbers | None, Field(description="All its categories.")] = None,
    tags: Annotated[Texts | None, Field(description="All its tags.")] = None,
    parent_id: Annotated[
        int | None, Field(description="Of a new variant: the product that it is one of.", ge=1)
    ] = None,
    options: Annotated[
        dict[str, Texts] | None,
        Field(description="{'Size': ['S', 'M']}: what can be chosen; of a variant the one value of each."),
    ] = None,
    cross_sell_ids: Annotated[Numbers | None, Field(description="Products offered in the cart.")] = None,
    upsell_ids: Annotated[Numbers | None, Field(description="Products offered instead.")] = None,
    tax_class: Annotated[str | None, Field(description="standard, or another of its taxes.", max_length=100)] = None,
    weight_kg: Annotated[float | None, Field(description="Of a unit.", ge=0, le=100_000)] = None,
    meta: Meta = None,
    clear: Annotated[
        list[Literal["price_cents", "sale_price_cents", "sale_from", "sale_until", "stock", "low_stock", "weight_kg"]],
        Field(description="Fields that are emptied; without stock nobody counts the units."),
    ] = [],  # noqa: B006 - never changed
) -> catalog.ProductView:
    """Make a product or a variant, or change what is given of one."""
    values = given(
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
    for_good: Annotated[bool, Field(description="Remove it for good instead of putting it into the trash.")] = False,
) -> catalog.Deleted:
    """Take a product with its variants out of the shop; orders keep their lines."""
    return catalog.delete_product(current_world(), product_id, for_good=for_good)


@tool(mcp, bulk=True)
def list_categories() -> categories.Categories:
    """List the categories of products, each behind the one that it is part of."""
    return categories.list_categories(current_world())


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_category(
    category_id: Annotated[int | None, Field(description="To change; without it a new one is made.", ge=1)] = None,
    name: Annotated[Name | None, Field(description="Its name.")] = None,
    description: Annotated[str | None, Field(description="What customers read.", max_length=5_000)] = None,
    parent_id: Annotated[int | None, Field(description="The category that it is part of.", ge=1)] = None,
    at_top: Annotated[bool, Field(description="It is part of no other.")] = False,
) -> categories.CategoryLine:
    """Make a category, or change what is given of one."""
    return categories.save_category(current_world(), category_id, name, description, parent_id, at_top=at_top)


@tool(mcp, bulk=True)
def find_orders(
    query: Annotated[
        Words, Field(description="Words that all stand in names, addresses, goods, notes or meta, or its number.")
    ] = "",
    statuses: Annotated[
        list[OrderStatus], Field(description="Only these; by default all but the trash.", max_length=9)
    ] = [],  # noqa: B006 - never changed
    customer_id: SomeCustomer = None,
    product_id: Annotated[int | None, Field(description="Only with this product or variant.", ge=1)] = None,
    coupon: Annotated[str, Field(description="Only with this code.", max_length=100)] = "",
    since: Since = "",
    until: Until = "",
    sort_by: Annotated[orders.SortBy, Field(description="By when it was made, or by its total.")] = "newest",
    offset: Offset = 0,
    limit: Limit = 50,
) -> orders.Orders:
    """Find orders by words and by what else is given, all of it together."""
    return orders.find_orders(
        current_world(), query, statuses, customer_id, product_id, coupon, since, until, sort_by, offset, limit
    )


@tool(mcp, bulk=True)
def read_order(order_id: OrderId) -> orders.OrderView:
    """Show all of an order: addresses, goods with prices and taxes, refunds, notes."""
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
            description="Title of one of the shop's, such as 'Parcel'; a wrong one says what there is.", max_length=200
        ),
    ] = "",
    coupons: Annotated[Texts, Field(description="Codes of its coupons.")] = [],  # noqa: B006
    payment_method: Annotated[str, Field(description="bacs, paypal and the like.", max_length=100)] = "",
    paid: Annotated[bool, Field(description="It is paid, and so to be processed.")] = False,
    customer_note: Annotated[str, Field(description="What the customer says.", max_length=5_000)] = "",
    meta: Meta = None,
) -> orders.OrderView:
    """Make an order. Addresses come from the customer, prices from the products; a paid one takes its stock."""
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
        OrderStatus | None, Field(description="What it becomes; processing, on-hold and completed take the stock.")
    ] = None,
    customer_id: SomeCustomer = None,
    billing: Billing = None,
    shipping: Shipping = None,
    goods: Annotated[
        list[order_changes.Goods] | None,
        Field(description="All its goods anew, while it is pending or on-hold; line_id: one that stays."),
    ] = None,
    coupons: Annotated[Texts | None, Field(description="Codes of all its coupons.")] = None,
    shipping_way: Annotated[str | None, Field(description="Title of one of the shop's.", max_length=200)] = None,
    payment_method: Annotated[str | None, Field(description="bacs, paypal and the like.", max_length=100)] = None,
    customer_note: Annotated[str | None, Field(description="What the customer says.", max_length=5_000)] = None,
    meta: Meta = None,
) -> orders.OrderView:
    """Change what is given of an order; the rest stays."""
    changes = given(
        status=status, customer_id=customer_id, billing=billing, shipping=shipping, goods=goods, coupons=coupons,
        shipping_way=shipping_way, payment_method=payment_method, customer_note=customer_note, meta=meta,
    )  # fmt: skip
    return order_changes.update_order(current_world(), order_id, changes)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def add_order_note(
    order_id: OrderId,
    text: Annotated[str, Field(description="The note.", min_length=1, max_length=10_000)],
    for_customer: Annotated[bool, Field(description="It goes to the customer, too.")] = False,
) -> OrderNote:
    """Add a note to an order."""
    return order_changes.add_note(current_world(), order_id, text, for_customer=for_customer)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def refund_order(
    order_id: OrderId,
    reason: Annotated[str, Field(description="Why.", max_length=2_000)] = "",
    returned: Annotated[
        list[refunds.Returned],
        Field(description="Lines: line_id, quantity, amount_cents? (by default their share of what was paid)."),
    ] = [],  # noqa: B006 - never changed
    amount_cents: Annotated[
        int | None, Field(description="Instead of what the lines come to; with neither, all that is left.", ge=1)
    ] = None,
    restock: Annotated[bool, Field(description="Put the units of the lines back into the stock.")] = True,
) -> refunds.Refunded:
    """Give money back for an order; when nothing is left of it, it becomes refunded."""
    return refunds.refund_order(
        current_world(), order_id, reason, returned, amount_cents, restock_goods=restock, paid_back=True
    )


@tool(mcp, bulk=True)
def find_customers(
    query: Annotated[Words, Field(description="Words that all stand in names, addresses or meta.")] = "",
    customer_id: SomeCustomer = None,
    details: Annotated[bool, Field(description="Also addresses and meta of each.")] = False,
    sort_by: Annotated[customers.SortBy, Field(description="orders, spent: most first.")] = "name",
    offset: Offset = 0,
    limit: Limit = 50,
) -> customers.Customers:
    """Find customers, with how much they ordered."""
    return customers.find_customers(current_world(), query, customer_id, sort_by, offset, limit, details=details)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_customer(
    customer_id: Annotated[int | None, Field(description="To change; without it a new one is made.", ge=1)] = None,
    email: Annotated[str | None, Field(description="Address of mail, which no other has.", max_length=300)] = None,
    first_name: Annotated[str | None, Field(description="First name.", max_length=200)] = None,
    last_name: Annotated[str | None, Field(description="Last name.", max_length=200)] = None,
    billing: Billing = None,
    shipping: Shipping = None,
    meta: Meta = None,
) -> customers.CustomerLine:
    """Make a customer, or change what is given of one."""
    return customers.save_customer(current_world(), customer_id, email, first_name, last_name, billing, shipping, meta)


@tool(mcp, bulk=True)
def list_coupons(
    query: Annotated[Words, Field(description="Words that all stand in code or description.")] = "",
    state: Annotated[coupons.State, Field(description="usable: neither expired nor used up.")] = "any",
    offset: Offset = 0,
    limit: Limit = 50,
) -> coupons.Coupons:
    """List coupons, newest first."""
    return coupons.list_coupons(current_world(), query, state, offset, limit)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_coupon(
    coupon_id: Annotated[int | None, Field(description="To change; without it a new one is made.", ge=1)] = None,
    coupon: Annotated[str | None, Field(description="Its code.", min_length=1, max_length=100)] = None,
    kind: Annotated[
        DiscountKind | None, Field(description="percent; fixed_cart: off the order; fixed_product: off each unit.")
    ] = None,
    percent_off: Annotated[float | None, Field(description="Of kind percent.", ge=0, le=100)] = None,
    amount_cents: Annotated[int | None, Field(description="Of the other kinds.", ge=0, le=MAX_CENTS)] = None,
    description: Annotated[str | None, Field(description="What it is for.", max_length=5_000)] = None,
    expires: Annotated[str | None, Field(description="Last day or time (ISO 8601).", max_length=40)] = None,
    usage_limit: Annotated[int | None, Field(description="How often it can be used.", ge=0)] = None,
    usage_limit_per_user: Annotated[int | None, Field(description="How often by one customer.", ge=0)] = None,
    minimum_cents: Annotated[int | None, Field(description="Least worth of the goods.", ge=0, le=MAX_CENTS)] = None,
    product_ids: Annotated[Numbers | None, Field(description="Only for these products.")] = None,
    category_ids: Annotated[Numbers | None, Field(description="Only for these categories.")] = None,
    emails: Annotated[Texts | None, Field(description="Only for these customers.")] = None,
    free_shipping: Annotated[bool | None, Field(description="Shipping costs nothing.")] = None,
    status: Annotated[Literal["publish", "draft", "trash"] | None, Field(description="publish: it holds.")] = None,
    meta: Meta = None,
    clear: Annotated[
        list[Literal["expires", "usage_limit", "usage_limit_per_user"]],
        Field(description="Fields that are emptied."),
    ] = [],  # noqa: B006 - never changed
) -> Coupon:
    """Make a coupon, or change what is given of one."""
    values = given(
        code=coupon, kind=kind, percent=percent_off, amount_cents=amount_cents, description=description,
        expires=expires, usage_limit=usage_limit, usage_limit_per_user=usage_limit_per_user,
        minimum_cents=minimum_cents, product_ids=product_ids, category_ids=category_ids, emails=emails,
        free_shipping=free_shipping, status=status, meta=meta,
    )  # fmt: skip
    return coupons.save_coupon(current_world(), coupon_id, values, clear)


@tool(mcp, bulk=True)
def find_reviews(
    product_id: SomeProduct = None,
    query: Annotated[Words, Field(description="Words that all stand in text or reviewer.")] = "",
    status: Annotated[ReviewStatus | Literal["any"], Field(description="hold: waits to be approved.")] = "any",
    max_rating: Annotated[int | None, Field(description="Stars at most, of 5.", ge=1, le=5)] = None,
    since: Since = "",
    until: Until = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> categories.Reviews:
    """Find what customers say of products, newest first."""
    return categories.find_reviews(current_world(), product_id, query, status, max_rating, since, until, offset, limit)


@tool(mcp, bulk=True)
def report_sales(
    since: Since = "",
    until: Until = "",
    by: Annotated[reports.By, Field(description="What the rows are counted for.")] = "day",
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Rows per page.", ge=1, le=400)] = 100,
) -> reports.SalesReport:
    """Count sales: orders that are processing, on hold, completed or refunded, by when they were made."""
    return reports.report_sales(current_world(), since, until, by, offset, limit)
