"""The server, the words for its arguments, and how it answers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from yardkit.kit.dialect import TextPage, cut_page
from yardkit.servers.courses.engine.school_view import Campus, open_campus
from yardkit.world import Problem, current_world


def require_values(**values: object) -> None:
    """Refuse empty values of arguments that are needed, in Canvas's words.

    Raises:
        Problem: one is empty or 0.
    """
    if any(value in (None, "", 0, []) for value in values.values()):
        *first, last = values
        together = f"{', '.join(first)}, and {last}" if len(first) > 1 else " and ".join(values)
        raise Problem(f"Missing required field{'s' if first else ''}: {together}")


@contextmanager
def open_for_reading() -> Iterator[Campus]:
    """The school, to read."""
    with open_campus(current_world()) as course_store:
        yield course_store


@contextmanager
def open_for_changing() -> Iterator[Campus]:
    """The school, to change; all or nothing."""
    with open_campus(current_world(), writes=True) as course_store:
        yield course_store


def format_answer(value: Any, offset: int = 0) -> TextPage:
    """An answer as indented JSON."""
    return cut_page(json.dumps(value, indent=2, ensure_ascii=False), offset)
