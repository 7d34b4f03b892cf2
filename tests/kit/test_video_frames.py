"""Single frames of videos, and files that only pretend to be one."""

import io
from pathlib import Path

import pytest
from PIL import Image
from support.videos import write_video

from yardkit.kit.video_frames import video_frames
from yardkit.world import Problem


def draw_shades(count: int) -> list[Image.Image]:
    """Grey frames, each ten steps lighter than the one before."""
    return [Image.new("L", (160, 120), 10 * number) for number in range(count)]


def read_shade(jpeg: bytes) -> int:
    with Image.open(io.BytesIO(jpeg)) as picture:
        return round(picture.convert("L").resize((1, 1)).getpixel((0, 0)) / 10)


@pytest.mark.parametrize("suffix", [".mp4", ".avi", ".mkv"])
def test_the_frame_at_each_interval_is_the_one_that_is_shown_then(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"shades{suffix}"
    write_video(path, draw_shades(25))
    video = video_frames(path, 0.5)
    assert (video.rate_hz, video.width_px, video.height_px, video.more) == (10, 160, 120, False)
    assert video.duration_s == pytest.approx(2.5, abs=0.11)
    assert [(frame.number, frame.time_s, read_shade(frame.jpeg)) for frame in video.frames] == [
        (0, 0, 0), (5, 0.5, 5), (10, 1, 10), (15, 1.5, 15), (20, 2, 20)
    ]  # fmt: skip


def test_a_part_of_a_video_and_no_more_than_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "shades.mp4"
    write_video(path, draw_shades(25))
    part = video_frames(path, 0, start_s=1.2, end_s=1.4)
    assert [frame.number for frame in part.frames] == [12, 13, 14]
    cut = video_frames(path, 0, limit=4)
    assert [frame.number for frame in cut.frames] == [0, 1, 2, 3]
    assert cut.more


def test_wide_intervals_are_sought(tmp_path: Path) -> None:
    path = tmp_path / "long.mp4"
    write_video(path, draw_shades(25), rate_hz=1)
    assert [(frame.time_s, read_shade(frame.jpeg)) for frame in video_frames(path, 6).frames] == [
        (0, 0), (6, 6), (12, 12), (18, 18), (24, 24)
    ]  # fmt: skip


HLS = "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile://{target}\n#EXT-X-ENDLIST\n"
CONCAT = "ffconcat version 1.0\nfile {name}\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="9" height="9"/></svg>'


@pytest.mark.parametrize("text", [HLS, CONCAT, SVG, "no video", ""])
def test_a_playlist_or_drawing_that_is_named_like_a_video_is_refused(tmp_path: Path, text: str) -> None:
    real = tmp_path / "real.mp4"
    write_video(real, draw_shades(5))
    path = tmp_path / "clip.mp4"
    path.write_text(text.replace("{target}", str(real)).replace("{name}", real.name))
    with pytest.raises(Problem, match=r"'clip.mp4' cannot be read as a video") as refused:
        video_frames(path, 1)
    assert str(tmp_path) not in str(refused.value)


def test_a_cut_off_video_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "half.mp4"
    write_video(path, draw_shades(25))
    path.write_bytes(path.read_bytes()[:900])
    with pytest.raises(Problem, match="cannot be read as a video"):
        video_frames(path, 1)
