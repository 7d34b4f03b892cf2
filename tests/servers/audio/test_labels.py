"""Tags and chapters: set without touching the sound, kept by changes, moved with what they stand at."""

import io
import wave
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image
from support.answers import Call, make_caller, read_text

from yardkit.kit.sound_streams import Form, read_blocks
from yardkit.sandbox.serving.registry import load_server

RATE = 16_000
CHAPTERS = [
    {"start_s": 0, "title": "Grüße =; #1"},
    {"start_s": 1.5, "title": "日本"},
    {"start_s": 2.25, "title": "End"},
]


@pytest.fixture
def call(files: Path) -> Call:
    tone = (0.25 * np.sin(2 * np.pi * 440 * np.arange(4 * RATE) / RATE) * 32767).astype("<i2")
    with wave.open(str(files / "tone.wav"), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(tone.tobytes())
    return make_caller(load_server("audio"))


def read_audio_info(call: Call, path: str) -> Any:
    return call("get_audio_info", path=path).structured_content


def read_samples(path: Path) -> Any:
    return np.concatenate(list(read_blocks(path, Form(RATE, 1))), axis=1)


@pytest.mark.parametrize("suffix", [".mp3", ".m4a", ".ogg", ".opus"])
def test_tags_and_chapters_are_set_and_the_sound_stays(call: Call, files: Path, suffix: str) -> None:
    name = f"made{suffix}"
    call("convert_audio", path="tone.wav", target=name)
    before = read_samples(files / name)
    call("set_audio_tags", path=name, target=name, title="Folge 1", artist="A & B", chapters=CHAPTERS)
    info = read_audio_info(call, name)
    assert (info["tags"]["title"], info["tags"]["artist"]) == ("Folge 1", "A & B")
    assert info["chapters"] == CHAPTERS
    assert not info["video"]
    after = read_samples(files / name)
    assert np.abs(after[:, : 3 * RATE] - before[:, : 3 * RATE]).max() < 1e-6
    call("set_audio_tags", path=name, target=name, artist="", chapters=[])
    assert read_audio_info(call, name)["chapters"] == []
    assert "artist" not in read_audio_info(call, name)["tags"]


def test_changes_keep_tags_and_move_chapters(call: Call) -> None:
    call("convert_audio", path="tone.wav", target="a.mp3")
    call("set_audio_tags", path="a.mp3", target="a.mp3", title="Folge 1", chapters=CHAPTERS)
    call("normalize_loudness", path="a.mp3", target="level.m4a")
    assert read_audio_info(call, "level.m4a")["chapters"] == CHAPTERS
    assert read_audio_info(call, "level.m4a")["tags"]["title"] == "Folge 1"
    call("clip_audio", path="a.mp3", target="part.mp3", start_s=1, end_s=2)
    starts = [(mark["start_s"], mark["title"]) for mark in read_audio_info(call, "part.mp3")["chapters"]]
    assert starts == [(0, "Grüße =; #1"), (0.5, "日本")]
    call("change_speed", path="a.mp3", target="fast.ogg", factor=2)
    assert [mark["start_s"] for mark in read_audio_info(call, "fast.ogg")["chapters"]] == [0, 0.75, 1.125]
    assert "Not kept: 3 chapters." in read_text(call("convert_audio", path="a.mp3", target="a.flac"))


def test_a_cover_is_kept(call: Call, files: Path) -> None:
    call("convert_audio", path="tone.wav", target="a.mp3")
    picture = io.BytesIO()
    Image.new("RGB", (32, 32), "red").save(picture, "PNG")
    with av.open(str(files / "a.mp3")) as source, av.open(str(files / "cover.mp3"), "w") as cover_target:
        track = cover_target.add_stream_from_template(source.streams.audio[0])
        cover: Any = cover_target.add_stream("png", rate=1)
        cover.width, cover.height, cover.pix_fmt = 32, 32, "rgb24"
        cover.disposition = av.stream.Disposition.attached_pic
        packet = av.Packet(picture.getvalue())
        packet.stream, packet.pts, packet.dts = cover, 0, 0
        cover_target.mux(packet)
        for sound in source.demux(audio=0):
            if sound.dts is not None:
                sound.stream = track
                cover_target.mux(sound)
    assert read_audio_info(call, "cover.mp3")["cover"]
    call("set_audio_tags", path="cover.mp3", target="cover.mp3", title="With a picture")
    info = read_audio_info(call, "cover.mp3")
    assert (info["cover"], info["video"], info["tags"]["title"]) == (True, False, "With a picture")


def test_what_cannot_be_labelled_is_said(call: Call) -> None:
    call("convert_audio", path="tone.wav", target="a.mp3")

    def refused(**asked: Any) -> str:
        return read_text(call("set_audio_tags", **{"path": "a.mp3", "target": "b.mp3", **asked}))

    assert "give chapters or at least one" in refused()
    assert "cannot store chapters" in refused(path="tone.wav", target="b.wav", chapters=CHAPTERS)
    assert "use convert_audio first" in refused(target="b.m4a", title="x")
    assert "s, but the audio ends at 4.00 s" in refused(chapters=[{"start_s": 9, "title": "Late"}])
    assert "has no title" in refused(chapters=[{"start_s": 1, "title": " "}])
    assert "two chapters start at" in refused(chapters=[{"start_s": 1, "title": "a"}, {"start_s": 1, "title": "b"}])


@pytest.mark.parametrize(("suffix", "kbps"), [(".mp3", 160), (".mp3", 192), (".ogg", 320)])
def test_packing_leaves_the_level_as_it_was(call: Call, suffix: str, kbps: int) -> None:
    call("convert_audio", path="tone.wav", target=f"a{suffix}", bitrate_kbps=kbps, sample_rate_hz=48_000)
    level = read_audio_info(call, f"a{suffix}")["levels"]["loudness_lufs"]
    assert level == pytest.approx(read_audio_info(call, "tone.wav")["levels"]["loudness_lufs"], abs=0.1)
