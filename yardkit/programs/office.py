"""LibreOffice in a sandbox, for servers and graders: its path, its settings, and the visible parts of the machine."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from yardkit.programs.jail import Jail
from yardkit.world import Unavailable
from yardkit.world.fontconfig import write_config
from yardkit.world.fonts import FONT_DIR

Setting = tuple[str, str, str]
"""Where a setting of LibreOffice stands, its name, its value."""
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
{}
</oor:items>
"""
_SAFE: tuple[Setting, ...] = (
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Calc/Content/Update", "Link", "1"),
    ("Office.Writer/Content/Update", "Link", "0"),
    ("Inet/Settings", "ooInetProxyType", "1"),
    ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPSProxyPort", "9"),
)
"""No macros, no links followed, no network (a proxy that does not exist), whatever the jail forbids anyway."""


def prepare_office(base: Path, settings: Iterable[Setting] = ()) -> None:
    """Fill the directory `base` of one LibreOffice: a profile with safe and further settings, a home, its fonts."""
    user = base / "profile" / "user"
    for directory in (user, base / "home"):
        directory.mkdir(parents=True)
    lines = (
        f'<item oor:path="/org.openoffice.{path}">'
        f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for path, name, value in (*_SAFE, *settings)
    )
    (user / "registrymodifications.xcu").write_text(_PROFILE.format("\n".join(lines)), "utf-8")
    write_config(base)


def office_environment(base: Path) -> dict[str, str]:
    """Build the complete environment of a LibreOffice whose directory is `base`."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(base / "home"),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SAL_USE_VCLPLUGIN": "svp",
        "FONTCONFIG_FILE": str(base / "fonts.conf"),
    }


def office_jail(*visible_paths: str) -> Jail:
    """Make the jail of a LibreOffice: it sees itself, its fonts and the `shown` paths."""
    own = Path(find_office()).parent.parent
    return Jail(read_only_paths=tuple(dict.fromkeys((str(own), str(FONT_DIR), *visible_paths))))


def find_office() -> str:
    """Find the launcher of LibreOffice, which restarts it as often as it requests.

    Raises:
        Unavailable: it is not installed.
    """
    patterns = ("/opt/libreoffice*/program/soffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
    places = (str(path) for pattern in patterns for path in sorted(Path("/").glob(pattern[1:]), reverse=True))
    office_path = next(filter(None, (shutil.which("soffice"), shutil.which("libreoffice"), *places)), None)
    if office_path is None:
        raise Unavailable(
            "LibreOffice is not installed; `apt-get install libreoffice-writer libreoffice-calc libreoffice-impress "
            "python3-uno` brings what pages of office files need"
        )
    return os.path.realpath(office_path)


def find_office_binary() -> str:
    """Find the binary of LibreOffice itself, which exits when it wants to be restarted.

    Raises:
        Unavailable: it is not installed.
    """
    binary = Path(find_office()).with_name("soffice.bin")
    return str(binary) if binary.is_file() else find_office()
