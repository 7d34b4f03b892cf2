"""Toolathlon's tools answer as recorded: every call of a scenario, in its order, and the files that it leaves."""

import json
from pathlib import Path
from typing import Any

import pytest
from compat.toolathlon.worlds import FILLERS
from support.answers import make_caller, read_text
from support.schools import act_as

from yardkit.sandbox.serving.registry import load_server, tools_of
from yardkit.world import World, use_world

SERVERS = {
    "canvas": "courses", "emails": "mail", "git": "git", "google_cloud": "warehouse", "notion": "notes",
    "snowflake": "warehouse", "woocommerce": "shop",
}  # fmt: skip
"""Ours, by the names of Toolathlon's."""
RECORDED = {path.stem: json.loads(path.read_text("utf-8")) for path in Path(__file__).parent.glob("recorded/*.json")}
SCENARIOS = [(suite, name) for suite in sorted(RECORDED) for name in RECORDED[suite]["scenarios"]]


@pytest.mark.parametrize(("suite", "name"), SCENARIOS)
def test_every_answer_is_as_recorded(suite: str, name: str, tmp_path: Path) -> None:
    recorded = RECORDED[suite]
    now = {"now": recorded["now"]} if "now" in recorded else {}
    world = World.create(tmp_path / "world", task=recorded["task"], seed=1, **now)
    with use_world(world):
        FILLERS[recorded["world"]](world)
        for step in recorded["scenarios"][name]:
            if "as" in step:
                act_as(world, step["as"])
            for path, text in step.get("files", {}).items():
                (world.root / path).write_text(text, "utf-8")
            if "tool" in step:
                server = load_server(SERVERS[suite], step.get("dialect", "toolathlon"))
                answer = make_caller(server)(step["tool"], **step["arguments"])
                result: dict[str, Any] = {"error" if answer.is_error else "text": read_text(answer)}
                assert result == {key: step[key] for key in ("text", "error") if key in step}, step["tool"]
            for path, text in step.get("files_after", {}).items():
                left = world.root / path
                assert (left.read_text("utf-8") if left.exists() else "<gone>") == text


@pytest.mark.parametrize("suite", ["canvas", "notion", "woocommerce"])
def test_every_tool_has_a_recorded_call(suite: str) -> None:
    called = {step.get("tool") for steps in RECORDED[suite]["scenarios"].values() for step in steps}
    assert {tool.name for tool in tools_of(load_server(SERVERS[suite], "toolathlon"))} <= called
