"""Queries for papers as arXiv takes them: words, "phrases", fields, AND, OR, ANDNOT and brackets.

Words that stand side by side without an operator are alternatives; papers with more of them come first.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from yardkit.world import Problem

_TOKEN = re.compile(r'\s*(\(|\)|(?:(?:ti|au|abs|cat|all):)?(?:"[^"]*"|[^\s()"]+))')
_OPERATORS = ("AND", "OR", "ANDNOT")
_WEIGHTS = {"ti": 3, "au": 2, "abs": 1, "cat": 1}
_MAX_DEPTH = 30


@dataclass(frozen=True)
class Fields:
    """What of a paper is looked at, in small letters; names of authors and categories each as one text."""

    title: str
    authors: str
    abstract: str
    categories: str


Match = Callable[[Fields], int]
"""How well a paper fits; 0: not at all."""


def matcher(query: str) -> Match:
    """How well a paper fits a query; an empty one fits all.

    Raises:
        Problem: the query cannot be read.
    """
    tokens = _tokens(query)
    if not tokens:
        return lambda _: 1
    match, rest = _alternatives(tokens, 0)
    if rest:
        raise Problem(
            f"the query {query!r} has an extra parenthesis or operator at {rest[0]!r}; quote words that "
            "are not operators"
        )
    return match


def _tokens(query: str) -> list[str]:
    tokens, place = [], 0
    while place < len(query.rstrip()):
        found = _TOKEN.match(query, place)
        if found is None:
            raise Problem(f"the query {query!r} cannot be parsed at {query[place : place + 20]!r}; close the quotes")
        tokens.append(found[1])
        place = found.end()
    return tokens


def _alternatives(tokens: Sequence[str], depth: int) -> tuple[Match, Sequence[str]]:
    """Parts with OR, or nothing, between them."""
    if depth > _MAX_DEPTH:
        raise Problem(f"the query has more than {_MAX_DEPTH} nested parentheses; simplify it")
    first, rest = _both(tokens, depth)
    matches = [first]
    while rest and rest[0] not in (")", "AND", "ANDNOT"):
        rest = rest[1:] if rest[0] == "OR" else rest
        match, rest = _both(rest, depth)
        matches.append(match)
    return (lambda fields: sum(match(fields) for match in matches)), rest


def _both(tokens: Sequence[str], depth: int) -> tuple[Match, Sequence[str]]:
    """Parts with AND or ANDNOT between them."""
    match, rest = _part(tokens, depth)
    while rest and rest[0] in ("AND", "ANDNOT"):
        other, after = _part(rest[1:], depth)
        match, rest = _joined(match, other, wanted=rest[0] == "AND"), after
    return match, rest


def _joined(match: Match, other: Match, *, wanted: bool) -> Match:
    def fits(fields: Fields) -> int:
        here, there = match(fields), other(fields)
        return (here + there if wanted else here) if here and bool(there) == wanted else 0

    return fits


def _part(tokens: Sequence[str], depth: int) -> tuple[Match, Sequence[str]]:
    if not tokens or tokens[0] in (*_OPERATORS, ")"):
        raise Problem(f"the query lacks a term before {tokens[0] if tokens else 'its end'!r}")
    if tokens[0] == "(":
        match, rest = _alternatives(tokens[1:], depth + 1)
        if not rest or rest[0] != ")":
            raise Problem("the query has an unclosed parenthesis")
        return match, rest[1:]
    return _term(tokens[0]), tokens[1:]


def _term(token: str) -> Match:
    field, _, rest = token.partition(":")
    named = field in (*_WEIGHTS, "all")
    wanted = (rest if named else token).strip('"').casefold()
    looked = [field] if named and field != "all" else [name for name in _WEIGHTS if name != "cat"]
    word = re.compile(rf"(?<!\w){re.escape(wanted)}")

    def fits(fields: Fields) -> int:
        texts = {"ti": fields.title, "au": fields.authors, "abs": fields.abstract, "cat": fields.categories}
        return sum(_WEIGHTS[name] for name in looked if wanted and word.search(texts[name]))

    return fits
