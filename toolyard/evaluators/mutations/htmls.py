"""Mutants of HTML pages beside those of any text: headings, links, pictures, rows."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from toolyard.evaluators.mutations.mutant import Mutant, on_files

MAX_EACH = 3
"""Mutants of one operator in one page."""
_PATTERNS: dict[str, tuple[str, str, Callable[[re.Match[str]], str]]] = {
    "heading_demoted": (r"<h([1-6])\b([^>]*)>(.*?)</h\1>", "headings", lambda match: f"<p>{match.group(3)}</p>"),
    "link_changed": (
        r"(<a\b[^>]*\bhref=[\"'])([^\"']+)",
        "links",
        lambda match: f"{match.group(1)}https://elsewhere.example/",
    ),
    "alt_dropped": (r"(<img\b[^>]*)\balt=(\"[^\"]+\"|'[^']+')", "pictures", lambda match: match.group(1)),
    "picture_dropped": (r"<img\b[^>]*>", "pictures", lambda _match: ""),
    "html_row_dropped": (r"<tr\b[^>]*>(?:(?!<tr\b).)*?</tr>", "rows", lambda _match: ""),
}


def mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Headings demoted, links changed, pictures and their texts dropped, rows of tables dropped."""
    text = (workspace / path).read_text("utf-8", "replace")
    for operator, (pattern, kind, change) in _PATTERNS.items():
        found = list(re.finditer(pattern, text, re.I | re.S))
        for match in rng.sample(found, min(MAX_EACH, len(found))):
            line = text.count("\n", 0, match.start()) + 1
            mutated = text[: match.start()] + change(match) + text[match.end() :]
            says = f"{operator.replace('_', ' ')} in line {line} of {path}"
            yield Mutant(operator, f"{kind}:{path}#line {line}", says, on_files(_writer(path, mutated)))


def _writer(path: str, text: str) -> Callable[[Path], object]:
    return lambda files: (files / path).write_text(text, "utf-8")
