"""Blocks as Markdown.

GFM, with ``> [!💡] callouts``, formulas (``$$``), bookmarks (``<address>``) and ``<details>`` for toggles. What stands
in an item of a list is indented, what stands in another block is between two comments. A block for which Markdown has
nothing is a comment with its number, which stays where it is as long as its line does.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from yardkit.apps.notes import Block, Span
from yardkit.servers.notes.engine.inline import join_text, keep_styled, markdown_of, write_address

MAX_BLOCKS = 5_000
"""Of one page."""
_INDENT = " " * 4
_STARTS = re.compile(
    r"(?:(?=#{1,6}(?:\s|$)|[-*+](?:\s|$)|>|```|~~~|[-=]+\s*$|(?:[-*_]\s*){3,}$|\||\$\$|!\[|<details|</details|<!--|<http)"
    r"|\d{1,9}(?=[.)](?:\s|$)))"
)
"""What at the beginning of a line would make it something else; a backslash comes before what follows."""
INSIDE = ("<!-- inside -->", "<!-- /inside -->")
"""Lines around what stands in a block that is no item of a list."""
_RULES = {"left": ":---", "center": ":---:", "right": "---:"}
_INTERRUPTING = {
    *("bulleted_list_item", "numbered_list_item", "to_do", "heading_1", "heading_2", "heading_3", "quote", "callout"),
    *("code", "table", "toggle", "equation"),
}
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
        before, count = "", 0
        for block in self.list_children(parent_id):
            near = block.kind == before and block.kind in _LISTS
            count = int(block.data.get("start") or count + 1) if block.kind == "numbered_list_item" else 0
            text = self.format_tree(block, count or 1)
            parts += [text] if near or not parts else ["", text]
            before = block.kind
        return "\n".join(parts)

    def format_tree(self, block: Block, number: int = 1) -> str:
        """A block with what stands in it; number: of an item of a numbered list."""
        if block.kind == "table":
            rows = [row.data.get("cells", []) for row in self.list_children(block.id)]
            return _format_table(rows, block.data.get("align") or [])
        if block.data.get("front_matter") and block.position <= 1 and block.parent_id is None:
            return f"---\n{block.text}\n---"
        lines = _format_block(block, number)
        inner = self.to_markdown(block.id)
        if block.kind == "toggle":
            return "\n".join([f"<details><summary>{lines}</summary>", *_indent_lines(inner, _INDENT), "</details>"])
        if not inner:
            return lines
        if block.kind in _LISTS:
            indent = max(_INDENT, " " * len(f"{number}. "), key=len)
            gap = [""] if block.text and not _may_follow(self.list_children(block.id)[0]) else []
            return "\n".join([lines, *gap, *_indent_lines(inner, indent)])
        if block.kind in ("quote", "callout"):
            return "\n".join([lines, ">", *(f"> {line}" if line else ">" for line in inner.split("\n"))])
        return "\n\n".join([lines, INSIDE[0], inner, INSIDE[1]])


def _may_follow(block: Block) -> bool:
    """Whether a block may stand right below the words of an item; others would be read as more of them."""
    return block.kind in _INTERRUPTING and int(block.data.get("start") or 1) == 1


def _indent_lines(text: str, indent: str) -> list[str]:
    return [f"{indent}{line}" if line else "" for line in text.split("\n")] if text else []


def _format_block(block: Block, number: int) -> str:
    text = markdown_of(block.rich)
    one_line = text.replace("\n", "<br>")
    item = _guard_line(one_line)
    makers: dict[str, Callable[[], str]] = {
        "paragraph": lambda: "\n".join(_guard_line(line) or "<br>" for line in text.split("\n")),
        "heading_1": lambda: f"# {_guard_end(one_line)}",
        "heading_2": lambda: f"## {_guard_end(one_line)}",
        "heading_3": lambda: f"{'#' * int(block.data.get('level') or 3)} {_guard_end(one_line)}",
        "bulleted_list_item": lambda: f"- {item}",
        "numbered_list_item": lambda: f"{number}. {item}",
        "to_do": lambda: f"- [{'x' if block.data.get('checked') else ' '}] {item}",
        "toggle": lambda: one_line,
        "quote": lambda: "\n".join(f"> {_guard_line(line) or '<br>'}" for line in text.split("\n")),
        "callout": lambda: f"> [!{block.data.get('icon') or '💡'}] {one_line}",
        "code": lambda: _format_code(block),
        "equation": lambda: _format_equation(str(block.data.get("expression", ""))),
        "divider": lambda: "---",
        "image": lambda: _format_image(block),
        "bookmark": lambda: f"<{block.data.get('url', '')}>",
    }
    make_text = makers.get(block.kind)
    return make_text() if make_text else f"<!-- {block.kind} {block.id} -->"


def _guard_line(line: str) -> str:
    """A line that is text, whatever it begins with, blanks apart."""
    start = _STARTS.match(line, len(line) - len(line.lstrip(" ")))
    return f"{line[: start.end()]}\\{line[start.end() :]}" if start else line


def _guard_end(line: str) -> str:
    """The text of a heading, of which number signs at the end would be cut off."""
    return re.sub(r"(#+)(\s*)$", r"\\\1\2", line)


def _format_code(block: Block) -> str:
    """Code in a fence that is longer than any within it."""
    text = block.text
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return (
        f"{fence}{block.data.get('language') or ''}\n{text}\n{fence}"
        if text
        else f"{fence}{block.data.get('language') or ''}\n{fence}"
    )


def _format_equation(expression: str) -> str:
    return f"$$\n{expression}\n$$" if "\n" in expression else f"$$ {expression} $$"


def _format_image(block: Block) -> str:
    title = str(block.data.get("title") or "").replace('"', '\\"')
    caption = re.sub(r"([\\\[\]])", r"\\\1", str(block.data.get("caption", "")))
    address = write_address(str(block.data.get("url", "")))
    return f'![{caption}]({address} "{title}")' if title else f"![{caption}]({address})"


def _escape_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def _format_table(rows: Sequence[Sequence[str]], sides: Sequence[str]) -> str:
    if not rows:
        return "| |\n| --- |"
    width = max(len(row) for row in rows)
    padded_rows = [[*row, *[""] * (width - len(row))] for row in rows]
    lines = [f"| {' | '.join(map(_escape_cell, row))} |" for row in padded_rows]
    rules = [_RULES.get(side, "---") for side in [*sides, *[""] * width][:width]]
    return "\n".join([lines[0], f"| {' | '.join(rules)} |", *lines[1:]])
