"""What the processes of a run hold of the machine, wherever they hold it: memory, and files that no folder lists."""

import os
import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_BLOCK_BYTES = 512
_PRECISE_BYTES = 100_000_000
"""From here on pages that processes share by a fork are counted once, which takes longer."""
_PIPE_BYTES = 65_536
_UNIX_SOCKET_BYTES = 425_984
"""What can wait in a pipe of the usual size and in a Unix socket; the kernel does not tell how much does."""
_MAPPING_BYTES, _INODE_BYTES = 256, 1_024
"""What the kernel keeps of a mapping, and of a file in memory besides its content."""
_SHARED_MAPPING = re.compile(
    r"^([0-9a-f]+)-([0-9a-f]+) ..?.s ([0-9a-f]+) ([0-9a-f]+):([0-9a-f]+) (\d+) .*\(deleted\)$", re.MULTILINE
)
_STANDING = frozenset("TtZXD")
"""States of threads that do nothing: stopped, ended, or waiting in the kernel."""
_STOPPING_S, _STOPPING_TICK_S = 0.2, 0.001
_FileKey = tuple[int, int]
"""Number of a file system, and of a file in it."""


def list_descendants(root: int, enough: int) -> list[int]:
    """Process ids below `root`, a parent before its children, at most `enough` of them and their next of kin."""
    descendants: list[int] = []
    stack = [root]
    while stack and len(descendants) < enough:
        parent = stack.pop()
        try:
            for children in Path(f"/proc/{parent}/task").glob("*/children"):
                below = [int(pid) for pid in children.read_text("ascii").split()]
                descendants += below
                stack += below
        except OSError:
            continue
    return descendants


@contextmanager
def stand_still(root: int, enough: int) -> Iterator[None]:
    """Let all processes below `root` do nothing while the block runs, so that what they hold cannot move past a count.

    No process can refuse; one that the kernel holds up for longer is not waited for.
    """
    stopped: set[int] = set()
    try:
        while news := set(list_descendants(root, enough)) - stopped:
            for pid in news:
                _send_signal(pid, signal.SIGSTOP)
            stopped |= news
            deadline = time.monotonic() + _STOPPING_S
            while not all(map(_is_standing, news)) and time.monotonic() < deadline:
                time.sleep(_STOPPING_TICK_S)
        yield
    finally:
        for pid in stopped:
            _send_signal(pid, signal.SIGCONT)


def _send_signal(pid: int, number: signal.Signals) -> None:
    with suppress(OSError):
        os.kill(pid, number)


def _is_standing(pid: int) -> bool:
    """Whether no thread of a process runs."""
    with suppress(OSError):
        states = [path.read_text("utf-8", "replace") for path in Path(f"/proc/{pid}/task").glob("*/stat")]
        return all(text.rpartition(")")[2].split()[0] in _STANDING for text in states)
    return True


@dataclass
class Holdings:
    """What processes hold together of memory and of files that are in no folder any more.

    Attributes:
        device: number of the file system that they write their files to.
        memory: bytes of their own, and of files in memory that only they have.
        removed: bytes on the disk of files that are open or mapped and in no folder, by file.
        hidden: bytes of memory that is shared without a place in a file system, by file.
        pipes: those that are open.
        sent: how many open files are on their way from one process to another.
        unreadable: processes that do not show what they have open, as some do for a moment when they begin or end.
    """

    device: int
    memory: int = 0
    removed: dict[_FileKey, int] = field(default_factory=dict)
    hidden: dict[_FileKey, int] = field(default_factory=dict)
    pipes: set[str] = field(default_factory=set)
    sent: int = 0
    unreadable: set[int] = field(default_factory=set)

    @classmethod
    def measure(cls, pids: Sequence[int], device: int, own_tmpfs: Sequence[str]) -> "Holdings":
        """What the processes `pids` hold, whose are the file systems in memory at `own_tmpfs`, as they see them."""
        holdings = cls(device, _measure_own_memory(pids))
        has_sockets = False
        for pid in pids:
            for name in holdings._list_open(pid):
                has_sockets |= holdings._add_open(pid, name)
            holdings._add_mapped(pid)
        if pids:
            holdings.memory += sum(_measure_tmpfs(pids[-1], place) for place in own_tmpfs)
            holdings.memory += _measure_queues(pids[-1]) if has_sockets else 0
        return holdings

    @property
    def memory_bytes(self) -> int:
        return self.memory + sum(self.hidden.values()) + _PIPE_BYTES * len(self.pipes)

    @property
    def removed_bytes(self) -> int:
        return sum(self.removed.values())

    def _list_open(self, pid: int) -> list[str]:
        try:
            return os.listdir(f"/proc/{pid}/fd")
        except PermissionError:
            self.unreadable.add(pid)
        except OSError:
            pass
        return []

    def _add_open(self, pid: int, name: str) -> bool:
        """Add what is open under a number; whether that is a socket."""
        path = f"/proc/{pid}/fd/{name}"
        with suppress(OSError):
            target = os.readlink(path)  # noqa: PTH115 - many times a second
            if target.startswith("pipe:"):
                self.pipes.add(target)
            elif target.endswith(" (deleted)"):
                status = Path(path).stat()
                self._add_file((status.st_dev, status.st_ino), _BLOCK_BYTES * status.st_blocks)
            elif target.startswith("socket:"):
                self.sent += _count_sent(pid, name)
                return True
        return False

    def _add_mapped(self, pid: int) -> None:
        with suppress(OSError):
            maps = Path(f"/proc/{pid}/maps").read_text("utf-8", "replace")
            self.memory += _MAPPING_BYTES * maps.count("\n")
            if "(deleted)" not in maps:
                return
            for start, end, offset, major, minor, inode in _SHARED_MAPPING.findall(maps):
                size = int(end, 16) - int(start, 16) + int(offset, 16)
                self._add_file((os.makedev(int(major, 16), int(minor, 16)), int(inode)), size)

    def _add_file(self, key: _FileKey, size: int) -> None:
        """Add a file; what is open comes first, and says better than a mapping how much it takes."""
        if key[0] == self.device:
            self.removed.setdefault(key, size)
        elif key[0] == _unnamed_device():
            self.hidden.setdefault(key, size)


@cache
def _unnamed_device() -> int:
    """The number of the kernel's own file system in memory, where memory without a name is."""
    with os.fdopen(os.memfd_create("yardkit")) as memory:
        return os.fstat(memory.fileno()).st_dev


def _count_sent(pid: int, name: str) -> int:
    text = Path(f"/proc/{pid}/fdinfo/{name}").read_text("ascii")
    return int(text.partition("scm_fds:")[2].split()[0]) if "scm_fds:" in text else 0


def _measure_own_memory(pids: Sequence[int]) -> int:
    """Bytes of memory of the processes without what is shared in files of memory; pages of a fork counted once."""
    rough = sum(_read_own_memory(pid) for pid in pids)
    if rough < _PRECISE_BYTES or len(pids) < 2:
        return rough
    return sum(_read_proportional_memory(pid) for pid in pids)


def _read_own_memory(pid: int) -> int:
    return sum(_read_sizes(f"/proc/{pid}/status", "RssAnon", "RssFile"))


def _read_proportional_memory(pid: int) -> int:
    sizes = list(_read_sizes(f"/proc/{pid}/smaps_rollup", "Pss_Anon", "Pss_File"))
    return sum(sizes) if sizes else _read_own_memory(pid)


def _read_sizes(path: str, *names: str) -> Iterator[int]:
    with suppress(OSError):
        for line in Path(path).read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name in names:
                yield 1024 * int(value.split()[0])


def _measure_tmpfs(pid: int, place: str) -> int:
    """Bytes that a file system in memory takes, as a process sees it; 0 while it still sees that of the machine."""
    path = f"/proc/{pid}/root{place}"
    with suppress(OSError):
        if Path(path).stat().st_dev != Path(place).stat().st_dev:
            status = os.statvfs(path)
            entries = status.f_files - status.f_ffree
            return (status.f_blocks - status.f_bfree) * status.f_frsize + _INODE_BYTES * entries
    return 0


def _measure_queues(pid: int) -> int:
    """Bytes that wait in the sockets of a process's network."""
    size = 0
    for name in ("tcp", "tcp6", "udp", "udp6", "unix"):
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/net/{name}").read_text("utf-8", "replace").splitlines()[1:]
            size += _UNIX_SOCKET_BYTES * len(lines) if name == "unix" else sum(map(_read_queues, lines))
    return size


def _read_queues(line: str) -> int:
    sent, received = line.split()[4].split(":")
    return int(sent, 16) + int(received, 16)
