"""The tools of the `text_to_video` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.long_work import BegunWork, WorkState
from yardkit.servers.text_to_video import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "text_to_video",
    "Makes videos from words, by a model that is set up (a service, or weights that the worker loads). A video takes "
    "minutes: start_video begins it, check_video says how far it is, save_video saves it, cancel_video ends it.",
)

Job = Annotated[str, Field(description="As start_video told it.", min_length=1, max_length=220)]


@tool(mcp, idempotent=False, writes=True)
def start_video(
    prompt: Annotated[str, Field(description="What the video shows, in words.", min_length=1, max_length=4000)],
    duration_s: Annotated[float, Field(description="Seconds; a model may round it.", ge=0.5, le=60)] = 4,
    width_px: Annotated[int, Field(description="Width; a model may round it.", ge=64, le=4096)] = 832,
    height_px: Annotated[int, Field(description="Height; a model may round it.", ge=64, le=4096)] = 480,
    fps: Annotated[float | None, Field(description="Frames a second; by default the model's own.", ge=1, le=60)] = None,
    negative_prompt: Annotated[str, Field(description="What it must not show.", max_length=2000)] = "",
    first_frame: Annotated[InFile | None, Field(description="Picture that it begins with.")] = None,
    seed: Annotated[int, Field(description="Another number makes another video.", ge=0, le=2**31 - 1)] = 0,
    backend: Annotated[
        Literal["auto", "endpoint", "local"], Field(description="Kind of model; auto takes the best that is set up.")
    ] = "auto",
) -> BegunWork:
    """Begin a video from words; it is made while you go on, and asked after by its job."""
    return engine.start(
        prompt,
        duration_s=duration_s,
        width_px=width_px,
        height_px=height_px,
        fps=fps,
        negative_prompt=negative_prompt,
        first_frame=first_frame,
        seed=seed,
        backend=backend,
    )


@tool(mcp)
def check_video(job: Job) -> WorkState:
    """Say how far a video is."""
    return engine.VIDEO.check(job)


@tool(mcp, writes=True, destructive=True)
def save_video(
    job: Job, target: Annotated[OutFile, Field(description="The video that is written: .mp4 or .webm.")]
) -> WorkState:
    """Save a video if it is done, else say how far it is."""
    return engine.VIDEO.save(job, target)


@tool(mcp, writes=True, destructive=True)
def cancel_video(job: Job) -> WorkState:
    """End the making of a video."""
    return engine.VIDEO.cancel(job)
