"""The tokens of a formula in a delivered workbook, which may be invalid."""

from functools import lru_cache
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact

MAX_FORMULA = 8192
"""Characters; spreadsheets take no longer ones."""


@lru_cache(64)
def tokenize_formula(formula: str) -> tuple[Any, ...]:
    """Split a formula ``=...`` into tokens with openpyxl.

    Raises:
        InvalidArtifact: it is not a formula.
    """
    from openpyxl.formula import Tokenizer
    from openpyxl.formula.tokenizer import TokenizerError

    if len(formula) > MAX_FORMULA:
        raise InvalidArtifact(f"the formula {formula[:60]!r}... has more than {MAX_FORMULA:,} characters")
    try:
        formula_tokens = tuple(Tokenizer(formula).items)
    except (TokenizerError, IndexError) as error:
        raise InvalidArtifact(f"{formula[:60]!r} is not a valid formula: {error}") from error
    depth = 0
    for token in formula_tokens:
        depth += (token.subtype == "OPEN") - (token.subtype == "CLOSE")
        if depth < 0:
            break
    if depth:
        raise InvalidArtifact(f"{formula[:60]!r} is not a valid formula: its brackets do not match")
    return formula_tokens


def move_formula(formula: str, origin: str, target: str) -> str:
    """Translate a formula from the cell that it was written for to another one.

    Raises:
        InvalidArtifact: it is not a formula.
    """
    from openpyxl.formula.translate import Translator

    tokenize_formula(formula)
    return str(Translator(formula, origin).translate_formula(target))
