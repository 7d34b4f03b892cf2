"""Pictures changed by words in the dialect of GTA."""

import hashlib
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Delivered, choose_deliverable
from yardkit.kit.surface import make_server, tool
from yardkit.servers.image_editing import engine
from yardkit.world import InFile

mcp = make_server("image_editing", "Changes pictures as words say, by the model that is set up.")


@tool(mcp, name="ImageStylization", writes=True, destructive=True)
def stylize_image(
    image: Annotated[InFile, Field(description="Picture to change.")],
    instruction: Annotated[str, Field(description="What is to change, in words.", min_length=1, max_length=4000)],
) -> Delivered:
    """Change a picture as words say, and save the result as a PNG named after both."""
    named = f"{image.name}\n{instruction}".encode("utf-8", "surrogatepass")
    target = choose_deliverable(f"stylized_{hashlib.sha256(named).hexdigest()[:8]}", ".png", None)
    return Delivered(engine.edit_picture(image, instruction, target).picture)
