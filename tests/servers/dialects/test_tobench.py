"""The dialect of TOBench's video and audio tools: its names and arguments, without its defects."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from support.answers import Call, caller, told
from support.videos import write_video

from yardkit.kit.sound_streams import Form
from yardkit.kit.sounds import read_sound, wav_bytes
from yardkit.sandbox.serving.catalog import catalog
from yardkit.sandbox.serving.registry import chosen_servers
from yardkit.sandbox.serving.workspace_server import build_server
from yardkit.servers.video.engine.frames import read_info
from yardkit.servers.video.engine.streams import Shape, Sound, read_pictures
from yardkit.servers.video.engine.streams import write_video as write_stream

TOOLS: dict[str, list[str]] = json.loads(Path(__file__).with_name("tobench_tools.json").read_text())
"""The tools of video-audio-mcp with their arguments; those with a default end in ``?``."""
SERVING = Path(__file__).parents[3] / "docs" / "serving.md"
RATE = 16_000


@pytest.fixture
def call(files: Path) -> Call:
    return caller(build_server(chosen_servers(["audio", "video"], "tobench"), "tobench"))


def tone(hertz: float, seconds: float) -> Any:
    return (0.25 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


@pytest.fixture
def film(files: Path) -> str:
    """Two seconds of white with a tone."""
    shape = Shape(192, 96, Fraction(10))
    pictures = (np.full((96, 192, 3), 255, np.uint8) for _ in range(20))
    sound = Sound(iter([tone(440, 2)[None]]), Form(RATE, 1))
    write_stream(pictures, shape, sound, files / "film.mp4")
    return "film.mp4"


def test_a_recorded_call_fits_the_arguments_of_each_tool() -> None:
    for entry in catalog(dialect="tobench"):
        for tool in entry.tools:
            assert tool.arguments == TOOLS[tool.name], tool.name


def test_the_document_says_which_tools_are_covered_and_which_wait() -> None:
    text = SERVING.read_text("utf-8")
    covered, waiting = (
        re.findall(
            r"`(\w+)`",
            re.search(rf"^\| {head} in tobench \|(.*)\|$".replace("Covered in", "Covered by"), text, re.M)[1],
        )  # type: ignore[index]
        for head in ("Covered", "Waiting")
    )
    assert sorted(covered) == sorted(tool.name for entry in catalog(dialect="tobench") for tool in entry.tools)
    assert sorted(covered + waiting) == sorted(TOOLS)
    assert (len(covered), len(waiting)) == tuple(
        map(int, re.findall(r"covers (\d+) of them.* other (\d+) wait", text)[0])
    )


def test_a_part_of_a_film_keeps_its_sound_and_is_exact(call: Call, files: Path, film: str) -> None:
    done = call("trim_video", video_path=film, output_video_path="part.mp4", start_time="00:00:00.5", end_time="1.5")
    assert told(done) == "Video trimmed: part.mp4, 1.00 s, 192x96, with sound"
    heard = read_sound(files / "part.mp4", RATE).samples
    assert len(heard) == pytest.approx(RATE, abs=0.1 * RATE)
    assert float(np.abs(heard).max()) > 0.1
    outside = call("trim_video", video_path=film, output_video_path="../x.mp4", start_time="0", end_time="1")
    assert "outside the workspace" in told(outside)
    assert "is no time" in told(
        call("trim_video", video_path=film, output_video_path="x.mp4", start_time="a", end_time=1)
    )


def test_a_text_is_a_text_whatever_filters_it_names(call: Call, files: Path, film: str) -> None:
    element = {
        "text": "a':movie=/etc/passwd",
        "start_time": 0,
        "end_time": "00:00:01",
        "font_color": "black",
        "font_size": 12,
    }
    other = {"text": "x", "start_time": 1, "end_time": 2, "x_pos": 2, "y_pos": "center", "font_color": "red"}
    done = call("add_text_overlay", video_path=film, output_video_path="text.mp4", text_elements=[element, other])
    assert told(done).startswith("2 texts added")
    first, last = list(read_pictures(files / "text.mp4", Fraction(10)))[::15][:2]
    assert first[48:].min() < 60 < 200 < first[:30].min()
    assert last[:, :30].min() < 120 < 200 < last[:, 60:].min()
    formula = {**element, "x_pos": "w/2-sin(t)"}
    refused = call("add_text_overlay", video_path=film, output_video_path="no.mp4", text_elements=[formula])
    assert "formulas are not worked out" in told(refused)
    assert not (files / "no.mp4").exists()


def test_silence_goes_and_short_pauses_stay(call: Call, files: Path) -> None:
    def quiet(seconds: float) -> Any:
        return np.zeros(round(seconds * RATE), np.float32)

    whole = np.concatenate([quiet(1), tone(300, 1), quiet(0.25), tone(300, 1), quiet(1), tone(300, 1)])
    (files / "said.wav").write_bytes(wav_bytes(whole, RATE))
    done = call("remove_silence", media_path="said.wav", output_media_path="short.wav")
    assert "2 silences taken away" in told(done)
    assert len(read_sound(files / "short.wav", RATE).samples) == pytest.approx(3.25 * RATE, abs=0.1 * RATE)
    wrong = call("convert_audio_format", input_audio_path="said.wav", output_audio_path="a.wav", target_format="mp3")
    assert "does not end as its format" in told(wrong)


def test_pictures_get_the_ratio_by_bars_or_by_a_cut(call: Call, files: Path) -> None:
    write_video(files / "wide.mp4", [Image.new("RGB", (64, 32), "white")] * 4)
    for mode, size in (("pad", (64, 64)), ("crop", (32, 32))):
        name = f"{mode}.mp4"
        arguments = {"video_path": "wide.mp4", "output_video_path": name, "target_aspect_ratio": "1:1"}
        assert not call("change_aspect_ratio", **arguments, resize_mode=mode).is_error
        info = read_info(files / name)
        assert (info.width_px, info.height_px) == size
    refused = call(
        "convert_video_properties",
        input_video_path="wide.mp4",
        output_video_path="a.mp4",
        target_format="mp4",
        frame_rate=5,
    )
    assert "frame_rate cannot be set here" in told(refused)
