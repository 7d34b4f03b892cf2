"""Customers, suppliers and projects of a seeded company."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from yardkit.state_init.company.persons import SPELLINGS, Colleague, Contact, Names, make_contacts, make_namesake
from yardkit.state_init.names import COMPANY_FORMS, Company, ascii_of

_PROJECTS = (
    *("Harbour", "Lighthouse", "Compass", "Evergreen", "Monsoon", "Granary", "Switchboard", "Northern Line"),
    *("Clear Desk", "Open Shelf", "Second Life", "Blue Hour"),
)


@dataclass(frozen=True)
class Customer:
    """A company that buys.

    Attributes:
        number: such as ``C-1007``.
        contacts: the first orders.
        account_manager: the address of the colleague who looks after it.
        payment_days: how long it has to pay.
        discount_percent: off each order.
    """

    number: str
    company: Company
    contacts: tuple[Contact, ...]
    account_manager: str
    since: date
    payment_days: int
    discount_percent: int

    @property
    def name(self) -> str:
        return self.company.full


@dataclass(frozen=True)
class Supplier:
    """A company that sells to ours. number: such as ``S-203``; lead_days: from order to delivery."""

    number: str
    company: Company
    contacts: tuple[Contact, ...]
    since: date
    payment_days: int
    lead_days: int

    @property
    def name(self) -> str:
        return self.company.full


@dataclass(frozen=True)
class Project:
    """A piece of work of several colleagues.

    Attributes:
        code: such as ``P-26-03``.
        lead, members: addresses; the lead is none of the members.
        customer: the number of the customer for whom it is.
        budget: in minor units.
    """

    code: str
    name: str
    lead: str
    members: tuple[str, ...]
    customer: str
    begins: date
    ends: date
    budget: int
    status: str


def make_customers(
    rng: random.Random, firms: Sequence[Company], names: Names, sales: Sequence[Colleague], today: date
) -> tuple[Customer, ...]:
    """One for each firm, the contacts spread over them; the second is taken for the first, and so are its people."""
    firms = [*firms[:1], _make_similar_firm(firms[0], rng), *firms[2:]]
    shares = _split_shares(rng, len(firms), len(names))
    new_customers = []
    for number, (firm, share) in enumerate(zip(firms, shares, strict=True)):
        contacts = make_contacts(rng, firm, names[sum(shares[:number]) :][:share])
        terms = rng.choice((14, 30, 30, 60)), rng.choice((0, 0, 0, 3, 5, 10))
        since = today - timedelta(days=rng.randint(100, 3_500))
        new_customers.append(Customer(f"C-{1001 + number}", firm, contacts, rng.choice(sales).email, since, *terms))
    first, last = names[0][0], rng.choice(SPELLINGS)
    for place, spelling in zip((0, 1), last, strict=True):
        contacts = (
            make_namesake(new_customers[place].contacts[0], first, spelling),
            *new_customers[place].contacts[1:],
        )
        new_customers[place] = replace(new_customers[place], contacts=contacts)
    return tuple(new_customers)


def make_suppliers(rng: random.Random, firms: Sequence[Company], names: Names, today: date) -> tuple[Supplier, ...]:
    """One for each firm, each with one contact or two; the second firm is easily taken for the first."""
    firms = [*firms[:1], _make_similar_firm(firms[0], rng), *firms[2:]]
    shares = _split_shares(rng, len(firms), len(names))
    return tuple(
        Supplier(
            *(f"S-{201 + number}", firm, make_contacts(rng, firm, names[sum(shares[:number]) :][: shares[number]])),
            *(today - timedelta(days=rng.randint(200, 4_000)), rng.choice((14, 30, 30)), rng.randint(3, 45)),
        )
        for number, firm in enumerate(firms)
    )


def make_projects(
    rng: random.Random, staff: Sequence[Colleague], customers: Sequence[Customer], today: date
) -> tuple[Project, ...]:
    """Four, of which the second goes on with the first under nearly the same name; the first is closed."""
    names = rng.sample(_PROJECTS, 3)
    new_projects = []
    for number, name in enumerate((names[0], f"{names[0]} II", *names[1:])):
        team = rng.sample(staff, rng.randint(5, 8))
        begins = today - timedelta(days=(520, 170, 90, 30)[number] + rng.randint(0, 40))
        ends = begins + timedelta(days=rng.randint(200, 320))
        new_projects.append(
            Project(
                *(
                    f"P-{begins:%y}-{number + 1:02d}",
                    name,
                    team[0].email,
                    tuple(colleague.email for colleague in team[1:]),
                ),
                *(customers[rng.randrange(len(customers))].number, begins, ends, rng.randint(40, 900) * 100_000),
                "closed" if number == 0 else "running",
            )
        )
    return tuple(new_projects)


def _split_shares(rng: random.Random, groups: int, total: int) -> list[int]:
    """How many of `total` each group gets: at least one, at most six."""
    shares = [1] * groups
    while sum(shares) < total:
        place = rng.randrange(groups)
        shares[place] += shares[place] < 6
    return shares


def _make_similar_firm(firm: Company, rng: random.Random) -> Company:
    """A company of the same name and another legal form, at another domain and address."""
    form = rng.choice([form for form in COMPANY_FORMS if form != firm.form])
    digits = rng.randint(10**8, 10**9 - 1)
    domain = f"{ascii_of(firm.name)}-{ascii_of(form)}.example"
    street = f"{rng.randint(2, 180)} {firm.street.partition(' ')[2]}"
    return replace(
        firm, form=form, domain=domain, street=street, vat=f"{firm.vat[:2]}{digits}", iban=_make_other_iban(firm.iban)
    )


def _make_other_iban(iban: str) -> str:
    """Another account at the same bank."""
    return iban[:-2] + f"{(int(iban[-2:]) + 37) % 100:02d}"
