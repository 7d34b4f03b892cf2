"""Text, pictures and subtitles laid on a video for a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from yardkit.kit.lettering import Anchor, Lettering, add_text, compute_corner
from yardkit.kit.media_labels import read_film_labels
from yardkit.servers.video.engine.changes import ChangedVideo, VideoResult, sound_of, write_film, write_in_process
from yardkit.servers.video.engine.streams import Frames, Shape, read_frames, shape_of
from yardkit.servers.video.engine.subtitles import Subtitle, read_subtitles
from yardkit.world import Problem
from yardkit.world.limits import check_pixels

PRELOAD = ("numpy", "av", "PIL.Image", "PIL.ImageDraw", "PIL.ImageFont")
"""What the process that works on videos keeps loaded."""
MAX_PICTURE_PIXELS = 50_000_000


@dataclass(frozen=True)
class Placing:
    """Where and when something is laid on a video.

    Attributes:
        place: in the picture; with `point`, the part that stands there.
        point: x and y in pixels; None goes by `place`.
        start_s: from when it is seen.
        end_s: until when; None until the end.
        fade_s: in which it comes and goes.
        margin_px: to the edge of the picture, without `point`.
    """

    place: Anchor = "bottom"
    point: tuple[float, float] | None = None
    start_s: float = 0.0
    end_s: float | None = None
    fade_s: float = 0.0
    margin_px: int = 24


@dataclass(frozen=True)
class _Layer:
    """Something that is laid on pictures: its colours and opacity where it stands, from an even place on, and when."""

    left: int
    top: int
    colors: Any
    opacity: Any
    start_s: float
    end_s: float
    fade_s: float = 0.0


def add_text_to_video(path: Path, target: Path, text: str, look: Lettering, placing: Placing) -> ChangedVideo:
    """Write a video with text on it.

    Raises:
        Problem: the times are empty, or the text does not fit.
    """
    _check_times(placing)
    return write_in_process(_draw_text, target, [path], path, text, look, placing)


def add_picture_to_video(
    path: Path, picture: Path, target: Path, width_px: int | None, opacity: float, placing: Placing
) -> ChangedVideo:
    """Write a video with a picture on it; its transparent parts stay so.

    Raises:
        Problem: the times are empty, or the picture cannot be read.
    """
    _check_times(placing)
    return write_in_process(_draw_picture, target, [path], path, picture, width_px, opacity, placing)


def burn_subtitles(path: Path, subtitles: Path, target: Path, size_px: int | None, shift_s: float) -> ChangedVideo:
    """Write a video with subtitles in its pictures.

    Args:
        path: of the video.
        subtitles: an SRT or VTT file.
        target: where the result goes.
        size_px: of the letters; by default a 22nd of the height, and at least 16.
        shift_s: by which they come later.

    Raises:
        Problem: the file holds no subtitles.
    """
    return write_in_process(_draw_subtitles, target, [path], path, read_subtitles(subtitles), size_px, shift_s)


def _check_times(placing: Placing) -> None:
    if placing.end_s is not None and placing.end_s <= placing.start_s:
        raise Problem(f"end_s {placing.end_s:g} is not after start_s {placing.start_s:g}")


def _draw_text(draft: Path, path: Path, text: str, look: Lettering, placing: Placing) -> VideoResult:
    def layers(shape: Shape) -> list[_Layer]:
        layer, note = _make_text_layer(text, look, placing, shape)
        notes.append(note)
        return [layer]

    notes: list[str] = []
    written_video = _write_layers(draft, path, layers)
    return _add_note(written_video, notes[0])


def _draw_picture(
    draft: Path, path: Path, picture: Path, width_px: int | None, opacity: float, placing: Placing
) -> VideoResult:
    import numpy as np
    from PIL import Image, ImageOps

    from yardkit.models.embedded.running import FORMATS

    def layers(shape: Shape) -> list[_Layer]:
        try:
            with Image.open(picture, formats=FORMATS) as opened:
                check_pixels(opened.width, opened.height, picture.name, MAX_PICTURE_PIXELS)
                above = ImageOps.exif_transpose(opened).convert("RGBA")
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            raise Problem(f"{picture.name!r} cannot be read as a picture") from error
        if width_px:
            above = above.resize(
                (width_px, max(1, round(above.height * width_px / above.width))), Image.Resampling.LANCZOS
            )
        margin = placing.margin_px
        room = (margin, margin, shape.width_px - margin, shape.height_px - margin)
        left, top = (round(edge) for edge in compute_corner(above.size, placing.place, room, placing.point))
        pixels = np.asarray(above, np.float32)
        layer = _crop_layer(pixels[:, :, :3], pixels[:, :, 3:] / 255 * opacity, left, top, shape, placing)
        where.append([left, top, left + above.width, top + above.height])
        return [layer]

    where: list[list[int]] = []
    written_video = _write_layers(draft, path, layers)
    return _add_note(written_video, f"It is placed in {where[0]}.")


def _draw_subtitles(
    draft: Path, path: Path, subtitles: Sequence[Subtitle], size_px: int | None, shift_s: float
) -> VideoResult:
    def layers(shape: Shape) -> list[_Layer]:
        size = size_px or max(16, shape.height_px // 22)
        look = Lettering(size_px=size, color="white", outline="black", align="center")
        visible_layers = []
        for subtitle in subtitles:
            placing = Placing(
                "bottom", start_s=subtitle.start_s + shift_s, end_s=subtitle.end_s + shift_s, margin_px=size
            )
            visible_layers.append(_make_text_layer(subtitle.text, look, placing, shape)[0])
        return visible_layers

    written_video = _write_layers(draft, path, layers)
    late = sum(1 for subtitle in subtitles if subtitle.start_s + shift_s > written_video.seconds)
    note = f"{len(subtitles)} subtitles." + (f" {late} begin after the end of the video." if late else "")
    return _add_note(written_video, note)


def _add_note(written_video: VideoResult, note: str) -> VideoResult:
    return replace(written_video, note=" ".join(filter(None, (note, written_video.note))))


def _make_text_layer(text: str, look: Lettering, placing: Placing, shape: Shape) -> tuple[_Layer, str]:
    import numpy as np
    from PIL import Image

    clear = Image.new("RGBA", (shape.width_px, shape.height_px), (0, 0, 0, 0))
    drawn, note = add_text(clear, text, look, placing.place, placing.point, None, placing.margin_px)
    box = drawn.getbbox() or (0, 0, 1, 1)
    pixels = np.asarray(drawn.crop(box), np.float32)
    return _crop_layer(pixels[:, :, :3], pixels[:, :, 3:] / 255, box[0], box[1], shape, placing), note


def _crop_layer(colors: Any, opacity: Any, left: int, top: int, shape: Shape, placing: Placing) -> _Layer:
    """A layer, as far as it lies within the pictures, with clear edges where it begins or ends at an odd place."""
    import numpy as np

    start_x, start_y = max(0, -left), max(0, -top)
    end_x = min(colors.shape[1], shape.width_px - left)
    end_y = min(colors.shape[0], shape.height_px - top)
    if start_x >= end_x or start_y >= end_y:
        raise Problem("the overlay would be outside the video's frames; choose another position")
    inner = (slice(start_y, end_y), slice(start_x, end_x))
    left, top = left + start_x, top + start_y
    edges = tuple(
        (at % 2, (at + end - start) % 2) for at, start, end in ((top, start_y, end_y), (left, start_x, end_x))
    )
    colors, opacity = (np.pad(pixels[inner], (*edges, (0, 0))) for pixels in (colors, opacity))
    end_s = float("inf") if placing.end_s is None else placing.end_s
    return _Layer(left - left % 2, top - top % 2, colors, opacity, placing.start_s, end_s, placing.fade_s)


def _write_layers(draft: Path, path: Path, make_layers: Callable[[Shape], list[_Layer]]) -> VideoResult:
    shape = shape_of(path).even
    layers = make_layers(shape)
    shape = shape.with_moments(moment for layer in layers for moment in (layer.start_s, layer.end_s))
    for layer in layers:
        shape = _with_fades(shape, layer)
    sound = sound_of(path)
    frames = _lay_layers(read_frames(path, shape), layers, shape)
    return write_film(frames, shape, sound, draft, read_film_labels(path))


def _with_fades(shape: Shape, layer: _Layer) -> Shape:
    if not layer.fade_s:
        return shape
    shape = shape.with_change(layer.start_s, layer.start_s + layer.fade_s)
    return shape.with_change(layer.end_s - layer.fade_s, layer.end_s) if layer.end_s < shape.end_s else shape


def _lay_layers(frames: Frames, layers: Sequence[_Layer], shape: Shape) -> Frames:
    inks: list[list[_Ink]] = []
    for number, frame in enumerate(frames):
        inks = inks or [_make_inks(layer, frame) for layer in layers]
        shares = [_compute_share(layer, shape.time_of(number)) for layer in layers]
        seen = [(ink, share) for ink, share in zip(inks, shares, strict=True) if share]
        yield _apply_inks(frame, seen) if seen else frame


_Ink = tuple[tuple[slice, slice], Any, Any]
"""What is laid on one plane of a frame: where, its values times its opacity, and its opacity."""


def _make_inks(layer: _Layer, frame: Any) -> list[_Ink]:
    """A layer on each plane, in the colours of a frame; a value of a chroma plane stands for four pixels."""
    import av
    import numpy as np

    pixels = av.VideoFrame.from_ndarray(np.ascontiguousarray(layer.colors, np.uint8), format="rgb24")
    values = pixels.reformat(format="yuv444p", dst_colorspace=frame.colorspace, dst_color_range="MPEG").to_ndarray()
    inks: list[_Ink] = []
    for plane, step in zip(values, (1, 2, 2), strict=True):
        high, wide = (side // step for side in plane.shape)
        top, left = layer.top // step, layer.left // step
        weighed, opacity = (
            part.reshape(high, step, wide, step).mean(axis=(1, 3), dtype=np.float32)
            for part in (plane * layer.opacity[:, :, 0], layer.opacity[:, :, 0])
        )
        inks.append(((slice(top, top + high), slice(left, left + wide)), weighed, opacity))
    return inks


def _apply_inks(frame: Any, seen: Sequence[tuple[list[_Ink], float]]) -> Any:
    import av
    import numpy as np

    values = frame.to_ndarray()
    high, wide = frame.height, frame.width
    chroma = values[high:].reshape(2, high // 2, wide // 2)
    for inks, share in seen:
        for plane, (where, weighed, opacity) in zip((values[:high], *chroma), inks, strict=True):
            part = plane[where]
            part[:] = part * (1 - opacity * np.float32(share)) + (weighed * np.float32(share) + np.float32(0.5))
    new_frame = av.VideoFrame.from_numpy_buffer(values, format="yuv420p")
    new_frame.colorspace, new_frame.color_range = frame.colorspace, frame.color_range
    new_frame.color_primaries, new_frame.color_trc = frame.color_primaries, frame.color_trc
    return new_frame


def _compute_share(layer: _Layer, time_s: float) -> float:
    """How far a layer is seen at a time."""
    if not layer.start_s <= time_s < layer.end_s:
        return 0.0
    if not layer.fade_s:
        return 1.0
    return max(0.0, min(1.0, (time_s - layer.start_s) / layer.fade_s, (layer.end_s - time_s) / layer.fade_s))
