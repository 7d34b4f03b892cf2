"""A document's tree as plain text: a line for each paragraph and row, cells divided by tabs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yardkit.servers.documents.engine.convert.markdown import grid_of

_BLOCK_TAGS = ("p", "ul", "ol", "table", "pre", "div", "blockquote", "figure")


def from_tree(article: Any) -> str:
    """The text of the tree that `html_writer.to_tree` makes."""
    return "\n".join(line for block in article for line in _iter_lines(block)) + "\n"


def _iter_lines(node: Any) -> Iterator[str]:
    if node.tag == "table":
        for row in grid_of(node):
            yield "\t".join("" if cell is None else " ".join(_list_cell_lines(cell)) for cell in row)
    elif node.tag in ("ul", "ol"):
        yield from _iter_items(node)
    elif node.tag in ("div", "blockquote", "figure"):
        for child in node:
            yield from _iter_lines(child)
    elif node.tag == "section":
        yield from (f"[{item.get('value')}] {item.text or ''}" for item in node.iter("li"))
    elif node.tag == "hr":
        yield ""
    else:
        yield from _join_inline(node).rstrip("\n").split("\n")


def _list_cell_lines(cell: Any) -> list[str]:
    own = [_join_inline(cell)] if not any(child.tag in _BLOCK_TAGS for child in cell) else []
    inner = [line for child in cell if child.tag in _BLOCK_TAGS for line in _iter_lines(child)]
    return [line.replace("\n", " ") for line in [*own, *inner]]


def _iter_items(node: Any) -> Iterator[str]:
    first = node.get("start", "1")
    for number, item in enumerate(node, start=int(first) if first.isdigit() else 1):
        mark = item.get("data-label") or (f"{number}." if node.tag == "ol" else "-")
        yield f"{mark} {_join_inline(item)}"
        for inner in item:
            if inner.tag in _BLOCK_TAGS:
                yield from (f"    {line}" for line in _iter_lines(inner))


def _join_inline(node: Any) -> str:
    """The words in a line; of an image what describes it, of a formula its LaTeX, of a note its number."""
    inline_text = node.text or ""
    for child in node:
        inline_text += _get_word(child) + (child.tail or "")
    return inline_text


def _get_word(node: Any) -> str:
    if node.tag in _BLOCK_TAGS:
        return ""
    if node.tag == "br":
        return "\n"
    if node.tag == "img":
        return f"[{node.get('alt')}]" if node.get("alt") else ""
    inner = _join_inline(node)
    if node.tag == "sup" and node.get("class") == "footnote":
        return f"[{inner}]"
    return f"({inner})" if node.tag == "rt" else inner
