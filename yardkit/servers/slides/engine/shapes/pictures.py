"""Pictures: placed in a box, a placeholder, or in place of another picture; fitted without distortion."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.pages.kinds import no_picture
from yardkit.kit.pictures import EmbeddedPicture, embed_picture
from yardkit.servers.slides.engine.inputs import ShapeKey
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import (
    A,
    Box,
    Frame,
    P,
    Placed,
    R,
    find_placeholder,
    find_shape,
    get_kind,
    move_shape,
    non_visual,
)
from yardkit.servers.slides.engine.package.units import EMU_PER_CM, to_emu
from yardkit.servers.slides.engine.shapes.shape_edits import drop_unused
from yardkit.servers.slides.engine.text.paragraphs import clean_text
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

Fit = Literal["contain", "cover", "stretch"]
_SHOWN_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF")


def place_picture(
    path: Path,
    slide: int,
    image: Path,
    key: ShapeKey | None,
    box: tuple[float | None, float | None, float | None, float | None],
    *,
    fit: Fit,
    alt_text: str | None,
    name: str | None,
) -> int:
    """Put a picture on a slide: into a box, a placeholder, or in place of another picture; its id."""
    picture = read_picture(image)
    ratio, data = picture.width_px / picture.height_px, picture.data
    with edit_deck(path) as deck:
        page = deck.get_slide(slide)
        if key is None:
            shape, area = (
                Placed(page.shapes.add_picture(io.BytesIO(data), 0, 0), Frame()),
                _compute_box(deck, box, ratio),
            )
        else:
            shape, area = _replace_with_picture(page, find_shape(page, key), data)
        _fit_picture(shape, area, ratio, fit)
        if alt_text is not None:
            non_visual(shape.shape).set("descr", clean_text(alt_text))
        elif key is None:
            non_visual(shape.shape).attrib.pop("descr", None)  # python-pptx writes the file's name there
        if name:
            shape.shape.name = clean_text(name)
        identity = int(shape.shape.shape_id)
        deck.promise("the picture", lambda saved: _read_picture_bytes(saved, slide, identity) == data)
    return identity


def _read_picture_bytes(saved: Deck, slide: int, identity: int) -> bytes:
    return bytes(find_shape(saved.get_slide(slide), identity).shape.image.blob)


def read_picture(image: Path) -> EmbeddedPicture:
    """A picture that PowerPoint can show: the file, or a copy that is turned and has the colours as it is meant.

    Raises:
        Problem: it is none.
    """
    check_bytes(image, 50_000_000)
    if image.suffix.lower() == ".svg":
        raise no_picture(image, "PNG, JPEG, GIF, BMP or TIFF")
    return embed_picture(image, _SHOWN_FORMATS)


def _compute_box(deck: Deck, given: tuple[float | None, float | None, float | None, float | None], ratio: float) -> Box:
    """The box of a new picture: what is not given follows from its proportions, or centres it."""
    left, top, width, height = (None if value is None else to_emu(value) for value in given)
    if (width is not None and width <= 0) or (height is not None and height <= 0):
        raise Problem("a picture needs a width and a height above 0")
    if width is None and height is None:
        width = round(min(_limit_length(deck.width, left), _limit_length(deck.height, top) * ratio))
    wide = width if width is not None else round((height or 0) * ratio)
    high = height if height is not None else round(wide / ratio)
    at = (deck.width - wide) / 2 if left is None else left
    return Box(at, (deck.height - high) / 2 if top is None else top, wide, high)


def _limit_length(length: int, start: int | None) -> float:
    """How wide or high a picture of no stated size may be on a slide: what looks well, and no more than is left."""
    left = length - (start or 0)
    return min(length * 0.6, left) if left >= EMU_PER_CM else length * 0.6


def _replace_with_picture(page: Any, target: Placed, data: bytes) -> tuple[Placed, Box]:
    """A picture in the place of a shape, with its id, name, order and placeholder."""
    box = target.box
    if box is None:
        raise Problem(f"shape {target.shape.shape_id} has no position; move it first")
    if get_kind(target.shape) == "picture":
        _, identity = page.part.get_or_add_image_part(io.BytesIO(data))
        blip = target.shape._element.find(f".//{A}blip")
        blip.set(f"{R}embed", identity)
        for extension in blip.findall(f"{A}extLst"):
            blip.remove(extension)  # an SVG twin there would hide the new picture
        drop_unused(page)
        return target, box
    if find_placeholder(target.shape) is None:
        raise Problem(
            f"shape {target.shape.shape_id} {target.shape.name!r} is neither a picture nor a placeholder; give a box"
        )
    return _fill_placeholder(page, target, data), box


def _fill_placeholder(page: Any, target: Placed, data: bytes) -> Placed:
    new_picture = page.shapes.add_picture(io.BytesIO(data), 0, 0)
    old, element = target.shape._element, new_picture._element
    identity, name = target.shape.shape_id, target.shape.name
    ph = find_placeholder(target.shape)
    holder = element.find(f"{P}nvPicPr/{P}nvPr")
    holder.insert(0, ph)
    old.addnext(element)
    old.getparent().remove(old)
    properties = non_visual(new_picture)
    properties.set("id", str(identity))
    properties.set("name", name)
    properties.attrib.pop("descr", None)
    return find_shape(page, identity)


def _fit_picture(placed: Placed, area: Box, ratio: float, fit: Fit) -> None:
    shape = placed.shape
    shape.crop_left = shape.crop_right = shape.crop_top = shape.crop_bottom = 0
    target_ratio = area.width / area.height if area.height else ratio
    if fit == "contain":
        width = area.width if target_ratio <= ratio else area.height * ratio
        height = width / ratio
        area = Box(area.left + (area.width - width) / 2, area.top + (area.height - height) / 2, width, height)
    elif fit == "cover" and target_ratio > ratio:
        shape.crop_top = shape.crop_bottom = (1 - ratio / target_ratio) / 2
    elif fit == "cover":
        shape.crop_left = shape.crop_right = (1 - target_ratio / ratio) / 2
    move_shape(placed, area)


def export_picture(path: Path, slide: int, key: ShapeKey) -> tuple[bytes, str, list[str]]:
    """The bytes of a picture, their usual suffix, and a note where the slide shows only a part of it.

    Raises:
        Problem: the shape holds no picture.
    """
    shape = find_shape(Deck.open(path).get_slide(slide), key).shape
    blip = shape._element.find(f".//{A}blip")
    identity = None if blip is None else blip.get(f"{R}embed")
    if not identity or identity not in shape.part.rels:
        raise Problem(
            f"shape {shape.shape_id} {shape.name!r} has no embedded picture; use read_slides to see the pictures"
        )
    part = shape.part.related_part(identity)
    return part.blob, str(part.partname).rsplit(".", 1)[-1].lower(), _describe_crop(shape)


def _describe_crop(shape: Any) -> list[str]:
    sides = {side: float(getattr(shape, f"crop_{side}", 0)) for side in ("left", "top", "right", "bottom")}
    cut = [f"{share:.4g} at the {side}" for side, share in sides.items() if round(share, 4) > 0]
    return [f"the file holds the whole picture; the slide shows it without these shares: {', '.join(cut)}"] * bool(cut)
