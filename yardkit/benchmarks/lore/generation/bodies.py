"""What ``main`` of a module can be: a sum of others, a choice between two, coroutines that work on one variable."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from yardkit.benchmarks.lore.generation.interleaving import drawn_interleaving
from yardkit.benchmarks.lore.generation.operators import LARGE, Scale
from yardkit.benchmarks.lore.generation.sums import (
    LONGEST_LINE,
    Comparison,
    Sum,
    another_sum,
    drawn_comparison,
    drawn_factors,
    drawn_sum,
)

_LETTERS = tuple("abcdefghi")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_RESULTS = ("amount", "outcome", "result", "total", "value")
_MOST_WITH_LONG_NAMES = 5


@dataclass(frozen=True)
class Body:
    """A module's part.

    Attributes:
        main: lines of its ``main``, indented.
        imports: what it needs of the standard library.
        variables: lines with the module's variables.
        blocks: functions above it, as lines.
        shared: the variable that its coroutines change, if it has some.
    """

    main: list[str]
    imports: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    blocks: list[list[str]] = field(default_factory=list)
    shared: str = ""


@dataclass(frozen=True)
class Draft:
    """What a module is to return: a sum over the values of other modules, kept as `scale` says.

    Attributes:
        factors: of the values.
        write: the body, once the values are known: where one of two sums is returned, this one is chosen by comparing
            them.
        rest: a number that is added.
        scale: how large numbers are.
    """

    factors: tuple[int, ...]
    write: Callable[[Sequence[int], random.Random], Body]
    rest: int = 0
    scale: Scale = LARGE

    def compute_value(self, values: Sequence[int]) -> int:
        """What is returned for these values."""
        return self.scale.reduce(self.rest + sum(map(int.__mul__, self.factors, values)))


@dataclass(frozen=True)
class Construct:
    """An operator of the domain of code; `draft` is given the names of modules and how large numbers are."""

    name: str
    draft: Callable[[Sequence[str], random.Random, Scale], Draft]


def _draw_expression(modules: Sequence[str], rng: random.Random, scale: Scale) -> Draft:
    way = rng.choice([_write_single_line, _over_names, _step_by_step])
    lines, result_sum = way(modules, rng, scale)
    return Draft(result_sum.factors, lambda _values, _rng: Body(lines), scale=scale)


def _write_single_line(modules: Sequence[str], rng: random.Random, scale: Scale) -> tuple[list[str], Sum]:
    result_sum = drawn_sum([f"{module}.main()" for module in modules], rng)
    line = f"    return {scale.reduce_sum_in_code(result_sum.text)}"
    return ([line], result_sum) if len(line) <= LONGEST_LINE else _over_names(modules, rng, scale)


def _over_names(modules: Sequence[str], rng: random.Random, scale: Scale) -> tuple[list[str], Sum]:
    names, lines = _name_values(modules, rng)
    result_sum = drawn_sum(names, rng)
    return [*lines, f"    return {scale.reduce_sum_in_code(result_sum.text)}"], result_sum


def _step_by_step(modules: Sequence[str], rng: random.Random, scale: Scale) -> tuple[list[str], Sum]:
    name, factors = rng.choice(_RESULTS), drawn_factors(len(modules), rng)
    lines = []
    for place, (module, factor) in enumerate(zip(modules, factors, strict=True)):
        sign = "=" if place == 0 else "+=" if factor > 0 else "-="
        lines.append(f"    {name} {sign} {f'{abs(factor)} * ' if abs(factor) > 1 else ''}{module}.main()")
    return [*lines, f"    return {scale.reduce_in_code(name)}"], Sum(name, tuple(factors))


def _draw_conditional(modules: Sequence[str], rng: random.Random, scale: Scale) -> Draft:
    names, lines = _name_values(modules, rng)
    right = drawn_sum(names, rng)
    wrong = another_sum(names, right, rng)

    def write(values: Sequence[int], rng: random.Random) -> Body:
        condition = drawn_comparison(names, values, rng, remainders=bool(scale.modulus))
        then, other = (right, wrong) if condition.holds else (wrong, right)
        way = rng.choice([_leave_early, _write_choice, _write_assignment])
        return Body([*lines, *way(condition, then, other, rng, scale)])

    return Draft(right.factors, write, scale=scale)


def _leave_early(condition: Comparison, then: Sum, other: Sum, _rng: random.Random, scale: Scale) -> list[str]:
    then_text, left = scale.reduce_sum_in_code(then.text), scale.reduce_sum_in_code(other.text)
    return [f"    if {condition.text}:", f"        return {then_text}", f"    return {left}"]


def _write_choice(condition: Comparison, then: Sum, other: Sum, rng: random.Random, scale: Scale) -> list[str]:
    name = rng.choice(_RESULTS)
    line = f"    {name} = {then.text} if {condition.text} else {other.text}"
    if len(line) > LONGEST_LINE:
        return _write_assignment(condition, then, other, rng, scale)
    return [line, f"    return {scale.reduce_in_code(name)}"]


def _write_assignment(condition: Comparison, then: Sum, other: Sum, rng: random.Random, scale: Scale) -> list[str]:
    name = rng.choice(_RESULTS)
    return [
        f"    if {condition.text}:",
        f"        {name} = {then.text}",
        "    else:",
        f"        {name} = {other.text}",
        f"    return {scale.reduce_in_code(name)}",
    ]


def _draw_asynchronous(modules: Sequence[str], rng: random.Random, scale: Scale) -> Draft:
    names, lines = _name_values(modules, rng)
    interleaving = drawn_interleaving(names, rng, scale)
    line, direct = (
        f"    asyncio.run({interleaving.runner}({', '.join(taken)}))"
        for taken in (names, [f"{module}.main()" for module in modules])
    )
    if len(direct) <= LONGEST_LINE and rng.random() < 0.5:
        line, lines = direct, []
    lines += [line, f"    return {interleaving.shared}"]
    body = Body(
        lines, ["asyncio"], [f"{interleaving.shared} = {interleaving.start}"], interleaving.blocks, interleaving.shared
    )
    return Draft(interleaving.factors, lambda _values, _rng: body, interleaving.saved_factor, scale)


def _name_values(modules: Sequence[str], rng: random.Random) -> tuple[Sequence[str], list[str]]:
    """Names for the values of modules, and the lines that give them."""
    numbered = [f"x{number_of(module)}" for module in modules]
    known = [_LETTERS, _ORDINALS, numbered] if len(modules) <= _MOST_WITH_LONG_NAMES else [_LETTERS]
    names = rng.choice(known)[: len(modules)]
    return names, [f"    {name} = {module}.main()" for name, module in zip(names, modules, strict=True)]


def number_of(module: str) -> int:
    """12 of the module ``v12_kqztb``."""
    return int(module[1:].partition("_")[0])


CONSTRUCTS: Mapping[str, Construct] = {
    construct.name: construct
    for construct in (
        Construct("expression", _draw_expression),
        Construct("conditional", _draw_conditional),
        Construct("asynchronous", _draw_asynchronous),
    )
}
