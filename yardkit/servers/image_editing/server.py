"""The tools of the `image_editing` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.generation import MadePicture
from yardkit.servers.image_editing import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "image_editing",
    "Changes pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF) as words say, by a model that is set up (an OpenAI-compatible "
    "service, or weights that the worker loads). Look at what was made: a model may change more than it was told.",
)


@tool(mcp, writes=True, destructive=True)
def edit_image(
    path: Annotated[InFile, Field(description="Picture to change, relative to the workspace; it stays as it is.")],
    instruction: Annotated[str, Field(description="What is to change, in words.", min_length=1, max_length=4000)],
    target: Annotated[OutFile, Field(description="Picture to write: .png, .jpg or .webp.")],
    references: Annotated[
        list[InFile] | None,
        Field(description="Pictures that show what the words speak of: a style, a person, a thing.", max_length=4),
    ] = None,
    strength: Annotated[
        float | None,
        Field(description="How far it may go from the picture, up to 1; by default the model's own.", gt=0, le=1),
    ] = None,
    seed: Annotated[int, Field(description="Another number makes another picture.", ge=0, le=2**31 - 1)] = 0,
    backend: Annotated[
        Literal["auto", "endpoint", "local"], Field(description="Kind of model; auto takes the best that is set up.")
    ] = "auto",
) -> MadePicture:
    """Change a picture by an instruction (restyle, add, remove, replace), and save the result as another file."""
    return engine.edit(
        path, instruction, target, references=references or (), strength=strength, seed=seed, backend=backend
    )
