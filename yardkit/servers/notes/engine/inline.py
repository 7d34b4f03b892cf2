"""Styled text as Markdown and back.

Bold, italic, struck out, underlined (``<u>``), code and links; a link to ``page:12`` or ``person:3`` is to one of the
notes'. What would be read as a mark is escaped with a backslash.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any

from yardkit.apps.notes import Span

_ESCAPED = re.compile(r"[\\`*\[\]]|~~|(?<!\w)_|_(?!\w)|<(?=/?u>|br>)")
_MARKS = re.compile(
    r"\\(?P<plain>[^\w\s]|_)"
    r"|`(?P<code>[^`]+)`"
    r"|<u>(?P<underline>.+?)</u>"
    r"|\[(?P<label>(?:\\.|`[^`]+`|[^\]\\`])*)\]\((?P<link>[^()\s]+)\)"
    r"|\*\*(?P<bold>(?:\\.|`[^`]+`|[^*\\]|\*(?!\*))+?)\*\*(?!\*)"
    r"|\*(?P<italic>(?:\\.|`[^`]+`|[^*\\])+?)\*"
    r"|(?<!\w)_(?P<italic_2>(?:\\.|`[^`]+`|[^_\\])+?)_(?!\w)"
    r"|~~(?P<strikethrough>(?:\\.|`[^`]+`|[^~\\]|~(?!~))+?)~~",
    re.DOTALL,
)


def spans_of(markdown: str, style: Span = Span("")) -> list[Span]:  # noqa: B008 - a frozen value
    """The pieces of a text; neighbours of one style are one piece."""
    spans: list[Span] = []
    at = 0
    for match in _MARKS.finditer(markdown):
        spans.append(replace(style, text=markdown[at : match.start()]))
        spans += _parse_mark(match, style)
        at = match.end()
    return merge_spans([*spans, replace(style, text=markdown[at:])])


def _parse_mark(match: re.Match[str], style: Span) -> list[Span]:
    kind, marked_text = match.lastgroup or "", match[match.lastgroup or 0]
    if kind == "plain":
        return [replace(style, text=marked_text)]
    if kind == "code":
        return [replace(style, text=marked_text, code=True)]
    if kind == "link":
        return spans_of(match["label"], replace(style, link=marked_text))
    name = "italic" if kind == "italic_2" else kind
    marked: dict[str, Any] = {name: True}
    return spans_of(marked_text, replace(style, **marked))


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Pieces of which no two neighbours have the same style, and none is empty."""
    merged_spans: list[Span] = []
    for span in spans:
        if merged_spans and replace(merged_spans[-1], text="") == replace(span, text=""):
            merged_spans[-1] = replace(span, text=merged_spans[-1].text + span.text)
        elif span.text:
            merged_spans.append(span)
    return merged_spans


def markdown_of(spans: Iterable[Span]) -> str:
    """Pieces as Markdown."""
    runs = groupby(spans, key=lambda span: replace(span, text="", code=False))
    return "".join(_format_run(style, list(run)) for style, run in runs)


def _format_run(style: Span, run: list[Span]) -> str:
    """Neighbours that differ only in code, with their marks once around them, at the words and not at blanks.

    Marks around each piece would meet: ``**a****`b`**`` is read as other text.
    """
    text = "".join(map(_format_text, run))
    core = text.strip()
    if not core:
        return text
    before, _, after = text.partition(core)
    for mark, is_marked in (("~~", style.strikethrough), ("*", style.italic), ("**", style.bold)):
        core = f"{mark}{core}{mark}" if is_marked else core
    core = f"<u>{core}</u>" if style.underline else core
    return f"{before}[{core}]({style.link}){after}" if style.link else f"{before}{core}{after}"


def _format_text(span: Span) -> str:
    core = span.text.strip()
    if not core:
        return span.text
    before, _, after = span.text.partition(core)
    return before + (f"`{core}`" if span.code and "`" not in core else _ESCAPED.sub(_escape_signs, core)) + after


def _escape_signs(match: re.Match[str]) -> str:
    return "".join(f"\\{sign}" for sign in match[0])


def join_text(spans: Iterable[Span]) -> str:
    """The text of pieces, without style."""
    return "".join(span.text for span in spans)


def keep_styled(spans: list[Span]) -> list[Span]:
    """Pieces as a block keeps them: none where there is no style."""
    return [] if all(replace(span, text="") == Span("") for span in spans) else spans
