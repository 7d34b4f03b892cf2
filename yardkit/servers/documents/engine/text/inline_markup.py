"""The small markup of texts that are handed in: bold, italic, strike, code, links, fields and formulas."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from yardkit.kit.markdown.dollar_signs import formula_at

_TOKEN = re.compile(
    r"\\(?P<escaped>[\\*~`\[\]{}$<>|])"
    r"|(?P<dollar>\$)"
    r"|(?P<code>`+)(?P<verbatim>.+?)(?P=code)"
    r"|\*\*(?P<bold>(?=\S).+?(?<=[^\s*]|\*))\*\*(?!\*)"
    r"|\*(?P<italic>(?=[^\s*]).+?(?<=[^\s*]))\*(?!\*)"
    r"|~~(?P<strike>(?=\S).+?(?<=\S))~~"
    r"|\[(?P<label>[^\[\]]+)\]\((?P<url>[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)"
    r"|\{(?P<field>(?:PAGE|NUMPAGES|SECTIONPAGES|SECTION|DATE|TIME|TITLE|AUTHOR|FILENAME|SUBJECT|SEQ|REF|PAGEREF"
    r"|STYLEREF|CREATEDATE|SAVEDATE|DOCPROPERTY)(?: [^{}]*)?)\}",
    re.DOTALL,
)


@dataclass(frozen=True)
class Span:
    """A stretch of text with one look; `field` holds a field code, `formula` LaTeX instead of text."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    url: str = ""
    field: str = ""
    formula: str = ""


def parse_spans(text: str) -> list[Span]:
    """The stretches of a text with markup; what is no markup stays text."""
    return _parse_spans(text, Span(""))


def _parse_spans(text: str, look: Span) -> list[Span]:
    parsed_spans: list[Span] = []
    at = 0
    while match := _TOKEN.search(text, at):
        parsed_spans.append(replace(look, text=text[at : match.start()]))
        formula = formula_at(text, match.start(), len(text))
        at = match.end() if formula is None else formula.end()
        parsed_spans += (
            _parse_inside(match, look) if formula is None else [replace(look, text="", formula=formula[1].strip())]
        )
    return _join_spans([*parsed_spans, replace(look, text=text[at:])])


def _parse_inside(match: re.Match[str], look: Span) -> list[Span]:
    groups = match.groupdict()
    if groups["escaped"] or groups["dollar"]:
        return [replace(look, text=groups["escaped"] or groups["dollar"])]
    if groups["verbatim"]:
        return [replace(look, text=groups["verbatim"], code=True)]
    if groups["field"]:
        return [replace(look, text="", field=groups["field"])]
    if groups["label"]:
        return _parse_spans(groups["label"], replace(look, url=groups["url"]))
    if groups["bold"]:
        return _parse_spans(groups["bold"], replace(look, bold=True))
    if groups["italic"]:
        return _parse_spans(groups["italic"], replace(look, italic=True))
    return _parse_spans(groups["strike"], replace(look, strike=True))


def _join_spans(parsed_spans: list[Span]) -> list[Span]:
    """Neighbours of one look as one stretch."""
    joined: list[Span] = []
    for span in parsed_spans:
        last = joined[-1] if joined else None
        if last and last.text and replace(last, text="") == replace(span, text=""):
            joined[-1] = replace(last, text=last.text + span.text)
        elif span.text or span.field or span.formula:
            joined.append(span)
    return joined
