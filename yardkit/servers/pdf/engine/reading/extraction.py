"""Images and attachments of a document as files."""

from __future__ import annotations

import io
import re
from collections.abc import Container
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.servers.pdf.engine.package.document import open_pdf, render_pdf
from yardkit.servers.pdf.engine.package.pages import select_pages
from yardkit.world import Problem

if TYPE_CHECKING:
    import PIL.Image

PRELOAD = ("pikepdf", "pypdfium2", "pypdfium2.raw", "PIL.Image", "PIL.PngImagePlugin", "PIL.JpegImagePlugin")
MAX_FILES = 1_000
MAX_TOTAL_BYTES = 500_000_000
_UNUSABLE = re.compile(r"[^\w .()+,@=-]+")


@dataclass(frozen=True)
class Extracted:
    """A file to write."""

    name: str
    data: bytes


def extract_attachments(path: Path, password: str, names: list[str]) -> list[Extracted]:
    """The attachments, all or those named.

    Raises:
        Problem: the file cannot be read, or a name is not there.
    """
    with open_pdf(path, password) as pdf:
        attached_files = dict(pdf.attachments.items())
        for name in names:
            if name not in attached_files:
                raise Problem(
                    f"the attachment {name!r} does not exist; the file has"
                    f" {', '.join(map(repr, attached_files)) or 'none'}"
                )
        requested_names = names or list(attached_files)
        extracted_data: dict[str, bytes] = {}
        for number, name in enumerate(requested_names):
            extracted_data[_make_unique(_clean_name(name, number), extracted_data)] = (
                attached_files[name].get_file().read_bytes()
            )
        return _check_limits([Extracted(name, data) for name, data in extracted_data.items()])


def _make_unique(name: str, others: Container[str]) -> str:
    """The name, with a number where another file has it: attachments of two folders would replace one another."""
    stem, dot, kind = name.rpartition(".")
    numbered = (f"{stem}-{number}.{kind}" if dot else f"{name}-{number}" for number in count(2))
    return next(text for text in chain([name], numbered) if text not in others)


def extract_images(path: Path, password: str, pages: str | None, ids: list[str]) -> list[Extracted]:
    """The images of the pages as they are in the file: JPEG as JPEG, all others as PNG.

    Raises:
        Problem: the file cannot be read, a page or an id does not exist.
    """
    import pypdfium2.raw as raw

    extracted_images: list[Extracted] = []
    masks = _has_masks(path, password)
    with render_pdf(path, password) as document:
        for number in select_pages(pages, len(document)):
            for at, image in enumerate(
                document[number - 1].get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=8), start=1
            ):
                if ids and f"{number}.{at}" not in ids:
                    continue
                extracted_images.append(_extract_image(image, f"page{number:03d}-image{at:02d}", masks=masks))
                _check_limits(extracted_images)
    if ids and len(extracted_images) < len(set(ids)):
        raise Problem(
            f"not all images of {', '.join(ids)} exist on these pages; use list_pdf_items what='images' to see the ids"
        )
    return extracted_images


def _has_masks(path: Path, password: str) -> bool:
    """Whether a picture of the file is transparent in parts; pdfium does not tell of which one."""
    import pikepdf

    with open_pdf(path, password) as pdf:
        streams = (thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream))
        return any("/SMask" in stream or "/Mask" in stream or "/SMaskInData" in stream for stream in streams)


def _extract_image(image: Any, name: str, *, masks: bool) -> Extracted:
    import pypdfium2.raw as raw

    buffer = io.BytesIO()
    if raw.FPDFPageObj_HasTransparency(image.raw):
        picture = image.get_bitmap(render=True).to_pil()
    else:
        picture = _see_through(image) if masks else None
        if picture is None and image.get_filters(skip_simple=True) == ["DCTDecode"]:
            return Extracted(name + ".jpg", bytes(image.get_data(decode_simple=True)))
        picture = picture or image.get_bitmap().to_pil()
    picture.convert("RGBA" if picture.mode in ("RGBA", "RGBX", "LA") else picture.mode).save(buffer, "PNG")
    return Extracted(name + ".png", buffer.getvalue())


def _see_through(image: Any) -> PIL.Image.Image | None:
    """The picture with its mask; None when all of it is opaque. Without the mask, what is left out would be black."""
    picture: PIL.Image.Image = image.get_bitmap(render=True).to_pil()
    return picture if picture.mode == "RGBA" and picture.getchannel("A").getextrema() != (255, 255) else None


def _check_limits(extracted_files: list[Extracted]) -> list[Extracted]:
    if len(extracted_files) > MAX_FILES or sum(len(extracted.data) for extracted in extracted_files) > MAX_TOTAL_BYTES:
        raise Problem(f"that makes more than {MAX_FILES:,} files or {MAX_TOTAL_BYTES:,} bytes; give fewer pages or ids")
    return extracted_files


def _clean_name(name: str, number: int) -> str:
    usable = _UNUSABLE.sub("_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip(" .")
    return usable[-120:] or f"attachment{number + 1}"
