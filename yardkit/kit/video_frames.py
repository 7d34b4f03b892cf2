"""Single frames of a video, read by PyAV.

FFmpeg opens more than videos: a playlist named `.mp4` makes it read other files and addresses. So only listed formats
    are
opened, recognized by content. Call `video_frames` in a bounded process.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.world import Problem
from yardkit.world.limits import check_bytes

FORMATS = "mov,mp4,matroska,webm,avi,mpegts,mpeg,gif"
MAX_BYTES = 2_000_000_000
MAX_PIXELS = 50_000_000
_SEEK_FROM_S = 4.0
"""Between wanted frames from which what lies between is skipped to the next key frame and not decoded."""


@dataclass(frozen=True)
class Frame:
    """A frame.

    Attributes:
        number: its number from 0, by its time and the frame rate.
        time_s: its time from the beginning.
        jpeg: its picture, upright.
    """

    number: int
    time_s: float
    jpeg: bytes = field(repr=False)


@dataclass(frozen=True)
class VideoFrames:
    """Frames of a video.

    Attributes:
        frames: the frames in order.
        rate_hz: frames a second.
        duration_s: the duration of the video; None if unknown.
        width_px, height_px: the displayed size of the frames.
        more: whether further requested frames were left out.
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
    """Read a frame at each interval.

    Args:
        path: the video.
        every_s: the interval; 0 for every frame.
        start_s: the time of the first frame.
        end_s: the last time; None for the end of the video.
        limit: the maximum number of frames.
        side_px: the longest side of the pictures; larger frames are shrunk.

    Raises:
        Problem: it is not a video of `FORMATS`, is damaged, or its frames are too large.
    """
    with opened_video(path) as (container, stream):
        rate = float(stream.average_rate or stream.guessed_rate or 25)
        duration = float(container.duration / 1_000_000) if container.duration else None
        frames: list[Frame] = []
        more, size = False, (stream.codec_context.width, stream.codec_context.height)
        for time_s, picture in _list_frames(container, stream, every_s, start_s, 0.5 / rate):
            if end_s is not None and time_s > end_s + 1e-6:
                break
            if len(frames) == limit:
                more = True
                break
            image = picture.to_image()
            size = image.size
            frames.append(Frame(round(time_s * rate), round(time_s, 3), _encode_jpeg(image, side_px)))
    return VideoFrames(frames, round(rate, 3), duration, *size, more)


@contextmanager
def opened_video(path: Path) -> Iterator[tuple[Any, Any]]:
    """Open a video and return PyAV's container and its first video stream.

    Raises:
        Problem: it is not a video of `FORMATS`, or turns out to be damaged while it is read.
    """
    import av

    check_bytes(path, MAX_BYTES)
    options = {"format_whitelist": FORMATS, "protocol_whitelist": "file", "max_pixels": str(MAX_PIXELS)}
    try:
        with av.open(f"file:{path}", options=options, metadata_errors="replace") as container:
            if not container.streams.video:
                raise Problem(f"{path.name!r} holds no pictures; give a video (MP4, MOV, MKV, WebM, AVI, GIF)")
            stream = container.streams.video[0]
            _check_size(stream.codec_context, path.name)
            # A container may not state the size of its pictures, so the decoder must enforce the limit.
            stream.codec_context.options = {"max_pixels": str(MAX_PIXELS)}
            yield container, stream
    except (av.FFmpegError, ValueError, EOFError) as error:  # the message may contain folders of this machine
        raise Problem(
            f"{path.name!r} cannot be read as a video; give an undamaged MP4, MOV, MKV, WebM, AVI or GIF file"
        ) from error


def _check_size(codec: Any, name: str) -> None:
    if codec.width * codec.height > MAX_PIXELS:
        raise Problem(
            f"the frames of {name!r} have {codec.width:,} x {codec.height:,} px; at most {MAX_PIXELS:,} are read"
        )


def _list_frames(
    container: Any, stream: Any, every_s: float, start_s: float, half: float
) -> Iterator[tuple[float, Any]]:
    """Yield frames with their times, the first at or after each requested time."""
    next_time, number = start_s, 0
    _seek_frame(container, stream, start_s)
    decoded = container.decode(stream)
    while (frame := next(decoded, None)) is not None:
        time_s = frame.time or 0.0
        if time_s < next_time - half:
            continue
        yield time_s, frame
        number += 1
        next_time = start_s + number * every_s if every_s else time_s + half
        if every_s >= _SEEK_FROM_S and _seek_frame(container, stream, next_time):
            decoded = container.decode(stream)


def _seek_frame(container: Any, stream: Any, time_s: float) -> bool:
    """Seek to the last key frame before a time, if the file is seekable."""
    import av

    if time_s <= 0 or (container.duration and time_s > container.duration / 1_000_000):
        return False
    try:
        container.seek(int(time_s / stream.time_base) + (stream.start_time or 0), stream=stream)
    except (av.FFmpegError, OverflowError):
        return False
    return True


def _encode_jpeg(image: Any, side_px: int) -> bytes:
    import io

    image.thumbnail((side_px, side_px))
    data = io.BytesIO()
    image.save(data, "JPEG", quality=92)
    return data.getvalue()
