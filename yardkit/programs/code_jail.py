"""The sandbox of an agent's code, stricter than `Jail`: its mounts, its limits, and the launcher inside."""

import os
import secrets
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from yardkit.programs.jail import find_bwrap, list_namespace_options, own_directory, site_packages, system_mounts
from yardkit.world.fonts import FONT_DIR

WORKSPACE_SEEN_AT = "/run/workspace"
_CODE, _SITE, _HOME = "/run/code", "/run/site", "/workspace"
FONTS_SEEN_AT = "/run/fonts"
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

_LAUNCHER = """
import ctypes, os, resource, struct, sys

def forbid_calls():
    # A seccomp filter (seccomp(2)): in a user namespace of its own, code could mount and fill memory past every limit,
    # and keys of the kernel (add_key and the two after it) are those of our own session, the same for all runs.
    arch, unshare, clone, setns, keys = {
        "x86_64": (0xC000003E, 272, 56, 308, 248), "aarch64": (0xC00000B7, 97, 220, 268, 217)
    }.get(os.uname().machine, (0, 0, 0, 0, 0))
    if not arch:
        return
    program = [
        (0x20, 0, 0, 4), (0x15, 0, 11, arch), (0x20, 0, 0, 0), (0x35, 9, 0, 0x40000000), (0x15, 9, 0, 435),
        (0x35, 0, 1, keys), (0x25, 0, 7, keys + 2),
        (0x15, 5, 0, setns), (0x15, 1, 0, unshare), (0x15, 0, 2, clone), (0x20, 0, 0, 16), (0x45, 1, 0, 0x10000000),
        (0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x00050026),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    filters = ctypes.create_string_buffer(struct.pack("HP", len(program), ctypes.addressof(code)))
    if ctypes.CDLL(None, use_errno=True).prctl(22, 2, ctypes.c_void_p(ctypes.addressof(filters)), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp is not possible here")

user, cpu, memory, processes, size = map(int, sys.argv[1:6])
for kind, soft, hard in (
    (resource.RLIMIT_CPU, cpu, cpu + 1),
    (resource.RLIMIT_AS, memory, memory),
    (resource.RLIMIT_FSIZE, size, size),
    (resource.RLIMIT_NPROC, processes, processes),
    (resource.RLIMIT_NOFILE, 256, 256),
    (resource.RLIMIT_CORE, 0, 0),
    (resource.RLIMIT_MEMLOCK, 0, 0),
):
    resource.setrlimit(kind, (soft, hard))
forbid_calls()
if user:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
os.umask(0o022)
os.execv(sys.argv[6], [sys.argv[6], "-I", "-B", "-X", "utf8", sys.argv[7]])
"""


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
    """Fill the directory that the run sees as ``/run/code``: launcher, code, and its own virtual environment."""
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
    (control / "launcher.py").write_text(_LAUNCHER, "utf-8")
    (control / "code.py").write_text(code, "utf-8", errors="surrogatepass")
    for path in [control, *control.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)


def build_command(walls: Walls, status_fd: int) -> list[str]:
    """Build the complete command line, from bubblewrap to the code."""
    python = f"{_CODE}/venv/bin/python"
    numbers = (walls.user, walls.cpu_s, walls.memory_bytes, walls.processes, walls.file_bytes)
    limits = [str(number) for number in numbers]
    return [
        *(find_bwrap(), "--json-status-fd", str(status_fd), "--die-with-parent", "--new-session", "--clearenv"),
        *_list_namespace_options(walls.user),
        *(part for name, value in _ENVIRONMENT.items() for part in ("--setenv", name, value)),
        *_list_mounts(walls),
        *("--chdir", _HOME, "--"),
        *(str(_base_python()), "-I", "-S", "-B", f"{_CODE}/launcher.py", *limits, python, f"{_CODE}/code.py"),
    ]


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
    mounts = [
        *_shared_mounts(),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--perms", "1777", "--size", str(walls.file_bytes), "--tmpfs", "/dev/shm"),  # noqa: S108
        *("--perms", "1777", "--size", str(walls.file_bytes), "--tmpfs", "/tmp"),  # noqa: S108
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
