"""Detection in the dialect of GTA: a line `(x1, y1, x2, y2), score NN` per object, a line per frame of a video."""

from yardkit.kit.dialect import Offset, TextPage, cut_page
from yardkit.models.embedded.coco_detection import list_classes
from yardkit.servers.detection import engine
from yardkit.servers.detection.engine import DetectedObject
from yardkit.world import InFile

_SURE = 0.5
"""From which GTA lists all objects."""
_ARTICLES = ("the ", "a ", "an ")
_FRAMES = 200


def TextToBbox(image: InFile, text: str, top1: bool = True) -> str:
    objects = engine.detect_objects(image, [_strip_article(text)], limit=500).objects
    chosen = objects[:1] if top1 else [detected for detected in objects if detected.score > _SURE]
    return (
        "\n".join(f"{_format_box(detected)}, score {round(100 * detected.score)}" for detected in chosen)
        or "No object found."
    )


def VideoObjectDetection(video: InFile, frame_skip: int = 1, offset: Offset = 0, start_s: float = 0.0) -> TextPage:
    every_s = 0.0
    if frame_skip > 1:
        every_s = frame_skip / engine.detect_in_video(video, limit=1).rate_hz
    video_objects = engine.detect_in_video(video, every_s=every_s, start_s=start_s, limit=_FRAMES)
    lines = [
        f"Frame {frame.number}: {' | '.join(map(_format_seen, frame.objects)) or '(no detections)'}"
        for frame in video_objects.frames
    ]
    if video_objects.next_start_s is not None:
        lines.append(f"[{len(video_objects.frames)} frames; go on with start_s={video_objects.next_start_s:g}]")
    return cut_page("\n".join(lines), offset)


def _strip_article(text: str) -> str:
    word = text.strip().rstrip(".").lower()
    return next((word.removeprefix(article) for article in _ARTICLES if word.startswith(article)), word)


def _format_box(detected: DetectedObject) -> str:
    return f"({', '.join(str(round(edge)) for edge in detected.box)})"


def _format_seen(detected: DetectedObject) -> str:
    number = list_classes().index(detected.label) if detected.label in list_classes() else -1
    return f"{_format_box(detected)} conf: {detected.score:.2f}, class: {detected.label} ({number})"
