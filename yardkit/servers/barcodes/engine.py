"""The work of the barcodes server, without MCP: zxing-cpp reads and writes all kinds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from yardkit.kit.boxes_picture import Mark, save_marked
from yardkit.kit.pictures import run_picture_call
from yardkit.models.embedded.boxes import Part
from yardkit.models.embedded.running import check_region, load_rgb
from yardkit.world import FileRef, Problem, save_bytes
from yardkit.world.boxes import Box
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

PRELOAD = ("numpy", "PIL.Image", "PIL.ImageOps", "zxingcpp")
Kind = Literal[
    "QRCode",
    "MicroQRCode",
    "DataMatrix",
    "Aztec",
    "PDF417",
    "EAN13",
    "EAN8",
    "UPCA",
    "Code128",
    "Code93",
    "Code39",
    "ITF",
    "Codabar",
]
_TAKES: Mapping[Kind, str] = {
    "EAN13": "12 digits, or 13 with the check digit",
    "EAN8": "7 digits, or 8 with the check digit",
    "UPCA": "11 digits, or 12 with the check digit",
    "Code128": "Latin-1 letters, digits and symbols",
    "Code93": "ASCII letters, digits and symbols",
    "Code39": "capital letters, digits, spaces, - and . ($ / + % before a letter are read as another character)",
    "ITF": "an even number of digits",
    "Codabar": "digits and - $ : / . + between letters A to D, such as A1234B",
}
_WITH_DIGIT: Mapping[Kind, int] = {"EAN13": 13, "EAN8": 8, "UPCA": 12}
_MATRIX = ("QRCode", "MicroQRCode", "DataMatrix", "Aztec", "PDF417")
_GS1_KINDS = ("Code128", "DataMatrix", "QRCode", "Aztec")
_GS1_FIELD = re.compile(r"\((\d{2,4})\)([^()\s]+)")
_GS1_TEXT = re.compile(f"(?:{_GS1_FIELD.pattern})+")
_GS1_IDENTIFIER = re.compile(
    r"0[0-2]|1[0-35-7]|2[0-2]|30|37|9\d|235|24[0-3]|25[0-5]|4[0-2]\d|71\d|(?:3[1-69]|43|7[02]|8[01])\d\d|8200"
)
"""Of the GS1 General Specifications, section 3."""
_GS1_CHECKED = ("00", "01", "02")
"""Identifiers whose last digit checks the others."""
_CORRECTED = ("QRCode", "MicroQRCode")
_LARGEST_PX = 4000
_COPIES = ((2.0, 0), (1.5, 0), (1.0, 250), (2.0, 300), (3.0, 400))
"""Of a picture in which nothing is read: how much larger, and the per cent of sharpening."""
_CHECKING = ((0.8, 0), (1.5, 0), (1.0, 250), (2.0, 0))
"""Likewise, of the place of a code that was read."""
_EASILY_MISREAD = ("EAN13", "EAN8", "UPCA", "UPCE")
_AGREEING = {"UPCE": 3, "EAN8": 3}
"""How many copies must say the same of a kind whose check digit says little; two of the others."""


@dataclass(frozen=True)
class Barcode:
    """A code.

    Attributes:
        number: in the picture of the marks.
        format: its kind, such as QRCode or EAN13.
        text: what it says; empty where it holds bytes that are no text.
        bytes_hex: its bytes in hexadecimal, where they are no text.
        box: [x_min, y_min, x_max, y_max] in pixels of the picture as displayed, origin top left.
        corners: [x, y] of its four corners, clockwise from its own upper left one.
        orientation_deg: by how much it is turned.
        doubtful: whether copies of its place, smaller, larger or sharper, do not say the same: it may be misread.
        gs1: the fields of a GS1 code, each with its identifier in parentheses; empty for other codes.
    """

    number: int
    format: str
    text: str
    bytes_hex: str
    box: Box
    corners: tuple[tuple[int, int], ...]
    orientation_deg: int
    doubtful: bool = False
    gs1: str = ""

    def __str__(self) -> str:
        content_text = f"bytes {self.bytes_hex}" if self.bytes_hex else repr(self.text)
        content_text = f"GS1 {self.gs1!r}" if self.gs1 else content_text
        doubt = " (doubtful: no second copy confirms it; check it)" if self.doubtful else ""
        return f"{self.number} {self.format} {content_text} at [{', '.join(f'{edge:.0f}' for edge in self.box)}]{doubt}"


@dataclass(frozen=True)
class BarcodeResults:
    """The codes of a picture, from top to bottom.

    Attributes:
        barcodes: at most as many as asked for.
        count: of all that were read.
        width_px, height_px: of the picture as displayed.
        picture: the picture with the marks, if it was wanted.
    """

    barcodes: tuple[Barcode, ...]
    count: int
    width_px: int
    height_px: int
    picture: FileRef | None = None

    def __str__(self) -> str:
        head = f"{format_count(self.count, 'barcode')} read in {self.width_px} x {self.height_px} px"
        if not self.count:
            head += "; a code that is small, blurred or cut off may still be there: give bbox_px of its area"
        saved = [f"marks drawn in {self.picture.path}"] if self.picture else []
        return "\n".join([head, *map(str, self.barcodes), *saved])


@dataclass(frozen=True)
class WrittenBarcode:
    """A picture of a code, which was read back.

    Attributes:
        file: PNG or SVG.
        format: of the code.
        text: that it says when it is read, with the check digit where it has one.
        is_gs1: whether scanners take it for a GS1 code.
        note: what to know of it.
        width_px, height_px: of the picture.
    """

    file: FileRef
    format: str
    text: str
    width_px: int
    height_px: int
    is_gs1: bool = False
    note: str = ""

    def __str__(self) -> str:
        kind = f"GS1 {self.format}" if self.is_gs1 else self.format
        head = f"{self.file.path}: {kind} {self.text!r}, {self.width_px} x {self.height_px} px, read back right"
        return "\n".join([head, *([self.note] if self.note else [])])


@dataclass(frozen=True)
class _Code:
    """What zxing-cpp read, with the text as it is and the fields of GS1."""

    result: Any
    gs1: str

    @property
    def text(self) -> str:
        return str(self.result.text)

    @property
    def kind(self) -> str:
        return str(self.result.format.name)


def read_barcodes(
    path: Path, *, region: Part | None = None, limit: int = 100, picture: Path | None = None, page: int = 1
) -> BarcodeResults:
    """Read all codes of a picture or of a part of it, at any angle, light on dark too.

    Args:
        path: of the picture.
        region: the part; all without.
        limit: of codes that are listed.
        picture: where the picture is written with the marks.
        page: of a TIFF, or the frame of a moving picture, from 1.

    Raises:
        Problem: the picture cannot be read.
    """
    barcodes, (width, height) = run_picture_call(decode_barcodes, path, region, page)
    result = BarcodeResults(tuple(barcodes[:limit]), len(barcodes), width, height)
    if picture is None:
        return result
    marks = [
        Mark(f"{barcode.number} {barcode.format}", barcode.box, barcode.format, barcode.corners)
        for barcode in result.barcodes
    ]
    return replace(result, picture=save_marked(path, picture, marks, page))


def write_barcode(
    text: str, target: Path, kind: Kind, *, module_px: int = 4, label: bool = False, correction: str = "M"
) -> WrittenBarcode:
    """Draw a code and read it back.

    Args:
        text: that it says.
        target: a PNG or SVG, by its suffix.
        kind: of the code.
        module_px: pixels to its narrowest bar or to a dot.
        label: whether what it says is written below, where that is usual for the kind.
        correction: how much of a QR code may be damaged: L 7 %, M 15 %, Q 25 %, H 30 %.

    Raises:
        Problem: the kind cannot say the text, or not as it stands; or it would be too large.
    """
    suffix = target.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise Problem(f"{target.name!r} is not a PNG or SVG file name; end it with .png or .svg")
    data, content_text, size, is_gs1 = run_picture_call(
        encode_barcode, text, kind, module_px, label and kind not in _MATRIX, correction, suffix
    )
    save_bytes(target, data)
    note = ""
    if not is_gs1 and _GS1_TEXT.fullmatch(text):
        note = f"It is plain text, not a GS1 code; {', '.join(_GS1_KINDS)} can be GS1, with identifiers such as (01)."
    return WrittenBarcode(FileRef.from_path(target), kind, content_text, *size, is_gs1, note)


def decode_barcodes(path: Path, region: Part | None, page: int = 1) -> tuple[list[Barcode], tuple[int, int]]:
    """The codes of a picture, and its size. To be called `run_picture_call`."""
    import numpy as np
    from PIL import Image

    pixels = load_rgb(path, page=page)
    height, width = pixels.shape[:2]
    left, top, right, bottom = check_region(region, width, height)
    part = np.ascontiguousarray(pixels[top:bottom, left:right])
    barcodes = [_locate_barcode(code, 1.0, (left, top)) for code in _read_codes(part)]
    image = Image.fromarray(pixels)
    barcodes = [
        replace(barcode, doubtful=barcode.format in _EASILY_MISREAD and not _matches_reading(image, barcode))
        for barcode in barcodes
    ]
    if not barcodes and max(part.shape) <= _LARGEST_PX // 2:
        barcodes = [_locate_barcode(code, factor, (left, top)) for code, factor in _read_again(Image.fromarray(part))]
    ordered = sorted(barcodes, key=lambda barcode: (barcode.box[1], barcode.box[0]))
    return [replace(barcode, number=number) for number, barcode in enumerate(ordered, start=1)], (width, height)


def _read_again(part: "Image") -> list[tuple[_Code, float]]:
    """Codes that are small or blurred, in enlarged and sharpened copies, each with how much larger its copy is.

    Codes of bars are easily misread there, so copies must agree on them.
    """
    import numpy as np

    seen: dict[tuple[str, str], list[tuple[_Code, float]]] = {}
    for factor, sharpness in _COPIES:
        for code in _read_codes(np.asarray(_resize_part(part, factor, sharpness))):
            seen.setdefault((code.kind, code.text), []).append((code, factor))
    return [codes[0] for (kind, _), codes in seen.items() if len(codes) >= _AGREEING.get(kind, 2) or kind in _MATRIX]


def _matches_reading(image: "Image", code: Barcode) -> bool:
    """Whether a copy of the place of a code says what it says."""
    import numpy as np

    left, top, right, bottom = code.box
    margin = 0.3 * max(right - left, bottom - top)
    place = image.crop(
        (
            round(max(0, left - margin)),
            round(max(0, top - margin)),
            round(min(image.width, right + margin)),
            round(min(image.height, bottom + margin)),
        )
    )
    copies = (_resize_part(place, factor, sharpness) for factor, sharpness in _CHECKING)
    return any(code.text == other.text for copy in copies for other in _read_codes(np.asarray(copy)))


def _resize_part(part: "Image", factor: float, sharpness: int) -> "Image":
    from PIL import Image, ImageFilter

    larger = part.resize((round(factor * part.width), round(factor * part.height)), Image.Resampling.BICUBIC)
    return larger.filter(ImageFilter.UnsharpMask(3 * factor, sharpness, 0)) if sharpness else larger


def _read_codes(pixels: "NDArray[np.uint8]") -> list[_Code]:
    import zxingcpp

    picture = pixels[..., ::-1].copy()
    codes = zxingcpp.read_barcodes(picture, text_mode=zxingcpp.TextMode.Plain)
    fields: dict[bytes, str] = {}
    if any(code.content_type.name == "GS1" for code in codes):
        for code in zxingcpp.read_barcodes(picture, text_mode=zxingcpp.TextMode.HRI):
            fields |= {code.bytes: code.text} if code.content_type.name == "GS1" else {}
    return [_Code(code, fields.get(code.bytes, "") if code.content_type.name == "GS1" else "") for code in codes]


def _locate_barcode(read_code: _Code, factor: float, corner: tuple[int, int]) -> Barcode:
    code = read_code.result
    position = code.position
    corners = [position.top_left, position.top_right, position.bottom_right, position.bottom_left]
    points = tuple((int(point.x / factor) + corner[0], int(point.y / factor) + corner[1]) for point in corners)
    across, down = zip(*points, strict=True)
    binary = code.content_type.name in ("Binary", "Mixed", "UnknownECI")
    return Barcode(
        0,
        code.format.name,
        "" if binary else code.text,
        code.bytes.hex() if binary else "",
        (min(across), min(down), max(across), max(down)),
        points,
        code.orientation,
        gs1=read_code.gs1,
    )


def encode_barcode(
    text: str, kind: Kind, module_px: int, label: bool, correction: str, suffix: str
) -> tuple[bytes, str, tuple[int, int], bool]:
    """The file of a code, what it says when it is read, its size in pixels, and whether it is one of GS1.

    To be called in `run_picture_call`.
    """
    import io

    import numpy as np
    import zxingcpp
    from PIL import Image

    extra = {"ec_level": correction} if kind in _CORRECTED else {}
    fields = _parse_gs1(text, kind)
    code = _encode_gs1(fields, kind, extra) if fields else None
    is_gs1 = code is not None
    if kind in _MATRIX and not text.isascii():  # else a reader guesses the character set, at times wrongly
        extra["eci"] = "UTF-8"
    try:
        code = code or zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.__members__[kind], **extra)
    except ValueError as error:
        raise Problem(
            f"{kind} cannot encode {_shorten_text(text)}: {_format_reason(str(error))}{_describe_accepted(kind)}"
        ) from error
    drawn = np.asarray(code.to_image(scale=module_px, add_hrt=label))
    if max(drawn.shape) > _LARGEST_PX:
        raise Problem(
            f"the picture would be {drawn.shape[1]} x {drawn.shape[0]} px; shorten the text, or use a "
            f"module_px below {module_px}"
        )
    content_text = _read_drawn(drawn, kind)
    if content_text != _compute_expected(text, kind, content_text):
        raise Problem(
            f"{kind} would encode {_shorten_text(content_text)} instead of"
            f" {_shorten_text(text)}{_describe_accepted(kind)}"
        )
    if suffix == ".svg":
        svg = code.to_svg(scale=module_px, add_hrt=label).encode()
        return svg, content_text, (drawn.shape[1], drawn.shape[0]), is_gs1
    data = io.BytesIO()
    Image.fromarray(drawn).save(data, "PNG")
    return data.getvalue(), content_text, (drawn.shape[1], drawn.shape[0]), is_gs1


def _parse_gs1(text: str, kind: Kind) -> list[tuple[str, str]]:
    """The identifiers and values of a GS1 code as people write it, (01)09501101530003(10)AB12; none of other texts."""
    fields = [(match[1], match[2]) for match in _GS1_FIELD.finditer(text)]
    is_gs1 = _GS1_TEXT.fullmatch(text) and all(_GS1_IDENTIFIER.fullmatch(identifier) for identifier, _ in fields)
    return fields if is_gs1 and kind in _GS1_KINDS else []


def _encode_gs1(fields: list[tuple[str, str]], kind: Kind, extra: dict[str, Any]) -> Any:
    """A GS1 code; None where the text may be something else, such as a telephone number.

    Raises:
        Problem: the text is a GS1 code with a mistake in it.
    """
    import zxingcpp

    try:
        for identifier, value in fields:
            _check_digit(identifier, value)
        source = "".join(f"[{identifier}]{value}" for identifier, value in fields)
        return zxingcpp.create_barcode(source, zxingcpp.BarcodeFormat.__members__[kind], gs1=True, **extra)
    except ValueError as error:
        if len(fields) > 1 or fields[0][0] in _GS1_CHECKED:
            raise Problem(f"the GS1 code is not valid: {_format_reason(str(error))}; correct it") from error
        return None


def _check_digit(identifier: str, value: str) -> None:
    """Refuse a number of a thing or parcel whose check digit is wrong: scanners reject it, Zint does not.

    Raises:
        ValueError: it is wrong.
    """
    if identifier not in _GS1_CHECKED or not value.isdigit():
        return
    weighted = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(value[:-1])))
    right = -weighted % 10
    if int(value[-1]) != right:
        raise ValueError(f"the check digit of ({identifier}) must be {right}")


def _read_drawn(drawn: "NDArray[np.uint8]", kind: Kind) -> str:
    """What a code says when it is read."""
    import numpy as np

    # Aztec has no rim of its own: a reader wants some white around it.
    codes = _read_codes(np.repeat(np.pad(drawn, 20, constant_values=255)[..., None], 3, axis=2))
    if not codes:
        raise Problem(f"the {kind} code cannot be read back; raise module_px, or use another kind")
    text = codes[0].gs1 or codes[0].text
    return text[1:] if kind == "UPCA" and len(text) == 13 else text


def _compute_expected(text: str, kind: Kind, content_text: str) -> str:
    """The text as a reader should give it: with the check digit, which only it knows."""
    return text + content_text[-1] if len(text) + 1 == _WITH_DIGIT.get(kind) else text


def _describe_accepted(kind: Kind) -> str:
    return f"; it takes {_TAKES[kind]}" if kind in _TAKES else "; shorten the text, or use another kind"


def _shorten_text(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def _format_reason(error: str) -> str:
    """Zint's words without its numbers."""
    words = error.removeprefix("Error ").partition(" (retval")[0]
    return words.partition(": ")[2] or words
