"""One LibreOffice as a supervised process: jailed, watched, killed at its time limit, gone with its parent."""

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from toolyard.servers.pages.fontconfig import write_config
from toolyard.world import Unavailable
from toolyard.world.fonts import FONT_DIR
from toolyard.world.tree import remove_tree

_WORKER = Path(__file__).with_name("worker.py")
_START_S = 90.0
_TICK_S = 0.25
MAX_MEMORY_BYTES = 4_000_000_000
"""Memory that LibreOffice may hold during a job."""
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
{}
</oor:items>
"""
_SETTINGS = (
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Misc", "UseLocking", "false"),
    ("Common/Misc", "CrashReport", "false"),
    ("Common/Save/Document", "CreateBackup", "false"),
    ("Common/Save/Document", "AutoSave", "false"),
    ("Calc/Content/Update", "Link", "1"),
    ("Calc/Formula/Load", "OOXMLRecalcMode", "0"),
    ("Calc/Formula/Load", "ODFRecalcMode", "0"),
    ("Writer/Content/Update", "Link", "0"),
    ("Writer/Content/Update", "Field", "false"),
    ("Writer/Content/Update", "Chart", "false"),
    ("Inet/Settings", "ooInetProxyType", "1"),
    ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPSProxyPort", "9"),
)
"""No macros, no links followed, no network (a proxy that does not exist), formulas always computed anew."""


class Gone(Exception):
    """LibreOffice died in the middle of a job."""


class Overrun(Exception):
    """A job took more than it may; the words say what of."""


class OfficeProcess:
    """A started LibreOffice. `ask` gives it one job at a time; after `Gone` or `Overrun` it is of no more use."""

    def __init__(self) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="toolyard-office-"))
        self.documents = self.base / "documents"
        self.parent, self.jobs, self._buffer = os.getpid(), 0, b""
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - closed in stop
        try:
            prepare(self.base)
            self.process = subprocess.Popen(  # noqa: S603 - our own command
                _command(self.base),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._words,
                start_new_session=True,
                env=_environment(self.base),
            )
            self._await(_START_S)
        except (Gone, Overrun) as error:
            self._words.seek(0)
            words = self._words.read().decode("utf-8", "replace").strip()[-400:]
            self.stop()
            raise Unavailable(
                f"LibreOffice does not start here ({words or error}); check `soffice --version`"
            ) from None
        except BaseException:
            remove_tree(self.base)
            raise

    def usable(self) -> bool:
        return self.parent == os.getpid() and self.process.poll() is None

    def ask(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a job.

        Raises:
            Gone: LibreOffice died.
            Overrun: it took longer than `seconds`, or more memory than it may.
        """
        self.jobs += 1
        assert self.process.stdin is not None  # noqa: S101 - asked for above
        try:
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise Gone from None
        return self._await(seconds)

    def _await(self, seconds: float) -> dict[str, Any]:
        assert self.process.stdout is not None  # noqa: S101 - asked for above
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Overrun(f"{seconds:g} s")
                if selector.select(min(left, _TICK_S)):
                    chunk = os.read(self.process.stdout.fileno(), 1 << 16)
                    if not chunk:
                        raise Gone
                    self._buffer += chunk
                elif self.memory_bytes() > MAX_MEMORY_BYTES:
                    raise Overrun(f"{MAX_MEMORY_BYTES:,} bytes of memory")
        line, _, self._buffer = self._buffer.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def memory_bytes(self) -> int:
        """Resident memory of all its processes."""
        return sum(_resident(pid) for pid in self.pids())

    def pids(self) -> list[int]:
        """The processes of its session: all that was started."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError, IndexError):
                words = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
                if int(words[3]) == self.process.pid:
                    found.append(int(entry.name))
        return found

    def stop(self) -> None:
        """Kill all its processes and remove its directory. In a forked child only the pipes are closed."""
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None  # noqa: S101 - asked for above
                pipe.close()
        self._words.close()
        if self.parent == os.getpid():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            remove_tree(self.base)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def prepare(base: Path) -> None:
    """Fill the directory of one LibreOffice: profile, fonts, documents."""
    user = base / "profile" / "user"
    for directory in (user, base / "documents", base / "home"):
        directory.mkdir(parents=True)
    lines = (
        f'<item oor:path="/org.openoffice.{"" if path.startswith("Inet") else "Office."}{path}">'
        f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for path, name, value in _SETTINGS
    )
    (user / "registrymodifications.xcu").write_text(_PROFILE.format("\n".join(lines)), "utf-8")
    write_config(base)


def _environment(base: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(base / "home"),
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
        "FONTCONFIG_FILE": str(base / "fonts.conf"),
    }


def _command(base: Path) -> list[str]:
    """The shell only waits: it removes the directory when the rest has ended, also after our own death."""
    worker = [find_python(), "-I", "-B", str(_WORKER), str(base), find_program()]
    return ["/bin/sh", "-c", '"$@"; rm -rf -- "$0"', str(base), *_jail(base), *worker]


def _jail(base: Path) -> list[str]:
    """The bubblewrap command in front, without network and files of others; nothing where it does not work."""
    bwrap = shutil.which("bwrap")
    if bwrap is None or not _jails(bwrap):
        return []
    places = ["/usr", "/opt", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc", "/var/cache/fontconfig", "/snap"]
    own = {str(Path(find_program()).parent.parent), str(FONT_DIR), str(_WORKER.parent), str(Path(find_python()).parent)}
    mounts = [part for place in (*places, *sorted(own)) for part in ("--ro-bind-try", place, place)]
    return [
        *(bwrap, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev"),  # noqa: S108 - private
        *mounts,
        *("--bind", str(base), str(base), "--chdir", str(base), "--"),
    ]


@cache
def _jails(bwrap: str) -> bool:
    """Whether this machine lets bubblewrap make namespaces."""
    command = [bwrap, "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true"]
    return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0  # noqa: S603


@cache
def find_program() -> str:
    """The path of LibreOffice.

    Raises:
        Unavailable: it is not installed.
    """
    patterns = ("/opt/libreoffice*/program/soffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
    places = (str(path) for pattern in patterns for path in sorted(Path("/").glob(pattern[1:]), reverse=True))
    found = next(filter(None, (shutil.which("soffice"), shutil.which("libreoffice"), *places)), None)
    if found is None:
        raise Unavailable(
            "LibreOffice is not installed; `apt-get install libreoffice-writer libreoffice-calc libreoffice-impress "
            "python3-uno` brings what pages of office files need"
        )
    program = Path(os.path.realpath(found))
    binary = program.with_name("soffice.bin")
    return str(binary if binary.is_file() else program)


@cache
def find_python() -> str:
    """A Python that can ``import uno``: LibreOffice's own, that of the system, or this one.

    Raises:
        Unavailable: there is none.
    """
    own = Path(find_program()).with_name("python")
    for python in (str(own), "/usr/bin/python3", shutil.which("python3") or "", sys.executable):
        if Path(python).is_file() and os.access(python, os.X_OK):
            checked = subprocess.run([python, "-I", "-c", "import uno"], capture_output=True, timeout=30, check=False)  # noqa: S603
            if checked.returncode == 0:
                return python
    raise Unavailable("no Python here can drive LibreOffice; `apt-get install python3-uno` brings its module `uno`")
