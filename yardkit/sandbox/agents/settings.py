"""Parse an agent's settings from the command line into the typed fields of a dataclass."""

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

from yardkit.world import Problem

Settings = TypeVar("Settings")


def parse_settings(kind: type[Settings], agent: str, given: Mapping[str, str], **known: Any) -> Settings:
    """Make an instance of the dataclass `kind` with the `known` values and those in `given`.

    Raises:
        Problem: a setting does not exist, or a value does not have its type.
    """
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in fields(kind) if field.name not in known]  # type: ignore[arg-type]
    values = dict(known)
    for name, text in given.items():
        if name not in names:
            close = get_close_matches(name, names, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise Problem(f"the agent {agent!r} has no setting {name!r}.{hint} Settings: {', '.join(names)}")
        try:
            values[name] = TypeAdapter(hints[name]).validate_python(text)
        except ValidationError as error:
            raise Problem(f"setting {name}={text!r}: {error.errors()[0]['msg']}") from error
    return kind(**values)
