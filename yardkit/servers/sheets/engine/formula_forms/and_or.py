"""AND and OR give an error that one of their arguments is, as Excel does; the engine stops at the first that decides.

So XOR, which never stops, looks at all of them before.
"""

from __future__ import annotations

from collections.abc import Sequence

_LOGIC_FUNCTIONS = frozenset({"AND", "OR"})
_DEEPEST = 8
"""Calls within, beyond which the form would become too long: each doubles what stands in it."""


def form_of(name: str, arguments: Sequence[str]) -> str:
    """AND or OR for the engine; empty for another function."""
    given = ",".join(arguments)
    if name not in _LOGIC_FUNCTIONS or not given.strip() or given.count("XOR(") > _DEEPEST:
        return ""
    return f"OR(XOR({given}),{given})" if name == "OR" else f"AND(IF(XOR({given}),TRUE,TRUE),{given})"
