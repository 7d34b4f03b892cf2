"""Reading values from the agent's final text: strict enough that listing every candidate does not pass."""

import re
import unicodedata
from decimal import Decimal

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact

_NUMBER = re.compile(
    r"(?<![\w.,])[-+\u2212\u2013]?(?:\d{1,3}(?:[,\u202f\u00a0']\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+\u2212]?\d{1,2})?"
    r"(?!\d|[.,]\d|[eE][-+\u2212]?\d)"
)
"""An exponent of three digits makes it no number of any task, and its first digits none either."""


def find_last_line(answer: str) -> str:
    """Find the last non-empty line, where tasks ask for the answer, and remove Markdown emphasis.

    Raises:
        InsufficientEvidence: there is no answer.
    """
    lines = [line.strip().strip("*_`").strip() for line in answer.splitlines() if line.strip()]
    if not lines:
        raise InsufficientEvidence("no answer was given")
    return lines[-1]


def find_numbers(text: str) -> list[Decimal]:
    """Find all numbers in `text`, in order; ``1,234.50`` and ``1.2e-3`` are one each.

    A currency sign or a unit may touch a number; with a letter before it, it is a name and not a number.
    """
    numbers = []
    for match in _NUMBER.finditer(unicodedata.normalize("NFKC", text)):
        bare_number = re.sub(r"[,\s']", "", match.group()).replace("\u2212", "-").replace("\u2013", "-")
        numbers.append(Decimal(bare_number))
    return numbers


def read_number(answer: str) -> Decimal:
    """Read the only number in the answer's last line (the same number twice counts as one).

    Raises:
        InsufficientEvidence: there is no answer.
        InvalidArtifact: the last line has no number, or different ones.
    """
    line = find_last_line(answer)
    distinct = list(dict.fromkeys(find_numbers(line)))
    if len(distinct) != 1:
        raise InvalidArtifact(f"the last line of the answer, {line[:200]!r}, holds {len(distinct)} different numbers")
    return distinct[0]


def join_white_space(text: str) -> str:
    """Reduce white space to single blanks."""
    return " ".join(text.split())


def simplify_text(text: str) -> str:
    """Normalize `text` for comparison: case, width, encoding of accents, punctuation at the ends and white space.

    A non-breaking hyphen equals any other.
    """
    simplified = unicodedata.normalize("NFKC", text).casefold().replace("\u2010", "-")
    return re.sub(r"\s+", " ", simplified).strip(" .,;:!?\"'()[]*_`")


def mentions_name(answer: str, name: str) -> bool:
    """Whether the last line of the answer contains `name` as whole words."""
    pattern = r"(?<!\w)" + re.escape(simplify_text(name)) + r"(?!\w)"
    return re.search(pattern, simplify_text(find_last_line(answer))) is not None
