"""The people of a seeded company: its offices, its colleagues and their managers, and everybody outside it."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from yardkit.state_init.names import CITIES, DEPARTMENTS, FIRST, LAST, STREETS, Company, ascii_of

SPELLINGS = (
    *(("Berg", "Bergh"), ("Meier", "Meyer"), ("Hansen", "Hanson"), ("Schmidt", "Schmitt"), ("Nielsen", "Nilsen")),
    *(("Novak", "Nowak"), ("Hoffmann", "Hofmann"), ("Fischer", "Fisher"), ("Larsen", "Larson"), ("Reed", "Read")),
    *(("Andersson", "Anderson"), ("Martin", "Martins"), ("Clarke", "Clark"), ("Thomsen", "Thomson")),
)
"""Last names that are easily taken for each other."""
ZONES = {
    "Aarhus": "Europe/Copenhagen",
    "Antwerp": "Europe/Brussels",
    "Bilbao": "Europe/Madrid",
    "Bristol": "Europe/London",
    "Brno": "Europe/Prague",
    "Cork": "Europe/Dublin",
    "Gdańsk": "Europe/Warsaw",
    "Graz": "Europe/Vienna",
    "Leipzig": "Europe/Berlin",
    "Lyon": "Europe/Paris",
    "Porto": "Europe/Lisbon",
    "Tampere": "Europe/Helsinki",
    "Turin": "Europe/Rome",
    "Utrecht": "Europe/Amsterdam",
}
"""The time zone of each of our cities."""
_FAR = (
    (
        ("Boston", "MA 02110", "United States", "US", "America/New_York"),
        ("Chicago", "IL 60607", "United States", "US", "America/Chicago"),
        ("Toronto", "M5V 2H1", "Canada", "CA", "America/Toronto"),
    ),
    (
        ("Singapore", "049315", "Singapore", "SG", "Asia/Singapore"),
        ("Osaka", "530-0001", "Japan", "JP", "Asia/Tokyo"),
        ("Pune", "411001", "India", "IN", "Asia/Kolkata"),
    ),
)
_DIALLING = {
    "AT": 43, "BE": 32, "CA": 1, "CZ": 420, "DE": 49, "DK": 45, "ES": 34, "FI": 358, "FR": 33, "GB": 44, "IE": 353,
    "IN": 91, "IT": 39, "JP": 81, "NL": 31, "PL": 48, "PT": 351, "SG": 65, "US": 1,
}  # fmt: skip
_RANKS = ("Assistant", "Coordinator", "Specialist", "Analyst", "Manager")
_ROLES = (
    *("Purchasing", "Accounts Payable", "Office Management", "Facilities", "Logistics", "Quality"),
    *("Technical Service", "Managing Director"),
)


@dataclass(frozen=True)
class Office:
    """Where some of the colleagues work. country_code: ISO 3166; time_zone: of the IANA database."""

    city: str
    street: str
    postcode: str
    country: str
    country_code: str
    time_zone: str


@dataclass(frozen=True)
class Somebody:
    """A person with an address, in ASCII."""

    first: str
    last: str
    email: str

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def mailbox(self) -> str:
        """The name with the address, as a mail shows it."""
        return f"{self.name} <{self.email}>"


@dataclass(frozen=True)
class Colleague(Somebody):
    """Somebody of the company.

    Attributes:
        number: personnel number.
        manager: the address of whom they report to; empty for the managing director.
        office: the city of it.
        joined: their first day.
    """

    number: int
    department: str
    title: str
    manager: str
    office: str
    time_zone: str
    phone: str
    joined: date


@dataclass(frozen=True)
class Contact(Somebody):
    """Somebody outside the company. company: its full name; role: what they do there."""

    role: str
    company: str
    phone: str
    time_zone: str


Names = Sequence[tuple[str, str]]


def fresh_names(rng: random.Random, count: int, taken: Iterable[tuple[str, str]] = ()) -> list[tuple[str, str]]:
    """First and last names, no two people of the same, and none that is `taken`. At most some 5,000."""
    seen = set(taken)
    names: list[tuple[str, str]] = []
    while len(names) < count:
        pair = rng.choice(FIRST), rng.choice(LAST)
        if pair not in seen:
            seen.add(pair)
            names.append(pair)
    return names


def address_of(first: str, last: str, domain: str) -> str:
    """The address of somebody at a domain, in ASCII."""
    return f"{ascii_of(first)}.{ascii_of(last)}@{domain}"


def make_offices(rng: random.Random) -> tuple[Office, ...]:
    """Four: the first is the head office, the next in another European zone, then one in America and one in Asia."""
    cities = [(*city, ZONES[city[0]]) for city in CITIES]
    head = rng.choice([city for city in cities if city[3] not in ("GB", "IE", "PT", "FI")])
    second = rng.choice([city for city in cities if city[3] in ("GB", "IE", "PT", "FI")])
    streets = rng.sample(STREETS, 4)
    places = (head, second, rng.choice(_FAR[0]), rng.choice(_FAR[1]))
    return tuple(
        Office(city, f"{rng.randint(2, 90)} {street}", postcode, country, code, zone)
        for (city, postcode, country, code, zone), street in zip(places, streets, strict=True)
    )


def make_colleagues(
    rng: random.Random, domain: str, offices: Sequence[Office], today: date, count: int = 41
) -> tuple[Colleague, ...]:
    """The managing director, a head for each department, then the others.

    The last four are two pairs whose names are easily mixed up; those of a pair work in different departments.
    """
    names = _make_names_with_pairs(rng, count)
    heads = len(DEPARTMENTS)
    colleagues = [
        _make_colleague(rng, names[0], domain, offices[:1], today, "Management", "Managing Director", None, 1001)
    ]
    for number, department in enumerate(DEPARTMENTS, 1):
        title = f"Head of {department}"
        colleagues.append(
            _make_colleague(rng, names[number], domain, offices, today, department, title, colleagues[0], 1001 + number)
        )
    for number in range(heads + 1, count):
        head = colleagues[1 + number % heads]
        title = f"{head.department} {rng.choice(_RANKS)}"
        colleagues.append(
            _make_colleague(rng, names[number], domain, offices, today, head.department, title, head, 1001 + number)
        )
    return tuple(colleagues)


def _make_names_with_pairs(rng: random.Random, count: int) -> list[tuple[str, str]]:
    """Names of which the last four, two by two, are nearly the same."""
    pairs = rng.sample(SPELLINGS, 2)
    firsts = rng.sample(FIRST, count - 2)
    lasts = rng.sample([last for last in LAST if last not in {name for pair in SPELLINGS for name in pair}], count - 4)
    names = list(zip(firsts[:-2], lasts, strict=True))
    return [*names, *((first, last) for first, pair in zip(firsts[-2:], pairs, strict=True) for last in pair)]


def _make_colleague(
    rng: random.Random,
    name: tuple[str, str],
    domain: str,
    offices: Sequence[Office],
    today: date,
    department: str,
    title: str,
    manager: Colleague | None,
    number: int,
) -> Colleague:
    office = rng.choices(offices, (6, 3, 2, 2)[: len(offices)])[0]
    joined = today - timedelta(days=rng.randint(60, 4_000))
    joined -= timedelta(days=joined.weekday())
    reports_to = manager.email if manager else ""
    phone = _make_phone(rng, office.country_code)
    email = address_of(*name, domain)
    return Colleague(*name, email, number, department, title, reports_to, office.city, office.time_zone, phone, joined)


def make_contacts(rng: random.Random, company: Company, names: Names) -> tuple[Contact, ...]:
    """People of a company; the first of them buys or sells."""
    code = company.vat[:2]
    roles = [_ROLES[0], *rng.sample(_ROLES[1:], len(names) - 1)]
    return tuple(
        Contact(
            *(first, last, address_of(first, last, company.domain), role, company.full),
            *(_make_phone(rng, code), ZONES.get(company.city, "UTC")),
        )
        for (first, last), role in zip(names, roles, strict=True)
    )


def make_namesake(contact: Contact, first: str, last: str) -> Contact:
    """The same place under another name."""
    domain = contact.email.partition("@")[2]
    return replace(contact, first=first, last=last, email=address_of(first, last, domain))


def _make_phone(rng: random.Random, country_code: str) -> str:
    return f"+{_DIALLING[country_code]} {rng.randint(20, 99)} 555 {rng.randint(100, 9_999):04d}"
