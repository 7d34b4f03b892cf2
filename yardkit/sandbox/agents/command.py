"""Any external agent: a program that gets the prompt and the MCP servers; its work is graded when it exits."""

import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from yardkit.programs.command import Ended, run_program
from yardkit.sandbox.agents.agent import MAX_ANSWER, Outcome, Review, Transcript
from yardkit.sandbox.agents.agent_jail import AgentJail
from yardkit.sandbox.agents.bridge import TOKEN, URL
from yardkit.sandbox.agents.endpoint import serve_episode
from yardkit.sandbox.agents.settings import parse_settings
from yardkit.sandbox.episodes.episode import Episode
from yardkit.world import Problem, save_text

_MAX_OUTPUT_TEXT = 20_000
_AGAIN = """\
{prompt}

---
You have worked on this before; the workspace is as you left it. Your answer was:

{answer}

{feedback}"""


@dataclass(frozen=True)
class CommandSettings:
    """Settings of ``command:``.

    Attributes:
        stdin: ``prompt`` also passes the prompt on standard input; ``empty`` passes nothing.
        cwd: the program's working directory: its ``scratch`` folder, or the ``workspace``, where every file that it
            leaves counts as its work.
        own_ids: whether it has process ids of its own where this machine allows it, so that it cannot kill who watches
            it. As an ordinary user, `no` lets it use sudo and rootless containers.
        jail: whether it runs in a sandbox (`yardkit.sandbox.agents.agent_jail`).
        endpoint: in the jail, the addresses of the model's service, separated by commas.
        show: in the jail, folders that it sees read-only, such as the one with its own program.
        pass_on: in the jail, environment variables that it gets, such as the key of the service.
    """

    stdin: Literal["prompt", "empty"] = "prompt"
    cwd: Literal["scratch", "workspace"] = "scratch"
    own_ids: bool = True
    jail: bool = False
    endpoint: str = ""
    show: str = ""
    pass_on: str = ""

    def make_walls(self) -> AgentJail | None:
        """Make the jail, if the settings ask for one.

        Raises:
            Problem: a setting is wrong, or has no effect without a jail.
        """
        if self.jail:
            return AgentJail.from_settings(self.endpoint, self.show, self.pass_on)
        for name in ("endpoint", "show", "pass_on"):
            if getattr(self, name):
                raise Problem(f"the setting {name!r} applies to sandboxed agents only; add --agent-jail")
        return None


@dataclass(frozen=True)
class CommandAgent:
    """Runs a command line with ``{mcp_config}``, ``{mcp_stdio_config}``, ``{mcp_url}``, ``{mcp_token}``, ``{prompt}``,
    ``{prompt_file}``, ``{workspace}`` and ``{answer_file}`` filled in. All of them except the prompt are also in its
    environment, as ``YARDKIT_MCP_CONFIG`` and so on.

    Its final answer is the text of the answer file, else its standard output.
    """

    words: tuple[str, ...]
    settings: CommandSettings

    @classmethod
    def from_settings(cls, line: str, given: Mapping[str, str]) -> "CommandAgent":
        """Split the command line as a shell would; no shell runs it.

        Raises:
            Problem: it cannot be split, or the program does not exist.
        """
        try:
            words = tuple(shlex.split(line))
        except ValueError as error:
            raise Problem(f"the command {line!r} cannot be read ({error}); check its quotes") from error
        if not words:
            raise Problem('command: is empty; write for example command:"my-agent --mcp-config {mcp_config}"')
        settings = parse_settings(CommandSettings, "command", given)
        walls = settings.make_walls()
        if walls is not None:
            walls.program(words[0])
            if any("{mcp_stdio_config}" in word for word in words):
                raise Problem("a sandboxed agent sees none of Yardkit's programs; let it connect with {mcp_config}")
        elif shutil.which(words[0]) is None:
            raise Problem(f"the program {words[0]!r} of the agent command is not found; give its full path")
        return cls(words, settings)

    def run(self, episode: Episode, transcript: Transcript, time_limit_s: float) -> Outcome:
        return self._run_once(episode, episode.prompt, transcript, time_limit_s)

    def run_reviewed(self, episode: Episode, transcript: Transcript, time_limit_s: float, review: Review) -> Outcome:
        """Start the program again after each delivery, in the world as it left it, with its answer and the feedback."""
        prompt, left = episode.prompt, time_limit_s
        while True:
            started = time.monotonic()
            outcome = self._run_once(episode, prompt, transcript, left)
            left -= time.monotonic() - started
            words = review(outcome.answer) if outcome.stop == "done" else ""
            if not words:
                return outcome
            if left <= 0:
                return replace(outcome, stop="time_limit", detail=f"no time is left of {time_limit_s:g} s for feedback")
            prompt = _AGAIN.format(prompt=episode.prompt, answer=outcome.answer or "(none)", feedback=words)

    def _run_once(self, episode: Episode, prompt: str, transcript: Transcript, time_limit_s: float) -> Outcome:
        transcript.add("user", prompt)
        scratch = Path(tempfile.mkdtemp(prefix="yardkit-agent-"))
        try:
            with serve_episode(episode) as url:
                jailed = self.settings.jail
                handed = _hand_over(episode, url, scratch, jailed=jailed, workspace=self._gets_workspace())
                save_text(scratch / "prompt.md", prompt + "\n")
                ended = self._start_program(prompt, handed, scratch, time_limit_s)
            for name, text in (("stdout", ended.stdout), ("stderr", ended.stderr)):
                transcript.add("event", text[:_MAX_OUTPUT_TEXT], name=name, characters=len(text))
            outcome = _make_outcome(ended, scratch / "answer.txt", time_limit_s)
        except OSError as error:
            outcome = Outcome(stop="crashed", detail=f"the command cannot be started: {error}")
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        transcript.add("assistant", outcome.answer, stop=outcome.stop)
        return outcome

    def _gets_workspace(self) -> bool:
        """Whether the agent gets the workspace; in a jail, only if it asks for it."""
        asks = self.settings.cwd == "workspace" or any("{workspace}" in word for word in self.words)
        return asks or not self.settings.jail

    def _start_program(self, prompt: str, handed: Mapping[str, str], scratch: Path, time_limit_s: float) -> Ended:
        command = [_fill_word(word, {**handed, "prompt": prompt}) for word in self.words]
        environment_values = {f"YARDKIT_{name.upper()}": value for name, value in handed.items()}
        # The operator's settings for Yardkit, which include tokens, must not reach the agent.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("YARDKIT_")}
        environment, walls = {**inherited, **environment_values}, self.settings.make_walls()
        cwd = scratch if self.settings.cwd == "scratch" else Path(handed["workspace"])
        with ExitStack() as stack:
            if walls is not None:
                command[0] = walls.program(command[0])
                writable = [scratch, *(Path(handed[name]) for name in ("workspace",) if name in handed)]
                command = stack.enter_context(walls.wrap_command(command, cwd, writable, handed["mcp_url"]))
                environment = walls.build_environment(scratch, environment_values)
            return run_program(
                command,
                cwd=cwd,
                environment=environment,
                given=Path(handed["prompt_file"]) if self.settings.stdin == "prompt" else Path(os.devnull),
                whole_tree=True,
                own_ids=self.settings.own_ids,
                limit_s=time_limit_s,
            )


def _hand_over(episode: Episode, url: str, scratch: Path, *, jailed: bool, workspace: bool) -> dict[str, str]:
    """Write the files for the agent; return the values for its command line and environment, by name."""
    http = {"type": "http", "url": url, "headers": {"Authorization": f"Bearer {episode.token}"}}
    _write_servers(scratch / "mcp.json", http)
    handed = {
        "mcp_config": str(scratch / "mcp.json"),
        "mcp_url": url,
        "mcp_token": episode.token,
        "prompt_file": str(scratch / "prompt.md"),
        "answer_file": str(scratch / "answer.txt"),
    }
    if not jailed:
        bridge = {
            "command": sys.executable,
            "args": ["-m", "yardkit.sandbox.agents.bridge"],
            "env": {URL: url, TOKEN: episode.token},
        }
        _write_servers(scratch / "mcp_stdio.json", bridge)
        handed["mcp_stdio_config"] = str(scratch / "mcp_stdio.json")
    if workspace:
        handed["workspace"] = str(episode.workspace)
    return handed


def _write_servers(path: Path, server: Mapping[str, Any]) -> None:
    save_text(path, json.dumps({"mcpServers": {"yardkit": server}}, indent=2) + "\n")
    # It contains the episode's token.
    path.chmod(0o600)


def _fill_word(word: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _make_outcome(ended: Ended, answer_file: Path, time_limit_s: float) -> Outcome:
    answer = _written_answer(answer_file) or ended.stdout.strip()[:MAX_ANSWER]
    if ended.timed_out:
        return Outcome(answer, "time_limit", f"killed after {time_limit_s:g} s")
    if ended.exit_code:
        how = f"signal {-ended.exit_code}" if ended.exit_code < 0 else f"exit status {ended.exit_code}"
        last_words = ended.stderr.strip()[-500:]
        return Outcome(answer, "crashed", f"the command ended with {how}" + (f": {last_words}" if last_words else ""))
    return Outcome(answer)


def _written_answer(path: Path) -> str:
    """Read the answer file; empty if there is none. A pipe or a link to another place is not read."""
    with suppress(OSError):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as handle:
                # A character has at most four bytes in UTF-8.
                return handle.read(4 * MAX_ANSWER).decode("utf-8", "replace").strip()[:MAX_ANSWER]
    return ""
