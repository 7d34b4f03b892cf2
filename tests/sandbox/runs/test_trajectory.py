import json
from pathlib import Path
from typing import Any

import pytest
from support.agents import LIST_AND_WRITE, command_of
from support.models import make_call_line, make_text_line, scripted_model

from yardkit.__main__ import main

TASK = "quickstart/sort_inbox"


def trajectory_of(runs: Path, agent: str, *arguments: str) -> dict[str, Any]:
    """The trajectory of a run, with what the format demands of every one of its steps checked."""
    main(["run", TASK, "--agent", agent, "--runs", str(runs), *arguments])
    [path] = runs.rglob("trajectory.json")
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    assert record["schema_version"] == "ATIF-v1.8"
    for number, step in enumerate(record["steps"], start=1):
        assert step["step_id"] == number
        assert step["source"] in ("system", "user", "agent")
        assert step.keys() <= {
            "step_id", "timestamp", "source", "message", "tool_calls", "observation", "metrics", "llm_call_count",
        }  # fmt: skip
        ids = [call["tool_call_id"] for call in step.get("tool_calls", ())]
        assert [result["source_call_id"] for result in step.get("observation", {"results": []})["results"]] == ids[
            : len(step.get("observation", {"results": []})["results"])
        ]
        assert all(isinstance(call["arguments"], dict) for call in step.get("tool_calls", ()))
    assert record["final_metrics"]["total_steps"] == len(record["steps"])
    return record


def test_turns_of_a_model_carry_its_words_tokens_and_what_the_calls_did(tmp_path: Path) -> None:
    script = (
        make_call_line(("list_folder", {"path": "inbox"}), ("no_such_tool", {}), ("list_folder", "{broken")),
        make_call_line(("write_file", {"path": "a.txt", "content": "x"})),
        make_text_line("All done."),
    )
    with scripted_model(*script) as model:
        record = trajectory_of(tmp_path / "runs", "openai:m", "--set", f"base_url={model.url}", "--set", "price=1,1")
    assert record["agent"]["model_name"] == "m"
    assert [step["source"] for step in record["steps"]] == ["system", "user", "agent", "agent", "agent"]
    first, second, last = record["steps"][2:]
    listed, unknown, broken = first["observation"]["results"]
    assert first["tool_calls"][0]["extra"]["latency_ms"] > 0
    assert "state_after" in listed["extra"]
    assert unknown["extra"]["is_error"]
    assert "extra" not in broken
    assert first["tool_calls"][2]["arguments"] == {"unreadable": "{broken"}
    states = (
        second["tool_calls"][0]["extra"]["state_before"],
        second["observation"]["results"][0]["extra"]["state_after"],
    )
    assert states[0] != states[1]
    assert last["message"] == "All done."
    assert last["metrics"] == {
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "cached_tokens": 0,
        "cost_usd": pytest.approx(110e-6),
    }
    assert record["final_metrics"]["total_prompt_tokens"] == 300
    assert record["final_metrics"]["total_cost_usd"] == pytest.approx(330e-6)


def test_every_call_of_the_reference_agent_is_a_step_with_its_result(tmp_path: Path) -> None:
    record = trajectory_of(tmp_path / "runs", "reference")
    [ledger] = (tmp_path / "runs").rglob("e*/ledger.jsonl")
    recorded = [json.loads(line) for line in ledger.read_text("utf-8").splitlines()]
    steps = [step for step in record["steps"] if "tool_calls" in step]
    assert [step["tool_calls"][0]["function_name"] for step in steps] == [call["tool"] for call in recorded]
    assert all(step["observation"]["results"][0]["extra"]["state_after"] for step in steps)
    assert record["steps"][-1]["message"] == "The inbox is sorted."


def test_of_an_external_program_its_calls_and_its_answer_are_known(tmp_path: Path) -> None:
    record = trajectory_of(tmp_path / "runs", command_of(tmp_path, LIST_AND_WRITE, "{mcp_config}"))
    prompt, wrote, answer = record["steps"]
    assert "inbox" in prompt["message"]
    assert wrote["tool_calls"][0]["function_name"] == "write_file"
    assert answer["message"].endswith("tools")
    assert record["agent"]["name"] == "command"
