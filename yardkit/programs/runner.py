"""The isolated runner: Python code that an agent wrote, run by bubblewrap with no network, no secrets and limits."""

import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from yardkit.programs import code_jail, jail
from yardkit.programs.scratch import MAX_PATH_LENGTH, Scratch, readable_by_others
from yardkit.programs.turns import Turns
from yardkit.programs.usage import Holdings, list_descendants, stand_still
from yardkit.world.guard import ended_by
from yardkit.world.problem import Problem, Unavailable
from yardkit.world.tree import remove_tree

MAX_CODE_BYTES = 1_000_000
SavedAndRemoved = tuple[list[Path], list[Path]]
"""What was saved of a run, and what was removed."""
_TICK_S = 0.05
_EXACT_S = 1.0
"""From one look to the next for which all processes are stopped: meanwhile files may move from where it has yet to look
to where it has been."""
_MAX_SENT = 8
"""Open files on their way from one process to another."""
_MAX_UNREADABLE = 8
"""Looks, one after the other, at which a process does not show what it has open."""
_PLACES = max(4, 2 * (os.cpu_count() or 1))
"""Runs at a time of this process; the rest wait."""
_WAIT_S = 200.0
_BUSY = f"other code kept all {_PLACES} places for runs busy for {_WAIT_S:g} s, so this was not run; try again"
_turns = Turns(_PLACES)
_KILLED = 128 + signal.SIGKILL
_OUT_OF_CPU = 128 + signal.SIGXCPU
LEFT_OUT = "\n[... the middle is left out; print less, or into a file ...]\n"


@dataclass(frozen=True)
class RunLimits:
    """The limits of a run.

    Attributes:
        cpu_s: processor time of one process in seconds.
        wall_s: time from start to end in seconds.
        memory_bytes: address space of one process, and memory of all together with their files in memory.
        processes: processes and threads alive at once.
        output_bytes: kept of stdout and of stderr, half from the beginning and half from the end; the rest is dropped.
        file_bytes: written files together, removed ones while they are open included, and each of them.
        files: files and folders written.
    """

    cpu_s: int = 30
    wall_s: float = 60.0
    memory_bytes: int = 2 * 1024**3
    processes: int = 64
    output_bytes: int = 200_000
    file_bytes: int = 100_000_000
    files: int = 1_000


@dataclass(frozen=True)
class Completed:
    """How a run ended.

    Attributes:
        exit_code: of the interpreter; 128 + the signal's number when a signal ended it.
        stderr: ends with a line that names the limit when a limit ended the run.
        timed_out: the limit on wall or processor time ended it.
        cut: stdout or stderr was longer than was kept; it says where its middle is left out.
        seconds: wall time.
        files: what the code wrote, where it was collected, in name order.
        removed: what it removed of a workspace that it was to change, in name order.
        unkept: links that it made there and that are not kept, since they lead out of the workspace.
    """

    exit_code: int
    stdout: str
    stderr: str
    timed_out: bool
    cut: bool
    seconds: float
    files: list[Path]
    removed: list[Path] = field(default_factory=list)
    unkept: list[Path] = field(default_factory=list)


def shorten_output(text: str, limit: int) -> str:
    """A text with its middle left out where it has more characters than `limit`: results stand at its end."""
    return text if len(text) <= limit else f"{text[: limit // 2]}{LEFT_OUT}{text[-(limit // 2) :]}"


def run_python(
    code: str,
    *,
    workspace: Path,
    collect: Path | None = None,
    together: Callable[[], AbstractContextManager[None]] = nullcontext,
    limits: RunLimits = RunLimits(),
) -> Completed:
    """Run `code` as a program whose current directory shows the files of `workspace`, and take out what it wrote.

    The code can read the workspace and this interpreter's packages, nothing else of the machine; it has no network and
    no environment. It writes to a tree of its own, never into the workspace. Small files in that tree are copies, those
    over 8 MB read-only links. When it ended, every process it started is killed and the regular files that it made or
    changed are saved below `collect` under the same relative names; none if it wrote more than `limits` allow. Without
    `collect` they are saved in the workspace itself, and what it removed is removed there, as one change if `together`
    makes it one (`World.change_together`).

    Raises:
        Unavailable: no bubblewrap, or no right to make namespaces.
        Problem: code over 1 MB, or what it wrote has no room.
    """

    def keep(scratch: Scratch, _: int) -> SavedAndRemoved:
        if collect is not None:
            return scratch.collect(collect), []
        with together():
            return scratch.settle()

    return run_keeping(code, keep, workspace=workspace, copied=".", limits=limits)


def run_keeping(
    code: str,
    keep: Callable[[Scratch, int], SavedAndRemoved],
    *,
    workspace: Path,
    copied: str | None,
    full_output: bool = False,
    limits: RunLimits = RunLimits(),
) -> Completed:
    """Run `code` as `run_python` does, and let `keep` take what is wanted out of its tree if it kept to its limits.

    Args:
        code: the program.
        keep: is given its tree and exit code, and gives what was saved and what was removed.
        workspace: what the code can read at `code_jail.WORKSPACE_SEEN_AT`.
        copied: the folder of the workspace of which its tree is a copy; none for an empty tree.
        full_output: whether large files are copies, too, instead of links.
        limits: on the run.

    Raises:
        Unavailable: no bubblewrap, or no right to make namespaces.
        Problem: code over 1 MB, or raised by `keep`; or others kept all places for runs busy.
    """
    size = len(code.encode("utf-8", "surrogatepass"))
    if size > MAX_CODE_BYTES:
        raise Problem(
            f"the code has {size:,} bytes; at most {MAX_CODE_BYTES:,} can be run. Read data from files instead"
        )
    jail.find_bwrap()
    with _turns.take(_BUSY, _WAIT_S):
        return _run_in_turn(code, keep, workspace=workspace, copied=copied, full_output=full_output, limits=limits)


def _run_in_turn(
    code: str,
    keep: Callable[[Scratch, int], SavedAndRemoved],
    *,
    workspace: Path,
    copied: str | None,
    full_output: bool,
    limits: RunLimits,
) -> Completed:
    base, workspace = Path(tempfile.mkdtemp(prefix="yardkit-run-")), workspace.resolve()
    try:
        user = code_jail.choose_user()
        if copied != "." and user and not readable_by_others(workspace):
            user = 0
        seen_at = str(Path(code_jail.WORKSPACE_SEEN_AT, copied or ""))
        scratch = Scratch(base / "tree", workspace / (copied or ""), seen_at, user or None, full_output)
        scratch.build(empty=copied is None)
        (base / "control").mkdir()
        code_jail.prepare_control_folder(base / "control", code)
        walls = code_jail.Walls(
            *(base / "control", scratch.tree, workspace, user),
            *(limits.cpu_s, limits.memory_bytes, limits.processes, limits.file_bytes),
        )
        run = _Run(walls, scratch, limits)
        run.finish()
        return run.make_completed(keep)
    finally:
        remove_tree(base)


@dataclass
class _Run:
    """One process tree from start to end, read and watched from this thread (it dies with this thread, too)."""

    walls: code_jail.Walls
    scratch: Scratch
    limits: RunLimits
    output: dict[str, bytearray] = field(
        default_factory=lambda: {n: bytearray() for n in ("stdout", "stderr", "status")}
    )
    shortened: set[str] = field(default_factory=set)
    timed_out: bool = False
    broken: str = ""
    unreadable: dict[int, int] = field(default_factory=dict)
    exact_at: float = _EXACT_S
    seconds: float = 0.0

    def finish(self) -> None:
        reader, writer = os.pipe()
        started = time.monotonic()
        try:
            process = subprocess.Popen(  # noqa: S603 - a fixed program, no shell
                code_jail.build_command(self.walls, writer),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[writer],
                env={},
            )
        finally:
            os.close(writer)
        with process, os.fdopen(reader, "rb") as status, selectors.DefaultSelector() as selector:
            for name, stream in (("stdout", process.stdout), ("stderr", process.stderr), ("status", status)):
                assert stream is not None  # noqa: S101 - asked for above
                selector.register(stream, selectors.EVENT_READ, name)
            with ended_by(process.kill):
                self._attend_process(process, selector, started)
        self.seconds = time.monotonic() - started

    def _attend_process(
        self, process: "subprocess.Popen[bytes]", selector: selectors.BaseSelector, started: float
    ) -> None:
        next_look = started + _TICK_S
        while selector.get_map():
            for key, _ in selector.select(_TICK_S):
                chunk = os.read(key.fd, 1 << 16)
                if chunk:
                    self._keep_output(key.data, chunk)
                else:
                    selector.unregister(key.fileobj)
            now = time.monotonic()
            if not self.broken and now >= next_look:
                self._watch_limits(process, now - started)
                looked = time.monotonic()
                next_look = looked + max(_TICK_S, looked - now)

    def _keep_output(self, name: str, chunk: bytes) -> None:
        output_file = self.output[name]
        output_file += chunk
        excess = len(output_file) - self.limits.output_bytes
        if excess > 0:
            half = self.limits.output_bytes // 2
            del output_file[half : half + excess]
            self.shortened.add(name)

    def _watch_limits(self, process: "subprocess.Popen[bytes]", elapsed: float) -> None:
        self.broken = self._broken_limit(process.pid, elapsed)
        if self.broken:
            process.kill()

    def _broken_limit(self, root: int, elapsed: float) -> str:
        limits = self.limits
        if elapsed > limits.wall_s:
            self.timed_out = True
            return f"it ran longer than {limits.wall_s:g} s"
        below = list_descendants(root, enough=limits.processes + 8)
        # Bubblewrap's own two processes are among them.
        if len(below) > limits.processes + 2:
            return f"more than {limits.processes} processes were alive at once"
        if elapsed < self.exact_at:
            return self._find_held_excess(below)
        self.exact_at = elapsed + _EXACT_S
        with stand_still(root, enough=limits.processes + 8):
            return self._find_held_excess(list_descendants(root, enough=limits.processes + 8))

    def _find_held_excess(self, below: list[int]) -> str:
        limits = self.limits
        holdings = Holdings.measure(below, self.walls.tree.stat().st_dev, code_jail.OWN_TMPFS)
        if holdings.memory_bytes > limits.memory_bytes:
            return f"its processes used more than {limits.memory_bytes:,} bytes of memory, files in /tmp included"
        if self._is_hiding(holdings):
            return "its processes held open files where none of them shows them"
        return self._find_excess(holdings.removed_bytes)

    def _is_hiding(self, holdings: Holdings) -> bool:
        """Whether files stay open in sockets, unread, or in a process that shows nothing for longer than it may."""
        self.unreadable = {pid: self.unreadable.get(pid, 0) + 1 for pid in holdings.unreadable}
        return holdings.sent > _MAX_SENT or max(self.unreadable.values(), default=0) > _MAX_UNREADABLE

    def _find_excess(self, removed_bytes: int = 0) -> str:
        limits = self.limits
        count, size, longest = self.scratch.measure_usage(enough=limits.files)
        if count > limits.files:
            return f"it wrote more than {limits.files:,} files and folders"
        if longest > MAX_PATH_LENGTH:
            return f"it made a path of more than {MAX_PATH_LENGTH:,} characters"
        if size + removed_bytes > limits.file_bytes:
            return f"it wrote more than {limits.file_bytes:,} bytes of files"
        return ""

    def make_completed(self, keep: Callable[[Scratch, int], SavedAndRemoved]) -> Completed:
        exit_code = self._exit_code()
        if not self.broken and (overwritten := self._find_excess()):
            # It ended before the next check; its files are refused just the same.
            self.broken = overwritten
        stdout, stderr = self._decode_output("stdout"), self._decode_output("stderr")
        if exit_code == _OUT_OF_CPU:
            self.timed_out = True
            self.broken = f"it used more than {self.limits.cpu_s} s of processor time"
        if self.broken:
            stderr += f"\nThe run was ended: {self.broken}.\n"
        if self.broken and exit_code == 0:
            exit_code = _KILLED
        keeps = not self.broken or (self.timed_out and not self._find_excess())
        files, removed = keep(self.scratch, exit_code) if keeps else ([], [])
        return Completed(
            *(exit_code, stdout, stderr, self.timed_out, bool(self.shortened), self.seconds, files, removed),
            unkept=self.scratch.unkept,
        )

    def _decode_output(self, name: str) -> str:
        output_file, half = self.output[name], self.limits.output_bytes // 2
        parts = [output_file[:half], output_file[half:]] if name in self.shortened else [output_file]
        return LEFT_OUT.join(part.decode("utf-8", "replace") for part in parts)

    def _exit_code(self) -> int:
        """What bubblewrap reported of the code; without a report and not killed by us, it was never started."""
        for line in self.output["status"].decode("ascii", "replace").splitlines():
            code = json.loads(line).get("exit-code")
            if code is not None:
                return int(code)
        if self.broken:
            return _KILLED
        reason = self.output["stderr"].decode("utf-8", "replace").strip()[-300:]
        raise Unavailable(
            f"this machine lets bubblewrap isolate no code ({reason or 'no reason given'}); {jail.ADVICE}"
        )
