"""Descriptions of pictures, parts of pictures and videos in the dialect of GTA, by the model that is set up."""

import re
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Offset, Text, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.models.chat import Region
from yardkit.servers.vision import engine
from yardkit.world import InFile, Problem

mcp = make_server("vision", "Describes pictures, parts of pictures and videos, by the vision model that is set up.")

_BOX = re.compile(r"[\[(]?\s*" + r"\s*,\s*".join([r"(-?\d+(?:\.\d+)?)"] * 4) + r"\s*[\])]?")


@tool(mcp, name="ImageDescription")
def describe_image(image: Annotated[InFile, Field(description="Image file.")]) -> Text:
    """Describe an image in detail."""
    return Text(engine.describe_picture(image).text)


@tool(mcp, name="RegionAttributeDescription")
def describe_region(
    image: Annotated[InFile, Field(description="Image file.")],
    bbox: Annotated[str, Field(description="The region as '(x1, y1, x2, y2)' in pixels.", max_length=100)],
    attribute: Annotated[str, Field(description="What of the region to describe.", min_length=1, max_length=500)],
) -> Text:
    """Describe an attribute of a region of an image."""
    return Text(engine.describe_region(image, _parse_region(bbox), attribute).text)


@tool(mcp, name="VideoDescription")
def describe_video(
    video: Annotated[InFile, Field(description="Video file.")],
    frame_skip: Annotated[int, Field(description="Describe each such frame; 1 for all.", ge=1, le=100_000)] = 5,
    offset: Offset = 0,
    start_s: Annotated[float, Field(description="Where to go on in a long video, in seconds.", ge=0, le=360_000)] = 0.0,
) -> TextPage:
    """Describe frames of a video: a line 'Frame N: ...' for each."""
    descriptions = engine.describe_frames(video, frame_skip, start_s)
    lines = [f"Frame {frame.number}: {' '.join(frame.text.split())}" for frame in descriptions.frames]
    if descriptions.next_start_s is not None:
        lines.append(f"[{len(descriptions.frames)} frames; go on with start_s={descriptions.next_start_s:g}]")
    return cut_page("\n".join(lines), offset)


def _parse_region(bbox: str) -> Region:
    match = _BOX.fullmatch(bbox.strip())
    if match is None:
        raise Problem(f"bbox {bbox!r} is not a valid region; use '(x1, y1, x2, y2)' in pixels")
    left, top, right, bottom = (round(float(number)) for number in match.groups())
    return left, top, right, bottom
