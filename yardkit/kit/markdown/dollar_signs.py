"""Dollar signs in Markdown: pairs that enclose a formula, as opposed to prices, units and shell variables."""

from __future__ import annotations

import re
from typing import Any

_DOUBLE = re.compile(r"\$\$((?:\\.|[^\\$]|\$(?!\$))+)\$\$(?!\$)", re.DOTALL)
_SINGLE = re.compile(r"\$(?!\s)((?:\\.|[^\\$])+)(?<!\s)\$(?:(?![\w${])|(?=(?:th|st|nd|rd|s)\b))", re.DOTALL)
"""Pandoc's rule, and nothing of a word after the closing one but the ending of an ordinal or a plural."""
_COMMAND = re.compile(r"\\[A-Za-z]")
_WORD = re.compile(r"\s[A-Za-z]{2,}(?![\w(^])|(?<!\w)[A-Za-z]{2,}\s")
_OPERATOR = re.compile(r"[=<>+^_]")
_PROSE = re.compile(
    r"[\n`\u20a0-\u20cf\u00a3\u00a5]|</|<[a-z]+>"  # lines, code, other currencies, markup
    r"|[:;/(\u2013-]$"  # an incomplete ending
    r"|[A-Za-z]{2,}[,.;:]?\s+[A-Za-z]{2,}"  # two words
    r"|^\d.*\s.*[A-Za-z]{2}$"  # an amount, up to the letters of a currency
)


def inline_formula(state: Any, silent: bool) -> bool:
    """A markdown-it rule for ``$...$`` and ``$$...$$`` in a paragraph; other dollar signs stay literal."""
    at = state.pos
    formula_match = formula_at(state.src, at, state.posMax)
    if formula_match is None:
        return False
    double = formula_match[0].startswith("$$")
    if not silent:
        token = state.push("math_inline_double" if double else "math_inline", "math", 0)
        token.content = formula_match[1]
        token.markup = "$$" if double else "$"
    state.pos = formula_match.end()
    return True


def formula_at(text: str, at: int, end: int) -> re.Match[str] | None:
    """Match the formula between dollar signs that begins at a place of a text, as the first group; None without one."""
    if text[at] != "$" or (at and re.match(r"[\w$`]", text[at - 1])):
        return None
    match = _DOUBLE.match(text, at, end) or _SINGLE.match(text, at, end)
    return match if match is not None and is_formula(match[1].strip()) else None


def is_formula(text: str) -> bool:
    """Whether a text between dollar signs is a formula: LaTeX commands are, words and unbalanced brackets are not."""
    if _COMMAND.search(text):
        return True
    if _PROSE.search(text) or (_WORD.search(text) and not _OPERATOR.search(text)):
        return False
    return bool(re.search(r"\w", text)) and _is_balanced(text)


def _is_balanced(text: str) -> bool:
    """Whether brackets are balanced; half-open intervals such as [0, 1) and ]0, 1[ count as balanced."""
    depth = 0
    for sign in re.findall(r"[()\[\]]", text):
        if sign == ")" and depth < 1:
            return False
        depth += 1 if sign in "([" else -1
    return depth == 0
