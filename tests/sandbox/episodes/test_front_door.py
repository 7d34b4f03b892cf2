"""``import yardkit``: what stands at its front door."""

import ast
import importlib
from pathlib import Path

import yardkit


def test_type_checkers_are_told_the_names_that_python_finds() -> None:
    stub = ast.parse(Path(yardkit.__file__).with_suffix(".pyi").read_text("utf-8"))
    stub_names = [
        (node.module, name.name) for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names
    ]
    assert sorted(name for _, name in stub_names) == sorted(vars(yardkit)["__all__"])
    for module, name in stub_names:
        assert getattr(yardkit, name) is getattr(importlib.import_module(str(module)), name)
