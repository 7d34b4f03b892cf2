"""The same work done under each harness that has an adapter, and the grade that comes of it there."""

import asyncio
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from support.gateways import OPERATOR, make_bearer_header, running_gateway
from support.processes import COMMAND, start_listening

from frameworks.environments import ROOT, prepare_environment, read_frameworks
from frameworks.model import scripted_model
from frameworks.script import Script, record_script
from yardkit.sandbox.adapters.harbor import export_task
from yardkit.sandbox.tasks.suites import find_task

SORT, RECEIPT = "quickstart/sort_inbox", "quickstart/receipt_total"
TOKEN = "the-token-of-one-episode"
LIMIT_S = 240


@dataclass(frozen=True)
class Work:
    """What a scripted model does on seed 0 of a task."""

    task: str
    of: Callable[[Script], Script]

    @property
    def script(self) -> Script:
        return self.of(record_script(self.task))


def _drop_tool_call(script: Script, tool: str) -> Script:
    """The last call of a tool is forgotten."""
    last = [turn for turn in script.turns if turn[0].tool == tool][-1]
    return Script(
        [turn[:-1] if turn is last else turn for turn in script.turns if turn is not last or len(turn) > 1], ""
    )


def _write_file_only(script: Script, answer: str) -> Script:
    """Only the file is written, without a look at anything."""
    return Script(script.turns[-1:], answer)


WORKS = {
    "oracle": Work(SORT, lambda script: script),
    "nop": Work(SORT, lambda _: Script([], "")),
    "a file is not moved": Work(SORT, lambda script: _drop_tool_call(script, "move_path")),
    "a copy is not deleted": Work(SORT, lambda script: _drop_tool_call(script, "delete_path")),
    "no summary": Work(SORT, lambda script: _drop_tool_call(script, "write_file")),
    "answered": Work(RECEIPT, lambda script: _write_file_only(script, script.answer)),
    "answered wrongly": Work(RECEIPT, lambda script: _write_file_only(script, "I owe 1.00")),
}
"""Right work, none, near misses, and right work without a look at anything."""


def by_yardkit(work: Work, folder: Path) -> dict[str, Any]:
    """``yardkit run`` with its own agent of a model."""
    with scripted_model(work.script.asked, work.script.answer) as model:
        command = [*COMMAND, "run", work.task, "--agent", "openai:scripted", "--runs", str(folder / "run")]
        _run(command, folder, {"OPENAI_BASE_URL": f"{model.url}/v1"}, allowed=(0, 1))
    return _read_grade(folder / "run")


def by_inspect(work: Work, folder: Path) -> dict[str, Any]:
    """``inspect eval``, with the gateway that the adapter starts; what Inspect logs of the score is the same."""
    program = prepare_environment(read_frameworks()["inspect-ai"]) / "bin/inspect"
    options = ["-T", f"tasks={work.task}", "--model", "openai/gpt-4.1", "--display", "none", "--log-format", "json"]
    with scripted_model(work.script.asked, work.script.answer) as model:
        settings = {"OPENAI_BASE_URL": f"{model.url}/v1", "INSPECT_LOG_DIR": str(folder / "logs")}
        _run([str(program), "eval", "yardkit/episodes", *options], folder, settings)
    log = json.loads(next((folder / "logs").glob("*.json")).read_text("utf-8"))
    score = log["samples"][0]["scores"]["grade_episode"]
    grade = _read_grade(folder / "runs")
    assert (score["value"], score["metadata"]) == (grade["reward"], grade)
    return grade


def by_verifiers(work: Work, folder: Path) -> dict[str, Any]:
    """``vf-eval`` of the taskset, with a gateway in another environment."""
    with running_gateway(folder / "runs") as gateway:
        settings = {"YARDKIT_GATEWAY": str(gateway.http.base_url), "YARDKIT_OPERATOR_TOKEN": OPERATOR}
        taskset = {"tasks": json.dumps([work.task]), "keep": "true"}
        reward = _vf_eval("yardkit_episodes", taskset, work.script, folder, settings)
    return _check_reward(folder / "runs", reward)


def by_nemo_gym(work: Work, folder: Path) -> dict[str, Any]:
    """The two routes of a resources server, and the tools at the address that the first one names."""
    row = {"task": work.task, "seed": 0, "responses_create_params": {"input": []}}
    reply_message = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": work.script.answer}],
    }
    with running_gateway(folder / "runs") as gateway:
        session = gateway.http.post("/seed_session", json=row, headers=make_bearer_header(OPERATOR))
        tools = session.json()["mcp"]
        _call_all(str(gateway.http.base_url).rstrip("/") + tools["url_path"], tools["headers"], work.script)
        finished = {**row, "response": {"output": [reply_message]}}
        verdict = gateway.http.post(
            "/verify", json=finished, headers=make_bearer_header(OPERATOR)
        ).json()  # with its cookie
    assert verdict["grade"] == _read_grade(folder / "runs")
    return _check_reward(folder / "runs", verdict["reward"])


def _call_all(url: str, headers: dict[str, str], script: Script) -> None:
    async def call() -> None:
        async with Client(StreamableHttpTransport(url, headers=headers)) as client:
            for step in script.steps:
                await client.call_tool(step.tool, dict(step.arguments), raise_on_error=False)

    asyncio.run(call())


def by_harbor(work: Work, folder: Path) -> dict[str, Any]:
    """An exported task without containers: the command that serves it, the oracle, the verifier's script."""
    task = export_task(find_task(work.task), 0, folder / "tasks")
    plan = {"calls": [{"name": step.tool, "arguments": step.arguments} for step in work.script.steps]}
    (task / "solution/calls.json").write_text(json.dumps({**plan, "answer": work.script.answer}), "utf-8")
    logs = folder / "logs"
    (logs / "verifier").mkdir(parents=True)
    with start_listening(
        "mcp", "--task", work.task, "--http", "--runs", "runs", cwd=folder, YARDKIT_TOKEN=TOKEN
    ) as served:
        settings = {"YARDKIT_MCP_URL": served[0], "YARDKIT_TOKEN": TOKEN, "HARBOR_LOGS": str(logs)}
        _run(["sh", str(task / "solution/solve.sh")], folder, settings)
    _run(["sh", str(task / "tests/test.sh")], folder, {**settings, "YARDKIT_RUNS": str(folder / "runs")})
    grade: dict[str, Any] = json.loads((logs / "verifier/grade.json").read_text("utf-8"))
    reward = json.loads((logs / "verifier/reward.json").read_text("utf-8"))
    assert reward == {"reward": grade["reward"], "passed": int(grade["passed"])}
    return grade


HARNESSES = {
    "inspect": by_inspect,
    "verifiers": by_verifiers,
    "nemo_gym": by_nemo_gym,
    "harbor": by_harbor,
}


def _vf_eval(
    taskset: str, options: Mapping[str, str], script: Script, folder: Path, settings: Mapping[str, str]
) -> float:
    """Run an evaluation of verifiers; the reward that it saved."""
    programs = prepare_environment(read_frameworks()["verifiers"]) / "bin"
    with scripted_model(script.asked, script.answer) as model:
        chosen = [part for name, value in options.items() for part in (f"--env.taskset.{name}", value)]
        agent = ["--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess"]
        client = ["-m", "gpt-4.1", "--client.base-url", f"{model.url}/v1", "--client.api-key-var", "OPENAI_API_KEY"]
        command = [str(programs / "vf-eval"), taskset, "--no-push", *client, *agent, *chosen]
        _run(
            command,
            folder,
            {"PATH": os.pathsep.join([str(programs), str(ROOT / ".tools/bin"), os.environ["PATH"]]), **settings},
        )
    lines = next((folder / "outputs").rglob("traces.jsonl")).read_text("utf-8").splitlines()
    rewards = json.loads(lines[0])["traces"][0]["rewards"].values()
    return float(sum(reward["score"] * reward["weight"] for reward in rewards))


def _run(command: list[str], folder: Path, settings: Mapping[str, str], allowed: tuple[int, ...] = (0,)) -> None:
    path = {"PATH": f"{Path(COMMAND[0]).parent}{os.pathsep}{os.environ['PATH']}"}
    given = {**os.environ, **path, "OPENAI_API_KEY": "unused", **settings}
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode in allowed, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def _read_grade(runs: Path) -> dict[str, Any]:
    """The one grade below a run directory."""
    (path,) = runs.rglob("grade.json")
    grade: dict[str, Any] = json.loads(path.read_text("utf-8"))["grade"]
    return grade


def _check_reward(runs: Path, reward: float) -> dict[str, Any]:
    grade = _read_grade(runs)
    assert reward == grade["reward"]
    return grade
