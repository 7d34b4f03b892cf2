"""Records as the objects of WooCommerce's REST API, version 3."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from yardkit.apps.shop import (
    Address,
    Category,
    Coupon,
    Customer,
    Order,
    OrderLine,
    OrderNote,
    Product,
    Refund,
    Review,
    Settings,
    TaxRate,
)
from yardkit.apps.shop_sums import on_sale, percent_of, price_of
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.shop.app import Data, format_money, format_times, meta_data
from yardkit.servers.shop.engine.context import settings_of, slug_of
from yardkit.servers.shop.engine.customers import line_of
from yardkit.servers.shop.engine.orders import OrderView
from yardkit.servers.shop.engine.shelf import Shelf

EXTRA: Data = {
    "catalog_visibility": "visible", "virtual": False, "downloadable": False, "downloads": [], "download_limit": -1,
    "download_expiry": -1, "external_url": "", "button_text": "", "tax_status": "taxable", "sold_individually": False,
    "dimensions": {"length": "", "width": "", "height": ""}, "shipping_class": "", "reviews_allowed": True,
    "purchase_note": "", "default_attributes": [], "menu_order": 0,
}  # fmt: skip
"""Fields of a product that are kept as they are given, with their defaults."""
SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CHF": "CHF", "PLN": "zł", "SEK": "kr"}


def product_object(store: Store, shelf: Shelf, product: Product) -> Data:
    """A product; one that is sold as variants names their numbers."""
    names = {category.id: category for category in store.find(Category)} if product.category_ids else {}
    ratings = [review.rating for review in store.find(Review, "product_id = ? AND status = 'approved'", [product.id])]
    mean = sum(ratings) / len(ratings) if ratings else 0
    return {
        **_build_name_fields(shelf.settings, product),
        "type": product.kind,
        "status": product.status,
        "featured": product.featured,
        "description": product.description,
        "short_description": product.short_description,
        "sku": product.sku,
        **_build_price_fields(store.now, product, shelf.get_price(product)),
        "total_sales": shelf.sold[product.id],
        **_build_stock_fields(product),
        "weight": "" if product.weight_kg is None else f"{product.weight_kg:g}",
        "average_rating": f"{mean:.2f}",
        "rating_count": len(ratings),
        "upsell_ids": product.upsell_ids,
        "cross_sell_ids": product.cross_sell_ids,
        "parent_id": product.parent_id or 0,
        "categories": [
            {"id": number, "name": names[number].name, "slug": names[number].slug}
            for number in product.category_ids
            if number in names
        ],
        "tags": [{"id": tag_id(tag), "name": tag, "slug": slug_of(tag)} for tag in product.tags],
        "images": [_build_image(product, place, src) for place, src in enumerate(product.images)],
        "attributes": _list_attributes(product),
        "variations": [variant.id for variant in shelf.variants[product.id]],
        "grouped_products": product.grouped_ids,
        "meta_data": meta_data(product.id, product.meta),
        **EXTRA,
        **product.extra,
    }


def variation_object(store: Store, shelf: Shelf, product: Product) -> Data:
    """A variant of a product."""
    image = _build_image(product, 0, product.images[0]) if product.images else None
    return {
        **_build_name_fields(shelf.settings, product),
        "type": "variation",
        "status": product.status,
        "description": product.description,
        "sku": product.sku,
        **_build_price_fields(store.now, product, price_of(product, store.now)),
        **_build_stock_fields(product),
        "weight": "" if product.weight_kg is None else f"{product.weight_kg:g}",
        "image": image,
        "attributes": [
            {"id": 0, "name": name, "option": option} for name, options in product.options.items() for option in options
        ],
        "meta_data": meta_data(product.id, product.meta),
        "parent_id": product.parent_id or 0,
    }


def _build_name_fields(settings: Settings, product: Product) -> Data:
    return {
        "id": product.id,
        "name": product.name,
        "slug": product.slug,
        "permalink": f"{settings.url}/product/{product.slug}/",
        **format_times("date_created", product.created),
        **format_times("date_modified", product.modified),
    }


def _build_price_fields(now: datetime, product: Product, price: int | None) -> Data:
    last = None
    if product.sale_until:
        last = (datetime.fromisoformat(product.sale_until) - timedelta(seconds=1)).isoformat()
    return {
        "price": format_money(price),
        "regular_price": format_money(product.price_cents),
        "sale_price": format_money(product.sale_price_cents),
        **format_times("date_on_sale_from", product.sale_from),
        **format_times("date_on_sale_to", last),
        "on_sale": on_sale(product, now),
        "purchasable": price is not None and product.status == "publish",
        "tax_class": "" if product.tax_class == "standard" else product.tax_class,
    }


def _build_stock_fields(product: Product) -> Data:
    return {
        "manage_stock": product.stock is not None,
        "stock_quantity": product.stock,
        "stock_status": product.stock_status,
        "backorders": product.backorders,
        "backorders_allowed": product.backorders != "no",
        "backordered": product.stock_status == "onbackorder",
        "low_stock_amount": product.low_stock,
    }


def _build_image(product: Product, place: int, src: str) -> Data:
    name = src.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return {
        "id": product.id * 10 + place,
        **format_times("date_created", product.created),
        "src": src,
        "name": name,
        "alt": "",
    }


def _list_attributes(product: Product) -> list[Data]:
    chosen = product.kind == "variable"
    return [
        {"id": 0, "name": name, "position": place, "visible": True, "variation": chosen, "options": options}
        for place, (name, options) in enumerate(product.options.items())
    ]


def tag_id(tag: str) -> int:
    """A number for a tag, which has none in our records: always the same for the same name."""
    return int(sha256(tag.casefold().encode()).hexdigest()[:6], 16)


def category_object(category: Category, count: int) -> Data:
    """A category; count: its products."""
    return {
        "id": category.id, "name": category.name, "slug": category.slug, "parent": category.parent_id or 0,
        "description": category.description, "display": "default", "image": None, "menu_order": category.position,
        "count": count,
    }  # fmt: skip


def review_object(review: Review, product: Product | None) -> Data:
    """A review of a product, which may be gone."""
    return {
        "id": review.id,
        **format_times("date_created", review.created),
        "product_id": review.product_id,
        "product_name": product.name if product else "",
        "status": review.status,
        "reviewer": review.reviewer,
        "reviewer_email": review.email,
        "review": review.text,
        "rating": review.rating,
        "verified": review.verified,
    }


def address_object(address: Address, *, with_email: bool) -> Data:
    """An address; only that of the bill has one of mail."""
    address_fields = {
        "first_name": address.first_name, "last_name": address.last_name, "company": address.company,
        "address_1": address.street, "address_2": address.street_2, "city": address.city, "state": address.state,
        "postcode": address.postcode, "country": address.country,
    }  # fmt: skip
    return {**address_fields, **({"email": address.email} if with_email else {}), "phone": address.phone}


def order_object(store: Store, view: OrderView) -> Data:
    """An order with its lines, taxes, shipping, coupons and refunds."""
    order, lines, settings = view.order, view.lines, settings_of(store)
    return {
        "id": order.id,
        "parent_id": 0,
        "status": order.status,
        "currency": order.currency,
        "prices_include_tax": order.prices_include_tax,
        **format_times("date_created", order.created),
        **format_times("date_modified", order.modified),
        "discount_total": format_money(order.discount_cents),
        "discount_tax": format_money(order.discount_tax_cents),
        "shipping_total": format_money(order.shipping_cents),
        "shipping_tax": format_money(order.shipping_tax_cents),
        "cart_tax": format_money(sum(line.tax_cents for line in lines)),
        "total": format_money(order.total_cents),
        "total_tax": format_money(order.tax_cents),
        "customer_id": order.customer_id or 0,
        "order_key": f"wc_order_{sha256(str(order.id).encode()).hexdigest()[:13]}",
        "billing": address_object(order.billing, with_email=True),
        "shipping": address_object(order.shipping, with_email=False),
        "payment_method": order.payment_method,
        "payment_method_title": order.payment_title,
        "transaction_id": order.transaction,
        "created_via": order.created_via,
        "customer_note": order.customer_note,
        **format_times("date_completed", order.completed),
        **format_times("date_paid", order.paid),
        "number": str(order.id),
        "meta_data": meta_data(order.id, order.meta),
        "line_items": [_line_item(store, line) for line in lines],
        "tax_lines": _tax_lines(store, order, lines, settings),
        "shipping_lines": _shipping_lines(order),
        "fee_lines": [],
        "coupon_lines": [
            {
                "id": order.id * 10 + place,
                "code": use.code,
                "discount": format_money(use.discount_cents),
                "discount_tax": format_money(use.discount_tax_cents),
                "meta_data": [],
            }
            for place, use in enumerate(order.coupons)
        ],
        "refunds": [
            {"id": refund.id, "reason": refund.reason, "total": format_money(-refund.amount_cents)}
            for refund in view.refunds
        ],
        "is_editable": order.status in ("pending", "on-hold"),
        "needs_payment": order.status in ("pending", "failed"),
        "needs_processing": True,
        "currency_symbol": SYMBOLS.get(order.currency, order.currency),
    }


def _line_item(store: Store, line: OrderLine) -> Data:
    parent = store.find(Product, "id = ?", [line.product_id]) if line.variant_id else []
    return {
        "id": line.id,
        "name": line.name,
        "product_id": line.product_id,
        "variation_id": line.variant_id or 0,
        "quantity": line.quantity,
        "tax_class": "" if line.tax_class == "standard" else line.tax_class,
        "subtotal": format_money(line.subtotal_cents),
        "subtotal_tax": format_money(line.subtotal_tax_cents),
        "total": format_money(line.total_cents),
        "total_tax": format_money(line.tax_cents),
        "taxes": [],
        "meta_data": meta_data(line.id, line.meta),
        "sku": line.sku,
        "price": round(line.total_cents / line.quantity / 100, 2) if line.quantity else 0,
        "parent_name": parent[0].name if parent else None,
    }


def _tax_lines(store: Store, order: Order, lines: Sequence[OrderLine], settings: Settings) -> list[Data]:
    if not order.tax_cents:
        return []
    country = order.shipping.country or settings.country
    rates = store.find(TaxRate, "country IN (?, '')", [country], order="priority, id")
    label = rates[0].name if rates else "Tax"
    return [
        {
            "id": order.id * 10 + 5, "rate_code": f"{country}-{label.upper().replace(' ', '-')}-1",
            "rate_id": rates[0].id if rates else 0, "label": label, "compound": False,
            "tax_total": format_money(sum(line.tax_cents for line in lines)),
            "shipping_tax_total": format_money(order.shipping_tax_cents),
            "rate_percent": float(percent_of(rates, country, "standard")), "meta_data": [],
        }
    ]  # fmt: skip


def _shipping_lines(order: Order) -> list[Data]:
    if not order.shipping_title and not order.shipping_cents:
        return []
    return [
        {
            "id": order.id * 10 + 6,
            "method_title": order.shipping_title,
            "method_id": order.shipping_method,
            "instance_id": "",
            "total": format_money(order.shipping_cents),
            "total_tax": format_money(order.shipping_tax_cents),
            "taxes": [],
            "meta_data": [],
        }
    ]


def note_object(note: OrderNote) -> Data:
    """A note on an order."""
    return {
        "id": note.id, "author": note.author, **format_times("date_created", note.created), "note": note.text,
        "customer_note": note.for_customer,
    }  # fmt: skip


def refund_object(store: Store, refund: Refund) -> Data:
    """A refund with what came back, in negative numbers."""
    lines = {line.id: line for line in store.find(OrderLine, "order_id = ?", [refund.order_id])}
    return {
        "id": refund.id,
        "parent_id": refund.order_id,
        **format_times("date_created", refund.created),
        "amount": format_money(refund.amount_cents),
        "reason": refund.reason,
        "refunded_by": 1,
        "refunded_payment": refund.paid_back,
        "meta_data": [],
        "line_items": [
            {
                **_line_item(store, lines[part.line_id]),
                "quantity": -part.quantity,
                "total": format_money(-part.total_cents),
                "total_tax": format_money(-part.tax_cents),
                "meta_data": [{"id": 0, "key": "_refunded_item_id", "value": str(part.line_id)}],
            }
            for part in refund.lines
            if part.line_id in lines
        ],
    }


def customer_object(customer: Customer, sales: Mapping[int, list[Order]]) -> Data:
    """A customer."""
    return {
        "id": customer.id,
        **format_times("date_created", customer.created),
        **format_times("date_modified", customer.modified),
        "email": customer.email,
        "first_name": customer.first_name,
        "last_name": customer.last_name,
        "role": customer.role,
        "username": customer.username,
        "billing": address_object(customer.billing, with_email=True),
        "shipping": address_object(customer.shipping, with_email=False),
        "is_paying_customer": line_of(customer, sales, details=False).orders > 0,
        "meta_data": meta_data(customer.id, customer.meta),
    }


def coupon_object(store: Store, coupon: Coupon) -> Data:
    """A coupon."""
    users = [
        order.billing.email for order in store.find(Order, "has_words(?, coupons)", [f'"{coupon.code}"'])
    ] if coupon.used else []  # fmt: skip
    percent = coupon.kind == "percent"
    return {
        "id": coupon.id,
        "code": coupon.code,
        "amount": f"{coupon.percent:.2f}" if percent else format_money(coupon.amount_cents),
        "status": coupon.status,
        **format_times("date_created", coupon.created),
        **format_times("date_modified", coupon.modified),
        "discount_type": coupon.kind,
        "description": coupon.description,
        **format_times("date_expires", coupon.expires),
        "usage_count": coupon.used,
        "individual_use": coupon.individual_use,
        "product_ids": coupon.product_ids,
        "excluded_product_ids": coupon.excluded_product_ids,
        "usage_limit": coupon.usage_limit,
        "usage_limit_per_user": coupon.usage_limit_per_user,
        "limit_usage_to_x_items": None,
        "free_shipping": coupon.free_shipping,
        "product_categories": coupon.category_ids,
        "excluded_product_categories": [],
        "exclude_sale_items": coupon.exclude_sale_items,
        "minimum_amount": format_money(coupon.minimum_cents),
        "maximum_amount": format_money(coupon.maximum_cents),
        "email_restrictions": coupon.emails,
        "used_by": users,
        "meta_data": meta_data(coupon.id, coupon.meta),
    }
