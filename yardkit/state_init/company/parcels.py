"""Parcels of a seeded shop: the carriers, what they report by mail, and the working days of their countries."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from yardkit.apps.calendar import Event
from yardkit.apps.shop import Coupon, Order, OrderNote
from yardkit.apps.store import Store
from yardkit.state_init.company.calendar import Set
from yardkit.state_init.company.desk import put_note
from yardkit.state_init.company.letters import Letter
from yardkit.state_init.company.persons import Somebody
from yardkit.state_init.company.shop import CARRIERS, DEPOTS, number_parcel

CALENDAR = "holidays"
EASTER = date(2026, 4, 5)
_DAY = timedelta(days=1)
_DAYS = {"Maundy Thursday": -3, "Good Friday": -2, "Easter Monday": 1, "Easter Sunday": 0}
HOLIDAYS = {
    "Denmark": ("Maundy Thursday", "Good Friday", "Easter Monday"),
    "Germany": ("Good Friday", "Easter Monday"), "Sweden": ("Good Friday", "Easter Monday"),
    "Portugal": ("Good Friday",),
    "Austria": ("Easter Monday",), "Poland": ("Easter Monday",), "Netherlands": ("Easter Monday",),
}  # fmt: skip
"""Public holidays of spring 2026 on workdays, in the whole of a country. Source: the laws on holidays of each."""
SIMILAR = (("Denmark",), ("Germany", "Sweden"), ("Portugal",), ("Austria", "Poland", "Netherlands"))
"""Countries with the same of them."""


@dataclass(frozen=True)
class Carrier:
    """Who brings parcels. country: where it is at home, by whose working days it drives."""

    name: str
    country: str

    @property
    def mailbox(self) -> str:
        return f"{self.name} <no-reply@{self.name.casefold().replace(' ', '')}.example>"


@dataclass(frozen=True)
class Parcel:
    """A parcel of an order. handed: when it was handed over; brought: when it was delivered, None if it was not yet."""

    number: str
    order: int
    city: str
    carrier: Carrier
    handed: date
    brought: date | None


Fits = Callable[[int, int, int], bool]
"""Whether an order fits that is so many days late by its carrier's holidays, by none, and by everybody's."""


@dataclass(frozen=True)
class Terms:
    """Working days promised by way of shipping, and vouchers in cents for 1, 3 and 5 of them late."""

    days: Mapping[str, int]
    amounts: Sequence[int]
    until: date

    def count_late_days(self, order: Order, parcels: Sequence[Parcel], off: frozenset[date]) -> int:
        """By how many working days an order was late; its parcels are in the order in which they were taken."""
        brought = max(parcel.brought or date.min for parcel in parcels)
        return working_days(parcels[0].handed, brought, off) - self.days[order.shipping_title]

    def compute_voucher(self, order: Order, parcels: Sequence[Parcel]) -> dict[str, Any]:
        late = self.count_late_days(order, parcels, days_off([parcels[0].carrier.country]))
        cents = self.amounts[min(2, (late - 1) // 2)]
        return {"order": order.id, "late": late, "code": f"sorry-{order.id}", "cents": cents, "to": order.billing.email}


def make_carriers(rng: random.Random) -> tuple[Carrier, ...]:
    """The carriers, at home in countries with different holidays."""
    countries = (rng.choice(similar_names) for similar_names in rng.sample(SIMILAR, len(CARRIERS)))
    return tuple(Carrier(name, country) for name, country in zip(CARRIERS, countries, strict=True))


def days_off(countries: Iterable[str]) -> frozenset[date]:
    """The public holidays of all of the countries."""
    return frozenset(EASTER + timedelta(days=_DAYS[name]) for country in countries for name in HOLIDAYS[country])


def working_days(after: date, until: date, off: frozenset[date]) -> int:
    """How many working days there are after one day, up to and including another."""
    days = (after + timedelta(days=number) for number in range(1, (until - after).days + 1))
    return sum(day.weekday() < 5 and day not in off for day in days)


def list_shippings(
    order: Order, carriers: Sequence[Carrier], terms: Terms, fits: Fits, delivered: tuple[date, date]
) -> Iterator[Parcel]:
    """With which carrier the order may have been shipped, and when, so that it fits; it came on one of the days."""
    ordered_on = date.fromisoformat(order.created[:10])
    for carrier in carriers:
        off = days_off([carrier.country]), frozenset[date](), days_off(carrier.country for carrier in carriers)
        for handed in (ordered_on + number * _DAY for number in range(1, 9)):
            depot = DEPOTS[order.id % len(DEPOTS)]
            number = f"{depot}{10**7 + (order.id * 7_919 + handed.toordinal() * 104_729) % (9 * 10**7)}"
            for brought in (delivered[0] + number * _DAY for number in range((delivered[1] - delivered[0]).days + 1)):
                parcel = Parcel(
                    number_parcel(carrier.name, number), order.id, order.shipping.city, carrier, handed, brought
                )
                workdays = all(day == workday_everywhere(day) and day not in off[0] for day in (handed, brought))
                if (
                    workdays
                    and (brought - handed).days >= 4
                    and fits(*(terms.count_late_days(order, [parcel], country) for country in off))
                ):
                    yield parcel


def workday_everywhere(day: date) -> date:
    """The day, or the next one that is a working day everywhere."""
    while working_days(day - _DAY, day, days_off(HOLIDAYS)) == 0:
        day += _DAY
    return day


def usual_parcels(
    rng: random.Random, store: Store, orders: Sequence[Order], carriers: Sequence[Carrier], but: set[int]
) -> Iterator[Parcel]:
    """The parcels of all orders of the last 45 days `but` some, as their notes tell; they take two working days."""
    today = store.now.date()
    for order in orders:
        handed = date.fromisoformat((order.completed or "")[:10])
        note = next(iter(store.find(OrderNote, "order_id = ? AND for_customer", [order.id])), None)
        carrier = next((carrier for carrier in carriers if note and carrier.name in note.text), None)
        if handed > today - 45 * _DAY and carrier and note and order.id not in but:
            brought = workday_everywhere(handed + rng.randint(1, 2) * _DAY)
            number = note.text.rpartition(" ")[2].rstrip(".")
            there = brought if brought < today else None
            yield Parcel(number, order.id, order.shipping.city, carrier, handed, there)


def ship_order(store: Store, order: Order, parcels: Sequence[Parcel]) -> None:
    """The order was sent with these parcels, and not as its notes had it."""
    at = [datetime.combine(parcel.handed, time(15, parcel.handed.day), UTC) for parcel in parcels]
    store.put(replace(order, completed=at[-1].isoformat(), modified=at[-1].isoformat()))
    (note,) = store.find(OrderNote, "order_id = ? AND text LIKE 'Sent with %'", [order.id])
    for parcel, moment in zip(parcels, at, strict=True):
        text = f"Sent with {parcel.carrier.name}, tracking number {parcel.number}."
        if parcel is parcels[0]:
            store.put(replace(note, text=text, created=moment.isoformat()))
        else:
            put_note(store, order.id, moment, note.author, f"The rest: {text}", for_customer=True)


def holiday_events(domain: str) -> Iterator[Set]:
    """The public holidays of all countries, as a calendar of their own; Easter Sunday everywhere."""
    for country, names in HOLIDAYS.items():
        for name in (*names, "Easter Sunday"):
            day = EASTER + timedelta(days=_DAYS[name])
            uid = f"{name}-{country}-2026@{domain}".casefold().replace(" ", "-")
            stamp = datetime(2025, 11, 3, 9, tzinfo=UTC)
            event = Event(uid, name, day, day + timedelta(days=1), location=country, stamp=stamp, busy=False)
            yield Set(event, calendar=CALENDAR)


def reports_of(parcels: Sequence[Parcel], reader: str, now: datetime) -> Iterator[Letter]:
    """What the carriers report: that a parcel was taken, and that it was delivered."""
    for parcel in parcels:
        for word, day in (("handed over to us", parcel.handed), ("delivered", parcel.brought)):
            if day:
                minutes = 480 + (int(parcel.number[2:]) + len(word)) % 540
                at = datetime.combine(day, time(), UTC) + timedelta(minutes=minutes)
                which = f"Parcel {parcel.number} (your reference: {parcel.order}) to {parcel.city}"
                text = f"{which} was {word} on {at:%d.%m.%Y}."
                subject = f"Your parcel {parcel.number} was {word}"
                key = f"parcel/{parcel.number}/{word}"
                yield Letter(key, parcel.carrier.mailbox, (reader,), subject, text, min(at, now), bulk=True)


def give_voucher(store: Store, by: Somebody, given: Mapping[str, Any], until: date) -> Letter:
    """A voucher as it was given two days ago: the coupon, the note, and the mail."""
    now, code = store.now - timedelta(days=2), given["code"].upper()
    end = datetime.combine(until + _DAY, time(), UTC).isoformat()
    store.put(
        Coupon(
            store.next_id(Coupon), given["code"], "fixed_cart", now.isoformat(), now.isoformat(), usage_limit=1,
            amount_cents=given["cents"], description="Late parcel", expires=end, emails=[given["to"]],
        )
    )  # fmt: skip
    put_note(store, given["order"], now, by.name, f"Late by {given['late']} working days. Voucher {code} was sent.")
    text = (
        f"Dear customer,\n\nyour order {given['order']} came late, and we are sorry. With the code {code} you get EUR "
        f"{given['cents'] / 100:.2f} off an order until {until}.\n\nKind regards\n{by.name}"
    )
    to, subject = (given["to"],), f"Your order {given['order']}"
    return Letter("parcel/voucher", by.mailbox, to, subject, text, now)
