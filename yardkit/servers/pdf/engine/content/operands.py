"""What content streams say beside what they show: texts among operands, words that are no operators, comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

_OPERATORS = frozenset(
    """
    b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s
    S SC sc SCN scn sh Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz T* v w W W* y ' "
    """.split()  # noqa: SIM905 - seventy words in a list would be seventy lines
)
_NOT_SEARCHED = ("Tj", "TJ", "'", '"', "INLINE IMAGE")
_MAX_DEPTH = 20


def unshown_texts(name: str, operands: Any) -> Iterator[str]:
    """The texts of an operator and its operands that are not shown; all of them where it is no operator."""
    if name in _NOT_SEARCHED:
        return
    for operand in operands:
        if not isinstance(operand, int | Decimal):
            yield from _iter_strings(operand, 0)
    if name not in _OPERATORS:
        yield from (*map(str, operands), name)


def _iter_strings(node: Any, depth: int) -> Iterator[str]:
    import pikepdf

    if isinstance(node, pikepdf.String):
        yield str(node)
    elif depth < _MAX_DEPTH and isinstance(node, pikepdf.Array):
        for value in node:
            yield from _iter_strings(value, depth + 1)
    elif depth < _MAX_DEPTH and isinstance(node, pikepdf.Dictionary):
        for key in node.keys():  # noqa: SIM118 - no mapping of Python
            yield from _iter_strings(node.get(key), depth + 1)


def without_comments(source: Any, data: bytes, find_terms: Callable[[str], Iterator[str]]) -> bytes | None:
    """The content of a page or a form as its instructions alone, if comments among them hold a term.

    Args:
        source: the page or the form.
        data: its decoded content.
        find_terms: what of a text is a term.
    """
    import pikepdf

    terms = Counter(find_terms(data.decode("utf-8", "ignore"))) if b"%" in data else Counter()
    if not terms:
        return None
    commentless_data = bytes(pikepdf.unparse_content_stream(pikepdf.parse_content_stream(source)))
    return commentless_data if terms - Counter(find_terms(commentless_data.decode("utf-8", "ignore"))) else None
