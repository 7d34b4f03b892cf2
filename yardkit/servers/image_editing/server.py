"""The tools of the `image_editing` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.generation import GeneratedPicture
from yardkit.servers.image_editing import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "image_editing",
    "Edits pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF, HEIC) by instruction, with a configured model "
    "(an OpenAI-compatible service, or weights that the worker loads). Check the result: a model "
    "may change more than requested.",
)


@tool(mcp, writes=True, destructive=True, looks_at=["path", "references"])
def edit_image(
    path: Annotated[InFile, Field(description="Picture to edit, relative to the workspace; it is not changed.")],
    instruction: Annotated[str, Field(description="Instruction in words.", min_length=1, max_length=4000)],
    target: Annotated[OutFile, Field(description="Picture file to write: .png, .jpg or .webp.")],
    references: Annotated[
        list[InFile] | None,
        Field(description="Reference pictures for the instruction: a style, a person, an object.", max_length=4),
    ] = None,
    strength: Annotated[
        float | None,
        Field(description="How much the picture may change, up to 1; by default the model's own.", gt=0, le=1),
    ] = None,
    seed: Annotated[
        int, Field(description="Random seed; another number gives another picture.", ge=0, le=2**31 - 1)
    ] = 0,
    backend: Annotated[
        Literal["auto", "endpoint", "local"], Field(description="Kind of model; auto uses the best one configured.")
    ] = "auto",
) -> GeneratedPicture:
    """Edit a picture by an instruction (restyle, add, remove, replace), and save the result as a new file."""
    return engine.edit_picture(
        path, instruction, target, references=references or (), strength=strength, seed=seed, backend=backend
    )
