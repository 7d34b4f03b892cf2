"""What kind of task a task is: stated, checked, true of its world and its proofs, and kept in results."""

import json
import re
from pathlib import Path

import pytest

from yardkit.__main__ import main
from yardkit.sandbox.proofs.proofs_lock import read_lock
from yardkit.sandbox.serving.catalog import list_catalog
from yardkit.sandbox.tasks.profiles import Profile, difficulty_of
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import Task, load_task
from yardkit.world import Problem

TASKS = [load_task(task) for ids in list_suites().values() for task in ids]
GOOD = {"domain": "finance", "difficulty": "easy", "modalities": ["mail"], "deliverables": ["answer", "pdf"]}
READ = {
    "md": "text",
    "txt": "text",
    "ini": "text",
    "csv": "table",
    "xlsx": "table",
    "docx": "document",
    "pptx": "slides",
    "pdf": "pdf",
    "png": "image",
    "jpg": "image",
    "mp4": "video",
    "mp3": "audio",
    "wav": "audio",
    "vtt": "text",
    "html": "web",
    "eml": "mail",
    "sqlite": "database",
}
PRODUCED_KINDS = {
    "xlsx": "workbook",
    "docx": "document",
    "pptx": "slides",
    "pdf": "pdf",
    "html": "web",
    "csv": "table",
    "png": "image",
    "jpg": "image",
    "mp4": "video",
    "mp3": "audio",
    "wav": "audio",
    "vtt": "text",
    "json": "data",
    "md": "text",
    "txt": "text",
}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"domain": None}, "task.toml of a/b has no domain; state one of: administration, "),
        ({"domain": "finnance"}, "domain of a/b holds 'finnance', which is unknown; did you mean 'finance'?"),
        ({"difficulty": "brutal"}, "difficulty of a/b holds 'brutal', which is unknown; state one of: easy, medium, "),
        ({"modalities": []}, "modalities of a/b is []; state a list of different words, such as ['text', 'table']"),
        ({"deliverables": "pdf"}, "deliverables of a/b is 'pdf'; state a list of different words"),
        ({"deliverables": ["pdf", "pdf"]}, "deliverables of a/b is ['pdf', 'pdf']; state a list of different words"),
    ],
)
def test_a_task_that_does_not_say_what_kind_it_is_cannot_be_loaded(change: dict[str, object], says: str) -> None:
    facts = {name: value for name, value in {**GOOD, **change}.items() if value is not None}
    with pytest.raises(Problem) as problem:
        Profile.parse_facts("a/b", facts)
    assert says in str(problem.value)
    assert Profile.parse_facts("a/b", GOOD).as_dict() == GOOD


@pytest.mark.parametrize("task", TASKS, ids=[task.id for task in TASKS])
def test_deliverables_are_what_the_checkpoints_look_at(task: Task) -> None:
    leaves = task.checks().list_leaves()
    looked_at = {target for leaf in leaves if leaf.kind != "guardrail" for target in leaf.covers}
    endings = {target.partition("#")[0].rstrip("*").rpartition(".")[2] for target in looked_at}
    produced_kinds = {PRODUCED_KINDS[ending] for ending in endings if ending in PRODUCED_KINDS} | (
        {"answer"} & looked_at
    )
    produced_kinds |= {"app" for target in looked_at if target.startswith(("record:", "mail:", "event:"))}
    assert produced_kinds | ({"files"} & set(task.profile.deliverables)) == set(task.profile.deliverables)


def test_the_difficulty_of_every_proved_task_is_what_its_proofs_show() -> None:
    lock = read_lock()
    differing = {}
    for task in TASKS:
        entries = [entry for (name, _), entry in lock.items() if name == task.id]
        servers = {server for entry in entries for server in entry.servers}
        calls = [entry.calls for entry in entries]
        proved_difficulty = difficulty_of(len(list(task.checks().list_leaves())), len(servers), calls) if calls else ""
        if proved_difficulty not in ("", task.profile.difficulty):
            differing[task.id] = proved_difficulty
    assert differing == {}


@pytest.mark.parametrize("name", ["sort_inbox", "policy_proof", "invoice_check", "stock_cleanup", "board_pack"])
def test_what_is_said_to_be_read_lies_in_the_world(name: str, tmp_path: Path) -> None:
    (task,) = (task for task in TASKS if task.name == name)
    files = seed_task(task, 0, tmp_path / "world").initial
    assert set(task.profile.modalities) <= {READ[Path(path).suffix[1:]] for path in files}


def test_no_prompt_names_a_tool() -> None:
    tools = {tool.name for entry in list_catalog() for tool in entry.tools}
    assert len(tools) > 100
    for task in TASKS:
        assert set(re.findall(r"\w+", task.prompt_template)) & tools == set(), task.id


def test_a_result_keeps_the_kind_of_its_task_and_the_report_breaks_down_by_it(tmp_path: Path) -> None:
    tasks = ["quickstart/receipt_total", "quickstart/policy_proof"]
    assert main(["run", *tasks, "--agent", "nop", "--runs", str(tmp_path)]) == 1
    results = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text("utf-8").splitlines()]
    assert {result["task"]: result["profile"]["domain"] for result in results} == dict(
        zip(tasks, ("personal", "security"), strict=True)
    )
    profile_rows = json.loads((tmp_path / "report.json").read_text("utf-8"))["by_profile"]
    assert {word: modality["runs"] for word, modality in profile_rows["modalities"].items()} == {
        "text": 2,
        "table": 1,
        "image": 1,
    }
    assert profile_rows["difficulty"]["easy"]["failed"] == 2
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "By domain, difficulty and turns" in page
    assert ">security<" in page
