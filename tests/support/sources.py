"""What stands in a file of tests, and below it in those of the tests that it uses."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """The name of its folder, its files, what they import and what they say."""

    folder: str
    files: frozenset[Path]
    imports: frozenset[str]
    words: frozenset[str]
    """Texts, and names of functions as ``name()``."""

    @property
    def walks(self) -> bool:
        """Whether its tests are made from the folder listing of the servers."""
        return "yardkit.servers" in self.imports


def read_test(path: Path, tests: Path) -> Source:
    """A file of tests with the conftests above it and the helpers that it uses."""
    files, waiting = set[Path](), [path, *(folder / "conftest.py" for folder in path.parents if folder != tests)]
    while waiting:
        file = waiting.pop()
        if file not in files and file.is_relative_to(tests) and file.is_file():
            files.add(file)
            local = [name.replace(".", "/") + ".py" for name in _read_imports(file)[0]]
            waiting += [folder / name for name in local for folder in (file.parent, tests)]
    imports, words = zip(*map(_read_imports, files), strict=True)
    return Source(path.parent.name, frozenset(files), frozenset().union(*imports), frozenset().union(*words))


@cache
def _read_imports(file: Path) -> tuple[set[str], set[str]]:
    imports, words = set[str](), set[str]()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.add(node.value)
        elif isinstance(node, ast.Name):
            words.add(f"{node.id}()")
        elif isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return imports, words
