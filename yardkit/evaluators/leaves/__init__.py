"""Ready checkpoints: each is a leaf with its check, its evidence and the targets that it covers.

A task declares its tables (`Table`: the place, the columns and their kinds, the key of rows, the true rows) and
combines leaves. It only writes the leaf that is its special point by hand.

A module is loaded when the first of its names is used: the grader of a mail does not load the readers of films.
`__init__.pyi` says where each name stands.
"""

import importlib
import re
from pathlib import Path
from typing import Any

_STUB = Path(__file__).with_suffix(".pyi").read_text("utf-8")
_HOMES = {
    name: module
    for module, names in re.findall(r"^from (\S+) import (\([^)]*|.*)", _STUB, re.MULTILINE)
    for name in re.findall(r"\w+", names)
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
