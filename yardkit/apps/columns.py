"""Mapping the fields of a record class to the columns of a table."""

import operator
import types
from dataclasses import dataclass, fields
from functools import cache, reduce
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from yardkit.world import Problem

_UNIONS = (Union, types.UnionType)
_TYPES = {str: "TEXT", int: "INTEGER", float: "REAL", bool: "INTEGER"}


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        declared: its declared type in SQLite.
        null: whether it may be null.
        key: whether it is the primary key.
        native_type: the type of its values; None if `adapter` stores them as JSON.
    """

    name: str
    declared: str
    null: bool
    key: bool
    native_type: type | None
    adapter: TypeAdapter[Any]

    @property
    def sql(self) -> str:
        """The column's definition in SQL."""
        return f'"{self.name}" {self.declared}{" PRIMARY KEY" if self.key else ""}{"" if self.null else " NOT NULL"}'

    def to_stored(self, value: Any) -> Any:
        """Convert a value for storage.

        Raises:
            Problem: it cannot be stored: a number is too large, or a text has an invalid character.
        """
        if value is None:
            return None
        stored_value = self.adapter.dump_json(value).decode() if self.native_type is None else value
        if isinstance(stored_value, int) and not -(2**63) <= stored_value < 2**63:
            raise Problem(f"{self.name} {stored_value} is too large; a number has at most 18 digits")
        if isinstance(stored_value, str) and "\0" in stored_value:
            raise Problem(f"{self.name} {stored_value[:60]!r} holds a null character; leave it out")
        return int(stored_value) if self.native_type is bool else stored_value

    def loaded(self, value: Any) -> Any:
        """Convert a stored value for the record.

        Raises:
            Problem: it is invalid, because another program wrote it.
        """
        if value is None or self.native_type is not None:
            return bool(value) if self.native_type is bool else value
        try:
            return self.adapter.validate_json(value)
        except ValueError as error:
            raise Problem(f"{self.name} is {str(value)[:60]!r}, which Yardkit did not write; correct it") from error


@cache
def columns_of(kind: type) -> tuple[Column, ...]:
    """Return the columns of a frozen dataclass; the first is the key."""
    hints = get_type_hints(kind)
    return tuple(
        _build_column(field.name, hints[field.name], key=place == 0) for place, field in enumerate(fields(kind))
    )


def _build_column(name: str, hint: Any, *, key: bool) -> Column:
    inner = [part for part in get_args(hint) if part is not type(None)] if get_origin(hint) in _UNIONS else [hint]
    bare: Any = reduce(operator.or_, inner)
    native_type = _find_native_type(bare)
    null = inner != [hint] and type(None) in get_args(hint)
    return Column(name, _TYPES[native_type] if native_type else "TEXT", null, key, native_type, TypeAdapter(bare))


def _find_native_type(hint: Any) -> type | None:
    """Find the type whose values SQLite stores directly; a choice of texts is a text."""
    if get_origin(hint) is Literal and all(isinstance(choice, str) for choice in get_args(hint)):
        return str
    return hint if hint in _TYPES else None
