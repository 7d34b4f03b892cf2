"""What all work on the shop shares: its records opened, times, addresses, values that are merged."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, TypeVar

from yardkit.apps.shop import APP, RECORDS, Address, Settings
from yardkit.apps.store import Store, open_store
from yardkit.kit.times import to_moment
from yardkit.world import Problem, World

MAX_PAGE_CHARACTERS = 40_000
"""About so much comes on one page; what is more comes with the next."""
MAX_META = 100
"""Further values of one record."""
MAX_CENTS = 100_000_000_000
"""Money of one sum."""
_DEFAULT = Settings(1, "Shop", "https://shop.example.com")

Parts = Mapping[Any, str]
"""Of an address, by name."""

PageItem = TypeVar("PageItem")


@contextmanager
def opened_shop(world: World, *, writes: bool = False) -> Iterator[Store]:
    """All records of the shop, in one transaction."""
    with open_store(APP, *RECORDS, writes=writes, world=world) as store:
        yield store


def settings_of(store: Store) -> Settings:
    """What holds for the whole shop."""
    return next(iter(store.find(Settings)), _DEFAULT)


def format_money(cents: int, currency: str) -> str:
    """An amount as people read it."""
    units, part = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{units:,}.{part:02} {currency}"


def build_time_conditions(now: datetime, column: str, since: str, until: str) -> tuple[list[str], list[str]]:
    """Conditions in SQL, and their values, for a column of times from `since` to `until`, either of them open."""
    bounds = [(f"{column} >= ?", since, False), (f"{column} < ?", until, True)]
    bound_conditions = [(condition, to_moment(now, text, end=end)) for condition, text, end in bounds if text]
    return [condition for condition, _ in bound_conditions], [value for _, value in bound_conditions]


def merged_meta(old: Mapping[str, Any], new: Mapping[str, Any] | None) -> dict[str, Any]:
    """Further values with new ones; null takes one out.

    Raises:
        Problem: there are too many.
    """
    merged = {key: value for key, value in {**old, **(new or {})}.items() if value is not None}
    if len(merged) > MAX_META:
        raise Problem(f"{len(merged)} custom fields are too many for one record; the limit is {MAX_META}")
    return merged


def merged_address(old: Address, new: Parts | None) -> Address:
    """An address with what is given of a new one.

    Raises:
        Problem: it has no such part.
    """
    wrong = set(new or {}) - set(asdict(old))
    if wrong:
        raise Problem(f"an address has no field {min(wrong)!r}; it has {', '.join(asdict(old))}")
    return replace(old, **{key: str(value).strip() for key, value in (new or {}).items()})


def take_fitting(items: Sequence[PageItem], total: int, offset: int) -> tuple[list[PageItem], int, int | None]:
    """As many items of a page as fit a result, but one at least; the total; where the list goes on."""
    size, fitting_count = 0, 0
    for entry in items:
        size += len(str(entry))
        if fitting_count and size > MAX_PAGE_CHARACTERS:
            break
        fitting_count += 1
    end = offset + fitting_count
    return list(items[:fitting_count]), total, end if fitting_count and end < total else None


def slug_of(name: str) -> str:
    """A name as it stands in an address."""
    word_text = "".join(letter if letter.isalnum() else " " for letter in name.casefold())
    return "-".join(word_text.split())
