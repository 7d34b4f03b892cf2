"""Shipping, taxes, settings, ways to pay, webhooks and what is told of the system."""

from typing import Any, Literal

from yardkit.apps.shop import Gateway, Order, Product, ShippingMethod, ShippingZone, TaxRate, Webhook
from yardkit.apps.store import Store, drop_missing
from yardkit.compat.toolathlon.shop.app import Data, format_money, format_times, page_of, parse_cents
from yardkit.servers.shop.engine.context import opened_shop, settings_of
from yardkit.world import Problem, current_world

ToolId = Literal[
    "clear_transients", "clear_expired_transients", "clear_orphaned_variations", "add_order_indexes", "recount_terms",
    "reset_roles", "clear_sessions", "clear_template_cache", "clear_system_status_theme_info_cache",
]  # fmt: skip
GroupId = Literal[
    "general", "products", "tax", "shipping", "checkout", "account", "email", "integration", "advanced", "rest-api"
]
_TOOLS: dict[ToolId, tuple[str, str]] = {
    "clear_transients": ("WooCommerce transients", "Clears the cache of products."),
    "clear_expired_transients": ("Expired transients", "Clears what has expired of the cache."),
    "clear_orphaned_variations": ("Orphaned variations", "Deletes all variations which have no parent."),
    "add_order_indexes": ("Order address indexes", "Adds addresses to the index of orders."),
    "recount_terms": ("Term counts", "Recounts the products of categories and tags."),
    "reset_roles": ("Capabilities", "Resets the roles of users."),
    "clear_sessions": ("Clear customer sessions", "Clears carts that nobody has ordered."),
    "clear_template_cache": ("Clear template cache", "Clears the cache of templates."),
    "clear_system_status_theme_info_cache": (
        "Clear theme info cache",
        "Clears the cache of what is told of the theme.",
    ),
}
_TOPICS = [
    f"{kind}.{event}"
    for kind in ("coupon", "customer", "order", "product")
    for event in ("created", "updated", "deleted")
]
_METHODS = {"flat_rate": "Flat rate", "free_shipping": "Free shipping", "local_pickup": "Local pickup"}
_GROUPS: dict[GroupId, str] = {
    "general": "General", "products": "Products", "tax": "Tax", "shipping": "Shipping", "checkout": "Payments",
    "account": "Accounts & Privacy", "email": "Emails", "integration": "Integration", "advanced": "Advanced",
    "rest-api": "REST API",
}  # fmt: skip


def _build_zone_object(zone: ShippingZone) -> Data:
    return {"id": zone.id, "name": zone.name, "order": zone.position}


def _build_method_object(method: ShippingMethod) -> Data:
    options = {
        "title": method.title,
        "cost": format_money(method.cost_cents),
        "min_amount": format_money(method.minimum_cents),
    }
    setting_objects = {name: {"id": name, "value": value} for name, value in {**options, **method.settings}.items()}
    return {
        "id": method.id, "instance_id": method.id, "title": method.title, "order": method.position,
        "enabled": method.enabled, "method_id": method.kind, "method_title": _METHODS.get(method.kind, method.kind),
        "settings": setting_objects,
    }  # fmt: skip


def woo_shipping_zones_list(store: Store) -> Any:
    return [_build_zone_object(zone) for zone in store.find(ShippingZone, order="position")]


def woo_shipping_zones_get(store: Store, zoneId: int) -> Any:
    return _build_zone_object(store.get(ShippingZone, zoneId))


def woo_shipping_zones_create(store: Store, name: str, order: int | None = None) -> Any:
    number = store.next_id(ShippingZone)
    return _build_zone_object(store.put(ShippingZone(number, name, number if order is None else order)))


def woo_shipping_zones_update(store: Store, zoneId: int, name: str | None = None, order: int | None = None) -> Any:
    zone = store.get(ShippingZone, zoneId)
    return _build_zone_object(store.change(zone, **drop_missing(name=name, position=order)))


def woo_shipping_zone_methods_list(store: Store, zoneId: int) -> Any:
    zone = store.get(ShippingZone, zoneId)
    return [
        _build_method_object(method)
        for method in store.find(ShippingMethod, "zone_id = ?", [zone.id], order="position")
    ]


def woo_shipping_zone_methods_create(
    store: Store, zoneId: int, methodId: str, enabled: bool = True, settings: Data | None = None
) -> Any:
    if methodId not in _METHODS:
        raise Problem(f"Invalid parameter(s): method_id: {methodId!r} is none of {', '.join(_METHODS)}")
    values = dict(settings or {})
    zone = store.get(ShippingZone, zoneId)
    number = store.next_id(ShippingMethod)
    title = str(values.pop("title", "") or _METHODS[methodId])
    cost, least = (parse_cents(name, values.pop(name, None)) or 0 for name in ("cost", "min_amount"))
    method = ShippingMethod(number, zone.id, methodId, title, cost, least, enabled, number, values)
    return _build_method_object(store.put(method))


def _build_rate_object(rate: TaxRate) -> Data:
    return {
        "id": rate.id, "country": rate.country, "state": rate.state, "postcode": "", "city": "",
        "rate": f"{rate.percent:.4f}", "name": rate.name, "priority": rate.priority, "compound": rate.compound,
        "shipping": rate.shipping, "order": rate.id, "class": rate.tax_class, "postcodes": [], "cities": [],
    }  # fmt: skip


def woo_tax_rates_list(store: Store, taxClass: str = "", perPage: int = 10, page: int = 1) -> Any:
    matching_rates = [rate for rate in store.find(TaxRate) if taxClass in ("", rate.tax_class)]
    return [_build_rate_object(rate) for rate in page_of(matching_rates, page, perPage)]


def woo_tax_rates_get(store: Store, rateId: int) -> Any:
    return _build_rate_object(store.get(TaxRate, rateId))


def woo_tax_rates_create(store: Store, country: str, rate: str, name: str = "Tax", **others: Any) -> Any:
    percent = (parse_cents("rate", rate) or 0) / 100
    if not 0 <= percent <= 100:
        raise Problem(f"Invalid parameter(s): rate: {rate!r} is not between 0 and 100 percent")
    others = {"tax_class" if name == "class_" else name: value for name, value in others.items()}
    return _build_rate_object(
        store.put(TaxRate(store.next_id(TaxRate), country.strip().upper(), percent, name, **others))
    )


def woo_tax_classes_list(store: Store) -> Any:
    names = {"standard", "reduced-rate", "zero-rate", *(rate.tax_class for rate in store.find(TaxRate))}
    rest = sorted(names - {"standard"})
    class_objects = [{"slug": slug, "name": slug.replace("-", " ").capitalize()} for slug in rest]
    return [{"slug": "standard", "name": "Standard rate"}, *class_objects]


def woo_system_status(store: Store) -> Any:
    settings = settings_of(store)
    return {
            "environment": {"home_url": settings.url, "site_url": settings.url, "version": "yardkit"},
            "database": {"database_prefix": "", "orders": store.count(Order), "products": store.count(Product)},
            "active_plugins": [],
            "settings": {
                "api_enabled": True, "currency": settings.currency, "currency_position": "right_space",
                "thousand_separator": ",", "decimal_separator": ".", "number_of_decimals": 2,
            },
        }  # fmt: skip


def _build_tool_object(number: ToolId) -> Data:
    name, description = _TOOLS[number]
    return {"id": number, "name": name, "action": "Run", "description": description}


def woo_system_tools_list() -> Any:
    return [_build_tool_object(number) for number in _TOOLS]


def woo_system_tools_run(toolId: ToolId) -> Any:
    message = "There was nothing to do."
    if toolId == "clear_orphaned_variations":
        with opened_shop(current_world(), writes=True) as store:
            there = {product.id for product in store.find(Product)}
            lost = [
                variation
                for variation in store.find(Product, "parent_id IS NOT NULL")
                if variation.parent_id not in there
            ]
            for variant in lost:
                store.remove(variant)
            message = f"{len(lost)} orphaned variations deleted"
    return {**_build_tool_object(toolId), "success": True, "message": message}


def woo_settings_list() -> Any:
    return [
        {"id": key, "label": label, "description": "", "parent_id": "", "sub_groups": []}
        for key, label in _GROUPS.items()
    ]


def woo_settings_get(store: Store, groupId: GroupId) -> Any:
    settings = settings_of(store)
    stored_settings: dict[str, dict[str, tuple[str, str]]] = {
        "general": {
            "woocommerce_default_country": ("Country / State", settings.country),
            "woocommerce_currency": ("Currency", settings.currency),
            "woocommerce_price_num_decimals": ("Number of decimals", "2"),
        },
        "products": {
            "woocommerce_weight_unit": ("Weight unit", settings.weight_unit),
            "woocommerce_manage_stock": ("Manage stock", "yes"),
            "woocommerce_notify_low_stock_amount": ("Low stock threshold", str(settings.low_stock)),
        },
        "tax": {
            "woocommerce_prices_include_tax": (
                "Prices entered with tax",
                "yes" if settings.prices_include_tax else "no",
            ),
            "woocommerce_tax_based_on": ("Calculate tax based on", "shipping"),
        },
    }
    options = stored_settings.get(groupId, {})
    return [
        {"id": key, "label": label, "description": "", "type": "text", "default": value, "tip": "", "value": value}
        for key, (label, value) in options.items()
    ]


def _build_gateway_object(gateway: Gateway) -> Data:
    setting_objects = {
        name: {"id": name, "value": value} for name, value in {"title": gateway.title, **gateway.settings}.items()
    }
    return {
        "id": gateway.id, "title": gateway.title, "description": gateway.description, "order": gateway.position,
        "enabled": gateway.enabled, "method_title": gateway.title, "method_description": gateway.description,
        "settings": setting_objects,
    }  # fmt: skip


def woo_payment_gateways_list(store: Store) -> Any:
    return [_build_gateway_object(gateway) for gateway in store.find(Gateway, order="position")]


def woo_payment_gateways_get(store: Store, gatewayId: str) -> Any:
    return _build_gateway_object(store.get(Gateway, gatewayId))


def woo_payment_gateways_update(
    store: Store,
    gatewayId: str,
    enabled: bool | None = None,
    title: str | None = None,
    description: str | None = None,
    settings: Data | None = None,
) -> Any:
    gateway = store.get(Gateway, gatewayId)
    values = drop_missing(enabled=enabled, title=title, description=description)
    return _build_gateway_object(store.change(gateway, **values, settings={**gateway.settings, **(settings or {})}))


def _build_hook_object(hook: Webhook) -> Data:
    resource, _, event = hook.topic.partition(".")
    return {
        "id": hook.id, "name": hook.name, "status": hook.status, "topic": hook.topic, "resource": resource,
        "event": event, "hooks": [], "delivery_url": hook.url, **format_times("date_created", hook.created),
    }  # fmt: skip


def woo_webhooks_list(store: Store, perPage: int = 10, page: int = 1, status: str | None = None) -> Any:
    hooks = [hook for hook in store.find(Webhook, order="created DESC") if status in (None, hook.status)]
    return [_build_hook_object(hook) for hook in page_of(hooks, page, perPage)]


def woo_webhooks_create(
    store: Store,
    name: str,
    topic: str,
    delivery_url: str,
    status: Literal["active", "paused", "disabled"] = "active",
    secret: str = "",
) -> Any:
    if topic not in _TOPICS:
        raise Problem(f"Invalid parameter(s): topic: {topic!r} is none of {', '.join(_TOPICS)}")
    if not delivery_url.startswith(("http://", "https://")):
        raise Problem(f"Invalid parameter(s): delivery_url: {delivery_url!r} does not begin with https://")
    number, stamp = store.next_id(Webhook), store.make_stamp(Webhook, "created")
    return _build_hook_object(store.put(Webhook(number, name, topic, delivery_url, status, stamp, secret)))
