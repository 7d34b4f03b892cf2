"""Smaller files, and files that open again: images downsampled, equal streams once, structure written anew."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.kit.pages.space import Matrix
from yardkit.servers.pdf.engine.content.glyphs import IDENTITY, Editor, Walk
from yardkit.servers.pdf.engine.package.document import check_pdf, open_pdf, save_pdf, translate_errors, warnings_of
from yardkit.servers.pdf.engine.package.pages import apply_matrix
from yardkit.world import Problem
from yardkit.world.limits import MAX_PIXELS

PRELOAD = ("pikepdf", "PIL.Image", "PIL.JpegImagePlugin", "pypdfium2")
_SMALL_PX = 64
_MARGIN = 1.25


@dataclass(frozen=True)
class Rewritten:
    """What rewriting did.

    Attributes:
        images: how many were made smaller.
        duplicates: streams that were there more than once.
        lost: what a repair could not find.
    """

    before_bytes: int
    after_bytes: int
    pages: int
    images: int = 0
    duplicates: int = 0
    warnings: list[str] = field(default_factory=list)


class _Uses(Editor):
    """Gathers how large each image is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.inches: dict[Any, float] = {}

    def new_image(self, image: Any, matrix: Matrix) -> Any:
        """Nothing; notes the longer side per object."""
        if hasattr(image, "objgen"):
            x, y = apply_matrix(matrix, 0, 0)
            wide = sum((a - b) ** 2 for a, b in zip(apply_matrix(matrix, 1, 0), (x, y), strict=True)) ** 0.5 / 72
            self.inches[image.objgen] = max(wide, self.inches.get(image.objgen, 0))
        return None


def compress_pdf(source: Path, target: Path, password: str, dpi: int | None, quality: int) -> Rewritten:
    """Write a smaller file: images of more than `dpi` as shown are downsampled (None: kept), streams compressed.

    If nothing becomes smaller the file stays as it was.

    Raises:
        Problem: the file cannot be read.
    """
    before = source.stat().st_size
    with open_pdf(source, password, strict=True) as pdf:
        warnings = warnings_of(pdf)
        images = _downsample_images(pdf, dpi, quality) if dpi else 0
        duplicates = _unite_streams(pdf)
        pdf.remove_unreferenced_resources()
        save_pdf(pdf, target, shrink=True)
        pages = len(pdf.pages)
    if target.stat().st_size >= before:
        target.write_bytes(source.read_bytes())
        return Rewritten(before, before, pages, warnings=["it was as small before; the file is unchanged"])
    return Rewritten(before, target.stat().st_size, pages, images, duplicates, warnings)


def _downsample_images(pdf: Any, dpi: int, quality: int) -> int:
    import pikepdf

    uses = _Uses()
    for page in pdf.pages:
        Walk(pdf, uses).stream(page, page.obj.get("/Resources"), IDENTITY)
    return sum(
        _shrink_image(pdf.get_object(objgen), inches, dpi, quality)
        for objgen, inches in uses.inches.items()
        if objgen[0] and isinstance(pdf.get_object(objgen), pikepdf.Stream)
    )


def _shrink_image(image: Any, inches: float, dpi: int, quality: int) -> bool:
    """Store an image with fewer pixels as JPEG if it has too many and that is smaller; whether it was done."""
    import pikepdf

    wide, tall = int(image.get("/Width", 0)), int(image.get("/Height", 0))
    if (
        image.get("/ImageMask")
        or "/Mask" in image
        or min(wide, tall) < _SMALL_PX
        or wide * tall > MAX_PIXELS
        or inches <= 0
        or wide / inches < dpi * _MARGIN
    ):
        return False
    from PIL.Image import DecompressionBombError

    try:
        picture = pikepdf.PdfImage(image).as_pil_image()
    except (pikepdf.PikepdfError, DecompressionBombError, NotImplementedError, ValueError, OSError):
        return False
    if picture.mode not in ("RGB", "L", "P") or "/Decode" in image:
        return False
    picture = picture.convert("L" if picture.mode == "L" else "RGB")
    scale = dpi * inches / wide
    smaller = picture.resize((max(int(wide * scale), 1), max(int(tall * scale), 1)), 1)
    buffer = io.BytesIO()
    smaller.save(buffer, "JPEG", quality=quality)
    if buffer.tell() >= len(image.read_raw_bytes()):
        return False
    image.write(buffer.getvalue(), filter=pikepdf.Name.DCTDecode)
    image["/Width"], image["/Height"], image["/BitsPerComponent"] = smaller.width, smaller.height, 8
    image["/ColorSpace"] = pikepdf.Name.DeviceGray if smaller.mode == "L" else pikepdf.Name.DeviceRGB
    return True


def _unite_streams(pdf: Any) -> int:
    """Let all references to equal image and font streams lead to one of them."""
    import pikepdf

    first: dict[bytes, Any] = {}
    same: dict[Any, Any] = {}
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream) and thing.get("/Type") not in ("/XRef", "/ObjStm", "/Metadata"):
            entries = b"".join(_entry_bytes(key, thing.get(key)) for key in sorted(thing.keys()) if key != "/Length")
            digest = hashlib.sha256(entries + thing.read_raw_bytes()).digest()
            if digest in first:
                same[thing.objgen] = first[digest]
            else:
                first[digest] = thing
    if same:
        for thing in pdf.objects:
            _redirect_references(thing, same, 0)
    return len(same)


def _entry_bytes(key: str, value: Any) -> bytes:
    import pikepdf

    return key.encode() + (value.unparse() if isinstance(value, pikepdf.Object) else repr(value).encode()) + b" "


def _redirect_references(node: Any, same: dict[Any, Any], depth: int) -> None:
    import pikepdf

    if depth > 50:
        return
    if isinstance(node, pikepdf.Array):
        for at, value in enumerate(node):
            _follow_reference(node, at, value, same, depth)
    elif isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        for key in list(node.keys()):
            _follow_reference(node, key, node.get(key), same, depth)


def _follow_reference(node: Any, key: Any, value: Any, same: dict[Any, Any], depth: int) -> None:
    import pikepdf

    if not isinstance(value, pikepdf.Object):
        return
    if value.is_indirect:
        if value.objgen in same:
            node[key] = same[value.objgen]
    else:
        _redirect_references(value, same, depth + 1)


def repair_pdf(source: Path, target: Path, password: str) -> Rewritten:
    """Reconstruct a damaged file and write its structure anew.

    Raises:
        Problem: no page can be found in it, or it is no PDF.
    """
    import pikepdf

    check_pdf(source)
    known = translate_errors(source, password, "nothing of it can be recovered, get another copy")
    with known, pikepdf.open(source, password=password, suppress_warnings=True) as pdf:
        count = _usable_pages(pdf)
        warnings = [str(warning).replace(str(source), source.name)[:200] for warning in pdf.get_warnings()]
        if not count:
            raise Problem(f"{source.name!r} is too damaged to recover any page; get another copy")
        warnings += warnings_of(pdf)
        if "/Size" not in pdf.trailer:
            pdf.trailer["/Size"] = 1  # qpdf writes the right number, but only where there was one
        save_pdf(pdf, target)
    with open_pdf(target, password, strict=True) as again:
        pages = len(again.pages)
    shortened_warnings = [*warnings[:10], f"and {len(warnings) - 10} more"] if len(warnings) > 10 else warnings
    return Rewritten(
        source.stat().st_size, target.stat().st_size, pages, warnings=shortened_warnings or ["no damage was found"]
    )


def _usable_pages(pdf: Any) -> int:
    """Drop pages whose content cannot be read; the number of those that stay."""
    import pikepdf

    for number in range(len(pdf.pages) - 1, -1, -1):
        try:
            pikepdf.parse_content_stream(pdf.pages[number])
        except pikepdf.PikepdfError:
            del pdf.pages[number]
    return len(pdf.pages)
