"""Several videos or pictures made into one video."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.kit.media_contents import OF_PICTURES, Part
from yardkit.kit.sound_streams import Blocks, Form, read_blocks
from yardkit.kit.sounds import Faults
from yardkit.servers.video.engine.changes import ChangedVideo, VideoResult, write_in_process
from yardkit.servers.video.engine.fitting import blend_pictures, fit_pictures, scale_shape
from yardkit.servers.video.engine.streams import (
    Pictures,
    Shape,
    Sound,
    has_sound,
    read_pictures,
    seconds_of,
    shape_of,
    write_video,
)
from yardkit.world import Problem

PRELOAD = ("numpy", "av", "PIL.Image")
"""What the process that works on videos keeps loaded."""
_FORM = Form(48_000, 2)


def join_videos(
    paths: Sequence[Path], target: Path, width_px: int | None, height_px: int | None, crossfade_s: float
) -> ChangedVideo:
    """Write videos of any formats one after the other, at the size and rate of the first unless told otherwise.

    Args:
        paths: of the videos.
        target: where the result goes.
        width_px: of the result.
        height_px: of the result.
        crossfade_s: in which the end of one goes over into the next, pictures and sound.

    Raises:
        Problem: a video is shorter than two crossfades.
    """
    return write_in_process(
        _join_draft, target, paths, tuple(paths), width_px, height_px, crossfade_s, dropped={"frames"}
    )


def make_slideshow(
    paths: Sequence[Path],
    target: Path,
    seconds_each: Sequence[float],
    crossfade_s: float,
    sound: Path | None,
    size: tuple[int, int],
    fps: int,
) -> ChangedVideo:
    """Write pictures one after the other as a video.

    Args:
        paths: of the pictures.
        target: where the result goes.
        seconds_each: how long each is seen, crossfades included.
        crossfade_s: in which one goes over into the next.
        sound: that is heard with it, up to its end.
        size: width and height in pixels; each picture is shown whole, on black.
        fps: pictures a second.

    Raises:
        Problem: a picture is seen for less than its crossfades.
    """
    if len(seconds_each) not in (1, len(paths)):
        raise Problem(f"{len(seconds_each)} times for {len(paths)} pictures; give one for all, or one for each")
    times = list(seconds_each) * (len(paths) if len(seconds_each) == 1 else 1)
    if crossfade_s and min(times) < 2 * crossfade_s:
        raise Problem(f"a picture is shown for {min(times):g} s, less than two crossfades of {crossfade_s:g} s")
    heard = [sound] if sound else []
    dropped: set[Part] = {*OF_PICTURES, "tags", "chapters", "covers"}
    return write_in_process(
        _make_slideshow, target, heard, tuple(paths), times, crossfade_s, sound, size, fps, dropped=dropped
    )


def _join_draft(
    draft: Path, paths: Sequence[Path], width_px: int | None, height_px: int | None, crossfade_s: float
) -> VideoResult:
    shapes = [shape_of(path) for path in paths]
    shape = scale_shape(shapes[0].steady(), width_px, height_px)
    over = round(crossfade_s * shape.fps)
    lengths = [seconds_of(path) for path in paths]
    if over and min(lengths) < 2 * crossfade_s:
        raise Problem(f"a video has only {min(lengths):.2f} s, less than two crossfades of {crossfade_s:g} s")
    counts: list[int] = []
    pictures = _join_pictures([fit_pictures(read_pictures(path, shape.fps), shape) for path in paths], over, counts)
    with_sound = any(map(has_sound, paths))
    faults = [Faults() for _ in paths]
    sound = Sound(_joined_sound(paths, shape, over, faults), _FORM) if with_sound else None
    seconds = write_video(pictures, shape, sound, draft)
    starts, at = [], 0
    for path, count in zip(paths, counts, strict=True):
        starts.append(f"{path.name} at {float(at / shape.fps):.2f} s")
        at += count - over
    notes = [f"They begin: {', '.join(starts)}."]
    if uneven := [path.name for path, own in zip(paths, shapes, strict=True) if own.times_s]:
        notes.append(f"The rate of {', '.join(uneven)} is variable; it was made {float(shape.fps):g} fps.")
    notes += [fault.lost for fault in faults if fault.lost]
    return VideoResult(seconds, shape, with_sound, " ".join(notes))


def _join_pictures(parts: Sequence[Pictures], over: int, counts: list[int]) -> Pictures:
    """Pictures one after the other, the last `over` of each mixed with the first of the next.

    `counts` is filled with how many each part has, as it ends.
    """
    pending_pictures: list[Any] = []
    for number, part in enumerate(parts):
        counts.append(0)
        mixed = 0 if number else over
        for picture in part:
            counts[-1] += 1
            if mixed < over and pending_pictures:
                mixed += 1
                yield blend_pictures(pending_pictures.pop(0), picture, mixed / (over + 1))
                continue
            pending_pictures.append(picture)
            if len(pending_pictures) > over:
                yield pending_pictures.pop(0)
    yield from pending_pictures


def _joined_sound(paths: Sequence[Path], shape: Shape, over: int, faults: Sequence[Faults]) -> Blocks:
    """The sound of videos, each as long as its pictures, so that all stays in step; silence where one has none."""
    import numpy as np

    fade = round(over * _FORM.rate_hz / shape.fps)
    rising = np.sin(np.linspace(0, np.pi / 2, fade, endpoint=False), dtype=np.float32)
    tail: Any = None
    for number, path in enumerate(paths):
        sound_samples = _read_full_sound(path, seconds_of(path), faults[number])
        if tail is not None and fade:
            head = min(fade, sound_samples.shape[1], tail.shape[1])
            sound_samples[:, :head] = sound_samples[:, :head] * rising[:head] + tail[:, :head] * rising[:head][::-1]
        keep = fade if number < len(paths) - 1 else 0
        yield sound_samples[:, : sound_samples.shape[1] - keep] if keep else sound_samples
        tail = sound_samples[:, sound_samples.shape[1] - keep :] if keep else None


def _read_full_sound(path: Path, seconds: float, faults: Faults) -> Any:
    """All sound of a video, exactly as long as its pictures."""
    import numpy as np

    sample_count = round(seconds * _FORM.rate_hz)
    parts = list(read_blocks(path, _FORM, faults=faults)) if has_sound(path) else []
    sound_samples = np.concatenate(parts, axis=1) if parts else np.zeros((_FORM.channels, 0), np.float32)
    missing = max(0, sample_count - sound_samples.shape[1])
    return np.pad(sound_samples, ((0, 0), (0, missing)))[:, :sample_count]


def _make_slideshow(
    draft: Path,
    paths: Sequence[Path],
    times: Sequence[float],
    crossfade_s: float,
    sound: Path | None,
    size: tuple[int, int],
    fps: int,
) -> VideoResult:
    shape = Shape(*size, Fraction(fps)).even
    over = round(crossfade_s * fps)
    stills = [_repeat_still(path, round(seconds * fps), shape) for path, seconds in zip(paths, times, strict=True)]
    heard = Sound(read_blocks(sound, _FORM), _FORM) if sound else None
    seconds = write_video(_join_pictures(stills, over, []), shape, heard, draft)
    return VideoResult(seconds, shape, sound is not None)


def _repeat_still(path: Path, count: int, shape: Shape) -> Pictures:
    import numpy as np

    from yardkit.world.pictures import flatten_picture, load_picture

    pixels = np.asarray(flatten_picture(load_picture(path).image))
    picture = next(fit_pictures(iter([pixels]), shape))
    for _ in range(max(1, count)):
        yield picture
