"""Reading delivered JSON."""

import json
from collections.abc import Sequence
from math import isfinite
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers import files
from yardkit.evaluators.submission import Submission

MAX_BYTES = 5_000_000
MAX_DIGITS = 40
"""Of a whole number."""


def read_json_object(submission: Submission, relative: str, fields: Sequence[str] = ()) -> dict[str, Any]:
    """Read the object in a delivered JSON file, which must have `fields`. Numbers with a point are floats.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not JSON, not an object, too deeply nested, repeats a field, or lacks one of `fields`.
    """
    text = files.read_text(submission, relative, MAX_BYTES)
    try:
        value = json.loads(text, **_HOOKS)
    except (ValueError, RecursionError) as error:
        raise InvalidArtifact(f"{relative} is not readable JSON ({error})") from error
    if not isinstance(value, dict):
        raise InvalidArtifact(f"{relative} holds a {type(value).__name__}, not an object")
    missing = [field for field in fields if field not in value]
    if missing:
        raise InvalidArtifact(
            f"{relative} lacks {', '.join(missing)}; it has {', '.join(list(value)[:20]) or 'nothing'}"
        )
    return value


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object and refuse repeated fields, whose value differs between programs."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field occurs twice in one object")
    return fields


def _refuse_constant(constant: str) -> Any:
    raise ValueError(f"{constant} is not a JSON number")


def _parse_integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS + 1:
        raise ValueError(f"a number has more than {MAX_DIGITS} digits")
    return int(digits)


def _parse_float(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is too large a number")
    return number


_HOOKS: dict[str, Any] = {
    "object_pairs_hook": _build_object,
    "parse_constant": _refuse_constant,
    "parse_int": _parse_integer,
    "parse_float": _parse_float,
}
