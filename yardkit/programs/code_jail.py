"""The walls around code that an agent wrote, stricter than `Jail`: its mounts and its limits."""

import os
import secrets
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from yardkit.programs import inside
from yardkit.programs.jail import (
    find_bwrap,
    list_namespace_options,
    list_proc_options,
    own_directory,
    site_packages,
    system_mounts,
)
from yardkit.world.fonts import FONT_DIR

WORKSPACE_SEEN_AT = "/run/workspace"
_CODE, _SITE, _HOME = "/run/code", "/run/site", "/workspace"
FONTS_SEEN_AT = "/run/fonts"
OWN_TMPFS = ("/dev/shm", "/tmp")  # noqa: S108 - inside
"""Where a run has file systems in memory, each as large as its files may be."""
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - a private tmpfs
    "TMPDIR": "/tmp",  # noqa: S108
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp/matplotlib",  # noqa: S108
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


@dataclass(frozen=True)
class Walls:
    """The parameters of one run's command; sizes in bytes; `user` is 0 if the code runs as our own user."""

    control: Path
    tree: Path
    workspace: Path
    user: int
    cpu_s: int
    memory_bytes: int
    processes: int
    file_bytes: int


def choose_user() -> int:
    """Choose a separate user id for a run if we are root, to whom no limit on processes applies; else 0."""
    if os.geteuid() != 0 or not _owns_all_ids():
        return 0
    return 1_500_000_000 + secrets.randbelow(500_000_000)


@cache
def _owns_all_ids() -> bool:
    return Path("/proc/self/uid_map").read_text("ascii").split() == ["0", "0", "4294967295"]


def prepare_control_folder(control: Path, code: str) -> None:
    """Fill what the run sees as ``/run/code``: code, what starts it, and a virtual environment of its own."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = control / "venv" / "lib" / version / "site-packages"
    packages.mkdir(parents=True)
    (control / "venv" / "bin").mkdir()
    python = _base_python()
    (control / "venv" / "bin" / "python").symlink_to(python)
    (control / "venv" / "pyvenv.cfg").write_text(
        f"home = {python.parent}\ninclude-system-site-packages = false\n", "utf-8"
    )
    # Only our .pth file is run in there, so an editable install does not become importable.
    lines = [f"{_SITE}/{number}" for number in range(len(site_packages()))]
    (packages / "paths.pth").write_text("\n".join(lines), "utf-8")
    shutil.copyfile(inside.__file__, control / "inside.py")
    (control / "code.py").write_text(code, "utf-8", errors="surrogatepass")
    for path in [control, *control.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)


def build_command(walls: Walls, status_fd: int) -> list[str]:
    """The whole command line, from bubblewrap to the code."""
    program = [f"{_CODE}/venv/bin/python", "-I", "-B", "-X", "utf8", f"{_CODE}/code.py"]
    settings = {"user": walls.user, "bounded": True, "limits": _list_limits(walls)}
    return [
        *(find_bwrap(), "--json-status-fd", str(status_fd), "--die-with-parent", "--new-session", "--clearenv"),
        *_list_namespace_options(walls.user),
        *(part for name, value in _ENVIRONMENT.items() for part in ("--setenv", name, value)),
        *_list_mounts(walls),
        *("--chdir", _HOME, "--"),
        *inside.build_inside_command(_base_python(), f"{_CODE}/inside.py", settings, program),
    ]


def _list_limits(walls: Walls) -> dict[str, tuple[int, int]]:
    """Soft and hard limits of each process."""
    hard = {"AS": walls.memory_bytes, "FSIZE": walls.file_bytes, "NPROC": walls.processes, "NOFILE": 256}
    hard |= {"CORE": 0, "MEMLOCK": 0, "MSGQUEUE": 0}
    return {"CPU": (walls.cpu_s, walls.cpu_s + 1), **{name: (value, value) for name, value in hard.items()}}


def _list_namespace_options(user: int) -> list[str]:
    if not user:
        return ["--unshare-all", "--hostname", "isolated", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"]
    capability_options = [part for name in ("CAP_SETUID", "CAP_SETGID") for part in ("--cap-add", name)]
    return [
        *list_namespace_options(),
        "--unshare-cgroup-try",
        "--hostname",
        "isolated",
        "--cap-drop",
        "ALL",
        *capability_options,
    ]


def _list_mounts(walls: Walls) -> list[str]:
    size = ("--perms", "1777", "--size", str(walls.file_bytes))
    mounts = [
        *_shared_mounts(),
        *(*list_proc_options(), "--dev", "/dev"),
        *(word for place in OWN_TMPFS for word in (*size, "--tmpfs", place)),
        *("--remount-ro", "/dev"),
        *("--ro-bind", str(walls.control), _CODE),
        *("--ro-bind", str(walls.workspace), WORKSPACE_SEEN_AT),
        *("--bind", str(walls.tree), _HOME),
    ]
    return [*mounts, "--remount-ro", "/"]


@cache
def _shared_mounts() -> tuple[str, ...]:
    """Mount the system, interpreter and packages read-only, and hide our own package wherever it is in them."""
    shared_paths = [(path, f"{_SITE}/{number}") for number, path in enumerate(site_packages())]
    prefix = Path(sys.base_prefix).resolve()
    if not prefix.is_relative_to("/usr"):
        shared_paths.append((prefix, str(prefix)))
    shared_paths.append((FONT_DIR, FONTS_SEEN_AT))
    # Bubblewrap makes missing folders accessible only to its own user, but the code may run as another one.
    folders = sorted({str(parent) for target in (prefix, _SITE, _CODE, "/etc") for parent in Path(target, "x").parents})
    mounts = [part for folder in folders for part in ("--perms", "0755", "--dir", folder) if folder != "/"]
    mounts += system_mounts()
    mounts += [part for source, target in shared_paths for part in ("--ro-bind", str(source), target)]
    hidden = own_directory()
    for source, target in [(Path("/usr"), "/usr"), *shared_paths]:
        if hidden.is_relative_to(source.resolve()):
            mounts += ["--tmpfs", str(Path(target) / hidden.relative_to(source.resolve()))]
    return tuple(mounts)


def _base_python() -> Path:
    """Find the real interpreter behind any virtual environment."""
    base = getattr(sys, "_base_executable", sys.executable)
    return Path(base).resolve()
