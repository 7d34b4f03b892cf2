"""Customers and coupons."""

from collections.abc import Mapping
from typing import Any

from yardkit.apps.shop import Coupon, Customer
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.shop.app import Data, check_fields, meta_of, page_of, parse_cents
from yardkit.compat.toolathlon.shop.objects import coupon_object, customer_object
from yardkit.kit.times import to_moment
from yardkit.servers.shop.engine.coupons import put_coupon
from yardkit.servers.shop.engine.customers import put_customer, sales_of
from yardkit.world import Problem

_ADDRESS = {
    "first_name": "first_name", "last_name": "last_name", "company": "company", "address_1": "street",
    "address_2": "street_2", "city": "city", "state": "state", "postcode": "postcode", "country": "country",
    "email": "email", "phone": "phone",
}  # fmt: skip
_COUPON = {
    "code": "code", "discount_type": "kind", "description": "description", "individual_use": "individual_use",
    "product_ids": "product_ids", "excluded_product_ids": "excluded_product_ids", "usage_limit": "usage_limit",
    "usage_limit_per_user": "usage_limit_per_user", "free_shipping": "free_shipping", "status": "status",
    "product_categories": "category_ids", "exclude_sale_items": "exclude_sale_items", "email_restrictions": "emails",
}  # fmt: skip
_DATES = ("date_created", "date_created_gmt", "date_modified", "date_modified_gmt")


def address_of(given: Any) -> dict[str, str]:
    """Parts of an address by our names.

    Raises:
        Problem: it is none, or has other parts.
    """
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise Problem(f"Invalid parameter(s): an address is an object, not {str(given)[:60]!r}")
    check_fields(given, _ADDRESS)
    return {_ADDRESS[name]: str(value or "") for name, value in given.items() if name in _ADDRESS}


def woo_customers_list(
    store: Store,
    perPage: int = 10,
    page: int = 1,
    search: str = "",
    email: str = "",
    role: str = "customer",
    orderby: str = "name",
    order: str = "asc",
) -> Any:
    keys: dict[str, Any] = {
        "name": lambda customer: (customer.first_name.casefold(), customer.last_name.casefold(), customer.id),
        "registered_date": lambda customer: (customer.created, customer.id),
    }
    columns = ("email", "first_name", "last_name", "username")
    matching_customers = store.search(Customer, search, *columns, limit=1_000_000).items
    matching_customers = [
        customer
        for customer in matching_customers
        if role in ("all", customer.role) and (not email or customer.email.casefold() == email.strip().casefold())
    ]
    matching_customers.sort(key=keys.get(orderby, lambda customer: customer.id), reverse=order == "desc")
    sales = sales_of(store)
    return [customer_object(customer, sales) for customer in page_of(matching_customers, page, perPage)]


def woo_customers_get(store: Store, customerId: int) -> Any:
    return customer_object(store.get(Customer, customerId), sales_of(store))


def woo_customers_create(store: Store, customerData: Data) -> Any:
    return _put_customer(store, None, customerData)


def woo_customers_update(store: Store, customerId: int, customerData: Data) -> Any:
    return _put_customer(store, customerId, customerData)


def woo_coupons_list(store: Store, perPage: int = 10, page: int = 1, search: str = "", code: str = "") -> Any:
    where, values = ("code = ? COLLATE NOCASE", [code.strip()]) if code else ("status != 'trash'", [])
    coupons = store.search(
        Coupon, search, "code", "description", where=where, values=values, order="created DESC",
        offset=(page - 1) * perPage, limit=perPage,
    )  # fmt: skip
    return [coupon_object(store, coupon) for coupon in coupons.items]


def woo_coupons_get(store: Store, couponId: int) -> Any:
    return coupon_object(store, store.get(Coupon, couponId))


def woo_coupons_create(store: Store, couponData: Data) -> Any:
    return _put_coupon(store, None, couponData)


def woo_coupons_update(store: Store, couponId: int, couponData: Data) -> Any:
    return _put_coupon(store, couponId, couponData)


def woo_coupons_delete(store: Store, couponId: int, force: bool = True) -> Any:
    coupon = store.get(Coupon, couponId)
    coupon_data = coupon_object(store, coupon)
    if force:
        store.remove(coupon)
        return coupon_data
    return coupon_object(store, store.change(coupon, status="trash"))


def _put_customer(store: Store, number: int | None, data: Mapping[str, Any]) -> Data:
    field_names = ("email", "first_name", "last_name", "username", "role")
    check_fields(
        data,
        dict.fromkeys((*field_names, "billing", "shipping", "meta_data", "password")),
        (*_DATES, "is_paying_customer"),
    )
    values = {name: str(data[name] or "") for name in field_names if name in data}
    values |= {} if "role" in values or number is not None else {"role": "customer"}
    billing, shipping = (address_of(data.get(name)) for name in ("billing", "shipping"))
    customer = put_customer(store, number, values, billing, shipping, meta_of(data.get("meta_data")))
    return customer_object(customer, sales_of(store))


def _put_coupon(store: Store, number: int | None, data: Mapping[str, Any]) -> Data:
    more = ("amount", "date_expires", "minimum_amount", "maximum_amount", "meta_data")
    displayed_fields = (
        *_DATES,
        "date_expires_gmt",
        "usage_count",
        "limit_usage_to_x_items",
        "excluded_product_categories",
        "used_by",
    )
    check_fields(data, dict.fromkeys((*_COUPON, *more)), displayed_fields)
    kinds = ("percent", "fixed_cart", "fixed_product")
    if data.get("discount_type", "percent") not in kinds:
        raise Problem(f"Invalid parameter(s): discount_type: {data['discount_type']!r} is none of {', '.join(kinds)}")
    values: dict[str, Any] = {ours: data[theirs] for theirs, ours in _COUPON.items() if theirs in data}
    kind = values.get("kind") or (store.get(Coupon, number).kind if number is not None else "fixed_cart")
    values |= {} if number is not None else {"kind": kind}
    if "amount" in data or "kind" in values:
        old = store.get(Coupon, number) if number is not None else None
        old_amount = (old.percent * 100 if old.kind == "percent" else old.amount_cents) if old else 0
        amount = parse_cents("amount", data["amount"]) or 0 if "amount" in data else old_amount
        values |= {
            "percent": amount / 100 if kind == "percent" else 0,
            "amount_cents": 0 if kind == "percent" else int(amount),
        }
    if "date_expires" in data:
        values["expires"] = to_moment(store.now, str(data["date_expires"])) if data["date_expires"] else None
    for theirs, ours in (("minimum_amount", "minimum_cents"), ("maximum_amount", "maximum_cents")):
        if theirs in data:
            values[ours] = parse_cents(theirs, data[theirs]) or 0
    values["meta"] = meta_of(data.get("meta_data"))
    return coupon_object(store, put_coupon(store, number, values))
