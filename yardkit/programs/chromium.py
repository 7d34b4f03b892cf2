"""Chromium in a sandbox, for servers and graders: its path, its command, and the visible parts of the machine."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from yardkit.programs.jail import Jail, is_usable, python_paths
from yardkit.world import Unavailable
from yardkit.world.fontconfig import write_config
from yardkit.world.fonts import FONT_DIR

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--font-render-hinting=none",
    "--hide-scrollbars",
)


def browser_command(base: Path, driver: Path, *beside: Path) -> list[str]:
    """Fill the directory `base` and return the command that runs our driver of Chromium in it.

    The driver is called with `base`, the path of Chromium and Chromium's arguments; files `beside` it are copied, too.

    Raises:
        Unavailable: Chromium or playwright is not installed.
    """
    if find_spec("playwright") is None:
        raise Unavailable("the package 'playwright' is not installed; `pip install 'yardkit[html]'` brings it")
    (base / "home").mkdir()
    write_config(base)
    (base / "driver").mkdir()
    for path in (driver, *beside):
        shutil.copyfile(path, base / "driver" / path.name)
    return [sys.executable, "-P", "-B", str(base / "driver" / driver.name), str(base), find_chromium(), *_ARGUMENTS]


def browser_environment(base: Path) -> dict[str, str]:
    """Build the complete environment of Chromium and its driver, whose directory is `base`."""
    home = str(base / "home")
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        # Chromium puts a socket there, and the paths of sockets are limited in length.
        "TMPDIR": "/tmp" if is_usable() else str(base),  # noqa: S108 - that of the jail
        "XDG_CONFIG_HOME": home,
        "XDG_CACHE_HOME": home,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "FONTCONFIG_FILE": str(base / "fonts.conf"),
        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1",
    }


def browser_jail(*visible_paths: str) -> Jail:
    """Make the jail of Chromium and its driver: they see themselves, the fonts and the `shown` paths."""
    own = Path(find_chromium()).resolve().parent
    return Jail(read_only_paths=tuple(dict.fromkeys((*python_paths(), str(own), str(FONT_DIR), *visible_paths))))


def find_chromium() -> str:
    """Find Chromium, Chrome or Edge.

    Raises:
        Unavailable: none is installed.
    """
    program_path = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program_path is None:
        raise Unavailable(
            "no Chromium or Chrome is installed; `apt-get install chromium` brings the browser that pages are shown in"
        )
    return program_path
