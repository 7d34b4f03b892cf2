"""Videos from words in the dialect of GTA: one call that waits for the model."""

import hashlib
import time
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Delivered, FileName, OutputDir, choose_deliverable
from yardkit.kit.surface import make_server, tool
from yardkit.servers.text_to_video import engine
from yardkit.world import Problem

mcp = make_server("text_to_video", "Makes videos from words, by the model that is set up.")

_WAIT_S, _LOOK_EACH_S = 240.0, 1.0
"""How long a call waits, which ends before its deadline."""


@tool(mcp, name="TextToVideoTool", writes=True, destructive=True)
def make_video(
    description: Annotated[str, Field(description="What the video shows, in words.", min_length=1, max_length=4000)],
    output_dir: OutputDir = None,
    num_frames: Annotated[int, Field(description="Frames; a model may round it.", ge=1, le=2000)] = 8,
    resolution: Annotated[
        str,
        Field(description="'width,height' in pixels, each at least 64.", pattern=r"^\s*\d{2,4}\s*[,x]\s*\d{2,4}\s*$"),
    ] = "128,128",
    fps: Annotated[int, Field(description="Frames a second.", ge=1, le=60)] = 8,
    filename: FileName | None = None,
) -> Delivered:
    """Make a video from words, and save it as an MP4."""
    digest = hashlib.sha256(description.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    target = choose_deliverable(filename or f"video_{digest}", ".mp4", output_dir)
    width, height = map(int, resolution.replace("x", ",").split(","))
    if min(width, height) < 64:
        raise Problem(f"resolution {resolution!r} is too small; give at least '64,64'")
    begun = engine.start_video(description, duration_s=num_frames / fps, width_px=width, height_px=height, fps=fps)
    ends = time.monotonic() + _WAIT_S
    while (state := engine.VIDEO.save(begun.job, target)).status in ("queued", "running"):
        if time.monotonic() > ends:
            engine.VIDEO.cancel(begun.job)
            raise Problem(f"the video was not done after {_WAIT_S:.0f} s and was given up; ask for fewer frames")
        time.sleep(_LOOK_EACH_S)
    if state.file is None:
        raise Problem(f"no video came of it: the model says {state.status} {state.error}".rstrip())
    return Delivered(state.file)
