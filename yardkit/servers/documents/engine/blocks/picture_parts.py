"""Pictures as parts of the package, and the drawing that shows one in the text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.kit.pages.kinds import no_picture
from yardkit.kit.pictures import embed_picture
from yardkit.servers.documents.engine.markup.names import EMU_PER_CM, make_element, qualify_name
from yardkit.servers.documents.engine.package.writer import Writer

_PICTURE_TYPES = {"PNG": ("png", "image/png"), "JPEG": ("jpeg", "image/jpeg"), "GIF": ("gif", "image/gif")}
_DPI = 96.0
_PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture"


@dataclass(frozen=True)
class Picture:
    """A picture as it goes into a package; `width_cm` and `height_cm` by its own resolution."""

    data: bytes
    extension: str
    media_type: str
    width_cm: float
    height_cm: float


def load_picture(path: Path) -> Picture:
    """A picture file; kinds that Word does not show everywhere (WebP, TIFF, HEIC) become PNG or JPEG.

    Raises:
        Problem: it is no picture, damaged, or too large.
    """
    if path.suffix.lower() == ".svg":
        raise no_picture(path, "a PNG or JPEG file")
    picture = embed_picture(path, tuple(_PICTURE_TYPES))
    extension, media_type = _PICTURE_TYPES[picture.format]
    width, height = (
        pixels / (resolution if 30 <= resolution <= 2400 else _DPI) * 2.54
        for pixels, resolution in zip((picture.width_px, picture.height_px), picture.dpi or (_DPI, _DPI), strict=True)
    )
    return Picture(picture.data, extension, media_type, width, height)


def add_media(writer: Writer, part: str, picture: Picture) -> str:
    """Put a picture into the package (once for equal bytes) and relate `part` to it; the relationship's id."""
    package = writer.document.package
    digest = hashlib.sha256(picture.data).digest()
    same = (
        name
        for name in package.names()
        if name.startswith("word/media/")
        and name.endswith(f".{picture.extension}")
        and hashlib.sha256(package.read(name)).digest() == digest
    )
    name = next(same, None)
    if name is None:
        name = package.free_name(f"word/media/image{{}}.{picture.extension}")
        package.put(name, picture.data)
        rels.set_default_type(package, picture.extension, picture.media_type)
    related = rels.read_relations(package, part).items()
    known = next((key for key, relation in related if relation.target == name and not relation.external), None)
    return known or rels.add_relation(package, part, "image", name)


def fit_picture(
    picture: Picture, width_cm: float | None, height_cm: float | None, room_cm: float
) -> tuple[float, float]:
    """Width and height in cm: as asked, in proportion where one is asked; else its own size, at most `room_cm` wide."""
    ratio = picture.height_cm / picture.width_cm
    if width_cm and height_cm:
        return width_cm, height_cm
    if height_cm:
        return height_cm / ratio, height_cm
    width = width_cm or min(picture.width_cm, room_cm)
    return width, width * ratio


def drawing_run(writer: Writer, relation: str, size_cm: tuple[float, float], alt: str, name: str) -> Any:
    """A run with a picture that stands in the line."""
    width, height = (round(cm * EMU_PER_CM) for cm in size_cm)
    number = writer.fresh_id((qualify_name("wp:docPr"),), "id")
    picture = make_element(
        "pic:pic",
        make_element(
            "pic:nvPicPr",
            make_element("pic:cNvPr", id=number, name=name, descr=alt or None),
            make_element("pic:cNvPicPr"),
        ),
        make_element(
            "pic:blipFill",
            make_element("a:blip", r_embed=relation),
            make_element("a:stretch", make_element("a:fillRect")),
        ),
        make_element(
            "pic:spPr",
            make_element("a:xfrm", make_element("a:off", x=0, y=0), make_element("a:ext", cx=width, cy=height)),
            make_element("a:prstGeom", make_element("a:avLst"), prst="rect"),
        ),
    )
    locks = make_element("wp:cNvGraphicFramePr", make_element("a:graphicFrameLocks", noChangeAspect=1))
    inline = make_element(
        "wp:inline",
        make_element("wp:extent", cx=width, cy=height),
        make_element("wp:effectExtent", l=0, t=0, r=0, b=0),
        make_element("wp:docPr", id=number, name=name, descr=alt or None),
        locks,
        make_element("a:graphic", make_element("a:graphicData", picture, uri=_PICTURE)),
        distT=0,
        distB=0,
        distL=0,
        distR=0,
    )
    return make_element("w:r", make_element("w:drawing", inline))
