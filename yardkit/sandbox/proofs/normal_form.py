"""The normal form of code: the code without comments, formatting, docstrings and descriptions of tools.

Proofs depend on it, so that a change of prose makes none of them stale. It is the same on every Python that Yardkit
supports, unlike `ast.dump` and `ast.unparse`, which write new fields and f-strings differently.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Any

_DESCRIBING = {"Field": {"description", "title"}, "tool": {"description", "title"}, "FastMCP": {"instructions"}}
"""Keyword arguments that only describe, by the name of what is called: clients show them to a model."""
_SKIPPED = {"ctx", "kind", "type_comment", "type_ignores"}
"""Fields that follow from where a node stands, or that say how it was written."""


def strip_prose(tree: ast.Module) -> ast.Module:
    """Remove docstrings, other bare texts and descriptions of tools from a module, in place."""
    _Stripper().visit(tree)
    return tree


def normal_form(node: ast.AST) -> str:
    """Format a statement or expression as text: equal for code that is written differently but parsed the same."""
    parts: list[str] = []
    _write(node, parts)
    return "".join(parts)


class _Stripper(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        describing = _DESCRIBING.get(name, set())
        node.keywords = [keyword for keyword in node.keywords if keyword.arg not in describing]
        return self.generic_visit(node)


def _write(value: Any, parts: list[str]) -> None:
    if isinstance(value, ast.AST):
        parts.append(f"{type(value).__name__}(")
        for name, child in _list_fields(value):
            parts.append(f"{name}=")
            _write(child, parts)
        parts.append(")")
    elif isinstance(value, list):
        parts.append("[")
        for item in value:
            _write(item, parts)
            parts.append(",")
        parts.append("]")
    else:
        parts.append(ascii(value))  # `repr` would depend on Python's version of Unicode


def _list_fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """List the non-empty fields; a newer Python has additional ones, which are empty."""
    for name in node._fields:
        child = getattr(node, name, None)
        if name == "values" and isinstance(node, ast.JoinedStr):
            child = _join_texts(node.values)
        if name not in _SKIPPED and child is not None and child != []:
            yield name, child


def _join_texts(values: Sequence[ast.expr]) -> list[ast.expr]:
    """Join neighbouring texts in an f-string, since the way they are split depends on the version of Python."""
    parts: list[ast.expr] = []
    for value in values:
        before = parts[-1] if parts else None
        if not isinstance(value, ast.Constant):
            parts.append(value)
        elif isinstance(before, ast.Constant):
            parts[-1] = ast.Constant(str(before.value) + str(value.value))
        elif value.value:
            parts.append(value)
    return parts
