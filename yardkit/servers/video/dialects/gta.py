"""Videos cut and written on, in the dialect of GTA."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Delivered, FileName, OutputDir, choose_deliverable
from yardkit.kit.lettering import Lettering
from yardkit.kit.surface import make_server, tool
from yardkit.servers.video.engine import changes, overlays
from yardkit.servers.video.engine.overlays import Placing
from yardkit.world import InFile, Problem

mcp = make_server("video", "Cuts videos and writes on them.")

Video = Annotated[InFile, Field(description="Video file.")]
_LETTERS_PX = 22
"""Height of OpenCV's letters at scale 1."""


@tool(mcp, name="VideoClip", writes=True, destructive=True)
def clip_video(
    video: Video,
    start_time: Annotated[float, Field(description="Seconds.", ge=0)] = 0.0,
    end_time: Annotated[float, Field(description="Seconds.", gt=0)] = 10.0,
    filename: FileName | None = None,
    output_dir: OutputDir = None,
) -> Delivered:
    """Cut a part out of a video, with its sound, and save it as an MP4."""
    target = choose_deliverable(filename or f"{video.stem}_clip", ".mp4", output_dir)
    return Delivered(changes.clip_video(video, target, start_time, end_time, exact=True).video)


@tool(mcp, name="AddTextVideoTool", writes=True, destructive=True)
def add_text(
    video: Video,
    text: Annotated[str, Field(description="Text to write.", min_length=1, max_length=2000)] = "Hello, World!",
    position: Annotated[str, Field(description="'x,y' of its left bottom corner in pixels.", max_length=60)] = "50,50",
    font: Annotated[int, Field(description="OpenCV's number of a font; one font is used.", ge=0, le=31)] = 0,  # noqa: ARG001
    font_scale: Annotated[float, Field(description="1 is 22 pixels high.", gt=0, le=40)] = 1.0,
    color: Annotated[str, Field(description="'B,G,R', each 0 to 255.", max_length=40)] = "255,255,255",
    thickness: Annotated[int, Field(description="From 3 on the letters are bold.", ge=1, le=50)] = 2,
    filename: FileName | None = None,
    output_dir: OutputDir = None,
) -> Delivered:
    """Write text on a whole video, and save it as an MP4."""
    x, y = _parse_numbers(position, 2, "position")
    blue, green, red = (int(part) for part in _parse_numbers(color, 3, "color"))
    look = Lettering(
        bold=thickness > 2, size_px=max(8, round(_LETTERS_PX * font_scale)), color=f"#{red:02x}{green:02x}{blue:02x}"
    )
    target = choose_deliverable(filename or f"{video.stem}_text", ".mp4", output_dir)
    placing = Placing("bottom_left", (x, y))
    return Delivered(overlays.add_text_to_video(video, target, text, look, placing).video)


def _parse_numbers(text: str, count: int, name: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.strip("()[] ").split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or (name == "color" and not all(0 <= number <= 255 for number in numbers)):
        raise Problem(f"{name} {text!r} is wrong; give {count} numbers parted by commas")
    return numbers
