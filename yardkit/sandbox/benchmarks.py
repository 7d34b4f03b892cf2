"""What published benchmarks add to the sandbox, found in their folders below ``yardkit/benchmarks``.

A benchmark is a package. ``COMMAND`` in it is one line of help for the command of its name, which ``commands`` has; a
``broken_chains`` module explains failed runs. Nothing here knows a benchmark by name, so deleting its folder is enough
to drop it.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import yardkit

_PACKAGE = "yardkit.benchmarks"
_FOLDER = Path(yardkit.__file__).parent / "benchmarks"


@cache
def map_commands() -> dict[str, str]:
    """Map the commands of benchmarks to their lines of help, in name order."""
    names = sorted(path.parent.name for path in _FOLDER.glob("*/__init__.py"))
    return {name: import_module(f"{_PACKAGE}.{name}").COMMAND for name in names}


def load_commands(name: str) -> ModuleType:
    """Import the module of a benchmark's command, with ``add`` and ``run``."""
    return import_module(f"{_PACKAGE}.{name}.commands")


@cache
def load_chain_breaks() -> list[ModuleType]:
    """Import the modules that explain how chains of failed runs broke, with ``KINDS`` and ``break_of``."""
    names = sorted(path.parent.name for path in _FOLDER.glob("*/broken_chains.py"))
    return [import_module(f"{_PACKAGE}.{name}.broken_chains") for name in names]
