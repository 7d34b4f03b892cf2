"""Tasks grow until accuracy collapses."""

from collections.abc import Sequence
from math import log
from pathlib import Path

import pytest

from yardkit.__main__ import main
from yardkit.sandbox.reports.collect import RunReport
from yardkit.sandbox.runs.growth import Growth
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import RunDirectory
from yardkit.world import remove_world

SHORT, LONG, DOWN = "lore/documents@ops=4", "lore/documents@ops=8", "lore/documents@ops=4,mode=top-down"


def make_results(task: str, right: Sequence[bool], *, valid: bool = True) -> list[Result]:
    """The right answers count, whatever guardrails say."""
    return [
        Result(
            task=task,
            seed=seed,
            episode="",
            reward=0.0,
            passed=False,
            valid=valid,
            faults=(),
            stop="done",
            measures={"accuracy": float(is_right)},
        )
        for seed, is_right in enumerate(right)
    ]


def test_each_kind_whose_longest_tasks_are_solved_goes_on_with_tasks_twice_as_long() -> None:
    growth = Growth(0.2, 30)
    some = [
        *make_results(SHORT, [True] * 4),
        *make_results(LONG, [True] * 2 + [False] * 2),
        *make_results(DOWN, [False] * 4),
    ]
    assert growth.list_longer([SHORT, LONG, DOWN], some) == ["lore/documents@ops=16"]
    assert growth.list_longer([SHORT, DOWN], some) == [LONG]
    assert growth.list_longer([LONG], make_results(LONG, [True] + [False] * 4)) == []
    assert growth.list_longer(["lore/documents@ops=16"], make_results("lore/documents@ops=16", [True])) == [
        "lore/documents@ops=30"
    ]
    assert growth.list_longer(["lore/documents@ops=30"], make_results("lore/documents@ops=30", [True])) == []


def test_it_ends_where_nothing_tells_how_good_the_agent_is() -> None:
    assert Growth(0.2).list_longer([SHORT], make_results(SHORT, [True], valid=False)) == []
    assert Growth(0.2).list_longer([SHORT], []) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lore/documents", "--until", "1"], "--until 1: give a share"),
        (["lore/documents", "--until", "-0.1"], "--until -0.1: give a share"),
        (["quickstart/sort_inbox", "--until", "0.2"], "quickstart/sort_inbox has a fixed length"),
        (["lore/documents", "--most-ops", "5"], "--most-ops goes with --until"),
    ],
)
def test_misuse_is_one_line_and_starts_nothing(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *arguments, "--runs", str(tmp_path / "runs")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


def test_a_run_grows_and_stops_at_the_most(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = tmp_path / "runs"
    assert main(["run", "lore/documents@ops=1", "--until", "0.5", "--most-ops", "2", "--runs", str(runs)]) == 0
    assert RunDirectory(runs).read_plan().tasks == tuple(f"lore/documents@ops={ops}" for ops in (1, 2))
    assert "going on with lore/documents@ops=2" in capsys.readouterr().err
    remove_world(runs)


@pytest.mark.drill
def test_the_horizon_of_an_agent_whose_accuracy_is_known_is_found(tmp_path: Path) -> None:
    """(1 - p)^N comes down to a level at N = log(level) / log(1 - p)."""
    runs, rate = tmp_path / "runs", 0.15
    given = ["--agent", "scripted", "--set", f"error_rate={rate}", "--tasks", "30", "--jobs", "2", "--runs", str(runs)]
    assert main(["run", "lore_published/documents", "--ops", "1", "--until", "0.1", *given]) == 1
    curves = RunReport.read_run(RunDirectory(runs)).curves
    assert curves is not None
    [curve] = curves.operations
    assert [point.at for point in curve.points] == [1, 2, 4, 8, 16]
    for horizon in curve.horizons:
        expected = log(horizon.level) / log(1 - rate)
        assert (horizon.low or 0) <= expected <= (horizon.high or float("inf"))
        assert horizon.at == pytest.approx(expected, rel=0.35)
    remove_world(runs)
