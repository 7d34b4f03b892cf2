"""Programs from npm, at fixed versions, on the version of Node that they need."""

import re
import subprocess
from pathlib import Path

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def run_npx(package: str, program: str, *arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run `program` of `package`; stderr is joined to its output only when npm itself failed to start it."""
    command = ["npx", "-y", "--prefer-offline", "-p", "node@22", "-p", package, "--", program, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=280, cwd=cwd, stdin=subprocess.DEVNULL)
    result.stdout = _COLOURS.sub("", result.stdout)
    return result
