import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from support.commands import Run
from support.gateways import TASK
from support.processes import COMMAND, exchange_messages, make_request
from support.scale import select_drills

from yardkit.sandbox.episodes.episode import open_new, reopen_episode


def _build_twin_command(runs: Path, *arguments: str) -> list[str]:
    return [*COMMAND, "mcp", "--task", TASK, "--seed", "4", "--runs", str(runs), *arguments]


@pytest.mark.parametrize("mode", ["auto", *select_drills("legacy")])
async def test_a_client_of_either_era_works_on_one_episode_per_process(tmp_path: Path, mode: str) -> None:
    command = _build_twin_command(tmp_path)
    async with Client(StdioTransport(command[0], command[1:]), mode=mode) as client:
        listed = {tool.name for tool in await client.list_tools()}
        await client.call_tool("write_file", {"path": "made.txt", "content": "x"})
    (directory,) = tmp_path.glob("e*")
    assert {"read_file", "evaluate_expression"} <= listed
    assert "recognize_text" not in listed
    episode = reopen_episode(directory)
    assert [call.tool for call in episode.ledger.calls] == ["write_file"]
    assert (episode.world.files / "made.txt").read_text() == "x"


async def test_only_the_named_servers_are_offered(tmp_path: Path) -> None:
    command = _build_twin_command(tmp_path, "--server", "calculator")
    async with Client(StdioTransport(command[0], command[1:])) as client:
        listed = {tool.name for tool in await client.list_tools()}
        refused = await client.call_tool("read_file", {"path": "x"}, raise_on_error=False)
    assert "evaluate_expression" in listed
    assert "read_file" not in listed
    assert refused.is_error


@pytest.mark.drill
async def test_a_link_to_a_picture_of_the_episode_can_be_read_and_is_in_the_ledger(tmp_path: Path) -> None:
    options = ["--task", "receipt_total", "--runs", str(tmp_path), "--pictures", "link"]
    async with Client(StdioTransport(COMMAND[0], [*COMMAND[1:], "mcp", *options])) as client:
        (directory,) = tmp_path.glob("e*")
        pictures = (path for path in (directory / "world" / "files").rglob("*") if path.suffix in (".jpg", ".png"))
        name = next(pictures).relative_to(directory / "world" / "files").as_posix()
        media_result = await client.call_tool("read_media", {"path": name})
        assert [block.type for block in media_result.content] == ["text", "resource_link"]
        (read,) = await client.read_resource(media_result.content[1].uri)
        assert read.mime_type.startswith("image/")
    calls = [call.tool for call in reopen_episode(directory).ledger.calls]
    assert calls == ["read_media", "resources/read"]


def test_stdout_is_the_protocol_and_stderr_says_how_to_grade(tmp_path: Path) -> None:
    message = make_request(1, "tools/call", name="list_folder", arguments={"path": "."})
    code, out, errors = exchange_messages(_build_twin_command(tmp_path), message, tmp_path)
    assert code == 0
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["id"] for answer in answers] == [1]
    (directory,) = tmp_path.glob("e*")
    assert f"1 call recorded; grade with: yardkit grade {directory}" in errors
    assert json.loads((directory / "episode.json").read_text())["token"] not in out + errors


def test_an_opened_episode_is_worked_on_and_graded(yardkit: Run, tmp_path: Path) -> None:
    opened = json.loads(yardkit("open", "sort_inbox", "--seed", "6", "--format", "json").stdout)
    assert opened["prompt"].startswith("Today is ")
    message = make_request(1, "tools/call", name="write_file", arguments={"path": "n.txt", "content": "x"})
    code, out, _ = exchange_messages([*COMMAND, "mcp", "--episode", opened["episode"]], message, tmp_path)
    assert code == 0
    assert not json.loads(out)["result"].get("isError")
    assert (Path(opened["workspace"]) / "n.txt").exists()
    graded = yardkit("grade", opened["episode"], "--answer", "done")
    assert graded.returncode == 1
    assert "✗ sort_inbox" in graded.stdout
    assert "✓ others_untouched" in graded.stdout or "✗ others_untouched" in graded.stdout
    assert "not passed" in graded.stdout
    again = json.loads(yardkit("grade", opened["episode"], "--format", "json").stdout)
    assert again["passed"] is False
    assert json.loads((Path(opened["episode"]) / "grade.json").read_text())["answer"] == "done"
    over = yardkit("mcp", "--episode", opened["episode"])
    assert over.returncode == 2
    assert "is over" in over.stderr


def test_the_exit_code_of_a_solved_episode_is_0(yardkit: Run, tmp_path: Path) -> None:
    from yardkit.sandbox.episodes.replies import ToolAgent

    episode = open_new(TASK, 5, tmp_path / "runs")
    answer = episode.task.proof().solve(ToolAgent(episode))
    (tmp_path / "answer.txt").write_text(answer)
    graded = yardkit("grade", str(episode.directory), "--answer-file", "answer.txt")
    assert graded.returncode == 0, graded.stdout
    assert "reward 1   root score 10   passed" in graded.stdout


def test_a_grade_names_the_calls_that_crashed_and_counts_all_the_same(yardkit: Run, tmp_path: Path) -> None:
    episode = open_new(TASK, 5, tmp_path / "runs")
    episode.call("list_folder", path=".")
    line = json.loads(episode.ledger.path.read_text())
    episode.ledger.path.write_text(json.dumps({**line, "crashed": True}) + "\n")
    graded = yardkit("grade", str(episode.directory))
    assert graded.returncode == 1
    assert "crashed: call 1: list_folder" in graded.stdout


@pytest.mark.drill
def test_a_run_that_we_spoiled_ends_with_3(tmp_path: Path) -> None:
    episode = open_new("office/newsletter_html", 5, tmp_path / "runs")
    page = episode.world.files / "site/newsletter/2026-04/newsletter.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("<!doctype html><title>x</title><p>x")
    command = [*COMMAND, "grade", str(episode.directory)]
    graded = subprocess.run(command, env={**os.environ, "PATH": ""}, capture_output=True, text=True, check=False)
    assert graded.returncode == 3
    assert "no browser" in graded.stdout
    assert "INVALID" in graded.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mcp"], "--task --episode is required"),
        (["mcp", "--task", "nope"], "no suite or task 'nope'"),
        (["mcp", "--task", TASK, "--server", "ocr"], "has no server 'ocr'"),
        (["mcp", "--episode", "."], "no episode in"),
        (["open", TASK, "--seed", "x"], "'x' is not a seed"),
        (["open", TASK, "--runs", "/proc/no"], "name another with --runs"),
        (["grade", "/"], "no episode in '/' (No such file or directory); open one"),
        (["gateway", "--operator-token", "abc"], "at least 16"),
        (["gateway", "--port", "99999"], "port 99999"),
        (["run", "--runs", "nowhere"], "there is no run in 'nowhere' to resume"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(yardkit: Run, arguments: list[str], says: str) -> None:
    done = yardkit(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert len(re.findall(r"^yardkit: ", done.stderr, re.MULTILINE)) == 1
    assert not done.stdout


def test_an_answer_file_that_cannot_be_read_is_misuse(yardkit: Run, tmp_path: Path) -> None:
    episode = open_new(TASK, 5, tmp_path / "runs")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    for name in ("bad.txt", "missing.txt", "."):
        done = yardkit("grade", str(episode.directory), "--answer-file", name)
        assert done.returncode == 2
        assert "answer file" in done.stderr
    assert not (episode.directory / "final").exists()
