"""What a picture file has, counted before and after a change, so that a loss is said."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.world.limits import MAX_PIXELS
from yardkit.world.pictures import color_profiles
from yardkit.world.pictures.reading import (
    DAMAGE_ERRORS,
    find_profile,
    list_pages,
    name_of,
    open_picture,
    read_head,
    read_turn,
    seek_page,
)
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from PIL.Image import Image

_MOVING = ("GIF", "WEBP", "PNG", "AVIF")
_BITS_PER_SAMPLE, _XMP, _IPTC = 258, 700, 33_723
_DURATION_TOLERANCE = 0.05
_UNSAID_DPI = (72.0, 72.0)
"""What Pillow says of files with EXIF that state none."""
_TOLD_TAGS = {270, 271, 272, 305, 306, 315, 33_432, 34_665, 34_853}
"""Of EXIF: description, camera, program, date, artist, copyright, and the tables of camera and position."""


@dataclass(frozen=True)
class PictureContents:
    """What a picture file has.

    Attributes:
        format: such as JPEG, whatever the name says.
        width_px, height_px: of its first page, as displayed.
        mode: of the pixels, such as RGB, RGBA, L (grey), P (palette), CMYK.
        bits: of each channel.
        turn: the orientation of EXIF, 1 to 8.
        transparent: whether it can be transparent.
        pages: of a TIFF, or frames of a moving picture.
        moves: whether they are frames.
        duration_ms: of all frames; 0 where they were not timed.
        loop: how often a moving picture is repeated, 0 for ever; null where it does not say.
        profile: the colour profile; empty for sRGB or none.
        metadata: which kinds it has, such as EXIF and XMP.
        attached: pictures that a camera put behind a JPEG, such as an HDR gain map.
        dpi: dots per inch across and down, if stated.
        notes: what cannot be shown as it is meant.
    """

    format: str
    width_px: int
    height_px: int
    mode: str
    bits: int
    turn: int
    transparent: bool
    pages: int
    moves: bool
    duration_ms: int
    loop: int | None
    profile: str
    metadata: tuple[str, ...]
    attached: int
    dpi: tuple[float, float] | None
    notes: tuple[str, ...]

    @property
    def is_simple(self) -> bool:
        """Whether any program shows it as it is meant: upright, sRGB, one picture of eight bits."""
        is_usual = self.turn == 1 and not self.profile and self.bits <= 8 and self.mode not in ("CMYK", "LAB")
        return is_usual and self.pages == 1 and not self.attached


def read_contents(source: Path | bytes, *, max_pixels: int = MAX_PIXELS, times: bool = False) -> PictureContents:
    """What a picture file has.

    Args:
        source: a file, or what it would hold.
        max_pixels: a picture of more is refused by its header.
        times: whether the frames of a moving picture are timed, for which they are decoded.

    Raises:
        Problem: it is not a picture, it is damaged or too large.
    """
    head = read_head(source)
    with open_picture(source, max_pixels) as opened:
        seek_page(opened, 1, name_of(source))
        pages = list_pages(opened)
        moves = len(pages) > 1 and opened.format in _MOVING
        turn = read_turn(opened)
        lies = turn >= 5 and opened.format != "TIFF"  # Pillow turns those itself
        profile, notes = _describe_profile(opened, head)
        metadata = tuple(_list_metadata(opened))
        return PictureContents(
            format="JPEG" if opened.format == "MPO" else opened.format or "",
            width_px=opened.height if lies else opened.width,
            height_px=opened.width if lies else opened.height,
            mode=opened.mode,
            bits=_read_bits(opened, head),
            turn=turn,
            transparent=bool(opened.has_transparency_data),
            pages=len(pages),
            moves=moves,
            duration_ms=_sum_durations(opened, pages) if moves and times else 0,
            loop=_read_loop(opened) if moves else None,
            profile=profile,
            metadata=metadata,
            attached=opened.n_frames - 1 if opened.format == "MPO" else 0,  # type: ignore[attr-defined]
            dpi=_read_dpi(opened),
            notes=tuple(notes),
        )


def describe_page(contents: PictureContents, name: str, page: int = 1, *, has_choice: bool = False) -> str:
    """That a file has more pages or frames than the one that was used; empty where it has not.

    Args:
        contents: of the file.
        name: of the file.
        page: that was used.
        has_choice: whether the tool takes another.
    """
    if contents.pages == 1:
        return ""
    word = "frame" if contents.moves else "page"
    others = "pass page for another" if has_choice else "save another with convert_image (images), which takes page"
    return f"{name} has {format_count(contents.pages, word)}; only {word} {page} was used; {others}."


def describe_losses(
    before: PictureContents, after: PictureContents, sources: "Sequence[Image]", *, chosen: bool = False
) -> str:
    """What a changed picture has no more, in a sentence; empty where nothing was lost.

    Args:
        before: the picture as it was.
        after: as it was written.
        sources: its pages as they were read, which tell whether it is transparent anywhere.
        chosen: whether one page was asked for.
    """
    losses = [
        *([] if chosen else _list_lost_pages(before, after)),
        *_list_lost_times(before, after),
        *([f"{before.bits} bits per channel ({after.bits} now)"] if before.bits > max(8, after.bits) else []),
        *(["transparency (white now)"] if not after.transparent and any(map(_is_clear, sources)) else []),
        *_list_lost_shades(after, sources),
        *([f"the colour profile {before.profile} (converted to sRGB)"] if before.profile != after.profile else []),
        *([f"{before.mode} (RGB now)"] if before.mode in ("CMYK", "LAB") and after.mode != before.mode else []),
        *(name for name in before.metadata if name not in after.metadata),
        *([f"{before.dpi[0]:.4g} dpi"] if before.dpi and not after.dpi and before.dpi != _UNSAID_DPI else []),
        *([f"{before.attached} attached (such as an HDR gain map)"] if before.attached > after.attached else []),
    ]
    return f"Not kept: {', '.join(losses)}." if losses else ""


def _is_clear(image: "Image") -> bool:
    return image.mode == "RGBA" and image.getchannel("A").getextrema()[0] < 255  # type: ignore[operator]


def _list_lost_shades(after: PictureContents, sources: "Sequence[Image]") -> list[str]:
    """What GIF has no room for: more than 256 colours, half-transparent pixels."""
    if after.format != "GIF":
        return []
    losses = ["all colours (a GIF has 256)"] if any(image.getcolors(256) is None for image in sources) else []
    masks = [image.getchannel("A") for image in sources if image.mode == "RGBA"]
    is_half = any(count for mask in masks for count in mask.histogram()[1:255])
    return [*losses, *(["half-transparent pixels (a GIF has none)"] if is_half else [])]


def _list_lost_pages(before: PictureContents, after: PictureContents) -> list[str]:
    # Frames that are the same are written as one that is shown longer.
    is_merged = before.moves and after.moves and abs(before.duration_ms - after.duration_ms) <= 10 * before.pages
    if after.pages >= before.pages or is_merged:
        return []
    word = "frame" if before.moves else "page"
    first = f"only {word} 1 is in the result" if after.pages == 1 else f"{after.pages} are in the result"
    return [f"all {format_count(before.pages, word)} ({first})"]


def _list_lost_times(before: PictureContents, after: PictureContents) -> list[str]:
    is_other = abs(after.duration_ms - before.duration_ms) > _DURATION_TOLERANCE * before.duration_ms
    if not (before.moves and after.moves and before.duration_ms and is_other):
        return []
    return [f"the duration of {before.duration_ms / 1000:.2f} s ({after.duration_ms / 1000:.2f} s now)"]


def _describe_profile(opened: "Image", head: bytes) -> tuple[str, list[str]]:
    """The name of the colour profile, and what is wrong with it."""
    profile, (_, curve) = find_profile(opened, head), color_profiles.read_coding_points(head)
    notes = (
        [f"the picture is HDR ({curve}) and is shown without tone mapping, so its colours look pale"] if curve else []
    )
    if not profile:
        return "", notes
    try:
        return color_profiles.name_profile(profile), notes
    except ValueError:
        return "", [*notes, "the colour profile is damaged and was ignored"]


def _read_bits(opened: "Image", head: bytes) -> int:
    """Bits of a channel as the file has them: Pillow gives eight of most."""
    if opened.mode == "1":
        return 1
    if opened.format == "PNG":
        return max(8, head[24])
    if opened.format == "TIFF":
        value = opened.tag_v2.get(_BITS_PER_SAMPLE, 8)  # type: ignore[attr-defined]
        first = value[0] if isinstance(value, tuple) and value else value
        return first if isinstance(first, int) else 8
    if opened.format == "HEIF":
        return int(opened.info.get("bit_depth", 8))
    if opened.format == "AVIF":
        start = head.find(b"av1C")
        flags = head[start + 6] if 0 <= start < len(head) - 6 else 0
        return 12 if flags & 0x60 == 0x60 else 10 if flags & 0x40 else 8
    return 8


def _read_dpi(opened: "Image") -> tuple[float, float] | None:
    try:
        across, down = (float(dots) for dots in opened.info.get("dpi", (0, 0)))
    except DAMAGE_ERRORS:
        return None
    return (across, down) if 0 < across < 1e6 and 0 < down < 1e6 else None


def _read_loop(opened: "Image") -> int | None:
    """How often it is shown. GIF counts the repetitions after the first time, the others count all."""
    count = opened.info.get("loop")
    if not isinstance(count, int):
        return 1 if opened.format == "GIF" else None
    return count + 1 if opened.format == "GIF" and count else count


def _sum_durations(opened: "Image", pages: list[int]) -> int:
    total = 0.0
    for number in pages:
        opened.seek(number)
        if opened.format in ("WEBP", "AVIF"):
            opened.load()  # they know it only then
        total += opened.info.get("duration", 0) or 0
    return round(total)


def _list_metadata(opened: "Image") -> list[str]:
    names = []
    if _has_exif(opened):
        names.append("EXIF with the GPS position" if _has_position(opened) else "EXIF")
    tags: Any = getattr(opened, "tag_v2", {})
    if any(opened.info.get(key) for key in ("xmp", "XML:com.adobe.xmp")) or _XMP in tags:
        names.append("XMP")
    if _IPTC in tags or 0x0404 in _as_table(opened.info.get("photoshop")):
        names.append("IPTC")
    texts = [key for key in _as_table(getattr(opened, "text", None)) if key != "XML:com.adobe.xmp"]
    if opened.info.get("comment") or texts:
        names.append("comments")
    if opened.info.get("depth_images"):
        names.append("the depth map")
    return names


def _as_table(value: Any) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}


def _has_exif(opened: "Image") -> bool:
    try:
        return any(tag in _TOLD_TAGS for tag in opened.getexif())
    except DAMAGE_ERRORS:
        return bool(opened.info.get("exif"))


def _has_position(opened: "Image") -> bool:
    from PIL import ExifTags

    try:
        return bool(opened.getexif().get_ifd(ExifTags.IFD.GPSInfo))
    except DAMAGE_ERRORS:
        return False
