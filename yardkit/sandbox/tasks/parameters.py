"""Parameters of a task, declared in its ``task.toml``, such as the number of operations of a generated task.

An instance is named ``suite/task@name=value,name=value``: defaults are left out and the other parameters are in the
order of ``task.toml``, so that each instance has exactly one name.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from yardkit.world import Problem

Value = int | float | str
LENGTH = "ops"
"""The parameter that says how many operations a task is made of."""


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes:
        says: a one-line description.
        default: its default value, whose type is that of the parameter.
        least, most: the bounds of a number.
        choices: the allowed values; empty for a number.
        several: whether the value is one or more of the choices, joined by ``+``.
    """

    name: str
    says: str
    default: Value
    least: float = float("-inf")
    most: float = float("inf")
    choices: tuple[str, ...] = ()
    several: bool = False

    @classmethod
    def parse_table(cls, name: str, table: Mapping[str, Any]) -> "Parameter":
        """Parse the declaration of a parameter in ``task.toml``."""
        choices = tuple(table.get("choices", ()))
        least, most = table.get("min", float("-inf")), table.get("max", float("inf"))
        return cls(name, table["says"], table["default"], least, most, choices, table.get("several", False))

    def parse(self, text: str) -> Value:
        """Parse a value.

        Raises:
            Problem: the value is not allowed.
        """
        return self._parse_choices(text) if self.choices else self._parse_number(text)

    def _parse_choices(self, text: str) -> str:
        words = text.split("+") if self.several else [text]
        wrong = [word for word in words if word not in self.choices]
        if wrong:
            hint = f", or several of them joined by '+': {'+'.join(self.choices)}" if self.several else ""
            raise Problem(f"{self.name}={text!r}: {wrong[0]!r} is not one of {', '.join(self.choices)}{hint}")
        return "+".join(choice for choice in self.choices if choice in words)

    def _parse_number(self, text: str) -> int | float:
        kind = type(self.default)
        try:
            value = int(text) if kind is int else float(text) + 0.0  # + 0.0 turns -0.0 into 0.0
        except ValueError:
            raise Problem(f"{self.name}={text!r}: write a {'whole ' * (kind is int)}number") from None
        if not self.least <= value <= self.most:
            raise Problem(f"{self.name}={text}: it must be between {self.least:g} and {self.most:,.10g}")
        return value


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """Split a task's name from its parameters, which are returned as text.

    Raises:
        Problem: the part after the ``@`` is not ``name=value,name=value``.
    """
    base, at, rest = name.partition("@")
    if not at:
        return base, {}
    pairs = [part.partition("=") for part in rest.split(",")]
    if any(not key or not sign or not value for key, sign, value in pairs):
        raise Problem(f"{name!r}: write parameters as {base}@name=value,name=value")
    if len({key for key, _, _ in pairs}) < len(pairs):
        raise Problem(f"{name!r} gives a parameter twice; give each once")
    return base, {key: value for key, _, value in pairs}


def settle_parameters(task: str, known: Sequence[Parameter], given: Mapping[str, str]) -> dict[str, Value]:
    """Return all parameters of a task: the `given` ones parsed, the others at their defaults.

    Raises:
        Problem: a parameter does not exist, or a value is not allowed.
    """
    names = [parameter.name for parameter in known]
    for name in given:
        if name not in names:
            close = get_close_matches(name, names, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise Problem(f"{task} has no parameter {name!r}.{hint} Parameters: {', '.join(names) or 'none'}")
    return {
        setting.name: setting.parse(given[setting.name]) if setting.name in given else setting.default
        for setting in known
    }


def full_name(task: str, known: Sequence[Parameter], values: Mapping[str, Value]) -> str:
    """Return the unique name of an instance."""
    value_texts = [
        f"{parameter.name}={values[parameter.name]}"
        for parameter in known
        if values[parameter.name] != parameter.default
    ]
    return f"{task}@{','.join(value_texts)}" if value_texts else task


def iter_combinations(dials: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield every combination of the parameters' values."""
    for values in itertools.product(*dials.values()):
        yield dict(zip(dials, values, strict=True))
