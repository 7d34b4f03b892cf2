"""Words of drawings that are no paragraphs of the document: diagrams, charts, WordArt, descriptions of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.kit.ooxml.xml import parse
from yardkit.servers.documents.engine.markup.names import TXBX, find_all, get, q
from yardkit.servers.documents.engine.markup.paragraph_text import DRAWINGS
from yardkit.servers.documents.engine.package.document import Document


class DrawnWords:
    """Reads the drawings of one part."""

    def __init__(self, document: Document, part: str) -> None:
        self._package = document.package
        self._links = rels.relations(document.package, part)

    def lines(self, element: Any) -> list[str]:
        """What the drawings in an element say, a line each: ``diagram: Plan; Do``."""
        if next(element.iter(*DRAWINGS), None) is None:
            return []
        return [line for drawing in outermost(element) for line in self._lines(drawing)]

    def _lines(self, drawing: Any) -> Iterator[str]:
        for frame in drawing.iter(q("dgm:relIds")):
            yield from _line("diagram", _paragraphs(self._part(get(frame, "r:dm")), "dgm:t"))
        for frame in drawing.iter(q("c:chart"), q("cx:chart")):
            yield from _line("chart", _of_chart(self._part(get(frame, "r:id"))))
        yield from _line("WordArt", [path.get("string", "") for path in drawing.iter(q("v:textpath"))])
        yield from _line("drawing", _paragraphs(drawing, "a:graphicData"))

    def _part(self, identity: str | None) -> Any:
        """The root of a part that a drawing shows; None where there is none."""
        relation = self._links.get(identity or "")
        if relation is None or relation.external or relation.target not in self._package:
            return None
        return parse(self._package.read(relation.target), relation.target)


def outermost(element: Any) -> Iterator[Any]:
    """The drawings below an element, in their newer version, without those in text boxes of others."""
    left_out = {q("mc:Fallback"), TXBX}
    for child in element:
        if child.tag in DRAWINGS:
            yield child
        elif child.tag not in left_out:
            yield from outermost(child)


def description(drawing: Any) -> str:
    """The alternative text of a drawing: for those who do not see it."""
    about = next(drawing.iter(q("wp:docPr")), None)
    if about is not None:
        return (about.get("descr") or about.get("title") or "").strip()
    return next((alt.strip() for shape in drawing.iter() if (alt := shape.get("alt"))), "")


def _line(kind: str, texts: list[str]) -> Iterator[str]:
    told = [text for text in texts if text]
    if told:
        yield f"{kind}: {'; '.join(told)}"


def _paragraphs(root: Any, within: str) -> list[str]:
    """The paragraphs of DrawingML in elements of one name."""
    holders = [] if root is None else root.iter(q(within))
    return [text for holder in holders for line in holder.iter(q("a:p")) if (text := _text(line))]


def _text(paragraph: Any) -> str:
    return "".join(paragraph.itertext(q("a:t"))).strip()


def _of_chart(space: Any) -> list[str]:
    """What was written onto a chart, and its series: ``Income: North 1, South 2``."""
    if space is None:
        return []
    texts = [text for line in space.iter(q("a:p")) if (text := _text(line))]
    new = [node.text.strip() for node in space.iter(q("cx:pt"), q("cx:v")) if node.text]
    return [*texts, *map(_series, space.iter(q("c:ser"))), *new]


def _series(series: Any) -> str:
    name = ", ".join(_values(series, "c:tx"))
    labels, values = _values(series, "c:cat") or _values(series, "c:xVal"), _values(series, "c:val", "c:yVal")
    pairs = [f"{label} {value}" for label, value in zip(labels, values, strict=False)]
    rest = [*labels[len(values) :], *values[len(labels) :]]
    return f"{name}: {', '.join([*pairs, *rest])}" if pairs or rest else name


def _values(series: Any, *names: str) -> list[str]:
    holders = [found for name in names for found in find_all(series, name)]
    nodes = (value for holder in holders for value in holder.iter(q("c:v")))
    return [node.text.strip() for node in nodes if node.text]
