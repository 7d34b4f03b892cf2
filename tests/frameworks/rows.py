"""A framework at work: its snippet on a task, with the scripted model, and what the model was shown."""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.gateways import OPERATOR, running_gateway

import yardkit
from frameworks.environments import ROOT, Framework, prepare_environment
from frameworks.model import ScriptedModel, scripted_model
from frameworks.script import Script, record_script
from frameworks.snippets import build_command, read_snippet
from yardkit.sandbox.adapters.recording import Recorded
from yardkit.sandbox.agents.agent import Transcript
from yardkit.sandbox.agents.command import CommandAgent
from yardkit.sandbox.episodes.ledger import Call, Ledger

TASKS = ("quickstart/sort_inbox", "quickstart/receipt_total")
LIMIT_S = 240.0


@dataclass(frozen=True)
class SnippetRun:
    """What a framework showed its model of one episode, and what the model got for it.

    Attributes:
        stop: why the agent stopped, and its last words where something is wrong.
        unmade: calls of the script that the ledger does not have.
        results: how results reached the model: ``text``, ``JSON``, both; or which tools' results were lost.
        pictures: how pictures did: ``picture``, ``base64 text``, ``no``, or nothing where there was none.
        errors: whether the sentences of tool errors did.
        characters: of the tool results that the model was shown.
    """

    reward: float
    stop: str
    unmade: list[str]
    results: str
    pictures: str
    errors: bool
    characters: int


def run_framework(framework: Framework, task: str) -> SnippetRun:
    """Let the snippet of a framework work on a task."""
    script = record_script(task)
    with tempfile.TemporaryDirectory() as folder, scripted_model(script.asked, script.answer) as model:
        way = _through_gateway if framework.language == "bash" else _on_an_episode
        reward, stop, calls = way(framework, task, model, Path(folder))
        return _summarize_run(reward, stop, script, calls, model)


Worked = tuple[float, str, list[Call]]
"""The reward, why the agent stopped, and its calls."""


def _on_an_episode(framework: Framework, task: str, model: ScriptedModel, folder: Path) -> Worked:
    """A program with the snippet, which gets the address of an episode as any agent of ``yardkit run``."""
    words = (
        "env",
        *_build_settings(framework, model),
        *build_command(framework, prepare_environment(framework), folder),
    )
    agent = CommandAgent(words, CommandAgent.from_settings("true", {"stdin": "empty"}).settings)
    with yardkit.open_episode(task, 0) as episode, Transcript(folder / "transcript.jsonl") as transcript:
        outcome = agent.run(episode, transcript, LIMIT_S)
        grade = episode.grade(outcome.answer)
        stop = outcome.stop if outcome.stop == "done" else f"{outcome.stop}: {outcome.detail}"
        return grade.reward, stop, list(episode.ledger.calls)


def _through_gateway(framework: Framework, task: str, model: ScriptedModel, folder: Path) -> Worked:
    """A command line with an adapter of ours, which opens and grades its episode at a gateway."""
    (folder / "agent.sh").write_text(read_snippet(framework), "utf-8")
    programs = [str(prepare_environment(framework) / "bin"), str(ROOT / ".tools/bin"), os.environ["PATH"]]
    with running_gateway(folder / "runs") as gateway:
        settings = [
            *_build_settings(framework, model),
            f"PATH={os.pathsep.join(programs)}",
            f"YARDKIT_GATEWAY={gateway.http.base_url}",
            f"YARDKIT_OPERATOR_TOKEN={OPERATOR}",
            f"TASK={task}",
        ]
        line = ["env", *settings, "bash", "-euo", "pipefail", str(folder / "agent.sh")]
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=LIMIT_S)
    stop = "done" if done.returncode == 0 else f"crashed: {done.stdout[-500:]} {done.stderr[-500:]}"
    graded = json.loads(next((folder / "runs").rglob("grade.json")).read_text("utf-8"))["grade"]
    return graded["reward"], stop, Ledger.open(next((folder / "runs").glob("e*"))).calls


def _build_settings(framework: Framework, model: ScriptedModel) -> list[str]:
    """What tells any framework where its model is."""
    return [
        f"OPENAI_BASE_URL={model.url}/v1",
        "OPENAI_API_KEY=unused",
        f"GOOGLE_GEMINI_BASE_URL={model.url}",
        "GOOGLE_API_KEY=unused",
        f"MODEL={framework.model}",
        "OPENAI_AGENTS_DISABLE_TRACING=1",
        "MCP_USE_ANONYMIZED_TELEMETRY=false",
        "OTEL_SDK_DISABLED=true",
    ]


def _summarize_run(reward: float, stop: str, script: Script, calls: Sequence[Call], model: ScriptedModel) -> SnippetRun:
    # Some clients send null, or the default, for what a model left out.
    unmade = [step.tool for step in script.steps if not any(_is_of(step, call) for call in calls)]
    texts = [text for dialect, request in model.requests for text in dialect.list_result_texts(request)]
    pictures = [picture for dialect, request in model.requests for picture in dialect.list_pictures(request)]
    seen = "\n".join(dict.fromkeys(texts))
    good = [step for step in script.steps if not step.is_error]
    last = model.requests[-1] if model.requests else None
    return SnippetRun(
        reward,
        stop,
        unmade,
        _summarize_results(good, seen),
        _summarize_pictures(script, pictures, texts),
        all(_strip_text(step.text) in _strip_text(seen) for step in script.steps if step.is_error),
        sum(map(len, last[0].list_result_texts(last[1]))) if last else 0,
    )


def _summarize_results(steps: Sequence[Recorded], texts: str) -> str:
    seen = _strip_text(texts)
    written = [_strip_text(step.text) in seen for step in steps]
    data_flags = [
        bool(step.data) and all(_strip_text(leaf) in seen for leaf in _iterate_leaves(step.data)) for step in steps
    ]
    lost = sorted(
        {step.tool for step, *match_flags in zip(steps, written, data_flags, strict=True) if not any(match_flags)}
    )
    if lost:
        return f"lost: {', '.join(lost)}"
    structured = any(re.search(rf"\\*[\"']{key}\\*[\"']: ", texts) for step in steps for key in step.data)
    return "JSON" if not all(written) else "text and JSON" if structured else "text"


def _summarize_pictures(script: Script, pictures: Sequence[bytes], texts: Sequence[str]) -> str:
    if not any(step.picture for step in script.steps):
        return ""
    if any(pictures):
        return "picture"
    return "base64 text" if any(len(text) > 50_000 for text in texts) else "no"


def _is_of(step: Recorded, call: Call) -> bool:
    return step.tool == call.tool and step.arguments.items() <= call.arguments.items()


def _iterate_leaves(data: Any) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from _iterate_leaves(value)
        case list():
            for value in data:
                yield from _iterate_leaves(value)


def _strip_text(text: str) -> str:
    """Letters and digits alone, so that a text is found wherever it was escaped, quoted or wrapped."""
    return re.sub(r"\\+u[0-9a-fA-F]{4}|\\+[nrt]|[^0-9A-Za-z]", "", text)
