"""Looking into PDFs with libraries alone, independent of the server."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
from PIL import Image

AS_IT_IS: dict[str, Any] = {
    "compress_streams": False,
    "stream_decode_level": pikepdf.StreamDecodeLevel.none,
    "fix_metadata_version": False,
}


def text_of(path: Path, page: int = 1, password: str | None = None) -> str:
    """The text of a page as PDFium alone finds it."""
    document = pypdfium2.PdfDocument(path, password=password)
    try:
        return document[page - 1].get_textpage().get_text_range()
    finally:
        document.close()


def pixels_of(path: Path, page: int = 1) -> Image.Image:
    """A page at 72 dpi, fields and annotations drawn."""
    document = pypdfium2.PdfDocument(path)
    try:
        document.init_forms()
        return document[page - 1].render(scale=1, may_draw_forms=True).to_pil().convert("RGB")
    finally:
        document.close()


def raw_streams(path: Path) -> dict[bytes, int]:
    """The raw bytes of every stream of a file, with how often they stand there."""
    stream_counts: dict[bytes, int] = {}
    with pikepdf.open(path) as pdf:
        for thing in pdf.objects:
            if isinstance(thing, pikepdf.Stream) and thing.get("/Type") not in ("/XRef", "/ObjStm"):
                data = thing.read_raw_bytes()
                stream_counts[data] = stream_counts.get(data, 0) + 1
    return stream_counts


def everything_decoded(path: Path) -> bytes:
    """All strings and decoded streams of a file, pictures left out."""
    out = io.BytesIO()
    with pikepdf.open(path) as pdf:
        for thing in pdf.objects:
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") != "/Image":
                out.write(thing.read_bytes() + b"\n")
            out.write(repr(thing).encode() + b"\n")
        out.write(repr(pdf.trailer.get("/Info")).encode())
    return out.getvalue()


def dark_share(image: Image.Image, box: tuple[int, ...]) -> float:
    """Share of dark pixels in a box."""
    data = image.convert("L").crop((box[0], box[1], box[2], box[3])).tobytes()
    return sum(value < 128 for value in data) / len(data)


def change_pdf(path: Path, change: Callable[[pikepdf.Pdf], object]) -> None:
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(path, **AS_IT_IS)


def assert_gone(path: Path, *terms: str) -> None:
    """Nothing of the terms is left in a PDF: in its texts, decoded streams, strings and bytes."""
    data = everything_decoded(path)
    with pikepdf.open(path) as pdf:
        pages = len(pdf.pages)
    for term in terms:
        assert all(term.lower() not in " ".join(text_of(path, page).split()).lower() for page in range(1, pages + 1))
        for spelled in (
            term.encode(),
            term.encode("utf-16-be"),
            term.encode().hex().encode(),
            term.encode().hex().upper().encode(),
        ):
            assert spelled not in data
            assert spelled not in path.read_bytes()
