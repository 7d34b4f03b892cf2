"""Coroutines that share a variable and take turns at sleeps: what comes out depends on who wakes up when.

All wake-ups of a file lie at different times and nothing is written before the first, so that no tie decides.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from yardkit.benchmarks.lore.generation.operators import Scale
from yardkit.benchmarks.lore.generation.sums import LONGEST_LINE, drawn_factors, join_multiples

Act = Literal["update", "note", "write"]
"""To change the shared variable, to keep its value for later, to overwrite it with what follows from the kept value."""
Pattern = Sequence[Sequence[Act]]
"""What a coroutine does: at once, after a first sleep, after a second one. Nothing is written at once."""
_CAREFUL: Sequence[Pattern] = (
    ((), ("update",)),
    ((), ("update",), ("update",)),
)
_FORGETFUL: Sequence[Pattern] = (
    (("note",), ("write",)),
    ((), ("note",), ("write",)),
    ((), ("update", "note"), ("write",)),
    (("note",), ("write",), ("update",)),
)
_MOST_FORGETFUL = 2
"""They undo what others did while they slept: with more of them too much would be lost."""
_COROUTINES = ("charge", "collect", "drain", "refill", "refund", "settle", "ship", "sweep", "top_up")
_IDLE_COROUTINES = ("audit", "cancel", "restore", "undo")
_SHARED = ("balance", "level", "score", "stock", "total")
_GIVEN = ("amount", "value", "size", "part")
_SAVED_NAMES = ("seen", "before", "old", "known")
_LATER = 1000
"""Longer than any coroutine takes, in tenths of a second."""


@dataclass(frozen=True)
class Turn:
    """What a coroutine does between two sleeps.

    Attributes:
        at: when, in tenths of a second from the start.
        acts: each with the factors of the shared variable (or its kept value) and of what the coroutine was given.
    """

    at: int
    acts: Sequence[tuple[Act, tuple[int, int]]]


Plan = Sequence[Sequence[Turn]]
"""The turns of every coroutine."""


@dataclass(frozen=True)
class Interleaved:
    """A file's part.

    Attributes:
        shared: the shared variable.
        start: its value at first.
        saved_factor: the part of it that is left at the end.
        factors: with which values are part of it then.
        blocks: the coroutines, as lines of code.
        runner: the last of them, which starts the others and takes `names`.
    """

    shared: str
    start: int
    saved_factor: int
    factors: tuple[int, ...]
    blocks: list[list[str]]
    runner: str


def drawn_interleaving(names: Sequence[str], rng: random.Random, scale: Scale) -> Interleaved:
    """One coroutine for each of `names`, run together."""
    start, same_acts = scale.choose_positive(rng), rng.random() < 0.5
    while not (factors := _compute_factors(plan := _plan_turns(len(names), rng, same_acts=same_acts), scale)):
        pass
    words = _choose_words(rng.choice(_SHARED), rng, scale)
    coroutines = list(_COROUTINES)
    rng.shuffle(coroutines)
    runner = rng.choice(["run", "everything", "work"])
    if same_acts:
        waits = ["wait", "rest"][: len(plan[0]) - 1]
        blocks = [_write_coroutine(coroutines[0], plan[0], words, waits)]
        calls = [_write_call(coroutines[0], name, _list_sleeps(turns)) for name, turns in zip(names, plan, strict=True)]
    else:
        blocks = [_write_coroutine(coroutine, turns, words) for coroutine, turns in zip(coroutines, plan, strict=False)]
        calls = [_write_call(coroutine, name, ()) for coroutine, name in zip(coroutines, names, strict=False)]
    blocks.append([f"async def {runner}({', '.join(names)}):", *_write_gather(calls)])
    return Interleaved(
        words.shared, start, _compute_outcome(plan, start, [0] * len(plan), scale), factors, blocks, runner
    )


def idle_coroutine(shared: str, rng: random.Random, scale: Scale) -> list[str]:
    """A coroutine that nothing starts, as lines of code."""
    (turns,) = _plan_turns(1, rng, same_acts=True)
    return _write_coroutine(rng.choice(_IDLE_COROUTINES), turns, _choose_words(shared, rng, scale))


def _plan_turns(count: int, rng: random.Random, *, same_acts: bool) -> Plan:
    """Turns at times that are all different; all coroutines do the same if they are `alike`."""
    if same_acts:
        patterns = [_draw_acts(rng.choice([*_CAREFUL, *_FORGETFUL]), rng)] * count
    else:
        forgetful = rng.randint(1, _MOST_FORGETFUL)
        patterns = [
            _draw_acts(rng.choice(_FORGETFUL if place < forgetful else _CAREFUL), rng) for place in range(count)
        ]
        rng.shuffle(patterns)
    wakes = sum(len(pattern) - 1 for pattern in patterns)
    times = list(range(1, 2 * wakes + 4))
    rng.shuffle(times)
    plan, used = [], 0
    for pattern in patterns:
        at = [0, *sorted(times[used : used + len(pattern) - 1])]
        used += len(pattern) - 1
        plan.append([Turn(*pair) for pair in zip(at, pattern, strict=True)])
    return plan


def _draw_acts(pattern: Pattern, rng: random.Random) -> list[list[tuple[Act, tuple[int, int]]]]:
    return [[(act, _draw_factor_pair(rng)) for act in acts] for acts in pattern]


def _draw_factor_pair(rng: random.Random) -> tuple[int, int]:
    first, second = drawn_factors(2, rng)
    return first, second


def _compute_factors(plan: Plan, scale: Scale) -> tuple[int, ...]:
    """With which factors values come out, none of them 0; nothing if one is lost or turns make no difference."""
    units = [[int(place == other) for other in range(len(plan))] for place in range(len(plan))]
    factors: list[int] = []
    for unit in units:
        factors.append(_compute_outcome(plan, 0, unit, scale))
        if factors[-1] == 0:
            return ()
    one_by_one = [[Turn(_LATER * place + turn.at, turn.acts) for turn in turns] for place, turns in enumerate(plan)]
    differs = any(
        _compute_outcome(one_by_one, 0, unit, scale) != factor for unit, factor in zip(units, factors, strict=True)
    )
    return tuple(factors) if differs else ()


def _compute_outcome(plan: Plan, start: int, values: Sequence[int], scale: Scale) -> int:
    """The shared variable at the end."""
    total, saved_values = start, [0] * len(plan)
    turns = sorted((turn.at, place, turn) for place, turns in enumerate(plan) for turn in turns if turn.acts)
    for _, place, turn in turns:
        for act, (first, second) in turn.acts:
            if act == "note":
                saved_values[place] = total
            else:
                base = total if act == "update" else saved_values[place]
                total = scale.reduce(first * base + second * values[place])
    return total


@dataclass(frozen=True)
class _Words:
    """What the variables are called, and how large they are."""

    shared: str
    given: str
    saved_name: str
    scale: Scale


def _choose_words(shared: str, rng: random.Random, scale: Scale) -> _Words:
    return _Words(shared, rng.choice(_GIVEN), rng.choice(_SAVED_NAMES), scale)


def _write_coroutine(name: str, turns: Sequence[Turn], words: _Words, waits: Sequence[str] = ()) -> list[str]:
    """A coroutine as code; `waits`: it is told how long to sleep, in these arguments."""
    lines = [f"async def {name}({', '.join([words.given, *waits])}):", f"    global {words.shared}"]
    lengths = waits or _list_sleeps(turns)
    for place, turn in enumerate(turns):
        if place:
            lines.append(f"    await asyncio.sleep({lengths[place - 1]})")
        lines += [f"    {_write_act(act, factors, words)}" for act, factors in turn.acts]
    return lines


def _write_act(act: Act, factors: tuple[int, int], words: _Words) -> str:
    if act == "note":
        return f"{words.saved_name} = {words.shared}"
    base = words.shared if act == "update" else words.saved_name
    return f"{words.shared} = {words.scale.reduce_sum_in_code(join_multiples([base, words.given], factors))}"


def _list_sleeps(turns: Sequence[Turn]) -> list[str]:
    """How long a coroutine sleeps before each turn but the first, in seconds."""
    return [f"{(turn.at - before.at) / 10:g}" for before, turn in pairwise(turns)]


def _write_call(coroutine: str, name: str, sleeps: Sequence[str]) -> str:
    return f"{coroutine}({', '.join([name, *sleeps])})"


def _write_gather(calls: Sequence[str]) -> Iterator[str]:
    line = f"    await asyncio.gather({', '.join(calls)})"
    if len(line) <= LONGEST_LINE:
        yield line
        return
    yield "    await asyncio.gather("
    yield from (f"        {call}," for call in calls)
    yield "    )"
