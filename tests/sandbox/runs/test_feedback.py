"""Agents that go on after a delivery, with feedback."""

import json
from pathlib import Path

import pytest
from support.agents import command_of
from support.models import Line, Model, make_call_line, make_text_line, scripted_model
from support.runs import run_here

from yardkit.__main__ import main
from yardkit.sandbox.agents import Usage
from yardkit.sandbox.reports.deliveries import deliveries_of
from yardkit.sandbox.runs.attempts import regrade_episode
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.summary import summarize_results, verdict_sentence

TASK = "quickstart/policy_proof"


def run_agent(
    folder: Path, kind: str, *lines: Line, attempts: int = 3, protocol: str = "tools"
) -> tuple[Result, Model]:
    with scripted_model(*lines) as model:
        settings = {"base_url": model.url, "protocol": protocol}
        return run_here(folder, TASK, "openai:scripted", settings, feedback=kind, attempts=attempts), model


def make_claim(answer: str = "Done.") -> Line:
    return make_call_line(("claim_done", {"answer": answer}))


def user_turns(model: Model) -> list[str]:
    return [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "user"]


def test_checkpoint_feedback_tells_which_points_do_not_hold_and_no_truth(tmp_path: Path) -> None:
    result, model = run_agent(tmp_path, "checkpoint", make_claim("one"), make_claim("two"), make_claim("three"))
    assert len(model.requests) == 3
    assert [delivery["reward"] for delivery in result.deliveries] == [result.reward] * 3
    folder = tmp_path / result.episode
    verdict = json.loads((folder / "grade.json").read_text())["grade"]["verdict"]
    leaves = [leaf for part in verdict["parts"] for leaf in (part["parts"] or [part])]
    feedback = user_turns(model)[1]
    for leaf in leaves:
        failed = leaf["outcome"] not in ("pass", None)
        assert (f"- {leaf['says']}" in feedback) is failed
        assert not (failed and leaf["evidence"] and leaf["evidence"] in feedback)
    earlier = json.loads((folder / "deliveries.json").read_text())
    assert [(delivery["answer"], delivery["feedback"]) for delivery in earlier] == [
        ("one", feedback),
        ("two", feedback),
    ]
    assert not (folder / "so_far").exists()
    assert regrade_episode(tmp_path, result).deliveries == result.deliveries


def test_every_call_of_a_turn_that_delivers_is_answered(tmp_path: Path) -> None:
    listing = ("list_folder", {"path": "."})
    _, model = run_agent(
        tmp_path,
        "coarse",
        make_call_line(listing, ("claim_done", {"answer": "x"}), listing),
        make_text_line("Done."),
        attempts=2,
    )
    results = [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "tool"]
    assert len(results) == 3
    assert results[1] == "The answer was submitted."
    assert "not carried out" in results[2]
    assert user_turns(model)[-1].startswith("Your work was checked. It does not pass.")


def test_coarse_feedback_names_what_is_missing_where_the_prompt_does(tmp_path: Path) -> None:
    _, model = run_agent(tmp_path, "coarse", make_claim(""), make_claim(), attempts=2)
    prompt, feedback = user_turns(model)
    named = feedback.partition("Missing: ")[2].partition(". ")[0]
    assert named
    assert all(name in prompt or name == "the final answer" for name in named.split(", "))


def test_without_feedback_an_agent_is_asked_to_look_once_more(tmp_path: Path) -> None:
    result, model = run_agent(
        tmp_path,
        "none",
        make_text_line("Final Answer: one"),
        make_text_line("Final Answer: two"),
        attempts=2,
        protocol="react",
    )
    assert "You get no verdict on your work" in user_turns(model)[-1]
    assert len(result.deliveries) == 2


def test_a_program_is_started_again_with_its_answer_and_the_feedback(tmp_path: Path) -> None:
    again = "import sys; given = sys.stdin.read(); print('second' if 'Your answer was:' in given else 'first')"
    result = run_here(tmp_path, TASK, command_of(tmp_path, again), feedback="checkpoint", attempts=2)
    assert [json.loads((tmp_path / result.episode / "outcome.json").read_text())["answer"]] == ["second"]
    assert json.loads((tmp_path / result.episode / "deliveries.json").read_text())[0]["answer"] == "first"


def test_work_that_passes_has_no_feedback(tmp_path: Path) -> None:
    """A program that does as the task's own solver does passes at once."""
    result = run_here(tmp_path, TASK, "reference")
    assert result.passed
    assert result.deliveries == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--attempts", "2"], "--attempts goes with --feedback"),
        (["--feedback", "coarse", "--attempts", "1"], "with feedback there are at least two deliveries"),
        (["--feedback", "coarse"], "the agent 'reference' does not continue after a delivery"),
    ],
)
def test_what_makes_no_sense_is_refused(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", TASK, "--runs", str(tmp_path / "run"), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_reports_show_what_feedback_gained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result, _ = run_agent(tmp_path, "coarse", make_claim(), attempts=2)
    assert main(["report", str(tmp_path), "--format", "markdown"]) == 0
    text = capsys.readouterr().out
    assert "## After each delivery" in text
    assert "| delivery 2 | 0/1 (0 %), " in text
    assert "| gain by feedback | +0.0 points, +0.000 |" in text
    assert main(["report", str(tmp_path)]) == 0
    page = capsys.readouterr().out
    assert "Earlier deliveries" in page
    assert "feedback coarse, up to 2 deliveries" in page
    assert result.deliveries


def result_of(*rewards: float, valid: bool = True) -> Result:
    deliveries = tuple({"reward": reward, "passed": reward == 1} for reward in rewards)
    return Result("a/b", 0, "", rewards[-1], rewards[-1] == 1, valid, (), "done", usage=Usage(), deliveries=deliveries)


def test_who_needed_fewer_deliveries_stands_with_the_last() -> None:
    deliveries = deliveries_of([result_of(0.5, 1.0), result_of(0.0, 0.25, 0.5), result_of(0.0, valid=False)])
    assert [(delivery.passed, delivery.reward, delivery.handed_in) for delivery in deliveries] == [
        (0, 0.25, 2),
        (1, 0.625, 2),
        (1, 0.75, 1),
    ]
    assert deliveries_of([]) == []


def test_the_summary_says_who_passed_before_any_feedback() -> None:
    sentence = verdict_sentence(summarize_results([result_of(0.5, 1.0), result_of(1.0)]))
    assert sentence.startswith("2 of 2 passed: ")
    assert sentence.endswith("; 1 passed before any feedback")
