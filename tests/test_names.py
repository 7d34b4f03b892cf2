"""Names in the sources: a variable is named after the thing, a function after what it does to which object."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
VAGUE = frozenset(
    """alike apart bystander bystanders collateral each fold folded found held kept lacking made mend mended odd one
    plain said say saying shown spoil spoiled spoilt stray tell tells told twin wanted weave whole woven""".split()  # noqa: SIM905
)
"""Words that are no names: they say that something happened, and not to what. docs/glossary.md has better ones."""
VERBS = frozenset(
    """add call close delete draw fail fill list load main move open parse pick print read render run save seed serve
    solve start stop tool visit walk write""".split()  # noqa: SIM905
)
"""Functions of a module that may have one word: plain verbs, and contracts. `solve` is the contract of a proof; `tool`
is FastMCP's name of the decorator.
"""
FOLDERS = ("yardkit", "tests", "bench")
FOREIGN = "yardkit/compat"
"""Its functions have the names of other suites' tools."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def list_source_names(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, name and kind of what a source names: "function" (of a module), "method" or "variable"."""
    module = ast.parse(source)
    top = {id(node) for node in module.body}
    for node in ast.walk(module):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not _is_fixture(node):
                yield node.lineno, node.name, "function" if id(node) in top else "method"
            case ast.arg():
                yield node.lineno, node.arg, "variable"
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id, "variable"


def _is_fixture(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Fixtures of pytest are nouns: they stand for what they return."""
    return any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)


def is_vague(name: str, kind: str) -> bool:
    """Whether a name says nothing: a vague word, or a function of a module that is one word and no known verb."""
    bare = name.strip("_").lower()
    is_foreign = name[:1].isupper()  # ruff allows such names of functions only for the tools of other suites
    one_word = kind == "function" and "_" not in bare and not name.startswith("__") and not is_foreign
    return bare in VAGUE or (one_word and bare not in VERBS)


def vague_names(path: Path) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for line, name, kind in list_source_names(path.read_text("utf-8"))
        if is_vague(name, kind) and not (kind == "function" and path.is_relative_to(ROOT / FOREIGN))
    ]


@pytest.mark.parametrize(
    "source",
    [
        "for each in shelves:\n    put(each)",
        "copies = [one for shelf in shelves for one in shelf]",
        "copies = {number: one for number, one in enumerate(shelves)}",
        "copies = sorted(shelves, key=lambda one: one.height)",
        "def read_shelf(kept: int) -> None: ...",
        "def told() -> None: ...",
        "def shelves() -> None: ...",
        "class Shelf:\n    def said(self) -> None: ...",
    ],
)
def test_a_vague_name_is_found_wherever_it_stands(source: str) -> None:
    assert any(is_vague(name, kind) for _, name, kind in list_source_names(source))


@pytest.mark.parametrize(
    "source",
    [
        "for shelf in shelves:\n    put(shelf)",
        "def read_shelf(height: int) -> None: ...",
        "def solve(agent: object) -> None: ...",
        "class Shelf:\n    def height(self) -> None: ...",
        "@pytest.fixture\ndef shelf() -> None: ...",
    ],
)
def test_names_of_things_and_of_what_is_done_are_left_alone(source: str) -> None:
    assert not any(is_vague(name, kind) for _, name, kind in list_source_names(source))


def test_no_name_is_vague() -> None:
    assert [
        name for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")) for name in vague_names(path)
    ] == []
