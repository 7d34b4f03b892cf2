"""Emptying boxes of a page: glyphs, pixels of images, drawn shapes; or the whole page as a picture."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import Any

from yardkit.kit.pages.space import Matrix
from yardkit.servers.pdf.engine.content.encodings import Code
from yardkit.servers.pdf.engine.content.glyphs import Editor
from yardkit.servers.pdf.engine.package.document import make_stream, render_pdf
from yardkit.servers.pdf.engine.package.pages import apply_matrix, compute_bounds, has_overlap, space_of
from yardkit.world import Problem
from yardkit.world.boxes import Box

_SHARE = 0.25
"""Share of a glyph's middle that must lie in a box for the glyph to go: neighbours touch the boxes of matches."""
_DRAWN = 8
"""Points of a drawing in a box that the lines of frames and tables do not have there."""
_RASTER_DPI = 200.0


class Eraser(Editor):
    """Removes what lies in the boxes (user space), and paints pixels of pictures there, and `around`, in a color.

    Attributes:
        removed: the text of the glyphs that went.
        unreadable: why an image in a box could not be edited.
        reaching: whether a drawing is partly in a box that was given: under what is painted there, it would stay.
    """

    def __init__(
        self, pdf: Any, boxes: list[Box], around: list[Box], given: list[Box], color: tuple[float, float, float]
    ) -> None:
        super().__init__()
        self.given = given
        self.reaching = False
        self.pdf = pdf
        self.boxes = boxes
        self.around = around
        self.color = color
        self.removed: list[str] = []
        self.unreadable = ""

    def removes_glyph(self, box: Box, code: Code) -> bool:
        """Whether a quarter of its middle lies in a box."""
        gone = any(_compute_share(box, pair) >= _SHARE for pair in self.boxes)
        if gone:
            self.removed.append(code.text)
        return gone

    def removes_path(self, box: Box, points: list[tuple[float, float]]) -> bool:
        """Whether it lies wholly in a box: letters drawn as shapes do, frames and grounds do not."""
        gone = any(
            pair[0] - 0.5 <= box[0] and pair[1] - 0.5 <= box[1] and box[2] <= pair[2] + 0.5 and box[3] <= pair[3] + 0.5
            for pair in self.boxes
        )
        if not gone and len(points) >= _DRAWN and any(_count_within(points, pair) >= _DRAWN for pair in self.given):
            self.reaching = True
        return gone

    def new_image(self, image: Any, matrix: Matrix) -> Any:
        """The image with the boxes painted over, if one touches it."""
        place = compute_bounds(matrix, (0, 0, 1, 1))
        touching = [box for box in self.boxes + self.around if has_overlap(place, box)]
        if not touching or self.unreadable:
            return None
        try:
            return _mask_image(self.pdf, image, matrix, touching, self.color)
        except Exception as error:  # noqa: BLE001 - whatever the decoder dislikes: the page becomes a picture
            self.unreadable = str(error)[:80] or type(error).__name__
            return None


def _count_within(points: list[tuple[float, float]], box: Box) -> int:
    return sum(box[0] < x < box[2] and box[1] < y < box[3] for x, y in points)


def _compute_share(glyph: Box, box: Box) -> float:
    """How much of a glyph lies in a box; of one without area, whether its middle does."""
    wide = min(glyph[2], box[2]) - max(glyph[0], box[0])
    tall = min(glyph[3], box[3]) - max(glyph[1], box[1])
    area = (glyph[2] - glyph[0]) * (glyph[3] - glyph[1])
    if area <= 1e-9:
        x, y = (glyph[0] + glyph[2]) / 2, (glyph[1] + glyph[3]) / 2
        return float(box[0] <= x <= box[2] and box[1] <= y <= box[3])
    return max(wide, 0.0) * max(tall, 0.0) / area


def _mask_image(pdf: Any, image: Any, matrix: Matrix, boxes: list[Box], color: tuple[float, float, float]) -> Any:
    """A new image XObject whose pixels in the boxes are of the boxes' color: a rim of whole pixels stays in sight."""
    import pikepdf

    inline = isinstance(image, pikepdf.PdfInlineImage)
    source_image = image if inline else pikepdf.PdfImage(image)
    stencil = bool(source_image.image_mask)
    picture = source_image.as_pil_image()
    red, green, blue = (round(255 * part) for part in color)
    grey = picture.mode in ("L", "1") and red == green == blue
    picture = picture.convert("1" if stencil else "L" if grey else "RGB")
    polygons = [_to_polygon(matrix, box, picture.size) for box in boxes]
    unpainted = int(not _is_inverted(image))
    _fill_polygons(picture, polygons, unpainted if stencil else red if grey else (red, green, blue))
    masked_image = _image_stream(pdf, picture, stencil)
    if stencil and _is_inverted(image):
        masked_image["/Decode"] = pikepdf.Array([1, 0])
    if not inline:
        _carry_mask(pdf, image, masked_image, matrix, boxes)
    return masked_image


def _is_inverted(image: Any) -> bool:
    import pikepdf

    if isinstance(image, pikepdf.PdfInlineImage):
        return False
    return [int(value) for value in image.get("/Decode", [])] == [1, 0]


def _fill_polygons(picture: Any, polygons: list[list[tuple[float, float]]], value: int | tuple[int, int, int]) -> None:
    import PIL.ImageDraw

    draw = PIL.ImageDraw.Draw(picture)
    for polygon in polygons:
        draw.polygon(polygon, fill=value, outline=None, width=0)
        draw.line([*polygon, polygon[0]], fill=value, width=2)


def _to_polygon(matrix: Matrix, box: Box, size: tuple[int, int]) -> list[tuple[float, float]]:
    """A box of user space in pixels of the image that `matrix` places."""
    a, b, c, d, e, f = matrix
    determinant = a * d - b * c
    if abs(determinant) < 1e-9:
        return [(0, 0), (size[0], 0), (size[0], size[1]), (0, size[1])]
    inverse: Matrix = (
        d / determinant,
        -b / determinant,
        -c / determinant,
        a / determinant,
        (c * f - d * e) / determinant,
        (b * e - a * f) / determinant,
    )
    corners = [(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])]
    units = [apply_matrix(inverse, x, y) for x, y in corners]
    return [(u * size[0], (1 - v) * size[1]) for u, v in units]


def _image_stream(pdf: Any, picture: Any, stencil: bool) -> Any:
    import pikepdf

    data = zlib.compress(picture.tobytes(), 6)
    image_stream = pikepdf.Stream(pdf, b"")
    image_stream.write(data, filter=pikepdf.Name.FlateDecode)
    image_stream["/Type"], image_stream["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Image
    image_stream["/Width"], image_stream["/Height"] = picture.width, picture.height
    if stencil:
        image_stream["/ImageMask"], image_stream["/BitsPerComponent"] = True, 1
    else:
        image_stream["/BitsPerComponent"] = 8
        image_stream["/ColorSpace"] = pikepdf.Name.DeviceGray if picture.mode == "L" else pikepdf.Name.DeviceRGB
    return pdf.make_indirect(image_stream)


def _carry_mask(pdf: Any, image: Any, masked_image: Any, matrix: Matrix, boxes: list[Box]) -> None:
    """The soft or stencil mask comes along, opaque where the boxes are: its shape could tell, too."""
    import pikepdf

    for key, opaque in (("/SMask", 255), ("/Mask", 0)):
        mask = image.get(key)
        if not isinstance(mask, pikepdf.Stream):
            continue
        picture = pikepdf.PdfImage(mask).as_pil_image().convert("L" if key == "/SMask" else "1")
        _fill_polygons(picture, [_to_polygon(matrix, box, picture.size) for box in boxes], opaque)
        masked_image[key] = _image_stream(pdf, picture, key == "/Mask")


def picture_page(
    pdf: Any, source: Path, password: str, number: int, boxes: list[Box], color: tuple[float, float, float]
) -> None:
    """Replace a page by its picture with the boxes (as shown) painted; fields, links and marks in them go.

    Raises:
        Problem: the page cannot be drawn.
    """
    import pikepdf
    import PIL.ImageDraw

    from yardkit.servers.pdf.engine.package.raster import render_image

    page = pdf.pages[number - 1]
    space = space_of(page)
    with render_pdf(source, password) as document:
        try:
            image = render_image(document[number - 1], _RASTER_DPI)
        except ValueError as error:  # PDFium sees nothing of a page whose crop box lies outside of it
            raise Problem(f"page {number} must become a picture, but cannot be drawn; fix its boxes first") from error
    scale = _RASTER_DPI / 72
    draw = PIL.ImageDraw.Draw(image)
    for x0, y0, x1, y1 in boxes:
        draw.rectangle(
            (x0 * scale, y0 * scale, x1 * scale, y1 * scale), fill=tuple(round(255 * part) for part in color)
        )
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=88)
    content_stream = pikepdf.Stream(pdf, b"")
    content_stream.write(buffer.getvalue(), filter=pikepdf.Name.DCTDecode)
    content_stream["/Type"], content_stream["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Image
    content_stream["/Width"], content_stream["/Height"], content_stream["/BitsPerComponent"] = (
        image.width,
        image.height,
        8,
    )
    content_stream["/ColorSpace"] = pikepdf.Name.DeviceRGB
    page.obj["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Page=pdf.make_indirect(content_stream)))
    matrix = " ".join(f"{value:.6g}" for value in space.matrix)
    page.obj["/Contents"] = make_stream(
        pdf, f"q {matrix} cm {space.width:.3f} 0 0 {space.height:.3f} 0 0 cm /Page Do Q\n".encode()
    )
    for key in ("/Annots", "/Thumb", "/PieceInfo", "/Metadata"):
        if key in page.obj:
            del page.obj[key]
