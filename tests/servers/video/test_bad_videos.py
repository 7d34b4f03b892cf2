"""Videos that are not what they seem: a clear error, or the right pictures."""

import os
import signal
import struct
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image
from support.answers import Call, make_caller, read_text

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.video.engine.streams import Shape, write_video

SIZE = (96, 64)


@pytest.fixture
def call() -> Call:
    return make_caller(load_server("video"))


def write_film(path: Path, count: int = 12, size: tuple[int, int] = SIZE) -> Path:
    """The left half is red, the right half is blue."""
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    picture[:, : size[0] // 2], picture[:, size[0] // 2 :] = (220, 20, 20), (20, 20, 220)
    write_video(iter([picture] * count), Shape(*size, Fraction(25)), None, path)
    return path


def write_bomb(path: Path) -> None:
    """A picture of 144 million pixels, in a container that does not say so before it is decoded."""
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream("mjpeg", rate=1)
        stream.width, stream.height, stream.pix_fmt = 12_000, 12_000, "yuvj420p"
        container.mux(stream.encode(av.VideoFrame(12_000, 12_000, "yuvj420p")))
        container.mux(stream.encode(None))


def turn_video(path: Path) -> None:
    """The display matrix of a phone that was held upright."""
    data = bytearray(path.read_bytes())
    at = data.find(b"tkhd") + 44
    data[at : at + 36] = struct.pack(">9i", 0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30)
    path.write_bytes(data)


def test_what_is_no_video_is_refused_and_nothing_is_written(call: Call, files: Path) -> None:
    write_film(files / "film.mp4")
    (files / "list.mp4").write_text("#EXTM3U\n#EXTINF:10,\nfilm.mp4\n#EXT-X-ENDLIST\n")
    (files / "concat.mp4").write_text("ffconcat version 1.0\nfile film.mp4\n")
    (files / "empty.mp4").write_bytes(b"")
    (files / "cut.mp4").write_bytes((files / "film.mp4").read_bytes()[:700])
    Image.new("RGB", (8, 8)).save(files / "lying.mp4", "JPEG")
    for name in ("list.mp4", "concat.mp4", "empty.mp4", "cut.mp4", "lying.mp4"):
        message = read_text(call("transform_video", path=name, target="made.mp4", angle=90))
        assert "cannot be read as a video" in message, name
    assert not (files / "made.mp4").exists()


@pytest.mark.drill
def test_a_video_bomb_is_refused_before_it_is_decoded(call: Call, files: Path) -> None:
    write_bomb(files / "bomb.avi")
    started = time.process_time()
    assert "cannot be read as a video" in read_text(call("view_video", path="bomb.avi", count=4))
    assert time.process_time() - started < 5


@pytest.mark.parametrize("name", ["-vf;drawtext=[x].mp4", 'it\'s "good" 🎬.mp4', "%03d.mp4"])
def test_a_name_is_only_a_name(call: Call, files: Path, name: str) -> None:
    write_film(files / name)
    before = (files / name).read_bytes()
    assert not call("clip_video", path=name, target=f"made {name}", end_s=0.2).is_error
    assert (files / name).read_bytes() == before


def test_a_phone_held_upright_is_seen_upright(call: Call, files: Path) -> None:
    write_film(files / "phone.mp4")
    turn_video(files / "phone.mp4")
    assert (files / "phone.mp4").read_bytes().find(struct.pack(">i", -65536)) > 0
    call("transform_video", path="phone.mp4", target="made.mp4", speed=2)
    call("extract_video_frames", path="made.mp4", folder="seen", at_s=[0.0])
    with Image.open(next((files / "seen").iterdir())) as picture:
        assert picture.size == (SIZE[1], SIZE[0])
        top, bottom = picture.getpixel((32, 10)), picture.getpixel((32, 86))
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert (top[0] > 150) != (bottom[0] > 150)


@pytest.mark.drill
def test_what_is_killed_leaves_nothing_half_written(files: Path) -> None:
    write_film(files / "long.mp4", 3000, (640, 360))
    before = (files / "long.mp4").read_bytes()
    script = (
        "from pathlib import Path\nfrom yardkit.world import World, use_world\n"
        "from yardkit.servers.video.engine.changes import Change, change_video\n"
        f"files = Path({str(files)!r})\n"
        "with use_world(World.open(files.parent)):\n"
        "    change_video(files / 'long.mp4', files / 'made.mp4', Change(None, None, None, 1, 1.0, 0.0, 0.0, False))\n"
    )
    work = subprocess.Popen([sys.executable, "-c", script], start_new_session=True)
    deadline = time.monotonic() + 240
    while len(list(files.iterdir())) == 1 and time.monotonic() < deadline:
        assert work.poll() is None
        time.sleep(0.05)
    os.killpg(work.pid, signal.SIGKILL)
    work.wait()
    assert (files / "long.mp4").read_bytes() == before
    assert not (files / "made.mp4").exists()
