"""Reading and checking the two files of a task, ``task.toml`` and ``prompt.md``."""

import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from yardkit.world import Problem

Check = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _is_moment(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


_TEXT, _LIST, _NUMBER, _TABLE = "a text", "a list of texts", "a number", "a table"
_KEYS: Mapping[str, tuple[Check, str]] = {
    **dict.fromkeys(("title", "dialect"), (_is_text, _TEXT)),
    **dict.fromkeys(("domain", "difficulty"), (_is_text, _TEXT)),
    **dict.fromkeys(("modalities", "deliverables"), (_is_list, _LIST)),
    **dict.fromkeys(("servers", "withheld", "tools", "variants"), (_is_list, _LIST)),
    **dict.fromkeys(("time_limit_s", "failed_rounds", "max_turns", "max_turns_per_op"), (_is_number, _NUMBER)),
    **dict.fromkeys(("free", "parameters"), (_is_table, _TABLE)),
    "now": (_is_moment, "a moment with its offset, such as 2026-03-02T09:00:00+00:00"),
}
"""What ``task.toml`` may hold, and what each is."""
_REQUIRED = ("title", "servers", "now")
"""Beside the profile, which says itself what is missing."""


def read_task_file(task: str, folder: Path) -> dict[str, Any]:
    """Read ``task.toml``.

    Raises:
        Problem: it is not TOML, or an entry is missing, unknown, or has the wrong type.
    """
    try:
        facts = tomllib.loads((folder / "task.toml").read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Problem(f"task.toml of {task} is not valid TOML: {error}") from error
    for name in _REQUIRED:
        if name not in facts:
            raise Problem(f"task.toml of {task} has no {name}; state {_KEYS[name][1]}")
    for name, value in facts.items():
        if name not in _KEYS:
            near = get_close_matches(name, _KEYS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(_KEYS)}"
            raise Problem(f"task.toml of {task} holds {name!r}, which is unknown; {hint}")
        check, kind = _KEYS[name]
        if not check(value):
            raise Problem(f"{name} of {task} is {value!r}; state {kind}")
    return facts


def read_prompt(task: str, folder: Path) -> str:
    """Read the text of ``prompt.md``, with its ``{names}``.

    Raises:
        Problem: it is missing or not UTF-8.
    """
    try:
        return (folder / "prompt.md").read_text("utf-8").strip()
    except FileNotFoundError as error:
        raise Problem(f"{task} has no prompt.md; write the prompt of the agent into it") from error
    except UnicodeDecodeError as error:
        raise Problem(f"prompt.md of {task} is not valid UTF-8: {error}") from error


def fill_prompt(task: str, template: str, prompt_values: Mapping[str, str]) -> str:
    """Fill in the ``{names}`` of a prompt.

    Raises:
        Problem: a name has no value, or a literal brace is not doubled.
    """
    try:
        return template.format_map(prompt_values)
    except KeyError as error:
        raise Problem(
            f"prompt.md of {task} uses {{{error.args[0]}}}, which has no value; use one of {', '.join(prompt_values)}, "
            "or return the value from `seed` as \"prompt\"; write a literal brace twice: '{{' or '}}'"
        ) from error
    except (IndexError, ValueError, AttributeError) as error:
        raise Problem(
            f"prompt.md of {task} has a brace that does not enclose a name; write a literal brace twice: "
            f"'{{{{' or '}}}}'"
        ) from error
