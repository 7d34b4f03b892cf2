"""The tools of the `text_to_image` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.generation import GeneratedPicture
from yardkit.servers.text_to_image import engine
from yardkit.world import OutFile

mcp = make_server(
    "text_to_image",
    "Generates pictures from text, with a configured model (an OpenAI-compatible service, or "
    "weights that the worker loads). Check the result; the same seed and prompt give the same "
    "picture.",
)


@tool(mcp, writes=True, destructive=True)
def generate_image(
    prompt: Annotated[str, Field(description="Description of the picture.", min_length=1, max_length=4000)],
    target: Annotated[OutFile, Field(description="Picture file to write: .png, .jpg or .webp.")],
    width_px: Annotated[int, Field(description="Width in pixels; a model may round it.", ge=64, le=4096)] = 1024,
    height_px: Annotated[int, Field(description="Height in pixels; a model may round it.", ge=64, le=4096)] = 1024,
    seed: Annotated[
        int, Field(description="Random seed; another number gives another picture.", ge=0, le=2**31 - 1)
    ] = 0,
    negative_prompt: Annotated[str, Field(description="What to avoid in the picture.", max_length=2000)] = "",
    steps: Annotated[
        int | None, Field(description="Denoising steps; by default the model's own.", ge=1, le=200)
    ] = None,
    backend: Annotated[
        Literal["auto", "endpoint", "local"], Field(description="Kind of model; auto uses the best one configured.")
    ] = "auto",
) -> GeneratedPicture:
    """Generate a picture from text and save it."""
    return engine.generate_picture(
        prompt,
        target,
        width_px=width_px,
        height_px=height_px,
        seed=seed,
        negative_prompt=negative_prompt,
        steps=steps,
        backend=backend,
    )
