"""OCR in the dialect of GTA: a line `(x1, y1, x2, y2) text` per line of the image, a line per frame of a video."""

from yardkit.kit.dialect import Offset, TextPage, cut_page
from yardkit.servers.ocr import engine
from yardkit.servers.ocr.engine import video_text
from yardkit.servers.ocr.engine.results import TextPiece
from yardkit.world import InFile

_EVERYTHING = 1_000_000
_FRAMES = 200


def OCR(image: InFile) -> str:
    pieces = engine.read_text(image, limit=_EVERYTHING).pieces
    return "\n".join(map(_format_line, pieces))


def VideoOCR(video: InFile, frame_skip: int = 1, offset: Offset = 0, start_s: float = 0.0) -> TextPage:
    every_s = 0.0
    if frame_skip > 1:
        every_s = frame_skip / video_text.frame_rate(video)
    read = video_text.read_frames(video, every_s=every_s, start_s=start_s, limit=_FRAMES)
    lines = [
        f"Frame {frame.number}: {' | '.join(map(_format_line, frame.pieces)) or '(no text)'}" for frame in read.frames
    ]
    if (follows := video_text.next_start(read.video, every_s)) is not None:
        lines.append(f"[{len(read.frames)} frames; go on with start_s={follows:g}]")
    return cut_page("\n".join(lines), offset)


def _format_line(piece: TextPiece) -> str:
    return f"({', '.join(map(str, piece.bbox_px))}) {piece.text}"
