"""A slide made for one size fitted to another: what lies on it is scaled as a whole, in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import A, P
from yardkit.servers.slides.engine.package.units import EMU_PER_CM

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_FRAME_PATHS = (f"{P}spPr/{A}xfrm", f"{P}grpSpPr/{A}xfrm", f"{P}xfrm")
_SIZED_TAGS = (f"{A}rPr", f"{A}defRPr", f"{A}endParaRPr")
_NEAR = EMU_PER_CM / 20
_SMALLEST = 100
"""The smallest size of text that PowerPoint knows, in hundredths of a point."""


@dataclass(frozen=True)
class Fit:
    """How places of one slide become places of another: times `factor`, then moved; lengths in EMU."""

    factor: float
    across: float
    down: float

    @classmethod
    def between(cls, old: tuple[int, int], new: tuple[int, int]) -> Fit | None:
        """The largest scale at which a slide of the size `old` fits one of the size `new`; None for the same."""
        if max(abs(old[0] - new[0]), abs(old[1] - new[1])) < _NEAR:
            return None
        factor = min(new[0] / old[0], new[1] / old[1])
        return cls(factor, (new[0] - old[0] * factor) / 2, (new[1] - old[1] * factor) / 2)


def fit_slide(slide: Any, how: Fit) -> int:
    """Scale the shapes of a slide that have a place of their own, with the sizes of text that they state; how many.

    Placeholders that take their place from the layout stay. What is in groups is scaled by the group.
    """
    count = 0
    for shape in outer_shapes(slide._element.find(f"{P}cSld/{P}spTree")):
        frame = next((transform for path in _FRAME_PATHS if (transform := shape.find(path)) is not None), None)
        if frame is None or frame.find(f"{A}off") is None or frame.find(f"{A}ext") is None:
            continue
        _scale_element(frame.find(f"{A}off"), {"x": how.across, "y": how.down}, how.factor)
        _scale_element(frame.find(f"{A}ext"), {"cx": 0, "cy": 0}, how.factor)
        _scale_inside(shape, how.factor)
        count += 1
    return count


def outer_shapes(tree: Any) -> Iterator[Any]:
    """The shapes that stand in no group, those for newer and older programs too."""
    for child in tree:
        if child.tag == f"{_MC}AlternateContent":
            for choice in child:
                yield from outer_shapes(choice)
        elif isinstance(child.tag, str) and child.tag not in (f"{P}nvGrpSpPr", f"{P}grpSpPr", f"{P}extLst"):
            yield child


def _scale_element(element: Any, moved: dict[str, float], factor: float) -> None:
    for name, by in moved.items():
        element.set(name, str(round(int(element.get(name, "0")) * factor + by)))


def scale_cells(shape: Any, across: float, down: float) -> None:
    """Scale the columns and rows of a table: programs draw it as large as they are, whatever its box says."""
    for column in shape.iter(f"{A}gridCol"):
        _scale_element(column, {"w": 0}, across)
    for row in shape.iter(f"{A}tr"):
        _scale_element(row, {"h": 0}, down)


def _scale_inside(shape: Any, factor: float) -> None:
    """Columns, rows and the margins of cells of a table, and the sizes of text."""
    scale_cells(shape, factor, factor)
    for cell in shape.iter(f"{A}tcPr"):
        _scale_element(cell, {name: 0 for name in ("marL", "marR", "marT", "marB") if name in cell.attrib}, factor)
    for text in shape.iter(*_SIZED_TAGS):
        if text.get("sz", "").isdigit():
            text.set("sz", str(max(_SMALLEST, round(int(text.get("sz")) * factor / 50) * 50)))
