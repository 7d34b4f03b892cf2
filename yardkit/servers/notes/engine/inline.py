"""Styled text as Markdown (GFM, read by markdown-it) and back.

Bold, italic, struck out, underlined (``<u>``), code and links; a link to ``page:12`` or ``person:3`` is to one of the
notes'. What would be read as a mark is escaped with a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from yardkit.apps.notes import Span
from yardkit.kit.markdown.inline_html import parse_break

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_ESCAPED = re.compile(
    r"[\\`*\[\]]|~~|(?<!\w)_|_(?!\w)|<(?=/?(?:u|b|i|s|code)>|br\s*/?>|[a-z][\w+.-]+:|[\w.+-]+@)|&(?=#?\w+;)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)(u|b|i|s)>", re.IGNORECASE)
_STYLES = {"strong": "bold", "em": "italic", "s": "strikethrough", "u": "underline", "b": "bold", "i": "italic"}
_MARKS = (("strikethrough", "~~", "s"), ("italic", "*", "i"), ("bold", "**", "b"))


MAX_NESTING = 100
"""Levels of blocks within blocks; a list within a list is two."""


def make_parser() -> MarkdownIt:
    """A parser of GFM for pages: HTML is text, but for line breaks and a few tags of styles."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("autolink", "style_tag", _parse_tag)
    parser.inline.ruler.before("autolink", "break_tag", parse_break)
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return parser


def _parse_tag(state: Any, silent: bool) -> bool:
    """A tag of a style that has its counterpart; a lonely one is text."""
    match = _TAG.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    name, closes = match[2].lower(), bool(match[1])
    kinds = [token.type for token in state.tokens]
    is_open = kinds.count(f"{name}_tag_open") > kinds.count(f"{name}_tag_close")
    if closes != is_open or (not closes and f"</{name}>" not in state.src[match.end() : state.posMax].lower()):
        return False
    if not silent:
        state.push(f"{name}_tag_{'close' if closes else 'open'}", name, 0)
    state.pos = match.end()
    return True


_get_parser = cache(make_parser)


def spans_of(markdown: str) -> list[Span]:
    """The pieces of a text; neighbours of one style are one piece."""
    (inline,) = _get_parser().parseInline(markdown)
    return spans_of_tokens(inline.children or [])


def spans_of_tokens(tokens: Sequence[Any]) -> list[Span]:
    """The pieces that markdown-it read."""
    spans: list[Span] = []
    style = Span("")
    for token in tokens:
        kind, _, end = token.type.rpartition("_")
        name = _STYLES.get(kind.removesuffix("_tag"))
        if name and end in ("open", "close"):
            changed: dict[str, Any] = {name: end == "open"}
            style = replace(style, **changed)
        elif token.type == "link_open":
            style = replace(style, link=str(token.attrGet("href") or ""))
        elif token.type == "link_close":
            style = replace(style, link="")
        elif token.type in ("softbreak", "hardbreak"):
            spans.append(replace(style, text="\n"))
        elif token.type == "image":  # within words: a link to it
            spans.append(replace(style, text=token.content or "image", link=str(token.attrGet("src") or "")))
        else:
            spans.append(replace(style, text=token.content, code=token.type == "code_inline"))
    return merge_spans(spans)


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
    """Pieces as Markdown; with tags for marks where these would be read otherwise, such as within words."""
    listed = list(spans)
    text = _write_runs(listed, uses_tags=False)
    if all(replace(span, text="") == Span("") for span in listed) or _has_styles(text, listed):
        return text
    return _write_runs(listed, uses_tags=True)


def _has_styles(text: str, spans: Sequence[Span]) -> bool:
    """Whether a text is read as these pieces; blanks count for nothing, nor do colours."""

    def list_letters(pieces: Iterable[Span]) -> list[Span]:
        return [
            replace(piece, text=letter, color="") for piece in pieces for letter in piece.text if not letter.isspace()
        ]

    return list_letters(spans_of(text)) == list_letters(spans)


_BANG = re.compile(r"(?<!\\)(?:\\\\)*!$")


def _write_runs(spans: Sequence[Span], *, uses_tags: bool) -> str:
    runs = groupby(spans, key=lambda span: replace(span, text="", code=False))
    written = ""
    for style, run in runs:
        text = _format_run(style, list(run), uses_tags=uses_tags)
        if text.startswith("[") and _BANG.search(written):  # a link after it would be a picture
            written = f"{written[:-1]}\\!"
        written += text
    return written


def _format_run(style: Span, run: list[Span], *, uses_tags: bool) -> str:
    """Neighbours that differ only in code, with their marks once around them, at the words and not at blanks.

    Marks around each piece would meet: ``**a****`b`**`` is read as other text.
    """
    text = "".join(map(_format_text, run))
    core = text.strip()
    if not core:
        return text
    before, _, after = text.partition(core)
    for name, mark, tag in _MARKS:
        if getattr(style, name):
            core = f"<{tag}>{core}</{tag}>" if uses_tags else f"{mark}{core}{mark}"
    core = f"<u>{core}</u>" if style.underline else core
    return f"{before}[{core}]({write_address(style.link)}){after}" if style.link else f"{before}{core}{after}"


def write_address(url: str) -> str:
    """An address in the brackets of a link."""
    depth = 0
    for sign in url:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            break
    if not url or depth or re.search(r"[\s<>\\]", url):
        return "<" + re.sub(r"([<>\\])", r"\\\1", url.replace("\n", "%0A")) + ">"
    return url


def _format_text(span: Span) -> str:
    core = span.text.strip()
    if not core:
        return span.text
    before, _, after = span.text.partition(core)
    return before + (_format_code(core) if span.code else _ESCAPED.sub(_escape_signs, core)) + after


def _format_code(text: str) -> str:
    """Code between more backticks than stand in it."""
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    gap = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{gap}{text}{gap}{ticks}"


def _escape_signs(match: re.Match[str]) -> str:
    return "".join(f"\\{sign}" for sign in match[0])


def join_text(spans: Iterable[Span]) -> str:
    """The text of pieces, without style."""
    return "".join(span.text for span in spans)


def keep_styled(spans: list[Span]) -> list[Span]:
    """Pieces as a block keeps them: none where there is no style."""
    return [] if all(replace(span, text="") == Span("") for span in spans) else spans
