"""Starting the LibreOffice of the servers: its settings and its driver."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from yardkit.programs.office import (
    Setting,
    find_office,
    find_office_binary,
    office_environment,
    office_jail,
    prepare_office,
)
from yardkit.programs.worker import WorkerProcess
from yardkit.world import Unavailable

_WORKER = Path(__file__).with_name("worker.py")
_SETTINGS: tuple[Setting, ...] = (
    ("Office.Common/Misc", "UseLocking", "false"),
    ("Office.Common/Misc", "CrashReport", "false"),
    ("Office.Common/Save/Document", "CreateBackup", "false"),
    ("Office.Common/Save/Document", "AutoSave", "false"),
    ("Office.Calc/Formula/Load", "OOXMLRecalcMode", "0"),
    ("Office.Calc/Formula/Load", "ODFRecalcMode", "0"),
    ("Office.Writer/Content/Update", "Field", "false"),
    ("Office.Writer/Content/Update", "Chart", "false"),
)
"""Formulas are always computed anew; nothing else is done that was not asked for."""


def start_office() -> WorkerProcess:
    """Start a separate LibreOffice.

    Raises:
        Unavailable: it is not installed or does not start.
    """
    jail = office_jail(str(Path(find_python()).parent))
    return WorkerProcess("LibreOffice", _build_command, office_environment, jail=jail)


def _build_command(base: Path) -> list[str]:
    prepare_office(base, _SETTINGS)
    (base / "documents").mkdir()
    shutil.copyfile(_WORKER, base / _WORKER.name)
    return [find_python(), "-I", "-B", str(base / _WORKER.name), str(base), find_office_binary()]


@cache
def find_python() -> str:
    """Find a Python that can ``import uno``: LibreOffice's own, the system's, or this one.

    Raises:
        Unavailable: there is none.
    """
    own = Path(find_office()).with_name("python")
    for python in (str(own), "/usr/bin/python3", shutil.which("python3") or "", sys.executable):
        if Path(python).is_file() and os.access(python, os.X_OK):
            checked = subprocess.run([python, "-I", "-c", "import uno"], capture_output=True, timeout=30, check=False)  # noqa: S603
            if checked.returncode == 0:
                return python
    raise Unavailable("no Python here can drive LibreOffice; `apt-get install python3-uno` brings its module `uno`")
