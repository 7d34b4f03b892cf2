"""Descriptions of pictures and of parts of them in the dialect of GTA: free text, by the model that is set up."""

import re
from typing import Annotated

from pydantic import Field

from toolyard.kit.dialect import Text
from toolyard.kit.surface import make_server, tool
from toolyard.models.chat import Region
from toolyard.servers.vision import engine
from toolyard.world import InFile, Problem

mcp = make_server("vision", "Describes pictures and parts of pictures, by the vision model that is set up.")

_BOX = re.compile(r"[\[(]?\s*" + r"\s*,\s*".join([r"(-?\d+(?:\.\d+)?)"] * 4) + r"\s*[\])]?")


@tool(mcp, name="ImageDescription")
def describe_image(image: Annotated[InFile, Field(description="Image file.")]) -> Text:
    """Describe an image in detail."""
    return Text(engine.describe(image).text)


@tool(mcp, name="RegionAttributeDescription")
def describe_region(
    image: Annotated[InFile, Field(description="Image file.")],
    bbox: Annotated[str, Field(description="The region as '(x1, y1, x2, y2)' in pixels.", max_length=100)],
    attribute: Annotated[str, Field(description="What of the region to describe.", min_length=1, max_length=500)],
) -> Text:
    """Describe an attribute of a region of an image."""
    return Text(engine.describe_region(image, _region(bbox), attribute).text)


def _region(bbox: str) -> Region:
    found = _BOX.fullmatch(bbox.strip())
    if found is None:
        raise Problem(f"bbox {bbox!r} is no region; give '(x1, y1, x2, y2)' in pixels")
    left, top, right, bottom = (round(float(number)) for number in found.groups())
    return left, top, right, bottom
