"""The walls around a program: bubblewrap, what is shown inside, and whether it works on this machine."""

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from toolyard.world.problem import Unavailable

_PROBE_S = 20


@dataclass(frozen=True)
class Jail:
    """What a program of ours sees of the machine. It can write nowhere but in its own directory.

    Attributes:
        shown: what is shown read-only in its own place; what does not exist is left out.
        devices: what is shown of ``/dev`` besides null, zero, random and the like, such as ``/dev/nvidia0``.
        network: whether it may reach anything by network, this machine's own addresses included.
    """

    shown: tuple[str, ...] = ("/",)
    devices: tuple[str, ...] = ()
    network: bool = False

    def around(self, command: Sequence[str], base: Path) -> list[str]:
        """The command line that runs `command` in `base`: in the jail, or as it is where bubblewrap does not work."""
        if not is_usable():
            return list(command)
        return [
            find_bwrap(),
            *namespaces(network=self.network),
            *self._mounts(base),
            "--chdir",
            str(base),
            "--",
            *command,
        ]

    def _mounts(self, base: Path) -> list[str]:
        whole = "/" in self.shown
        private = [] if whole else ["--tmpfs", "/tmp"]  # noqa: S108 - its own
        return [
            *private,
            *_bound("--ro-bind-try", self.shown),
            *("--proc", "/proc", "--dev", "/dev"),
            *_bound("--dev-bind-try", self.devices),
            *("--bind", str(base), str(base)),
        ]


def _bound(how: str, paths: Iterable[str]) -> list[str]:
    return [word for path in paths for word in (how, path, path)]


def namespaces(*, network: bool = False) -> list[str]:
    """Arguments that part a program from the processes, the names and, as a rule, the network of the machine."""
    return [f"--unshare-{kind}" for kind in ("ipc", "pid", "uts", *(() if network else ("net",)))]


def find_bwrap() -> str:
    """The path of bubblewrap.

    Raises:
        Unavailable: it is not installed.
    """
    found = shutil.which("bwrap")
    if found is None:
        raise Unavailable(
            "code runs only inside bubblewrap, which is not installed; `apt-get install bubblewrap` brings it"
        )
    return found


def is_usable() -> bool:
    """Whether there is a bubblewrap that this machine lets make namespaces.

    Raises:
        Unavailable: it does not answer. To go on without walls then would open all that comes later.
    """
    bwrap = shutil.which("bwrap")
    return bwrap is not None and _makes_namespaces(bwrap)


@cache
def _makes_namespaces(bwrap: str) -> bool:
    command = [bwrap, *namespaces(), "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        return subprocess.run(command, capture_output=True, timeout=_PROBE_S, check=False).returncode == 0  # noqa: S603
    except subprocess.TimeoutExpired:
        raise Unavailable("bubblewrap does not answer on this machine, which is too busy; try again") from None
