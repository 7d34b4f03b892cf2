"""Programs that only drills marked `live` meet."""

import os
import shutil
from pathlib import Path

import pytest


def needed_program(name: str, *folders: Path) -> str:
    """The path of a program, looked for in these folders, too; without it the test fails."""
    program_path = shutil.which(name, path=os.pathsep.join([*map(str, folders), os.environ.get("PATH", os.defpath)]))
    return program_path or pytest.fail(f"{name} is not installed; `make live` installs it", pytrace=False)
