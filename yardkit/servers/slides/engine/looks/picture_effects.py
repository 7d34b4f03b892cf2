"""Effects on pictures: shadow, reflection, glow, soft edges, bevel, transparency, colour filters, rotation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.inputs import ShapeKey
from yardkit.servers.slides.engine.looks.shape_style import insert_effect
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, P, find_shape, get_kind
from yardkit.servers.slides.engine.package.units import EMU_PER_PT, color_element
from yardkit.world import Problem

BEVELS = (
    *("circle", "relaxedInset", "cross", "coolSlant", "angle", "softRound", "convex", "slope", "divot", "riblet"),
    *("hardEdge", "artDeco"),
)


@dataclass(frozen=True)
class Shadow:
    """A shadow: outer or inner; points, degrees clockwise from the right, transparency 0-1."""

    kind: str = "outer"
    blur_pt: float = 4.0
    distance_pt: float = 3.0
    direction_deg: float = 315.0
    color: str = "000000"
    transparency: float = 0.6


@dataclass(frozen=True)
class Reflection:
    """A mirror image below: share of the picture, transparency where it begins, distance and blur in points."""

    size: float = 0.5
    transparency: float = 0.5
    distance_pt: float = 0.0
    blur_pt: float = 4.0


@dataclass(frozen=True)
class Glow:
    """Light around the picture."""

    size_pt: float = 5.0
    color: str = "00B0F0"
    transparency: float = 0.4


@dataclass(frozen=True)
class SoftEdges:
    """Edges that fade out."""

    radius_pt: float = 2.5


@dataclass(frozen=True)
class Bevel:
    """A slanted edge; kind is one of `BEVELS`."""

    kind: str = "circle"
    width_pt: float = 6.0
    height_pt: float = 6.0


@dataclass(frozen=True)
class Rotation:
    """Degrees clockwise."""

    degrees: float = 0.0


@dataclass(frozen=True)
class Transparency:
    """0 solid, 1 invisible."""

    share: float = 0.0


@dataclass(frozen=True)
class Filter:
    """grayscale, sepia, washout, blackwhite, blur, brightness or none; intensity 0-1."""

    kind: str = "none"
    intensity: float = 0.5


Effect = Shadow | Reflection | Glow | SoftEdges | Bevel | Rotation | Transparency | Filter


def apply_effects(path: Path, slide: int, key: ShapeKey, effects: list[Effect]) -> list[str]:
    """Give a picture effects, all or none; what the saved file holds of them.

    Raises:
        Problem: the shape is no picture, or a value is out of range.
    """
    if not effects:
        raise Problem("no effect was given; use shadow, reflection, glow, soft_edges, bevel, rotation, ...")
    with edit_deck(path) as deck:
        shape = find_shape(deck.get_slide(slide), key).shape
        if get_kind(shape) != "picture":
            raise Problem(f"shape {shape.shape_id} {shape.name!r} is not a picture; effects only apply to pictures")
        for effect in effects:
            _EFFECT_WRITERS[type(effect)](shape, effect)
        expected_look = _read_look(shape)
        deck.promise("the effects", lambda saved: _saved_look(saved, slide, shape.shape_id) == expected_look)
    return [type(effect).__name__ for effect in effects]


def _read_look(shape: Any) -> list[bytes]:
    from lxml import etree

    parts = [shape._element.find(f"{P}blipFill/{A}blip"), shape._element.find(f"{P}spPr")]
    return [etree.tostring(part, method="c14n") for part in parts if part is not None]


def _saved_look(saved: Deck, slide: int, identity: int) -> list[bytes]:
    return _read_look(find_shape(saved.get_slide(slide), identity).shape)


def _check_share(value: float, what: str) -> float:
    if not 0 <= value <= 1:
        raise Problem(f"{value:g} is not a valid {what}; use 0 to 1")
    return value


def _to_point_units(value: float, what: str, most: float = 1584) -> str:
    if not 0 <= value <= most:
        raise Problem(f"{value:g} is not a valid {what}; use 0 to {most:g} points")
    return str(round(value * EMU_PER_PT))


def _to_angle_units(degrees: float) -> str:
    return str(round(degrees % 360 * 60_000))


def _make_faded_color(color: str, transparency: float) -> Any:
    """A colour element with its share of opacity."""
    from lxml import etree

    color_node = color_element(color)
    etree.SubElement(
        color_node, f"{A}alpha", val=str(round((1 - _check_share(transparency, "transparency")) * 100_000))
    )
    return color_node


def _set_shadow(shape: Any, effect: Shadow) -> None:
    from lxml import etree

    tag = {"outer": "outerShdw", "inner": "innerShdw"}.get(effect.kind)
    if tag is None:
        raise Problem(f"{effect.kind!r} is not a valid shadow_type; use outer or inner")
    values = {
        "blurRad": _to_point_units(effect.blur_pt, "the blur of the shadow"),
        "dist": _to_point_units(effect.distance_pt, "the distance of the shadow"),
        "dir": _to_angle_units(effect.direction_deg),
    }
    shadow_element = etree.Element(f"{A}{tag}", values)
    if tag == "outerShdw":
        shadow_element.set("algn", "ctr")
        shadow_element.set("rotWithShape", "0")
    shadow_element.append(_make_faded_color(effect.color, effect.transparency))
    insert_effect(shape._element.find(f"{P}spPr"), shadow_element, "outerShdw", "innerShdw", "prstShdw")


def _set_reflection(shape: Any, effect: Reflection) -> None:
    from lxml import etree

    values = {
        "blurRad": _to_point_units(effect.blur_pt, "the blur of the reflection"),
        "stA": str(round((1 - _check_share(effect.transparency, "transparency")) * 100_000)),
        "endPos": str(round(_check_share(effect.size, "the size of the reflection") * 100_000)),
        "dist": _to_point_units(effect.distance_pt, "the distance of the reflection"),
    }
    values |= {"dir": "5400000", "sy": "-100000", "algn": "bl", "rotWithShape": "0"}
    insert_effect(shape._element.find(f"{P}spPr"), etree.Element(f"{A}reflection", values))


def _set_glow(shape: Any, effect: Glow) -> None:
    from lxml import etree

    glow_element = etree.Element(f"{A}glow", rad=_to_point_units(effect.size_pt, "the size of the glow"))
    glow_element.append(_make_faded_color(effect.color, effect.transparency))
    insert_effect(shape._element.find(f"{P}spPr"), glow_element)


def _soft_edges(shape: Any, effect: SoftEdges) -> None:
    from lxml import etree

    edge_element = etree.Element(f"{A}softEdge", rad=_to_point_units(effect.radius_pt, "the radius of the soft edges"))
    insert_effect(shape._element.find(f"{P}spPr"), edge_element)


def _set_bevel(shape: Any, effect: Bevel) -> None:
    from lxml import etree

    if effect.kind not in BEVELS:
        raise Problem(f"{effect.kind!r} is not a valid bevel_type; use one of {', '.join(BEVELS)}")
    properties = shape._element.find(f"{P}spPr")
    for tag in ("scene3d", "sp3d"):
        for old in properties.findall(f"{A}{tag}"):
            properties.remove(old)
    scene = etree.Element(f"{A}scene3d")
    etree.SubElement(scene, f"{A}camera", prst="orthographicFront")
    etree.SubElement(scene, f"{A}lightRig", rig="threePt", dir="t")
    body = etree.Element(f"{A}sp3d")
    size = {"w": _to_point_units(effect.width_pt, "the width"), "h": _to_point_units(effect.height_pt, "the height")}
    etree.SubElement(body, f"{A}bevelT", prst=effect.kind, **size)
    rest = properties.find(f"{A}extLst")
    for element in (scene, body):
        properties.append(element) if rest is None else rest.addprevious(element)


def _set_rotation(shape: Any, effect: Rotation) -> None:
    shape.rotation = effect.degrees % 360


def _set_transparency(shape: Any, effect: Transparency) -> None:
    from lxml import etree

    opaque = round((1 - _check_share(effect.share, "transparency")) * 100_000)
    _set_on_blip(shape, [etree.Element(f"{A}alphaModFix", amt=str(opaque))] if opaque < 100_000 else [], "alphaModFix")


_FILTER_TAGS = ("grayscl", "duotone", "lum", "biLevel", "blur")


def _set_filter(shape: Any, effect: Filter) -> None:
    from lxml import etree

    share = _check_share(effect.intensity, "the intensity")
    percent = str(round(share * 100_000))
    filter_makers: dict[str, Callable[[], Any]] = {
        "grayscale": lambda: etree.Element(f"{A}grayscl"),
        "sepia": _make_sepia,
        "washout": lambda: etree.Element(f"{A}lum", bright="70000", contrast="-70000"),
        "blackwhite": lambda: etree.Element(f"{A}biLevel", thresh=percent),
        "blur": lambda: etree.Element(f"{A}blur", rad=str(round(share * 20 * EMU_PER_PT)), grow="0"),
        "brightness": lambda: etree.Element(f"{A}lum", bright=percent),
    }
    if effect.kind != "none" and effect.kind not in filter_makers:
        raise Problem(f"{effect.kind!r} is not a valid filter_type; use none, {', '.join(filter_makers)}")
    _set_on_blip(shape, [filter_makers[effect.kind]()] if effect.kind != "none" else [], *_FILTER_TAGS)


def _make_sepia() -> Any:
    from lxml import etree

    duotone = etree.Element(f"{A}duotone")
    duotone.append(color_element("2B1B0A"))
    duotone.append(color_element("F4E3C3"))
    return duotone


def _set_on_blip(shape: Any, filter_elements: list[Any], *instead: str) -> None:
    """Put effects on the picture itself, in place of those with the tags `instead`."""
    blip = shape._element.find(f"{P}blipFill/{A}blip")
    for tag in instead:
        for old in blip.findall(f"{A}{tag}"):
            blip.remove(old)
    rest = blip.find(f"{A}extLst")
    for element in filter_elements:
        blip.append(element) if rest is None else rest.addprevious(element)


_EFFECT_WRITERS: dict[type, Callable[[Any, Any], None]] = {
    Shadow: _set_shadow,
    Reflection: _set_reflection,
    Glow: _set_glow,
    SoftEdges: _soft_edges,
    Bevel: _set_bevel,
    Rotation: _set_rotation,
    Transparency: _set_transparency,
    Filter: _set_filter,
}
