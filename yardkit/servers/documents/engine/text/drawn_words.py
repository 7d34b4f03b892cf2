"""Words of drawings that are no paragraphs of the document: diagrams, charts, WordArt, descriptions of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.kit.ooxml.xml import parse_part
from yardkit.servers.documents.engine.markup.names import TXBX, find_all, get_attribute, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import DRAWINGS
from yardkit.servers.documents.engine.package.document import Document


class DrawnWords:
    """Reads the drawings of one part."""

    def __init__(self, document: Document, part: str) -> None:
        self._package = document.package
        self._links = rels.read_relations(document.package, part)

    def list_lines(self, element: Any) -> list[str]:
        """What the drawings in an element say, a line each: ``diagram: Plan; Do``."""
        if next(element.iter(*DRAWINGS), None) is None:
            return []
        return [line for drawing in iter_outermost(element) for line in self._iter_lines(drawing)]

    def _iter_lines(self, drawing: Any) -> Iterator[str]:
        for frame in drawing.iter(qualify_name("dgm:relIds")):
            yield from _format_line("diagram", _list_paragraphs(self._find_part(get_attribute(frame, "r:dm")), "dgm:t"))
        for frame in drawing.iter(qualify_name("c:chart"), qualify_name("cx:chart")):
            yield from _format_line("chart", _of_chart(self._find_part(get_attribute(frame, "r:id"))))
        yield from _format_line(
            "WordArt", [path.get("string", "") for path in drawing.iter(qualify_name("v:textpath"))]
        )
        yield from _format_line("drawing", _list_paragraphs(drawing, "a:graphicData"))

    def _find_part(self, identity: str | None) -> Any:
        """The root of a part that a drawing shows; None where there is none."""
        relation = self._links.get(identity or "")
        if relation is None or relation.external or relation.target not in self._package:
            return None
        return parse_part(self._package.read(relation.target), relation.target)


def iter_outermost(element: Any) -> Iterator[Any]:
    """The drawings below an element, in their newer version, without those in text boxes of others."""
    left_out = {qualify_name("mc:Fallback"), TXBX}
    for child in element:
        if child.tag in DRAWINGS:
            yield child
        elif child.tag not in left_out:
            yield from iter_outermost(child)


def get_description(drawing: Any) -> str:
    """The alternative text of a drawing: for those who do not see it."""
    about = next(drawing.iter(qualify_name("wp:docPr")), None)
    if about is not None:
        return (about.get("descr") or about.get("title") or "").strip()
    return next((alt.strip() for shape in drawing.iter() if (alt := shape.get("alt"))), "")


def _format_line(kind: str, texts: list[str]) -> Iterator[str]:
    filled_texts = [text for text in texts if text]
    if filled_texts:
        yield f"{kind}: {'; '.join(filled_texts)}"


def _list_paragraphs(root: Any, within: str) -> list[str]:
    """The paragraphs of DrawingML in elements of one name."""
    holders = [] if root is None else root.iter(qualify_name(within))
    return [text for holder in holders for line in holder.iter(qualify_name("a:p")) if (text := _get_text(line))]


def _get_text(paragraph: Any) -> str:
    return "".join(paragraph.itertext(qualify_name("a:t"))).strip()


def _of_chart(space: Any) -> list[str]:
    """What was written onto a chart, and its series: ``Income: North 1, South 2``."""
    if space is None:
        return []
    texts = [text for line in space.iter(qualify_name("a:p")) if (text := _get_text(line))]
    new = [node.text.strip() for node in space.iter(qualify_name("cx:pt"), qualify_name("cx:v")) if node.text]
    return [*texts, *map(_describe_series, space.iter(qualify_name("c:ser"))), *new]


def _describe_series(series: Any) -> str:
    name = ", ".join(_list_values(series, "c:tx"))
    labels, values = (
        _list_values(series, "c:cat") or _list_values(series, "c:xVal"),
        _list_values(series, "c:val", "c:yVal"),
    )
    pairs = [f"{label} {value}" for label, value in zip(labels, values, strict=False)]
    rest = [*labels[len(values) :], *values[len(labels) :]]
    return f"{name}: {', '.join([*pairs, *rest])}" if pairs or rest else name


def _list_values(series: Any, *names: str) -> list[str]:
    holders = [value_holder for name in names for value_holder in find_all(series, name)]
    nodes = (value for holder in holders for value in holder.iter(qualify_name("c:v")))
    return [node.text.strip() for node in nodes if node.text]
