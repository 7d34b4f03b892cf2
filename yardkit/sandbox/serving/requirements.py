"""The requirements of each server, and their state on this machine. Checking imports nothing heavy."""

import importlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from yardkit.kit.pages.office import find_python
from yardkit.programs.chromium import find_chromium
from yardkit.programs.office import find_office
from yardkit.programs.runner import run_python
from yardkit.sandbox.serving.registry import server_names
from yardkit.world import Problem, Unavailable
from yardkit.world.extras import read_extras

_PROBE_S = 10.0
_SWITCHES = (
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("user.max_user_namespaces", "0", "15000"),
)
"""Kernel settings that forbid user namespaces: name, the value that forbids, a value that allows."""


@dataclass(frozen=True)
class Program:
    """A system program that servers call.

    Attributes:
        name: the executable.
        package: the package in Debian and Ubuntu.
        servers: the servers that call it.
        needed_for: the part of each server that does not work without it; nothing else is affected.
    """

    name: str
    package: str
    servers: tuple[str, ...]
    needed_for: str


_PACKAGES = {
    "bwrap": "bubblewrap",
    "chromium": "chromium libatomic1",
    "espeak-ng": "espeak-ng",
    "fluidsynth": "fluidsynth timgm6mb-soundfont",
    "git": "git",
    "soffice": "libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-math python3-uno",
    "tesseract": "tesseract-ocr",
}
"""Executable -> packages of Debian and Ubuntu; the driver of Chromium, which comes with Playwright, is linked with
libatomic. Which servers call it, they say themselves: ``PROGRAMS`` in each."""


@dataclass(frozen=True)
class ProgramState:
    """A program on this machine.

    Attributes:
        works: whether it is installed and works.
        detail: its path and features, or why it does not work.
        fix: the command or setting that repairs it; empty if it works.
    """

    program: Program
    works: bool
    detail: str
    fix: str


@dataclass(frozen=True)
class ServerState:
    """A server on this machine.

    Attributes:
        missing: requirements of packages that are not installed.
        fix: the command that installs them; empty if nothing is missing.
    """

    name: str
    missing: list[str]
    fix: str

    @property
    def works(self) -> bool:
        return not self.missing


def server_states(names: Iterable[str] | None = None) -> list[ServerState]:
    """Find the state of the named servers, by default of all."""
    return [_server_state(name) for name in (server_names() if names is None else names)]


@cache
def list_programs() -> tuple[Program, ...]:
    """List the programs that servers declare to call."""
    needs = {server: needs_of(server) for server in server_names()}
    return tuple(
        Program(name, package, tuple(needed), "; ".join(f"{server}: {what}" for server, what in needed.items()))
        for name, package in _PACKAGES.items()
        if (needed := {server: own[name] for server, own in needs.items() if name in own})
    )


def needed_packages(servers: Iterable[str]) -> list[str]:
    """List the Debian and Ubuntu packages with the programs of the `servers`, each once, in name order.

    Bubblewrap is always among them, since readers of files and graders run in its sandbox.
    """
    needed_servers = set(servers)
    called = (
        program for program in list_programs() if program.name == "bwrap" or needed_servers & set(program.servers)
    )
    needed = (program.package.split() for program in called)
    return sorted({package for packages in needed for package in packages})


def needed_extras(servers: Iterable[str]) -> list[str]:
    """List the distribution's extras with the Python packages of the `servers`; some servers need none."""
    return [server for server in servers if server in read_extras()]


def needs_of(server: str) -> dict[str, str]:
    """Map each executable to the part of the server that does not work without it."""
    needed: dict[str, str] = getattr(importlib.import_module(f"yardkit.servers.{server}"), "PROGRAMS", {})
    return needed


def program_states() -> list[ProgramState]:
    """Find the state of every program that a server calls."""
    return [_program_state(program) for program in list_programs()]


@cache
def _is_installed(module: str) -> bool:
    return find_spec(module) is not None


def _server_state(name: str) -> ServerState:
    missing = [requirement for module, requirement in read_extras().get(name, {}).items() if not _is_installed(module)]
    return ServerState(name, missing, f"pip install 'yardkit[{name}]'" if missing else "")


def _program_state(program: Program) -> ProgramState:
    path = _FINDERS.get(program.name, shutil.which)(program.name)
    if path is None:
        return ProgramState(program, works=False, detail="not found", fix=f"sudo apt-get install {program.package}")
    works, detail, fix = _PROBES[program.name](path)
    return ProgramState(program, works, f"{path}, {detail}", "" if works else fix)


def _probe_bwrap(_path: str) -> tuple[bool, str, str]:
    """Run a line of code in the isolated runner itself, which is more reliable than checking kernel settings."""
    with tempfile.TemporaryDirectory() as workspace, tempfile.TemporaryDirectory() as collect:
        try:
            run = run_python("print('inside')", workspace=Path(workspace), collect=Path(collect))
        except Problem as problem:
            return False, str(problem).partition(";")[0], _allow_namespaces()
    if run.exit_code == 0 and run.stdout == "inside\n":
        return True, "runs code in isolation", ""
    return False, f"code fails in it: {run.stderr.strip() or f'exit code {run.exit_code}'}", _allow_namespaces()


def _allow_namespaces() -> str:
    """Say how to allow bubblewrap user namespaces, by the setting that forbids them here, if there is one."""
    for setting, forbidding, allowing in _SWITCHES:
        switch = Path("/proc/sys") / setting.replace(".", "/")
        if switch.is_file() and switch.read_text("ascii").strip() == forbidding:
            return f"sudo sysctl -w {setting}={allowing}"
    return "allow user namespaces; in Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined"


def _probe_tesseract(path: str) -> tuple[bool, str, str]:
    result = _run_command([path, "--list-langs"])
    languages = [line.strip() for line in result.stdout.splitlines()[1:] if line.strip() not in ("", "osd")]
    if result.returncode == 0 and languages:
        return True, f"languages: {', '.join(languages)} (more: sudo apt-get install tesseract-ocr-LANG)", ""
    return False, "no language pack", "sudo apt-get install tesseract-ocr-eng"


def _probe_chromium(path: str) -> tuple[bool, str, str]:
    result = _run_command([path, "--version"])
    return result.returncode == 0, result.stdout.strip() or result.stderr.strip()[:200], "reinstall chromium"


def _probe_espeak(path: str) -> tuple[bool, str, str]:
    result = _run_command([path, "--version"])
    version = result.stdout.partition("Data at")[0].strip()
    return result.returncode == 0, version or result.stderr.strip()[:200], "reinstall espeak-ng"


def _probe_fluidsynth(path: str) -> tuple[bool, str, str]:
    result = _run_command([path, "--version"])
    version = result.stdout.partition("\n")[0].strip()
    return result.returncode == 0, version or result.stderr.strip()[:200], "reinstall fluidsynth"


def _probe_soffice(path: str) -> tuple[bool, str, str]:
    try:
        find_python()
    except Unavailable as problem:
        return False, str(problem).partition(";")[0], "sudo apt-get install python3-uno"
    result = _run_command([path, "--version"])
    return result.returncode == 0, result.stdout.strip() or result.stderr.strip()[:200], "reinstall LibreOffice"


def _probe_git(path: str) -> tuple[bool, str, str]:
    result = _run_command([path, "--version"])
    return result.returncode == 0, result.stdout.strip() or result.stderr.strip()[:200], "reinstall git"


_PROBES = {
    "bwrap": _probe_bwrap,
    "chromium": _probe_chromium,
    "espeak-ng": _probe_espeak,
    "fluidsynth": _probe_fluidsynth,
    "git": _probe_git,
    "soffice": _probe_soffice,
    "tesseract": _probe_tesseract,
}


def _ignore_name(find: Callable[[], str]) -> Callable[[str], str | None]:
    def look(_name: str) -> str | None:
        try:
            return find()
        except Unavailable:
            return None

    return look


_FINDERS = {"chromium": _ignore_name(find_chromium), "soffice": _ignore_name(find_office)}
"""Programs that have several names and places."""


def _run_command(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - our own fixed commands
            command, capture_output=True, text=True, timeout=_PROBE_S, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, returncode=-1, stdout="", stderr=str(error))
