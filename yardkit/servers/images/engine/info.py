"""What a file says of its picture, and a look at it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.pictures import run_picture_call
from yardkit.kit.results import Picture
from yardkit.servers.images.engine.files import MAX_PIXELS, check_size, encode_image, load_picture
from yardkit.servers.images.engine.geometry import crop_image
from yardkit.world.boxes import Box
from yardkit.world.limits import check_bytes
from yardkit.world.pictures import read_contents
from yardkit.world.pictures.reading import DAMAGE_ERRORS, open_picture

_MAX_TAGS = 60
_MAX_VALUE = 200
_GPS = 0x8825
_ORIENTATIONS = {
    1: "upright",
    2: "mirrored",
    3: "turned by 180 degrees",
    4: "mirrored top to bottom",
    5: "mirrored and turned",
    6: "shown turned 90 degrees clockwise",
    7: "mirrored and turned",
    8: "shown turned 90 degrees anticlockwise",
}


@dataclass(frozen=True)
class ImageInfo:
    """What a picture file says.

    Attributes:
        format: such as JPEG, whatever the name says.
        width_px, height_px: as displayed.
        mode: of the pixels, such as RGB, RGBA, L (grey), P (palette), CMYK.
        transparent: whether it can be transparent.
        bits: of each channel.
        frames: more than 1 if it moves.
        pages: more than 1 of a TIFF or HEIC of several.
        dpi: dots per inch across, if stated.
        profile: the colour profile, which all tools here convert to sRGB; empty for sRGB or none.
        metadata: the kinds that it has, such as EXIF and XMP.
        orientation: by EXIF; the size and all tools here follow it.
        size_bytes: of the file.
        exif: tags by name, such as DateTimeOriginal; latitude and longitude in degrees if stated.
        notes: what cannot be shown as it is meant.
    """

    format: str
    width_px: int
    height_px: int
    mode: str
    bits: int
    transparent: bool
    frames: int
    pages: int
    dpi: float | None
    profile: str
    metadata: list[str]
    orientation: str
    size_bytes: int
    exif: dict[str, str]
    notes: list[str]

    def __str__(self) -> str:
        parts = [f"{self.format}, {self.width_px} x {self.height_px} px, {self.mode}, {self.size_bytes:,} bytes"]
        parts += ["can be transparent"] if self.transparent else []
        parts += [f"{self.bits} bits per channel"] if self.bits > 8 else []
        parts += [f"{self.frames} frames"] if self.frames > 1 else []
        parts += [f"{self.pages} pages"] if self.pages > 1 else []
        parts += [f"{self.dpi:g} dpi"] if self.dpi else []
        parts += [self.orientation] if self.orientation != "upright" else []
        parts += [f"colour profile {self.profile}"] if self.profile else []
        parts += [f"with {', '.join(self.metadata)}"] if self.metadata else []
        tags = (f"- {name}: {value}" for name, value in self.exif.items())
        return "\n".join([", ".join(parts), *tags, *(f"Note: {note}" for note in self.notes)])


@dataclass(frozen=True)
class ImageView:
    """A look at a picture or a part of it.

    Attributes:
        view: what is seen.
        bbox_px: the part, in pixels of the whole.
        scale: shown pixels for one of the picture.
    """

    view: Picture
    bbox_px: tuple[int, int, int, int]
    scale: float

    def __str__(self) -> str:
        return f"{list(self.bbox_px)} of the picture, at {self.scale:.2f} of its size"


def read_info(path: Path) -> ImageInfo:
    """What a picture file says.

    Raises:
        Problem: it is not a picture, or a damaged or too large one.
    """
    return run_picture_call(_read_info, path)


def view_image(path: Path, box: Box | None, longest_px: int, page: int = 1) -> ImageView:
    """A look at a page of a picture, or a part of it, at most so long on a side; a small part is enlarged.

    Raises:
        Problem: the picture cannot be read, or the box is empty or outside.
    """
    data, size, part, scale = run_picture_call(_make_view, path, box, longest_px, page)
    return ImageView(Picture(data, "image/png" if data.startswith(b"\x89PNG") else "image/jpeg", *size), part, scale)


def _make_view(path: Path, box: Box | None, longest_px: int, page: int) -> tuple[bytes, tuple[int, int], Any, float]:
    from PIL import Image

    from yardkit.servers.images.engine.geometry import check_box

    image = load_picture(path, page)
    part = check_box(box, image.size) if box else (0, 0, *image.size)
    cut = crop_image(image, part) if box else image
    scale = min(longest_px / max(cut.size), 8.0 if box else 1.0)
    size = (max(1, round(cut.width * scale)), max(1, round(cut.height * scale)))
    scaled_part = cut if size == cut.size else cut.resize(size, Image.Resampling.LANCZOS)
    png, jpeg = encode_image(scaled_part, "PNG"), encode_image(scaled_part, "JPEG", 88)
    return min(png, jpeg, key=len), size, part, scale


def _read_info(path: Path) -> ImageInfo:
    size = check_bytes(path)
    contents = read_contents(path, max_pixels=MAX_PIXELS)
    check_size(contents.width_px, contents.height_px, path.name)
    with open_picture(path, MAX_PIXELS) as image:
        exif_tags = _read_tags(image)
    return ImageInfo(
        format=contents.format,
        width_px=contents.width_px,
        height_px=contents.height_px,
        mode=contents.mode,
        bits=contents.bits,
        transparent=contents.transparent,
        frames=contents.pages if contents.moves else 1,
        pages=1 if contents.moves else contents.pages,
        dpi=contents.dpi[0] if contents.dpi else None,
        profile=contents.profile,
        metadata=list(contents.metadata),
        orientation=_ORIENTATIONS[contents.turn],
        size_bytes=size,
        exif=exif_tags,
        notes=[f"{contents.attached} more attached (such as an HDR gain map)"] * bool(contents.attached)
        + list(contents.notes),
    )


def _read_tags(image: Any) -> dict[str, str]:
    """The tags of EXIF by name, as far as they can be read."""
    try:
        return _list_tags(image.getexif())
    except DAMAGE_ERRORS:
        return {}


def _list_tags(exif: Any) -> dict[str, str]:
    from PIL import ExifTags

    exif_values = {ExifTags.TAGS.get(tag, str(tag)): value for tag, value in exif.items() if tag != _GPS}
    exif_values |= {ExifTags.TAGS.get(tag, str(tag)): value for tag, value in exif.get_ifd(ExifTags.IFD.Exif).items()}
    tag_texts = {
        name: str(value)[:_MAX_VALUE] for name, value in exif_values.items() if not isinstance(value, (bytes, dict))
    }
    return dict(sorted(tag_texts.items())[:_MAX_TAGS]) | _read_position(exif.get_ifd(ExifTags.IFD.GPSInfo))


def _read_position(gps: Any) -> dict[str, str]:
    """Latitude and longitude in degrees, north and east positive."""
    coordinates = {}
    for name, letter, tag in (("latitude", "S", 2), ("longitude", "W", 4)):
        parts = gps.get(tag)
        try:
            degrees = float(parts[0]) + float(parts[1]) / 60 + float(parts[2]) / 3600
        except (TypeError, ValueError, IndexError, ZeroDivisionError):
            continue
        coordinates[name] = f"{-degrees if gps.get(tag - 1) == letter else degrees:.6f}"
    return coordinates
