"""The cast of a seeded company: all whom and what it has to do with."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from yardkit.state_init.company.goods import Product, make_products
from yardkit.state_init.company.persons import (
    Colleague,
    Contact,
    Office,
    Somebody,
    fresh_names,
    make_colleagues,
    make_offices,
)
from yardkit.state_init.company.schooling import Course, School, make_school
from yardkit.state_init.company.trade import (
    Customer,
    Project,
    Supplier,
    make_customers,
    make_projects,
    make_suppliers,
)
from yardkit.state_init.names import DEPARTMENTS, Company, ascii_of, make_companies
from yardkit.world import World

_NAMESAKE = 20
"""The colleague whose name somebody at a customer's has, too."""


@dataclass(frozen=True)
class Cast:
    """A company and its world. Whoever and whatever is easily mixed up stands in it, too.

    Attributes:
        company: the company whose people work here; `domain` is that of its addresses.
        currency: ISO 4217, of all prices.
        offices: the first is the head office.
        owner: whose workspace it is; one of the company, but none of `colleagues`.
        colleagues: the managing director, the heads of the departments, then the others: 40.
        customers: 25, with 60 contacts together.
        suppliers: 15, with 20 contacts together.
        products: 80, by SKU.
        school: with six teachers and eight courses.
    """

    company: Company
    currency: str
    offices: tuple[Office, ...]
    departments: tuple[str, ...]
    owner: Colleague
    colleagues: tuple[Colleague, ...]
    customers: tuple[Customer, ...]
    suppliers: tuple[Supplier, ...]
    products: tuple[Product, ...]
    school: School
    projects: tuple[Project, ...]

    @property
    def domain(self) -> str:
        return self.company.domain

    @property
    def courses(self) -> tuple[Course, ...]:
        return self.school.courses

    @property
    def staff(self) -> tuple[Colleague, ...]:
        """Everybody of the company, the owner first."""
        return (self.owner, *self.colleagues)

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """The people of customers and suppliers."""
        buyers = (contact for customer in self.customers for contact in customer.contacts)
        return (*buyers, *(contact for supplier in self.suppliers for contact in supplier.contacts))

    @property
    def names(self) -> frozenset[tuple[str, str]]:
        """First and last names that are taken."""
        people: tuple[Somebody, ...] = (*self.staff, *self.contacts, *self.school.teachers)
        return frozenset((person.first, person.last) for person in people)

    def find_colleague(self, email: str) -> Colleague:
        """The one of the company with this address."""
        return next(colleague for colleague in self.staff if colleague.email == email)

    def find_head(self, department: str) -> Colleague:
        """Who leads a department."""
        return next(colleague for colleague in self.colleagues if colleague.title == f"Head of {department}")

    def customer(self, number: str) -> Customer:
        """The customer with this number."""
        return next(customer for customer in self.customers if customer.number == number)

    def find_supplier(self, number: str) -> Supplier:
        """The supplier with this number."""
        return next(supplier for supplier in self.suppliers if supplier.number == number)

    def find_product(self, sku: str) -> Product:
        """The product with this SKU, or of which it is a variant."""
        return next(
            product for product in self.products if sku in (product.sku, *(variant.sku for variant in product.variants))
        )

    def mixed_up(self) -> tuple[tuple[str, str], ...]:
        """Pairs of addresses, numbers of firms, SKUs, codes of courses and projects that are easily mixed up."""
        twins = [(colleague.email, other.email) for colleague, other in (self.colleagues[-4:-2], self.colleagues[-2:])]
        namesake = self.colleagues[_NAMESAKE].email, self.customers[-1].contacts[-1].email
        buyers = self.customers[0].contacts[0].email, self.customers[1].contacts[0].email
        skus = {product.sku for product in self.products}
        models = [(sku.removesuffix("B"), sku) for sku in sorted(skus) if sku[-1] == "B" and sku[:-1] in skus]
        firms = [(kind[0].number, kind[1].number) for kind in (self.customers, self.suppliers)]
        parts = (self.courses[0].code, self.courses[6].code), (self.projects[0].code, self.projects[1].code)
        return (*twins, namesake, buyers, *firms, *models, *parts)


def cast_of(world: World) -> Cast:
    """The cast of a world: the same for the same task and seed, whatever else is drawn."""
    return make_cast(get_stream(world, "cast"), world.now.date())


def get_stream(world: World, app: str) -> random.Random:
    """The chance of one app's seeds."""
    return random.Random(f"{world.task}:{world.seed}:{app}")  # noqa: S311 - reproducibility, not secrecy


def make_cast(rng: random.Random, today: date) -> Cast:
    """A company and all whom it deals with. Its dates lie before `today` as companies' do: no other clock is read."""
    first, *firms = make_companies(rng, 1 + 25 + 15)
    offices = make_offices(rng)
    ours = _fit_company(rng, first, offices[0])
    owner, *colleagues = _owner_first(make_colleagues(rng, ours.domain, offices, today))
    names = fresh_names(rng, 60 + 20 + 6, _list_names(owner, *colleagues))
    namesake = colleagues[_NAMESAKE].first, colleagues[_NAMESAKE].last
    sales = [colleague for colleague in colleagues if colleague.department == "Sales"]
    customers = make_customers(rng, firms[:25], [*names[:59], namesake], sales, today)
    suppliers = make_suppliers(rng, firms[25:], names[60:80], today)
    products = make_products(rng, [supplier.number for supplier in suppliers], today)
    school = make_school(rng, offices[0].city, offices[0].time_zone, names[80:], today)
    projects = make_projects(rng, [owner, *colleagues], customers, today)
    parts = customers, suppliers, products, school, projects
    return Cast(ours, "EUR", offices, ("Management", *DEPARTMENTS), owner, tuple(colleagues), *parts)


def _fit_company(rng: random.Random, firm: Company, office: Office) -> Company:
    """A firm that fits what is sold, at its head office."""
    name = f"{firm.name.partition(' ')[0]} {rng.choice(('Office Supply', 'Workspace', 'Workplace', 'Furnishing'))}"
    code = office.country_code
    return Company(
        *(name, firm.form, f"{ascii_of(name)}.example", office.street, office.city, office.postcode, office.country),
        *(code + firm.vat[2:], code + firm.iban[2:]),
    )


def _list_names(*people: Colleague) -> Iterable[tuple[str, str]]:
    return ((colleague.first, colleague.last) for colleague in people)


def _owner_first(staff: tuple[Colleague, ...]) -> list[Colleague]:
    """The first of the Operations below its head owns the workspace."""
    owner = next(
        colleague
        for colleague in staff
        if colleague.department == "Operations" and not colleague.title.startswith("Head")
    )
    return [owner, *(colleague for colleague in staff if colleague != owner)]
