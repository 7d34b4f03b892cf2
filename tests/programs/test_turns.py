"""Turns at programs: no episode and its forks keep all places, and who has had least comes first."""

import threading
from collections.abc import Callable

import pytest

from yardkit.programs.turns import Turns
from yardkit.world import Problem
from yardkit.world.guard import Running, use_guard

_GUARD_S = 120.0


class Visitor:
    """A thread that works for an owner in its turn until it is let go."""

    def __init__(self, turns: Turns, owner: str, order: list[str]) -> None:
        self.inside, self.leaves = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._visit, args=(turns, owner, order), daemon=True)
        self._thread.start()

    def _visit(self, turns: Turns, owner: str, order: list[str]) -> None:
        with use_guard(running=Running(owner)), turns.take("busy", _GUARD_S):
            order.append(owner)
            self.inside.set()
            self.leaves.wait(_GUARD_S)

    def leave(self) -> None:
        self.leaves.set()
        self._thread.join(_GUARD_S)


Come = Callable[[str], Visitor]


@pytest.fixture
def turns() -> Turns:
    return Turns(3)


@pytest.fixture
def order() -> list[str]:
    return []


@pytest.fixture
def come(turns: Turns, order: list[str]) -> Come:
    return lambda owner: Visitor(turns, owner, order)


def is_refused(turns: Turns, owner: str) -> bool:
    try:
        with use_guard(running=Running(owner)), turns.take("all places are busy", 0.0):
            return False
    except Problem as problem:
        return str(problem) == "all places are busy"


def test_one_owner_leaves_a_place_to_others(turns: Turns, come: Come) -> None:
    first, second = come("a"), come("a")
    assert first.inside.wait(_GUARD_S)
    assert second.inside.wait(_GUARD_S)
    assert is_refused(turns, "a")
    assert not is_refused(turns, "b")
    first.leave()
    assert not is_refused(turns, "a")
    second.leave()


def test_who_serves_themselves_has_all_places(turns: Turns, come: Come) -> None:
    visitors = [come("") for _ in range(3)]
    assert all(visitor.inside.wait(_GUARD_S) for visitor in visitors)
    assert is_refused(turns, "")
    for visitor in visitors:
        visitor.leave()


def test_a_single_place_is_everybodys(come: Come) -> None:
    turns, order = Turns(1), list[str]()
    Visitor(turns, "a", order).leave()
    assert order == ["a"]


def test_whose_owner_has_less_goes_before_those_that_came_first(turns: Turns, come: Come, order: list[str]) -> None:
    visitors = [come("a"), come("a"), come("b")]
    assert all(visitor.inside.wait(_GUARD_S) for visitor in visitors)
    waiting = come("b")
    while len(turns._waiting) < 1:
        pass
    late = come("c")
    while len(turns._waiting) < 2:
        pass
    visitors[0].leave()
    assert late.inside.wait(_GUARD_S)
    assert order[3] == "c"
    for visitor in (*visitors, late, waiting):
        visitor.leave()


def test_a_call_that_was_ended_waits_no_longer(turns: Turns, come: Come) -> None:
    visitors = [come("a"), come("a")]
    assert all(visitor.inside.wait(_GUARD_S) for visitor in visitors)
    running = Running("a")
    running.end("the episode is over")
    with pytest.raises(Problem, match="the episode is over"), use_guard(running=running), turns.take("busy", _GUARD_S):
        pass
    for visitor in visitors:
        visitor.leave()
