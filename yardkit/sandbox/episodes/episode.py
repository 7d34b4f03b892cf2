"""An episode: a seeded world, the calls of one agent on it, and its grade."""

import asyncio
import json
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from anyio import CancelScope, to_thread
from fastmcp.exceptions import FastMCPError, NotFoundError, ToolError
from fastmcp.tools import ToolResult

from yardkit.evaluators.scoring import Grade
from yardkit.sandbox.episodes.deadlines import run_within_deadline
from yardkit.sandbox.episodes.distractors import with_distractors, with_servers
from yardkit.sandbox.episodes.folders import make_episode_folder
from yardkit.sandbox.episodes.grading import HandedIn, grade_submission, judge_submission
from yardkit.sandbox.episodes.ids import ALL, Share
from yardkit.sandbox.episodes.ledger import Call, Ledger, data_of, encode_canonical, is_media, text_of
from yardkit.sandbox.episodes.outcomes import outcome_of
from yardkit.sandbox.episodes.recorded_arguments import MAX_RECORDED_ARGUMENTS, shorten_arguments
from yardkit.sandbox.episodes.replies import Reply, ToolAgent
from yardkit.sandbox.episodes.states import States
from yardkit.sandbox.episodes.toolset import build_toolset, current_episode
from yardkit.sandbox.tasks.seeding import Seeded, TruthAgain, seed_task
from yardkit.sandbox.tasks.suites import find_task
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem, World, reason_of, remove_world, save_text, skip_syncing, use_world
from yardkit.world.guard import Changes, Quota, Running, use_guard
from yardkit.world.hashing import TreeHasher
from yardkit.world.world import machine_time

Result = TypeVar("Result")

EXPOSED = "exposed"
"""Marker file in an episode's directory: its workspace path was handed out."""
MAX_TOOL_NAME = 200
"""Characters of the name of a tool that is called; no tool's own is as long."""
MAX_STATE_BYTES = 8_000_000_000
"""Bytes that the states kept for forking may take for one episode; later states are not kept."""


@dataclass
class Episode:
    """One attempt at one instance of a task.

    Attributes:
        id: names the episode in addresses and folders.
        token: the token that a client must send to work on it.
        directory: ``world/``, ``ledger.jsonl``, ``media/``, ``states/``; after grading ``final/``, ``grade.json``.
        exposed: the workspace path was handed out, so files may also change without a call.
        closed: no call is taken any more.
        opened: when, ISO 8601, wall clock.
        inherited: the first so many calls were taken over from the episode that this one was forked from.
        family: the episode that was opened, of which this one is a fork or itself.
    """

    id: str
    token: str
    task: Task
    seed: int
    directory: Path
    seeded: Seeded
    ledger: Ledger
    exposed: bool = False
    closed: bool = False
    opened: str = ""
    inherited: int = 0
    family: str = ""
    _state: str = field(default="", repr=False)
    _looked: bool = field(default=False, repr=False)
    _hasher: TreeHasher = field(init=False, repr=False)
    _quota: Quota = field(init=False, repr=False)
    _apps_quota: Quota = field(init=False, repr=False)
    _changes: Changes = field(default_factory=Changes, repr=False)
    _states: States = field(init=False, repr=False)
    _running: Running | None = field(default=None, repr=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    _thread_turn: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self.family = self.family or self.id
        self._quota = Quota(self.world.files, tracked=not self.exposed)
        self._states = States(self.directory / "states", MAX_STATE_BYTES)
        self._apps_quota = Quota.of_apps(self.world.root / "apps")
        self._hasher = TreeHasher(replaced=not self.exposed)

    @property
    def world(self) -> World:
        return self.seeded.world

    @property
    def prompt(self) -> str:
        return self.seeded.prompt

    @property
    def workspace(self) -> Path:
        """The agent's folder, for agents that work on files directly. Asking for it marks the episode as exposed."""
        if not self.exposed:
            self.exposed = True
            self._hasher, self._quota.tracked = TreeHasher(), False
            (self.directory / EXPOSED).touch()
        return self.world.files

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Call a tool as an agent would, from blocking code. A tool error is a reply, not an exception."""
        with self._thread_turn:
            return asyncio.run(self.call_async(tool, arguments))

    async def call_async(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool from asynchronous code."""
        token = current_episode.set(self)
        try:
            result = await build_toolset(self.task).call_tool(tool, dict(arguments))
        except (FastMCPError, NotFoundError) as error:
            return Reply(str(error), {}, is_error=True, result=None)
        finally:
            current_episode.reset(token)
        return Reply(
            text_of(result.content), data_of(result.content, result.structured_content), is_error=False, result=result
        )

    async def tools(self) -> list[dict[str, Any]]:
        """The tools that this episode's agent sees, as in MCP ``tools/list``."""
        token = current_episode.set(self)
        try:
            listed = await build_toolset(self.task).list_tools()
        finally:
            current_episode.reset(token)
        return [tool.to_mcp_tool().model_dump(by_alias=True, exclude_none=True, mode="json") for tool in listed]

    def state_hash(self) -> str:
        """The digest of the world in its current state."""
        self._hasher.mark_changed(self._changes.take_noted())
        state = self.world.state_hash(self._hasher)
        for quota in (self._quota, self._apps_quota):
            folder = self._hasher.get_last_scan(quota.files)
            if folder is not None:
                quota.set_usage(folder.count, folder.size)
        return state

    async def in_turn(self, work: Callable[[], Result]) -> Result:
        """Run blocking `work` on this episode in a separate thread, to its end, while no call is running."""
        async with self._turn:
            return await _run_unbroken(work)

    async def _state_now(self) -> str:
        """The state hash; if only calls can have changed the world, the one after the last call."""
        if self.exposed or not self._state:
            await _run_unbroken(self._find_state)
        return self._state

    def _find_state(self) -> None:
        self._state = self.state_hash()
        if not self.ledger.calls and not self.exposed:  # graders compare with it, and forks begin there
            self._keep_state()

    def look(self) -> None:
        """Find the changes of the running call, and keep the resulting state."""
        before, self._state = self._state, self.state_hash()
        if self._state != before or self.exposed:
            self._keep_state()
        self._looked = True

    async def record(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        run: Callable[[], Awaitable[ToolResult]],
        *,
        reads_only: bool = False,
    ) -> ToolResult:
        """Run one call in its turn on this episode's world and write it into the ledger, whatever comes of it.

        After a tool that `reads_only`, the world is checked only if a change was noted anyway.
        """
        async with self._turn:
            self.closed = self.closed or (self.directory / "final").exists()  # graded by another process
            if self.closed:
                raise ToolError("the episode is over; nothing can be changed now")
            if excess := self.ledger.find_excess():
                raise ToolError(f"the episode takes no more calls: {excess}; finish with what is done")
            arrived, before = machine_time().isoformat(), await self._state_now()
            self._looked = reads_only and not self.exposed
            started = time.perf_counter()
            result: ToolResult | None = None
            error: BaseException | None = None
            try:
                with use_world(self.world), use_guard(self._quota, self._apps_quota, changes=self._changes):
                    self._running = Running(self.family)
                    result = await run_within_deadline(self._running, tool, run)
                return result
            except BaseException as caught:
                error = caught
                raise
            finally:
                self._running = None
                latency_ms = round(1000 * (time.perf_counter() - started), 3)
                self._looked = self._looked and not self._changes
                write = partial(self._write_call, server, tool, arguments, result, error, arrived, latency_ms, before)
                if self._looked and not any(is_media(block) for block in (result.content if result else ())):
                    write()  # one line of the ledger; handing it to a thread would take longer
                else:
                    await _run_unbroken(write)
                # The error knows this frame: in a circle they would hold the arguments until a full collection.
                error = None
                del write

    def end_call(self) -> None:
        """Revoke access and end the running call, if there is one, with all programs that work for it."""
        self.closed = True
        running = self._running
        if running is not None:
            running.end("the episode is over; the call was ended")

    def _write_call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        result: ToolResult | None,
        error: BaseException | None,
        arrived: str,
        latency_ms: float,
        before: str,
    ) -> None:
        if not self._looked:
            self.look()
        encoded = encode_canonical(arguments)
        self._append_call(
            Call(
                number=len(self.ledger.calls) + 1,
                time=arrived,
                server=server,
                tool=tool[:MAX_TOOL_NAME],
                arguments=arguments
                if len(encoded) <= MAX_RECORDED_ARGUMENTS
                else shorten_arguments(arguments, encoded),
                latency_ms=latency_ms,
                bytes_in=len(encoded),
                state_before=before,
                state_after=self._state,
                **vars(outcome_of(result, error, self.ledger)),
            )
        )

    def _append_call(self, call: Call) -> None:
        try:
            self.ledger.append(call)
        except OSError as error:
            idle = call.state_after == call.state_before
            done = "nothing was changed, and the call" if idle else "the call was made, but"
            raise ToolError(f"{done} cannot be recorded: {reason_of(error)}; free disk space") from error

    def _keep_state(self) -> None:
        """Keep the current world under its hash, so that the episode can be forked at this call.

        It is not kept if the disk or the episode's share of it, `MAX_STATE_BYTES`, is full.
        """
        seen = {path: self._hasher.get_last_scan(path) for path in (self.world.files, self.world.root / "apps")}
        folders = {path: folder for path, folder in seen.items() if folder is not None}
        self._states.keep(self._state, folders, linked=not self.exposed)

    def fork(self, runs: Path | None = None, *, at_call: int | None = None, share: Share = ALL) -> "Episode":
        """Make a new episode, of the `share`, that continues from here or from after call `at_call` (0: the start).

        Raises:
            Problem: the call does not exist, or the state after it was not kept.
        """
        calls = len(self.ledger.calls)
        done = calls if at_call is None else at_call
        if not 0 <= done <= calls:
            raise Problem(f"there is no call {done}; the episode has {calls} calls")
        # An exposed workspace may have changed since its last call.
        here = done == calls and (at_call is None or not calls or not self.exposed)
        with make_episode_folder(runs or self.directory.parent, share) as directory:
            copy = partial(_copy_world, self.world, self.exposed) if here else partial(self._restore_world, done)
            seeded = replace(self.seeded, world=copy(directory / "world"))
            origin = {"forked_from": self.id, "family": self.family, "at_call": done}
            forked = _make_episode(self.task, self.seed, directory, seeded, origin)
            forked.ledger = self.ledger.share_calls(done, directory)
        return forked

    def _restore_world(self, done: int, target: Path) -> World:
        """Restore the world at `target` to its state after call `done`."""
        calls = self.ledger.calls
        state = calls[done - 1].state_after if done else calls[0].state_before
        if state in self._states:
            return self._states.restore(state, self.world, target, linked=not self.exposed)
        with tempfile.TemporaryDirectory(dir=self.directory) as scratch:
            beginning = seed_task(self.task, self.seed, Path(scratch) / "world").world
            if beginning.state_hash() != state:
                raise Problem(f"the state after call {done} was not kept; fork at a later call")
            return beginning.fork(target)

    def grade(self, answer: str = "") -> Grade:
        """Revoke access, freeze the world, and let the evaluators judge the frozen copy in a separate process.

        The same episode can be graded again, for example after an evaluator was fixed; the frozen world stays
        unchanged.

        Raises:
            Problem: the disk is full; once there is space, the episode can be graded.
        """
        self.end_call()
        with self._thread_turn:
            try:
                return self._grade_answer(answer)
            except OSError as error:
                raise Problem(
                    f"the episode is not graded yet: {reason_of(error)}; free disk space, then grade"
                ) from error

    def grade_so_far(self, answer: str = "") -> Grade:
        """Grade the current world; the episode continues. No call may be running.

        Raises:
            Problem: the disk is full.
        """
        with self._thread_turn:
            final = self.directory / "so_far"
            try:
                if final.exists():
                    remove_world(final)
                with skip_syncing():
                    self.world.freeze(final)
                return self._judge_frozen(final, answer)
            except OSError as error:
                raise Problem(f"the episode cannot be read: {reason_of(error)}; free disk space") from error
            finally:
                if final.exists():
                    remove_world(final)

    def _judge_frozen(self, final: Path, answer: str) -> Grade:
        crashes = tuple(f"call {call.number}: {call.tool}" for call in self.ledger.calls if call.crashed)
        return grade_submission(
            *(self.task, final, self.seeded, answer, self.ledger.join_parts(), crashes, grade_solved),
            untouched=self.find_untouched(),
        )

    def find_untouched(self) -> Path | None:
        """The root of the world as the agent found it, where that was kept; do not change it."""
        if self.exposed:
            return None
        if not self.ledger.calls:
            return self.world.root
        root, state = self.directory / "untouched", self.ledger.calls[0].state_before
        if not root.exists() and state in self._states:
            self._states.restore(state, self.world, root, linked=True)
        return root if root.exists() else None

    def _grade_answer(self, answer: str) -> Grade:
        grade = self._judge_frozen(self._freeze_world(), answer)
        record = {"answer": answer, "grade": grade.as_dict()}
        save_text(self.directory / "grade.json", json.dumps(record, indent=2) + "\n")
        return grade

    def _freeze_world(self) -> Path:
        """Freeze the world and return the root of the frozen copy."""
        final, unfinished = self.directory / "final", self.directory / "final.unfinished"
        if not final.exists():
            if unfinished.exists():
                remove_world(unfinished)
            with skip_syncing():
                self.world.freeze(unfinished)
            unfinished.rename(final)
        return final

    def read_graded_answer(self) -> str:
        """The answer that was graded last; empty if there was none."""
        graded = self.directory / "grade.json"
        return str(json.loads(graded.read_text("utf-8"))["answer"]) if graded.exists() else ""

    def close(self) -> None:
        """Delete all files of the episode."""
        self.end_call()
        if self.directory.exists():
            remove_world(self.directory)


def open_new(task: Task | str, seed: int = 0, runs: Path | None = None, share: Share = ALL) -> Episode:
    """Seed a new episode, of the `share`, under the directory `runs` (a temporary one if not given)."""
    task = find_task(task) if isinstance(task, str) else task
    with make_episode_folder(runs or Path(tempfile.mkdtemp(prefix="yardkit-")), share) as directory:
        return _make_episode(task, seed, directory, seed_task(task, seed, directory / "world"), {})


def grade_solved(task_id: str, seed: int) -> Grade:
    """Grade the work of the task's own solver on this machine.

    Raises:
        Problem: the solver fails here; the message gives the reason.
    """
    with open_episode(task_id, seed) as episode:
        try:
            answer = str(episode.task.proof().solve(ToolAgent(episode)))
        except Exception as error:  # a solver may raise anything on a machine that lacks a requirement
            raise Problem(f"{type(error).__name__}: {error}") from error
        seeded, scratch = episode.seeded, episode.directory / "scratch"
        scratch.mkdir()
        ledger = episode.ledger.join_parts()
        return judge_submission(
            HandedIn(
                *(task_id, episode._freeze_world(), answer, seeded.initial, ledger, seeded.facts, scratch),
                untouched=episode.find_untouched(),
            )
        )


def open_like(episode: Episode, runs: Path) -> Episode:
    """Open a new episode of the same instance as one that has not begun, without seeding it again."""
    with make_episode_folder(runs, ALL) as directory:
        shutil.copytree(episode.world.root, directory / "world", symlinks=True)
        seeded = replace(episode.seeded, world=World.open(directory / "world"))
        return _make_episode(episode.task, episode.seed, directory, seeded, {})


def reopen_episode(directory: Path) -> Episode:
    """An episode of an earlier process. Its facts were never on disk: a grade makes them again from the seed.

    Raises:
        Problem: there is no episode in `directory`.
    """
    try:
        record = json.loads((directory / "episode.json").read_text("utf-8"))
        task = with_servers(find_task(record["task"]), record.get("extra_servers", ()))
        prompt, truth = record["prompt"], TruthAgain(task, record["seed"])
    except (OSError, ValueError, KeyError) as error:
        raise Problem(
            f"no episode in {str(directory)!r} ({reason_of(error)}); open one with `yardkit open TASK`"
        ) from error
    world = World.open(directory / "world")
    seeded = Seeded(world, prompt, truth)
    return Episode(
        record["id"],
        record["token"],
        task,
        record["seed"],
        directory,
        seeded,
        Ledger.open(directory),
        exposed=(directory / EXPOSED).exists(),
        closed=(directory / "final").exists(),
        opened=record.get("opened", ""),
        inherited=record.get("at_call", 0),
        family=record.get("family", ""),
    )


@contextmanager
def open_episode(task: str, seed: int = 0, extra_servers: int = 0) -> Iterator[Episode]:
    """Open a seeded episode for a ``with`` block, which deletes it at the end: the gateway's counterpart in Python.

    It offers `extra_servers` unrelated servers in addition to those of the task.
    """
    root = Path(tempfile.mkdtemp(prefix="yardkit-"))
    try:
        yield open_new(with_distractors(find_task(task), seed, extra_servers), seed, root)
    finally:
        remove_world(root)


def _copy_world(world: World, exposed: bool, target: Path) -> World:
    return world.detach(target) if exposed else world.fork(target)


def _make_episode(task: Task, seed: int, directory: Path, seeded: Seeded, origin: dict[str, Any]) -> Episode:
    token, opened = secrets.token_urlsafe(24), machine_time().isoformat()
    about = {"id": directory.name, "token": token, "task": task.id, "seed": seed, "opened": opened, **origin}
    if task.extra_servers:
        about["extra_servers"] = task.extra_servers
    save_text(
        directory / "episode.json", json.dumps({**about, "prompt": seeded.prompt}, indent=2, ensure_ascii=False) + "\n"
    )
    inherited, family = origin.get("at_call", 0), origin.get("family", "")
    return Episode(
        *(directory.name, token, task, seed, directory, seeded, Ledger(directory)),
        opened=opened,
        inherited=inherited,
        family=family,
    )


async def _run_unbroken(work: Callable[[], Result]) -> Result:
    """Run blocking `work` in a thread to its end, even if the client leaves: each state needs its ledger line."""
    with CancelScope(shield=True):
        result = await to_thread.run_sync(work)
    return result  # noqa: RET504 - for mypy a CancelScope may swallow what its body raises
