"""OCR in the dialect of GTA: a line `(x1, y1, x2, y2) text` per line of the image, a line per frame of a video."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Offset, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.ocr import engine
from yardkit.servers.ocr.engine import video_text
from yardkit.servers.ocr.engine.results import TextPiece
from yardkit.world import InFile

mcp = make_server("ocr", "Reads the text of images and videos, with boxes in pixels.")

_EVERYTHING = 1_000_000
_FRAMES = 200


@tool(mcp, name="OCR")
def read_text(image: Annotated[InFile, Field(description="Image file.")], offset: Offset = 0) -> TextPage:
    """Read all text of an image: a line '(x1, y1, x2, y2) text' for each of its lines, nothing if there is none."""
    pieces = engine.read_text(image, limit=_EVERYTHING).pieces
    return cut_page("\n".join(map(_format_line, pieces)), offset)


@tool(mcp, name="VideoOCR")
def read_video(
    video: Annotated[InFile, Field(description="Video file.")],
    frame_skip: Annotated[int, Field(description="Read each such frame; 1 for all.", ge=1, le=100_000)] = 1,
    offset: Offset = 0,
    start_s: Annotated[float, Field(description="Where to go on in a long video, in seconds.", ge=0, le=360_000)] = 0.0,
) -> TextPage:
    """Read the text in the frames of a video: 'Frame N: (x1, y1, x2, y2) text | ...'."""
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
