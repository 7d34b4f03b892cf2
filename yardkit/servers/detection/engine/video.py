"""Objects in the frames of a video."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from yardkit.kit.video_frames import Frame, VideoFrames, video_frames
from yardkit.models.embedded.running import run_in_process
from yardkit.models.objects import BackendChoice, Detector, chosen_detector
from yardkit.servers.detection.engine.objects import DetectedObject
from yardkit.world.wording import format_count

PRELOAD = ("PIL.Image", "PIL.JpegImagePlugin", "av")


@dataclass(frozen=True)
class FrameObjects:
    """What a frame shows.

    Attributes:
        number: of the frame, from 0.
        time_s: from the beginning of the video.
        objects: best first; boxes in pixels of the frame.
    """

    number: int
    time_s: float
    objects: tuple[DetectedObject, ...]

    def __str__(self) -> str:
        return f"{self.time_s:g} s (frame {self.number}): {', '.join(map(str, self.objects)) or 'nothing found'}"


@dataclass(frozen=True)
class SeenLabel:
    """A class over the frames that were looked at.

    Attributes:
        frames: in how many it was found.
        most: at once.
        first_s, last_s: when it was found.
    """

    label: str
    frames: int
    most: int
    first_s: float
    last_s: float

    def __str__(self) -> str:
        times = f"{self.first_s:g} to {self.last_s:g} s"
        return f"{self.label}: in {format_count(self.frames, 'frame')}, at most {self.most}, {times}"


@dataclass(frozen=True)
class VideoObjects:
    """What was found in a video.

    Attributes:
        labels: the classes, the most frequent first.
        frames: that were looked at.
        rate_hz: frames of the video in a second.
        duration_s: of the video; null where it does not say.
        width_px, height_px: of its frames.
        next_start_s: where it goes on, when not all that was asked for was looked at; else null.
        note: what to know of the answer.
        model: with the tier and the quality.
    """

    labels: tuple[SeenLabel, ...]
    frames: tuple[FrameObjects, ...]
    rate_hz: float
    duration_s: float | None
    width_px: int
    height_px: int
    next_start_s: float | None
    note: str
    model: str

    def __str__(self) -> str:
        length = f" of {self.duration_s:g} s" if self.duration_s else ""
        size = f"{self.width_px} x {self.height_px} px, {self.rate_hz:g} frames a second"
        head = f"{format_count(len(self.frames), 'frame')} looked at in a video{length}, {size}, by {self.model}"
        rest = [f"go on with start_s={self.next_start_s:g}"] if self.next_start_s is not None else []
        return "\n".join([head, *map(str, self.labels), *map(str, self.frames), *filter(None, [self.note]), *rest])


def detect_in_video(
    path: Path,
    labels: Sequence[str] = (),
    *,
    every_s: float = 1.0,
    start_s: float = 0.0,
    end_s: float | None = None,
    min_score: float = 0.35,
    limit: int = 60,
    backend: BackendChoice = "auto",
) -> VideoObjects:
    """Find objects in a frame at each interval of a video.

    Args:
        path: of the video.
        labels: that are wanted; none for all.
        every_s: the interval; 0 for every frame.
        start_s: of the first frame.
        end_s: up to which; to the end without.
        min_score: from which an object is given, in [0, 1].
        limit: of frames that are looked at.
        backend: which kind of model.

    Raises:
        Problem: the video cannot be read, or the model does not know a label.
        ModelUnavailable: no model is set up.
    """
    detector = chosen_detector(backend)
    known_labels = detector.check_labels(labels)
    video = run_in_process(read_frames, path, every_s, start_s, end_s, limit)
    frames = tuple(_looked_at(detector, known_labels.names, frame, min_score, video) for frame in video.frames)
    follows = round(frames[-1].time_s + (every_s or 1 / video.rate_hz), 3) if video.more and frames else None
    return VideoObjects(
        _list_labels(frames),
        frames,
        video.rate_hz,
        video.duration_s,
        video.width_px,
        video.height_px,
        follows,
        " ".join(filter(None, [known_labels.note, detector.note])),
        str(detector.origin),
    )


def read_frames(path: Path, every_s: float, start_s: float, end_s: float | None, limit: int) -> VideoFrames:
    """As `video_frames`, by places, for a process of its own."""
    return video_frames(path, every_s, start_s=start_s, end_s=end_s, limit=limit)


def _looked_at(
    detector: Detector, labels: Sequence[str], frame: Frame, min_score: float, video: VideoFrames
) -> FrameObjects:
    detections, (width, _) = detector.detect(frame.jpeg, labels, min_score)
    scale = video.width_px / width
    objects = [
        DetectedObject(number, detection.label, detection.score, _scale_box(detection.box, scale))
        for number, detection in enumerate(detections, start=1)
    ]
    return FrameObjects(frame.number, frame.time_s, tuple(objects))


def _scale_box(box: tuple[float, float, float, float], scale: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = (round(edge * scale, 1) for edge in box)
    return left, top, right, bottom


def _list_labels(frames: Sequence[FrameObjects]) -> tuple[SeenLabel, ...]:
    """The classes of all frames."""
    seen: dict[str, list[tuple[float, int]]] = {}
    for frame in frames:
        labels = [detected.label for detected in frame.objects]
        for label in dict.fromkeys(labels):
            seen.setdefault(label, []).append((frame.time_s, labels.count(label)))
    seen_labels = [
        SeenLabel(label, len(times), max(count for _, count in times), times[0][0], times[-1][0])
        for label, times in seen.items()
    ]
    return tuple(sorted(seen_labels, key=lambda seen_label: -seen_label.frames))
