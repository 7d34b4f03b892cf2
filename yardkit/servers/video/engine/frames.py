"""A video looked at: what it holds, single pictures, many on one sheet, where it cuts."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.results import Picture
from yardkit.kit.video_frames import opened_video
from yardkit.programs.bounded import run_bounded
from yardkit.servers.video.engine.changes import PROCESS_BYTES, PROCESS_S
from yardkit.servers.video.engine.streams import read_pictures, seconds_of, shape_of
from yardkit.servers.video.engine.subtitles import list_tracks
from yardkit.world import FileRef, Problem, save_bytes
from yardkit.world.fonts import font_file

PRELOAD = ("numpy", "av", "PIL.Image", "PIL.ImageDraw", "PIL.ImageFont")
"""What the process that works on videos keeps loaded."""
MAX_FRAMES = 200
MAX_CUTS = 500
_SHEET_PX = 1400
_CUT_FPS, _CUT_PX = 10, 64
_MAX_GIF_FRAMES = 600
_TECHNICAL = ("compatible_brands", "encoder", "major_brand", "minor_version")


@dataclass(frozen=True)
class VideoInfo:
    """What a video holds.

    Attributes:
        format: of the file, as FFmpeg calls it.
        codec: of the pictures.
        duration_s: of the pictures.
        width_px, height_px: as displayed.
        fps: pictures a second, on average.
        rotation: degrees anticlockwise by which the pictures are stored turned; the size and all tools follow it.
        key_frames: how many there are.
        sound: the codec, rate and layout of the sound track; empty without.
        subtitles: codec and language of each track of subtitles.
        size_bytes: of the file.
        tags: such as title.
    """

    format: str
    codec: str
    duration_s: float
    width_px: int
    height_px: int
    fps: float
    rotation: int
    key_frames: int
    sound: str
    subtitles: tuple[str, ...]
    size_bytes: int
    tags: dict[str, str]

    def __str__(self) -> str:
        head = (
            f"{self.format}, {self.codec}, {self.duration_s:.3f} s, {self.width_px} x {self.height_px} px, "
            f"{self.fps:g} fps, {self.key_frames} key frames, {self.size_bytes:,} bytes"
        )
        turned = [f"stored turned by {self.rotation} degrees"] if self.rotation else []
        sound = [f"sound: {self.sound}" if self.sound else "no sound"]
        tracks = [f"subtitles: {', '.join(self.subtitles)}"] if self.subtitles else []
        return "\n".join([head, *turned, *sound, *tracks, *(f"- {name}: {value}" for name, value in self.tags.items())])


@dataclass(frozen=True)
class SavedFrames:
    """Pictures of a video that were saved.

    Attributes:
        frames: files in the order of their times.
        times_s: of each.
    """

    frames: tuple[FileRef, ...]
    times_s: tuple[float, ...]

    def __str__(self) -> str:
        rows = zip(self.frames, self.times_s, strict=True)
        return "\n".join(f"{frame.path}: {time_s:.2f} s" for frame, time_s in rows)


@dataclass(frozen=True)
class VideoSheet:
    """Pictures of a video on one sheet, with their times.

    Attributes:
        contact_sheet: the pictures, row by row.
        times_s: of the pictures, row by row.
        picture: the sheet as a file, if it was wanted.
    """

    contact_sheet: Picture
    times_s: tuple[float, ...]
    picture: FileRef | None = None

    def __str__(self) -> str:
        saved = f", saved as {self.picture}" if self.picture else ""
        return (
            f"{len(self.times_s)} pictures, row by row, at {', '.join(f'{time:.2f}' for time in self.times_s)} s{saved}"
        )


@dataclass(frozen=True)
class VideoCuts:
    """Where the scenes of a video change at once.

    Attributes:
        cuts_s: times of the first picture of each new scene, to a tenth of a second.
        duration_s: of the video.
        next_start_s: where the search has to go on, if there are more; null otherwise.
    """

    cuts_s: tuple[float, ...]
    duration_s: float
    next_start_s: float | None = None

    def __str__(self) -> str:
        if not self.cuts_s:
            return f"no cut in {self.duration_s:.2f} s"
        more = f"; continue with start_s={self.next_start_s:g}" if self.next_start_s is not None else ""
        times = ", ".join(f"{cut:.1f}" for cut in self.cuts_s)
        return f"{len(self.cuts_s)} cuts in {self.duration_s:.2f} s, at {times} s{more}"


def read_info(path: Path) -> VideoInfo:
    """What a video holds.

    Raises:
        Problem: it is not valid.
    """
    return run_bounded(_read_info, path, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True)


def save_frames(
    path: Path, folder: Path, times_s: Sequence[float] | None, every_s: float | None, suffix: str
) -> SavedFrames:
    """Save pictures of a video.

    Args:
        path: of the video.
        folder: where they go, named after the video and their times.
        times_s: at which they are taken.
        every_s: or one each so many seconds.
        suffix: ``.png`` or ``.jpg``.

    Raises:
        Problem: neither or both of the times are given, there are too many, or one is behind the end.
    """
    if (times_s is None) == (every_s is None):
        raise Problem("give at_s or every_s")
    requested_times = sorted(times_s) if times_s is not None else _space_evenly(path, every_s or 1.0)
    if len(requested_times) > MAX_FRAMES:
        raise Problem(f"{len(requested_times)} frames are too many; the limit is {MAX_FRAMES} per call")
    taken = run_bounded(
        _capture_frames, path, requested_times, suffix, None, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True
    )
    saved = []
    for time_s, data in zip(requested_times, taken, strict=True):
        target = folder / f"{path.stem}-{time_s:08.2f}s{suffix}"
        save_bytes(target, data)
        saved.append(FileRef.from_path(target))
    return SavedFrames(tuple(saved), tuple(requested_times))


def make_sheet(path: Path, count: int, start_s: float, end_s: float | None, target: Path | None = None) -> VideoSheet:
    """Pictures of a video, evenly over a part of it, on one sheet.

    Raises:
        Problem: it cannot be read, the part is empty, or `target` is not the name of a PNG.
    """
    if target is not None and target.suffix.lower() != ".png":
        raise Problem(f"{target.name!r} must end with .png")
    data, size, times = run_bounded(
        _draw_sheet, path, count, start_s, end_s, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True
    )
    if target is not None:
        save_bytes(target, data)
    return VideoSheet(Picture(data, "image/png", *size), tuple(times), FileRef.from_path(target) if target else None)


def find_cuts(path: Path, sensitivity: float, start_s: float) -> VideoCuts:
    """Where scenes change at once.

    Args:
        path: of the video.
        sensitivity: in (0, 1); higher finds smaller changes, and more that are none.
        start_s: from where on.

    Raises:
        Problem: it cannot be read.
    """
    cuts, seconds = run_bounded(
        _find_cuts, path, sensitivity, start_s, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True
    )
    more = cuts[MAX_CUTS] if len(cuts) > MAX_CUTS else None
    return VideoCuts(tuple(cuts[:MAX_CUTS]), seconds, more)


def make_gif(path: Path, target: Path, start_s: float, end_s: float | None, width_px: int, fps: int) -> FileRef:
    """Write a part of a video as a GIF that moves for ever.

    Raises:
        Problem: it would have more than 600 pictures, or the name does not end with .gif.
    """
    if target.suffix.lower() != ".gif":
        raise Problem(f"{target.name!r} must end with .gif")
    data = run_bounded(
        _encode_gif, path, start_s, end_s, width_px, fps, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True
    )
    save_bytes(target, data)
    return FileRef.from_path(target)


def _read_info(path: Path) -> VideoInfo:
    shape = shape_of(path)
    with opened_video(path) as (container, stream):
        keys = sum(1 for packet in container.demux(stream) if packet.is_keyframe and packet.size)
        track = container.streams.audio[0] if container.streams.audio else None
        sound = f"{track.codec_context.name}, {track.rate} Hz, {track.layout.name}" if track else ""
        stream_tags = {name: value for name, value in sorted(container.metadata.items()) if name not in _TECHNICAL}
        tags = {name[:40]: " ".join(value.split())[:200] for name, value in list(stream_tags.items())[:40]}
        subtitles = tuple(list_tracks(container)[:40])
        name, codec = container.format.name.split(",")[0], stream.codec_context.name
    with opened_video(path) as (container, stream):
        rotation = int(next(container.decode(stream)).rotation) % 360
    return VideoInfo(
        name,
        codec,
        seconds_of(path),
        shape.width_px,
        shape.height_px,
        round(float(shape.fps), 3),
        rotation,
        keys,
        sound,
        subtitles,
        path.stat().st_size,
        tags,
    )


def _space_evenly(path: Path, every_s: float) -> list[float]:
    seconds = run_bounded(seconds_of, path, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True)
    count = max(1, int(seconds / every_s + 0.999))
    if count > MAX_FRAMES:
        raise Problem(f"{count} frames are too many; the limit is {MAX_FRAMES} per call: raise every_s")
    return [round(number * every_s, 3) for number in range(count)]


def _capture_frames(path: Path, times: Sequence[float], suffix: str, longest_px: int | None) -> list[bytes]:
    return [_encode_picture(picture, suffix, longest_px) for picture in _pictures_at(path, times)]


def _pictures_at(path: Path, times: Sequence[float]) -> list[Any]:
    """The picture that is seen at each of some rising times."""
    shape = shape_of(path)
    frame_pictures: list[Any] = []
    start = times[0]
    pictures = read_pictures(path, shape.fps, start)
    picture, number = None, -1
    for time_s in times:
        frame_number = round((time_s - start) * shape.fps)
        while number < frame_number:
            following = next(pictures, None)
            if following is None:
                break
            picture, number = following, number + 1
        if number < frame_number - 1:
            raise Problem(f"{path.name!r} ends before {time_s:g} s; give earlier times")
        frame_pictures.append(picture)
    return frame_pictures


def _encode_picture(picture: Any, suffix: str, longest_px: int | None) -> bytes:
    from PIL import Image

    image = Image.fromarray(picture)
    if longest_px:
        image.thumbnail((longest_px, longest_px))
    file = io.BytesIO()
    image.save(file, "PNG" if suffix == ".png" else "JPEG", **({} if suffix == ".png" else {"quality": 92}))
    return file.getvalue()


def _draw_sheet(
    path: Path, count: int, start_s: float, end_s: float | None
) -> tuple[bytes, tuple[int, int], list[float]]:
    import math

    from PIL import Image, ImageDraw, ImageFont

    end = min(seconds_of(path), end_s if end_s is not None else float("inf"))
    if end <= start_s:
        raise Problem(f"there are no frames between {start_s:g} and {end:.2f} s")
    times = [round(start_s + (end - start_s) * (number + 0.5) / count, 3) for number in range(count)]
    pictures = _pictures_at(path, times)
    aspect = pictures[0].shape[0] / pictures[0].shape[1]
    columns = min(count, math.ceil(math.sqrt(count * max(1.0, aspect))))
    wide = _SHEET_PX // columns
    high = max(1, round(wide * aspect))
    sheet = Image.new("RGB", (columns * wide, math.ceil(count / columns) * high), "black")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.truetype(str(font_file("DejaVu Sans", bold=True)), max(16, wide // 20))
    for number, (time_s, picture) in enumerate(zip(times, pictures, strict=True)):
        place = (number % columns * wide, number // columns * high)
        sheet.paste(Image.fromarray(picture).resize((wide, high), Image.Resampling.LANCZOS), place)
        words = f"{time_s:.2f} s"
        draw.text((place[0] + 4, place[1] + 3), words, "white", font, stroke_width=2, stroke_fill="black")
    file = io.BytesIO()
    sheet.save(file, "PNG", compress_level=4)
    return file.getvalue(), sheet.size, times


def _find_cuts(path: Path, sensitivity: float, start_s: float) -> tuple[list[float], float]:
    """Times at which colours and places change far more than around them."""
    from fractions import Fraction

    import numpy as np
    from PIL import Image

    steps = []
    before: Any = None
    count = 0
    for picture in read_pictures(path, Fraction(_CUT_FPS), start_s):
        small = np.asarray(Image.fromarray(picture).resize((_CUT_PX, _CUT_PX // 2), Image.Resampling.BOX), np.float32)
        steps.append(0.0 if before is None else float(np.abs(small - before).mean()) / 255)
        before, count = small, count + 1
    changes = np.array(steps)
    limit = 0.02 + 0.3 * (1 - sensitivity)
    around = [float(np.median(np.delete(changes[max(0, at - 4) : at + 5], min(at, 4)))) for at in range(1, count)]
    candidates = [at for at in range(1, count) if changes[at] > limit and changes[at] > 2.5 * around[at - 1]]
    cuts = [at for number, at in enumerate(candidates) if number == 0 or at - candidates[number - 1] > 2]
    return [round(start_s + at / _CUT_FPS, 2) for at in cuts], start_s + count / _CUT_FPS


def _encode_gif(path: Path, start_s: float, end_s: float | None, width_px: int, fps: int) -> bytes:
    from fractions import Fraction

    from PIL import Image

    gif_frames: list[Any] = []
    for picture in read_pictures(path, Fraction(fps), start_s, end_s):
        if len(gif_frames) == _MAX_GIF_FRAMES:
            raise Problem(
                f"a GIF of more than {_MAX_GIF_FRAMES} frames is too large; use a shorter section or a lower fps"
            )
        image = Image.fromarray(picture)
        high = max(1, round(image.height * width_px / image.width))
        small = image if width_px >= image.width else image.resize((width_px, high), Image.Resampling.LANCZOS)
        gif_frames.append(small.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.FLOYDSTEINBERG))
    file = io.BytesIO()
    gif_frames[0].save(
        file, "GIF", save_all=True, append_images=gif_frames[1:], duration=round(1000 / fps), loop=0, optimize=False
    )
    return file.getvalue()
