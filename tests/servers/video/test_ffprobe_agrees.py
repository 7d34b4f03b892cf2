"""What is said of the films of the zoo, as ffprobe of Debian says it."""

import json
import subprocess
from fractions import Fraction
from typing import Any

import pytest
from support.answers import Call, Golden
from support.live_programs import needed_program
from zoo.films import FILMS, Film

from yardkit.world import World

pytestmark = [pytest.mark.drill, pytest.mark.live]
_OTHER_LENGTH = ("dvd.mpg", "joined-late.mkv")
"""Films of which ffprobe says when they end, from zero, or a length without the first pictures."""
_OTHER_RATE = ("disc.mkv", "screen.webm")
"""Films whose rate ffprobe takes from the header, or from two pictures."""


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.name)
def test_a_film_has_the_length_size_rate_and_tracks_that_ffprobe_sees(
    film: Film, world: World, golden: Golden, call: Call
) -> None:
    golden(film.name, film.build)
    info = call("get_video_info", path=film.name).structured_content
    seen = _read_with_ffprobe(world, film.name)
    streams: list[Any] = seen["streams"]
    (picture,) = (stream for stream in streams if stream["codec_type"] == "video")
    assert [info["width_px"], info["height_px"]] == _find_shown_size(picture)
    assert info["frames"] == int(picture["nb_read_packets"])
    kinds = [stream["codec_type"] for stream in streams]
    tracks = (kinds.count("audio"), kinds.count("subtitle"), kinds.count("attachment"), len(seen["chapters"]))
    assert (info["sound_tracks"], len(info["subtitles"]), info["other_parts"], info["chapters"]) == tracks
    if film.name not in _OTHER_LENGTH:
        assert info["duration_s"] == pytest.approx(_find_length(picture, seen["format"]), abs=0.06)
    if film.name not in _OTHER_RATE:
        assert info["fps"] == pytest.approx(float(Fraction(picture["avg_frame_rate"])), rel=0.01)


def _read_with_ffprobe(world: World, name: str) -> Any:
    options = ["-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters", "-count_packets"]
    command = [needed_program("ffprobe"), *options, str(world.files / name)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def _find_shown_size(picture: Any) -> list[int]:
    """The size of the pictures with square pixels, and turned."""
    aspect = Fraction(picture.get("sample_aspect_ratio", "1:1").replace(":", "/"))
    size = [round(picture["width"] * aspect), picture["height"]]
    turns = [part["rotation"] for part in picture.get("side_data_list", []) if "rotation" in part]
    return size[::-1] if turns and turns[0] % 180 else size


def _find_length(picture: Any, file: Any) -> float:
    """How long the pictures last, or to the end of the file where they do not say it."""
    if "duration" in picture:
        return float(picture["duration"])
    return float(file["start_time"]) + float(file["duration"]) - float(picture["start_time"])
