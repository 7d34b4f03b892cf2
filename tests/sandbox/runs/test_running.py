import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.agents import command_of
from support.models import Line, make_call_line, make_text_line, scripted_model
from support.processes import COMMAND

from yardkit.__main__ import main
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.task import load_task

TASK = "quickstart/sort_inbox"
OTHER_TASK = "quickstart/policy_proof"

STOPS_ONCE = """
import os, pathlib, signal, sys, time
folder = pathlib.Path(sys.argv[1])
with open(folder / "starts", "a") as handle:
    handle.write("x")
starts = (folder / "starts").read_text()
if len(starts) == 2:
    print("second", flush=True)
    (folder / "waiting").write_text(str(os.getpid()))
    with open(folder / "gate") as gate:  # a pipe: blocks until somebody opens its other end
        gate.read()
print("answer", len(starts))
"""
"""An agent that waits at its second start until it is let go or killed."""


KNOWS_THE_ANSWER = """
import asyncio, json, os, pathlib, sys
from fastmcp import Client

async def main():
    config = json.loads(pathlib.Path(os.environ["YARDKIT_MCP_CONFIG"]).read_text())
    async with Client(config) as client:
        for number in range(int(sys.argv[2])):
            await client.call_tool("read_lore_document", {"doc_id": f"v1%{number}"}, raise_on_error=False)

asyncio.run(main())
(pathlib.Path(os.environ["YARDKIT_WORKSPACE"]) / "notes.txt").write_text("what I thought")
print(sys.argv[1])
"""
"""An agent that knows the answer, asks for so many documents that do not exist, and leaves a file behind."""


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Path]:
    from yardkit.world import remove_world

    yield tmp_path / "runs"
    if (tmp_path / "runs").exists():
        remove_world(tmp_path / "runs")


def run(runs: Path, *arguments: str) -> int:
    return main(["run", *arguments, "--runs", str(runs)])


def read_lines(runs: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (runs / "results.jsonl").read_text("utf-8").splitlines()]


def test_the_reference_agent_passes_over_mcp(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(runs, TASK) == 0
    [result] = RunDirectory(runs).read_results()
    assert (result.passed, result.reward, result.valid, result.stop, result.state) == (
        True,
        1.0,
        True,
        "done",
        "passed",
    )
    assert result.calls > 10
    out = capsys.readouterr().out
    assert "1 of 1 passed: 100.0 %" in out
    episode = runs / result.episode
    ledger = (episode / "ledger.jsonl").read_text("utf-8").splitlines()
    transcript = [json.loads(line) for line in (episode / "transcript.jsonl").read_text("utf-8").splitlines()]
    assert len(ledger) == result.calls == sum(line["role"] == "tool" for line in transcript)
    assert {"report.html", "report.json", "junit.xml"} <= {path.name for path in runs.iterdir()}


def test_doing_nothing_fails_every_seed(runs: Path) -> None:
    assert run(runs, "quickstart/sort_inbox", "--agent", "nop", "--seed-list", "0,3", "--jobs", "2") == 1
    results = RunDirectory(runs).read_results()
    assert [(result.seed, result.state, result.at_fault) for result in results] == [
        (0, "failed", "agent"),
        (3, "failed", "agent"),
    ]


def test_a_service_that_answers_garbage_is_no_fault_of_the_agent(
    runs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "very-secret-key")
    with scripted_model(Line(b"garbage")) as model:
        code = run(runs, TASK, "--agent", "openai:m", "--set", "retries=0", "--set", f"base_url={model.url}")
    assert code == 3
    [result] = RunDirectory(runs).read_results()
    assert (result.valid, result.passed, result.stop, result.at_fault) == (
        False,
        False,
        "service_invalid",
        "model service",
    )
    captured = capsys.readouterr()
    assert "1 invalid through no fault of the agent" in captured.out
    assert "Traceback" not in captured.err
    assert not any(
        b"very-secret-key" in path.read_bytes() for path in runs.rglob("*") if path.is_file() and not path.is_symlink()
    )


def test_the_chat_agent_runs_in_a_suite_and_its_tokens_are_counted(runs: Path) -> None:
    with scripted_model(make_call_line(("list_folder", {"path": "inbox"})), make_text_line("I looked at it.")) as model:
        assert run(runs, TASK, "--agent", "openai:m", "--set", f"base_url={model.url}", "--set", "price=1,1") == 1
    report = json.loads((runs / "report.json").read_text("utf-8"))
    assert report["summary"]["usage"]["prompt_tokens"] == 200
    assert report["summary"]["usage"]["cost_usd"] == pytest.approx(220e-6)
    assert report["runs"][0]["answer"] == "I looked at it."


@pytest.mark.drill
def test_a_run_that_was_killed_resumes_and_keeps_what_has_ended(runs: Path, tmp_path: Path) -> None:
    agent = command_of(tmp_path, STOPS_ONCE, str(tmp_path))
    os.mkfifo(tmp_path / "gate")
    command = [*COMMAND, "run", TASK, "--agent", agent, "--seeds", "3", "--runs", str(runs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "seed 0" in process.stderr.readline()
        # Opening our end of the pipe waits until the agent of seed 1 is there.
        with (tmp_path / "gate").open("w"):
            process.kill()
            process.communicate(timeout=240)
            first = read_lines(runs)
            worker_gone(int((tmp_path / "waiting").read_text()))
    assert [line["seed"] for line in first] == [0]
    with (runs / "results.jsonl").open("a") as handle:
        handle.write('{"task": "quickstart/sort_in')
    assert main(["run", "--runs", str(runs)]) == 1
    assert [line["seed"] for line in read_lines(runs)] == [0, 1, 2]
    assert read_lines(runs)[0] == first[0]
    assert (tmp_path / "starts").read_text() == "xxxx"
    assert [len(list((runs / TASK / f"seed-{seed}").glob("e*/episode.json"))) for seed in range(3)] == [1, 1, 1]
    assert main(["run", "--runs", str(runs)]) == 1
    assert (tmp_path / "starts").read_text() == "xxxx"


def worker_gone(pid: int) -> None:
    """Wait until the process `pid` is gone; it must go when the runner was killed."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    import select

    with os.fdopen(descriptor):
        ready, _, _ = select.select([descriptor], [], [], 30)
    assert ready, f"process {pid} still runs"


@pytest.mark.drill
def test_ctrl_c_says_how_to_resume(runs: Path, tmp_path: Path) -> None:
    agent = command_of(tmp_path, STOPS_ONCE, str(tmp_path))
    os.mkfifo(tmp_path / "gate")
    command = [*COMMAND, "run", TASK, "--agent", agent, "--seeds", "2", "--runs", str(runs)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process,
        (tmp_path / "gate").open("w"),
    ):
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=240)
    assert process.returncode == 130
    assert f"yardkit run --runs {runs}" in errors
    assert "Traceback" not in errors


@pytest.mark.drill
def test_a_run_whose_process_dies_is_invalid_and_the_others_go_on(runs: Path, tmp_path: Path) -> None:
    # At its second start the agent kills the worker, which started the program `timeout` that started it.
    source = """
import os, pathlib, signal, sys
folder = pathlib.Path(sys.argv[1])
starts = folder / "starts"
starts.write_text((starts.read_text() if starts.exists() else "") + "x")
if starts.read_text() == "xx":
    worker = pathlib.Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1]
    os.kill(int(worker), signal.SIGKILL)
"""
    agent = command_of(tmp_path, source, str(tmp_path))
    assert run(runs, TASK, "--agent", agent, "--seeds", "3") == 3
    states = [result.state for result in RunDirectory(runs).read_results()]
    assert states == ["failed", "invalid", "failed"]
    invalid_result = RunDirectory(runs).read_results()[1]
    assert invalid_result.faults == ("its process was killed by SIGKILL",)
    assert invalid_result.at_fault == "yardkit"
    assert run(runs, "--retry-invalid") == 1
    assert [result.state for result in RunDirectory(runs).read_results()] == ["failed"] * 3


def test_finished_runs_are_graded_again_without_the_agent(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = command_of(
        tmp_path, "import sys; open(sys.argv[1], 'a').write('x'); print('done')", str(tmp_path / "starts")
    )
    assert run(runs, TASK, "--agent", agent, "--seeds", "2") == 1
    before = RunDirectory(runs).read_results()
    (runs / "results.jsonl").write_text(
        "".join(json.dumps({**line, "reward": 0.77}) + "\n" for line in read_lines(runs)), "utf-8"
    )
    assert main(["regrade", str(runs)]) == 1
    after = RunDirectory(runs).read_results()
    assert [(result.reward, result.passed, result.stop, result.calls) for result in after] == [
        (result.reward, result.passed, result.stop, result.calls) for result in before
    ]
    assert (tmp_path / "starts").read_text() == "xx"
    assert "0 of 2 passed" in capsys.readouterr().out


@pytest.mark.parametrize(("answer", "guesses", "accuracy"), [("right", 0, 1.0), ("right", 40, 0.0), ("wrong", 0, 0.0)])
@pytest.mark.drill
def test_accuracy_is_the_answer_alone_unless_a_gate_fails_and_stays_when_graded_again(
    runs: Path, tmp_path: Path, answer: str, guesses: int, accuracy: float
) -> None:
    task = load_task("lore/documents@ops=2")
    right = seed_task(task, 0, tmp_path / "world").facts["answer"]
    answer_text = {"right": right, "wrong": "nobody knows"}[answer]
    assert run(runs, task.id, "--agent", command_of(tmp_path, KNOWS_THE_ANSWER, answer_text, str(guesses))) == 1
    [result] = RunDirectory(runs).read_results()
    assert (result.passed, result.measures["accuracy"], result.measures["operations"]) == (False, accuracy, 2)
    [line] = read_lines(runs)
    (runs / "results.jsonl").write_text(json.dumps({**line, "measures": {}}) + "\n", "utf-8")
    assert main(["regrade", str(runs)]) == 1
    assert RunDirectory(runs).read_results()[0].measures == result.measures


@pytest.mark.parametrize(
    ("arguments", "pattern"),
    [
        (["quikstart"], "did you mean quickstart"),
        ([], "name a suite or tasks"),
        ([TASK, "--seeds", "0"], "at least one seed"),
        ([TASK, "--repeats", "0"], "at least one run"),
        ([TASK, "--seed-list", "1,x"], "write numbers"),
        ([TASK, "--seed-list=-1"], "a seed is a whole number from 0 to"),
        ([TASK, "--seed-list", "9" * 20], "a seed is a whole number from 0 to"),
        ([TASK, "--seed-list", "1", "--seeds", "2"], "exclude each other"),
        ([TASK, "--jobs", "0"], "--jobs 0"),
        ([TASK, "--time-limit", "0"], "above 0"),
        ([TASK, "--set", "x"], "NAME=VALUE"),
        ([TASK, "--agent", "wizard"], "there is no agent"),
        ([TASK, "--extra-servers", "99"], "extra servers, not 99"),
        ([TASK, "--agent", "command:no-such-program-x"], "not found"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    runs: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], pattern: str
) -> None:
    import re

    assert run(runs, *arguments) == 2
    errors = capsys.readouterr().err
    assert re.search(pattern, errors)
    assert errors.count("\n") == 1
    assert not (runs / "results.jsonl").exists()


def test_a_directory_with_something_else_or_another_agent_is_refused(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.mkdir()
    (runs / "thesis.txt").write_text("all my work")
    assert run(runs, TASK, "--agent", "nop") == 2
    assert main(["demo", "--runs", str(runs)]) == 2
    assert (runs / "thesis.txt").read_text() == "all my work"
    (runs / "thesis.txt").unlink()
    assert run(runs, TASK, "--agent", "nop") == 1
    assert run(runs, TASK, "--agent", "reference") == 2
    assert "holds a run of the agent 'nop'" in capsys.readouterr().err


def test_two_processes_do_not_work_on_one_run(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(runs, TASK, "--agent", "nop") == 1
    with RunDirectory(runs).in_use():
        assert run(runs, TASK, "--agent", "nop") == 2
    assert "another process works on the run" in capsys.readouterr().err


def test_extra_servers_are_offered_recorded_and_kept_when_a_run_is_resumed(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(runs, TASK, "--agent", "nop", "--extra-servers", "3") == 1
    [result] = RunDirectory(runs).read_results()
    assert len(result.extra_servers) == 3
    assert RunDirectory(runs).read_plan().extra_servers == 3
    report = json.loads((runs / "report.json").read_text("utf-8"))
    assert report["run"]["extra_servers"] == 3
    assert report["runs"][0]["extra_servers"] == list(result.extra_servers)
    page = (runs / "report.html").read_text("utf-8")
    assert "3 extra servers" in page
    assert ", ".join(result.extra_servers) in page
    assert run(runs, "--seeds", "2") == 1
    assert [len(ended.extra_servers) for ended in RunDirectory(runs).read_results()] == [3, 3]
    assert run(runs, TASK, "--extra-servers", "0") == 2
    assert "a run with 3 extra servers, not 0" in capsys.readouterr().err
    assert main(["regrade", str(runs)]) == 1
    assert RunDirectory(runs).read_results()[0].extra_servers == result.extra_servers


SLIPS = ("lore/documents", "--ops", "4", "--agent", "scripted", "--set", "error_rate=0.3")


def test_each_task_and_seed_is_run_repeatedly_in_folders_of_their_own(runs: Path) -> None:
    assert run(runs, *SLIPS, "--seeds", "2", "--repeats", "2") == 1
    results = RunDirectory(runs).read_results()
    assert [(result.seed, result.repeat) for result in results] == [
        (seed, repeat) for seed in (0, 1) for repeat in range(2)
    ]
    folders = [result.episode.split("/")[2] for result in results]
    assert folders[:2] == ["seed-0", "seed-0-repeat-1"]
    prompts = [json.loads((runs / result.episode / "episode.json").read_text())["prompt"] for result in results]
    assert [prompts.count(prompt) for prompt in prompts] == [2] * 4
    assert len({(runs / result.episode / "ledger.jsonl").stat().st_size for result in results}) > 2


@pytest.mark.drill
def test_more_repeats_extend_a_run_and_it_is_resumed_and_graded_again_with_them(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(runs, TASK, "--agent", "nop") == 1
    plan = json.loads((runs / "run.json").read_text("utf-8"))
    # As it was written before runs could be repeated.
    (runs / "run.json").write_text(json.dumps({name: plan[name] for name in plan if name != "repeats"}), "utf-8")
    [first] = [{name: line[name] for name in line if name != "repeat"} for line in read_lines(runs)]
    (runs / "results.jsonl").write_text(json.dumps(first) + "\n", "utf-8")
    assert run(runs, TASK, "--agent", "nop", "--repeats", "3") == 1
    assert [line["repeat"] for line in read_lines(runs)] == [0, 1, 2]
    assert read_lines(runs)[0]["finished"] == first["finished"]
    (runs / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in read_lines(runs)[:2]), "utf-8")
    capsys.readouterr()
    assert run(runs) == 1
    assert "2 of 3 have already finished" in capsys.readouterr().err
    assert [line["repeat"] for line in read_lines(runs)] == [0, 1, 2]
    assert main(["regrade", str(runs)]) == 1
    after = RunDirectory(runs).read_results()
    assert [(attempt.repeat, attempt.episode.split("/")[2]) for attempt in after] == [
        (0, "seed-0"),
        (1, "seed-0-repeat-1"),
        (2, "seed-0-repeat-2"),
    ]
    assert "0 of 3 passed" in capsys.readouterr().out


def test_a_longer_list_of_seeds_extends_a_run(runs: Path) -> None:
    run(runs, TASK, "--agent", "nop")
    first = read_lines(runs)
    assert run(runs, TASK, "--agent", "nop", "--seeds", "2") == 1
    assert read_lines(runs)[0] == first[0]
    assert len(read_lines(runs)) == 2


def test_one_more_task_extends_a_run_and_its_report(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(runs, TASK, "--agent", "nop")
    capsys.readouterr()
    assert run(runs, OTHER_TASK, "--agent", "nop") == 1
    assert "0 of 2 passed" in capsys.readouterr().out
    assert list(RunDirectory(runs).read_plan().tasks) == [TASK, OTHER_TASK]


def test_a_run_whose_version_is_under_another_key_is_read(tmp_path: Path) -> None:
    plan = Plan((TASK,), (0, 1), "nop", {"model": "m"}, 60.0, repeats=2)
    record = plan.as_dict()
    assert "yardkit" in record
    (tmp_path / "run.json").write_text(json.dumps({"formerly": record.pop("yardkit"), **record}), "utf-8")
    assert RunDirectory(tmp_path).read_plan() == plan
