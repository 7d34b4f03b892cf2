"""Pictures from words in the dialect of GTA."""

import hashlib
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Delivered, choose_deliverable
from yardkit.kit.surface import make_server, tool
from yardkit.servers.text_to_image import engine

mcp = make_server("text_to_image", "Makes pictures from words, by the model that is set up.")


@tool(mcp, name="TextToImage", writes=True, destructive=True)
def make_image(
    keywords: Annotated[
        str, Field(description="What the picture shows, in words parted by commas.", min_length=1, max_length=4000)
    ],
) -> Delivered:
    """Make a picture from words, and save it as a PNG named after them."""
    name = f"image_{hashlib.sha256(keywords.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return Delivered(engine.generate_picture(keywords, choose_deliverable(name, ".png", None)).picture)
