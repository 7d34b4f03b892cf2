"""Intervals of rates and means, also of instances that were run several times."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yardkit.sandbox.runs.intervals import mean_interval, rate_interval, wilson_interval

shares = st.floats(0, 1)


def test_the_interval_of_a_rate_is_wilsons() -> None:
    # Newcombe (1998), table I: 81 of 263 and 0 of 20.
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


def test_the_interval_of_a_mean_is_students() -> None:
    # 0.3 and 0.7: a standard deviation of 0.2828, and 2.776 for four degrees of freedom.
    assert mean_interval([[number] for number in (0.4, 0.5, 0.6, 0.5, 0.5)]) == pytest.approx(
        (0.4122, 0.5878), abs=1e-4
    )
    assert mean_interval([[0.3], [0.7]] * 15) == pytest.approx((0.4240, 0.5760), abs=1e-4)
    assert mean_interval([[0.5]]) is None
    assert mean_interval([]) is None


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=6), min_size=1, max_size=40))
def test_the_interval_of_a_rate_holds_it_and_is_never_narrower_than_of_independent_runs(runs: list[list[bool]]) -> None:
    flat = [run for some in runs for run in some]
    low, high = rate_interval(runs)
    assert 0 <= low <= sum(flat) / len(flat) + 1e-6
    assert sum(flat) / len(flat) - 1e-6 <= high <= 1
    naive = wilson_interval(sum(flat), len(flat))
    assert high - low >= naive[1] - naive[0] - 2e-6


@given(st.lists(st.lists(shares, min_size=1, max_size=6), min_size=1, max_size=40))
def test_the_interval_of_a_mean_holds_the_mean(runs: list[list[float]]) -> None:
    flat = [run for some in runs for run in some]
    interval = mean_interval(runs)
    assert (interval is None) == (len(flat) < 2)
    if interval:
        assert 0 <= interval[0] <= sum(flat) / len(flat) + 1e-6
        assert sum(flat) / len(flat) - 1e-6 <= interval[1] <= 1


def test_runs_that_all_end_as_their_instance_does_are_worth_one_each() -> None:
    instances = [[True] * 5] * 10 + [[False] * 5] * 10
    low, high = rate_interval(instances)
    assert (low, high) == pytest.approx(wilson_interval(10, 20), abs=0.01)
    assert mean_interval(instances) == pytest.approx(mean_interval([[some[0]] for some in instances]))


def test_runs_that_do_not_resemble_each_other_are_worth_as_many_as_they_are() -> None:
    assert rate_interval([[True, False]] * 30) == wilson_interval(30, 60)
    assert rate_interval([[True, False, True, True]]) == wilson_interval(3, 4), "one instance alone"


def test_instances_that_all_end_alike_tell_nothing_of_how_much_they_differ() -> None:
    assert rate_interval([[True] * 4] * 5) == wilson_interval(5, 5)


@pytest.mark.parametrize("repeats", [1, 5])
def test_about_ninety_five_of_a_hundred_intervals_hold_the_truth(repeats: int) -> None:
    """Instances of which half are solved in nine of ten runs and half in one."""
    rng, hit_count, naive = random.Random(7), 0, 0
    for _ in range(400):
        instances = [
            [rng.random() < rate for _ in range(repeats)] for rate in (rng.choice((0.1, 0.9)) for _ in range(24))
        ]
        low, high = rate_interval(instances)
        hit_count += low <= 0.5 <= high
        low, high = wilson_interval(sum(map(sum, instances)), 24 * repeats)
        naive += low <= 0.5 <= high
    assert hit_count / 400 > 0.92
    assert (naive / 400 > 0.92) == (repeats == 1), "which is why repeats are not taken for new instances"
