"""Is it gone? The saved file as a reader of text and as a reader of raw streams sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolyard.servers.pdf.engine.chars import words_of
from toolyard.servers.pdf.engine.glyphs import IDENTITY, Editor, Walk
from toolyard.servers.pdf.engine.layout import lines_of
from toolyard.servers.pdf.engine.opening import opened, rendered
from toolyard.servers.pdf.engine.pages import Box
from toolyard.servers.pdf.engine.scrubbing import Terms, content_of, shown_text
from toolyard.servers.pdf.engine.text import find


@dataclass
class Remains:
    """What is still there: by page, and elsewhere."""

    pages: dict[int, str] = field(default_factory=dict)
    elsewhere: list[str] = field(default_factory=list)


def remains(path: Path, password: str, areas: dict[int, list[Box]], terms: Terms | None) -> Remains:
    """Search a saved file for characters in the areas and for the terms in everything that it holds."""
    left = Remains()
    with rendered(path, password) as document:
        for number, boxes in areas.items():
            inside = [box for word in words_of(document[number - 1]) for box in word.chars if _in(box, boxes)]
            if inside:
                left.pages[number] = f"{len(inside)} characters in the areas"
        if terms:
            for number in range(1, len(document) + 1):
                lines = lines_of(words_of(document[number - 1]))
                if any(next(find(lines, pattern, number, literal=True), None) for pattern in terms.patterns):
                    left.pages[number] = "a term in the text"
    if terms:
        _raw(path, password, terms, left)
    return left


def _in(box: Box, boxes: list[Box]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(each[0] < x < each[2] and each[1] < y < each[3] for each in boxes)


def _raw(path: Path, password: str, terms: Terms, left: Remains) -> None:
    """Strings of content streams through their fonts, and every other string and stream as it is."""
    import pikepdf

    with opened(path, password) as pdf:
        for number, page in enumerate(pdf.pages, start=1):
            if number not in left.pages and terms.within(_content_text(pdf, page)):
                left.pages[number] = "a term in the content stream"
        content = content_of(pdf)
        for each in pdf.objects:
            if (
                isinstance(each, pikepdf.Stream)
                and each.get("/Subtype") == "/Form"
                and terms.within(shown_text(pdf, each))
            ):
                left.elsewhere.append(f"form object {each.objgen[0]}")
            for text in _texts(each, 0):
                if terms.within(text):
                    left.elsewhere.append(f"object {each.objgen[0]}")
                    break
            if isinstance(each, pikepdf.Stream) and each.objgen not in content and _in_bytes(each, terms):
                left.elsewhere.append(f"stream {each.objgen[0]}")


def _content_text(pdf: Any, page: Any) -> str:
    import pikepdf

    walk = Walk(pdf, Editor())
    try:
        walk.stream(page, page.obj.get("/Resources"), IDENTITY)
    except (pikepdf.PikepdfError, OverflowError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        return ""
    return "".join(walk.editor.text)


def _texts(node: Any, depth: int) -> Iterator[str]:
    import pikepdf

    if depth > 60:
        return
    if isinstance(node, pikepdf.String):
        yield str(node)
    elif isinstance(node, pikepdf.Array):
        for value in node:
            if not isinstance(value, pikepdf.Object) or not value.is_indirect:
                yield from _texts(value, depth + 1)
    elif isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        for key in list(node.keys()):
            value = node.get(key)
            if isinstance(value, pikepdf.Object) and not value.is_indirect:
                yield from _texts(value, depth + 1)


def _in_bytes(stream: Any, terms: Terms) -> bool:
    """Whether a decoded stream spells a term in a usual encoding; pictures and fonts spell nothing."""
    import pikepdf

    if stream.get("/Subtype") == "/Image" or any(key in stream for key in ("/Length1", "/Length2", "/Length3")):
        return False
    try:
        data = bytes(stream.read_bytes())
    except pikepdf.PikepdfError:
        return False
    return terms.within(data.decode("utf-8", "ignore")) or (
        b"\0" in data and terms.within(data.decode("utf-16-be", "ignore"))
    )
