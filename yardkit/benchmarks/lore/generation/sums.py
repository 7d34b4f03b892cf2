"""Sums, differences and comparisons of variables as a person would write them in code."""

import operator
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

LONGEST_LINE = 88
_UNFACTORED_SHARE = 0.7
"""So many of the variables stand without a factor."""
_LARGEST_FACTOR = 4
_COMPARISONS: Sequence[tuple[str, Callable[[int, int], bool]]] = (
    (">", operator.gt),
    ("<", operator.lt),
    (">=", operator.ge),
    ("<=", operator.le),
)
_REMAINDERS: Sequence[tuple[str, Callable[[int, int], bool]]] = (
    ("==", operator.eq),
    ("!=", operator.ne),
    ("<", operator.lt),
)


@dataclass(frozen=True)
class Sum:
    """A sum of multiples.

    Attributes:
        text: as code.
        factors: of the variables, none of them 0.
    """

    text: str
    factors: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """A condition as code, and whether it holds."""

    text: str
    holds: bool


def drawn_factors(count: int, rng: random.Random) -> list[int]:
    """Small factors, the first one positive."""
    sizes = [1 if rng.random() < _UNFACTORED_SHARE else rng.randint(2, _LARGEST_FACTOR) for _ in range(count)]
    return [size if place == 0 or rng.random() < 0.5 else -size for place, size in enumerate(sizes)]


def drawn_sum(names: Sequence[str], rng: random.Random) -> Sum:
    """A sum over all of `names`, some of them perhaps in parentheses."""
    factors = drawn_factors(len(names), rng)
    if len(names) == 1 or rng.random() < 0.5:
        return Sum(join_multiples(names, factors), tuple(factors))
    start = rng.randint(0, len(names) - 2)
    end = rng.randint(start + 2, len(names))
    outer = rng.choice([-1, 1]) * rng.randint(1, 3) if start else rng.randint(2, 3)
    if outer == 1:
        # Parentheses behind a plus sign would change nothing.
        outer = -1
    inner = [abs(factors[start]), *factors[start + 1 : end]]
    if outer != -1:
        # Factors of factors read badly.
        inner = [1 if factor > 0 else -1 for factor in inner]
    grouped_terms = [*names[:start], f"({join_multiples(names[start:end], inner)})", *names[end:]]
    text = join_multiples(grouped_terms, [*factors[:start], outer, *factors[end:]])
    return Sum(text, (*factors[:start], *(outer * factor for factor in inner), *factors[end:]))


def another_sum(names: Sequence[str], than: Sum, rng: random.Random) -> Sum:
    """A sum that is not always equal to another one."""
    while True:
        new_sum = drawn_sum(names, rng)
        if new_sum.factors != than.factors:
            return new_sum


def join_multiples(names: Sequence[str], factors: Sequence[int]) -> str:
    """Multiples of names as code."""
    parts = [
        f"{abs(factor)} * {name}" if abs(factor) > 1 else name for name, factor in zip(names, factors, strict=True)
    ]
    signs = ["" if place == 0 else " - " if factor < 0 else " + " for place, factor in enumerate(factors)]
    return "".join(sign + part for sign, part in zip(signs, parts, strict=True))


def drawn_comparison(
    names: Sequence[str], values: Sequence[int], rng: random.Random, *, remainders: bool = True
) -> Comparison:
    """A condition over some of `names` that may well hold and may well not; of sizes, and of `remainders`."""
    places = list(range(len(names)))
    rng.shuffle(places)
    way = rng.choice(
        [_compare_sizes, _compare_sizes, *([_compare_remainders, _two_remainders] if remainders else []), _two_sizes]
    )
    some = places[: 3 if way is _two_sizes else 2]
    return way([names[place] for place in some], [values[place] for place in some], rng)


def _compare_sizes(names: Sequence[str], values: Sequence[int], rng: random.Random) -> Comparison:
    sign, compare = rng.choice(_COMPARISONS)
    return Comparison(f"{names[0]} {sign} {names[1]}", compare(values[0], values[1]))


def _two_sizes(names: Sequence[str], values: Sequence[int], rng: random.Random) -> Comparison:
    if len(names) < 3:
        return _compare_sizes(names, values, rng)
    sign, compare = rng.choice(_COMPARISONS)
    return Comparison(f"{names[0]} - {names[1]} {sign} {names[2]}", compare(values[0] - values[1], values[2]))


def _compare_remainders(names: Sequence[str], values: Sequence[int], rng: random.Random) -> Comparison:
    sign, compare = rng.choice(_REMAINDERS)
    divisor = rng.randint(2, 5)
    rest = rng.randint(1, divisor - 1)
    text, value = rng.choice([(names[0], values[0]), (f"({names[0]} + {names[1]})", values[0] + values[1])])
    return Comparison(f"{text} % {divisor} {sign} {rest}", compare(value % divisor, rest))


def _two_remainders(names: Sequence[str], values: Sequence[int], rng: random.Random) -> Comparison:
    sign, compare = rng.choice(_COMPARISONS)
    divisor = rng.randint(7, 20)
    text = f"{names[0]} % {divisor} {sign} {names[1]} % {divisor}"
    return Comparison(text, compare(values[0] % divisor, values[1] % divisor))
