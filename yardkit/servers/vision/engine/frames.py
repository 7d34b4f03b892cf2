"""What a vision model says of the frames of a video."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from yardkit.kit.video_frames import VideoFrames, video_frames
from yardkit.models.embedded.running import run_in_process
from yardkit.servers.vision.engine.answers import describe_picture, vision_model

PRELOAD = ("PIL.Image", "PIL.JpegImagePlugin", "av")
_FRAMES = 24


@dataclass(frozen=True)
class DescribedFrame:
    """A frame by its number, from 0, and what the model says of it."""

    number: int
    text: str


@dataclass(frozen=True)
class DescribedFrames:
    """Frames of a video; `next_start_s` is where it goes on, when it has further ones."""

    frames: tuple[DescribedFrame, ...]
    next_start_s: float | None


def describe_frames(path: Path, every: int, start_s: float = 0.0) -> DescribedFrames:
    """Describe each so many-th frame of a video from a time on, at most 24 of them.

    Raises:
        ModelUnavailable: no vision model is set up.
        Problem: the video cannot be read, or the model gave no answer.
    """
    vision_model("auto", "nothing else describes frames")
    every_s = 0.0
    if every > 1:
        every_s = every / run_in_process(frames_of, path, 0.0, 0.0, 1).rate_hz
    video = run_in_process(frames_of, path, every_s, start_s, _FRAMES)
    descriptions = []
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "frame.jpg"
        for frame in video.frames:
            picture.write_bytes(frame.jpeg)
            descriptions.append(DescribedFrame(frame.number, describe_picture(picture, "short").text))
    follows = round(video.frames[-1].time_s + (every_s or 1 / video.rate_hz), 3) if video.more else None
    return DescribedFrames(tuple(descriptions), follows)


def frames_of(path: Path, every_s: float, start_s: float, limit: int) -> VideoFrames:
    """As `video_frames`, by places, for a process of its own."""
    return video_frames(path, every_s, start_s=start_s, limit=limit)
