"""The sandbox of a program: bubblewrap, the visible paths, and whether it works on this machine."""

import os
import shutil
import site
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yardkit
from yardkit.programs import inside
from yardkit.world.problem import Unavailable

SETTING = "YARDKIT_UNJAILED"
"""The operator's leave, ``1``, to run programs of ours without walls where bubblewrap does not work."""
ADVICE = (
    "allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`, on Ubuntu `sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0`, in Docker `--security-opt seccomp=unconfined "
    "--security-opt systempaths=unconfined`"
)
_PROBE_S = 20
_OTHER_USER = ("--unshare-user", *(() if os.geteuid() else ("--uid", "65534", "--gid", "65534")))
_KERNEL_PLACES = (
    *("acpi", "asound", "bus", "driver", "dynamic_debug", "fs", "irq", "mtrr", "scsi", "sysrq-trigger", "tty"),
)
"""What of ``/proc``, besides ``sys``, is the machine's and not a process's: all that root may write by its mode."""
_FILTER_OPTIONS = ("--seccomp", "9")
_PROBE_SETTING = "/proc/sys/kernel/core_pattern"
_ETC = (
    *("alternatives", "fonts", "ld.so.cache", "localtime", "mime.types"),
    *("chromium", "chromium.d", "libreoffice", "opt/chrome", "opt/edge"),
)
"""What of ``/etc`` programs read that is the same on many machines and tells nothing of this one."""


@dataclass(frozen=True)
class Jail:
    """The parts of the machine that a program of ours sees: system programs, libraries, and the shown paths.

    It can write nowhere but in its own directory and to a ``/tmp`` of its own. Where we are root, it is another user.
    System calls that it does not need, and where the kernel was broken out of most, are refused (seccomp(2)).

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
        filtered = _loads_filter(find_bwrap())
        return [
            *(_open_filter(base) if filtered else ()),
            *(find_bwrap(), "--die-with-parent", "--cap-drop", "ALL"),
            *(_FILTER_OPTIONS if filtered else ()),
            *_list_innermost_options(),
            *list_namespace_options(network=self.network),
            *system_mounts(),
            *list_proc_options(),
            *("--dev", "/dev", "--tmpfs", "/tmp"),  # noqa: S108 - its own
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


def list_proc_options() -> tuple[str, ...]:
    """Arguments that mount a ``/proc`` of its own, in which the settings of the machine's kernel cannot be changed.

    The kernel asks for no capability where root writes to a file of ``/proc/sys``, and bubblewrap covers only folders
    that are writable by their own mode, which this one is not.
    """
    covers = (word for name in _KERNEL_PLACES for word in ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}"))
    return ("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", *covers)


def list_user_options() -> tuple[str, ...]:
    """Arguments that make root another user inside, where this machine lets root make a user namespace."""
    return _choose_options(find_bwrap(), _OTHER_USER)


def _list_innermost_options() -> tuple[str, ...]:
    """Arguments that forbid further user namespaces inside, which older versions of bubblewrap do not know.

    They take a program the right to use its own network's low ports.
    """
    options = list_user_options()
    return _choose_options(find_bwrap(), (*options, "--disable-userns")) or options


@cache
def _choose_options(bwrap: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """The options if they work, else none."""
    return options if _probe_jail(bwrap, "true", options) else ()


def _open_filter(folder: Path) -> tuple[str, ...]:
    """The words before those of bubblewrap that open the filter of system calls for it, from a file in `folder`."""
    path = folder / ".system-calls"
    path.unlink(missing_ok=True)  # not to be written through, if a program put a link there
    path.write_bytes(inside.build_filter_code(bounded=False))
    return ("/bin/sh", "-c", f'exec "$@" {_FILTER_OPTIONS[-1]}<"$0"', str(path))


@cache
def _loads_filter(bwrap: str) -> bool:
    """Whether the system calls of this machine are known, and bubblewrap can load the filter of them here."""
    with tempfile.TemporaryDirectory(prefix="yardkit-filter-") as name:
        options = (*_OTHER_USER, *_FILTER_OPTIONS) if list_user_options() else _FILTER_OPTIONS
        known = inside.build_filter_code(bounded=False)
        return bool(known) and _probe_jail(bwrap, "true", options, _open_filter(Path(name)))


def find_weakness() -> str:
    """What programs in a `Jail` may do here that they should not, for the operator; empty if nothing.

    A setting of the kernel is opened for writing, and nothing is written.
    """
    bwrap, options = find_bwrap(), list_user_options()
    if _probe_jail(bwrap, f"exec 3>>{_PROBE_SETTING}", options):
        return "programs inside may change the settings of this machine's kernel"
    if not _probe_jail(bwrap, '[ "$(id -u)" != 0 ]', options):
        return "programs inside are root without capabilities, because root may not make user namespaces here"
    if not _loads_filter(bwrap):
        return "programs inside may make any system call, because no filter for them (seccomp) can be loaded here"
    return ""


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
    return _probe_jail(bwrap, "true", _choose_options(bwrap, _OTHER_USER))


def _probe_jail(bwrap: str, script: str, options: Iterable[str], before: Iterable[str] = ()) -> bool:
    """Whether a script for the shell ends well inside."""
    walls = (*before, bwrap, "--cap-drop", "ALL", *options, *list_namespace_options(), "--ro-bind", "/", "/")
    command = [*walls, *list_proc_options(), "/bin/sh", "-c", script]
    try:
        return subprocess.run(command, capture_output=True, timeout=_PROBE_S, check=False).returncode == 0  # noqa: S603
    except subprocess.TimeoutExpired:
        raise Unavailable("bubblewrap does not answer on this machine, which is too busy; try again") from None
