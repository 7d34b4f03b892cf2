"""The blocks of a Markdown text: GFM, as markdown-it reads it, and what pages have beyond it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from yardkit.apps.notes import Span
from yardkit.servers.notes.engine.inline import MAX_NESTING, make_parser, merge_spans, spans_of, spans_of_tokens
from yardkit.servers.notes.engine.markdown_text import INSIDE, MAX_BLOCKS, Draft
from yardkit.world import Problem

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_COMMENT = re.compile(r"<!-- (\w+) (\d+) -->")
_EQUATION = re.compile(r"\$\$(?!\$)")
_DETAILS = re.compile(r"<details\b[^>]*>", re.IGNORECASE)
_TITLE = re.compile(r"</?details\b[^>]*>|</?summary\b[^>]*>", re.IGNORECASE)
_TASK = re.compile(r"\[([ xX])\](?:\s+|$)")
_CALLOUT = re.compile(r"\[!([^\]]*)\][^\S\n]*\n?")
_ALERTS = {"NOTE": "ℹ️", "TIP": "💡", "IMPORTANT": "❗", "WARNING": "⚠️", "CAUTION": "🛑"}  # noqa: RUF001
"""What GitHub calls callouts."""
_ROW = re.compile(r"\|.*\|")
_FRONT_LINE = re.compile(r"""\s|\#|-(?:\s|$)|(?:[\w.-]+|"[^"]*"|'[^']*')\s*:(?:\s|$)""")
"""A line of YAML as it stands at the top of Markdown files."""
_TITLED_LINK = re.compile(r"""\]\([^()\n]*\s["'(]|^\s{0,3}\[[^\]\n]+\]:\s*\S+\s+["'(]""", re.MULTILINE)


def drafts_of(markdown: str) -> tuple[Draft, ...]:
    """The blocks of a text.

    Raises:
        Problem: they are too many, or a part of it is never closed.
    """
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    end = _find_front_end(lines)
    front = [Draft("code", [Span("\n".join(lines[1:end]))], {"language": "yaml", "front_matter": True})] if end else []
    drafts = (*front, *_read_lines(lines[end + 1 if end else 0 :]))
    if _count_drafts(drafts) > MAX_BLOCKS:
        raise Problem(
            f"the text has {_count_drafts(drafts)} blocks; the limit is {MAX_BLOCKS:,}. Split it into several pages"
        )
    return drafts


def _find_front_end(lines: Sequence[str]) -> int:
    """The line that closes the YAML at the top of a text; 0 where there is none: rules have a blank line below."""
    if lines[0].rstrip() != "---":
        return 0
    end = next((at for at, line in enumerate(lines) if at and line.rstrip() in ("---", "...")), 0)
    inside = lines[1:end]
    keys = any(line[:1].strip("#") and ":" in line for line in inside)
    if not keys or not inside[0].strip() or not all(_FRONT_LINE.match(line) for line in inside if line):
        return 0
    return end


def describe_lost(markdown: str) -> tuple[str, ...]:
    """What of a text a page cannot keep: the titles of links."""
    if not _TITLED_LINK.search(markdown):
        return ()
    tokens = [child for token in make_parser().parse(markdown) for child in token.children or []]
    titles = [str(token.attrGet("title")) for token in tokens if token.type == "link_open" and token.attrGet("title")]
    first_titles = ", ".join(repr(title[:60]) for title in titles[:5])
    more = f" and {len(titles) - 5} more" if len(titles) > 5 else ""
    return (f"links have no titles here, so these are not kept: {first_titles}{more}",) if titles else ()


def _count_drafts(drafts: Sequence[Draft]) -> int:
    return sum(1 + _count_drafts(draft.children) for draft in drafts)


def _read_lines(lines: list[str]) -> tuple[Draft, ...]:
    from markdown_it.tree import SyntaxTreeNode

    tokens = _make_block_parser().parse("\n".join(lines))
    if any(token.level >= MAX_NESTING - 2 for token in tokens):  # what is deeper would be lost
        raise Problem(f"the text has lists or quotes nested more than {MAX_NESTING // 2 - 1} deep; nest them less")
    _require_whole(tokens, lines)
    return tuple(_join_inside(_read_nodes(SyntaxTreeNode(tokens).children)))


@cache
def _make_block_parser() -> Any:
    parser = make_parser()
    stops: Any = {"alt": ["paragraph", "blockquote", "list"]}
    for name, rule in (("details", _parse_details), ("equation", _parse_equation), ("mark", _parse_mark)):
        parser.block.ruler.before("fence", name, rule, stops)
    parser.block.ruler.before("reference", "footnote", _parse_footnote)
    return parser


def _line_of(state: Any, line: int) -> str:
    """A line of the text within the blocks in which it stands."""
    return str(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]).rstrip()


def _push_block(state: Any, kind: str, first: int, end: int, content: str, **meta: Any) -> bool:
    token = state.push(kind, "", 0)
    token.content, token.meta, token.map = content, meta, [first, end]
    state.line = end
    return True


def _parse_mark(state: Any, line: int, _end: int, silent: bool) -> bool:
    """A comment that stands for a block, or that begins or ends what stands in one."""
    text = _line_of(state, line)
    match = _COMMENT.fullmatch(text)
    if match is None and text not in INSIDE:
        return False
    if match is None:
        return silent or _push_block(state, "inside", line, line + 1, text)
    return silent or _push_block(state, "kept_block", line, line + 1, match[1], number=int(match[2]))


def _parse_equation(state: Any, line: int, end: int, silent: bool) -> bool:
    """A formula between double dollar signs: on one line, or on several."""
    text = _line_of(state, line)
    if not _EQUATION.match(text):
        return False
    lines = [text[2:]]
    last = line
    while not lines[-1].endswith("$$"):
        last += 1
        if last >= end or (not lines[-1].strip() and last > line + 1):
            return False  # it is not closed before a blank line: text
        lines.append(_line_of(state, last))
    if "$$" in lines[-1].removesuffix("$$") or not "".join(lines).removesuffix("$$").strip():
        return False
    expression = "\n".join(lines).removesuffix("$$").strip()
    return silent or _push_block(state, "equation", line, last + 1, expression)


def _parse_details(state: Any, line: int, end: int, silent: bool) -> bool:
    """A toggle, up to the tag that closes it."""
    first = _line_of(state, line)
    if not _DETAILS.match(first):
        return False
    if silent:
        return True
    inside: list[str] = []
    depth, last = 0, line - 1
    while depth > 0 or last < line:
        last += 1
        if last >= end:
            raise Problem(f"the toggle that begins with {first!r} is not closed; end it with a line of </details>")
        text = str(state.getLines(last, last + 1, state.blkIndent, keepLastLF=False))
        depth += len(_DETAILS.findall(text)) - text.lower().count("</details>")
        inside.append(text)
    title = _TITLE.sub("", first).strip()
    body = inside[1:-1] if last > line else []
    if last > line and not title and body and "<summary" in body[0].lower():
        title, body = _TITLE.sub("", body[0]).strip(), body[1:]
    indent = min((len(text) - len(text.lstrip(" ")) for text in body if text.strip()), default=0)
    return _push_block(state, "toggle", line, last + 1, title, lines=[text[indent:] for text in body])


def _parse_footnote(state: Any, line: int, _end: int, silent: bool) -> bool:
    """The text of a footnote, which is a paragraph here and not the address of a link."""
    text = _line_of(state, line)
    if not text.startswith("[^"):
        return False
    if not silent:
        state.push("paragraph_open", "p", 1)
        inline = state.push("inline", "", 0)
        inline.content, inline.children, inline.map = text, [], [line, line + 1]
        state.push("paragraph_close", "p", -1)
        state.line = line + 1
    return True


def _require_whole(tokens: Sequence[Any], lines: Sequence[str]) -> None:
    """Refuse a fence that is never closed, since the rest of the page would be code, and rows that are too long."""
    for token in tokens:
        if token.type == "table_open":
            _require_columns(lines[token.map[0] : token.map[1]])
        if token.type == "fence":
            last = lines[token.map[1] - 1].strip("> \t")
            closed = len(last) >= len(token.markup) and set(last) == {token.markup[0]}
            if token.map[1] - token.map[0] < 2 or not closed:
                begins = lines[token.map[0]].strip()
                raise Problem(
                    f"the code block that begins with {begins!r} is not closed; end it with a line of {token.markup}"
                )


def _require_columns(lines: Sequence[str]) -> None:
    """Refuse rows with more cells than the head of their table has: GFM would drop them."""
    widths = [len(re.split(r"(?<!\\)\|", line.strip("> \t").strip("|"))) for line in lines]
    for line, width in zip(lines, widths, strict=True):
        if width > widths[0] and not line.rstrip().endswith("\\|"):
            raise Problem(
                f"the row {line.strip()[:80]!r} has {width} cells, but its table {widths[0]} columns; "
                "write | in a cell as \\|"
            )


def _join_inside(drafts: Sequence[Draft]) -> list[Draft]:
    """Put what stands between two marks into the block before them."""
    joined: list[list[Draft]] = [[]]
    for draft in drafts:
        if draft.kind == "inside" and draft.data["mark"] == INSIDE[0]:
            joined.append([])
        elif draft.kind == "inside" and len(joined) > 1:
            inner = joined.pop()
            if joined[-1]:
                joined[-1][-1] = replace(joined[-1][-1], children=(*joined[-1][-1].children, *inner))
            else:
                joined[-1] += inner
        elif draft.kind != "inside":
            joined[-1].append(draft)
    return [draft for part in joined for draft in part]


def _read_nodes(nodes: Sequence[SyntaxTreeNode]) -> list[Draft]:
    return [draft for node in nodes for draft in _READERS.get(node.type, _read_unknown)(node)]


def _read_unknown(node: SyntaxTreeNode) -> Iterator[Draft]:
    if node.content:
        yield Draft("paragraph", [Span(node.content)])


def _tokens_of(node: SyntaxTreeNode) -> list[Any]:
    """What the text of a block is made of."""
    return list(getattr(node.children[0].token, "children", None) or []) if node.children else []


def _read_paragraph(node: SyntaxTreeNode) -> Iterator[Draft]:
    source, tokens = node.children[0].content, _tokens_of(node)
    lines = source.split("\n")
    if all(_ROW.fullmatch(line.strip()) for line in lines):  # rows without a line below the first
        yield _make_table([[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])] for line in lines], {})
        return
    if [token.type for token in tokens] == ["link_open", "text", "link_close"] and source.startswith("<http"):
        yield Draft("bookmark", [], {"url": str(tokens[0].attrGet("href"))})
        return
    begin, depth = 0, 0
    for place, token in enumerate([*tokens, None]):
        depth += token.nesting if token is not None else 0
        if token is None or (token.type == "image" and not depth):
            yield from _read_words(tokens[begin:place], only=token is None and not begin)
            begin = place + 1
        if token is not None and token.type == "image" and not depth:
            yield _make_image(token)


def _read_words(tokens: Sequence[Any], *, only: bool) -> Iterator[Draft]:
    spans = spans_of_tokens(tokens)
    if not only:
        spans = _strip_spans(spans)
    text = "".join(span.text for span in spans)
    if text.strip() or only:
        yield Draft("paragraph", spans if text != "\n" else [])


def _strip_spans(spans: list[Span]) -> list[Span]:
    stripped = [*spans]
    if stripped:
        stripped[0] = replace(stripped[0], text=stripped[0].text.lstrip())
        stripped[-1] = replace(stripped[-1], text=stripped[-1].text.rstrip())
    return merge_spans(stripped)


def _make_image(token: Any) -> Draft:
    title = str(token.attrGet("title") or "")
    named = {"title": title} if title else {}
    return Draft("image", [], {"url": str(token.attrGet("src")), "caption": token.content, **named})


def _read_heading(node: SyntaxTreeNode) -> Iterator[Draft]:
    level = int(node.tag[1:])
    # Pages have three kinds of headings; a deeper one is of the third kind and keeps its level.
    data = {"level": level} if level > 3 else {}
    yield Draft(f"heading_{min(level, 3)}", spans_of_tokens(_tokens_of(node)), data)


def _read_list(node: SyntaxTreeNode) -> Iterator[Draft]:
    numbered = node.type == "ordered_list"
    for place, item in enumerate(node.children):
        draft = _read_item(item, numbered=numbered)
        start = int(node.attrs.get("start", 1)) if numbered and not place else 1
        yield replace(draft, data={**draft.data, "start": start}) if start != 1 else draft


def _read_item(item: SyntaxTreeNode, *, numbered: bool) -> Draft:
    children = list(item.children)
    kind, data, spans = "numbered_list_item" if numbered else "bulleted_list_item", dict[str, Any](), list[Span]()
    if children and children[0].type == "paragraph":
        paragraph = children[0]
        task = _TASK.match(paragraph.children[0].content)
        if not any(token.type == "image" for token in _tokens_of(paragraph)) or task:
            spans = spans_of_tokens(_tokens_of(paragraph))
            children = children[1:]
        if task:
            kind, data = "to_do", {"checked": task[1] != " "}
            spans = _cut_spans(spans, task.end())
    return Draft(kind, spans, data, tuple(_join_inside(_read_nodes(children))))


def _cut_spans(spans: list[Span], count: int) -> list[Span]:
    """Pieces without their first characters."""
    cut: list[Span] = []
    for span in spans:
        cut.append(replace(span, text=span.text[count:]))
        count = max(0, count - len(span.text))
    return merge_spans(cut)


def _read_quote(node: SyntaxTreeNode) -> Iterator[Draft]:
    """A quote or a callout: its first paragraph is its text, what else stands in it its children."""
    children = list(node.children)
    spans: list[Span] = []
    head = _CALLOUT.match(children[0].children[0].content) if children and children[0].type == "paragraph" else None
    if head is not None and not _tokens_of(children[0])[0].content.startswith("[!"):
        head = None  # a link
    if children and children[0].type == "paragraph":
        spans = spans_of_tokens(_tokens_of(children.pop(0)))
    inner = tuple(_join_inside(_read_nodes(children)))
    if head is None:
        yield Draft("quote", spans, {}, inner)
        return
    icon = _ALERTS.get(head[1].strip().upper(), "💡" if head[1].isascii() else head[1])
    yield Draft("callout", _cut_spans(spans, head.end()), {"icon": icon}, inner)


def _read_code(node: SyntaxTreeNode) -> Iterator[Draft]:
    text = node.content.removesuffix("\n")
    yield Draft("code", [Span(text)] if text else [], {"language": node.info.strip() or "plain text"})


def _read_table(node: SyntaxTreeNode) -> Iterator[Draft]:
    rows = [row for part in node.children for row in part.children]
    cells = [[cell.children[0].content if cell.children else "" for cell in row.children] for row in rows]
    sides = [str(cell.attrs.get("style", "")).removeprefix("text-align:") for cell in rows[0].children]
    yield _make_table(cells, {"header": True, **({"align": sides} if any(sides) else {})})


def _make_table(rows: list[list[str]], data: dict[str, Any]) -> Draft:
    cells = [[re.sub(r"<br\s*/?>", "\n", cell.replace("\\|", "|")) for cell in row] for row in rows]
    width = max((len(row) for row in cells), default=1)
    drafts = tuple(Draft("table_row", [], {"cells": row}) for row in cells)
    return Draft("table", [], {"header": False, "width": width, **data}, drafts)


def _read_toggle(node: SyntaxTreeNode) -> Iterator[Draft]:
    yield Draft("toggle", spans_of(node.content), {}, _read_lines(node.meta["lines"]))


_READERS: dict[str, Callable[[SyntaxTreeNode], Iterator[Draft]]] = {
    "paragraph": _read_paragraph,
    "heading": _read_heading,
    "bullet_list": _read_list,
    "ordered_list": _read_list,
    "blockquote": _read_quote,
    "fence": _read_code,
    "code_block": _read_code,
    "table": _read_table,
    "hr": lambda _: iter([Draft("divider")]),
    "toggle": _read_toggle,
    "equation": lambda node: iter([Draft("equation", [], {"expression": node.content})]),
    "kept_block": lambda node: iter([Draft(node.content, existing_id=int(node.meta["number"]))]),
    "inside": lambda node: iter([Draft("inside", [], {"mark": node.content})]),
}
