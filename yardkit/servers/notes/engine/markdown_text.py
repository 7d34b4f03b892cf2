"""Blocks as Markdown and back.

Headings, lists (what stands in an item is indented), tasks, quotes, ``> [!💡] callouts``, code, tables, dividers,
images, formulas (``$$``), bookmarks (``<address>``) and ``<details>`` for toggles. A block for which Markdown has
nothing is a comment with its number, which stays where it is as long as its line does.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from yardkit.apps.notes import Block, Span
from yardkit.servers.notes.engine.inline import join_text, keep_styled, markdown_of, spans_of
from yardkit.world import Problem

MAX_BLOCKS = 5_000
"""Of one page."""
_INDENT = " " * 4
_STARTS = re.compile(r"(#{1,6} |[-*+] |\d+[.)] |>|```|---|\||\$\$|!\[|<details|</details|<!--)")
_LISTS = ("bulleted_list_item", "numbered_list_item", "to_do")


@dataclass(frozen=True)
class Draft:
    """A block that is not saved yet. existing_id: of a saved block that Markdown cannot express."""

    kind: str
    spans: list[Span] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    children: tuple["Draft", ...] = ()
    existing_id: int | None = None

    @property
    def text(self) -> str:
        return join_text(self.spans)

    def block(self, number: int, page_id: int, parent_id: int | None, position: int, now: str) -> Block:
        """As a record."""
        return Block(
            number, page_id, parent_id, position, self.kind, self.text, keep_styled(self.spans), self.data, now, now
        )


class Tree:
    """The blocks of a page by the block in which they stand."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.children: dict[int | None, list[Block]] = {}
        for block in sorted(blocks, key=lambda block: (block.position, block.id)):
            self.children.setdefault(block.parent_id, []).append(block)

    def list_children(self, parent_id: int | None) -> list[Block]:
        """The blocks in one of them, or those of the page itself."""
        return self.children.get(parent_id, [])

    def to_markdown(self, parent_id: int | None = None) -> str:
        """All of them."""
        parts: list[str] = []
        before = ""
        for block in self.list_children(parent_id):
            near = block.kind == before and block.kind in _LISTS
            parts += [self.format_tree(block)] if near or not parts else ["", self.format_tree(block)]
            before = block.kind
        return "\n".join(_number_items(parts, [block.kind for block in self.list_children(parent_id)]))

    def format_tree(self, block: Block) -> str:
        """A block with what stands in it."""
        if block.kind == "table":
            return _format_table([row.data.get("cells", []) for row in self.list_children(block.id)])
        lines = _format_block(block)
        inner = self.to_markdown(block.id)
        inside = [f"{_INDENT}{line}" if line else "" for line in inner.split("\n")] if inner else []
        if block.kind == "toggle":
            return "\n".join([f"<details><summary>{lines}</summary>", *inside, "</details>"])
        return "\n".join([lines, *inside])


def _number_items(parts: list[str], kinds: list[str]) -> list[str]:
    """The parts of a list, in which numbered items count on."""
    numbered_parts, count, at = [], 0, iter(kinds)
    for part in parts:
        if part == "":
            numbered_parts.append(part)
            continue
        count = count + 1 if next(at) == "numbered_list_item" else 0
        numbered_parts.append(f"{count}.{part[2:]}" if count else part)
    return numbered_parts


def _format_block(block: Block) -> str:
    text = markdown_of(block.rich)
    one_line = text.replace("\n", "<br>")
    makers: dict[str, Callable[[], str]] = {
        "paragraph": lambda: (
            "\n".join(_STARTS.sub(_guard_line_start, line, count=1) for line in text.split("\n")) or "<br>"
        ),
        "heading_1": lambda: f"# {one_line}",
        "heading_2": lambda: f"## {one_line}",
        "heading_3": lambda: f"### {one_line}",
        "bulleted_list_item": lambda: f"- {one_line}",
        "numbered_list_item": lambda: f"1. {one_line}",
        "to_do": lambda: f"- [{'x' if block.data.get('checked') else ' '}] {one_line}",
        "toggle": lambda: one_line,
        "quote": lambda: "\n".join(f"> {line}" for line in text.split("\n")),
        "callout": lambda: f"> [!{block.data.get('icon') or '💡'}] {one_line}",
        "code": lambda: f"```{block.data.get('language') or ''}\n{block.text}\n```",
        "equation": lambda: f"$$ {block.data.get('expression', '')} $$",
        "divider": lambda: "---",
        "image": lambda: f"![{block.data.get('caption', '')}]({block.data.get('url', '')})",
        "bookmark": lambda: f"<{block.data.get('url', '')}>",
    }
    make_text = makers.get(block.kind)
    return make_text() if make_text else f"<!-- {block.kind} {block.id} -->"


def _guard_line_start(match: re.Match[str]) -> str:
    """The beginning of a line that would make it something else."""
    return re.sub(r"([#\-*+>`|$!<]|[.)])", r"\\\1", match[0], count=1) if match.start() == 0 else match[0]


def _escape_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def _format_table(rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return "| |\n| --- |"
    width = max(len(row) for row in rows)
    padded_rows = [[*row, *[""] * (width - len(row))] for row in rows]
    lines = [f"| {' | '.join(map(_escape_cell, row))} |" for row in padded_rows]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def drafts_of(markdown: str) -> tuple[Draft, ...]:
    """The blocks of a text.

    Raises:
        Problem: they are too many, or a part of it is never closed.
    """
    drafts = _Reader(markdown.replace("\t", _INDENT).split("\n")).read_drafts()
    if _count_drafts(drafts) > MAX_BLOCKS:
        raise Problem(
            f"the text has {_count_drafts(drafts)} blocks; the limit is {MAX_BLOCKS:,}. Split it into several pages"
        )
    return drafts


def _count_drafts(drafts: Sequence[Draft]) -> int:
    return sum(1 + _count_drafts(draft.children) for draft in drafts)


class _Reader:
    """Reads lines one after the other; lines that are indented more belong to the block above them."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at = [line.rstrip() for line in lines], 0

    def read_drafts(self) -> tuple[Draft, ...]:
        """All blocks at the indent of the first line."""
        drafts: list[Draft] = []
        indent = next((_measure_indent(line) for line in self.lines if line), 0)
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line or line.strip() == "</details>":
                self.at += 1
            elif _measure_indent(line) > indent and drafts:
                inner = _Reader(self._read_while(lambda line: not line or _measure_indent(line) > indent)).read_drafts()
                drafts[-1] = replace(drafts[-1], children=drafts[-1].children + inner)
            else:
                drafts.append(self._read_block(line.strip(), _measure_indent(line)))
        return tuple(drafts)

    def _read_while(self, holds: Callable[[str], bool]) -> list[str]:
        """The next lines as long as something holds of them."""
        first = self.at
        while self.at < len(self.lines) and holds(self.lines[self.at]):
            self.at += 1
        return self.lines[first : self.at]

    def _read_block(self, line: str, indent: int) -> Draft:
        if line.startswith("```"):
            return self._read_code(line, indent)
        if line.startswith("|"):
            return _read_table([row.strip() for row in self._read_while(lambda row: row.strip().startswith("|"))])
        if line.startswith("<details"):
            return self._read_details(line)
        if line.startswith(">"):
            return _read_quote([row.strip()[1:].removeprefix(" ") for row in self._read_while(_is_quote)])
        self.at += 1
        draft = _read_line(line)
        return draft if draft else self._read_paragraph(line, indent)

    def _read_paragraph(self, line: str, indent: int) -> Draft:
        more = self._read_while(
            lambda row: bool(row) and _measure_indent(row) == indent and not _STARTS.match(row.strip())
        )
        text = "\n".join([line, *(row.strip() for row in more)])
        return Draft("paragraph", spans_of("" if text == "<br>" else text.replace("<br>", "\n")))

    def _read_code(self, line: str, indent: int) -> Draft:
        self.at += 1
        inside = self._read_while(lambda row: row.strip() != "```")
        if self.at == len(self.lines):
            raise Problem(f"the code block that begins with {line!r} is not closed; end it with a line of ```")
        self.at += 1
        text = "\n".join(row[indent:] if row[:indent].isspace() or not indent else row for row in inside)
        return Draft("code", [Span(text)] if text else [], {"language": line[3:].strip() or "plain text"})

    def _read_details(self, line: str) -> Draft:
        title = re.sub(r"</?(details|summary)>", "", line).strip()
        self.at += 1
        inside: list[str] = []
        depth = 0 if "</details>" in line else 1
        while depth and self.at < len(self.lines):
            row = self.lines[self.at].strip()
            depth += row.startswith("<details") - row.endswith("</details>")
            inside += [self.lines[self.at]] if depth else []
            self.at += 1
        if depth:
            raise Problem(f"the toggle that begins with {line!r} is not closed; end it with a line of </details>")
        return Draft("toggle", spans_of(title.replace("<br>", "\n")), children=_Reader(inside).read_drafts())


def _measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_quote(line: str) -> bool:
    return line.strip().startswith(">")


def _read_quote(lines: list[str]) -> Draft:
    head = re.match(r"\[!([^\]]*)\]\s*", lines[0])
    if head:
        text = "\n".join([lines[0][head.end() :], *lines[1:]]).replace("<br>", "\n")
        return Draft("callout", spans_of(text), {"icon": "💡" if head[1].isascii() else head[1]})
    return Draft("quote", spans_of("\n".join(lines).replace("<br>", "\n")))


def _split_cells(line: str) -> list[str]:
    inside = line.removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inside)]


def _read_table(lines: list[str]) -> Draft:
    rows = [_split_cells(line) for line in lines]
    content_rows = [row for row in rows if not all(re.fullmatch(r":?-{2,}:?", cell) for cell in row)]
    cells = [Draft("table_row", [], {"cells": [cell.replace("<br>", "\n") for cell in row]}) for row in content_rows]
    width = max((len(row) for row in content_rows), default=1)
    return Draft("table", [], {"header": len(content_rows) < len(rows), "width": width}, tuple(cells))


_LINES: tuple[tuple[str, Callable[[re.Match[str]], Draft]], ...] = (
    (r"(#{1,6}) (.*)", lambda match: Draft(f"heading_{min(len(match[1]), 3)}", _parse_inner(match[2]))),
    (r"[-*+] \[([ xX])\] ?(.*)", lambda match: Draft("to_do", _parse_inner(match[2]), {"checked": match[1] != " "})),
    (r"(?:-{3,}|\*{3,})", lambda _: Draft("divider")),
    (r"[-*+] (.*)", lambda match: Draft("bulleted_list_item", _parse_inner(match[1]))),
    (r"\d+[.)] (.*)", lambda match: Draft("numbered_list_item", _parse_inner(match[1]))),
    (r"\$\$ ?(.+?) ?\$\$", lambda match: Draft("equation", [], {"expression": match[1]})),
    (r"!\[([^\]]*)\]\(([^()\s]+)\)", lambda match: Draft("image", [], {"url": match[2], "caption": match[1]})),
    (r"<(https?://[^>\s]+)>", lambda match: Draft("bookmark", [], {"url": match[1]})),
    (r"<!-- (\w+) (\d+) -->", lambda match: Draft(match[1], existing_id=int(match[2]))),
)


def _parse_inner(text: str) -> list[Span]:
    return spans_of(text.replace("<br>", "\n"))


def _read_line(line: str) -> Draft | None:
    for pattern, make_draft in _LINES:
        match = re.fullmatch(pattern, line)
        if match:
            return make_draft(match)
    return None
