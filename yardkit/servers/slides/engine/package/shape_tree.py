"""Shapes of a slide: found by id or name, with their kind and their box in slide coordinates, also inside groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.servers.slides.engine.package.units import EMU_PER_CM
from yardkit.world import Problem

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_GRAPHIC_KINDS = {"chart": "chart", "table": "table", "diagram": "diagram", "ole": "object", "chartex": "chart"}


@dataclass(frozen=True)
class Box:
    """A box in EMU of the slide: not rotated, as stored."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def cm(self) -> list[float]:
        """left, top, width, height in cm."""
        return [round(value / EMU_PER_CM, 2) for value in (self.left, self.top, self.width, self.height)]

    def overlap(self, other: Box) -> float:
        """Shared area in square EMU."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(across, 0) * max(down, 0)

    @property
    def area(self) -> float:
        return self.width * self.height


@dataclass(frozen=True)
class Frame:
    """From the coordinates of a group's children to those of the slide."""

    left: float = 0.0
    top: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def to_outer(self, box: Box) -> Box:
        return Box(
            self.left + box.left * self.scale_x,
            self.top + box.top * self.scale_y,
            box.width * self.scale_x,
            box.height * self.scale_y,
        )

    def to_inner(self, box: Box) -> Box:
        return Box(
            (box.left - self.left) / self.scale_x,
            (box.top - self.top) / self.scale_y,
            box.width / self.scale_x,
            box.height / self.scale_y,
        )


@dataclass(frozen=True)
class Placed:
    """A shape with the frame it lies in and the ids of the groups around it, outermost first."""

    shape: Any
    frame: Frame
    groups: tuple[int, ...] = ()
    known: Box | None = None

    @property
    def box(self) -> Box | None:
        """Where it lies on the slide; nothing where neither it nor its placeholder says so."""
        if self.known is not None:
            return self.known
        own = own_box(self.shape)
        return None if own is None else self.frame.to_outer(own)


def walk_shapes(shapes: Any, frame: Frame | None = None, groups: tuple[int, ...] = ()) -> Iterator[Placed]:
    """Every shape, groups before what they hold, from the back to the front."""
    frame = frame or Frame()
    for shape in _list_members(shapes):
        yield Placed(shape, frame, groups)
        if is_group(shape):
            yield from walk_shapes(shape.shapes, _get_inner_frame(shape, frame), (*groups, shape.shape_id))


def _list_members(shapes: Any) -> Iterator[Any]:
    """The shapes of a slide or group, also those with formulas, ink and the like, which stand in two versions: as newer
    programs show them, which is what counts here, and as older ones do.
    """
    if isinstance(shapes, list):
        yield from shapes
        return
    for child in shapes._element:
        if child.tag == f"{MC}AlternateContent":
            newest = child.find(f"{MC}Choice")
            inside = (
                [] if newest is None else [element for element in newest if element.tag in shapes._element._shape_tags]
            )
            yield from map(shapes._shape_factory, inside)
        elif child.tag in shapes._element._shape_tags:
            yield shapes._shape_factory(child)


def with_versions(shape: Any) -> Any:
    """The element of a shape with all its versions."""
    holder = shape._element.getparent()
    return holder.getparent() if holder.tag == f"{MC}Choice" else shape._element


def find_shape(slide: Any, key: int | str) -> Placed:
    """The shape with an id, or with a name that only one shape has.

    Raises:
        Problem: none or several; it names what there is.
    """
    placed = list(walk_shapes(slide.shapes))
    if (
        isinstance(key, str)
        and key.strip().isdigit()
        and all(placed_shape.shape.name != key for placed_shape in placed)
    ):
        key = int(key)
    if isinstance(key, int):
        matching_shapes = [placed_shape for placed_shape in placed if placed_shape.shape.shape_id == key][:1]
    else:
        matching_shapes = [
            placed_shape for placed_shape in placed if placed_shape.shape.name.casefold() == key.strip().casefold()
        ]
        matching_shapes = matching_shapes or [
            placed_shape for placed_shape in placed if get_role(placed_shape.shape) == key.strip().casefold()
        ]
    if len(matching_shapes) == 1:
        return matching_shapes[0]
    listed = (
        ", ".join(f"{placed_shape.shape.shape_id} {placed_shape.shape.name!r}" for placed_shape in placed[:40])
        or "no shapes"
    )
    what = f"several shapes named {key!r}; use the id" if matching_shapes else f"no shape {key!r}"
    raise Problem(f"the slide has {what}. It has: {listed}")


def own_box(shape: Any) -> Box | None:
    """The box as stored, or as inherited from the layout's placeholder, in the coordinates of its parent."""
    shape = _with_place(shape)
    try:
        values = (shape.left, shape.top, shape.width, shape.height)
    except (AttributeError, KeyError, ValueError):
        return None
    if any(value is None for value in values):
        return None
    return Box(*(float(value) for value in values))


def _with_place(shape: Any) -> Any:
    """The placeholder of the layout that says where one of a slide is, where the layout has several of its number."""
    layout = getattr(shape.part, "slide_layout", None) if find_placeholder(shape) is not None else None
    if layout is None or shape._element.find(f"./{P}spPr/{A}xfrm/{A}off") is not None:
        return shape
    several = [
        candidate
        for candidate in layout.placeholders
        if get_placeholder_number(candidate) == get_placeholder_number(shape)
    ]
    return same_kind(several, shape) if len(several) > 1 else shape


def same_kind(several: list[Any], shape: Any) -> Any:
    """Of placeholders with the same number, as LibreOffice writes them, the one of the kind of `shape`."""
    return next((candidate for candidate in several if get_role(candidate) == get_role(shape)), several[0])


def get_placeholder_number(shape: Any) -> str:
    """The number by which a placeholder of a slide and that of its layout belong together."""
    return str(find_placeholder(shape).get("idx", "0"))


def get_kind(shape: Any) -> str:
    """textbox, shape, picture, table, chart, diagram, object, media, group, connector or other."""
    tag = shape._element.tag.rsplit("}", 1)[-1]
    if tag == "graphicFrame":
        data = shape._element.find(f".//{A}graphicData")
        return _GRAPHIC_KINDS.get("" if data is None else data.get("uri", "").rsplit("/", 1)[-1], "other")
    if tag == "pic":
        media = shape._element.find(f".//{A}videoFile"), shape._element.find(f".//{A}audioFile")
        return "picture" if media == (None, None) else "media"
    if tag == "sp":
        properties = shape._element.find(f"{P}nvSpPr/{P}cNvSpPr")
        return "textbox" if properties is not None and properties.get("txBox") in ("1", "true") else "shape"
    return {"grpSp": "group", "cxnSp": "connector"}.get(tag, "other")


def is_group(shape: Any) -> bool:
    return bool(shape._element.tag == f"{P}grpSp")


def find_placeholder(shape: Any) -> Any:
    """The `p:ph` element of a placeholder, else None."""
    return shape._element.find(f"./*/{P}nvPr/{P}ph")


def get_role(shape: Any) -> str:
    """What a placeholder is for: title, body, subtitle, picture, footer, number, date ...; empty for other shapes."""
    ph = find_placeholder(shape)
    if ph is None:
        return ""
    names = {"ctrTitle": "title", "subTitle": "subtitle", "obj": "body", "ftr": "footer", "sldNum": "number"}
    names |= {"dt": "date", "pic": "picture", "tbl": "table", "hdr": "header", "media": "media"}
    kind_of = ph.get("type", "obj")
    return str(names.get(kind_of, kind_of))


def title_shape(slide: Any) -> Any:
    """The shape whose text is the title of a slide, whatever number it has and in whatever group; None for none."""
    titles = (placed.shape for placed in walk_shapes(slide.shapes) if get_role(placed.shape) == "title")
    return next((shape for shape in titles if text_body(shape) is not None), None)


def get_preset(shape: Any) -> str:
    """The preset geometry such as rect, or custom; empty where it has none."""
    geometry = shape._element.find(f"{P}spPr/{A}prstGeom")
    if geometry is not None:
        return str(geometry.get("prst", ""))
    return "custom" if shape._element.find(f"{P}spPr/{A}custGeom") is not None else ""


def non_visual(shape: Any) -> Any:
    """The `p:cNvPr` element: id, name, alt text, link."""
    return shape._element.find(f"./*/{P}cNvPr")


def alt_text(shape: Any) -> str:
    return str(non_visual(shape).get("descr", ""))


def text_body(shape: Any) -> Any:
    """The `p:txBody` element of a shape that can hold text, else None."""
    return shape._element.find(f"{P}txBody")


def move_shape(placed: Placed, box: Box) -> None:
    """Put a shape at a box of the slide; groups around it grow with it."""
    inner = placed.frame.to_inner(box)
    shape = placed.shape
    shape.left, shape.top = round(inner.left), round(inner.top)
    shape.width, shape.height = max(round(inner.width), 0), max(round(inner.height), 0)
    own = shape._element.find(f"{P}spPr/{A}xfrm")
    for other in with_versions(shape).iterfind(f"{MC}Fallback/*/{P}spPr/{A}xfrm") if own is not None else ():
        for tag in ("off", "ext"):
            _set_child(other, tag, {key: int(value) for key, value in own.find(f"{A}{tag}").attrib.items()})


def fit_group(group: Any) -> None:
    """Make a group as large as what it holds, which stays where it is on the slide."""
    boxes = [box for box in (own_box(shape) for shape in group.shapes) if box]
    if not boxes:
        return
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    around = Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)
    outer = _get_inner_frame(group, Frame()).to_outer(around)
    xfrm = group._element.grpSpPr.get_or_add_xfrm()
    for tag, x, y in (("off", outer.left, outer.top), ("chOff", around.left, around.top)):
        _set_child(xfrm, tag, {"x": round(x), "y": round(y)})
    for tag, x, y in (("ext", outer.width, outer.height), ("chExt", around.width, around.height)):
        _set_child(xfrm, tag, {"cx": round(x), "cy": round(y)})


def _set_child(xfrm: Any, tag: str, values: dict[str, int]) -> None:
    from lxml import etree

    element = xfrm.find(f"{A}{tag}")
    if element is None:
        order = ("off", "ext", "chOff", "chExt")
        before = sum(xfrm.find(f"{A}{other}") is not None for other in order[: order.index(tag)])
        element = etree.Element(f"{A}{tag}")
        xfrm.insert(before, element)
    for key, value in values.items():
        element.set(key, str(value))


def _get_inner_frame(group: Any, frame: Frame) -> Frame:
    """The frame of a group's children."""
    xfrm = group._element.find(f"{P}grpSpPr/{A}xfrm")
    parts = {} if xfrm is None else {tag: xfrm.find(f"{A}{tag}") for tag in ("off", "ext", "chOff", "chExt")}
    if len(parts) < 4 or any(part is None for part in parts.values()):
        return frame
    number = {tag: [float(value) for value in part.attrib.values()][:2] for tag, part in parts.items()}
    scale_x = number["ext"][0] / number["chExt"][0] if number["chExt"][0] else 1.0
    scale_y = number["ext"][1] / number["chExt"][1] if number["chExt"][1] else 1.0
    left = number["off"][0] - number["chOff"][0] * scale_x
    top = number["off"][1] - number["chOff"][1] * scale_y
    return Frame(
        frame.left + left * frame.scale_x,
        frame.top + top * frame.scale_y,
        frame.scale_x * (scale_x or 1.0),
        frame.scale_y * (scale_y or 1.0),
    )
