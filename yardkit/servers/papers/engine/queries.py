"""Queries for papers as arXiv takes them: words, "phrases", fields, AND, OR, ANDNOT and brackets.

Words that stand side by side without an operator are alternatives; papers with more of them come first. A word is the
beginning of one, with or without the accents of its letters; NOT is ANDNOT.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from yardkit.servers.papers.engine.tex_accents import decode_accents
from yardkit.world import Problem
from yardkit.world.queries import fold_letters

_TOKEN = re.compile(r'\s*(\(|\)|(?:(?:ti|au|abs|cat|all):)?(?:"[^"]*"|[^\s()"]+))')
_OPERATORS = ("AND", "OR", "ANDNOT")
_WEIGHTS = {"ti": 3, "au": 2, "abs": 1, "cat": 1}
_MAX_DEPTH = 30


@dataclass(frozen=True)
class Fields:
    """What of a paper is looked at, as `fold_text` gives it; names of authors and categories each as one text."""

    title: str
    authors: str
    abstract: str
    categories: str


def fold_text(text: str) -> str:
    """A text as queries look at it: in small letters without accents, whether these are letters or TeX."""
    return fold_letters(decode_accents(text))


Match = Callable[[Fields], int]
"""How well a paper fits; 0: not at all."""


def compile_query(query: str) -> Match:
    """How well a paper fits a query; an empty one fits all.

    Raises:
        Problem: the query cannot be read.
    """
    tokens = _split_tokens(query)
    if not tokens:
        return lambda _: 1
    match, rest = _parse_alternatives(tokens, 0)
    if rest:
        raise Problem(
            f"the query {query!r} has an extra parenthesis or operator at {rest[0]!r}; quote words that "
            "are not operators"
        )
    return match


def _split_tokens(query: str) -> list[str]:
    tokens, place = list[str](), 0
    while place < len(query.rstrip()):
        token_match = _TOKEN.match(query, place)
        if token_match is None:
            raise Problem(f"the query {query!r} cannot be parsed at {query[place : place + 20]!r}; close the quotes")
        part = "ANDNOT" if token_match[1] == "NOT" else token_match[1]
        if part == "ANDNOT" and tokens and tokens[-1] == "AND":
            tokens.pop()
        tokens.append(part)
        place = token_match.end()
    return tokens


def _parse_alternatives(tokens: Sequence[str], depth: int) -> tuple[Match, Sequence[str]]:
    """Parts with OR, or nothing, between them."""
    if depth > _MAX_DEPTH:
        raise Problem(f"the query has more than {_MAX_DEPTH} nested parentheses; simplify it")
    first, rest = _parse_conjunction(tokens, depth)
    matches = [first]
    while rest and rest[0] not in (")", "AND", "ANDNOT"):
        rest = rest[1:] if rest[0] == "OR" else rest
        match, rest = _parse_conjunction(rest, depth)
        matches.append(match)
    return (lambda fields: sum(match(fields) for match in matches)), rest


def _parse_conjunction(tokens: Sequence[str], depth: int) -> tuple[Match, Sequence[str]]:
    """Parts with AND or ANDNOT between them."""
    match, rest = _parse_part(tokens, depth)
    while rest and rest[0] in ("AND", "ANDNOT"):
        other, after = _parse_part(rest[1:], depth)
        match, rest = _join_matches(match, other, is_required=rest[0] == "AND"), after
    return match, rest


def _join_matches(match: Match, other: Match, *, is_required: bool) -> Match:
    def fits(fields: Fields) -> int:
        here, there = match(fields), other(fields)
        return (here + there if is_required else here) if here and bool(there) == is_required else 0

    return fits


def _parse_part(tokens: Sequence[str], depth: int) -> tuple[Match, Sequence[str]]:
    if not tokens or tokens[0] in (*_OPERATORS, ")"):
        raise Problem(f"the query lacks a term before {tokens[0] if tokens else 'its end'!r}")
    if tokens[0] == "(":
        match, rest = _parse_alternatives(tokens[1:], depth + 1)
        if not rest or rest[0] != ")":
            raise Problem("the query has an unclosed parenthesis")
        return match, rest[1:]
    return _parse_term(tokens[0]), tokens[1:]


def _parse_term(token: str) -> Match:
    field, _, rest = token.partition(":")
    named = field in (*_WEIGHTS, "all")
    search_term = fold_text((rest if named else token).strip('"').rstrip("*"))
    if field == "au":  # arXiv parts the words of a name with these
        search_term = " ".join(search_term.replace("_", " ").split())
    looked = [field] if named and field != "all" else [name for name in _WEIGHTS if name != "cat"]
    word = re.compile(rf"(?<!\w){re.escape(search_term)}")

    def fits(fields: Fields) -> int:
        texts = {"ti": fields.title, "au": fields.authors, "abs": fields.abstract, "cat": fields.categories}
        return sum(_WEIGHTS[name] for name in looked if search_term and word.search(texts[name]))

    return fits
