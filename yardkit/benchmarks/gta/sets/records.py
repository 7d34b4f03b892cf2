"""Reading fields of JSON from other programs; every error names the field's place."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.world import Problem, save_text
from yardkit.world.limits import check_bytes

MAX_JSON_BYTES = 500_000_000


@dataclass
class Record:
    """A JSON object at a place in a file; fields that are never read are reported as unknown.

    Attributes:
        where: the file and the path in it, such as ``dataset.json: 12.dialogs[3]``.
        value: the object.
    """

    where: str
    value: Mapping[str, Any]
    _taken: set[str] = field(default_factory=set, repr=False)

    @classmethod
    def make_record(cls, where: str, value: object) -> "Record":
        """Make a record.

        Raises:
            Problem: the value is not an object.
        """
        if not isinstance(value, dict):
            raise Problem(f"{where} should be an object, not {_name_kind(value)}")
        return cls(where, value)

    def text(self, name: str, default: str | None = None) -> str:
        """Read a text. Raises `Problem` if it is missing without a default, or has another type."""
        return str(self._take_field(name, str, "a text", default))

    def number(self, name: str, default: float) -> float:
        """Read a number. Raises `Problem` if it has another type."""
        value = self._take_field(name, (int, float), "a number", default)
        if isinstance(value, bool):
            raise Problem(f"{self.where}.{name} should be a number, not {value}")
        return float(value)

    def items(self, name: str, *, optional: bool = False) -> list[Any]:
        """Read a list. Raises `Problem` if it is missing and not optional, or has another type."""
        return list(self._take_field(name, list, "a list", [] if optional else None))

    def records(self, name: str, *, optional: bool = False) -> list["Record"]:
        """Read a list of objects. Raises `Problem` as `items`, or if one is not an object."""
        field_items = self.items(name, optional=optional)
        return [Record.make_record(f"{self.where}.{name}[{number}]", value) for number, value in enumerate(field_items)]

    def get_any(self, name: str) -> Any:
        """Read a value of any type; None if it is missing."""
        self._taken.add(name)
        return self.value.get(name)

    def unknown(self) -> list[str]:
        """List the places of fields that were never read."""
        return [f"{self.where}.{name}" for name in self.value if name not in self._taken]

    def _take_field(self, name: str, kind: type | tuple[type, ...], called: str, default: object) -> Any:
        self._taken.add(name)
        value = self.value.get(name)
        value = default if value is None else value
        if value is None:
            raise Problem(f"{self.where} has no {name!r}; it should hold {called}")
        if not isinstance(value, kind):
            raise Problem(f"{self.where}.{name} should be {called}, not {_name_kind(value)}")
        return value


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        Problem: the file is missing, too large, or not JSON.
    """
    if not path.is_file():
        raise Problem(f"there is no {path.name} in {path.parent.name!r}")
    check_bytes(path, MAX_JSON_BYTES)
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise Problem(f"{path.name} is not valid JSON: {error}") from error


def save_json(path: Path, value: object) -> None:
    """Write a JSON file."""
    save_text(path, json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n")


def list_numbered_records(name: str, value: object) -> Iterator[tuple[str, Record]]:
    """List the objects in a file by id, from an object keyed by ids or from a list.

    Raises:
        Problem: it is neither, or an item is not an object.
    """
    if isinstance(value, dict):
        pairs: Sequence[tuple[str, object]] = list(value.items())
    elif isinstance(value, list):
        pairs = [(str(number), item) for number, item in enumerate(value)]
    else:
        raise Problem(f"{name} should hold an object keyed by ids, not {_name_kind(value)}")
    for key, item in pairs:
        yield key, Record.make_record(f"{name}: {key}", item)


def _name_kind(value: object) -> str:
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return "null" if value is None else names.get(type(value), type(value).__name__)
