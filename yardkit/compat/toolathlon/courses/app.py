"""How the tools reach the school, and how they answer."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from yardkit.kit.dialect import TextPage, cut_page
from yardkit.servers.courses.engine.school_view import Campus, open_campus
from yardkit.world import Problem, current_world


def check_required(values: Mapping[str, Any]) -> None:
    """Refuse empty values of arguments that are needed, in Canvas's words; points may be 0, and grades have others.

    Raises:
        Problem: one is empty or 0.
    """
    names = [name for name in values if name != "points_possible"]
    if "grade" not in values and any(values[name] in (None, "", 0, []) for name in names):
        *first, last = names
        together = f"{', '.join(first)}, and {last}" if len(first) > 1 else " and ".join(names)
        raise Problem(f"Missing required field{'s' if first else ''}: {together}")


def open_state(writes: bool) -> AbstractContextManager[Campus]:
    """Open the school, to change it all or nothing."""
    return open_campus(current_world(), writes=writes)


def format_answer(value: Any, offset: int) -> TextPage:
    """An answer as indented JSON."""
    return cut_page(json.dumps(value, indent=2, ensure_ascii=False), offset)
