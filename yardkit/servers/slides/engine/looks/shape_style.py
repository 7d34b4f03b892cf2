"""Fill, line, shadow, rotation and flips of shapes, written into their `spPr`."""

from __future__ import annotations

from typing import Any

from yardkit.servers.slides.engine.inputs import ShapeEdit
from yardkit.servers.slides.engine.package.shape_tree import A, P
from yardkit.servers.slides.engine.package.units import color_element, make_solid_fill
from yardkit.world import Problem

_FILL_TAGS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_BEFORE_FILL = ("xfrm", "custGeom", "prstGeom")
_BEFORE_LINE = (*_BEFORE_FILL, *_FILL_TAGS)
_EFFECT_TAGS = ("blur", "fillOverlay", "glow", "innerShdw", "outerShdw", "prstShdw", "reflection", "softEdge")
_SHADOW = '<a:outerShdw {} blurRad="76200" dist="38100" dir="5400000" algn="t" rotWithShape="0">'
_SHADOW += '<a:srgbClr val="000000"><a:alpha val="35000"/></a:srgbClr></a:outerShdw>'


def style_shape(shape: Any, edit: ShapeEdit) -> None:
    """Apply the fields of a `style_shape` operation.

    Raises:
        Problem: the shape has no fill or line of its own, or nothing is given.
    """
    properties = _require_properties(shape)
    if (edit.fill, edit.fill_to, edit.line_color, edit.line_pt, edit.dash, edit.shadow, edit.transparency) == (
        None,
    ) * 7:
        raise Problem("style needs fill, fill_to, transparency, line_color, line_pt, dash or shadow")
    if edit.fill is not None or edit.fill_to is not None:
        set_fill(properties, edit.fill, edit.fill_to, edit.transparency)
    elif edit.transparency is not None:
        _set_alpha(properties, edit.transparency)
    if edit.line_color is not None or edit.line_pt is not None or edit.dash is not None:
        set_line(properties, edit.line_color, edit.line_pt, edit.dash)
    if edit.shadow is not None:
        _set_shadow(properties, with_shadow=edit.shadow)


def _require_properties(shape: Any) -> Any:
    properties = shape._element.find(f"{P}spPr")
    if properties is None:
        raise Problem(f"shape {shape.shape_id} {shape.name!r} has no fill or line itself; style the shapes in it")
    return properties


def _clear_children(properties: Any, *tags: str) -> None:
    for tag in tags:
        for old in properties.findall(f"{A}{tag}"):
            properties.remove(old)


def _insert_element(properties: Any, element: Any, after: tuple[str, ...]) -> None:
    names = [child.tag.rsplit("}", 1)[-1] for child in properties]
    properties.insert(max((at + 1 for at, name in enumerate(names) if name in after), default=0), element)


def set_fill(
    properties: Any,
    color: str | None,
    second: str | None = None,
    transparency: float | None = None,
    angle_deg: float = 90,
) -> None:
    """A solid fill, a gradient (downwards at 90 degrees) where a second colour is given, or none."""
    if color is None:
        raise Problem("fill_to needs fill, the first colour of the gradient")
    fill_element = (
        _make_gradient(color, second, angle_deg)
        if second
        else (_make_no_fill() if color.lower() == "none" else make_solid_fill(color))
    )
    _clear_children(properties, *_FILL_TAGS)
    _insert_element(properties, fill_element, _BEFORE_FILL)
    if transparency is not None:
        _set_alpha(properties, transparency)


def _make_no_fill() -> Any:
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import nsdecls

    return parse_xml(f"<a:noFill {nsdecls('a')}/>")


def _make_gradient(first: str, second: str, angle_deg: float) -> Any:
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import nsdecls

    stops = '<a:gs pos="0"/><a:gs pos="100000"/>'
    gradient = parse_xml(
        f'<a:gradFill {nsdecls("a")} rotWithShape="1"><a:gsLst>{stops}</a:gsLst>'
        f'<a:lin ang="{round(angle_deg * 60_000)}" scaled="0"/></a:gradFill>'
    )
    for stop, color in zip(gradient[0], (first, second), strict=True):
        stop.append(color_element(color))
    return gradient


def _set_alpha(properties: Any, transparency: float) -> None:
    from lxml import etree

    if not 0 <= transparency <= 1:
        raise Problem(f"{transparency:g} is not a valid transparency; use 0 (solid) to 1 (invisible)")
    holders = [*properties.iterfind(f"{A}solidFill/*"), *properties.iterfind(f"{A}gradFill/{A}gsLst/{A}gs/*")]
    if not holders:
        raise Problem("the shape has no fill to make transparent; give fill as well")
    for color in holders:
        _clear_children(color, "alpha")
        etree.SubElement(color, f"{A}alpha", val=str(round((1 - transparency) * 100_000)))


def set_line(properties: Any, color: str | None, width_pt: float | None, dash: str | None = None) -> None:
    """The outline, or the stroke of a line: colour (or none), width and dashes."""
    from lxml import etree

    line = properties.find(f"{A}ln")
    if line is None:
        line = etree.Element(f"{A}ln")
        _insert_element(properties, line, _BEFORE_LINE)
    if width_pt is not None:
        if not 0 <= width_pt <= 1584:
            raise Problem(f"{width_pt:g} pt is not a valid line width; use 0 to 1584")
        line.set("w", str(round(width_pt * 12_700)))
    if color is not None:
        _clear_children(line, *_FILL_TAGS)
        line.insert(0, _make_no_fill() if color.lower() == "none" else make_solid_fill(color))
    if dash is not None:
        _clear_children(line, "prstDash", "custDash")
        _insert_element(line, etree.Element(f"{A}prstDash", val=dash), _FILL_TAGS)


def set_arrows(properties: Any, *, start: bool, end: bool) -> None:
    from lxml import etree

    line = properties.find(f"{A}ln")
    if line is None:
        line = etree.Element(f"{A}ln")
        _insert_element(properties, line, _BEFORE_LINE)
    for tag, arrow_kind in (("headEnd", start), ("tailEnd", end)):
        if arrow_kind:
            etree.SubElement(line, f"{A}{tag}", type="triangle", w="med", len="med")


def _set_shadow(properties: Any, *, with_shadow: bool) -> None:
    from pptx.oxml import parse_xml
    from pptx.oxml.ns import nsdecls

    shadow_element = parse_xml(_SHADOW.format(nsdecls("a"))) if with_shadow else None
    insert_effect(properties, shadow_element, "outerShdw", "innerShdw", "prstShdw")


def insert_effect(properties: Any, effect: Any, *instead: str) -> None:
    """Put an effect into the list of effects, in place of its own kind and the tags `instead`; with None only away."""
    from lxml import etree

    effects = properties.find(f"{A}effectLst")
    if effects is None:
        effects = etree.Element(f"{A}effectLst")
        _insert_element(properties, effects, (*_BEFORE_LINE, "ln"))
    name = "" if effect is None else effect.tag.rsplit("}", 1)[-1]
    _clear_children(effects, *instead, *([name] if name else []))
    if effect is not None:
        _insert_element(effects, effect, _EFFECT_TAGS[: _EFFECT_TAGS.index(name)])


def set_flips(shape: Any, horizontal: bool | None, vertical: bool | None) -> None:
    xfrm = shape._element.find(f".//{A}xfrm")
    for key, value in (("flipH", horizontal), ("flipV", vertical)):
        if value is not None and xfrm is None:
            raise Problem(f"shape {shape.shape_id} {shape.name!r} cannot be flipped")
        if value is not None:
            xfrm.set(key, str(int(value)))
