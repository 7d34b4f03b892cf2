"""Every film of the zoo: read, shown and written as it is displayed, at its times, and what is lost is said."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from support.answers import Call, Golden, make_caller, read_text
from zoo.film_recipes import LEVELS, Recipe, is_upright, read_level, write_film
from zoo.films import BY_NAME, FILMS, Film

from yardkit.evaluators.readers.media import films as grader
from yardkit.evaluators.submission import Submission
from yardkit.kit.sounds import read_sound
from yardkit.kit.video_frames import video_frames
from yardkit.models.local.worker import reading as reading_of_worker
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World

RATE_HZ = 16_000
OF_GRADERS = (".mp4", ".mov", ".mkv", ".webm", ".gif")


@pytest.fixture(params=FILMS, ids=lambda film: film.name)
def film(request: pytest.FixtureRequest, golden: Golden) -> Film:
    """A film of the zoo, in the workspace."""
    chosen: Film = request.param
    golden(chosen.name, chosen.build)
    return chosen


@pytest.fixture
def submission(world: World) -> Submission:
    return Submission(world.files.parent)


def list_beeps(samples: Any) -> list[float]:
    """When beeps begin, in seconds."""
    steps = samples[: len(samples) // 160 * 160].reshape(-1, 160)
    loud = np.concatenate([[False], np.sqrt(np.square(steps).mean(axis=1)) > 0.1])
    return [float(at) / 100 for at in np.flatnonzero(loud[1:] & ~loud[:-1])]


def check_pictures(pictures: list[Any], film: Film, times_s: list[float], late_s: float = 0.0) -> None:
    """Pictures are those of some times, or of up to so much before."""
    assert [picture.shape[1::-1] for picture in pictures] == [film.size] * len(pictures)
    assert all(map(is_upright, pictures))
    levels = [read_level(picture) for picture in pictures]
    assert levels == [
        min(max(level, film.level_at(time_s - late_s)), film.level_at(time_s))
        for level, time_s in zip(levels, times_s, strict=True)
    ]


def list_times(film: Film) -> list[float]:
    """Some moments of a film, none at a change of pictures."""
    return [round(film.seconds * share + 0.017, 3) for share in (0, 0.3, 0.57, 0.93)]


def test_what_is_said_of_a_film_is_what_it_holds(film: Film, call: Call) -> None:
    info = call("get_video_info", path=film.name).structured_content
    assert (info["width_px"], info["height_px"]) == film.size
    assert info["duration_s"] == pytest.approx(film.seconds, abs=0.06)
    assert {name: info[name] for name in film.info} == pytest.approx(film.info, abs=0.03)
    assert bool(info["sound"]) == bool(film.beeps_s or film.name == "still.mp4")


def test_the_picture_of_a_moment_is_the_one_that_is_displayed_then(film: Film, call: Call, files: Path) -> None:
    times = list_times(film)
    saved = call("extract_video_frames", path=film.name, folder="frames", at_s=times).structured_content
    pictures = [np.asarray(Image.open(files / frame["path"]).convert("RGB")) for frame in saved["frames"]]
    check_pictures(pictures, film, times)
    looked_at = video_frames(files / film.name, film.seconds / 4, start_s=0.017)
    assert (looked_at.width_px, looked_at.height_px) == film.size
    pictures = [decode_jpeg(frame.jpeg) for frame in looked_at.frames]
    check_pictures(pictures, film, [0.017 + number * film.seconds / 4 for number in range(4)])


def decode_jpeg(jpeg: bytes) -> Any:
    import io

    with Image.open(io.BytesIO(jpeg)) as image:
        return np.asarray(image.convert("RGB"))


def test_the_sound_of_a_film_is_heard_at_its_times(film: Film, files: Path) -> None:
    if film.beeps_s:
        samples = read_sound(files / film.name, RATE_HZ).samples
        assert list_beeps(samples) == pytest.approx(film.beeps_s, abs=0.03)
        if film.name.startswith(("early", "late", "edited")):
            heard = reading_of_worker.decode_sound((files / film.name).read_bytes())
            assert list_beeps(heard) == pytest.approx(film.beeps_s, abs=0.03)


def check_made(film: Film, submission: Submission, speed: float = 1.0) -> None:
    """What was made of a film shows the same at the same times, by the graders' own reader."""
    written = grader.read_film(submission, "made.mp4")
    assert (written.width, written.height) == film.size
    assert written.duration_s * speed == pytest.approx(film.seconds, abs=0.11)
    times = list_times(film)[:-1]
    pictures = grader.frames_at(submission, "made.mp4", [time_s / speed for time_s in times])
    check_pictures(pictures, film, times, 0.1 if speed > 1 else 0.0)
    beeps = list_beeps(grader.read_track(submission, "made.mp4"))
    assert [beep_s * speed for beep_s in beeps] == pytest.approx(film.beeps_s, abs=0.08)


def test_a_film_that_is_written_shows_the_same_at_the_same_times(
    film: Film, call: Call, submission: Submission
) -> None:
    answer = read_text(call("clip_video", path=film.name, target="made.mp4"))
    assert all(words in answer for words in film.warnings)
    assert film.warnings or "Not kept" not in answer
    check_made(film, submission)


@pytest.mark.parametrize(
    "name", ["phone-upright.mp4", "camera-hdv.mkv", "screen.mp4", "joined-late.mkv", "hdr-hlg.mov"]
)
def test_a_film_that_is_changed_keeps_what_is_not_to_be_changed(
    name: str, golden: Golden, call: Call, submission: Submission
) -> None:
    film = BY_NAME[name]
    golden(name, film.build)
    call("transform_video", path=name, target="made.mp4", speed=2)
    check_made(film, submission, 2.0)
    text = {"text": "i", "size_px": 8, "place": "top", "margin_px": 0}
    answer = read_text(call("add_video_text", path=name, target="made.mp4", **text))
    assert all(words in answer for words in film.warnings)
    check_made(film, submission)


def test_graders_read_a_film_as_it_is_displayed(film: Film, submission: Submission) -> None:
    if not film.name.endswith(OF_GRADERS):
        return
    delivered = grader.read_film(submission, film.name)
    assert (delivered.width, delivered.height) == film.size
    assert delivered.duration_s == pytest.approx(film.seconds, abs=0.06)
    assert [round(time_s, 2) for time_s in delivered.times] == pytest.approx(film.times_s, abs=0.012)
    times = list_times(film)
    if not film.info.get("hdr"):  # whose colours FFmpeg makes somewhat brighter
        check_pictures(grader.frames_at(submission, film.name, times), film, times)
    assert list_beeps(grader.read_track(submission, film.name)) == pytest.approx(film.beeps_s, abs=0.03)


@pytest.mark.parametrize("name", ["plain.mp4", "phone-upright.mp4", "camera-hdv.mkv", "late-sound.mp4", "screen.mp4"])
def test_a_copy_without_loss_keeps_turn_shape_and_times(
    name: str, golden: Golden, call: Call, submission: Submission
) -> None:
    film = BY_NAME[name]
    golden(name, film.build)
    assert "Not kept" not in read_text(call("clip_video", path=name, target="copy.mp4", exact=False))
    copy = grader.read_film(submission, "copy.mp4")
    assert (copy.width, copy.height) == film.size
    times = list_times(film)
    check_pictures(grader.frames_at(submission, "copy.mp4", times), film, times)
    assert list_beeps(grader.read_track(submission, "copy.mp4")) == pytest.approx(film.beeps_s, abs=0.03)


def test_a_film_on_which_text_comes_and_goes_while_it_stands_still_changes_then(
    golden: Golden, call: Call, submission: Submission
) -> None:
    film = golden("screen.mp4", BY_NAME["screen.mp4"].build)
    call(
        "add_video_text",
        path=film.name,
        target="made.mp4",
        text="▇▇",
        start_s=0.3,
        end_s=0.7,
        place="center",
        margin_px=0,
        size_px=8,
    )
    spread = [float(frame.std()) for frame in grader.frames_at(submission, "made.mp4", [0.2, 0.5, 0.8])]
    assert spread[0] == pytest.approx(spread[2], abs=1)
    assert abs(spread[1] - spread[0]) > 3


def test_films_of_other_shapes_are_joined_with_sound_in_step(
    golden: Golden, call: Call, submission: Submission
) -> None:
    names = ["late-sound.mkv", "camera-hdv.mkv", "phone-upright.mp4"]
    for name in names:
        golden(name, BY_NAME[name].build)
    call("join_videos", paths=names, target="made.mp4")
    assert grader.read_film(submission, "made.mp4").duration_s == pytest.approx(6, abs=0.1)
    pictures = grader.frames_at(submission, "made.mp4", [0.517, 2.517, 4.517])
    assert all(map(is_upright, pictures))
    assert len({read_level(picture) for picture in pictures}) == 1
    beeps = list_beeps(grader.read_track(submission, "made.mp4"))
    assert beeps == pytest.approx([1.5, 2.5, 3.5, 4.5, 5.5], abs=0.05)


def test_tags_and_chapters_of_a_film_stay_and_move_with_it(golden: Golden, call: Call) -> None:
    golden("disc.mkv", BY_NAME["disc.mkv"].build)
    call("clip_video", path="disc.mkv", target="part.mp4", start_s=0.5)
    info = call("get_video_info", path="part.mp4").structured_content
    assert (info["tags"]["title"], info["tags"]["artist"], info["chapters"]) == ("The zoo", "Code", 2)
    sound = make_caller(load_server("audio"))("get_audio_info", path="part.mp4").structured_content
    assert [(chapter["start_s"], chapter["title"]) for chapter in sound["chapters"]] == [(0, "First"), (0.5, "Second")]


def test_what_a_sound_of_a_film_loses_is_said(golden: Golden) -> None:
    audio = make_caller(load_server("audio"))
    for name, words in (
        ("late-sound.mkv", "begins at 1.00 s"),
        ("early-sound.mkv", "before the first picture"),
        ("lost-packets.mkv", "1 gap"),
        ("disc.mkv", "keeper"),
    ):
        golden(name, BY_NAME[name].build)
        assert words in read_text(audio("convert_audio", path=name, target="made.wav"))
    ends = [silence["end_s"] for silence in audio("find_silence", path="late-sound.mkv").structured_content["silences"]]
    assert ends[0] == pytest.approx(1.5, abs=0.02)
    assert "sound tracks" in read_text(audio("get_audio_info", path="disc.mkv"))


WAYS: list[tuple[str, dict[str, Any]]] = [
    ("clip_video", {}),
    ("clip_video", {"exact": False}),
    ("transform_video", {"width_px": 32}),
    ("join_videos", {}),
    ("add_video_text", {"text": "i", "size_px": 8, "margin_px": 0}),
    ("overlay_on_video", {"other": "dot.png", "margin_px": 0}),
    ("add_video_subtitles", {"source": "a.srt", "size_px": 8}),
    ("add_video_subtitles", {"source": "a.srt", "burn": False}),
    ("replace_video_sound", {"source": "plain.mp4"}),
]


@pytest.mark.parametrize(("tool", "arguments"), WAYS, ids=[f"{tool}-{number}" for number, (tool, _) in enumerate(WAYS)])
def test_whoever_writes_a_film_says_what_is_lost(
    golden: Golden, files: Path, call: Call, tool: str, arguments: dict[str, Any]
) -> None:
    for name in ("disc.mkv", "plain.mp4"):
        golden(name, BY_NAME[name].build)
    Image.new("RGB", (4, 4)).save(files / "dot.png")
    (files / "a.srt").write_text("1\n00:00:00,500 --> 00:00:01,000\nHi\n")
    source = {"paths": ["disc.mkv", "plain.mp4"]} if tool == "join_videos" else {"path": "disc.mkv"}
    answer = read_text(call(tool, target="made.mp4", **source, **arguments))
    assert all(words in answer for words in ("Not kept:", "keeper", "2 tracks of subtitles", "1 attached file"))
    keeps_sounds = tool == "replace_video_sound" or False in (arguments.get("exact"), arguments.get("burn"))
    assert ("1 of 2 sound tracks" in answer) != keeps_sounds


def test_a_film_that_is_cut_off_ends_where_it_ends_and_says_so(files: Path, call: Call) -> None:
    write_film(files / "whole.mp4", Recipe(container=(("movflags", "faststart"),)))
    data = (files / "whole.mp4").read_bytes()
    (files / "cut.mp4").write_bytes(data[: (data.index(b"mdat") + len(data)) // 2])
    info = call("get_video_info", path="cut.mp4").structured_content
    assert 0 < info["duration_s"] < 1.9
    assert f"of the 2.00 s that it states, {info['duration_s']:.2f} s can be read" in info["note"]


def test_colours_that_only_dolby_vision_shows_are_refused(files: Path, call: Call) -> None:
    options = (("x265-params", "log-level=none:bframes=0"),)
    write_film(files / "plain.mp4", Recipe(codec="libx265", options=options, sound_s=None))
    data = (files / "plain.mp4").read_bytes()
    (files / "dolby.mp4").write_bytes(data.replace(b"hev1", b"dvhe").replace(b"hvc1", b"dvh1"))
    for tool, arguments in (("view_video", {}), ("clip_video", {"target": "made.mp4"})):
        assert "is Dolby Vision of profile 5" in read_text(call(tool, path="dolby.mp4", **arguments))


@pytest.mark.parametrize("fps", [10, 15, 30])
def test_a_gif_is_as_long_as_its_film_and_says_what_it_has_not(
    golden: Golden, files: Path, call: Call, fps: int
) -> None:
    golden("plain.mp4", BY_NAME["plain.mp4"].build)
    answer = read_text(call("make_gif", path="plain.mp4", target="made.gif", fps=fps))
    assert "Not kept: 1 sound track" in answer
    assert call("get_video_info", path="made.gif").structured_content["duration_s"] == pytest.approx(2, abs=0.02)


def test_pictures_that_are_too_many_for_players_are_left_out_and_counted(
    files: Path, call: Call, submission: Submission
) -> None:
    quick = Recipe(fps=240, times_s=tuple(number / 240 for number in range(len(LEVELS))), sound_s=None)
    write_film(files / "slow-motion.mp4", quick)
    assert "240 frames a second (now 120)" in read_text(call("clip_video", path="slow-motion.mp4", target="made.mp4"))
    assert len(grader.read_film(submission, "made.mp4").times) == len(LEVELS) // 2
