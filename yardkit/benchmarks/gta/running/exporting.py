"""Our suite ``gta`` as data sets in the published formats: ``atomic/`` as GTA, ``workflow/`` as GTA-2."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from yardkit.benchmarks.gta.running.episode_steps import steps_of
from yardkit.benchmarks.gta.scores.answers import compare_words, score_answer
from yardkit.benchmarks.gta.sets.atomic import Subjective, gold_answer
from yardkit.benchmarks.gta.sets.predictions import make_call_turn
from yardkit.benchmarks.gta.sets.records import save_json
from yardkit.evaluators.checkpoints import Checkpoint
from yardkit.programs.pool import Died, in_workers
from yardkit.sandbox.agents import make_agent
from yardkit.sandbox.episodes.episode import Episode, open_new
from yardkit.sandbox.runs.attempts import work_on
from yardkit.sandbox.serving.agentlego.signatures import signature_of
from yardkit.sandbox.serving.registry import load_selections, load_server, tools_of
from yardkit.sandbox.tasks.suites import find_tasks
from yardkit.sandbox.tasks.task import Task, load_task
from yardkit.world import Problem, remove_world

SUITE = "gta"
SETS = {"atomic": "dataset.json", "workflow": "end.json"}
"""Set -> its file."""
SECONDS = 1800.0
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")

SetName = Literal["atomic", "workflow"]


@dataclass(frozen=True)
class Exporting:
    """A task to export, and the folder of both sets."""

    task: str
    seed: int
    folder: Path


@dataclass(frozen=True)
class Exported:
    """A record of one of the sets."""

    set_name: SetName
    record: Mapping[str, Any]


def export_suite(
    folder: Path, seed: int, jobs: int, on_end: Callable[[str, str], None], names: Sequence[str] = (SUITE,)
) -> dict[str, int]:
    """Write both sets into a new folder; return the number of tasks in each.

    Gold chains are the calls of the reference agent. A task at which it fails is left out and reported to `on_end` with
    the reason, which is empty for a success.

    Args:
        folder: a folder that does not exist or is empty.
        seed: the seed of the tasks.
        jobs: the number of tasks at a time.
        on_end: called with the id of each task and the reason when it ends.
        names: the tasks, by default the suite.

    Raises:
        Problem: the folder is not empty.
    """
    if folder.is_dir() and any(folder.iterdir()):
        raise Problem(f"{folder.name!r} is not empty; name a new folder")
    tasks = [task.id for task in find_tasks(list(names))]
    exported_tasks: dict[str, Exported] = {}
    todo = [Exporting(task, seed, folder.absolute()) for task in tasks]
    for job, exported in in_workers(_try_export, todo, jobs, 2 * SECONDS):
        why = exported.reason if isinstance(exported, Died) else exported if isinstance(exported, str) else ""
        on_end(job.task, why)
        if isinstance(exported, Exported):
            exported_tasks[job.task] = exported
    counts = {}
    for name in SETS:
        records = [
            exported_tasks[task].record
            for task in tasks
            if task in exported_tasks and exported_tasks[task].set_name == name
        ]
        counts[name] = len(records)
        if records:
            meta = _build_toolmeta(name)
            if name == "atomic":  # its samples hold the descriptions of their tools
                records = [{**record, "tools": [meta[tool] for tool in record["tools"]]} for record in records]
            numbered = {str(number): record for number, record in enumerate(records)}
            for file, content in ((SETS[name], numbered), ("toolmeta.json", meta)):
                save_json(folder.absolute() / name / file, content)
    return counts


def _build_toolmeta(set_name: str) -> dict[str, Any]:
    offer = load_selections()[f"gta-{set_name}"]
    listed = {tool.name: tool for server in offer.servers for tool in tools_of(load_server(server, offer.dialect))}
    return {name: signature_of(listed[name]).meta for name in offer.tools}


def _try_export(job: Exporting) -> Exported | str:
    try:
        return _export_task(job)
    except Exception as error:  # noqa: BLE001 - one broken task must not end the others
        return str(error) if isinstance(error, Problem) else f"{type(error).__name__}: {error}"


def _export_task(job: Exporting) -> Exported:
    task = load_task(job.task)
    scratch = Path(tempfile.mkdtemp(prefix="yardkit-export-"))
    try:
        episode = open_new(task, job.seed, scratch)
        if "workflow_category" in episode.seeded.facts:
            return Exported("workflow", _export_workflow(task, episode, job.folder / "workflow"))
        return Exported("atomic", _export_atomic(task, episode, job.folder / "atomic"))
    finally:
        remove_world(scratch)


def _export_workflow(task: Task, episode: Episode, folder: Path) -> dict[str, Any]:
    offered = [tool for tool in load_selections()["gta-workflow"].tools if tool in offered_tools(task)]
    brought = _bring_files(episode, folder, "files", task.name)
    return {
        "workflow_category_6class": episode.seeded.facts["workflow_category"],
        "tools": offered,
        "files": [{"type": Path(path).suffix.lstrip("."), "path": path} for path in brought.values()],
        "dialogs": [{"role": "user", "content": episode.prompt}],
        "sub_tasks": published_tree(task.checks()),
    }


def published_tree(checks: Checkpoint) -> list[dict[str, Any]]:
    """Convert a tree of checkpoints to the format of GTA-2, without guardrails: a judge of deliverables cannot see the
    rest of the world.
    """
    nodes = []
    for part in checks.parts:
        below = published_tree(part)
        if part.kind != "guardrail" and (below or not part.parts):
            node = {"id": part.id, "weight": part.weight, "requirements": part.says}
            nodes.append({**node, "sub_tasks": below} if below else node)
    return nodes


def offered_tools(task: Task) -> list[str]:
    """The tools of a task."""
    listed = [tool.name for server in task.servers for tool in tools_of(load_server(server, task.dialect))]
    return [name for name in listed if not task.tools or name in task.tools]


def _export_atomic(task: Task, episode: Episode, folder: Path) -> dict[str, Any]:
    """Export a sample with the reference agent's calls as its gold chain."""
    if "gt_answer" not in episode.seeded.facts:
        raise Problem("its facts hold neither workflow_category nor gt_answer, of which a task of GTA has one")
    answer = episode.seeded.facts["gt_answer"]
    brought = _bring_files(episode, folder, "image", task.name)
    agent = make_agent("reference")
    outcome, _ = work_on(episode, "reference", lambda transcript: agent.run(episode, transcript, SECONDS))
    if outcome.stop != "done":
        raise Problem(outcome.detail)
    turns = list(_list_turns(steps_of(episode.directory), answer))
    contents = [turn["content"] for turn in turns if turn["role"] == "tool"]
    named = [str(content["content"]) for content in contents if content["type"] in ("image", "audio", "video", "file")]
    delivered = [path for path in named if (episode.world.files / path).is_file()]
    placed = {**brought, **_copy_files(episode, delivered, folder, "image", task.name)}
    used = dict.fromkeys(turn["name"] for turn in turns if turn["role"] == "tool")
    known = load_selections()["gta-atomic"].tools
    if strange := [name for name in (*used, *task.tools) if name not in known]:
        raise Problem(f"{strange[0]!r} is not one of the {len(known)} tools of GTA")
    return {
        "tools": list(task.tools or used),
        "files": [
            {"type": "image" if path.lower().endswith(_PICTURES) else "file", "path": path, "url": None}
            for path in brought.values()
        ],
        "dialogs": [{"role": "user", "content": episode.prompt}, *(_rename_paths(turn, placed) for turn in turns)],
        "gt_answer": answer,
    }


def _list_turns(steps: Sequence[Mapping[str, Any]], answer: Any) -> Iterator[dict[str, Any]]:
    """List the gold chain: the calls without an error, and the answer; if its meaning counts, the first given text.

    Raises:
        Problem: the answer of the reference agent is not the expected one.
    """
    gold = gold_answer("gt_answer", answer)
    failed = False
    for step in steps:
        if step["role"] == "tool":
            if not failed:
                yield {**step, "content": dict(step["content"][0])}
        elif "tool_calls" in step:
            failed = "error" in step
            if not failed:
                yield dict(step)
        else:
            answer_text = gold.texts[0] if isinstance(gold, Subjective) else str(step["content"])
            if gold and score_answer(answer_text, gold, "corrected", compare_words) < 1:
                raise Problem(f"the answer of the reference agent, {answer_text[:80]!r}, is not the expected one")
            yield {"role": "assistant", "content": answer_text}


def _bring_files(episode: Episode, folder: Path, name: str, task: str) -> dict[str, str]:
    """Copy the files of a world into the set; return path in the world -> path in the set."""
    paths = sorted(path for path in episode.world.files.rglob("*") if path.is_file() and not path.is_symlink())
    return _copy_files(
        episode, [path.relative_to(episode.world.files).as_posix() for path in paths], folder, name, task
    )


def _copy_files(episode: Episode, paths: Sequence[str], folder: Path, name: str, task: str) -> dict[str, str]:
    placed = {path: f"{name}/{task}/{path}" for path in paths}
    for path, place in placed.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(episode.world.files / path, folder / place)
    return placed


def _rename_paths(turn: Mapping[str, Any], paths: Mapping[str, str]) -> dict[str, Any]:
    """Replace the paths in a turn with those in the set."""
    if "tool_calls" in turn:
        function = turn["tool_calls"][0]["function"]
        given = {
            name: paths.get(value, value) if isinstance(value, str) else value
            for name, value in function["arguments"].items()
        }
        return make_call_turn(function["name"], given)
    if turn["role"] == "tool":
        content = turn["content"]
        return {**turn, "content": {**content, "content": paths.get(content["content"], content["content"])}}
    return dict(turn)
