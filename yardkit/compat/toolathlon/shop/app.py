"""What the tools of the dialect share: registration, errors in WooCommerce's words, pages, money and times."""

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

from yardkit.apps.store import Store
from yardkit.kit.dialect import Text
from yardkit.kit.surface import MAX_TEXT
from yardkit.servers.shop.engine.context import opened_shop
from yardkit.world import Problem, current_world

Data = dict[str, Any]


def explain_problem(problem: Problem) -> Problem:
    """A problem as WooCommerce's server tells it."""
    message = str(problem)
    worded = (
        f"Invalid ID. (Status: 404): {message}" if message.startswith("there is no") else f"{message} (Status: 400)"
    )
    return Problem(f"Error: WooCommerce API error: {worded}")


def error_of(problem: Problem) -> Data:
    """A problem as an item of a batch has it."""
    missing = str(problem).startswith("there is no")
    code = "woocommerce_rest_invalid_id" if missing else "woocommerce_rest_invalid_param"
    return {"code": code, "message": str(problem), "data": {"status": 404 if missing else 400}}


def open_state(writes: bool) -> AbstractContextManager[Store]:
    """Open the records of the shop."""
    return opened_shop(current_world(), writes=writes)


def format_answer(value: Data | list[Data], offset: int) -> Text:
    """Indented JSON; of a list, as many items from `offset` on as fit a result, and where it goes on."""
    if isinstance(value, dict):
        return Text(json.dumps(value, indent=2, ensure_ascii=False))
    size, fitting = 0, list[Data]()
    for entry in value[offset:]:
        size += len(json.dumps([entry], indent=2, ensure_ascii=False))
        if fitting and size > MAX_TEXT - 100:
            break
        fitting.append(entry)
    text, end = json.dumps(fitting, indent=2, ensure_ascii=False), offset + len(fitting)
    if end >= len(value):
        return Text(text)
    return Text(f"{text}\n[cut: {end} of the {len(value)} items of this page; go on with offset={end}]")


def page_of(items: Sequence[Any], page: int, per_page: int) -> list[Any]:
    """The items of a page."""
    return list(items[(page - 1) * per_page : page * per_page])


def format_money(cents: int | None) -> str:
    """Hundredths as text with two decimals; nothing as an empty text."""
    if cents is None:
        return ""
    units, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{units}.{rest:02d}"


def parse_cents(name: str, value: Any) -> int | None:
    """An amount, text or number, as hundredths; an empty one is nothing.

    Raises:
        Problem: it is none, or finer than a hundredth.
    """
    from decimal import Decimal, InvalidOperation

    if value in (None, ""):
        return None
    try:
        amount = Decimal(str(value).strip()) * 100
    except InvalidOperation as error:
        raise Problem(
            f"Invalid parameter(s): {name}: {value!r} is not a valid amount; use one such as '19.90'"
        ) from error
    if not amount.is_finite() or amount != int(amount) or abs(amount) > 10**13:
        raise Problem(f"Invalid parameter(s): {name}: {value!r} is not an amount with at most two decimals")
    return int(amount)


def format_times(name: str, moment: str | None) -> Data:
    """A time as WooCommerce has it: in the shop's zone, and by Greenwich."""
    if not moment:
        return {name: None, f"{name}_gmt": None}
    at = datetime.fromisoformat(moment)
    local, gmt = (moment.replace(tzinfo=None, microsecond=0).isoformat() for moment in (at, at.astimezone(UTC)))
    return {name: local, f"{name}_gmt": gmt}


def meta_data(owner: int, meta: Mapping[str, Any]) -> list[Data]:
    """Further values as a list, with numbers of their own."""
    return [{"id": owner * 100 + place, "key": key, "value": value} for place, (key, value) in enumerate(meta.items())]


def meta_of(given: Any) -> dict[str, Any] | None:
    """Further values of such a list.

    Raises:
        Problem: it is none.
    """
    if given is None:
        return None
    if not isinstance(given, list) or not all(isinstance(meta, dict) and meta.get("key") for meta in given):
        raise Problem("Invalid parameter(s): meta_data: give a list of objects with key and value")
    return {str(meta["key"]): meta.get("value") for meta in given}


def check_fields(data: Mapping[str, Any], fields: Mapping[str, Any], ignored: Sequence[str] = ()) -> None:
    """That an object has no other fields than those that are read, and those that it was shown with.

    Raises:
        Problem: it has.
    """
    wrong = sorted(set(data) - set(fields) - {*ignored, "id", "_links"})
    if wrong:
        raise Problem(f"Invalid parameter(s): {', '.join(wrong)}. Fields are {', '.join(fields)}")
