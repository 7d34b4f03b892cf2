"""The work of the text_to_video server, without MCP."""

from pathlib import Path

from yardkit.models.chat import picture_url
from yardkit.models.long_work import BegunWork, LongWork
from yardkit.models.service import ServiceChoice

VIDEO = LongWork(
    capability="video",
    needs="a model that makes videos from words",
    route="/videos",
    suffixes=(".mp4", ".webm"),
    check_tool="check_video",
    save_tool="save_video",
    may_lack=("seed", "fps", "negative_prompt"),
)


def start_video(
    prompt: str,
    *,
    duration_s: float = 4.0,
    width_px: int = 832,
    height_px: int = 480,
    fps: float | None = None,
    negative_prompt: str = "",
    first_frame: Path | None = None,
    seed: int = 0,
    backend: ServiceChoice = "auto",
) -> BegunWork:
    """Begin a video.

    Args:
        prompt: what it shows.
        duration_s: how long it is; a model may round it.
        width_px: wanted; a model may round it.
        height_px: likewise.
        fps: frames per second; by default the model's own.
        negative_prompt: what it must not show.
        first_frame: a picture that it begins with.
        seed: of the chance in it.
        backend: which tier.

    Raises:
        ModelUnavailable: no model is set up.
        Problem: the picture cannot be read, or the service refuses the words.
        Unavailable: no usable answer came.
    """
    wishes = {
        "prompt": prompt,
        "seconds": f"{duration_s:g}",
        "size": f"{width_px}x{height_px}",
        "seed": seed,
        "fps": fps,
        "negative_prompt": negative_prompt or None,
        "image": picture_url(first_frame) if first_frame else None,
    }
    return VIDEO.begin(wishes, backend)
