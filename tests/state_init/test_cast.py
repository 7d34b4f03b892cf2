"""One company behind all apps: whole, the same everywhere, and with names and numbers that are easily mixed up."""

import datetime
import json
import random
import sys
from collections import Counter
from dataclasses import asdict
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from support.other_pythons import OTHER_PYTHONS, printed_by

from yardkit.state_init.cast import Cast, cast_of, get_stream, make_cast
from yardkit.world import World

TODAY = datetime.date(2026, 3, 16)
SEEDS = range(12)


def make_seeded_cast(seed: int = 0, today: datetime.date = TODAY) -> Cast:
    return make_cast(random.Random(f"desk/x:{seed}:cast"), today)


def test_it_has_the_size_of_a_company() -> None:
    company = make_seeded_cast()
    assert len(company.colleagues) == 40
    assert [len(kind) for kind in (company.customers, company.suppliers, company.products)] == [25, 15, 80]
    assert [len(kind) for kind in (company.courses, company.projects, company.offices)] == [8, 4, 4]
    assert sum(len(customer.contacts) for customer in company.customers) == 60
    assert len({office.time_zone for office in company.offices}) == 4


@pytest.mark.parametrize("seed", SEEDS)
def test_an_address_a_number_or_an_sku_is_given_once(seed: int) -> None:
    company = make_seeded_cast(seed)
    people = [*company.staff, *company.contacts, *company.school.teachers]
    addresses = [person.email for person in people]
    skus = [product.sku for product in company.products]
    variants = [variant.sku for product in company.products for variant in product.variants]
    firms = [firm.number for kind in (company.customers, company.suppliers) for firm in kind]
    domains = [
        company.domain,
        *(firm.company.domain for kind in (company.customers, company.suppliers) for firm in kind),
    ]
    terms = [(course.code, course.term) for course in company.courses]
    for kind in (addresses, skus + variants, firms, domains, terms, [person.number for person in company.staff]):
        assert [name for name, times in Counter(kind).items() if times > 1] == []
    assert all(address.isascii() and address.endswith(".example") for address in addresses)


@pytest.mark.parametrize("seed", SEEDS)
def test_whom_and_what_somebody_points_to_is_there(seed: int) -> None:
    company = make_seeded_cast(seed)
    chief = company.colleagues[0]
    for person in company.staff:
        assert person is chief or company.find_colleague(person.manager).department in (person.department, "Management")
        assert person.time_zone == next(office.time_zone for office in company.offices if office.city == person.office)
    assert {company.find_head(department).department for department in company.departments[1:]} == {
        *company.departments[1:]
    }
    for product in company.products:
        assert company.find_supplier(product.supplier)
        assert company.find_product(product.sku) == product
        assert product.cost < product.price
        assert product.stock == (
            sum(variant.stock for variant in product.variants) if product.variants else product.stock
        )
    for customer in company.customers:
        assert company.find_colleague(customer.account_manager).department == "Sales"
    for project in company.projects:
        assert len({company.find_colleague(email) for email in (project.lead, *project.members)}) == 1 + len(
            project.members
        )
        assert company.customer(project.customer)
    assert all(company.school.get_teacher(course) for course in company.courses)


@pytest.mark.parametrize("seed", SEEDS)
def test_in_each_kind_there_are_two_that_are_easily_mixed_up(seed: int) -> None:
    company = make_seeded_cast(seed)
    pairs = company.mixed_up()
    assert len(pairs) >= 10
    assert all(first != other and SequenceMatcher(None, first, other).ratio() > 0.6 for first, other in pairs), pairs
    kinds = [{person.email for person in company.staff}, {customer.number for customer in company.customers}]
    kinds += [{supplier.number for supplier in company.suppliers}, {product.sku for product in company.products}]
    kinds += [{course.code for course in company.courses}, {project.code for project in company.projects}]
    assert all(any({*pair} <= kind for pair in pairs) for kind in kinds)
    model, newer = next(
        (company.find_product(first_sku), company.find_product(other))
        for first_sku, other in pairs
        if other == f"{first_sku}B"
    )
    assert model.price <= newer.price
    assert model.introduced < newer.introduced


def test_dates_move_with_the_day() -> None:
    later = datetime.timedelta(days=364)
    now, then = make_seeded_cast(), make_seeded_cast(today=TODAY + later)
    assert [person.joined + later for person in now.staff] == [person.joined for person in then.staff]
    assert [product.introduced + later for product in now.products] == [product.introduced for product in then.products]
    assert all(person.joined < TODAY for person in now.staff)


def test_what_an_app_draws_changes_no_other(tmp_path: Path) -> None:
    world = World.create(tmp_path / "world", task="desk/x", seed=0)
    assert cast_of(world) == make_seeded_cast()
    assert get_stream(world, "shop").random() != get_stream(world, "mail").random()


SCRIPT = """
import datetime, hashlib, json, random
from dataclasses import asdict
from yardkit.state_init.cast import make_cast
made = [make_cast(random.Random(f"desk/x:{seed}:cast"), datetime.date(2026, 3, 16)) for seed in range(12)]
print(json.dumps([asdict(one) for one in made], default=str))
"""


@pytest.mark.parametrize("python", OTHER_PYTHONS, ids=lambda path: path.parts[-3])
def test_another_python_draws_the_same_company(python: Path) -> None:
    assert (
        printed_by(python, SCRIPT) == json.dumps([asdict(make_seeded_cast(seed)) for seed in SEEDS], default=str) + "\n"
    )


def test_this_python_draws_the_same_company_in_another_process() -> None:
    """Whatever the order of sets is there."""
    assert (
        printed_by(sys.executable, SCRIPT)
        == json.dumps([asdict(make_seeded_cast(seed)) for seed in SEEDS], default=str) + "\n"
    )
