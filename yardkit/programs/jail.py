"""The sandbox of a program: bubblewrap, the visible paths, and whether it works on this machine."""

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yardkit
from yardkit.world.problem import Unavailable

SETTING = "YARDKIT_UNJAILED"
"""The operator's leave, ``1``, to run programs of ours without walls where bubblewrap does not work."""
ADVICE = (
    "allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`, on Ubuntu `sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0`, in Docker `--security-opt seccomp=unconfined "
    "--security-opt systempaths=unconfined`"
)
_PROBE_S = 20
_ETC = (
    *("alternatives", "fonts", "ld.so.cache", "localtime", "mime.types"),
    *("chromium", "chromium.d", "libreoffice", "opt/chrome", "opt/edge"),
)
"""What of ``/etc`` programs read that is the same on many machines and tells nothing of this one."""


@dataclass(frozen=True)
class Jail:
    """The parts of the machine that a program of ours sees: system programs, libraries, and the shown paths.

    It can write nowhere but in its own directory and to a ``/tmp`` of its own.

    Attributes:
        read_only_paths: what is shown read-only in its own place; what does not exist is left out.
        devices: what is shown of ``/dev`` besides null, zero, random and the like, such as ``/dev/nvidia0``.
        network: whether it may reach anything by network, this machine's own addresses included.
    """

    read_only_paths: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    network: bool = False

    def build_command(self, command: Sequence[str], base: Path) -> list[str]:
        """The command line that runs `command` in `base`, inside the jail.

        Where bubblewrap does not work and the operator allows it (`SETTING`), it is the command as it is.

        Raises:
            Unavailable: bubblewrap is missing or may not make namespaces, and nobody allowed to go without.
        """
        if not is_usable():
            require_leave(Path(command[0]).name)
            return list(command)
        return [
            *(find_bwrap(), "--die-with-parent", "--cap-drop", "ALL"),
            *list_namespace_options(network=self.network),
            *system_mounts(),
            *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),  # noqa: S108 - its own
            *self._list_visible(),
            *_list_bind_options("--dev-bind-try", self.devices),
            *("--bind", str(base), str(base), "--chdir", str(base), "--", *command),
        ]

    def _list_visible(self) -> list[str]:
        """List the shown paths, without our own code except the named parts."""
        own = own_directory()
        around = [path for path in self.read_only_paths if not Path(path).is_relative_to(own)]
        within = [path for path in self.read_only_paths if Path(path).is_relative_to(own)]
        is_covered = any(own.is_relative_to(path) for path in ("/usr", *around))
        hidden = ["--tmpfs", str(own)] if is_covered else []
        return [*_list_bind_options("--ro-bind-try", around), *hidden, *_list_bind_options("--ro-bind-try", within)]


def python_paths() -> tuple[str, ...]:
    """What a program sees of the machine that this interpreter runs with its packages."""
    prefixes = (sys.prefix, str(Path(sys.base_prefix).resolve()), *map(str, site_packages()))
    return tuple(dict.fromkeys(path for path in prefixes if not Path(path).is_relative_to("/usr")))


def _list_bind_options(how: str, paths: Iterable[str]) -> list[str]:
    return [word for path in paths for word in (how, path, path)]


@cache
def system_mounts() -> tuple[str, ...]:
    """Arguments that show the system's programs, libraries and fonts read-only."""
    mounts = ["--ro-bind", "/usr", "/usr", "--perms", "0755", "--dir", "/etc"]
    for name in _ETC:
        mounts += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    mounts += ["--ro-bind-try", "/var/cache/fontconfig", "/var/cache/fontconfig"]
    for name in ("bin", "lib", "lib32", "lib64", "libx32", "sbin"):
        path = Path("/") / name
        if path.is_symlink():
            mounts += ["--symlink", str(path.readlink()), f"/{name}"]
        elif path.is_dir():
            mounts += ["--ro-bind", str(path), f"/{name}"]
    return tuple(mounts)


def own_directory() -> Path:
    """Return the folder of our own code: the checkout, or the installed package."""
    package = Path(yardkit.__file__).resolve().parent
    return package.parent if (package.parent / "pyproject.toml").exists() else package


@cache
def site_packages() -> tuple[Path, ...]:
    """List the folders of installed packages of this interpreter."""
    candidates = [
        *site.getsitepackages(),
        *(path for path in sys.path if path.endswith(("site-packages", "dist-packages"))),
    ]
    return tuple(dict.fromkeys(Path(path).resolve() for path in candidates if Path(path).is_dir()))


def list_namespace_options(*, network: bool = False) -> list[str]:
    """Arguments that part a program from the processes, the names and, as a rule, the network of the machine."""
    return [f"--unshare-{kind}" for kind in ("ipc", "pid", "uts", *(() if network else ("net",)))]


def find_bwrap() -> str:
    """The path of bubblewrap.

    Raises:
        Unavailable: it is not installed.
    """
    bwrap_path = shutil.which("bwrap")
    if bwrap_path is None:
        raise Unavailable(
            "code runs only inside bubblewrap, which is not installed; `apt-get install bubblewrap` brings it"
        )
    return bwrap_path


def require_leave(program: str) -> None:
    """Make sure that the operator lets a program run without walls.

    Raises:
        Unavailable: not so; the words say how bubblewrap is brought to work, and how the leave is given.
    """
    if may_go_without():
        return
    missing = shutil.which("bwrap") is None
    reason = "is not installed" if missing else "may not make namespaces on this machine"
    advice = "`apt-get install bubblewrap` brings it" if missing else ADVICE
    raise Unavailable(
        f"{program} runs only inside bubblewrap, which {reason}; {advice}. Or set {SETTING}=1 to run it without walls, "
        "for files that you trust"
    )


def may_go_without() -> bool:
    """Whether the operator lets programs of ours run without walls where bubblewrap does not work."""
    return os.environ.get(SETTING) == "1"


def is_usable() -> bool:
    """Whether there is a bubblewrap that this machine lets make namespaces.

    Raises:
        Unavailable: it does not answer. To go on without walls then would open all that comes later.
    """
    bwrap = shutil.which("bwrap")
    return bwrap is not None and _makes_namespaces(bwrap)


@cache
def _makes_namespaces(bwrap: str) -> bool:
    command = [bwrap, *list_namespace_options(), "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        return subprocess.run(command, capture_output=True, timeout=_PROBE_S, check=False).returncode == 0  # noqa: S603
    except subprocess.TimeoutExpired:
        raise Unavailable("bubblewrap does not answer on this machine, which is too busy; try again") from None
