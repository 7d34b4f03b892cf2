"""The score of an answer, as GTA computes it and as it should be computed."""

import re
from collections.abc import Callable, Sequence
from typing import Literal

from yardkit.evaluators.readers.whitelists import groups_unsaid
from yardkit.sandbox.gta.atomic import Objective, Subjective

Form = Literal["published", "corrected"]
"""``published``: what the original code computes, so that figures compare with the papers; ``corrected``: without its
defects. docs/gta.md lists what differs."""
Similarity = Callable[[str, str], float]
"""How near two texts are in meaning, in [-1, 1]."""


def score_answer(answer: str, gold: Objective | Subjective, form: Form, similarity: Similarity) -> float:
    """Score an answer in [0, 1]."""
    if isinstance(gold, Subjective):
        return max([0.0, *(similarity(answer, text) for text in gold.texts)])
    holds = all(_names_alias(answer, group, form) for group in gold.whitelist)
    return float(holds and not any(_names_alias(answer, group, form) for group in gold.blacklist))


def _names_alias(answer: str, aliases: Sequence[str], form: Form) -> bool:
    """Whether one of the aliases is in the answer as a separate word."""
    if form == "published":
        # An alias that begins or ends with a sign ($5, 50%) has no word border there, so the original never finds it.
        pattern = rf"\b(?:{'|'.join(map(re.escape, aliases))})\b"
        return re.search(pattern, answer, re.IGNORECASE) is not None
    return not groups_unsaid(answer, [aliases])
