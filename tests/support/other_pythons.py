"""Other Pythons of this machine, and what a script prints there that seeds: the same, if seeds are what they say."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
OTHER_PYTHONS = [
    path for minor in (12, 13) for path in sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))
]
_BEGIN = """
import sys, types
sys.path.insert(0, sys.argv[1])
sys.path.append(sys.argv[2])  # packages of pure Python
paths = types.ModuleType("yardkit.world.paths")  # it needs a compiled package, and takes no part in seeding
for name in ("AnyEntry", "FileRef", "InDir", "InEntry", "InFile", "InPath", "OutDir", "OutEntry", "OutFile"):
    setattr(paths, name, object)
sys.modules["yardkit.world.paths"] = paths
"""


def printed_by(python: Path | str, script: str, packages: Path | str = "") -> str:
    """What a script prints that imports from `yardkit.state_init`; `packages` is a folder of more packages."""
    run = subprocess.run(
        [python, "-c", _BEGIN + script, ROOT, packages], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
