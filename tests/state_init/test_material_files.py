import importlib
import pkgutil
from pathlib import Path

import pytest

from yardkit import state_init

MODULES = [module.name for module in pkgutil.walk_packages(state_init.__path__, "yardkit.state_init.")]


@pytest.mark.parametrize("suite", sorted({name.split(".")[2] for name in MODULES}))
def test_the_files_and_folders_that_seeds_name_are_there(suite: str) -> None:
    named_files = [
        value
        for name in MODULES
        if name.split(".")[2] == suite
        for value in vars(importlib.import_module(name)).values()
        if isinstance(value, Path)
    ]
    assert [path for path in named_files if not path.exists()] == []
