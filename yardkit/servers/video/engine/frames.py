"""A video looked at: what it holds, single pictures, many on one sheet, where it cuts."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from yardkit.kit.containers import find_origin
from yardkit.kit.film_colors import HDR
from yardkit.kit.films import opened_film, read_look, read_timing, see_frames, to_picture
from yardkit.kit.media_contents import content_of, describe_change
from yardkit.kit.media_labels import labels_in
from yardkit.kit.results import Picture
from yardkit.programs.bounded import run_bounded
from yardkit.servers.video.engine.changes import PROCESS_BYTES, PROCESS_S
from yardkit.servers.video.engine.streams import read_pictures, seconds_of
from yardkit.servers.video.engine.subtitles import list_tracks
from yardkit.world import FileRef, Problem, save_atomically, save_bytes
from yardkit.world.fonts import font_file
from yardkit.world.guard import add_notes
from yardkit.world.wording import format_count

PRELOAD = ("numpy", "av", "PIL.Image", "PIL.ImageDraw", "PIL.ImageFont")
"""What the process that works on videos keeps loaded."""
MAX_FRAMES = 200
MAX_CUTS = 500
_SHEET_PX = 1400
_CUT_FPS, _CUT_PX = 10, 64
_MAX_GIF_FRAMES = 600
_GIF_COLORS = 128
_TOLD_S = 0.05
"""From which on it is said that the sound begins at another time than the pictures."""


@dataclass(frozen=True)
class VideoInfo:
    """What a video holds.

    Attributes:
        format: of the file, as FFmpeg calls it.
        codec: of the pictures.
        duration_s: of the pictures.
        width_px, height_px: as displayed.
        fps: pictures a second, on average.
        variable_rate: whether they are seen for times of different length.
        frames: how many there are.
        hdr: the curve of high dynamic range, PQ or HLG; pictures are shown, and written, in standard colours. Empty
            for a standard video.
        wide_colors: whether its colours are those of BT.2020, which are converted likewise.
        pixel_aspect: width to height of a pixel as stored; the size and all tools follow it.
        interlaced: whether pictures are stored as two fields; tools join them.
        rotation: degrees anticlockwise by which the pictures are stored turned; the size and all tools follow it.
        key_frames: how many there are.
        mirrored: whether they are stored mirrored, too.
        sound: the codec, rate and layout of the sound track; empty without.
        sound_start_s: when it begins; negative where that is before the first picture.
        sound_tracks: how many there are; that which players choose is read.
        chapters: how many there are.
        other_parts: covers, attached files and tracks of data.
        subtitles: codec and language of each track of subtitles.
        size_bytes: of the file.
        tags: such as title.
        note: what to know of it, such as that it is cut off.
    """

    format: str
    codec: str
    duration_s: float
    width_px: int
    height_px: int
    fps: float
    variable_rate: bool
    frames: int
    hdr: str
    wide_colors: bool
    pixel_aspect: float
    interlaced: bool
    rotation: int
    mirrored: bool
    key_frames: int
    sound: str
    sound_start_s: float
    sound_tracks: int
    chapters: int
    other_parts: int
    subtitles: tuple[str, ...]
    size_bytes: int
    tags: dict[str, str]
    note: str = ""

    def __str__(self) -> str:
        rate = f"{self.fps:g} fps on average, variable" if self.variable_rate else f"{self.fps:g} fps"
        head = (
            f"{self.format}, {self.codec}, {self.duration_s:.3f} s, {self.width_px} x {self.height_px} px, "
            f"{rate}, {self.frames} frames, {self.key_frames} key frames, {self.size_bytes:,} bytes"
        )
        tags = (f"- {name}: {value}" for name, value in self.tags.items())
        note = [self.note] if self.note else []
        return "\n".join([head, *note, *self._describe_storage(), *self._describe_tracks(), *tags])

    def _describe_storage(self) -> list[str]:
        """What tools do to the stored pictures."""
        stored = [f"stored turned by {self.rotation} degrees"] if self.rotation else []
        stored += ["stored mirrored"] if self.mirrored else []
        stored += [f"stored with pixels {self.pixel_aspect:.4g} as wide as high"] if self.pixel_aspect != 1 else []
        stored += [f"HDR ({self.hdr}); shown and written in standard colours"] if self.hdr else []
        stored += ["wide colours (BT.2020); shown and written in standard ones"] if self.wide_colors else []
        return [*stored, *(["stored in fields (interlaced)"] if self.interlaced else [])]

    def _describe_tracks(self) -> list[str]:
        late = f", begins at {self.sound_start_s:.2f} s" if abs(self.sound_start_s) >= _TOLD_S else ""
        more = f", the first of {self.sound_tracks} tracks" if self.sound_tracks > 1 else ""
        tracks = [f"sound: {self.sound}{late}{more}" if self.sound else "no sound"]
        tracks += [f"subtitles: {', '.join(self.subtitles)}"] if self.subtitles else []
        tracks += [format_count(self.chapters, "chapter")] if self.chapters else []
        return [
            *tracks,
            *([f"{self.other_parts} covers, attached files or tracks of data"] if self.other_parts else []),
        ]


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
    """Write a part of a video as a GIF that moves for ever; what it has not kept is noted.

    Raises:
        Problem: it would have more than 600 pictures, or the name does not end with .gif.
    """
    if target.suffix.lower() != ".gif":
        raise Problem(f"{target.name!r} must end with .gif")
    with save_atomically(target) as draft:
        lost = run_bounded(
            _write_gif,
            draft,
            path,
            (start_s, end_s),
            width_px,
            fps,
            seconds=PROCESS_S,
            memory_bytes=PROCESS_BYTES,
            stays=True,
        )
    add_notes([lost, f"The GIF has {_GIF_COLORS} colours in each picture."])
    return FileRef.from_path(target)


def _read_info(path: Path) -> VideoInfo:
    look, timing = read_look(path), read_timing(path)
    with opened_film(path) as (container, stream):
        keys = sum(1 for packet in container.demux(stream) if packet.is_keyframe and packet.size)
        track = container.streams.best("audio")
        labels, content = labels_in(container, None), content_of(container)
        about_sound, start_s = "", 0.0
        if track is not None and track.codec_context is not None:
            about_sound = f"{track.codec_context.name}, {track.rate} Hz, {track.layout.name}"
            start_s = float((track.start_time or 0) * track.time_base) - find_origin(container)
        return VideoInfo(
            format=container.format.name.split(",")[0],
            codec=stream.codec_context.name,
            duration_s=timing.end_s,
            width_px=look.width_px,
            height_px=look.height_px,
            fps=round(float(timing.fps), 3),
            variable_rate=bool(timing.times_s),
            frames=timing.count,
            hdr=look.curve if look.curve in HDR else "",
            wide_colors=look.curve == "BT.2020",
            pixel_aspect=round(float(look.pixel_aspect), 4),
            interlaced=look.interlaced,
            rotation=look.rotation,
            mirrored=look.is_mirrored,
            key_frames=keys,
            sound=about_sound,
            sound_start_s=round(start_s, 3),
            sound_tracks=content.sounds,
            chapters=content.chapters,
            other_parts=content.covers + content.attachments,
            subtitles=tuple(list_tracks(container)[:40]),
            size_bytes=path.stat().st_size,
            tags={name: value[:200] for name, value in labels.tags.items()},
            note=timing.lost,
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
    timing, look = read_timing(path), read_look(path)
    late = next((time_s for time_s in times if time_s > timing.end_s + 1 / float(timing.fps)), None)
    if late is not None:
        raise Problem(f"{path.name!r} ends at {timing.end_s:.2f} s, before {late:g} s; give earlier times")
    pictures: list[Any] = []
    with opened_film(path) as (container, stream):
        before: Any = None
        for _, frame in see_frames(container, stream, times, timing.end_s):
            if frame is not before:
                before, picture = frame, to_picture(frame, look)
            pictures.append(picture)
    if not pictures:
        return [*_pictures_at(path, [max(0.0, timing.end_s - 1 / float(timing.fps))])] * len(times)
    return pictures + pictures[-1:] * (len(times) - len(pictures))


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


def _write_gif(draft: Path, path: Path, part: tuple[float, float | None], width_px: int, fps: int) -> str:
    """Write a GIF; what it has not kept."""
    from fractions import Fraction

    from PIL import Image

    gif_frames: list[Any] = []
    for picture in read_pictures(path, Fraction(fps), *part):
        if len(gif_frames) == _MAX_GIF_FRAMES:
            raise Problem(
                f"a GIF of more than {_MAX_GIF_FRAMES} frames is too large; use a shorter section or a lower fps"
            )
        image = Image.fromarray(picture)
        high = max(1, round(image.height * width_px / image.width))
        small = image if width_px >= image.width else image.resize((width_px, high), Image.Resampling.LANCZOS)
        gif_frames.append(
            small.quantize(_GIF_COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.FLOYDSTEINBERG)
        )
    # A GIF counts hundredths of a second; rounded one by one, they would make it faster or slower.
    starts_ms = [10 * round(number * 100 / fps) for number in range(len(gif_frames) + 1)]
    gif_frames[0].save(
        draft,
        "GIF",
        save_all=True,
        append_images=gif_frames[1:],
        duration=[end - start for start, end in pairwise(starts_ms)],
        loop=0,
        optimize=False,
    )
    return describe_change([path], draft)[1]
