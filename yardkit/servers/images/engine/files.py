"""Pictures read from files and written to them, in a process of their own."""

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.kit.pictures import run_picture_call
from yardkit.world import FileRef, Problem, pictures, save_bytes
from yardkit.world.limits import check_pixels
from yardkit.world.pictures import LoadedPicture, PictureContents, flatten_picture
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 50_000_000
MAX_PIXELS_OF_FRAMES = 60_000_000
"""Of all frames of a moving picture together, or all pages: they are in memory at once."""
MAX_SIDE = 16_000
PRELOAD = ("PIL.Image", "PIL.ImageCms", "PIL.ImageDraw", "PIL.ImageFont", "PIL.ImageOps", "PIL.ImageFilter", "numpy")
"""What the process that works on pictures keeps loaded."""
_FORMATS = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".webp": "WEBP",
    ".gif": "GIF",
    ".bmp": "BMP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
}
_OPAQUE = ("JPEG", "BMP")
_WITH_DPI = ("PNG", "JPEG", "BMP", "TIFF")
_MOVING, _PAGED = ("GIF", "WEBP", "PNG"), ("TIFF",)
"""Formats that hold several frames, or several pages."""
QUALITY = 90


@dataclass(frozen=True)
class ChangedImage:
    """A picture that was written.

    Attributes:
        picture: where it is.
        width_px, height_px: its size.
        was_px: width and height of the picture that it was made from, as displayed.
        note: what to know of it.
    """

    picture: FileRef
    width_px: int
    height_px: int
    was_px: tuple[int, int]
    note: str = ""

    def __str__(self) -> str:
        before = (
            f", before {self.was_px[0]} x {self.was_px[1]}" if self.was_px != (self.width_px, self.height_px) else ""
        )
        head = f"Saved {self.picture}: {self.width_px} x {self.height_px} px{before}"
        return "\n".join([head, *([self.note] if self.note else [])])


def change_picture(
    path: Path,
    target: Path,
    operation: Callable[..., Any],
    *args: object,
    quality: int = QUALITY,
    page: int | None = None,
    is_for_one: bool = False,
) -> ChangedImage:
    """Apply a function of a module to a picture, and write what comes of it.

    All pages of a TIFF and all frames of a moving picture are changed where the format of `target` has such; the note
    says what the result has not kept.

    Args:
        path: of the picture, which stays as it is unless `target` is the same.
        target: where the result is written, in the format of its name.
        operation: takes an image and `args`; gives an image, or an image and a note.
        args: further arguments.
        quality: of JPEG and WEBP.
        page: the only page or frame to change, from 1.
        is_for_one: whether the operation makes one picture, whatever it is given.

    Raises:
        Problem: the picture cannot be read, the name is not that of a picture, or raised by the operation.
    """
    kind = format_of(target)
    task = _Task(kind, quality, page, is_for_one)
    data, size, was, note = run_picture_call(_apply_operation, path, task, operation, args)
    save_bytes(target, data)
    return ChangedImage(FileRef.from_path(target), *size, was, note)


def return_unchanged(image: "Image") -> "Image":
    """The image itself: what is changed is the file."""
    return image


def format_of(target: Path) -> str:
    """The format of a picture by its name.

    Raises:
        Problem: it is not a format that is written.
    """
    kind = _FORMATS.get(target.suffix.lower())
    if kind is None:
        raise Problem(f"{target.name!r} is not a picture file name; end it with {', '.join(_FORMATS)}")
    return kind


def load_picture(path: Path, page: int = 1) -> "Image":
    """A picture as it is displayed, RGB or, where it is transparent somewhere, RGBA. To be called apart.

    Raises:
        Problem: it is not a picture, a damaged or too large one, or has no such page.
    """
    image = pictures.load_picture(path, page, max_pixels=MAX_PIXELS).image
    check_size(*image.size, path.name)
    return image


def check_size(width: int, height: int, name: str) -> None:
    """Refuse a picture that would be too large.

    Raises:
        Problem: more than 50 million pixels, or 16,000 on a side.
    """
    check_pixels(width, height, name, MAX_PIXELS)
    if max(width, height) > MAX_SIDE:
        raise Problem(f"{name!r} is {width:,} x {height:,} pixels; the limit per side is {MAX_SIDE:,}")


def encode_image(image: "Image", kind: str, quality: int = QUALITY) -> bytes:
    """The bytes of an image in a format; on white where the format knows no transparency."""
    return _encode_frames([LoadedPicture(image)], kind, quality)


def _encode_frames(
    frames: Sequence[LoadedPicture],
    kind: str,
    quality: int,
    loop: int | None = None,
    dpi: tuple[float, float] | None = None,
) -> bytes:
    """The bytes of the frames of a moving picture, or the pages of a TIFF."""
    file = io.BytesIO()
    images = [flatten_picture(frame.image) if kind in _OPAQUE else frame.image for frame in frames]
    settings: dict[str, Any] = {}
    if kind == "JPEG":
        settings = {"quality": quality, "subsampling": 0 if quality >= 90 else 2}
    elif kind == "WEBP":
        settings = {"quality": quality}
    if dpi and kind in _WITH_DPI:
        settings |= {"dpi": dpi}
    if len(images) > 1:
        settings |= {"save_all": True, "append_images": images[1:]}
    if len(images) > 1 and kind in _MOVING:
        durations = [frame.duration_ms for frame in frames]
        settings |= {"duration": _round_durations(durations) if kind == "GIF" else durations} | _build_loop(kind, loop)
        settings |= {"disposal": 2} if kind == "GIF" and any(image.mode == "RGBA" for image in images) else {}
    images[0].save(file, kind, **settings)
    return file.getvalue()


def _round_durations(durations_ms: Sequence[int]) -> list[int]:
    """Durations as a GIF can have them, hundredths of a second, together as long; viewers show 10 ms as 100."""
    rounded, behind = list[int](), 0
    for duration in durations_ms:
        hundredths = max(2, round((duration + behind) / 10)) if duration else 0
        behind += duration - hundredths * 10
        rounded.append(hundredths * 10)
    return rounded


def _build_loop(kind: str, loop: int | None) -> dict[str, int]:
    """GIF counts the repetitions after the first time, and says nothing for none; the others count all times."""
    if loop is None or (kind == "GIF" and loop == 1):
        return {}
    return {"loop": loop - 1 if kind == "GIF" and loop else loop}


@dataclass(frozen=True)
class _Task:
    kind: str
    quality: int
    page: int | None
    is_for_one: bool


def _apply_operation(
    path: Path, task: _Task, operation: Callable[..., Any], args: tuple[object, ...]
) -> tuple[bytes, tuple[int, int], tuple[int, int], str]:
    before = pictures.read_contents(path, max_pixels=MAX_PIXELS, times=task.page is None)
    originals, results, note = list["Image"](), list[LoadedPicture](), ""
    for frame in _load_sources(path, task, before):
        try:
            result, words = _change_image(frame.image, operation, args)
        except Problem as problem:
            if not originals:
                raise
            place = f"{_name_part(before)} {len(originals) + 1}"
            raise Problem(f"{place} of {path.name!r} cannot be changed in this way: {problem}") from problem
        check_size(result.width, result.height, path.name)
        results.append(LoadedPicture(result, frame.duration_ms))
        originals.append(frame.image)
        note = note or words
    data = _encode_frames(results, task.kind, task.quality, before.loop, _find_dpi(before, originals, results))
    after = pictures.read_contents(data, max_pixels=MAX_PIXELS, times=before.moves)
    parts = f"All {format_count(len(results), _name_part(before))} were changed." if len(results) > 1 else ""
    losses = pictures.describe_losses(before, after, originals, chosen=task.page is not None)
    notes = filter(None, (note, parts, losses, *(f"Note: {words}." for words in before.notes)))
    return data, results[0].image.size, originals[0].size, "\n".join(notes)


def _find_dpi(
    before: PictureContents, originals: "Sequence[Image]", results: Sequence[LoadedPicture]
) -> tuple[float, float] | None:
    """The resolution that a result has; none where it is another across than down, and the picture was changed."""
    is_same = before.turn == 1 and originals[0].size == results[0].image.size
    return before.dpi if before.dpi and (is_same or before.dpi[0] == before.dpi[1]) else None


def _load_sources(path: Path, task: _Task, before: PictureContents) -> Iterable[LoadedPicture]:
    """The pages or frames to change: all that the target can hold and the memory has room for, else one."""
    is_whole = before.pages > 1 and task.page is None and not task.is_for_one
    fits = before.width_px * before.height_px * before.pages <= MAX_PIXELS_OF_FRAMES
    if is_whole and fits and task.kind in (_MOVING if before.moves else _PAGED):
        return pictures.load_frames(path, max_pixels=MAX_PIXELS)
    return [LoadedPicture(load_picture(path, task.page or 1))]


def _change_image(image: "Image", operation: Callable[..., Any], args: tuple[object, ...]) -> "tuple[Image, str]":
    changed_image = operation(image, *args)
    return changed_image if isinstance(changed_image, tuple) else (changed_image, "")


def _name_part(contents: PictureContents) -> str:
    return "frame" if contents.moves else "page"
