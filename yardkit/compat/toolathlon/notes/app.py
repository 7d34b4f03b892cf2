"""What the tools of the dialect share: registration, errors as Notion's, ids, times, pages of results."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, TypeVar

from yardkit.apps.notes import APP, Block, Comment, Page, Person, Table
from yardkit.apps.store import Store, hex_id
from yardkit.kit.dialect import Text
from yardkit.kit.surface import MAX_TEXT
from yardkit.servers.notes.engine.context import opened_notes
from yardkit.world import Problem, current_world

Data = dict[str, Any]
Kind = TypeVar("Kind", Page, Table, Block, Person, Comment)
_NAMES: dict[type, str] = {Page: "page", Table: "database", Block: "block", Person: "user", Comment: "comment"}


class NotionProblem(Problem):
    """A problem that is told as an error object already."""


def make_refusal(status: int, code: str, message: str) -> NotionProblem:
    """An error object of Notion's API."""
    return NotionProblem(json.dumps({"object": "error", "status": status, "code": code, "message": message}))


def make_validation_problem(message: str) -> NotionProblem:
    """That a request says what cannot be."""
    return make_refusal(400, "validation_error", message)


def explain_problem(problem: Problem) -> Problem:
    """A problem as Notion tells it."""
    if isinstance(problem, NotionProblem):
        return problem
    missing = str(problem).startswith("there is no")
    status, code = (404, "object_not_found") if missing else (400, "validation_error")
    return make_refusal(status, code, str(problem))


def open_state(writes: bool) -> AbstractContextManager[Store]:
    """Open the records of the notes."""
    return opened_notes(current_world(), writes=writes)


def format_answer(value: Data, offset: int) -> Text:
    """An object as compact JSON; pages of lists have cursors."""
    return Text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def uuid_of(kind: type[Kind], number: int) -> str:
    """The id of a record."""
    digits = hex_id(APP, kind, number)
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def number_of(store: Store, kind: type[Kind], given: Any, field: str = "id") -> int:
    """The number of the record with an id, with or without its dashes.

    Raises:
        Problem: it is none, or there is no such record.
    """
    digits = str(given).replace("-", "").lower()
    if not re.fullmatch("[0-9a-f]{32}", digits):
        raise make_validation_problem(
            f"path failed validation: path.{field} should be a valid uuid, instead was `{json.dumps(given)}`."
        )
    record_number = find_number(store, kind, digits)
    if record_number is None:
        raise make_refusal(
            404,
            "object_not_found",
            f"Could not find {_NAMES[kind]} with ID: {given}. Make sure the relevant pages and databases are shared "
            "with your integration.",
        )
    return record_number


def find_number(store: Store, kind: type[Kind], given: str) -> int | None:
    """The number of the record with an id, if there is one."""
    digits = given.replace("-", "").lower()
    return next((number for number in store.counts(kind, "id") if hex_id(APP, kind, number) == digits), None)


def time_of(moment: str) -> str:
    """A time as Notion has it."""
    at = datetime.fromisoformat(moment).astimezone(UTC)
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def user_of(number: int | None) -> Data:
    """Somebody by their id alone."""
    return {"object": "user", "id": uuid_of(Person, number or 0)}


def format_results(
    result_objects: Sequence[Data],
    kind: str,
    cursor: str = "",
    size: int = 100,
    key: Callable[[Data], str] | None = None,
) -> Data:
    """A page of a list, from `cursor` on: at most `size` objects, and as many as fit a result."""
    key = key or (lambda result: str(result["id"]))
    first = next((place for place, result in enumerate(result_objects) if key(result) == cursor), None) if cursor else 0
    if first is None:
        raise make_validation_problem(f"The start_cursor provided is invalid: {cursor}")
    page_objects, length = list[Data](), 0
    for result in result_objects[first : first + size]:
        length += len(json.dumps(result, ensure_ascii=False, separators=(",", ":"))) + 1
        if page_objects and length > MAX_TEXT - 500:
            break
        page_objects.append(result)
    end = first + len(page_objects)
    more = end < len(result_objects)
    return {
        "object": "list",
        "results": page_objects,
        "next_cursor": key(result_objects[end]) if more else None,
        "has_more": more,
        "type": kind,
        kind: {},
    }


def parse_object(given: Any, field: str) -> Any:
    """An object that may come as its JSON.

    Raises:
        Problem: it is none.
    """
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except ValueError as error:
        raise make_validation_problem(
            f"body failed validation: body.{field} should be an object, instead was `{given[:100]}`."
        ) from error
