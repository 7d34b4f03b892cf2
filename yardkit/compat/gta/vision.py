"""Descriptions of pictures, parts of pictures and videos in the dialect of GTA, by the model that is set up."""

import re

from yardkit.kit.dialect import Offset, TextPage, cut_page
from yardkit.models.chat import Region
from yardkit.servers.vision import engine
from yardkit.world import InFile, Problem

_BOX = re.compile(r"[\[(]?\s*" + r"\s*,\s*".join([r"(-?\d+(?:\.\d+)?)"] * 4) + r"\s*[\])]?")


def ImageDescription(image: InFile) -> str:
    return engine.describe_picture(image).text


def RegionAttributeDescription(image: InFile, bbox: str, attribute: str) -> str:
    return engine.describe_region(image, _parse_region(bbox), attribute).text


def VideoDescription(video: InFile, frame_skip: int = 5, offset: Offset = 0, start_s: float = 0.0) -> TextPage:
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
