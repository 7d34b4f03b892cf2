"""Examples of video: three scenes of two seconds each, panned over photographs, with a reader's voice."""

import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from support.pictures import PICTURES
from support.sounds import LEISURE

from tools.example import Example, Gallery
from yardkit.kit.sound_streams import Form, read_blocks
from yardkit.servers.video.engine.streams import Shape, Sound, write_video

FPS, SIZE = 25, (480, 270)
SCENES = ("coffee.jpg", "cat.jpg", "astronaut.jpg")
FILM = "film.mp4"
SUBTITLES = """1
00:00:00,300 --> 00:00:02,200
And Mr. John Dashwood had then leisure

2
00:00:02,400 --> 00:00:05,500
to consider how much there might be
<i>prudently</i> in his power to do for them.
"""


def prepare_files(files: Path) -> None:
    for name in SCENES:
        shutil.copy(PICTURES / name, files)
    shutil.copy(LEISURE, files)
    (files / "lines.srt").write_text(SUBTITLES, encoding="utf-8")
    form = Form(48_000, 1)
    write_video(draw_film(), Shape(*SIZE, Fraction(FPS)), Sound(read_blocks(LEISURE, form, 0, 6), form), files / FILM)
    write_video(draw_film(), Shape(*SIZE, Fraction(FPS)), None, files / "silent.mp4")
    badge = Image.new("RGBA", (120, 60), "#0a7d7ac0")
    badge.save(files / "badge.png")


def draw_film() -> Any:
    """Two seconds of each photograph, seen through a window that moves down or to the right."""
    width, height = SIZE
    for name in SCENES:
        with Image.open(PICTURES / name) as picture:
            scale = max(1.2 * width / picture.width, 1.2 * height / picture.height)
            large = picture.convert("RGB").resize((round(picture.width * scale), round(picture.height * scale)))
        for number in range(2 * FPS):
            left, top = (round((side - seen) * number / (2 * FPS)) for side, seen in zip(large.size, SIZE, strict=True))
            yield np.asarray(large.crop((left, top, left + width, top + height)))


def make_example(tool: str, target: str, path: str = FILM, **asked: Any) -> Example:
    return Example(tool, {"path": path, "target": target, **asked}, (target,))


GALLERY = Gallery(
    prepare_files,
    (
        Example("get_video_info", {"path": FILM}),
        Example("view_video", {"path": FILM}),
        Example("save_video_sheet", {"path": FILM, "count": 4, "start_s": 1.8, "end_s": 2.3, "target": "sheet.png"}),
        Example("extract_video_frames", {"path": FILM, "folder": "frames", "at_s": [0.5, 4.5]}, ("frames",)),
        Example("find_video_cuts", {"path": FILM}),
        make_example("clip_video", "clip.mp4", start_s=1.5, end_s=4.5),
        make_example("clip_video", "copied.mp4", start_s=1.5, exact=False),
        Example(
            "join_videos",
            {"paths": ["clip.mp4", "silent.mp4"], "target": "joined.mp4", "crossfade_s": 0.5},
            ("joined.mp4",),
        ),
        make_example("transform_video", "turned.mp4", bbox_px=[100, 20, 380, 250], angle=90, speed=2, fade_in_s=0.5),
        make_example("transform_video", "tall.mp4", width_px=270, height_px=480),
        make_example("add_video_text", "text.mp4", text="Harbour Bakery\n你好 Grüße", start_s=1, end_s=5, fade_s=0.5),
        make_example(
            "add_video_text",
            "banner.mp4",
            text="Live",
            place="top_left",
            background="#c92a2ae0",
            size_px=28,
            outline="",
        ),
        Example(
            "overlay_on_video",
            {"path": FILM, "other": "badge.png", "target": "badge.mp4", "opacity": 0.8},
            ("badge.mp4",),
        ),
        Example(
            "add_video_subtitles", {"path": FILM, "source": "lines.srt", "target": "subtitled.mp4"}, ("subtitled.mp4",)
        ),
        make_example("add_video_subtitles", "track.mp4", source="lines.srt", burn=False),
        Example("extract_video_subtitles", {"path": "track.mp4", "target": "lines.vtt"}),
        Example("compare_videos", {"path": FILM, "other": "subtitled.mp4"}),
        Example(
            "replace_video_sound",
            {"path": "silent.mp4", "source": LEISURE.name, "target": "dubbed.mp4"},
            ("dubbed.mp4",),
        ),
        make_example("make_gif", "film.gif", start_s=1, end_s=3, width_px=240),
        Example(
            "make_slideshow",
            {
                "paths": list(SCENES),
                "target": "slides.mp4",
                "seconds_each": [2],
                "source": LEISURE.name,
                "width_px": 480,
                "height_px": 270,
            },
            ("slides.mp4",),
        ),
    ),
)
