"""The language of a text, by py3langid (BSD-3), which carries its model."""

from functools import cache
from typing import Any

PRELOAD = ("numpy", "py3langid")
"""What the process that runs it keeps loaded."""


def rank_languages(text: str) -> list[tuple[str, float]]:
    """Rank languages by ISO 639-1 code with their probabilities, most likely first. Call it in `run_in_process`."""
    return [(str(code), round(float(chance), 3)) for code, chance in _load_identifier().rank(text)]


@cache
def _load_identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
