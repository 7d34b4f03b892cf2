import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.processes import KEY_CALLS
from support.walls import OPENS_SETTINGS

import yardkit
from yardkit.sandbox.agents import Transcript, make_agent
from yardkit.sandbox.episodes.episode import Episode
from yardkit.world import Problem

Probe = Callable[..., Any]

_PROBE = """
import json, os, pathlib, socket, sys, urllib.request
def reach(host, port):
    try:
        with socket.create_connection((host, port), timeout=3) as link:
            link.sendall(b"ping")
            return link.recv(9).decode()
    except OSError as error:
        return type(error).__name__
def listed(path):
    try:
        return sorted(os.listdir(path))
    except OSError as error:
        return type(error).__name__
def called(tool, **arguments):
    config = json.load(open(os.environ["YARDKIT_MCP_CONFIG"]))["mcpServers"]["yardkit"]
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool, **config["headers"]}
    with urllib.request.urlopen(urllib.request.Request(config["url"], body, headers), timeout=240) as answer:
        return answer.status
"""


@pytest.fixture
def probe(episode: Episode, tmp_path: Path) -> Probe:
    """What an agent in a jail finds: the value of an expression."""
    folder = tmp_path / "agent"
    folder.mkdir()

    def run(expression: str, *words: str, **settings: str) -> Any:
        (folder / "agent.py").write_text(f"{_PROBE}\nprint(json.dumps({expression}))")
        line = f"command:python3 {folder / 'agent.py'} {' '.join(words)}"
        agent = make_agent(line, {"jail": "on", "show": str(folder), **settings})
        with Transcript(tmp_path / "transcript.jsonl") as transcript:
            outcome = agent.run(episode, transcript, 60)
        assert outcome.stop == "done", outcome.detail
        return json.loads(outcome.answer)

    return run


@pytest.fixture
def listener() -> Iterator[int]:
    """The port of somebody on this machine who answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    client.sendall(b"re:" + client.recv(9))

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def test_it_works_on_its_episode_and_reaches_nothing_else(probe: Probe, episode: Episode, listener: int) -> None:
    probe_results = probe(
        f"[called('write_file', path='made.txt', content='x'), reach('127.0.0.1', {listener}), "
        "reach('192.0.2.1', 80), reach('example.com', 443)]"
    )
    assert probe_results == [200, "ConnectionRefusedError", "OSError", "gaierror"]
    assert (episode.world.files / "made.txt").read_text() == "x"
    assert [call.tool for call in episode.ledger.calls] == ["write_file"]


def test_it_reaches_the_endpoints_that_are_named_by_their_names(probe: Probe, listener: int) -> None:
    endpoint = f"http://localhost:{listener}/v1,https://model.invalid"
    probe_results = probe(f"[reach('localhost', {listener}), reach('model.invalid', 443)]", endpoint=endpoint)
    assert probe_results[0] == "re:ping"
    assert probe_results[1] in ("", "ConnectionResetError")  # somebody listens there; the name leads nowhere outside


def test_it_sees_its_own_folder_and_the_system_and_nothing_of_ours(
    probe: Probe, episode: Episode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_KEY", "for the agent")
    monkeypatch.setenv("ANOTHER_KEY", "for nobody")
    package, home, python = Path(yardkit.__file__).resolve().parent, Path.home(), Path(sys.base_prefix).resolve()
    probe_results = probe(
        f"[listed('.'), listed({str(package)!r}), listed({str(Path.home())!r}), listed({str(episode.directory)!r}), "
        "bool(listed('/usr/lib')), os.getcwd() == os.environ['HOME'], "
        "sorted(name for name in os.environ if 'KEY' in name or 'WORKSPACE' in name), "
        "len([entry for entry in os.listdir('/proc') if entry.isdigit()]) < 8]",
        pass_on="MODEL_KEY",
    )
    # The interpreter that passes on between the networks may lie in our home; nothing else of it is there.
    at_home = [python.relative_to(home).parts[0]] if python.is_relative_to(home) else "FileNotFoundError"
    nothing = "FileNotFoundError"
    assert probe_results == [["mcp.json", "prompt.md"], nothing, at_home, nothing, True, True, ["MODEL_KEY"], True]
    assert not episode.exposed


def test_it_reaches_no_key_of_the_kernel_where_another_agent_could_find_what_it_left(probe: Probe) -> None:
    probe_results = probe(
        f"[__import__('ctypes').CDLL(None).syscall(number, 0, -3, 1, 0, 0) for number in {list(KEY_CALLS)}]",
    )
    assert probe_results == [-1, -1, -1]


def test_it_cannot_change_the_settings_of_the_kernel_and_is_not_root(probe: Probe) -> None:
    opened, user = probe(f"(lambda names: (exec({OPENS_SETTINGS!r}, names), [names['found'], os.getuid()])[1])({{}})")
    assert opened == []
    assert user != 0


def test_it_can_neither_make_namespaces_nor_rings_of_calls(probe: Probe) -> None:
    calls = "[lib.unshare(0x10000000), lib.syscall(425, 1, 0), lib.syscall(435, 0, 0)]"
    assert probe(f"(lambda lib: {calls})(__import__('ctypes').CDLL(None))") == [-1, -1, -1]


def test_the_workspace_is_there_for_who_asks_for_it_and_nothing_beside_it(probe: Probe, episode: Episode) -> None:
    expression = "[open(sys.argv[1] + '/by_hand.txt', 'w').write('x'), listed(sys.argv[1] + '/../..')]"
    assert probe(expression, "{workspace}") == [1, ["world"]]
    assert (episode.world.files / "by_hand.txt").read_text() == "x"
    assert episode.exposed
    assert probe("os.getcwd()", cwd="workspace") == str(episode.world.files)


@pytest.mark.parametrize(
    ("line", "settings", "says"),
    [
        ("python3 {mcp_stdio_config}", {"jail": "on"}, "sees none of Yardkit's programs"),
        ("python3", {"show": "/opt"}, "add --agent-jail"),
        ("python3", {"jail": "on", "show": "/no/such"}, "no such file or folder"),
        ("python3", {"jail": "on", "show": "/"}, "the entire machine"),
        ("python3", {"jail": "on", "endpoint": "http://10.0.0.1"}, "with a host name"),
    ],
)
def test_wrong_settings_are_refused(line: str, settings: dict[str, str], says: str) -> None:
    with pytest.raises(Problem, match=says):
        make_agent(f"command:{line}", settings)


def test_a_program_that_the_jail_does_not_show_is_told(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "elsewhere"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(Problem, match="is in no folder"):
        make_agent(f"command:{program}", {"jail": "on"})
    assert make_agent("command:elsewhere", {"jail": "on", "show": str(tmp_path)})
