"""Videos from words in the dialect of GTA: one call that waits for the model."""

import time

from yardkit.compat.gta import name_by_content
from yardkit.kit.dialect import Delivered, OutputDir, choose_deliverable
from yardkit.servers.text_to_video import engine
from yardkit.world import Problem

_WAIT_S, _LOOK_EACH_S = 240.0, 1.0
"""How long a call waits, which ends before its deadline."""


def TextToVideoTool(
    description: str,
    output_dir: OutputDir = None,
    num_frames: int = 8,
    resolution: str = "128,128",
    fps: int = 8,
    filename: str | None = None,
) -> Delivered:
    target = choose_deliverable(filename or name_by_content("video", description), ".mp4", output_dir)
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
