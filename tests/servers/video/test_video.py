"""Videos cut, put together, changed and looked at: what is seen and heard at which time afterwards."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image, ImageSequence
from support.answers import Call, make_caller, read_text

from yardkit.kit.sound_streams import Form
from yardkit.kit.sounds import read_sound
from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.video.engine.streams import Shape, Sound, read_pictures, write_video

FPS = 25
SIZE = (160, 96)
RATE = 48_000
COLORS = ((200, 30, 30), (30, 200, 30), (30, 30, 200))
"""Of the seconds of a video, so that a picture tells its time."""


def write_film(path: Path, seconds: float, fps: int = FPS, size: tuple[int, int] = SIZE, *, sound: bool = True) -> None:
    """A video whose colour changes each second; a tone is heard in each odd second."""

    def pictures() -> Any:
        for number in range(round(seconds * fps)):
            yield np.full((size[1], size[0], 3), COLORS[number // fps % 3], np.uint8)

    time = np.arange(round(seconds * RATE)) / RATE
    tone = (0.3 * np.sin(2 * np.pi * 440 * time) * (time.astype(int) % 2)).astype(np.float32)
    heard = Sound(iter(np.array_split(tone[None], 20, axis=1)), Form(RATE, 1)) if sound else None
    write_video(pictures(), Shape(*size, Fraction(fps)), heard, path)


@pytest.fixture
def call(files: Path, golden: Callable[..., Path]) -> Call:
    (files / "seconds.mp4").write_bytes(golden("seconds.mp4", lambda path: write_film(path, 3)).read_bytes())
    return make_caller(load_server("video"))


def call_video_tool(call: Call, files: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    about = {} if "paths" in arguments else {"path": "seconds.mp4"}
    result = call(tool, **{**about, "target": "made.mp4", **arguments})
    assert not result.is_error, read_text(result)
    reply: dict[str, Any] = result.structured_content
    return reply


def list_colors(path: Path, fps: int = FPS) -> list[str]:
    """The main colour of each picture: r, g, b, or k for black."""
    return [
        "rgbk"[int(np.argmax([*mean, 60]))]
        for mean in (p.mean(axis=(0, 1)) for p in read_pictures(path, Fraction(fps)))
    ]


def list_sound_flags(path: Path) -> list[bool]:
    """Whether there is sound, in each tenth of a second."""
    samples = read_sound(path, 8000).samples
    parts = samples[: len(samples) // 800 * 800].reshape(-1, 800)
    return [bool(level > 0.05) for level in np.sqrt(np.square(parts).mean(axis=1))]


def test_what_is_written_plays_in_browsers_and_keeps_its_length(call: Call, files: Path) -> None:
    info = call("get_video_info", path="seconds.mp4").structured_content
    assert (info["codec"], info["duration_s"], info["fps"], info["width_px"]) == ("h264", 3.0, 25.0, 160)
    assert info["sound"].startswith("aac, 48000 Hz")
    data = (files / "seconds.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    with av.open(str(files / "seconds.mp4")) as container:
        assert container.streams.video[0].codec_context.pix_fmt == "yuv420p"


def test_the_same_pictures_make_the_same_bytes_whatever_lay_in_the_memory(files: Path) -> None:
    pictures = np.random.default_rng(1).integers(0, 255, (10, 12, 20, 3), np.uint8).repeat(8, 1).repeat(8, 2)
    encoded_videos = set()
    for number in range(3):
        np.full(
            3_000_000, number + 1, np.uint8
        ).sort()  # what was freed is read by a coder that reads what it should not
        write_video(iter(pictures), Shape(*SIZE, Fraction(FPS)), None, files / "made.mp4")
        encoded_videos.add((files / "made.mp4").read_bytes())
    assert len(encoded_videos) == 1


def test_pictures_that_stay_as_they_are_keep_the_matrix_of_their_colours(call: Call, files: Path) -> None:
    red = av.VideoFrame.from_ndarray(np.full((SIZE[1], SIZE[0], 3), (200, 30, 30), np.uint8), format="rgb24")
    with av.open(str(files / "hd.mp4"), "w") as film:
        stream: Any = film.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p10le"
        stream.codec_context.colorspace = 1
        film.mux(stream.encode(red.reformat(format="yuv420p10le", dst_colorspace="ITU709", dst_color_range="MPEG")))
        film.mux(stream.encode(None))
    call_video_tool(
        call, files, "add_video_text", path="hd.mp4", text="RED", color="#c81e1e", outline="", background="#c81e1e"
    )
    with av.open(str(files / "made.mp4")) as film:
        frame = next(film.decode(film.streams.video[0]))
    assert (frame.colorspace, frame.format.name) == (1, "yuv420p")
    assert np.abs(frame.to_ndarray(format="rgb24").astype(int) - (200, 30, 30)).max() < 8


def test_a_part_is_cut_to_the_frame_with_its_sound(call: Call, files: Path) -> None:
    reply = call_video_tool(call, files, "clip_video", start_s=0.6, end_s=2.2)
    assert reply["duration_s"] == pytest.approx(1.6, abs=0.021)
    assert "".join(list_colors(files / "made.mp4")) == "r" * 10 + "g" * 25 + "b" * 5
    assert list_sound_flags(files / "made.mp4")[:16] == pytest.approx([False] * 4 + [True] * 10 + [False] * 2)
    assert "ends at 3.00 s" in read_text(call("clip_video", path="seconds.mp4", target="a.mp4", start_s=7))
    assert "is not after start_s" in read_text(
        call("clip_video", path="seconds.mp4", target="a.mp4", start_s=2, end_s=1)
    )
    assert not (files / "a.mp4").exists()


def test_a_copy_begins_at_the_key_frame_and_says_so(call: Call, files: Path) -> None:
    reply = call_video_tool(call, files, "clip_video", start_s=2.5, exact=False)
    assert reply["note"].startswith("Copied losslessly from the key frame at 2.000 s; 2.5 s was requested")
    assert set(list_colors(files / "made.mp4")) == {"b"}


def test_videos_of_other_sizes_and_rates_are_joined_in_step(call: Call, files: Path) -> None:
    write_film(files / "tall.mp4", 2, fps=30, size=(64, 96), sound=False)
    reply = call_video_tool(call, files, "join_videos", paths=["seconds.mp4", "tall.mp4", "seconds.mp4"])
    assert (reply["width_px"], reply["height_px"], reply["fps"]) == (160, 96, 25)
    assert reply["duration_s"] == pytest.approx(8, abs=0.05)
    pictures = list(read_pictures(files / "made.mp4", Fraction(FPS), 3.5, 3.6))
    assert pictures[0][48, 5].max() < 40  # black beside the narrow one
    assert pictures[0][48, 80, 0] > 150
    sound = list_sound_flags(files / "made.mp4")
    assert (sound[15], sound[35], sound[45], sound[65]) == (True, False, False, True)


def test_a_crossfade_mixes_both_and_shortens_by_its_length(call: Call, files: Path) -> None:
    reply = call_video_tool(call, files, "join_videos", paths=["seconds.mp4", "seconds.mp4"], crossfade_s=0.4)
    assert reply["duration_s"] == pytest.approx(5.6, abs=0.021)
    middle = next(read_pictures(files / "made.mp4", Fraction(FPS), 2.8))[50, 80].astype(int)
    assert middle[0] == pytest.approx(115, abs=25)
    assert middle[2] == pytest.approx(115, abs=25)
    assert "less than two crossfades" in read_text(
        call("join_videos", paths=["seconds.mp4"] * 2, target="a.mp4", crossfade_s=2)
    )


def test_pictures_are_cropped_turned_scaled_faster_and_faded(call: Call, files: Path) -> None:
    reply = call_video_tool(call, files, "transform_video", bbox_px=[0, 0, 100, 50], angle=90, width_px=80)
    assert (reply["width_px"], reply["height_px"]) == (80, 160)
    fast = call_video_tool(call, files, "transform_video", speed=2)
    assert fast["duration_s"] == pytest.approx(1.5, abs=0.041)
    color_string = "".join(list_colors(files / "made.mp4"))
    assert (color_string.count("r"), color_string.count("g")) == (pytest.approx(12, abs=1), pytest.approx(13, abs=1))
    assert list_sound_flags(files / "made.mp4")[6:9] == [True] * 3
    call_video_tool(call, files, "transform_video", fade_in_s=0.8, fade_out_s=0.8)
    color_string = "".join(list_colors(files / "made.mp4"))
    assert (color_string[0], color_string[37], color_string[-1]) == ("k", "g", "k")
    assert call_video_tool(call, files, "transform_video", mute=True)["sound"] is False
    assert "is empty or outside the frames of" in read_text(
        call("transform_video", path="seconds.mp4", target="a.mp4", bbox_px=[500, 0, 600, 50])
    )


def test_text_is_seen_for_its_time_only(call: Call, files: Path) -> None:
    call_video_tool(call, files, "add_video_text", text="HELLO 你好", start_s=1, end_s=2, size_px=24, place="center")
    spread = [float(picture.std(axis=(0, 1)).max()) for picture in read_pictures(files / "made.mp4", Fraction(FPS))]
    assert max(spread[:24]) < 6
    assert min(spread[27:48]) > 20
    assert max(spread[52:]) < 6
    assert "is not after start_s" in read_text(
        call("add_video_text", path="seconds.mp4", target="a.mp4", text="a", start_s=2, end_s=1)
    )


def test_subtitles_come_and_go_at_their_times(call: Call, files: Path) -> None:
    (files / "s.srt").write_text(
        "1\n00:00:00,400 --> 00:00:01,200\n<i>Good</i> morning\n\n2\n00:00:02,000 --> 00:00:09,000\nBye\n"
    )
    result = call("add_video_subtitles", path="seconds.mp4", source="s.srt", target="made.mp4", size_px=14)
    assert "2 subtitles." in read_text(result)
    spread = [
        float(picture[60:].std(axis=(0, 1)).max()) for picture in read_pictures(files / "made.mp4", Fraction(FPS))
    ]
    assert [value > 15 for value in (spread[5], spread[20], spread[40], spread[60])] == [False, True, False, True]
    (files / "none.srt").write_text("no subtitles here")
    refused = call("add_video_subtitles", path="seconds.mp4", source="none.srt", target="a.mp4")
    assert "contains no subtitles" in read_text(refused)


def test_a_logo_is_laid_on_with_its_transparency(call: Call, files: Path) -> None:
    logo = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    logo.paste((255, 255, 255, 255), (0, 0, 20, 40))
    logo.save(files / "logo.png")
    call_video_tool(call, files, "overlay_on_video", other="logo.png", place="top_left", margin_px=10)
    picture = next(read_pictures(files / "made.mp4", Fraction(FPS)))
    assert picture[30, 18].min() > 200
    assert picture[30, 42, 0] > 150
    assert picture[30, 42, 1] < 80


def test_what_is_laid_on_a_picture_that_stands_still_is_laid_on_it_once(call: Call, files: Path) -> None:
    with av.open(str(files / "still.mp4"), "w") as film:  # ten pictures a second, and one that stays for one
        stream: Any = film.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in (*range(10), 20, *range(21, 30)):
            frame = av.VideoFrame.from_ndarray(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 10)
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))
    Image.new("RGB", (41, 41), "white").save(files / "white.png")
    call_video_tool(
        call,
        files,
        "overlay_on_video",
        path="still.mp4",
        other="white.png",
        opacity=0.4,
        place="top_left",
        position_px=[31, 21],
    )
    brightness_values = [picture[40, 50].mean() for picture in read_pictures(files / "made.mp4", Fraction(10))]
    assert len(brightness_values) == 30
    assert brightness_values == pytest.approx([102] * 30, abs=4)


def test_a_picture_that_is_far_too_large_is_not_laid_on(call: Call, files: Path) -> None:
    Image.new("1", (10_000, 6_000)).save(files / "huge.png")
    refused = call("overlay_on_video", path="seconds.mp4", other="huge.png", target="a.mp4")
    assert "at most 50,000,000 pixels" in read_text(refused)


def test_sound_is_replaced_or_added_and_never_longer_than_the_pictures(call: Call, files: Path) -> None:
    write_film(files / "other.mp4", 6)
    reply = call_video_tool(call, files, "replace_video_sound", source="other.mp4")
    assert (reply["duration_s"], reply["sound"]) == (3.0, True)
    assert len(list_sound_flags(files / "made.mp4")) <= 31
    silent = call_video_tool(call, files, "transform_video", mute=True, target="silent.mp4")
    assert silent["sound"] is False
    call_video_tool(call, files, "replace_video_sound", path="silent.mp4", source="seconds.mp4", own_gain_db=0)
    assert list_sound_flags(files / "made.mp4")[12:19] == [True] * 7


def test_cuts_are_found_and_frames_saved_at_their_times(call: Call, files: Path) -> None:
    cuts = call("find_video_cuts", path="seconds.mp4").structured_content
    assert cuts["cuts_s"] == [1.0, 2.0]
    saved = call("extract_video_frames", path="seconds.mp4", folder="frames", at_s=[2.5, 0.5]).structured_content
    assert saved["times_s"] == [0.5, 2.5]
    colors = []
    for frame in saved["frames"]:
        with Image.open(files / frame["path"]) as picture:
            assert picture.size == SIZE
            colors.append(int(np.argmax(np.asarray(picture)[48, 80])))
    assert colors == [0, 2]
    both = call("extract_video_frames", path="seconds.mp4", folder="frames", at_s=[1], every_s=1)
    assert "give at_s or every_s" in read_text(both)
    assert "ends" in read_text(call("extract_video_frames", path="seconds.mp4", folder="frames", at_s=[1, 9]))


def test_a_video_is_seen_on_one_sheet(call: Call, files: Path) -> None:
    result = call("view_video", path="seconds.mp4", count=3)
    assert [block.type for block in result.content] == ["text", "image"]
    assert result.structured_content["times_s"] == [0.5, 1.5, 2.5]


def test_a_gif_moves_and_a_slideshow_shows_each_picture_for_its_time(call: Call, files: Path) -> None:
    call("make_gif", path="seconds.mp4", target="a.gif", start_s=0.5, end_s=1.5, width_px=80)
    with Image.open(files / "a.gif") as moving:
        durations = [moving.info["duration"] for _ in ImageSequence.Iterator(moving)]
        assert (sum(durations), moving.size) == (1000, (80, 48))
        assert 2 <= len(durations) <= 10  # equal pictures may be one
    for name, color in zip("rgb", COLORS, strict=True):
        Image.new("RGB", (90, 90), color).save(files / f"{name}.png")
    reply = call_video_tool(
        call,
        files,
        "make_slideshow",
        paths=["r.png", "g.png", "b.png"],
        seconds_each=[1, 2, 1],
        crossfade_s=0,
        width_px=128,
        height_px=96,
        source="seconds.mp4",
    )
    assert (reply["duration_s"], reply["sound"]) == (4.0, True)
    assert "".join(list_colors(files / "made.mp4")) == "r" * 25 + "g" * 50 + "b" * 25
    few = call("make_slideshow", paths=["r.png", "g.png", "b.png"], target="a.mp4", seconds_each=[1, 2])
    assert "2 times for 3 pictures" in read_text(few)


def test_a_phone_video_that_is_stored_turned_is_upright(call: Call, files: Path) -> None:
    with av.open(str(files / "seconds.mp4")) as source, av.open(str(files / "phone.mp4"), "w") as turned:
        stream = turned.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(source.streams.video[0]):
            if packet.dts is not None:
                packet.stream = stream
                turned.mux(packet)
    data = (files / "phone.mp4").read_bytes()
    matrix = b"".join(value.to_bytes(4, "big", signed=True) for value in (0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30))
    identity_matrix = b"".join(
        value.to_bytes(4, "big", signed=True) for value in (65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30)
    )
    at = data.index(identity_matrix, data.index(b"tkhd"))
    (files / "phone.mp4").write_bytes(data[:at] + matrix + data[at + 36 :])
    info = call("get_video_info", path="phone.mp4").structured_content
    assert (info["width_px"], info["height_px"], info["rotation"]) == (96, 160, 270)
    assert call_video_tool(call, files, "clip_video", path="phone.mp4")["height_px"] == 160


def test_what_is_no_video_is_refused(call: Call, files: Path) -> None:
    (files / "list.mp4").write_text("#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n")
    (files / "half.mp4").write_bytes((files / "seconds.mp4").read_bytes()[:300])
    for name in ("list.mp4", "half.mp4"):
        words = read_text(call("clip_video", path=name, target="a.mp4"))
        assert "cannot be read as a video" in words or "holds no pictures" in words
        assert str(files) not in words
    assert "must end with .mp4" in read_text(call("clip_video", path="seconds.mp4", target="a.mov"))
    assert not (files / "a.mp4").exists()


SUBTITLES = (
    "1\n00:00:00,400 --> 00:00:01,200\nGood & <i>bright</i>\nmorning\n\n2\n00:00:01,100 --> 00:00:02,500\n漢字\n"
)


def test_subtitles_of_a_track_leave_the_pictures_and_come_out_as_they_went_in(call: Call, files: Path) -> None:
    (files / "s.srt").write_text(SUBTITLES)
    reply = call_video_tool(call, files, "add_video_subtitles", source="s.srt", burn=False, language="deu", shift_s=0.1)
    assert reply["sound"]
    assert "subtitles: mov_text deu" in read_text(call("get_video_info", path="made.mp4"))
    assert call("compare_videos", path="seconds.mp4", other="made.mp4").structured_content["psnr_db"] is None
    call("extract_video_subtitles", path="made.mp4", target="out.srt")
    assert (files / "out.srt").read_text() == (
        "1\n00:00:00,500 --> 00:00:01,300\nGood & bright\nmorning\n\n2\n00:00:01,200 --> 00:00:02,600\n漢字\n"
    )
    call("extract_video_subtitles", path="made.mp4", target="out.vtt")
    assert "Good &amp; bright" in (files / "out.vtt").read_text()
    late = call_video_tool(call, files, "add_video_subtitles", source="out.vtt", burn=False, shift_s=2)
    assert "1 are outside the video and were left out." in late["note"]
    none = call("add_video_subtitles", path="seconds.mp4", source="out.vtt", target="a.mp4", burn=False, shift_s=9)
    assert "all 2 subtitles are outside the 3.00 s" in read_text(none)
    assert "has 0 subtitle tracks" in read_text(call("extract_video_subtitles", path="seconds.mp4", target="a.srt"))


def test_two_videos_are_compared_by_what_is_seen_and_heard(call: Call, files: Path) -> None:
    same = call("compare_videos", path="seconds.mp4", other="seconds.mp4").structured_content
    assert (same["psnr_db"], same["same_sound"], same["differ_s"]) == (None, True, [])
    call_video_tool(call, files, "add_video_text", text="███", start_s=1, end_s=2, size_px=60)
    other = call("compare_videos", path="seconds.mp4", other="made.mp4")
    assert "they clearly differ at 1.0 to 2.0 s" in read_text(other)
    silent = call_video_tool(call, files, "transform_video", mute=True, speed=2)
    comparison = call("compare_videos", path="seconds.mp4", other="made.mp4").structured_content
    assert (comparison["duration_s"][1], comparison["sound"], comparison["same_sound"]) == (
        silent["duration_s"],
        [True, False],
        None,
    )
