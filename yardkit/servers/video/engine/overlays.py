"""Text, pictures and subtitles laid on a video for a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from yardkit.kit.lettering import Anchor, Lettering, add_text, compute_corner, measure_text
from yardkit.kit.media_labels import read_film_labels
from yardkit.servers.video.engine.changes import ChangedVideo, VideoResult, sound_of, write_film, write_in_process
from yardkit.servers.video.engine.streams import Frames, Shape, read_frames, shape_of
from yardkit.servers.video.engine.subtitle_files import Subtitle, read_subtitles
from yardkit.servers.video.engine.subtitles import shift_subtitles
from yardkit.world import Problem
from yardkit.world.pictures import load_picture

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
class _Pixels:
    """What is laid on pictures: its colours and opacity where it stands, from an even place on."""

    left: int
    top: int
    colors: Any
    opacity: Any


@dataclass(frozen=True)
class _Layer:
    """Something that is laid on pictures, drawn when it is first seen, and when that is."""

    draw: Callable[[], _Pixels]
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
        subtitles: an SRT, VTT or ASS file.
        target: where the result goes.
        size_px: of the letters; by default a 22nd of the height, and at least 16.
        shift_s: by which they come later.

    Raises:
        Problem: the file holds no subtitles.
    """
    return write_in_process(_draw_subtitles, target, [path], path, subtitles, size_px, shift_s)


def _check_times(placing: Placing) -> None:
    if placing.end_s is not None and placing.end_s <= placing.start_s:
        raise Problem(f"end_s {placing.end_s:g} is not after start_s {placing.start_s:g}")


def _draw_text(draft: Path, path: Path, text: str, look: Lettering, placing: Placing) -> VideoResult:
    def layers(shape: Shape) -> list[_Layer]:
        pixels, note = _draw_text_pixels(text, look, placing, shape)
        notes.append(note)
        return [_make_layer(pixels, placing)]

    notes: list[str] = []
    written_video = _write_layers(draft, path, layers)
    return _add_note(written_video, notes[0])


def _draw_picture(
    draft: Path, path: Path, picture: Path, width_px: int | None, opacity: float, placing: Placing
) -> VideoResult:
    import numpy as np
    from PIL import Image

    def layers(shape: Shape) -> list[_Layer]:
        above = load_picture(picture, max_pixels=MAX_PICTURE_PIXELS).image.convert("RGBA")
        if width_px:
            above = above.resize(
                (width_px, max(1, round(above.height * width_px / above.width))), Image.Resampling.LANCZOS
            )
        margin = placing.margin_px
        room = (margin, margin, shape.width_px - margin, shape.height_px - margin)
        left, top = (round(edge) for edge in compute_corner(above.size, placing.place, room, placing.point))
        pixels = np.asarray(above, np.float32)
        cropped = _crop_pixels(pixels[:, :, :3], pixels[:, :, 3:] / 255 * opacity, left, top, shape)
        where.append([left, top, left + above.width, top + above.height])
        return [_make_layer(cropped, placing)]

    where: list[list[int]] = []
    written_video = _write_layers(draft, path, layers)
    return _add_note(written_video, f"It is placed in {where[0]}.")


def _draw_subtitles(draft: Path, path: Path, file: Path, size_px: int | None, shift_s: float) -> VideoResult:
    def layers(shape: Shape) -> list[_Layer]:
        size = size_px or max(16, shape.height_px // 22)
        look = Lettering(size_px=size, color="white", outline="black", align="center")
        layers, count = _list_subtitle_layers(visible, look, shape)
        crowded.append(count)
        return layers

    crowded: list[int] = []
    read = read_subtitles(file, shape_of(path).fps)
    visible = shift_subtitles(read.subtitles, shift_s)
    written_video = _write_layers(draft, path, layers)
    late = sum(1 for subtitle in visible if subtitle.start_s > written_video.seconds)
    notes = [f"{len(read.subtitles)} subtitles."]
    if early := len(read.subtitles) - len(visible):
        notes.append(f"{early} end before the video begins.")
    if late:
        notes.append(f"{late} begin after the end of the video.")
    if crowded[0]:
        notes.append(f"{crowded[0]} lie over others, since the picture has no more room at that time.")
    return _add_note(written_video, " ".join(filter(None, (*notes, read.note))))


def _list_subtitle_layers(subtitles: Sequence[Subtitle], look: Lettering, shape: Shape) -> tuple[list[_Layer], int]:
    """Layers of subtitles, those at one time one above the other; and how many found no room there."""
    layers: list[_Layer] = []
    crowded = 0
    taken: list[tuple[float, bool, int, int]] = []  # until when, whether at the top, from the edge on, up to
    margin = look.size_px
    for subtitle in sorted(subtitles, key=lambda subtitle: subtitle.start_s):
        taken = [slot for slot in taken if slot[0] > subtitle.start_s + 1e-6]
        height = measure_text(subtitle.text, look, shape.width_px - 2 * margin)[1]
        slots = sorted((begin, end) for _, on_top, begin, end in taken if on_top == subtitle.on_top)
        begin = margin
        for slot_begin, slot_end in slots:
            if slot_begin - begin >= height:
                break
            begin = max(begin, slot_end)
        if begin + height > shape.height_px and begin > margin:
            begin, crowded = margin, crowded + 1
        taken.append((subtitle.end_s, subtitle.on_top, begin, begin + height))
        place: Anchor = "top" if subtitle.on_top else "bottom"
        y = begin if subtitle.on_top else shape.height_px - begin
        point = None if begin == margin else (shape.width_px / 2, y)
        placing = Placing(place, point, subtitle.start_s, subtitle.end_s, margin_px=margin)
        layers.append(_Layer(_Drawing(subtitle.text, look, placing, shape), subtitle.start_s, subtitle.end_s))
    return layers, crowded


@dataclass(frozen=True)
class _Drawing:
    """Draws a text when it is asked to."""

    text: str
    look: Lettering
    placing: Placing
    shape: Shape

    def __call__(self) -> _Pixels:
        return _draw_text_pixels(self.text, self.look, self.placing, self.shape)[0]


def _add_note(written_video: VideoResult, note: str) -> VideoResult:
    return replace(written_video, note=" ".join(filter(None, (note, written_video.note))))


def _draw_text_pixels(text: str, look: Lettering, placing: Placing, shape: Shape) -> tuple[_Pixels, str]:
    import numpy as np
    from PIL import Image

    clear = Image.new("RGBA", (shape.width_px, shape.height_px), (0, 0, 0, 0))
    drawn, note = add_text(clear, text, look, placing.place, placing.point, None, placing.margin_px)
    box = drawn.getbbox() or (0, 0, 1, 1)
    pixels = np.asarray(drawn.crop(box), np.float32)
    return _crop_pixels(pixels[:, :, :3], pixels[:, :, 3:] / 255, box[0], box[1], shape), note


def _make_layer(pixels: _Pixels, placing: Placing) -> _Layer:
    end_s = float("inf") if placing.end_s is None else placing.end_s
    return _Layer(lambda: pixels, placing.start_s, end_s, placing.fade_s)


def _crop_pixels(colors: Any, opacity: Any, left: int, top: int, shape: Shape) -> _Pixels:
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
    return _Pixels(left - left % 2, top - top % 2, colors, opacity)


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
    """Frames with layers on them, each of which is in memory only while it is seen."""
    inks: dict[int, list[_Ink]] = {}
    for number, frame in enumerate(frames):
        time_s = shape.time_of(number)
        shares = {place: share for place, layer in enumerate(layers) if (share := _compute_share(layer, time_s))}
        inks = {place: inks[place] if place in inks else _make_inks(layers[place].draw(), frame) for place in shares}
        yield _apply_inks(frame, [(inks[place], share) for place, share in shares.items()]) if shares else frame


_Ink = tuple[tuple[slice, slice], Any, Any]
"""What is laid on one plane of a frame: where, its values times its opacity, and its opacity."""


def _make_inks(layer: _Pixels, frame: Any) -> list[_Ink]:
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
