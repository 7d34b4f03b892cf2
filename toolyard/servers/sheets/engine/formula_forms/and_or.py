"""AND and OR give an error that one of their arguments is, as Excel does; the engine stops at the first that decides.

So XOR, which never stops, looks at all of them before. That doubles the work, and is asked for only where an argument
may be an error: where it computes something, or where there are errors in the workbook.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolyard.servers.sheets.engine.notation.formulas import STRING, functions

_LOGIC_FUNCTIONS = frozenset({"AND", "OR"})
_OPENING = re.compile(r"(?<![\w.])(?:AND|OR)\(", re.IGNORECASE)
_QUOTED = re.compile(r"'(?:[^']|'')+'")
# These are no errors, whatever plain cells they are given; nor are comparisons.
_SAFE = (
    "AND COUNT COUNTA COUNTBLANK EXACT FALSE IFERROR ISBLANK ISERR ISERROR ISLOGICAL ISNA ISNONTEXT ISNUMBER ISTEXT "
    "LEN LOWER NOW OR TODAY TRIM TRUE UPPER"
)
_FAILING = re.compile(
    rf"[*/^%]|[+-](?!\d)|[\w)\]][+-]|(?<![\w.])(?!(?:{_SAFE.replace(' ', '|')})\()[A-Za-z][\w.]*\(", re.IGNORECASE
)


def decides(formula: str) -> bool:
    """Whether AND or OR is in a formula."""
    return not _LOGIC_FUNCTIONS.isdisjoint(functions(formula))


def may_pass_errors(formula: str) -> bool:
    """Whether what AND or OR are given in a formula may fail, even where no cell is an error."""
    bare = STRING.sub('""', formula)
    return any(_may_fail(_arguments(bare, found.end())) for found in _OPENING.finditer(bare))


def form_of(name: str, arguments: Sequence[str], *, careful: bool) -> str:
    """AND or OR for the engine; empty for another function, and where nothing can fail: `careful` says cells may."""
    given = ",".join(arguments)
    if name not in _LOGIC_FUNCTIONS or not (careful or _may_fail(given)):
        return ""
    return f"OR(XOR({given}),{given})" if name == "OR" else f"AND(IF(XOR({given}),TRUE,TRUE),{given})"


def _may_fail(arguments: str) -> bool:
    return _FAILING.search(_QUOTED.sub("x", STRING.sub('""', arguments))) is not None


def _arguments(formula: str, start: int) -> str:
    """What stands between the bracket before `start` and the one that closes it."""
    depth = 1
    for end in range(start, len(formula)):
        depth += (formula[end] == "(") - (formula[end] == ")")
        if not depth:
            return formula[start:end]
    return formula[start:]
