import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.agents import LIST_AND_WRITE, command_of

from yardkit.sandbox.agents import Outcome, Transcript, make_agent
from yardkit.sandbox.episodes.episode import Episode

Work = Callable[..., Outcome]


@pytest.fixture
def work(episode: Episode, tmp_path: Path) -> Work:
    """Let a program work on the episode."""

    def run(source: str, *words: str, time_limit_s: float = 240, **settings: str) -> Outcome:
        agent = make_agent(command_of(tmp_path, source, *words), settings)
        with Transcript(tmp_path / "transcript.jsonl") as transcript:
            return agent.run(episode, transcript, time_limit_s)

    return run


def left_running(mark: str) -> list[int]:
    """Processes that have `mark` in their command line."""
    leftover_processes = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (entry / "cmdline").read_bytes() and int(entry.name) != os.getpid():
                leftover_processes.append(int(entry.name))
        except OSError:
            continue
    return leftover_processes


@pytest.mark.parametrize("config", ["{mcp_config}", "{mcp_stdio_config}"])
def test_a_program_connects_with_the_servers_file_and_its_calls_are_recorded(
    work: Work, episode: Episode, config: str
) -> None:
    outcome = work(LIST_AND_WRITE, config)
    assert (outcome.stop, outcome.detail) == ("done", "")
    assert outcome.answer.endswith("tools")
    assert (episode.world.files / "made.txt").read_text() == "by an agent"
    assert [call.tool for call in episode.ledger.calls] == ["write_file"]


def test_everything_a_program_needs_is_in_its_environment_and_placeholders(work: Work, episode: Episode) -> None:
    source = """
import json, os, sys
names = ("MCP_CONFIG", "PROMPT_FILE", "WORKSPACE", "ANSWER_FILE", "MCP_URL", "MCP_TOKEN", "MCP_STDIO_CONFIG")
told = {name: os.environ["YARDKIT_" + name] for name in names}
print(json.dumps([told, sys.argv[1:], sys.stdin.read(), open(told["PROMPT_FILE"]).read(), os.getcwd()]))
"""
    outcome = work(source, "{prompt}", "{workspace}", '{"json": {}}')
    environment, words, stdin, prompt, cwd = json.loads(outcome.answer)
    assert words == [episode.prompt, environment["WORKSPACE"], '{"json": {}}']
    assert stdin.strip() == prompt.strip() == episode.prompt
    assert Path(environment["WORKSPACE"]) == episode.world.files
    assert cwd == str(Path(environment["MCP_CONFIG"]).parent)
    assert not Path(cwd).exists()
    assert episode.exposed


def test_the_answer_file_goes_before_the_output(work: Work) -> None:
    source = "import os; print('chatter'); open(os.environ['YARDKIT_ANSWER_FILE'], 'w').write('42\\n')"
    assert work(source).answer == "42"
    link = "import os; print('chatter'); os.symlink('/etc/passwd', os.environ['YARDKIT_ANSWER_FILE'])"
    assert work(link).answer == "chatter"


def test_the_operators_own_settings_stay_hidden(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YARDKIT_OPERATOR_TOKEN", "top secret")
    monkeypatch.setenv("MODEL_KEY", "for the agent")
    outcome = work("import os; print(os.environ.get('YARDKIT_OPERATOR_TOKEN'), os.environ['MODEL_KEY'])")
    assert outcome.answer == "None for the agent"


def test_settings_choose_the_directory_and_the_input(work: Work, episode: Episode) -> None:
    outcome = work("import os, sys; print(os.getcwd(), sys.stdin.read())", cwd="workspace", stdin="empty")
    assert outcome.answer == str(episode.world.files)


def test_a_program_that_hangs_is_killed_with_its_children(work: Work) -> None:
    source = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)  # child-of-the-hanging-agent"])
print("half an answer", flush=True)
time.sleep(600)
"""
    outcome = work(source, time_limit_s=5)
    assert (outcome.stop, outcome.answer) == ("time_limit", "half an answer")
    assert left_running("child-of-the-hanging-agent") == []


def test_a_daemon_that_left_its_session_does_not_outlive_the_run(work: Work) -> None:
    source = """
import subprocess, sys
code = "import time; time.sleep(600)  # daemon-of-the-agent"
subprocess.Popen(["env", "-i", "setsid", sys.executable, "-c", code], start_new_session=True)
double = f"import os, subprocess, sys; os.fork() or subprocess.Popen([sys.executable, '-c', {code!r}])"
subprocess.run([sys.executable, "-c", double], env={}, start_new_session=True)
print("gone")
"""
    outcome = work(source)
    assert (outcome.stop, outcome.answer) == ("done", "gone")
    assert left_running("daemon-of-the-agent") == []


@pytest.mark.parametrize(
    ("source", "detail"),
    [
        ("print('so far'); raise SystemExit(3)", "exit status 3"),
        ("print('so far', flush=True); import os; os.kill(os.getpid(), 11)", "signal 11"),
        ("print('so far', flush=True); 1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_program_that_dies_is_recorded_with_what_it_said(work: Work, source: str, detail: str) -> None:
    outcome = work(source)
    assert (outcome.stop, outcome.answer) == ("crashed", "so far")
    assert detail in outcome.detail


def test_a_program_that_never_stops_talking_is_kept_to_a_limit(work: Work, tmp_path: Path) -> None:
    outcome = work("import sys\nfor _ in range(300): sys.stdout.write('x' * 100_000)")
    assert outcome.stop == "done"
    assert len(outcome.answer) == 1_000_000
    assert (tmp_path / "transcript.jsonl").stat().st_size < 2_000_000


def test_the_endpoint_lets_nobody_in_without_the_token(work: Work) -> None:
    source = """
import httpx2, os
url = os.environ["YARDKIT_MCP_URL"]
body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
print([httpx2.post(url, json=body, headers=headers).status_code
       for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer \\u00e9".encode("latin-1")})])
""".replace('"Bearer \\u00e9".encode("latin-1")', 'b"Bearer \\xe9"')
    assert work(source).answer == "[401, 401, 401]"
