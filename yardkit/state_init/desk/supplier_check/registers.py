"""A public register of companies, what suppliers say of themselves on their sites, and the portal they are entered in.

The register holds. A mirror site keeps what a supplier said before it moved: another number, seat and director.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from html import escape

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.persons import fresh_names
from yardkit.state_init.company.trade import Supplier
from yardkit.state_init.desk.supplier_check.sites import Menu, html_table, save_page, slug_of
from yardkit.state_init.names import CITIES, COMPANY_FORMS, STREETS, Company
from yardkit.world import World

REGISTER, PORTAL = "company-register.example", "supplier-portal.example"
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Entry:
    """What the register says of a company. number: of the entry; ended: the number that took its place."""

    company: Company
    number: str
    director: str
    entered: date
    ended: str = ""

    @property
    def url(self) -> str:
        return f"https://{REGISTER}/entries/{self.number}"

    def facts(self) -> dict[str, str]:
        """Its lines."""
        firm = self.company
        status = f"deleted, continued as {self.ended}" if self.ended else "active"
        return {
            "Name": firm.full, "Number": self.number, "Status": status, "Entered on": str(self.entered),
            "Street": firm.street, "Postcode": firm.postcode, "City": firm.city, "Country": firm.country,
            "Director": self.director, "Web site": f"https://{firm.domain}",
        }  # fmt: skip


def make_entries(cast: Cast, rng: random.Random, today: date, moved: Supplier) -> dict[str, Entry]:
    """The entries of all suppliers by their numbers, and as ``old`` that of one that has moved since."""
    numbers = (str(number) for number in rng.sample(range(204_000, 989_000), len(cast.suppliers) + 1))
    names = fresh_names(rng, len(cast.suppliers) + 1, cast.names)
    days = (today - rng.randint(500, 6_000) * _DAY for _ in names)
    new_entries = {
        supplier.number: Entry(supplier.company, number, " ".join(name), day)
        for supplier, number, name, day in zip(cast.suppliers, numbers, names, days, strict=False)
    }
    ours = replace(new_entries[moved.number], entered=today - rng.randint(60, 200) * _DAY)
    city = rng.choice(
        [city for city in CITIES if city[0] != ours.company.city and city[2] == ours.company.country] or CITIES
    )
    street = f"{rng.randint(2, 180)} {rng.choice(STREETS)}"
    vat = f"{city[3]}{rng.randint(10**8, 10**9 - 1)}"
    seat = replace(ours.company, street=street, city=city[0], postcode=city[1], country=city[2], vat=vat)
    old = Entry(seat, next(numbers), " ".join(names[-1]), ours.entered - rng.randint(900, 4_000) * _DAY, ours.number)
    return new_entries | {moved.number: ours, "old": old}


def fill_register(world: World, rng: random.Random, entries: Sequence[Entry], today: date) -> None:
    """The register: each entry, those of strangers of nearly the same names, and the list of all."""
    strangers, taken = [], {entry.company.full for entry in entries}
    for entry in rng.sample(entries, 6):
        form = rng.choice([form for form in COMPANY_FORMS if f"{entry.company.name} {form}" not in taken])
        taken.add(f"{entry.company.name} {form}")
        firm = replace(entry.company, form=form, domain=f"{slug_of(entry.company.name)}-{slug_of(form)}.example")
        number = str(rng.randint(100_000, 203_999))
        strangers.append(replace(entry, company=firm, number=number, entered=entry.entered + 90 * _DAY, ended=""))
    sorted_entries = sorted([*entries, *strangers], key=lambda entry: (entry.company.full, entry.number))
    menu = [("/", "All entries")]
    for entry in sorted_entries:
        body = html_table(("What", "Entry"), list(entry.facts().items()))
        save_page(world, REGISTER, f"entries/{entry.number}", entry.company.full, body, menu, str(today))
    links = "".join(
        f'<li><a href="/entries/{entry.number}">{escape(entry.company.full)}</a>, {entry.number}</li>'
        for entry in sorted_entries
    )
    save_page(world, REGISTER, "index", "Register of companies", f"<ul>{links}</ul>", [], str(today))


def fill_imprint(world: World, entry: Entry, host: str, terms: Mapping[str, str], day: date) -> None:
    """The site of a supplier with its imprint; on a host that is not its own it is a mirror."""
    menu, firm = [("/", "Home"), ("/delivery", "Delivery"), ("/imprint", "Imprint")], entry.company
    lines = "<br>".join(map(escape, (firm.full, *firm.address)))
    save_page(world, host, "index", firm.full, f"<p>{lines}</p>", menu, str(day))
    save_page(
        world, host, "delivery", "Delivery and payment", html_table(("What", "How"), [*terms.items()]), menu, str(day)
    )
    imprint_rows = [("Company", firm.full), ("Registration number", entry.number), ("Tax number", firm.vat)]
    imprint_rows += [("Seat", ", ".join(firm.address)), ("Director", entry.director)]
    save_page(
        world, host, "imprint", f"Imprint of {firm.full}", html_table(("What", "Entry"), imprint_rows), menu, str(day)
    )


def fill_portal(world: World, number: str, day: date) -> None:
    """The portal: a form for new suppliers, one for changes, and what it says to them; number: of who comes next."""
    menu: Menu = [("/", "Home"), ("/new", "New supplier"), ("/change", "Change a supplier")]
    start = "<p>Each supplier is entered once. What was sent cannot be taken back.</p>"
    save_page(world, PORTAL, "index", "Supplier portal", start, menu, str(day))
    options = "".join(f"<option>{country}</option>" for country in ("", *sorted({city[2] for city in CITIES})))
    texts = ("Legal name", "Registration number", "Tax number", "Street", "Postcode", "City")
    more = ("IBAN", "Delivery days", "Least order (EUR)", "References")
    classes = "".join(f"<option>{grade}</option>" for grade in ("", "A", "B", "C"))
    form = (
        f'<form action="/registered" method="post">{"".join(map(_build_field, texts))}'
        f'<label>Country <select name="country" required>{options}</select></label>{"".join(map(_build_field, more))}'
        f'<label>Risk class <select name="risk_class" required>{classes}</select></label>'
        '<label><input name="checked" type="checkbox" required> Checked against the register</label>'
        "<button>Enter supplier</button></form>"
    )
    save_page(world, PORTAL, "new", "New supplier", form, menu, str(day))
    fields = _build_field("Portal number") + _build_field("What changes")
    change = f'<form action="/changed" method="post">{fields}<button>Send</button></form>'
    save_page(world, PORTAL, "change", "Change a supplier", change, menu, str(day))
    thanks = f"<p>The supplier is entered. Its portal number is {number}.</p>"
    save_page(world, PORTAL, "registered", "Supplier entered", thanks, menu, str(day))
    save_page(world, PORTAL, "changed", "Change noted", "<p>We look into it.</p>", menu, str(day))


def field_name(label: str) -> str:
    """How a field of the portal is called in what is sent, such as ``least_order_eur``."""
    return slug_of(label).replace("-", "_")


def _build_field(label: str) -> str:
    return f'<label>{label} <input name="{field_name(label)}" required></label>'
