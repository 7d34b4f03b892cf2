"""Text in the frames of a video: what stood there from when to when."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.video_frames import VideoFrames, video_frames
from yardkit.models.embedded.running import run_in_process
from yardkit.servers.ocr.backends import BackendChoice
from yardkit.servers.ocr.engine import read_text
from yardkit.servers.ocr.engine.results import ImageText, TextPiece
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRELOAD = ("PIL.Image", "PIL.JpegImagePlugin", "av")
_SIDE_PX, _GOOD_PX = 1920, 1280
_SEEN_PX, _CHANGE = (160, 120), 14
"""A frame is read anew where, made so small, it differs in a pixel by more levels than that from the one read last."""
_LEAST_SIMILARITY = 0.85
"""From which similarity on two readings are of one text."""


@dataclass(frozen=True)
class FrameText:
    """The text of a frame.

    Attributes:
        number: of the frame, from 0.
        time_s: from the beginning of the video.
        pieces: its lines; boxes in pixels of the frame as it was read.
    """

    number: int
    time_s: float
    pieces: tuple[TextPiece, ...]

    @property
    def text(self) -> str:
        return "\n".join(piece.text for piece in self.pieces)


@dataclass(frozen=True)
class VisibleText:
    """A text that stood unchanged over some of the frames that were looked at.

    Attributes:
        first_s, last_s: times of the first and the last of these frames.
        frame: number of the one that was read best.
        text: its lines.
        pieces: the lines with boxes in pixels of that frame, and their confidence.
    """

    first_s: float
    last_s: float
    frame: int
    text: str
    pieces: tuple[TextPiece, ...]

    def __str__(self) -> str:
        return f"{self.first_s:g} to {self.last_s:g} s (frame {self.frame}): {self.text.replace(chr(10), ' / ')}"


@dataclass(frozen=True)
class VideoText:
    """Text of a video.

    Attributes:
        texts: in their order; frames without text are left out.
        frames: how many were looked at.
        rate_hz: frames of the video in a second.
        duration_s: of the video; null where it does not say.
        width_px, height_px: of its frames as they were read; boxes are in these pixels.
        next_start_s: where it goes on, when not all that was asked for was looked at; else null.
        backend: the recogniser with its model.
    """

    texts: tuple[VisibleText, ...]
    frames: int
    rate_hz: float
    duration_s: float | None
    width_px: int
    height_px: int
    next_start_s: float | None
    backend: str

    def __str__(self) -> str:
        length = f" of {self.duration_s:g} s" if self.duration_s else ""
        size = f"{self.width_px} x {self.height_px} px, {self.rate_hz:g} frames a second"
        read = f", by {self.backend}" if self.backend else ""
        head = f"{format_count(len(self.texts), 'text')} in {format_count(self.frames, 'frame')}{length} ({size}){read}"
        rest = [f"go on with start_s={self.next_start_s:g}"] if self.next_start_s is not None else []
        return "\n".join([head, *map(str, self.texts), *rest])


@dataclass(frozen=True)
class ReadFrames:
    """Frames of a video with their texts, and the recogniser, where one was asked."""

    frames: tuple[FrameText, ...]
    video: VideoFrames
    size: tuple[int, int]
    backend: str


def read_video_text(
    path: Path,
    *,
    every_s: float = 1.0,
    start_s: float = 0.0,
    end_s: float | None = None,
    languages: list[str] | None = None,
    min_confidence: float = 0.5,
    limit: int = 60,
    backend: BackendChoice = "auto",
) -> VideoText:
    """Read a frame at each interval of a video, and join what stays.

    Args:
        path: of the video.
        every_s: the interval; 0 for every frame.
        start_s: of the first frame.
        end_s: up to which; to the end without.
        languages: of the text.
        min_confidence: lines below it are left out.
        limit: of frames that are looked at.
        backend: which recogniser.

    Raises:
        Problem: the video cannot be read, or no recogniser reads a language.
    """
    read = read_frames(
        path,
        every_s=every_s,
        start_s=start_s,
        end_s=end_s,
        languages=languages,
        min_confidence=min_confidence,
        limit=limit,
        backend=backend,
    )
    video = read.video
    texts = tuple(_join_frames(group) for group in _group_similar(read.frames))
    return VideoText(
        texts,
        len(read.frames),
        video.rate_hz,
        video.duration_s,
        *read.size,
        next_start(video, every_s),
        read.backend,
    )


def next_start(video: VideoFrames, every_s: float) -> float | None:
    """Where a video goes on, if not all that was wanted was looked at."""
    return round(video.frames[-1].time_s + (every_s or 1 / video.rate_hz), 3) if video.more and video.frames else None


def read_frames(
    path: Path,
    *,
    every_s: float,
    start_s: float = 0.0,
    end_s: float | None = None,
    languages: list[str] | None = None,
    min_confidence: float = 0.5,
    limit: int = 60,
    backend: BackendChoice = "auto",
) -> ReadFrames:
    """The text of each frame; one that looks like the last is not read again. Raises what `read_video_text` raises."""
    video = run_in_process(frames_of, path, every_s, start_s, end_s, limit)
    frame_texts: list[FrameText] = []
    # Trying sizes, as with a picture, would double the time of a frame without text.
    zoom = min(2.0, max(1.0, _GOOD_PX / max(video.width_px, video.height_px, 1)))
    known: ImageText | None = None
    looks: NDArray[np.int16] | None = None
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "frame.jpg"
        for frame in video.frames:
            seen = _decode_frame(frame.jpeg)
            if known is None or looks is None or _is_different(looks, seen):
                picture.write_bytes(frame.jpeg)
                known, looks = read_text(picture, languages=languages, backend=backend, zoom=zoom), seen
            pieces = tuple(piece for piece in known.pieces if piece.confidence >= min_confidence)
            frame_texts.append(FrameText(frame.number, frame.time_s, pieces))
    if known is None:
        return ReadFrames((), video, (video.width_px, video.height_px), "")
    reading = known.reading
    return ReadFrames(
        tuple(frame_texts), video, (reading.width_px, reading.height_px), f"{reading.backend} {reading.model}"
    )


def frame_rate(path: Path) -> float:
    """Frames of a video in a second. Raises what `read_video_text` raises of a video."""
    return run_in_process(frames_of, path, 0.0, 0.0, None, 1).rate_hz


def frames_of(path: Path, every_s: float, start_s: float, end_s: float | None, limit: int) -> VideoFrames:
    """As `video_frames`, by places, for a process of its own."""
    return video_frames(path, every_s, start_s=start_s, end_s=end_s, limit=limit, side_px=_SIDE_PX)


def _decode_frame(jpeg: bytes) -> NDArray[np.int16]:
    import io

    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as image:
        return np.asarray(image.convert("L").resize(_SEEN_PX, Image.Resampling.BOX), dtype=np.int16)


def _is_different(first: NDArray[np.int16], other: NDArray[np.int16]) -> bool:
    return int(abs(first - other).max()) > _CHANGE


def _group_similar(frames: Sequence[FrameText]) -> Iterator[list[FrameText]]:
    """Runs of frames with the same text."""
    run: list[FrameText] = []
    for frame in frames:
        if run and not _is_same_text(run[-1].text, frame.text):
            yield run
            run = []
        if frame.pieces:
            run.append(frame)
    if run:
        yield run


def _is_same_text(first: str, other: str) -> bool:
    return first == other or SequenceMatcher(None, first, other, autojunk=False).ratio() >= _LEAST_SIMILARITY


def _join_frames(frames: Sequence[FrameText]) -> VisibleText:
    best = max(frames, key=lambda frame: sum(piece.confidence for piece in frame.pieces) / len(frame.pieces))
    return VisibleText(frames[0].time_s, frames[-1].time_s, best.number, best.text, best.pieces)
