"""Pictures on sheets: placed, replaced, deleted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from yardkit.kit.ooxml.relations import REL, drop_relation, set_default_type
from yardkit.kit.pages.kinds import no_picture
from yardkit.kit.pictures import embed_picture
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import open_sheet, save_objects
from yardkit.servers.sheets.engine.graphics.drawings import (
    XDR,
    A,
    Drawing,
    find_name,
    move_anchor,
    name_of,
    place_of,
    place_text,
    size_of,
)
from yardkit.servers.sheets.engine.layout.fitted_sizes import measure_span
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

_PICTURE_SUFFIXES = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif", "BMP": "bmp", "TIFF": "tiff"}
_EMBED = qualify_tag("embed", REL)
_PICTURE = (
    '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="{id}" name={name} descr={alt}/><xdr:cNvPicPr>'
    '<a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="{relation}"/>'
    "<a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr>"
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="{cx}" cy="{cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
    "</xdr:spPr></xdr:pic>"
)


@dataclass(frozen=True)
class ImageInfo:
    """A picture on a sheet: its place, its text for those who do not see it, size of the file inside."""

    name: str
    sheet: str
    at: str
    alt_text: str = ""
    media: str = ""
    width_px: int | None = None
    height_px: int | None = None

    def __str__(self) -> str:
        size = f", {self.width_px} x {self.height_px} px" if self.width_px else ""
        return f"image {self.name!r} at {self.sheet}!{self.at}{size}"


@dataclass(frozen=True)
class _File:
    data: bytes
    extension: str
    width: int
    height: int


def place_image(
    path: Path, sheet: str | None, image: Path, at: str, *, width: int | None, height: int | None, alt_text: str
) -> ImageInfo:
    """Put a picture on a sheet, in its own proportions unless both sizes are given; what the saved file says.

    Raises:
        Problem: no such sheet, or the file is no picture that Excel shows.
    """
    book, grid = open_sheet(path, sheet)
    picture_file = _read_picture(image)
    wide, high = measure_span(grid, at) or _compute_size(picture_file, width, height)
    drawing = Drawing(grid)
    name = drawing.free_name("Picture")
    content = _PICTURE.format(
        id=drawing.free_id(),
        name=quoteattr(name),
        alt=quoteattr(alt_text),
        relation=drawing.relate("image", _store_media(book, picture_file)),
        cx=wide * 9525,
        cy=high * 9525,
    )
    drawing.add(place_of(at, wide, high), content)
    drawing.save()
    save_objects(book, path, grid)
    return _find_image(path, grid.info.name, name)


def change_image(
    path: Path,
    sheet: str | None,
    name: str | None,
    image: Path | None,
    *,
    at: str | None,
    width: int | None,
    height: int | None,
    alt_text: str | None,
) -> ImageInfo:
    """Replace a picture's file, move or resize it, or change its text; what is not given stays.

    Raises:
        Problem: no such picture, or the file is none.
    """
    book, grid = open_sheet(path, sheet)
    drawing = Drawing(grid)
    anchors = _list_anchors(drawing)
    chosen = find_name(anchors, name, "image")
    anchor = anchors[chosen]
    if image is not None:
        blip = _find_blip(anchor)
        old = blip.get(_EMBED)
        blip.set(_EMBED, drawing.relate("image", _store_media(book, _read_picture(image))))
        _let_go(drawing, old)
    if alt_text is not None:
        next(anchor.iter(qualify_tag("cNvPr", XDR))).set("descr", alt_text)
    if at or width or height:
        before = size_of(anchor) or _read_frame_size(anchor)
        ratio = before[1] / before[0] if before[0] else 1.0
        wide = width or (round(height / ratio) if height else before[0])
        high = height or (round(width * ratio) if width else before[1])
        wide, high = measure_span(grid, at or "") or (wide, high)
        moved = move_anchor(anchor, place_of(at or place_text(anchor).split(":")[0], wide, high))
        for entry in moved.iterfind(
            f"{qualify_tag('pic', XDR)}/{qualify_tag('spPr', XDR)}/{qualify_tag('xfrm', A)}/{qualify_tag('ext', A)}"
        ):
            entry.set("cx", str(wide * 9525))
            entry.set("cy", str(high * 9525))
    drawing.save()
    save_objects(book, path, grid)
    return _find_image(path, grid.info.name, chosen)


def delete_image(path: Path, sheet: str | None, name: str | None) -> ImageInfo:
    """Delete a picture; its file goes too when nothing else shows it.

    Raises:
        Problem: no such picture.
    """
    book, grid = open_sheet(path, sheet)
    drawing = Drawing(grid)
    anchors = _list_anchors(drawing)
    chosen = find_name(anchors, name, "image")
    info = _describe_image(drawing, chosen, anchors[chosen])
    identity = _find_blip(anchors[chosen]).get(_EMBED)
    drawing.root.remove(anchors[chosen])
    _let_go(drawing, identity)
    drawing.save()
    save_objects(book, path, grid)
    return info


def list_images(grid: Grid) -> list[ImageInfo]:
    """The pictures of a sheet."""
    drawing = Drawing(grid)
    return [_describe_image(drawing, name, anchor) for name, anchor in _list_anchors(drawing).items()]


def _find_image(path: Path, sheet: str, name: str) -> ImageInfo:
    return next(info for info in list_images(open_sheet(path, sheet)[1]) if info.name == name)


def _list_anchors(drawing: Drawing) -> dict[str, Any]:
    anchors: dict[str, Any] = {}
    for anchor in drawing.list_anchors():
        if anchor.find(qualify_tag("pic", XDR)) is not None:
            name = name_of(anchor) or "Picture"
            anchors[name if name not in anchors else f"{name} ({len(anchors) + 1})"] = anchor
    return anchors


def _describe_image(drawing: Drawing, name: str, anchor: Any) -> ImageInfo:
    identity = _find_blip(anchor).get(_EMBED, "")
    media = drawing.book.relations_of(drawing.part).get(identity, ("", ""))[1]
    size = size_of(anchor) or _read_frame_size(anchor)
    properties = next(anchor.iter(qualify_tag("cNvPr", XDR)))
    at = place_text(anchor)
    alt = properties.get("descr", "")
    return ImageInfo(name, drawing.grid.info.name, at, alt, media, size[0] or None, size[1] or None)


def _find_blip(anchor: Any) -> Any:
    found_one = next(anchor.iter(qualify_tag("blip", A)), None)
    if found_one is None:
        raise Problem(f"the picture {name_of(anchor)!r} contains no file; delete it in Excel")
    return found_one


def _read_frame_size(anchor: Any) -> tuple[int, int]:
    """The size in the picture's own properties."""
    entry = next((extent for extent in anchor.iter(qualify_tag("ext", A)) if extent.get("cx")), None)
    return (int(entry.get("cx")) // 9525, int(entry.get("cy")) // 9525) if entry is not None else (0, 0)


def _read_picture(image: Path) -> _File:
    if image.suffix.lower() == ".svg":
        raise no_picture(image, "a PNG, JPEG, GIF, BMP or TIFF file")
    picture = embed_picture(image, tuple(_PICTURE_SUFFIXES))
    return _File(picture.data, _PICTURE_SUFFIXES[picture.format], picture.width_px, picture.height_px)


def _compute_size(picture_file: _File, width: int | None, height: int | None) -> tuple[int, int]:
    if width and height:
        return width, height
    if width:
        return width, max(1, round(picture_file.height * width / picture_file.width))
    if height:
        return max(1, round(picture_file.width * height / picture_file.height)), height
    return picture_file.width, picture_file.height


def _store_media(book: Workbook, picture_file: _File) -> str:
    """The part with the picture's bytes; one that is there already is shared, as Excel does."""
    digest = hashlib.sha256(picture_file.data).digest()
    for name in book.package.names():
        if name.startswith("xl/media/") and hashlib.sha256(book.package.read(name)).digest() == digest:
            return name
    number = 1
    taken = {name.rsplit(".", 1)[0] for name in book.package.names()}
    while f"xl/media/image{number}" in taken:
        number += 1
    part = f"xl/media/image{number}.{picture_file.extension}"
    book.package.put(part, picture_file.data)
    set_default_type(book.package, picture_file.extension, f"image/{picture_file.extension}")
    return part


def _let_go(drawing: Drawing, identity: str) -> None:
    """Take out a relationship that nothing in the drawing names any more, and the media that nothing uses."""
    if any(identity in element.attrib.values() for element in drawing.root.iter() if isinstance(element.tag, str)):
        return
    media = drawing.book.relations_of(drawing.part).get(identity, ("", ""))[1]
    drop_relation(drawing.book.package, drawing.part, identity)
    needle = media.rsplit("/", 1)[-1].encode()
    rels = [name for name in drawing.book.package.names() if name.endswith(".rels")]
    if media and not any(needle in drawing.book.package.read(name) for name in rels):
        drawing.book.package.drop_part(media)
