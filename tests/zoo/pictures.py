"""Pictures as cameras, phones, scanners, printers and other programs write them: one scene, many kinds of file.

Whatever the kind, a viewer shows the scene upright, in its colours, 480 x 320 pixels: a text, a QR code and three
patches of colour.
"""

import io
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import av
import cv2
import numpy as np
import zxingcpp
from PIL import Image, ImageCms, ImageDraw, ImageFont

from yardkit.world.fonts import font_file

SIZE = (480, 320)
TEXT, CODE = "FRONT DOOR 17", "ZOO-17"
PATCHES = {(330, 200): (190, 70, 60), (400, 200): (60, 150, 70), (400, 280): (70, 80, 180)}
"""Where the patches of colour are, and what a viewer shows there."""
PAGES = 3


@dataclass(frozen=True)
class ZooPicture:
    """A file, and what is true of it.

    Attributes:
        build: gives its bytes.
        tolerance: by how much colours may differ from those of the scene.
        grey: whether the patches are shown as greys.
        pages: of a TIFF, or frames.
        moves: whether they are frames.
        bits: of each channel.
        profile: what its colour profile calls itself.
        metadata: the kinds that it has.
        notes: words of what cannot be shown as it is meant.
    """

    build: Callable[[], bytes]
    tolerance: int = 3
    grey: bool = False
    pages: int = 1
    moves: bool = False
    bits: int = 8
    transparent: bool = False
    profile: str = ""
    metadata: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    attached: int = 0


@cache
def draw_scene(number: int = 0) -> Image.Image:
    """The scene; with a number, a later page or frame of it."""
    image = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(image)
    text = TEXT if not number else f"PAGE NUMBER {number + 1}"
    draw.text((24, 24), text, font=ImageFont.truetype(str(font_file("DejaVu Sans")), 44), fill="black")
    code = zxingcpp.create_barcode(CODE if not number else f"PAGE-{number + 1}", zxingcpp.BarcodeFormat.QRCode)
    image.paste(Image.fromarray(np.asarray(code.to_image(scale=6))), (40, 120))
    for (x, y), color in PATCHES.items():
        draw.rectangle((x - 34, y - 39, x + 34, y + 39), fill=color)
    return image


def save_image(image: Image.Image, kind: str, **settings: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **settings)
    return buffer.getvalue()


def _save_scene(kind: str, mode: str = "RGB", **settings: Any) -> bytes:
    return save_image(draw_scene().convert(mode), kind, **settings)


def _save_jpeg(image: Image.Image | None = None, **settings: Any) -> bytes:
    return save_image(image or draw_scene(), "JPEG", quality=96, subsampling=0, **settings)


def _save_pages(kind: str, **settings: Any) -> bytes:
    others = [draw_scene(number) for number in range(1, PAGES)]
    return save_image(draw_scene(), kind, save_all=True, append_images=others, **settings)


# EXIF, written by hand: libraries refuse to write what is wrong in it.

Entry = tuple[int, int, int, bytes]
"""Tag, type, count, and the value in little-endian bytes."""
_TURN_BACK = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
_MAKE: Entry = (0x10F, 2, 5, b"Zoo1\0")


def _make_short(tag: int, value: int) -> Entry:
    return tag, 3, 1, struct.pack("<H", value)


def _build_exif(entries: Sequence[Entry], inner: Mapping[int, Sequence[Entry]]) -> bytes:
    """A TIFF header with a table of entries, and tables that further entries point to."""
    begin = 8 + 2 + 12 * (len(entries) + len(inner)) + 4
    pointers, tables = list[Entry](), b""
    for tag, table in inner.items():
        pointers.append((tag, 4, 1, struct.pack("<I", begin + len(tables))))
        tables += _build_table(table, begin + len(tables))
    return b"II*\0\x08\0\0\0" + _build_table([*entries, *pointers], 8, tables)


def _build_table(entries: Sequence[Entry], offset: int, behind: bytes = b"") -> bytes:
    """A table of entries at an offset; what does not fit into it comes after what is `behind` it."""
    table, body = struct.pack("<H", len(entries)), behind
    begin = offset + 2 + 12 * len(entries) + 4
    for tag, kind, count, value in sorted(entries):
        place = struct.pack("<I", begin + len(body)) if len(value) > 4 else value.ljust(4, b"\0")
        body += value if len(value) > 4 else b""
        table += struct.pack("<HHI", tag, kind, count) + place
    return table + b"\0\0\0\0" + body


def _save_with_exif(
    entries: Sequence[Entry], inner: Mapping[int, Sequence[Entry]] | None = None, turn: int = 1
) -> bytes:
    """A JPEG that is stored turned and says so."""
    image = draw_scene() if turn == 1 else draw_scene().transpose(_TURN_BACK[turn])
    jpeg = _save_jpeg(image)
    segment = b"Exif\0\0" + _build_exif(entries, inner or {})
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:]


_GPS: Sequence[Entry] = (
    (1, 2, 2, b"N\0"),
    (2, 5, 3, struct.pack("<6I", 48, 1, 8, 1, 0, 1)),
    (3, 2, 2, b"E\0"),
    (4, 5, 3, struct.pack("<6I", 11, 1, 34, 1, 0, 1)),
)

# Colour profiles.

_D50 = (0.9642, 1.0, 0.8249)
_P3 = ((0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407))
_ADOBE = ((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457))


@cache
def make_profile(name: str, columns: tuple[tuple[float, float, float], ...] = _P3, gamma: float = 2.2) -> bytes:
    """A profile of a colour space by its primaries."""

    def xyz(values: Sequence[float]) -> bytes:
        return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(value * 65536) for value in values))

    curve = b"curv\0\0\0\0" + struct.pack(">IH2x", 1, round(gamma * 256))
    text = name.encode() + b"\0"
    tags = [
        (b"desc", b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(78)),
        (b"wtpt", xyz(_D50)),
        *((letter + b"XYZ", xyz(column)) for letter, column in zip((b"r", b"g", b"b"), columns, strict=True)),
        *((letter + b"TRC", curve) for letter in (b"r", b"g", b"b")),
        (b"cprt", b"text\0\0\0\0none\0"),
    ]
    table, data = struct.pack(">I", len(tags)), b""
    for signature, body in tags:
        table += signature + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(body))
        data += body.ljust(-len(body) // 4 * -4, b"\0")
    head = struct.pack(">II", 128 + len(table) + len(data), 0) + b"\x02\x20\0\0mntrRGB XYZ " + bytes(12) + b"acsp"
    return head.ljust(68, b"\0") + xyz(_D50)[8:] + bytes(48) + table + data


@cache
def _scene_in(profile: bytes) -> Image.Image:
    """The scene in the numbers of another colour space."""
    srgb, other = ImageCms.createProfile("sRGB"), ImageCms.getOpenProfile(io.BytesIO(profile))
    converted = ImageCms.profileToProfile(draw_scene(), srgb, other)
    assert converted is not None
    converted.info.clear()  # else it would be saved with the profile, whatever is asked for
    return converted


def _scene_in_cmyk() -> Image.Image:
    return draw_scene().convert("CMYK")


def _scene_in_lab() -> Image.Image:
    converted = ImageCms.profileToProfile(
        draw_scene(), ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB"
    )
    assert converted is not None
    converted.info.clear()
    return converted


def _save_adobe() -> bytes:
    """As cameras do that are set to Adobe RGB and embed no profile: the interoperability index says R03."""
    image = _scene_in(make_profile("Adobe", _ADOBE, 2.19921875))
    exif = Image.Exif()
    exif[0x10F] = "Zoo1"
    exif.get_ifd(0x8769)[0xA001] = 65535
    exif.get_ifd(0x8769)[0xA005] = {1: "R03", 2: b"0100"}
    return _save_jpeg(image, exif=exif.tobytes())


# Deep pixels.


def _grey_scene() -> Any:
    return np.asarray(draw_scene().convert("L"))


def _encode_deep(suffix: str) -> bytes:
    deep = np.asarray(draw_scene())[..., ::-1].astype(np.uint16) * 257
    return bytes(cv2.imencode(suffix, deep)[1])


def _insert_chunk(png: bytes, kind: bytes, data: bytes) -> bytes:
    """A PNG with a chunk behind its header."""
    chunk = struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return png[:33] + chunk + png[33:]


def _encode_greys(depth: int, chunks: tuple[tuple[bytes, bytes], ...]) -> bytes:
    """A PNG of greys of some bits, with further chunks."""
    shades = np.rint(_grey_scene() / 255 * (2**depth - 1)).astype(">u2")
    if depth == 16:
        rows = [row.tobytes() for row in shades]
    else:
        bits = (shades[..., None] >> np.arange(depth - 1, -1, -1)) & 1
        rows = [np.packbits(row).tobytes() for row in bits.reshape(len(shades), -1)]
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", *SIZE, depth, 0, 0, 0, 0)),
        *chunks,
        (b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))),
        (b"IEND", b""),
    ]
    packed = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def _encode_for_mac() -> bytes:
    """In the numbers of an old Mac: a gamma of 1.8."""
    linear = np.where(scene_values() <= 0.04045, scene_values() / 12.92, ((scene_values() + 0.055) / 1.055) ** 2.4)
    png = save_image(Image.fromarray(np.rint(linear ** (1 / 1.8) * 255).astype(np.uint8)), "PNG")
    return _insert_chunk(png, b"gAMA", struct.pack(">I", 55_556))


def scene_values() -> Any:
    return np.asarray(draw_scene(), float) / 255


def _save_tiff(pixels: Any, tags: Mapping[int, tuple[int, ...]], colors: Sequence[int] = ()) -> bytes:
    """An uncompressed TIFF by hand; tags have values of 16 bits."""
    data = pixels.tobytes()
    behind = struct.pack(f"<{len(colors)}H", *colors)
    entries: list[Entry] = [
        (tag, 3, len(values), struct.pack(f"<{len(values)}H", *values)) for tag, values in tags.items()
    ]
    entries += [(320, 3, len(colors), behind)] if colors else []
    entries += [(256, 3, 1, struct.pack("<H", SIZE[0])), (257, 3, 1, struct.pack("<H", SIZE[1])), (259, 3, 1, b"\1\0")]
    entries += [(273, 4, 1, struct.pack("<I", 8)), (278, 3, 1, struct.pack("<H", SIZE[1]))]
    entries += [(279, 4, 1, struct.pack("<I", len(data)))]
    return b"II*\0" + struct.pack("<I", 8 + len(data)) + data + _build_table(sorted(entries), 8 + len(data))


def _save_old_palette() -> bytes:
    """Colours from 0 to 255, as programs wrote them before the format was clear."""
    image = draw_scene().quantize(256)
    colors = np.array((image.getpalette() or []) + [0] * 768)[:768].reshape(256, 3)
    return _save_tiff(np.asarray(image), {258: (8,), 262: (3,)}, [int(value) for value in colors.T.ravel()])


def _save_without_alpha() -> bytes:
    """A BMP with room for transparency that its program left at zero."""
    pixels = np.dstack([np.asarray(draw_scene())[::-1, :, ::-1], np.zeros(SIZE[::-1], np.uint8)])
    head = struct.pack("<IiiHHIIiiII", 124, *SIZE, 1, 32, 3, 0, 0, 0, 0, 0)
    head += struct.pack("<5I", 0xFF0000, 0xFF00, 0xFF, 0xFF000000, 0x73524742) + b"\0" * 64
    return b"BM" + struct.pack("<IHHI", 14 + len(head) + pixels.size, 0, 0, 14 + len(head)) + head + pixels.tobytes()


def _save_with_thumbnail() -> bytes:
    """As scanners and cameras do: a smaller copy behind the picture, marked as such."""
    small = draw_scene().resize((120, 80))
    small.encoderinfo = {"tiffinfo": {254: 1}}
    return save_image(draw_scene(), "TIFF", save_all=True, append_images=[small])


def _save_masked() -> bytes:
    """Letters on nothing: the paper is transparent."""
    image = draw_scene().convert("RGBA")
    paper = np.asarray(draw_scene()).min(axis=2) > 250
    image.putalpha(Image.fromarray(np.where(paper, 0, 255).astype(np.uint8)))
    return save_image(image, "PNG")


# HEIC, by hand: no encoder of it may be shipped.


def _make_box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def _make_full_box(kind: bytes, *parts: bytes, version: int = 0) -> bytes:
    return _make_box(kind, bytes([version, 0, 0, 0]), *parts)


@cache
def _encode_hevc(image_bytes: bytes, size: tuple[int, int]) -> tuple[bytes, bytes]:
    """The decoder's configuration and the sample of a picture in HEVC."""
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="mp4") as film:
        stream = film.add_stream("libx265", rate=1, options={"x265-params": "log-level=none:qp=4:keyint=1"})
        stream.width, stream.height, stream.pix_fmt = *size, "yuv444p"
        stream.codec_context.codec_tag = "hvc1"
        frame = av.VideoFrame.from_ndarray(np.frombuffer(image_bytes, np.uint8).reshape(size[1], size[0], 3), "rgb24")
        frame.pts, frame.time_base = 0, Fraction(1, 1)
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            film.mux(packet)
    data = buffer.getvalue()
    at = data.index(b"hvcC")
    configuration = data[at + 4 : at - 4 + struct.unpack(">I", data[at - 4 : at])[0]]
    begin = data.index(b"mdat")
    return configuration, data[begin + 4 : begin - 4 + struct.unpack(">I", data[begin - 4 : begin])[0]]


def _save_heic(image: Image.Image, quarter_turns: int = 0, profile: bytes = b"") -> bytes:
    """A picture in HEIC, to be shown turned counter-clockwise."""
    configuration, sample = _encode_hevc(image.tobytes(), image.size)
    properties = [_make_box(b"hvcC", configuration), _make_full_box(b"ispe", struct.pack(">II", *image.size))]
    properties += [_make_box(b"irot", bytes([quarter_turns]))] if quarter_turns else []
    properties += [_make_box(b"colr", b"prof", profile)] if profile else []
    links = bytes(0x80 | number if number != 2 else number for number in range(1, len(properties) + 1))
    head = _make_box(b"ftyp", b"heic", bytes(4), b"mif1heic")

    def meta(offset: int) -> bytes:
        return _make_full_box(
            b"meta",
            _make_full_box(b"hdlr", bytes(4), b"pict", bytes(13)),
            _make_full_box(b"pitm", struct.pack(">H", 1)),
            _make_full_box(b"iloc", struct.pack(">BBHHHHII", 0x44, 0, 1, 1, 0, 1, offset, len(sample))),
            _make_full_box(
                b"iinf", struct.pack(">H", 1), _make_full_box(b"infe", struct.pack(">HH", 1, 0), b"hvc1\0", version=2)
            ),
            _make_box(
                b"iprp",
                _make_box(b"ipco", *properties),
                _make_full_box(b"ipma", struct.pack(">IHB", 1, 1, len(links)), links),
            ),
        )

    table = meta(len(head) + len(meta(0)) + 8)
    return head + table + _make_box(b"mdat", sample)


def _turn_scene(turn: int) -> Image.Image:
    return draw_scene().transpose(_TURN_BACK[turn])


_MPO = {"append_images": [draw_scene().resize((120, 80))], "save_all": True, "quality": 96, "subsampling": 0}
_WIDE = "Zoo wide"
_TURNED_EXIF = Image.Exif()
_TURNED_EXIF[0x112] = 6

ZOO: dict[str, ZooPicture] = {
    "rgb.png": ZooPicture(lambda: _save_scene("PNG")),
    "palette.png": ZooPicture(lambda: save_image(draw_scene().quantize(64), "PNG"), 12),
    "masked.png": ZooPicture(_save_masked, transparent=True),
    "grey-alpha.png": ZooPicture(lambda: _save_scene("PNG", "LA"), grey=True, transparent=True),
    "deep.png": ZooPicture(lambda: _encode_deep(".png"), bits=16),
    "deep-grey.png": ZooPicture(
        lambda: save_image(Image.fromarray(_grey_scene().astype(np.uint16) * 257), "PNG"), grey=True, bits=16
    ),
    "moving.png": ZooPicture(lambda: _save_pages("PNG", duration=100), pages=PAGES, moves=True),
    "wide.png": ZooPicture(
        lambda: save_image(_scene_in(make_profile(_WIDE)), "PNG", icc_profile=make_profile(_WIDE)), 4, profile=_WIDE
    ),
    "coded-p3.png": ZooPicture(
        lambda: _insert_chunk(save_image(_scene_in(make_profile(_WIDE)), "PNG"), b"cICP", bytes([12, 13, 0, 1])),
        8,
        profile="Display P3",
    ),
    "hdr.png": ZooPicture(
        lambda: _insert_chunk(_save_scene("PNG"), b"cICP", bytes([1, 16, 0, 1])), notes=("HDR (PQ)",)
    ),
    "clear-deep-grey.png": ZooPicture(
        lambda: _encode_greys(16, ((b"tRNS", b"\x12\x34"),)), grey=True, bits=16, transparent=True
    ),
    "few-greys.png": ZooPicture(lambda: _encode_greys(4, ((b"tRNS", b"\0\x0e"),)), 9, grey=True, transparent=True),
    "old-mac.png": ZooPicture(_encode_for_mac, profile="gamma 1.8000"),
    "moving-with-cover.png": ZooPicture(
        lambda: save_image(
            Image.new("RGB", SIZE, "red"),
            "PNG",
            save_all=True,
            default_image=True,
            duration=100,
            append_images=[draw_scene(number) for number in range(PAGES)],
        ),
        pages=PAGES,
        moves=True,
    ),
    "commented.png": ZooPicture(
        lambda: _insert_chunk(_save_scene("PNG"), b"tEXt", b"Author\0zoo"), metadata=("comments",)
    ),
    "plain.jpg": ZooPicture(_save_jpeg, 10),
    "progressive-grey.jpg": ZooPicture(lambda: _save_jpeg(draw_scene().convert("L"), progressive=True), 6, grey=True),
    "phone.jpg": ZooPicture(
        lambda: _save_with_exif([_MAKE, _make_short(0x112, 6)], {0x8825: _GPS}, 6),
        10,
        metadata=("EXIF with the GPS position",),
    ),
    "broken-resolution.jpg": ZooPicture(
        lambda: _save_with_exif([_make_short(0x112, 8), (0x11A, 10, 1, struct.pack("<ii", -1, 0))], turn=8), 10
    ),
    "text-resolution.jpg": ZooPicture(
        lambda: _save_with_exif([_make_short(0x112, 3), (0x11A, 2, 7, b"72 dpi\0")], turn=3), 10
    ),
    "text-orientation.jpg": ZooPicture(lambda: _save_with_exif([(0x112, 2, 2, b"6\0")]), 10),
    "cut-exif.jpg": ZooPicture(
        lambda: _save_with_exif([(0x8769, 4, 1, struct.pack("<I", 90_000))]), 10, metadata=("EXIF",)
    ),
    "print.jpg": ZooPicture(lambda: _save_jpeg(_scene_in_cmyk()), 12),
    "wide.jpg": ZooPicture(
        lambda: _save_jpeg(_scene_in(make_profile(_WIDE)), icc_profile=make_profile(_WIDE)), 12, profile=_WIDE
    ),
    "damaged-profile.jpg": ZooPicture(
        lambda: _save_jpeg(icc_profile=make_profile(_WIDE)[:150]), 10, notes=("profile is damaged",)
    ),
    "camera-adobe.jpg": ZooPicture(_save_adobe, 12, profile="Adobe RGB", metadata=("EXIF",)),
    "gain-map.jpg": ZooPicture(lambda: save_image(draw_scene(), "MPO", **_MPO), 10, attached=1),
    "pages.tif": ZooPicture(lambda: _save_pages("TIFF", compression="tiff_lzw"), pages=PAGES),
    "thumbnail.tif": ZooPicture(_save_with_thumbnail),
    "turned.tif": ZooPicture(lambda: save_image(_turn_scene(6), "TIFF", tiffinfo={274: 6})),
    "turned-lzw.tif": ZooPicture(lambda: save_image(_turn_scene(8), "TIFF", compression="tiff_lzw", tiffinfo={274: 8})),
    "float.tif": ZooPicture(
        lambda: save_image(Image.fromarray(_grey_scene().astype(np.float32) / 255), "TIFF"), grey=True, bits=32
    ),
    "white-is-zero.tif": ZooPicture(
        lambda: _save_tiff((255 - _grey_scene()).astype("<u2") * 257, {258: (16,), 262: (0,), 277: (1,)}),
        grey=True,
        bits=16,
    ),
    "no-sign.tif": ZooPicture(
        lambda: _save_tiff(_grey_scene().astype("<u4") * 0x1010101, {258: (32,), 262: (1,), 277: (1,), 339: (1,)}),
        grey=True,
        bits=32,
    ),
    "old-palette.tif": ZooPicture(_save_old_palette, 12),
    "twelve-bits.tif": ZooPicture(
        lambda: save_image(Image.fromarray(_grey_scene().astype(np.uint16) * 16), "TIFF"), 5, grey=True, bits=16
    ),
    "deep.tif": ZooPicture(lambda: _encode_deep(".tiff"), bits=16),
    "print.tif": ZooPicture(lambda: save_image(_scene_in_cmyk(), "TIFF")),
    "lab.tif": ZooPicture(lambda: save_image(_scene_in_lab(), "TIFF"), 6),
    "fax.tif": ZooPicture(
        lambda: save_image(draw_scene().convert("1"), "TIFF", compression="group4", dpi=(204, 98)), 255, bits=1
    ),
    "still.gif": ZooPicture(lambda: save_image(draw_scene().quantize(64), "GIF"), 12),
    "moving.gif": ZooPicture(lambda: _save_pages("GIF", duration=100, loop=0), 12, pages=PAGES, moves=True),
    "clear.webp": ZooPicture(
        lambda: save_image(draw_scene().convert("RGBA").rotate(0), "WEBP", lossless=True),
    ),
    "moving.webp": ZooPicture(
        lambda: _save_pages("WEBP", duration=100, lossless=True), pages=PAGES, moves=True, transparent=True
    ),
    "rgb.bmp": ZooPicture(lambda: _save_scene("BMP")),
    "zero-alpha.bmp": ZooPicture(_save_without_alpha, transparent=True),
    "still.avif": ZooPicture(lambda: _save_scene("AVIF", quality=95, speed=10, subsampling="4:4:4"), 10),
    "turned.avif": ZooPicture(
        lambda: save_image(
            _turn_scene(6), "AVIF", quality=95, speed=10, subsampling="4:4:4", exif=_TURNED_EXIF.tobytes()
        ),
        10,
    ),
    "moving.avif": ZooPicture(
        lambda: _save_pages("AVIF", quality=95, speed=10, subsampling="4:4:4", duration=100),
        10,
        pages=PAGES,
        moves=True,
    ),
    "phone.heic": ZooPicture(
        lambda: _save_heic(_scene_in(make_profile(_WIDE)), profile=make_profile(_WIDE)), 10, profile=_WIDE
    ),
    "turned.heic": ZooPicture(lambda: _save_heic(_turn_scene(8), 1), 10),
}
"""Name of a file -> how it is made, and its truth."""


@cache
def build_picture(name: str) -> bytes:
    """The bytes of a file of the zoo."""
    return ZOO[name].build()
