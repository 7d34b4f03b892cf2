"""The words of diagrams (SmartArt), and of charts of the kinds that only newer programs draw."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from yardkit.kit.ooxml.xml import parse_part
from yardkit.servers.slides.engine.package.shape_tree import A, R
from yardkit.servers.slides.engine.text.paragraphs import read_text

_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_NEW_CHART = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"


def drawn_lines(shape: Any) -> list[str]:
    """The lines of text in the part that a graphic frame shows; none for what python-pptx reads itself."""
    frame = shape._element.find(f".//{A}graphicData") if shape._element.tag.endswith("}graphicFrame") else None
    if frame is None:
        return []
    diagram, chart = frame.find(f"{_DIAGRAM}relIds"), frame.find(f"{_NEW_CHART}chart")
    if diagram is not None:
        root = _find_part(shape, diagram.get(f"{R}dm"))
        return _read_lines(root, f"{_DIAGRAM}t")
    if chart is not None:
        root = _find_part(shape, chart.get(f"{R}id"))
        return [*_read_lines(root, f"{_NEW_CHART}rich"), *_list_points(root)]
    return []


def _find_part(shape: Any, identity: str | None) -> Any:
    if not identity or identity not in shape.part.rels or shape.part.rels[identity].is_external:
        return None
    part = shape.part.related_part(identity)
    return parse_part(part.blob, str(part.partname))


def _read_lines(root: Any, tag: str) -> list[str]:
    bodies = [] if root is None else root.iter(tag)
    return [line for body in bodies for line in read_text(body).split("\n") if line.strip()]


def _list_points(root: Any) -> Iterator[str]:
    for name in () if root is None else (f"{_NEW_CHART}pt", f"{_NEW_CHART}v"):
        yield from (node.text for node in root.iter(name) if node.text and node.text.strip())
