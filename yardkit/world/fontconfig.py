"""The fonts for LibreOffice and Chromium: those of the system and the bundled ones, so that text is never boxes.

Servers and graders start them with the same fonts, since other fonts would break lines and pages elsewhere.
"""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from yardkit.world.fonts import CJK_FAMILY, FAMILIES, FONT_DIR

_STAND_INS = {
    "Calibri": "Carlito",
    "Cambria": "Caladea",
    "Arial": "Liberation Sans",
    "Helvetica": "Liberation Sans",
    "Times New Roman": "Liberation Serif",
    "Times": "Liberation Serif",
    "Courier New": "Liberation Mono",
    "Courier": "Liberation Mono",
    "Consolas": "DejaVu Sans Mono",
    "Comic Sans MS": "Comic Neue",
}
"""Families with a bundled one of the same widths or nearly the same look."""
_GENERIC = {"sans-serif": "Liberation Sans", "serif": "Liberation Serif", "monospace": "Liberation Mono"}
_REGULAR = 80
"""The weight of regular letters in fontconfig's numbers."""


def write_config(directory: Path) -> Path:
    """Write a fontconfig file with its cache below `directory` and return it (for ``FONTCONFIG_FILE``)."""
    aliases = [_write_alias(family, [stand_in], "same") for family, stand_in in _STAND_INS.items()]
    aliases += [
        _write_alias(generic, [family, "DejaVu Sans", CJK_FAMILY], "weak") for generic, family in _GENERIC.items()
    ]
    path = directory / "fonts.conf"
    text = "".join(
        (
            '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n',
            # The first writable cache is written to; the system's cache, which is often ready, is also read.
            f"<dir>{escape(str(FONT_DIR))}</dir>\n<cachedir>{escape(str(directory / 'fontcache'))}</cachedir>\n",
            '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>\n',
            *aliases,
            "</fontconfig>\n",
        )
    )
    path.write_text(text, "utf-8")
    return path


def _write_alias(family: str, preferred: list[str], binding: str) -> str:
    names = "".join(f"<family>{escape(name)}</family>" for name in preferred)
    where = "prefer" if binding == "weak" else "accept"
    return f'<alias binding="{binding}"><family>{family}</family><{where}>{names}</{where}></alias>\n'


@cache
def installed_families() -> dict[str, str]:
    """Map names in lower case without spaces to the families of the system and the bundled ones."""
    names = [*FAMILIES]
    lines = _ask_fontconfig("fc-list", ":", "family").splitlines()
    names += [name.strip().replace("\\", "") for line in lines for name in line.split(",")]
    return {squeeze_name(name): name for name in reversed(names)}


def files_with(char: str) -> list[Path]:
    """List the system's TrueType files with a monochrome glyph for a character, upright regular ones first."""
    pattern = f":charset={ord(char):x}:fontformat=TrueType:color=False:variable=False:index=0"
    lines = [
        line.split(" ", 2)
        for line in _ask_fontconfig("fc-list", pattern, "-f", "%{slant} %{weight} %{file}\n").splitlines()
    ]
    font_files = sorted((int(slant), abs(int(float(weight)) - _REGULAR), file) for slant, weight, file in lines)
    return [Path(file) for _, _, file in font_files]


def match_file(family: str, bold: bool, italic: bool) -> str:
    """Find the system's font file that stands for a family; empty if there is none."""
    if not family or any(mark in family for mark in ":,-\\"):
        return ""
    file = _ask_fontconfig(
        "fc-match", "-f", "%{file}", f"{family}:weight={200 if bold else 80}:slant={100 if italic else 0}"
    )
    return file if file.lower().endswith((".ttf", ".otf", ".ttc")) else ""


def _ask_fontconfig(tool: str, *arguments: str) -> str:
    """Ask a tool of fontconfig; empty where it is not installed or fails."""
    program = shutil.which(tool)
    if program is None:
        return ""
    done = subprocess.run([program, *arguments], capture_output=True, timeout=20, check=False)  # noqa: S603
    return "" if done.returncode else done.stdout.decode("utf-8", "replace")


def squeeze_name(family: str) -> str:
    """Convert a family's name to lower case without spaces, since font files and documents differ in both."""
    return family.lower().replace(" ", "")


def same_widths(family: str, other: str) -> bool:
    """Whether `other` is a metric-compatible substitute of `family`, so that lines break at the same words."""
    return _STAND_INS.get(family) == other and family not in ("Consolas", "Comic Sans MS")
