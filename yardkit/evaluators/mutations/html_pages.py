"""Mutants of HTML pages, besides those of any text: headings, links, pictures, rows, visible words and numbers."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from yardkit.evaluators.mutations.answers import changed_number, changed_word
from yardkit.evaluators.mutations.mutant import Mutant, on_files

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


def generate_mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants: headings demoted, links, words and numbers changed, pictures, their texts and rows dropped."""
    text = (workspace / path).read_text("utf-8", "replace")
    yield from _change_read_text(text, path, "html_word", r"[^\W\d_]{4,}", changed_word, rng)
    yield from _change_read_text(
        text, path, "html_number", r"(?<![\w.,])\d+", lambda word: changed_number(word, rng), rng
    )
    for operator, (pattern, kind, change) in _PATTERNS.items():
        matches = list(re.finditer(pattern, text, re.I | re.S))
        for match in rng.sample(matches, min(MAX_EACH, len(matches))):
            line = text.count("\n", 0, match.start()) + 1
            mutated = text[: match.start()] + change(match) + text[match.end() :]
            description = f"{operator.replace('_', ' ')} in line {line} of {path}"
            yield Mutant(operator, f"{kind}:{path}#line {line}", description, on_files(_make_writer(path, mutated)))


_UNREAD = re.compile(r"<head\b.*?</head>|<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>|&#?\w+;", re.I | re.S)


def _change_read_text(
    text: str, path: str, operator: str, pattern: str, other: Callable[[str], str], rng: random.Random
) -> Iterator[Mutant]:
    """Generate changes of the text between the tags of the body."""
    blank = _UNREAD.sub(lambda match: re.sub(r"\S", " ", match.group()), text)
    matches = list(re.finditer(pattern, blank))
    for match in rng.sample(matches, min(MAX_EACH * 2, len(matches))):
        mutated = text[: match.start()] + (new := other(match.group())) + text[match.end() :]
        line = text.count("\n", 0, match.start()) + 1
        description = f"{match.group()!r} became {new!r} in line {line} of {path}"
        yield Mutant(operator, f"words:{path}#line {line}", description, on_files(_make_writer(path, mutated)))


def _make_writer(path: str, text: str) -> Callable[[Path], object]:
    return lambda files: (files / path).write_text(text, "utf-8")
