"""Videos cut and written on, in the dialect of GTA."""

from yardkit.kit.dialect import Delivered, OutputDir, choose_deliverable
from yardkit.kit.lettering import Lettering
from yardkit.servers.video.engine import changes, overlays
from yardkit.servers.video.engine.overlays import Placing
from yardkit.world import InFile, Problem

_LETTERS_PX = 22
"""Height of OpenCV's letters at scale 1."""


def VideoClip(
    video: InFile,
    start_time: float = 0.0,
    end_time: float = 10.0,
    filename: str | None = None,
    output_dir: OutputDir = None,
) -> Delivered:
    target = choose_deliverable(filename or f"{video.stem}_clip", ".mp4", output_dir)
    return Delivered(changes.clip_video(video, target, start_time, end_time, exact=True).video)


def AddTextVideoTool(
    video: InFile,
    text: str = "Hello, World!",
    position: str = "50,50",
    font: int = 0,
    font_scale: float = 1.0,
    color: str = "255,255,255",
    thickness: int = 2,
    filename: str | None = None,
    output_dir: OutputDir = None,
) -> Delivered:
    x, y = _parse_numbers(position, 2, "position")
    blue, green, red = (int(part) for part in _parse_numbers(color, 3, "color"))
    look = Lettering(
        bold=thickness > 2, size_px=max(8, round(_LETTERS_PX * font_scale)), color=f"#{red:02x}{green:02x}{blue:02x}"
    )
    target = choose_deliverable(filename or f"{video.stem}_text", ".mp4", output_dir)
    placing = Placing("bottom_left", (x, y))
    return Delivered(overlays.add_text_to_video(video, target, text, look, placing).video)


def _parse_numbers(text: str, count: int, name: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.strip("()[] ").split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or (name == "color" and not all(0 <= number <= 255 for number in numbers)):
        raise Problem(f"{name} {text!r} is wrong; give {count} numbers parted by commas")
    return numbers
