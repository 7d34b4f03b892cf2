"""How LibreOffice is found and started: its profile, its jail, its driver."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from toolyard.programs.jail import Jail
from toolyard.programs.worker import WorkerProcess
from toolyard.world import Unavailable
from toolyard.world.fontconfig import write_config
from toolyard.world.fonts import FONT_DIR

_WORKER = Path(__file__).with_name("worker.py")
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


def start_office() -> WorkerProcess:
    """A LibreOffice of its own.

    Raises:
        Unavailable: it is not installed or does not start.
    """
    find_python()
    return WorkerProcess("LibreOffice", _command, _environment, jail=Jail(shown=_shown()))


def _prepare(base: Path) -> None:
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
    _prepare(base)
    return [find_python(), "-I", "-B", str(_WORKER), str(base), find_program()]


def _shown() -> tuple[str, ...]:
    system = ("/usr", "/opt", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc", "/var/cache/fontconfig")
    own = {str(Path(find_program()).parent.parent), str(FONT_DIR), str(_WORKER.parent), str(Path(find_python()).parent)}
    return (*system, *sorted(own))


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
