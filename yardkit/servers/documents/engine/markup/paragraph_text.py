"""The visible text of paragraphs, piece by piece, and spans of it as runs of their own."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

from yardkit.servers.documents.engine.markup.names import (
    SPACE,
    TXBX,
    VERSIONS,
    P,
    R,
    T,
    find_element,
    get_attribute,
    make_element,
    qualify_name,
)

_LEFT_OUT_TAGS = {qualify_name(f"w:{name}") for name in ("del", "moveFrom", "pPr", "rPr", "sdtPr", "sdtEndPr")}
_MATH_TAGS = {qualify_name("m:oMath"), qualify_name("m:oMathPara")}
_AS_TEXT = {
    qualify_name("w:tab"): "\t",
    qualify_name("w:ptab"): "\t",
    qualify_name("w:cr"): "\n",
    qualify_name("w:noBreakHyphen"): "\u2011",
    qualify_name("w:softHyphen"): "\u00ad",
}
DRAWINGS = (qualify_name("w:drawing"), qualify_name("w:pict"), qualify_name("w:object"))
RUBY_BASE = qualify_name("w:rubyBase")
_RUBY, _FIELD_MARK, _SYMBOL, _NEW_SYMBOL, _BREAK = map(
    qualify_name, ("w:ruby", "w:fldChar", "w:sym", "w16se:symEx", "w:br")
)


class Piece(NamedTuple):
    """Characters of a paragraph.

    Attributes:
        text: what is seen.
        node: the element that holds it: w:t, w:tab, w:br ... or m:oMath.
        run: the run around it; None for an equation, which text edits leave alone.
    """

    text: str
    node: Any
    run: Any


def iter_pieces(paragraph: Any) -> Iterator[Piece]:
    """The visible text in order: insertions and results of fields are in; deletions, codes and text boxes are not."""
    depth = _Fields()
    for run in _iter_runs(paragraph):
        if run.tag in _MATH_TAGS:
            yield Piece("".join(run.itertext(qualify_name("m:t"))), run, None)
            continue
        for node in run:
            if node.tag == _FIELD_MARK:
                depth.step(get_attribute(node, "w:fldCharType"))
            text = "" if depth.in_code else _text_of(node)
            if text:
                yield Piece(text, node, run)


class _Fields:
    """Whether a place lies in the code of a field; fields nest."""

    def __init__(self) -> None:
        self._open: list[bool] = []

    def step(self, kind: str | None) -> None:
        if kind == "begin":
            self._open.append(True)
        elif kind == "separate" and self._open:
            self._open[-1] = False
        elif kind == "end" and self._open:
            self._open.pop()

    @property
    def in_code(self) -> bool:
        return any(self._open)


def _iter_runs(container: Any) -> Iterator[Any]:
    for child in container:
        if child.tag == R:
            yield child
            for ruby in child.iterchildren(_RUBY):
                yield from _iter_runs(find_element(ruby, "w:rubyBase"))
        elif child.tag in _MATH_TAGS:
            yield child
        elif child.tag == VERSIONS:
            yield from next((version_runs for version in child if (version_runs := list(_iter_runs(version)))), [])
        elif isinstance(child.tag, str) and child.tag not in _LEFT_OUT_TAGS and child.tag not in DRAWINGS:
            yield from _iter_runs(child)


def list_runs(paragraph: Any) -> list[Any]:
    """The runs that show, in order, those in links, insertions and content controls included."""
    return [run for run in _iter_runs(paragraph) if run.tag == R]


def _text_of(node: Any) -> str:
    if node.tag == T:
        return node.text or ""
    if node.tag == _BREAK:
        return "\n" if get_attribute(node, "w:type", "textWrapping") == "textWrapping" else ""
    if node.tag == _SYMBOL:
        return _get_symbol(node)
    if node.tag == _NEW_SYMBOL:
        return chr(int(get_attribute(node, "w16se:char") or "20", 16))
    if node.tag == VERSIONS and next(node.iter(*DRAWINGS), None) is None:
        return next((text for version in node if (text := "".join(map(_text_of, version)))), "")
    return _AS_TEXT.get(node.tag, "")


def holds_text(node: Any) -> bool:
    """Whether a child of a run is text of it: letters, a tab, a line break, a symbol."""
    return node.tag == T or bool(_text_of(node))


def _get_symbol(node: Any) -> str:
    """A character of a symbol font; those of the private area have no meaning as Unicode and show as a bullet."""
    code = int(get_attribute(node, "w:char") or "0", 16)
    return "\u2022" if 0xE000 <= code <= 0xF8FF or code == 0 else chr(code)


def text_of(paragraph: Any) -> str:
    """The visible text of a paragraph."""
    return "".join(piece.text for piece in iter_pieces(paragraph))


def block_text(block: Any) -> str:
    """The visible text of a paragraph, or of all paragraphs of a table, cell or story, one a line."""
    if block.tag == P:
        return text_of(block)
    return "\n".join(text_of(paragraph) for paragraph in block.iter(P) if not in_fallback(paragraph))


def in_fallback(element: Any) -> bool:
    """Whether an element is the copy of a drawing for programs that do not know the newer one."""
    return next(element.iterancestors(qualify_name("mc:Fallback")), None) is not None


def outside_fallbacks(root: Any, *tags: str) -> Iterator[Any]:
    """The elements below `root` with one of `tags` that are no such copies."""
    if next(root.iter(qualify_name("mc:Fallback")), None) is None:
        return iter(root.iter(*tags))
    return (element for element in root.iter(*tags) if not in_fallback(element))


def text_box_of(element: Any) -> Any:
    """The text box that an element stands in, or None."""
    return next(element.iterancestors(TXBX), None)


def isolate_runs(paragraph: Any, start: int, end: int) -> list[Any]:
    """Split runs so that the characters `start` to `end` of the visible text are whole runs; those runs.

    Equations in the span are left out. An empty span gives no runs.
    """
    if start >= end:
        return []
    for at in (start, end):
        _split_at(paragraph, at)
    isolated_runs: list[Any] = []
    position = 0
    for piece in iter_pieces(paragraph):
        inside = start <= position and position + len(piece.text) <= end
        if inside and piece.run is not None and (not isolated_runs or isolated_runs[-1] is not piece.run):
            isolated_runs.append(piece.run)
        position += len(piece.text)
    return isolated_runs


def _split_at(paragraph: Any, at: int) -> None:
    """Make a border between runs at the character `at`."""
    position, before = 0, None
    for piece in iter_pieces(paragraph):
        if position == at:
            if before is not None and before.run is piece.run and piece.run is not None:
                split_run(piece.run, piece.node)
            return
        if position < at < position + len(piece.text):
            if piece.run is not None and piece.node.tag == T:
                split_run(piece.run, _split_node(piece.node, at - position))
            return
        position, before = position + len(piece.text), piece


def _split_node(node: Any, at: int) -> Any:
    text = node.text or ""
    rest = make_element("w:t", text=text[at:])
    set_text(node, text[:at])
    node.addnext(rest)
    return rest


def split_run(run: Any, node: Any) -> Any:
    """Move `node` and what follows it in `run` to a new run of the same format right after; that run."""
    after = run.makeelement(run.tag, dict(run.attrib), nsmap=run.nsmap)
    properties = find_element(run, "w:rPr")
    if properties is not None:
        after.append(copy.deepcopy(properties))
    moved = [node, *node.itersiblings()]
    after.extend(moved)
    run.addnext(after)
    return after


def set_text(node: Any, text: str) -> None:
    """Set the text of a w:t, its spaces kept."""
    node.text = text
    if text != text.strip() or "  " in text:
        node.set(SPACE, "preserve")


def text_nodes(text: str) -> list[Any]:
    """Text as content of a run: w:t, w:tab and w:br elements."""
    nodes: list[Any] = []
    for number, line in enumerate(text.split("\n")):
        nodes += [make_element("w:br")] if number else []
        for index, part in enumerate(line.split("\t")):
            nodes += [make_element("w:tab")] if index else []
            nodes += [make_element("w:t", text=part)] if part else []
    return nodes
