"""Single frames of a film for those who look at it: models and readers of text. To be called in a bounded process."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.kit.films import (
    opened_film,
    read_look,
    read_timing,
    see_frames,
    timed_frames,
    to_picture,
)


@dataclass(frozen=True)
class Frame:
    """A frame.

    Attributes:
        number: from 0.
        time_s: when it is seen, from the first frame.
        jpeg: its picture, upright.
    """

    number: int
    time_s: float
    jpeg: bytes = field(repr=False)


@dataclass(frozen=True)
class VideoFrames:
    """Frames of a video.

    Attributes:
        frames: in their order.
        rate_hz: frames a second, on average.
        duration_s: of the video; None where it does not say it.
        width_px, height_px: of the frames as displayed.
        more: whether there are further ones that were wanted.
    """

    frames: list[Frame]
    rate_hz: float
    duration_s: float | None
    width_px: int
    height_px: int
    more: bool


def video_frames(
    path: Path,
    every_s: float,
    *,
    start_s: float = 0.0,
    end_s: float | None = None,
    limit: int = 100,
    side_px: int = 1280,
) -> VideoFrames:
    """The frame that is seen at each interval.

    Args:
        path: the video.
        every_s: the interval; 0 for every frame.
        start_s: the time of the first frame.
        end_s: the last time; None for the end of the video.
        limit: the maximum number of frames.
        side_px: the longest side of the pictures; larger frames are shrunk.

    Raises:
        Problem: it is no video, or damaged, or its frames are too large.
    """
    timing, look = read_timing(path), read_look(path)
    frames: list[Frame] = []
    more = False
    with opened_film(path) as (container, stream):
        for time_s, frame in _list_frames(container, stream, every_s, start_s, timing.end_s):
            if end_s is not None and time_s > end_s + 1e-6:
                break
            if len(frames) == limit:
                more = True
                break
            picture = _encode_jpeg(to_picture(frame, look), side_px)
            frames.append(Frame(timing.number_at(time_s), round(time_s, 3), picture))
    return VideoFrames(frames, round(float(timing.fps), 3), timing.end_s or None, look.width_px, look.height_px, more)


def _list_frames(
    container: Any, stream: Any, every_s: float, start_s: float, end_s: float
) -> Iterator[tuple[float, Any]]:
    """Frames with the times at which they are seen."""
    if every_s:
        moments = (start_s + number * every_s for number in itertools.count())
        yield from see_frames(container, stream, moments, end_s)
        return
    for time_s, _, frame in timed_frames(container, stream, start_s):
        if time_s >= start_s - 1e-3:
            yield time_s, frame


def _encode_jpeg(picture: Any, side_px: int) -> bytes:
    import io

    from PIL import Image

    image = Image.fromarray(picture)
    image.thumbnail((side_px, side_px))
    data = io.BytesIO()
    image.save(data, "JPEG", quality=92)
    return data.getvalue()
