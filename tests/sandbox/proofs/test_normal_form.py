"""The normal form of code: the same on every Python, and for every way to write the same."""

import ast
import hashlib

import pytest

from yardkit.sandbox.proofs.normal_form import normal_form, strip_prose

SAMPLE = '''
"""A module."""
from __future__ import annotations

import json as j


@cache
async def work(first, /, *rest: int, key="a" "b", **more) -> None:
    """Work."""
    with (open("a") as a, open("b") as b):
        print(f"{first!r:>{key}} and {rest=}" " more " f"{key:}{{}}", b"x", 1e100, 3j, ..., None, *rest, **more)
    text = "\\U0001fae8"
    match first:
        case {"a": [1, *others], **left} | None:
            return {**more, 1: others[1:2, ...]}
        case Point(x=0) if (y := left):
            yield y
    try:
        pass
    except* (ValueError, TypeError) as errors:
        raise errors from None
    lambda a, *, b=1: [c async for c in a if not b]


class A(B, metaclass=C):
    field: int = 0
    """A field."""
'''


def normalize_code(text: str) -> str:
    return normal_form(strip_prose(ast.parse(text)))


def test_the_normal_form_of_a_sample_is_the_same_on_every_python() -> None:
    assert hashlib.sha256(normalize_code(SAMPLE).encode()).hexdigest()[:16] == "64411b4a69c1e13a"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x = 'a' 'b'", 'x = "ab"'),
        ("x = f'a{y}' 'b' f'c'", "x = f'a{y}bc'"),
        ("def f():\n    'Text.'\n    return 1", "def f(): return (1)  # why"),
        ("def f(): ...", "def f():\n    'Text.'"),
        ("x = [1,\n 2]", "x = [1, 2]"),
        ("x: A = Field(description='a' + B, ge=1)", "x: A = Field(ge=1)"),
        ("@server.tool(title='A', name='b')\ndef f(): pass", "@server.tool(name='b')\ndef f(): pass"),
        ("mcp = FastMCP('a', instructions='Say.')", "mcp = FastMCP('a')"),
    ],
)
def test_what_does_the_same_has_one_normal_form(left: str, right: str) -> None:
    assert normalize_code(left) == normalize_code(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x = 1", "x = True"),
        ("x = 1", "x = 1.0"),
        ("x = 'a'", "x = b'a'"),
        ("x = f'{y}'", "x = f'{y!r}'"),
        ("f(x)", "f(*x)"),
        ("return_ = None", "return_ = ..."),
        ("x = Column(description='a')", "x = Column(description='b')"),
        ("{**a, 1: b}", "{None: a, 1: b}"),
        ("def f(a, /): pass", "def f(a): pass"),
    ],
)
def test_what_does_something_else_has_another(left: str, right: str) -> None:
    assert normalize_code(left) != normalize_code(right)
