"""What sources are named with: a name says what it stands for."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import yardkit

ROOMS = Path(yardkit.__file__).parent
MAY_BE = re.compile(r"\bfor\b[^\n]*\beach\b[^\n]* in |\blambda\b[^\n]*\beach\b")
"""What is worth parsing: that takes a second for each million letters."""


def loop_variables(source: str) -> Iterator[tuple[int, str]]:
    """The line and the name of each variable of a loop, a comprehension or a function without a name."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                names = (name for name in ast.walk(node.target) if isinstance(name, ast.Name))
                yield from ((name.lineno, name.id) for name in names)
            case ast.Lambda():
                yield from ((argument.lineno, argument.arg) for argument in node.args.args)


@pytest.mark.parametrize(
    "source",
    [
        "for each in shelves:\n    put(each)",
        "found = [each for shelf in shelves for each in shelf]",
        "found = {number: each for number, each in enumerate(shelves)}",
        "found = sorted(shelves, key=lambda each: each.height)",
    ],
)
def test_a_loop_variable_is_found_wherever_it_stands(source: str) -> None:
    assert (1, "each") in loop_variables(source)


def test_loop_variables_are_named_after_the_thing() -> None:
    sources = {path: path.read_text("utf-8") for path in sorted(ROOMS.rglob("*.py"))}
    nameless = [
        f"{path.relative_to(ROOMS)}:{line}"
        for path, source in sources.items()
        if MAY_BE.search(source)
        for line, name in loop_variables(source)
        if name == "each"
    ]
    assert nameless == [], "say what it is: a row, a page, a name"
