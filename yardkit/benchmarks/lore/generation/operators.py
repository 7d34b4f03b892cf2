"""Operators: rules that link a node to its children. Add one here and name it in the ``task.toml`` of the domains."""

import operator
import random
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal

Kind = Literal["number", "text"]
Value = int | str
Draw = Callable[[Kind, random.Random], Value]
"""Draws a value of a kind."""

MODULUS = 999_983
"""Results of nested operations are kept below it (top-down only: there values build on values). It is prime, so that
the values of long chains do not fall to 0."""
DIGITS = 6
"""Nested values are written with so many digits where they are put one behind the other."""
_LARGEST = 999_999
_TWO_DIGITS = (10, 99)
_LETTERS = string.ascii_letters


@dataclass(frozen=True)
class Operator:
    """A rule over the values of children.

    Attributes:
        kind: of its values and of its result.
        apply: the value for those of the children.
        phrases: ways to say it, with ``{names}`` for the children's names.
        sign: between the children's names where the rule is written as an expression; empty where it cannot be.
    """

    name: str
    kind: Kind
    apply: Callable[[Sequence[Value]], Value]
    phrases: tuple[tuple[str, str], ...]
    sign: str = ""

    def describe_rule(self, names: Sequence[str], rng: random.Random) -> str:
        """The rule in words over the names of the children."""
        return _format_phrase(self.phrases, names, rng)

    def expression(self, names: Sequence[str]) -> str:
        """The rule as an expression over the names of the children; empty where it has no sign."""
        return f" {self.sign} ".join(names) if self.sign else ""


OPERATORS: Mapping[str, Operator] = {
    operation.name: operation
    for operation in (
        Operator(
            "add",
            "number",
            lambda values: sum(map(int, values)),
            (("{names}", "+"), ("the sum of {names}", "and")),
            "+",
        ),
        Operator(
            "subtract",
            "number",
            lambda values: reduce(operator.sub, map(int, values)),
            (("{names}", "-"), ("{names}", "minus")),
            "-",
        ),
        Operator(
            "concatenate",
            "text",
            lambda values: "".join(map(str, values)),
            (
                ("the texts {names} written one behind the other", "+"),
                ("the texts {names} joined in this order", "and"),
            ),
        ),
    )
}


def parse_operators(names: str) -> list[Operator]:
    """The operators that ``name+name`` means."""
    return [OPERATORS[name] for name in names.split("+")]


def random_value(kind: Kind, rng: random.Random) -> Value:
    """A number of up to six digits, or a text of three to six letters."""
    if kind == "number":
        return rng.randint(-_LARGEST, _LARGEST)
    return "".join(rng.choices(_LETTERS, k=rng.randint(3, 6)))


def small_value(kind: Kind, rng: random.Random) -> Value:
    """A number of two digits, or a text of one to four letters, as in the examples of the paper."""
    if kind == "number":
        return rng.randint(*_TWO_DIGITS)
    return "".join(rng.choices(_LETTERS, k=rng.randint(1, 4)))


@dataclass(frozen=True)
class Scale:
    """How large the numbers of a program are.

    Attributes:
        value: draws one that is not worked out.
        modulus: those that are worked out are remainders on division by it; 0: they come as they are.
    """

    value: Draw
    modulus: int = 0

    def reduce(self, number: int) -> int:
        """A result as it is kept."""
        return number % self.modulus if self.modulus else number

    def reduce_in_code(self, name: str) -> str:
        """The code that keeps the value of a name or of what stands in parentheses."""
        return f"{name} % {self.modulus}" if self.modulus else name

    def reduce_sum_in_code(self, text: str) -> str:
        """The code that keeps the value of a sum."""
        return self.reduce_in_code(f"({text})") if self.modulus else text

    def choose_positive(self, rng: random.Random) -> int:
        """A number above 0."""
        return rng.randint(1, self.modulus - 1) if self.modulus else rng.randint(*_TWO_DIGITS)


LARGE, SMALL = Scale(random_value, MODULUS), Scale(small_value)


@dataclass(frozen=True)
class NestedOperator:
    """A rule over nested values, all of them whole numbers from 0 to below `MODULUS`, and so is its result.

    Attributes:
        weights: the factor of each of so many children; the result is the remainder of the sum.
        phrases: as those of an `Operator`.
    """

    weights: Callable[[int], Sequence[int]]
    phrases: tuple[tuple[str, str], ...]


NESTED: Mapping[str, NestedOperator] = {
    "add": NestedOperator(lambda count: [1] * count, OPERATORS["add"].phrases),
    "subtract": NestedOperator(lambda count: [1] + [-1] * (count - 1), OPERATORS["subtract"].phrases),
    "concatenate": NestedOperator(
        lambda count: [10 ** (DIGITS * place) for place in reversed(range(count))],
        (
            (f"{{names}}, each written with {DIGITS} digits, one behind the other,", "and"),
            (f"the {DIGITS}-digit numbers {{names}} (with zeros in front) joined in this order", "and"),
        ),
    ),
}


@dataclass(frozen=True)
class Nested:
    """A nested operator over so many children."""

    operator: NestedOperator
    count: int

    @property
    def factors(self) -> Sequence[int]:
        """By how much the result grows with each value, modulo `MODULUS`."""
        return self.operator.weights(self.count)

    def compute_value(self, values: Sequence[int]) -> int:
        """The result for those values."""
        return sum(factor * value for factor, value in zip(self.factors, values, strict=True)) % MODULUS

    def describe_rule(self, names: Sequence[str], rng: random.Random) -> str:
        """The rule in words over the names of the children."""
        return _format_phrase(self.operator.phrases, names, rng)


def chosen_nested(names: str) -> list[NestedOperator]:
    """The nested operators that ``name+name`` means."""
    return [NESTED[name] for name in names.split("+")]


def _format_phrase(phrases: Sequence[tuple[str, str]], names: Sequence[str], rng: random.Random) -> str:
    phrase, glue = rng.choice(phrases)
    if glue == "and":
        return phrase.format(names=f"{', '.join(names[:-1])} and {names[-1]}")
    return phrase.format(names=f" {glue} ".join(names))
