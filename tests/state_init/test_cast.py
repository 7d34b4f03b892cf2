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

from yardkit.state_init.cast import Cast, cast_of, make_cast, stream
from yardkit.world import World

TODAY = datetime.date(2026, 3, 16)
SEEDS = range(12)


def cast(seed: int = 0, today: datetime.date = TODAY) -> Cast:
    return make_cast(random.Random(f"desk/x:{seed}:cast"), today)


def test_it_has_the_size_of_a_company() -> None:
    made = cast()
    assert len(made.colleagues) == 40
    assert [len(kind) for kind in (made.customers, made.suppliers, made.products)] == [25, 15, 80]
    assert [len(kind) for kind in (made.courses, made.projects, made.offices)] == [8, 4, 4]
    assert sum(len(customer.contacts) for customer in made.customers) == 60
    assert len({office.time_zone for office in made.offices}) == 4


@pytest.mark.parametrize("seed", SEEDS)
def test_an_address_a_number_or_an_sku_is_given_once(seed: int) -> None:
    made = cast(seed)
    people = [*made.staff, *made.contacts, *made.school.teachers]
    addresses = [person.email for person in people]
    skus = [product.sku for product in made.products]
    variants = [variant.sku for product in made.products for variant in product.variants]
    firms = [firm.number for kind in (made.customers, made.suppliers) for firm in kind]
    domains = [made.domain, *(firm.company.domain for kind in (made.customers, made.suppliers) for firm in kind)]
    terms = [(course.code, course.term) for course in made.courses]
    for kind in (addresses, skus + variants, firms, domains, terms, [one.number for one in made.staff]):
        assert [name for name, times in Counter(kind).items() if times > 1] == []
    assert all(address.isascii() and address.endswith(".example") for address in addresses)


@pytest.mark.parametrize("seed", SEEDS)
def test_whom_and_what_somebody_points_to_is_there(seed: int) -> None:
    made = cast(seed)
    chief = made.colleagues[0]
    for one in made.staff:
        assert one is chief or made.colleague(one.manager).department in (one.department, "Management")
        assert one.time_zone == next(office.time_zone for office in made.offices if office.city == one.office)
    assert {made.head(department).department for department in made.departments[1:]} == {*made.departments[1:]}
    for product in made.products:
        assert made.supplier(product.supplier)
        assert made.product(product.sku) == product
        assert product.cost < product.price
        assert product.stock == (sum(one.stock for one in product.variants) if product.variants else product.stock)
    for customer in made.customers:
        assert made.colleague(customer.account_manager).department == "Sales"
    for project in made.projects:
        assert len({made.colleague(email) for email in (project.lead, *project.members)}) == 1 + len(project.members)
        assert made.customer(project.customer)
    assert all(made.school.teacher(course) for course in made.courses)


@pytest.mark.parametrize("seed", SEEDS)
def test_in_each_kind_there_are_two_that_are_easily_mixed_up(seed: int) -> None:
    made = cast(seed)
    pairs = made.mixed_up()
    assert len(pairs) >= 10
    assert all(one != other and SequenceMatcher(None, one, other).ratio() > 0.6 for one, other in pairs), pairs
    kinds = [{one.email for one in made.staff}, {one.number for one in made.customers}]
    kinds += [{one.number for one in made.suppliers}, {one.sku for one in made.products}]
    kinds += [{one.code for one in made.courses}, {one.code for one in made.projects}]
    assert all(any({*pair} <= kind for pair in pairs) for kind in kinds)
    model, newer = next((made.product(one), made.product(other)) for one, other in pairs if other == f"{one}B")
    assert model.price <= newer.price
    assert model.introduced < newer.introduced


def test_dates_move_with_the_day() -> None:
    later = datetime.timedelta(days=364)
    now, then = cast(), cast(today=TODAY + later)
    assert [one.joined + later for one in now.staff] == [one.joined for one in then.staff]
    assert [one.introduced + later for one in now.products] == [one.introduced for one in then.products]
    assert all(one.joined < TODAY for one in now.staff)


def test_what_an_app_draws_changes_no_other(tmp_path: Path) -> None:
    world = World.create(tmp_path / "world", task="desk/x", seed=0)
    assert cast_of(world) == cast()
    assert stream(world, "shop").random() != stream(world, "mail").random()


SCRIPT = """
import datetime, hashlib, json, random
from dataclasses import asdict
from yardkit.state_init.cast import make_cast
made = [make_cast(random.Random(f"desk/x:{seed}:cast"), datetime.date(2026, 3, 16)) for seed in range(12)]
print(json.dumps([asdict(one) for one in made], default=str))
"""


@pytest.mark.parametrize("python", OTHER_PYTHONS, ids=lambda path: path.parts[-3])
def test_another_python_draws_the_same_company(python: Path) -> None:
    assert printed_by(python, SCRIPT) == json.dumps([asdict(cast(seed)) for seed in SEEDS], default=str) + "\n"


def test_this_python_draws_the_same_company_in_another_process() -> None:
    """Whatever the order of sets is there."""
    assert printed_by(sys.executable, SCRIPT) == json.dumps([asdict(cast(seed)) for seed in SEEDS], default=str) + "\n"
