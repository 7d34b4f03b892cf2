"""The tools of the `text_to_video` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.long_work import BegunWork, WorkState
from yardkit.servers.text_to_video import engine
from yardkit.world import InFile, OutFile

mcp = make_server(
    "text_to_video",
    "Generates videos from text, with a configured model (a service, or weights that the worker "
    "loads). A video takes minutes: start_video starts a job, check_video reports progress, "
    "save_video saves the finished video, cancel_video stops the job.",
)

Job = Annotated[str, Field(description="Job id from start_video.", min_length=1, max_length=220)]


@tool(mcp, idempotent=False, writes=True)
def start_video(
    prompt: Annotated[str, Field(description="Description of the video.", min_length=1, max_length=4000)],
    duration_s: Annotated[float, Field(description="Duration in seconds; a model may round it.", ge=0.5, le=60)] = 4,
    width_px: Annotated[int, Field(description="Width in pixels; a model may round it.", ge=64, le=4096)] = 832,
    height_px: Annotated[int, Field(description="Height in pixels; a model may round it.", ge=64, le=4096)] = 480,
    fps: Annotated[
        float | None, Field(description="Frames per second; by default the model's own.", ge=1, le=60)
    ] = None,
    negative_prompt: Annotated[str, Field(description="What to avoid in the video.", max_length=2000)] = "",
    first_frame: Annotated[InFile | None, Field(description="Picture for the first frame.")] = None,
    seed: Annotated[int, Field(description="Random seed; another number gives another video.", ge=0, le=2**31 - 1)] = 0,
    backend: Annotated[
        Literal["auto", "endpoint", "local"], Field(description="Kind of model; auto uses the best one configured.")
    ] = "auto",
) -> BegunWork:
    """Start generating a video from text in the background; returns a job for check_video."""
    return engine.start_video(
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
    """Report the progress of a video job."""
    return engine.VIDEO.check(job)


@tool(mcp, writes=True, destructive=True)
def save_video(
    job: Job, target: Annotated[OutFile, Field(description="Video file to write: .mp4 or .webm.")]
) -> WorkState:
    """Save the video of a job if it is finished, else report its progress."""
    return engine.VIDEO.save(job, target)


@tool(mcp, writes=True, destructive=True)
def cancel_video(job: Job) -> WorkState:
    """Cancel a video job."""
    return engine.VIDEO.cancel(job)
