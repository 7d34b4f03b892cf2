"""Pictures that a document shows: listed, replaced, resized, described, deleted, saved as files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.servers.documents.engine.blocks import picture_parts
from yardkit.servers.documents.engine.blocks.block_reader import list_drawings
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.names import EMU_PER_CM, P, find_element, qualify_name
from yardkit.servers.documents.engine.markup.specs import ImageEdit
from yardkit.servers.documents.engine.package import page_sections
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.world import Problem
from yardkit.world.wording import format_count


@dataclass(frozen=True)
class ImageInfo:
    """A picture in the text; `anchor` is that of its paragraph, `file` its part in the package."""

    number: int
    anchor: str
    width_cm: float = 0
    height_cm: float = 0
    alt: str = ""
    file: str = ""
    floating: bool = False


def list_images(document: Document) -> list[ImageInfo]:
    return [_describe_image(document, number, drawing) for number, drawing in enumerate(list_drawings(document), 1)]


def _describe_image(document: Document, number: int, drawing: Any) -> ImageInfo:
    extent, properties = find_element(drawing, ".//wp:extent"), find_element(drawing, ".//wp:docPr")
    width, height = (
        round(int(extent.get(key, "0")) / EMU_PER_CM, 2) if extent is not None else 0 for key in ("cx", "cy")
    )
    alt = "" if properties is None else properties.get("descr", "")
    target = _resolve_target(document, drawing)
    anchor = document.anchor(next(drawing.iterancestors(P)))
    return ImageInfo(number, anchor, width, height, alt, target, find_element(drawing, "wp:anchor") is not None)


def _find_reference(drawing: Any) -> tuple[Any, str]:
    """The element that names the picture, and the attribute that holds the relationship."""
    blip = find_element(drawing, ".//a:blip")
    if blip is not None:
        return blip, qualify_name("r:embed") if blip.get(qualify_name("r:embed")) else qualify_name("r:link")
    return find_element(drawing, ".//v:imagedata"), qualify_name("r:id")


def _resolve_target(document: Document, drawing: Any) -> str:
    element, attribute = _find_reference(drawing)
    relation = rels.read_relations(document.package, document.part_of(drawing)).get(element.get(attribute, ""))
    return relation.target if relation else ""


def edit_images(writer: Writer, edits: list[ImageEdit]) -> dict[str, bytes]:
    """Apply edits; the numbers are those before the first. File name -> bytes of pictures to save.

    Raises:
        Problem: there is no picture of a number, or an edit lacks something.
    """
    every = list_drawings(writer.document)
    saved: dict[str, bytes] = {}
    for edit in edits:
        if not 1 <= edit.image <= len(every):
            raise Problem(f"the document has {format_count(len(every), 'image')}, but no image {edit.image}")
        if any(size is not None and not 0 < size <= 100 for size in (edit.width_cm, edit.height_cm)):
            raise Problem("the image size is invalid; use more than 0 and at most 100 cm")
        drawing = every[edit.image - 1]
        if edit.op == "save":
            saved |= _export_image(writer.document, drawing, edit.image)
        elif edit.op == "delete":
            _delete_image(writer, drawing)
        elif find_element(drawing, ".//wp:extent") is None:
            raise Problem(f"image {edit.image} is an old VML picture; delete it and insert it again")
        else:
            _change_image(writer, drawing, edit)
            writer.note_untracked("pictures")
    return saved


def _export_image(document: Document, drawing: Any, number: int) -> dict[str, bytes]:
    target = _resolve_target(document, drawing)
    if target not in document.package:
        raise Problem(f"image {number} is linked from outside of the document ({target[:80]}) and is not opened")
    return {PurePosixPath(target).name: document.package.read(target)}


def _delete_image(writer: Writer, drawing: Any) -> None:
    paragraph, run = next(drawing.iterancestors(P)), next(drawing.iterancestors(qualify_name("w:r")))
    if writer.tracker is not None:
        tracking.mark_deleted([run], writer.tracker)
    else:
        child = next(node for node in run if node is drawing or drawing in node.iter(drawing.tag))
        run.remove(child)
        if all(node.tag == qualify_name("w:rPr") for node in run):
            tracking.remove_emptied(run)
    writer.written.append(paragraph)


def _change_image(writer: Writer, drawing: Any, edit: ImageEdit) -> None:
    if edit.op == "describe" or edit.alt:
        find_element(drawing, ".//wp:docPr").set("descr", edit.alt)
    if edit.op == "replace":
        _replace_image(writer, drawing, edit)
    elif edit.op == "resize":
        if not (edit.width_cm or edit.height_cm):
            raise Problem("resize needs width_cm or height_cm; one alone keeps the proportions")
        extent = find_element(drawing, ".//wp:extent")
        ratio = int(extent.get("cy")) / max(1, int(extent.get("cx")))
        width = edit.width_cm or (edit.height_cm or 0) / ratio
        _set_size(drawing, width, edit.height_cm or width * ratio)
    writer.written.append(next(drawing.iterancestors(P)))


def _replace_image(writer: Writer, drawing: Any, edit: ImageEdit) -> None:
    """Another picture in the same place: as wide as the old one, in its own proportion."""
    if edit.file is None:
        raise Problem("replace needs `file`, the new picture")
    picture = picture_parts.load_picture(edit.file)
    element, attribute = _find_reference(drawing)
    part = writer.document.part_of(drawing)
    element.attrib.pop(attribute, None)
    element.set(qualify_name("r:embed"), picture_parts.add_media(writer, part, picture))
    for extension in find_element(drawing, ".//a:blip"):
        if extension.tag == qualify_name("a:extLst"):
            extension.getparent().remove(extension)  # it holds the vector twin of the old picture
    old = int(find_element(drawing, ".//wp:extent").get("cx")) / EMU_PER_CM
    room = page_sections.text_width_cm(writer.document, next(drawing.iterancestors(P)))
    _set_size(
        drawing,
        *picture_parts.fit_picture(picture, edit.width_cm or (None if edit.height_cm else old), edit.height_cm, room),
    )


def _set_size(drawing: Any, width_cm: float, height_cm: float) -> None:
    values = {"cx": str(round(width_cm * EMU_PER_CM)), "cy": str(round(height_cm * EMU_PER_CM))}
    for element in [find_element(drawing, ".//wp:extent"), find_element(drawing, ".//pic:spPr/a:xfrm/a:ext")]:
        for key, value in values.items() if element is not None else ():
            element.set(key, value)
