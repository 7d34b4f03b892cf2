"""Horizons against theory: an agent that gets each of N operations wrong with probability p is right with (1 - p)^N."""

import json
import random
import xml.etree.ElementTree as ET
from itertools import pairwise
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.scale import count_tries

from yardkit.sandbox.reports import render_run
from yardkit.sandbox.reports.curves import Curve, curves_of
from yardkit.sandbox.reports.horizons import Horizon, falling_fit
from yardkit.sandbox.reports.lengths import build_length_sections
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory
from yardkit.world import save_text

LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def make_result(ops: int, seed: int, *, right: bool) -> Result:
    return Result(
        task=f"lore/documents@ops={ops}",
        seed=seed,
        episode="",
        reward=0.0,
        passed=right,
        valid=True,
        faults=(),
        stop="done",
        measures={"operations": ops},
    )


def curve_of(results: list[Result]) -> Curve:
    curves = curves_of(results)
    assert curves is not None
    return curves.operations[0]


def simulate_slips(rate: float, runs: int, rng: random.Random) -> list[Result]:
    return [make_result(ops, seed, right=rng.random() < (1 - rate) ** ops) for ops in LENGTHS for seed in range(runs)]


def curve_with(rates: list[float], runs: int = 20) -> tuple[Horizon, Horizon]:
    """The horizons at 50 and 20 % of a curve through these accuracies at 1, 2, 4 ... operations."""
    some = [
        make_result(ops, n, right=n < rate * runs)
        for ops, rate in zip(LENGTHS, rates, strict=False)
        for n in range(runs)
    ]
    half, fifth = curve_of(some).horizons
    return half, fifth


@pytest.mark.parametrize("rate", [0.02, 0.05, 0.15])
def test_the_horizon_of_an_agent_whose_accuracy_is_known_is_found(rate: float) -> None:
    """Of two thousand intervals 97 % held it or more, with 20 runs and with 40; here are fewer."""
    rng, curves = random.Random(f"horizon {rate}"), count_tries(100, 16)
    for place, level in enumerate((0.5, 0.2)):
        expected = log(level) / log(1 - rate)
        horizons = [curve_of(simulate_slips(rate, 40, rng)).horizons[place] for _ in range(curves)]
        hit_count = sum((horizon.low or 0) <= expected <= (horizon.high or 1e9) for horizon in horizons)
        assert hit_count >= 0.9 * curves
        estimates = [horizon.at or horizon.last for horizon in horizons]
        assert sum(estimates) / curves == pytest.approx(expected, rel=0.15)


def test_between_two_lengths_it_lies_where_the_line_over_their_logarithm_does() -> None:
    half, fifth = curve_with([1, 1, 0.75, 0.25, 0, 0])
    assert half.at == pytest.approx(4 * 2**0.5, abs=0.001)
    assert (half.low, half.high, half.label, half.interval_label) == (4, 8, "5.66", "4 to 8")
    assert fifth.at == pytest.approx(8 * 2**0.2, abs=0.001)
    assert (fifth.low, fifth.high) == (4, 16)


def test_a_curve_that_does_not_come_down_or_never_was_above_says_so() -> None:
    half, fifth = curve_with([1, 1, 0.9])
    assert (half.at, half.label, half.interval_label, half.reached) == (None, "above 4", "from 4", False)
    low, lower = curve_with([0.1, 0.05])
    assert (low.at, low.label, low.interval_label, low.reached) == (None, "below 1", "up to 1", True)
    assert (lower.label, lower.interval_label) == ("below 1", "-")
    assert fifth.label == "above 4"


def test_a_curve_that_rises_gets_no_interval() -> None:
    half, _ = curve_with([0.1, 0.9])
    assert (half.low, half.high) == (None, None)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 50)), min_size=1, max_size=20))
def test_the_fit_falls_keeps_the_mean_and_leaves_what_falls_alone(points: list[tuple[float, int]]) -> None:
    shares, weights = [share for share, _ in points], [weight for _, weight in points]
    fit = falling_fit(shares, weights)
    assert all(left >= right - 1e-9 for left, right in pairwise(fit))
    assert sum(map(float.__mul__, fit, map(float, weights))) == pytest.approx(
        sum(map(float.__mul__, shares, map(float, weights)))
    )
    falling = sorted(shares, reverse=True)
    assert falling_fit(falling, weights) == pytest.approx(falling)


def test_the_page_and_the_json_report_have_them(tmp_path: Path) -> None:
    some = [make_result(ops, n, right=n < 12 - ops) for ops in (1, 4, 10) for n in range(12)]
    page = ET.fromstring(f"<page>{str(build_length_sections(curves_of(some))).replace(' open>', '>')}</page>")
    rows = [["".join(cell.itertext()) for cell in row.iter("td")] for row in page.iter("tr")]
    assert ["documents", "operations (N)", "50 %", "5.43", "1 to 10", "20 %", "9.41", "from 4"] in rows
    run = RunDirectory(tmp_path)
    plan = Plan(tuple(f"lore/documents@ops={ops}" for ops in (1, 4, 10)), tuple(range(12)), "nop", {}, 60.0)
    save_text(tmp_path / "run.json", json.dumps(plan.as_dict()))
    run.replace_results(some)
    [curve] = json.loads(render_run(run, "json"))["curves"]["operations"]
    assert [horizon["level"] for horizon in curve["horizons"]] == [0.5, 0.2]
    assert curve["horizons"][0]["low"] == 1
