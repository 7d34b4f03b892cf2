import random
from collections.abc import Iterator
from itertools import accumulate
from math import comb
from pathlib import Path
from typing import Any

import pytest
from support.scale import select_drills

from yardkit.__main__ import main
from yardkit.evaluators.proof import ToolFailed
from yardkit.sandbox.agents import Transcript, make_agent
from yardkit.sandbox.agents.scripted import ScriptedSettings, SlippingMind
from yardkit.sandbox.episodes.episode import open_episode
from yardkit.sandbox.runs.attempts import regrade_episode
from yardkit.sandbox.runs.run_directory import RunDirectory
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.task import load_task
from yardkit.servers.lore import server
from yardkit.world import Problem, remove_world, skip_syncing, use_world


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "runs"
    if (tmp_path / "runs").exists():
        remove_world(tmp_path / "runs")


class InProcess:
    """The solver's view of a world, its tools called as functions: hundreds of tasks in seconds."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt

    def text(self, tool: str, /, **arguments: str) -> str:
        try:
            return str(getattr(server, tool)(**arguments))
        except Problem as problem:
            raise ToolFailed(str(problem)) from problem


def passes_task(name: str, seed: int, settings: ScriptedSettings, root: Path) -> bool:
    """Whether the scripted agent finds the answer."""
    task = load_task(name)
    with skip_syncing():
        seeded = seed_task(task, seed, root / f"{name.replace('/', '-')}-{seed}")
    with use_world(seeded.world):
        answer: str = task.proof().walk_graph(InProcess(seeded.prompt), settings.mind_for(task.id, seed))
    return answer == seeded.facts["answer"]


def compute_interval(trials: int, chance: float, outside: float) -> tuple[int, int]:
    """The numbers of successes that leave at most `outside` / 2 on either side."""
    shares = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
    below = list(accumulate(shares))
    low = next(k for k in range(trials + 1) if below[k] > outside / 2)
    high = next(k for k in range(trials + 1) if below[k] >= 1 - outside / 2)
    return low, high


@pytest.mark.parametrize("dials", ["mode=bottom-up", "mode=top-down"])
@pytest.mark.parametrize("ops", [5, *select_drills(20, 40)])
def test_accuracy_falls_with_the_number_of_operations_as_it_must(ops: int, dials: str, tmp_path: Path) -> None:
    tasks, rate = 200, 0.05
    settings = ScriptedSettings(error_rate=rate)
    success_count = sum(
        passes_task(f"lore/documents@ops={ops},{dials}", seed, settings, tmp_path) for seed in range(tasks)
    )
    low, high = compute_interval(tasks, (1 - rate) ** ops, outside=0.01)
    assert low <= success_count <= high


def test_without_slips_it_passes_and_with_nothing_but_slips_it_fails(tmp_path: Path) -> None:
    for mode in ("bottom-up", "top-down"):
        name = f"lore/documents@ops=8,mode={mode}"
        assert passes_task(name, 0, ScriptedSettings(), tmp_path / "none")
        assert not passes_task(name, 0, ScriptedSettings(error_rate=1.0), tmp_path / "all")


def test_a_short_memory_is_enough_for_short_tasks_only(tmp_path: Path) -> None:
    def count_passed_tasks(ops: int, memory: int) -> int:
        settings, folder = ScriptedSettings(memory=memory), tmp_path / f"{ops}-{memory}"
        return sum(
            passes_task(f"lore/documents@ops={ops},mode=bottom-up", seed, settings, folder) for seed in range(10)
        )

    assert count_passed_tasks(1, 30) == count_passed_tasks(40, 10_000) == count_passed_tasks(40, 0) == 10
    assert count_passed_tasks(40, 30) < 5


def test_the_same_seeds_slip_in_the_same_places_and_others_elsewhere() -> None:
    def slips(task: str, seed: int, own: int, repeat: int = 0) -> list[Any]:
        mind = ScriptedSettings(error_rate=0.5, seed=own).mind_for(task, seed, repeat)
        return [mind.worked_out(value) for value in (*range(30), *("letters",) * 30)]

    first = slips("lore/documents", 0, 0)
    assert first == slips("lore/documents", 0, 0)
    others = [slips("lore/documents", 0, 1), slips("lore/documents", 1, 0), slips("lore/documents@ops=5", 0, 0)]
    others.append(slips("lore/documents", 0, 0, repeat=1))
    assert all(first != other for other in others)


def test_a_slip_is_another_number_or_another_letter() -> None:
    mind = SlippingMind(1.0, 0, random.Random(0))
    value: Any
    for value in (0, -5, 999_999, "a", "XUyWqrar", ""):
        slips: set[Any] = {mind.worked_out(value) for _ in range(200)}
        assert value not in slips
        assert len(slips) > 10
        assert all(type(slip) is type(value) for slip in slips)
        if isinstance(value, int):
            assert all((slip < 0) == (value < 0) and abs(slip) < 1_000_000 for slip in slips)
        if isinstance(value, str) and value:
            assert all(sum(a != b for a, b in zip(str(slip), value, strict=True)) == 1 for slip in slips)


def test_it_works_over_mcp_like_everybody_and_its_results_say_how_far_it_came(runs: Path) -> None:
    arguments = ["run", "lore/documents", "--ops", "6", "--agent", "scripted", "--set", "error_rate=0.1"]
    assert main([*arguments, "--seed-list", "1,2", "--runs", str(runs)]) == 1
    results = RunDirectory(runs).read_results()
    assert {result.passed for result in results} == {True, False}
    for result in results:
        assert result.calls > 6
        assert (result.measures["operations"], result.stop, result.valid) == (6, "done", True)
        assert result.measures["height"] >= 1
        assert result.measures["accuracy"] == float(result.passed is True)
        assert (result.measures["progress"] == 1) == result.passed
        assert result.chain_break == ("" if result.passed else "wrong value")
        assert (
            ("wrong_results" in result.measures) == (result.measures.get("wrong_results", 0) > 0) == (not result.passed)
        )
    assert "Accuracy against length" in (runs / "report.html").read_text("utf-8")
    assert regrade_episode(runs, results[0]).measures == results[0].measures


def test_its_transcript_and_answer_are_the_same_each_time(tmp_path: Path) -> None:
    answers = []
    for attempt in range(2):
        with open_episode("lore/documents@ops=12", 3) as episode, Transcript(tmp_path / f"{attempt}") as transcript:
            agent = make_agent("scripted", {"error_rate": "0.1", "seed": "7"})
            outcome = agent.run(episode, transcript, 60)
            answers.append((outcome.answer, [dict(call.arguments) for call in episode.ledger.calls]))
    assert answers[0] == answers[1]


def test_a_task_that_cannot_be_walked_is_refused_before_anything_starts(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "lore/documents", "quickstart/sort_inbox", "--agent", "scripted", "--runs", str(runs)]) == 2
    assert "the agent 'scripted' cannot work on quickstart/sort_inbox" in capsys.readouterr().err
    assert not runs.exists()


@pytest.mark.parametrize(
    ("name", "value"), [("error_rate", "1.5"), ("error_rate", "-0.1"), ("memory", "-1"), ("errors", "0.1")]
)
def test_a_wrong_setting_is_refused(name: str, value: str) -> None:
    with pytest.raises(Problem, match=name):
        make_agent("scripted", {name: value})
