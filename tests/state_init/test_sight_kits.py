"""Plans, prints, delivery notes, barcodes and speech of seeded worlds."""

import random
import wave
from itertools import groupby
from pathlib import Path

import numpy
import pytest

import yardkit.state_init.sight
from yardkit.state_init.booth_prints import CUTS, PRINT_PX, SHOT_PX, Shot, draw_print, shot_corner
from yardkit.state_init.photographs import load_photograph, vary_photograph
from yardkit.state_init.rendering.code_39 import draw_code_39
from yardkit.state_init.rendering.ink import get_pen, new_image
from yardkit.state_init.sight.floor_plan_seats.floor_plans import Room, floor_plan
from yardkit.state_init.speech import SAMPLE_RATE_HZ, load_sentence, save_speech
from yardkit.world import Problem

VOICES = Path(yardkit.state_init.sight.__file__).parent / "voices"


def test_a_photograph_varies_with_its_seed_and_with_nothing_else() -> None:
    first, same, other = (vary_photograph("cat", random.Random(seed)) for seed in (1, 1, 2))
    assert first.tobytes() == same.tobytes() != other.tobytes()
    assert load_photograph("cat").width >= first.width > 400


def test_seats_of_a_plan_have_the_colours_of_their_kinds_and_stand_in_their_room() -> None:
    colors = {"free": (40, 168, 72), "taken": (204, 44, 40)}
    rooms = [Room("Room 1", (0, 0, 12, 6), ["free"] * 3 + ["taken"]), Room("Room 2", (0, 9, 12, 6), ["taken"] * 2)]
    picture = numpy.asarray(floor_plan("Plan", rooms, colors, random.Random(1)))
    disc = 3.14159 * 13**2
    for room, counts in zip(rooms, ({"free": 3, "taken": 1}, {"free": 0, "taken": 2}), strict=True):
        left, top, right, bottom = room.box_px
        inside = picture[top:bottom, left:right].astype(int)
        for kind, count in counts.items():
            area = (numpy.abs(inside - colors[kind]).max(axis=2) < 12).sum()
            assert area == pytest.approx(count * disc, rel=0.12, abs=5)


def test_a_shot_has_its_face_where_it_says_so_mirrored_too() -> None:
    original_shot, mirrored = (Shot("hopper", "No. 1", turned, 1.0) for turned in (False, True))
    assert original_shot.face[0] == pytest.approx(SHOT_PX[0] - mirrored.face[2])
    faces = [numpy.asarray(shot.draw().crop(shot.face)) for shot in (original_shot, mirrored)]
    assert numpy.abs(faces[0].astype(int) - faces[1][:, ::-1][: len(faces[0]), : faces[0].shape[1]]).mean() < 12
    assert all(Shot(who, "", mirrored=False, light=1.0).face[0] >= 0 for who in CUTS)
    both = draw_print([original_shot, mirrored])
    left, top = shot_corner(1)
    assert both.size == PRINT_PX
    assert both.getpixel((left + 5, top + 5)) == mirrored.draw().getpixel((5, 5))


def test_bars_of_code_39_are_those_of_the_standard() -> None:
    image = new_image(400, 60, (255, 255, 255))
    end = draw_code_39(get_pen(image), (10, 5), "A1", module_px=2, height_px=40)
    row = numpy.asarray(image.convert("L"))[20, 10 : round(end)] < 128
    widths = "".join("nw"[sum(1 for _ in bar) > 3] for _, bar in groupby(row))
    # * A 1 *, with a narrow gap between signs.
    assert widths == "n".join(("nwnnwnwnn", "wnnnnwnnw", "wnnwnnnnw", "nwnnwnwnn")) + "n"
    with pytest.raises(Problem, match="Code 39 has no"):
        draw_code_39(get_pen(image), (0, 0), "a")


def test_sentences_are_decoded_and_joined_with_silence_between(tmp_path: Path) -> None:
    paths = [VOICES / "opening.wav", VOICES / "closing.wav"]
    spoken = [len(load_sentence(path)) for path in paths]
    save_speech(paths, tmp_path / "sound.wav", random.Random(1))
    with wave.open(str(tmp_path / "sound.wav")) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, SAMPLE_RATE_HZ)
        samples = numpy.frombuffer(sound.readframes(sound.getnframes()), numpy.int16)
    assert len(samples) - sum(spoken) == pytest.approx(2 * SAMPLE_RATE_HZ, abs=SAMPLE_RATE_HZ / 2)
    assert numpy.abs(samples).max() == pytest.approx(0.7 * 32768, rel=0.05)
    assert all(len(load_sentence(path)) > SAMPLE_RATE_HZ for path in sorted(VOICES.glob("*.wav"))[:5])


def test_each_picture_and_sentence_has_its_source_in_the_readme() -> None:
    pictures = Path(yardkit.state_init.sight.__file__).parents[1] / "pictures"
    for folder in (pictures, VOICES):
        listed = (folder / "README.md").read_text("utf-8")
        assert [path.name for path in folder.iterdir() if path.suffix != ".md" and f"`{path.name}`" not in listed] == []
