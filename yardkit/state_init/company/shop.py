"""The web shop of a seeded company: products, a year of orders, customers with doubles among them, coupons, reviews.

Numbers, stock and prices are the cast's. What was taken out of the stock is no longer in it, and every total follows
from its lines, as in a shop that ran.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from yardkit.apps.shop import (
    APP,
    RECORDS,
    SOLD,
    TAKES_STOCK,
    Address,
    Category,
    Coupon,
    CouponUse,
    Customer,
    Order,
    OrderLine,
    OrderNote,
    OrderStatus,
    Product,
    Refund,
    RefundLine,
    Review,
    ReviewStatus,
    TaxRate,
)
from yardkit.apps.shop_sums import compute_reductions, percent_of, split_tax, summed_line, summed_order
from yardkit.apps.store import Store, open_store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.goods import Product as Goods
from yardkit.state_init.company.goods import Variant
from yardkit.state_init.company.persons import address_of, fresh_names
from yardkit.state_init.company.shop_sales import put_sale
from yardkit.state_init.company.shop_terms import put_coupons, put_terms
from yardkit.state_init.company.stories import Stories
from yardkit.state_init.names import CITIES, STREETS
from yardkit.world import World

_GROUPS = {
    "Furniture": ("Seating", "Desks", "Storage"),
    "Equipment": ("Lighting", "Desk equipment", "Electronics", "Meeting rooms"),
    "Living": ("Kitchen", "Comfort", "Plants"),
    "Workwear": (),
}
_MAILS = ("post.example", "letterbox.example", "webmail.example")
_WAYS = ("paypal", "card", "bacs")
_SAYINGS = {
    5: ("Exactly as described.", "Second one that I bought. Still happy.", "Solid, and here within two days."),
    4: ("Good, though the packing was torn.", "Nice colour, a little smaller than I thought.", "Does what it should."),
    3: ("All right for the price.", "The screws were missing, service sent them.", "Arrived a week late."),
    2: ("Wobbles on our floor.", "The colour is not that of the picture.", "Took three weeks to come."),
    1: ("Broken when it came.", "Wrong model in the box.", "Stopped working after a month."),
}
_WISHES = (
    *("Please leave it with the neighbours.", "Ring twice.", "Second floor, no lift.", "Needed before Friday."),
    *("Invoice to accounting, please.", "It is a present: no invoice in the parcel."),
)
_REASONS = ("Damaged in transit", "Wrong colour", "Sent back within 14 days", "Arrived too late", "Part missing")
CARRIERS = ("Parcel North", "Rapid Post", "Blue Van")
"""They ship what was ordered."""
DEPOTS = "147"
"""A digit of each, with which the numbers of parcels begin."""


Sale = tuple[int | None, str | None, str | None]
"""A lower price, from when, until when."""


@dataclass(frozen=True)
class ShopFilled:
    """What tasks point at. products: numbers by SKU, of variants too; customers: by address; orders: stories first."""

    products: dict[str, int]
    customers: dict[str, int]
    orders: tuple[Order, ...]


def fill_shop(
    world: World,
    cast: Cast,
    rng: random.Random,
    stories: Stories | None = None,
    *,
    orders: int = 600,
    shoppers: int = 120,
    tax_by_country: bool = False,
) -> ShopFilled:
    """The shop of a company: all products of the cast, an account for each contact of its customers, `shoppers` private
    people, the orders of the story lines under their numbers, and `orders` of the last year, from 20,001 on.

    Tax is that of the cast everywhere or, `tax_by_country`, that of where a parcel goes.
    """
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        put_terms(store, cast, tax_by_country=tax_by_country)
        products = _put_products(store, cast, rng)
        customers = _put_customers(store, cast, rng, shoppers)
        coupons = put_coupons(store, rng)
        by_sku = {product.sku: product for product in products}
        by_mail = {customer.email: customer for customer in customers}
        sales = [put_sale(store, sale, by_sku, by_mail) for sale in (stories.sales if stories else ())]
        all_orders = [*sales, *_Orders(store, cast, rng, products, customers, coupons).put(orders)]
        for coupon in coupons:
            store.put(
                replace(coupon, used=sum(use.code == coupon.code for order in all_orders for use in order.coupons))
            )
        _put_reviews(store, rng, products, customers)
        return ShopFilled(
            {product.sku: product.id for product in products},
            {customer.email: customer.id for customer in customers},
            tuple(all_orders),
        )


def number_parcel(carrier: str, digits: str) -> str:
    """The number of a parcel: the initials of its carrier, the digit of a depot, eight more digits."""
    return "".join(word[0] for word in carrier.split()) + digits


def _put_products(store: Store, cast: Cast, rng: random.Random) -> list[Product]:
    numbers: dict[str, int] = {}
    for group, names in _GROUPS.items():
        for name in (group, *names):
            numbers[name] = len(numbers) + 11
            parent = numbers[group] if name != group else None
            store.put(Category(numbers[name], name, name.lower().replace(" ", "-"), "", parent, len(numbers)))
    new_products: list[Product] = []
    for goods in cast.products:
        sale = _choose_sale(rng, store.now, goods.price)
        product = _make_product(
            cast,
            goods,
            101 + len(new_products),
            numbers[goods.category],
            _choose_time(rng, store.now, goods.introduced),
        )
        product = replace(product, tags=_choose_tags(rng, goods.sku))
        if not goods.active:
            product = replace(product, status=rng.choice(("draft", "private")))
        new_products.append(product if goods.variants else _set_price(product, goods.price, goods.stock, sale))
        for place, variant in enumerate(goods.variants, 1):
            new_products.append(_make_variant(product, variant, product.id + place, goods.price, sale))
    for product in new_products:
        store.put(product)
    return new_products


def _make_product(cast: Cast, goods: Goods, number: int, category: int, born: str) -> Product:
    return Product(
        number,
        goods.name,
        goods.sku.lower(),
        "variable" if goods.variants else "simple",
        "publish",
        goods.sku,
        born,
        born,
        description=goods.description,
        short_description=goods.name,
        low_stock=goods.reorder_at,
        weight_kg=goods.weight_g / 1_000,
        category_ids=[category],
        options={
            variant.option.capitalize(): [variant_name.value for variant_name in goods.variants]
            for variant in goods.variants
        },
        images=[f"https://shop.{cast.domain}/images/{goods.sku.lower()}.jpg"],
        meta={"supplier": goods.supplier, "cost_cents": goods.cost},
    )


def _make_variant(product: Product, variant: Variant, number: int, price: int, sale: Sale) -> Product:
    """A variant of a product; its surcharge holds in the sale, too."""
    lower = None if sale[0] is None else sale[0] + variant.price - price
    part = replace(
        product, id=number, name=f"{product.name} - {variant.value}", slug=variant.sku.lower(), kind="variation",
        sku=variant.sku, parent_id=product.id, options={variant.option.capitalize(): [variant.value]},
        description="", short_description="", category_ids=[], tags=[], meta={},
    )  # fmt: skip
    return _set_price(part, variant.price, variant.stock, (lower, *sale[1:]))


def _set_price(product: Product, price: int, stock: int, sale: Sale) -> Product:
    lower, begins, ends = sale
    return replace(
        product, price_cents=price, sale_price_cents=lower, sale_from=begins, sale_until=ends, stock=stock,
        stock_status="instock" if stock else "outofstock",
    )  # fmt: skip


def _choose_tags(rng: random.Random, sku: str) -> list[str]:
    return sorted({*rng.sample(("bestseller", "new", "eco", "office", "home", "gift"), rng.randint(0, 2)),
                   *(["successor"] if sku.endswith("B") else [])})  # fmt: skip


def _choose_sale(rng: random.Random, now: datetime, price: int) -> Sale:
    """Some sales run now, some are over, some begin later; most products have none."""
    if rng.random() > 0.18:
        return None, None, None
    begins = datetime.combine(now.date() + timedelta(days=rng.choice((-60, -20, -9, 12))), time(), now.tzinfo)
    ends = begins + timedelta(days=rng.choice((14, 30)))
    return round(price * rng.choice((0.8, 0.85, 0.9)) / 10) * 10, begins.isoformat(), ends.isoformat()


def _put_customers(store: Store, cast: Cast, rng: random.Random, shoppers: int) -> list[Customer]:
    new_customers: list[Customer] = []
    for firm in cast.customers:
        for contact in firm.contacts:
            place = Address(
                contact.first, contact.last, firm.name, firm.company.street, "", firm.company.city,
                firm.company.postcode, "", firm.company.vat[:2], contact.email, contact.phone,
            )  # fmt: skip
            meta = {"customer_number": firm.number, "payment_days": firm.payment_days}
            new_customers.append(_make_account(store, rng, place, len(new_customers), meta))
    taken = [(colleague.first, colleague.last) for colleague in cast.staff] + [
        (contact.first, contact.last) for contact in cast.contacts
    ]
    for number, (first, last) in enumerate(fresh_names(rng, shoppers, taken)):
        place = _make_home_address(rng, first, last)
        if number % 15 == 7:  # the same person once more, with another address of mail
            same_billing = new_customers[-1].billing
            place = replace(
                same_billing, email=f"{same_billing.email.partition('@')[0]}@{_other_mail(same_billing.email)}"
            )
        elif number % 15 == 11:  # another of the same family at the same address
            home = new_customers[-1].billing
            email = address_of(first, home.last_name, _MAILS[0])
            place = replace(home, first_name=first, email=email, phone=place.phone)
        new_customers.append(_make_account(store, rng, place, len(new_customers), {"newsletter": rng.random() < 0.4}))
    for customer in new_customers:
        store.put(customer)
    return new_customers


def _other_mail(email: str) -> str:
    return _MAILS[(_MAILS.index(email.split("@")[1]) + 1) % len(_MAILS)]


def _make_home_address(rng: random.Random, first: str, last: str) -> Address:
    city, postcode, _, code = rng.choice(CITIES)
    street = f"{rng.randint(1, 180)} {rng.choice(STREETS)}"
    phone = f"+{rng.randint(30, 49)} {rng.randint(20, 99)} 555 {rng.randint(0, 9_999):04d}"
    email = address_of(first, last, rng.choice(_MAILS))
    return Address(first, last, "", street, "", city, postcode, "", code, email, phone)


def _make_account(store: Store, rng: random.Random, place: Address, number: int, meta: dict[str, object]) -> Customer:
    born = (store.now - timedelta(days=rng.randint(370, 1_500), minutes=rng.randint(0, 900))).isoformat()
    away = replace(place, email="", street=f"{rng.randint(1, 90)} {rng.choice(STREETS)}")
    return Customer(
        201 + number, place.email, place.first_name, place.last_name, place.email.split("@")[0], born, born,
        billing=place, shipping=away if rng.random() < 0.1 else replace(place, email=""), meta=dict(meta),
    )  # fmt: skip


class _Orders:
    """A year of orders, one after the other in time."""

    def __init__(
        self,
        store: Store,
        cast: Cast,
        rng: random.Random,
        products: Sequence[Product],
        customers: Sequence[Customer],
        coupons: Sequence[Coupon],
    ) -> None:
        self.store, self.cast, self.rng = store, cast, rng
        self.sold = [product for product in products if product.kind != "variable" and product.status == "publish"]
        self.parents = {product.id: product for product in products}
        self.customers, self.coupons = customers, coupons
        self.rates = store.find(TaxRate)
        self.line_id, self.note_id, self.refund_id = (store.next_id(kind) for kind in (OrderLine, OrderNote, Refund))

    def put(self, count: int) -> list[Order]:
        """`count` orders, oldest first."""
        seconds = sorted(self.rng.randint(1_800, 365 * 86_400) for _ in range(count))[::-1]
        moments = [self.store.now - timedelta(seconds=second) for second in seconds]
        return [self._make_order(20_001 + place, moment) for place, moment in enumerate(moments)]

    def _make_order(self, number: int, moment: datetime) -> Order:
        rng, customer = self.rng, self.rng.choice(self.customers)
        guest = rng.random() < 0.07
        status = self._choose_status((self.store.now - moment).days)
        way = rng.choice(_WAYS)
        title = {"paypal": "PayPal", "card": "Card", "bacs": "Bank transfer"}[way]
        paid = moment + timedelta(minutes=rng.randint(1, 30) if way != "bacs" else rng.randint(600, 5_000))
        done = min(paid + timedelta(days=rng.randint(1, 6), minutes=rng.randint(0, 500)), self.store.now)
        was_paid = status in ("processing", "completed", "refunded")
        at = moment.isoformat()
        order = Order(
            number, status, None if guest else customer.id, at, at, self.cast.currency, billing=customer.billing,
            prices_include_tax=False, shipping=customer.shipping, payment_method=way, payment_title=title,
            paid=min(paid, self.store.now).isoformat() if was_paid else None,
            completed=done.isoformat() if status in ("completed", "refunded") else None,
            transaction=f"T{rng.randint(10**9, 10**10 - 1)}" if was_paid and way != "bacs" else "",
            customer_note=rng.choice(_WISHES) if rng.random() < 0.12 else "",
        )  # fmt: skip
        order = replace(order, modified=order.completed or order.paid or at)
        lines, order = self._sum_order(self._make_lines(order), order)
        self.store.put(order)
        for line in lines:
            self.store.put(line)
        self._follow_order(order, lines, done)
        return order

    def _choose_status(self, days: int) -> OrderStatus:
        """Young orders are open, old ones are done, but for a few that were forgotten."""
        chances: dict[OrderStatus, int] = {"completed": 82, "cancelled": 7, "refunded": 4, "failed": 4, "processing": 1}
        if days < 8:
            chances = {"processing": 55, "pending": 16, "on-hold": 12, "completed": 10, "cancelled": 4, "failed": 3}
        elif days < 20:
            chances = {"completed": 74, "processing": 10, "on-hold": 5, "cancelled": 6, "refunded": 3, "pending": 2}
        return self.rng.choices([*chances], [*chances.values()])[0]

    def _make_lines(self, order: Order) -> list[OrderLine]:
        rng = self.rng
        chosen = rng.sample(self.sold, rng.choices((1, 2, 3, 5), (50, 28, 15, 7))[0])
        lines = []
        for product in chosen:
            quantity = rng.choices((1, 2, 4, 10), (62, 24, 10, 4))[0]
            ids = product.parent_id or product.id, product.id if product.parent_id else None
            price = product.price_cents or 0
            if (product.sale_from or "9") <= order.created < (product.sale_until or "0"):
                price = product.sale_price_cents or price
            taken = order.status in TAKES_STOCK or order.status == "refunded"
            line = OrderLine(self.line_id, order.id, *ids, product.sku, product.name, quantity, price)
            lines.append(replace(line, from_stock=quantity if taken else 0))
            self.line_id += 1
        return lines

    def _sum_order(self, lines: list[OrderLine], order: Order) -> tuple[list[OrderLine], Order]:
        country = order.shipping.country
        percent = percent_of(self.rates, country, "standard")
        coupon = self._choose_coupon(order, sum(line.price_cents * line.quantity for line in lines))
        holds = [not coupon.category_ids or self._is_in(line, coupon) for line in lines] if coupon else []
        cut = compute_reductions(coupon, lines, holds) if coupon else [0] * len(lines)
        new = [summed_line(line, percent, off, included=False) for line, off in zip(lines, cut, strict=True)]
        parts = [split_tax(off, percent, included=False) for off in cut]
        uses = [CouponUse(coupon.code, sum(p[0] for p in parts), sum(p[1] for p in parts))] if coupon else []
        home = country == self.cast.offices[0].country_code
        worth = sum(line.total_cents for line in new)
        title, cost = ("Parcel", 590) if home else ("Parcel abroad", 1_290)
        kind = "flat_rate"
        if (home and worth >= 15_000) or (coupon and coupon.free_shipping):
            kind, title, cost = "free_shipping", "Free parcel", 0
        net, tax = split_tax(cost, percent, included=False)
        order = replace(order, shipping_method=kind, shipping_title=title, shipping_cents=net, shipping_tax_cents=tax)
        return new, summed_order(order, new, uses)

    def _is_in(self, line: OrderLine, coupon: Coupon) -> bool:
        return bool({*self.parents[line.product_id].category_ids} & {*coupon.category_ids})

    def _choose_coupon(self, order: Order, worth: int) -> Coupon | None:
        fitting = [
            coupon
            for coupon in self.coupons
            if coupon.created <= order.created < (coupon.expires or "9")
            and worth >= coupon.minimum_cents
            and not coupon.category_ids
            and coupon.code in ("welcome10", "welcome15", "spring26", "spring25", "sorry20", "sorry5", "freeparcel")
        ]
        return self.rng.choice(fitting) if fitting and self.rng.random() < 0.11 else None

    def _follow_order(self, order: Order, lines: list[OrderLine], done: datetime) -> None:
        rng = self.rng
        if order.completed:
            digits, carrier = f"{rng.choice(DEPOTS)}{rng.randint(10**7, 10**8 - 1)}", rng.choice(CARRIERS)
            shipping_note = f"Sent with {carrier}, tracking number {number_parcel(carrier, digits)}."
            self._add_note(order, done, shipping_note, for_customer=True)
        if order.status == "on-hold":
            self._add_note(order, datetime.fromisoformat(order.created), rng.choice(
                ("Waiting for the transfer.", "Address to be checked.", "Held: unusual quantity.")))  # fmt: skip
        if order.status == "refunded":
            self._refund_order(order, lines, done, is_full=True)
        elif order.status == "completed" and rng.random() < 0.04:
            self._refund_order(order, [rng.choice(lines)], done, is_full=False)

    def _add_note(self, order: Order, moment: datetime, text: str, *, for_customer: bool = False) -> None:
        author = self.rng.choice(
            [colleague.name for colleague in self.cast.staff if colleague.department in ("Sales", "Operations")]
        )
        at = moment.isoformat()
        self.store.put(OrderNote(self.note_id, order.id, at, author, text, for_customer))
        self.note_id += 1

    def _refund_order(self, order: Order, lines: list[OrderLine], done: datetime, *, is_full: bool) -> None:
        at = min(done + timedelta(days=self.rng.randint(1, 18)), self.store.now).isoformat()
        parts = [RefundLine(line.id, line.quantity, line.total_cents, line.tax_cents) for line in lines]
        amount = order.total_cents if is_full else sum(part.total_cents + part.tax_cents for part in parts)
        if amount <= 0:
            return
        restocked = self.rng.random() < 0.7
        reason = self.rng.choice(_REASONS)
        self.store.put(Refund(self.refund_id, order.id, at, amount, reason, parts, restocked, paid_back=True))
        self.refund_id += 1
        for line in lines if restocked else ():
            self.store.put(replace(line, from_stock=0))
        self.store.put(replace(order, modified=at))


def _put_reviews(store: Store, rng: random.Random, products: Sequence[Product], customers: Sequence[Customer]) -> None:
    parents = [product for product in products if product.parent_id is None and product.status == "publish"]
    buyers = {customer.id: customer for customer in customers}
    orders = [order for order in store.find(Order) if order.status in SOLD and order.customer_id]
    days = sorted((rng.randint(1, 330) for _ in range(len(parents) * 2)), reverse=True)
    for number, day in enumerate(days, 1):
        order = rng.choice(orders)
        line = store.find(OrderLine, "order_id = ?", [order.id])[0]
        verified = rng.random() < 0.8 and line.product_id in {product.id for product in parents}
        product = line.product_id if verified else rng.choice(parents).id
        customer = buyers[order.customer_id or 0]
        rating = rng.choices((5, 4, 3, 2, 1), (45, 28, 12, 8, 7))[0]
        statuses: tuple[ReviewStatus, ...] = ("approved", "hold", "spam")
        status = rng.choices(statuses, (88, 9, 3))[0]
        text = "Cheap pills, click here!" if status == "spam" else rng.choice(_SAYINGS[rating])
        at = (store.now - timedelta(days=day, minutes=rng.randint(0, 1_000))).isoformat()
        name = f"{customer.first_name} {customer.last_name[0]}."
        store.put(Review(number, product, at, name, customer.email, rating, text, status, verified))


def _choose_time(rng: random.Random, now: datetime, day: date) -> str:
    return datetime.combine(day, time(rng.randint(7, 17), rng.randint(0, 59)), now.tzinfo).isoformat()
