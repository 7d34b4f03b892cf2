import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from PIL import Image
from support.commands import Run
from support.processes import COMMAND, exchange_messages, make_request, serve_http
from support.scale import select_drills

from yardkit.sandbox.serving.catalog import list_catalog
from yardkit.sandbox.serving.registry import chosen_offer, chosen_servers, list_groups, load_selections, server_names
from yardkit.world import Problem
from yardkit.world.extras import read_extras

HEAVY = {module for modules in read_extras().values() for module in modules}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "my files"
    folder.mkdir()
    (folder / "note.txt").write_text("hello from the workspace\n")
    return folder


@pytest.mark.parametrize("mode", ["auto", *select_drills("legacy")])
async def test_a_client_of_either_era_works_over_stdio(workspace: Path, mode: str) -> None:
    transport = StdioTransport(COMMAND[0], [*COMMAND[1:], "serve", "files", "--workspace", str(workspace)])
    async with Client(transport, mode=mode) as client:
        assert "read_file" in {tool.name for tool in await client.list_tools()}
        result = await client.call_tool("read_file", {"path": "note.txt"})
        assert "hello from the workspace" in result.content[0].text
        outside = await client.call_tool("read_file", {"path": "../x"}, raise_on_error=False)
        assert outside.is_error
        assert "outside the workspace" in outside.content[0].text


@pytest.mark.parametrize("mode", ["auto", *select_drills("legacy")])
async def test_a_client_of_either_era_works_over_http(workspace: Path, mode: str) -> None:
    with serve_http("files", "--workspace", str(workspace), cwd=workspace.parent) as (address, _):
        async with Client(address, mode=mode) as client:
            result = await client.call_tool("read_file", {"path": "note.txt"})
            assert "hello from the workspace" in result.content[0].text


async def test_all_serves_every_server_from_one_process(workspace: Path) -> None:
    transport = StdioTransport(COMMAND[0], [*COMMAND[1:], "serve", "all", "--workspace", str(workspace)])
    async with Client(transport) as client:
        served_tools = {tool.name for tool in await client.list_tools()}
        result = await client.call_tool("read_file", {"path": "note.txt"})
    own = [name for server in server_names() for name in await _tools_of(server)]
    assert len(own) == len(set(own)), "a tool name stands twice in the suite"
    assert served_tools == set(own)
    assert "hello from the workspace" in result.content[0].text


async def _tools_of(server: str) -> list[str]:
    from yardkit.sandbox.serving.registry import load_server

    async with Client(load_server(server)) as client:
        return [tool.name for tool in await client.list_tools()]


@pytest.mark.parametrize("servers", [["sheets"], *select_drills(["all"])])
async def test_a_dialect_is_served_under_its_names_only(workspace: Path, servers: list[str]) -> None:
    command = [*COMMAND[1:], "serve", *servers, "--workspace", str(workspace), "--dialect", "gta"]
    async with Client(StdioTransport(COMMAND[0], command)) as client:
        offered = {tool.name for tool in await client.list_tools()}
        table = {"filename": "t", "data_str": "[[1, 2]]", "output_dir": "out"}
        result = await client.call_tool("CsvFileGenerator", table)
    assert "CsvFileGenerator" in offered
    assert all(name[0].isupper() for name in offered)
    assert result.content[0].text == "out/t.csv"
    assert (workspace / "out" / "t.csv").read_text() == "1,2\n"


def test_an_unknown_dialect_is_said_before_anything_starts(yardkit: Run) -> None:
    done = yardkit("serve", "files", "--dialect", "klingon")
    assert done.returncode == 2
    assert "there is no dialect 'klingon'; dialects: gta" in done.stderr


def test_the_current_directory_is_the_workspace_unless_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "here.txt").write_text("found in the current directory")
    call = make_request(1, "tools/call", name="read_file", arguments={"path": "here.txt"})
    code, answer, errors = exchange_messages([*COMMAND, "serve", "files"], call, tmp_path)
    assert (code, errors.count("\n")) == (0, 1)
    assert "found in the current directory" in answer
    assert re.fullmatch(r"yardkit: \d+ tools, about [\d,]+ tokens in each request to a model\n", errors)


def test_lines_that_are_no_message_and_half_an_emoji_are_answered(tmp_path: Path) -> None:
    call = make_request(7, "tools/call", name="write_file", arguments={"path": "a.txt", "content": "half \ud83d emoji"})
    assert "\\ud83d" in call
    lines = "".join(f"\n{line}\n" for line in ("{", "[]", '{"jsonrpc": "2.0", "id": 9}'))
    answers = exchange_messages([*COMMAND, "serve", "files"], lines + call, tmp_path, answers=4)[1].splitlines()
    *refused, answer = sorted(map(json.loads, answers), key=lambda answer: "result" in answer)
    codes = {(refusal["error"]["code"], refusal["id"]) for refusal in refused}
    assert codes == {(-32700, None), (-32600, None), (-32600, 9)}
    assert (answer["id"], answer["result"]["isError"]) == (7, True)
    assert "content: character 6 is an unpaired surrogate" in answer["result"]["content"][0]["text"]
    assert list(tmp_path.iterdir()) == []


def test_a_group_is_all_its_servers_and_each_server_is_in_one() -> None:
    assert sorted(name for group in list_groups().values() for name in group) == list(server_names())
    assert not {*list_groups(), "all"} & set(server_names())
    assert chosen_servers(["logic", "files", "logic"]) == ["calculator", "prover", "solver", "files"]
    assert chosen_servers(["logic"], "gta") == ["calculator", "prover", "solver"]
    with pytest.raises(
        Problem, match=r"there is no server 'ofice'. Did you mean 'office'\?.* Groups: apps, code, logic"
    ):
        chosen_servers(["ofice"])


def test_single_tools_of_any_server_are_served(workspace: Path) -> None:
    only = ["serve", "--tools", "read_file, plot_series", "--workspace", str(workspace)]
    _, answer, errors = exchange_messages([*COMMAND, *only], make_request(1, "tools/list"), workspace)
    assert [tool["name"] for tool in json.loads(answer)["result"]["tools"]] == ["read_file", "plot_series"]
    assert errors.startswith("yardkit: 2 tools, about ")


def test_a_selection_is_the_tools_of_another_suite_in_its_words_and_order(workspace: Path) -> None:
    _, answer, errors = exchange_messages([*COMMAND, "serve", "gta-atomic"], make_request(1, "tools/list"), workspace)
    names = [tool["name"] for tool in json.loads(answer)["result"]["tools"]]
    assert (names[:3], len(names)) == (["Calculator", "GoogleSearch", "Plot"], 14)
    assert errors.startswith("yardkit: 14 tools, about ")


def test_the_tools_of_each_selection_are_there() -> None:
    for name, offer in load_selections().items():
        there = sorted(tool.name for entry in list_catalog([name]) for tool in entry.tools)
        assert there == sorted(offer.tools) or (there and not offer.tools), name


def test_a_server_of_another_suite_starts_by_its_name_there(workspace: Path) -> None:
    _, answer, _ = exchange_messages([*COMMAND, "serve", "snowflake"], make_request(1, "tools/list"), workspace)
    names = [tool["name"] for tool in json.loads(answer)["result"]["tools"]]
    assert (names[:2], len(names)) == (["list_databases", "list_schemas"], 14)


def test_selections_are_no_servers_and_each_speaks_its_dialect() -> None:
    assert not {*load_selections()} & {*server_names(), *list_groups()}
    sizes = {
        "gta-atomic": 14,
        "gta-workflow": 37,
        "emails": 25,
        "woocommerce": 55,
        "canvas": 69,
        "google-cloud": 39,
        "google_sheet": 19,
        "arxiv_local": 4,
    }
    assert sizes == {name: sum(len(entry.tools) for entry in list_catalog([name])) for name in sizes}


def test_selections_together_are_the_tools_of_all_unless_two_share_a_name() -> None:
    assert (chosen_offer(["word", "pptx"]).servers, chosen_offer(["word", "pptx"]).tools) == (
        ("documents", "slides"),
        (),
    )
    mixed = chosen_offer(["scholarly", "howtocook"])
    assert (mixed.servers, len(mixed.tools)) == (("papers", "recipes"), 7)
    with pytest.raises(Problem, match="'create_table' is a tool of sheets and of warehouse; serve"):
        chosen_offer(["excel", "snowflake"])


@pytest.mark.parametrize(
    ("names", "tools", "complaint"),
    [
        (["gta-atomic", "files"], [], "is offered alone"),
        (["gta-atomic"], ["VideoOCR"], "'VideoOCR' is not in gta-atomic"),
        (["gta-atomc"], [], "Did you mean 'gta-atomic'"),
    ],
)
def test_a_selection_stands_alone(names: list[str], tools: list[str], complaint: str) -> None:
    with pytest.raises(Problem, match=complaint):
        chosen_offer(names, "", tools)
    both = chosen_offer(["gta-atomic", "gta-workflow"])
    assert (both.dialect, len(both.tools)) == ("gta", 38)


def test_what_results_carry_is_set_by_option_or_environment(workspace: Path) -> None:
    call = make_request(1, "tools/call", name="read_file", arguments={"path": "note.txt"})

    def result(*options: str) -> dict[str, object]:
        return json.loads(exchange_messages([*COMMAND, "serve", "files", *options], call, workspace)[1])["result"]

    assert "structuredContent" not in result("--results", "text")
    structured = result("--results", "structured")
    assert structured["content"] == []
    assert structured["structuredContent"]["content"] == "hello from the workspace\n"


def test_a_tilde_is_the_home_directory_and_a_wrong_env_file_of_the_user_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "here.txt").write_text("found at home")
    (tmp_path / ".env").write_text("FASTMCP_LOG_LEVEL=not-a-level\nFASTMCP_PORT=not-a-port\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    call = make_request(1, "tools/call", name="read_file", arguments={"path": "here.txt"})
    code, answer, errors = exchange_messages([*COMMAND, "serve", "files", "--workspace", "~"], call, tmp_path)
    assert (code, errors.count("\n")) == (0, 1)
    assert "found at home" in answer


@pytest.mark.drill
def test_listing_the_whole_suite_imports_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from yardkit.__main__ import main; code = main(['serve', 'all']); "
        f"print(*sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr); sys.exit(code)"
    )
    exit_code, answer, loaded = exchange_messages([sys.executable, "-c", code], make_request(1, "tools/list"), tmp_path)
    assert exit_code == 0, loaded
    assert len(json.loads(answer)["result"]["tools"]) >= len(server_names())
    assert loaded.split() == []


CRASHING = """
import sys
from pathlib import Path
from dataclasses import dataclass
from yardkit.sandbox.serving.fastmcp_settings import quiet_fastmcp
quiet_fastmcp()
from yardkit.sandbox.serving.workspace_server import serve_stdio
from yardkit.kit.surface import make_server, tool
mcp = make_server("toy", "Crashes.")

@dataclass(frozen=True)
class Nothing:
    pass

@tool(mcp)
def crash_now() -> Nothing:
    print("a stray print")
    raise RuntimeError("the secret reason")

@tool(mcp)
def import_missing() -> Nothing:
    raise ModuleNotFoundError("No module named 'z3'", name="z3")

serve_stdio(mcp, Path(sys.argv[1]))
"""


def test_a_crash_is_masked_and_a_missing_package_names_its_extra(tmp_path: Path) -> None:
    script = tmp_path / "crashing.py"
    script.write_text(CRASHING)
    tools = enumerate(("crash_now", "import_missing"))
    requests = "".join(make_request(number, "tools/call", name=name, arguments={}) for number, name in tools)
    command = [sys.executable, str(script), str(tmp_path)]
    _, output, errors = exchange_messages(command, requests, tmp_path, answers=2)
    # Nothing but the protocol is on stdout.
    crash, missing = sorted(map(json.loads, output.splitlines()), key=lambda answer: answer["id"])
    assert crash["result"]["isError"] is True
    assert "secret" not in output
    assert errors.count("Traceback (most recent call last)") == 1
    assert errors.count("RuntimeError: the secret reason") == 1
    assert "a stray print" in errors
    assert missing["result"]["isError"] is True
    assert "pip install 'yardkit[prover]'" in missing["result"]["content"][0]["text"]


def test_http_refuses_foreign_hosts_and_origins(workspace: Path) -> None:
    with serve_http("files", "--workspace", str(workspace), cwd=workspace.parent) as (address, _):
        for header, status in ({"Host": "evil.example"}, 421), ({"Origin": "http://evil.example"}, 403):
            assert httpx2.post(address, json={}, headers=header, timeout=240).status_code == status


async def test_http_with_a_token_answers_only_to_its_bearer(workspace: Path) -> None:
    with serve_http("files", "--workspace", str(workspace), cwd=workspace.parent, YARDKIT_TOKEN="s3cret") as (
        address,
        _,
    ):
        for headers in {}, {"Authorization": "Bearer wrong"}, {"Authorization": "s3cret"}:
            answer = httpx2.post(address, json={}, headers=headers, timeout=240)
            assert (answer.status_code, "read_file" in answer.text) == (401, False)
        async with Client(address, auth="s3cret") as client:
            assert await client.list_tools()


@pytest.mark.drill
async def test_another_host_is_served_with_a_token(workspace: Path) -> None:
    arguments = ("files", "--workspace", str(workspace), "--host", "0.0.0.0", "--token", "s3cret")
    with serve_http(*arguments, cwd=workspace.parent) as (address, _):
        async with Client(address.replace("0.0.0.0", "127.0.0.1"), auth="s3cret") as client:
            assert await client.list_tools()


def test_a_port_in_use_is_one_line(yardkit: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = yardkit("serve", "files", "--http", "--port", str(taken.getsockname()[1]))
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "choose another --port" in result.stderr


@pytest.mark.drill
def test_ctrl_c_ends_a_server_quietly(workspace: Path) -> None:
    with serve_http("files", cwd=workspace) as (_, process):
        process.send_signal(signal.SIGINT)
        assert process.wait(240) == 130
        assert process.stderr is not None
        assert process.stderr.read().count("\n") == 1


@pytest.mark.drill
def test_ctrl_c_ends_a_stdio_server_quietly(workspace: Path) -> None:
    command = [*COMMAND, "serve", "files"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, cwd=workspace, **pipes) as process:
        process.stdin.write(make_request(1, "tools/list"))
        process.stdin.flush()
        assert "read_file" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(240) == 130
        assert process.stderr.read().count("\n") == 1


BARE = """
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = classmethod(
    lambda cls, name, path=None, target=None: None if name in {hidden!r} else find(name, path, target)
)
"""


async def test_without_any_extra_all_tools_are_listed_and_a_call_names_the_extra(workspace: Path) -> None:
    (workspace / "sitecustomize.py").write_text(BARE.format(hidden=HEAVY))
    Image.new("RGB", (60, 20), "white").save(workspace / "scan.png")
    arguments = [*COMMAND[1:], "serve", "all", "--workspace", str(workspace)]
    transport = StdioTransport(COMMAND[0], arguments, env={"PYTHONPATH": str(workspace)})
    async with Client(transport) as client:
        assert len(await client.list_tools()) == len([t for s in server_names() for t in await _tools_of(s)])
        call = await client.call_tool("read_image_text", {"path": "scan.png"}, raise_on_error=False)
        assert call.is_error
        assert "pip install 'yardkit[ocr]'" in call.content[0].text
