import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from yardkit.__main__ import main
from yardkit.sandbox.episodes.episode import open_episode
from yardkit.sandbox.runs.run_directory import RunDirectory
from yardkit.world import remove_world

DOCUMENTS = ["--domain", "documents"]


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "runs"
    if (tmp_path / "runs").exists():
        remove_world(tmp_path / "runs")


def generate_lore(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["lore", "generate", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.drill
def test_a_run_takes_a_grid_of_generated_tasks(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dials = ["--ops", "2,3", "--mode", "bottom-up,top-down", "--with", "operators=add,subtract", "--tasks", "2"]
    assert main(["run", "lore", *DOCUMENTS, *dials, "--runs", str(runs)]) == 0
    plan = RunDirectory(runs).read_plan()
    assert (len(plan.tasks), plan.seeds) == (8, (0, 1))
    assert plan.tasks[:2] == tuple(f"lore/documents@ops={ops},operators=add" for ops in (2, 3))
    assert "16 of 16 passed" in capsys.readouterr().out
    assert main(["run", "lore", *DOCUMENTS, "--ops", "4", "--runs", str(runs)]) == 0
    assert len(RunDirectory(runs).read_plan().tasks) == 9


def test_what_a_task_cannot_be_is_left_out_of_a_run_and_said(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["lore/documents", "sort_inbox"]
    assert main(["run", *names, "--ops", "1", "--agent", "nop", "--runs", str(runs)]) == 1
    assert RunDirectory(runs).read_plan().tasks == ("lore/documents@ops=1",)
    assert "yardkit: left out: quickstart/sort_inbox has no parameter 'ops'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ops", "0"], "ops=0: it must be between 1"),
        (["--ops", "-3"], "ops=-3: it must be between 1"),
        (["--ops", "ten"], "ops='ten': write a whole number"),
        (["--ops", "5,,6"], "write values with commas between them"),
        (["--mode", "sideways"], "not one of bottom-up, top-down"),
        (["--with", "operators=add+divide"], "'divide' is not one of"),
        (["--with", "oprators=add"], "Did you mean 'operators'?"),
        (["--with", "branching"], "write NAME=VALUE"),
        (["--with", "branching=2", "--with", "branching=3"], "given twice"),
        (["--ops", "5", "--with", "ops=6"], "given twice"),
    ],
)
def test_wrong_options_are_one_line_in_every_command_that_takes_them(
    runs: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    for command in (["run", "lore", "--runs", str(runs)], ["lore", "generate"]):
        assert main([*command, *DOCUMENTS, *arguments]) == 2
        captured = capsys.readouterr()
        assert message in captured.err
        assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert not runs.exists()


def test_options_of_generated_tasks_need_tasks(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "lore/documents", "--ops", "1", "--runs", str(runs)]) == 0
    assert main(["run", "--ops", "2", "--runs", str(runs)]) == 2
    assert "need a suite or tasks" in capsys.readouterr().err


def test_the_table_tells_length_height_documents_starts_and_answer(capsys: pytest.CaptureFixture[str]) -> None:
    head, *rows = generate_lore(capsys, *DOCUMENTS, "--ops", "5,50", "--seeds", "2").splitlines()
    assert head.split() == ["N", "height", "documents", "starts", "answer", "task"]
    assert [row.split()[0] for row in rows] == ["5", "5", "50", "50"]
    assert len({row.split()[4] for row in rows}) == 4
    assert rows[-1].endswith("lore/documents@ops=50 seed 1")
    assert rows[-1] in generate_lore(capsys, *DOCUMENTS, "--ops", "50", "--seed", "1")


@pytest.mark.parametrize("name", ["lore/documents@ops=6", "lore/documents@ops=6,mode=top-down"])
def test_what_is_generated_is_what_an_episode_has(capsys: pytest.CaptureFixture[str], name: str) -> None:
    mode = name.partition("mode=")[2] or "bottom-up"
    generated_text = generate_lore(capsys, *DOCUMENTS, "--ops", "6", "--mode", mode, "--seed", "4", "--format", "json")
    [record] = json.loads(generated_text)
    with open_episode(name, 4) as episode:
        facts = episode.seeded.facts
        assert (record["task"], record["seed"], record["prompt"]) == (name, 4, episode.prompt)
        assert (record["answer"], record["measures"]) == (facts["answer"], facts["measures"])
        assert [step["read"] for step in record["trajectory"]] == facts["documents"]
        reply = episode.call("read_lore_document", doc_id=record["documents"][-1]["id"])
        assert record["documents"][-1]["text"] in reply.text


def test_each_task_can_be_written_to_a_file_of_its_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    generated_text = generate_lore(
        capsys, *DOCUMENTS, "--ops", "3", "--seed-list", "0,5", "--output", str(tmp_path / "tasks")
    )
    assert len(generated_text.splitlines()) == 3
    written = sorted(path.name for path in (tmp_path / "tasks").iterdir())
    assert written == ["documents@ops=3-seed-0.json", "documents@ops=3-seed-5.json"]
    record = json.loads((tmp_path / "tasks" / written[1]).read_text("utf-8"))
    assert (record["seed"], len(record["trajectory"])) == (5, len(record["documents"]))


def test_a_task_of_a_whole_workspace_is_not_generated_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lore", "generate", "--domain", "workspace,documents", "--ops", "1"]) == 0
    captured = capsys.readouterr()
    assert "left out: lore/workspace@ops=1 consists of a full workspace" in captured.err
    assert len(captured.out.splitlines()) == 2
    assert main(["lore", "generate", "--domain", "workspace"]) == 2
    captured = capsys.readouterr()
    assert "`yardkit open lore/workspace` seeds one" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["generate", "--seed", "1", "--seeds", "2"], "exclude each other"),
        (["generate", "--seed", "-1"], "a seed is 0 or more"),
        (["weave"], "invalid choice: 'weave'"),
        ([], "required: action"),
    ],
)
def test_misuse_of_the_generator_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["lore", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)
