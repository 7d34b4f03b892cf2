"""Solutions and near misses of studio/narrated_slideshow."""

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import FilmEdit, film_edited, rewrite_film
from yardkit.evaluators.misses.film_paints import dim_picture, in_turn, sound_late
from yardkit.evaluators.proof import Agent, Solved

FILM, NARRATION = "slideshow.mp4", "narration.wav"
WIDE = (640, 360)
FADE_S = 0.4


def solve(agent: Agent) -> str:
    """Hear when each picture is spoken of, change in the middle of the pauses, look, and hear whether it is in step."""
    return _make_slideshow(agent)


def alternative_short_fades_on_blue_by_another_encoder(agent: Agent, files: Path) -> str:
    """The pictures on blue, larger; each comes just before its words; the film is encoded anew with B-frames."""
    answer = _make_slideshow(agent, share=0.8, fade_s=0.24, wide=(960, 540), background="#203050")
    slower = (("preset", "fast"), ("crf", "27"), ("bf", "3"), ("threads", "1"))
    rewrite_film(files / FILM, files / FILM, FilmEdit(options=slower))
    return f"The film has this many seconds:\n**{answer} s**"


def alternative_through_black(agent: Agent, files: Path) -> str:
    """Each picture goes into black and the next one comes out of it, right after the words."""
    answer = _make_slideshow(agent, share=0.3, fade_s=0.0)
    changes = _list_change_times(agent, 0.3)[1:-1]

    def through_black(picture: Any, time_s: float) -> Any:
        near = min(abs(time_s + 0.02 - change) for change in changes)
        return dim_picture(picture, near / 0.2)

    rewrite_film(files / FILM, files / FILM, FilmEdit(repaint=through_black))
    return answer


def _as_planned(work: Solved, starts: Callable[[Sequence[Any], float], Sequence[float]], **look: Any) -> Any:
    """Paints the film anew: which picture begins when, by the parts and the length of the film."""
    parts, length = work.facts["parts"], work.facts["length_s"]
    stills = [_load_still(work.files / part["picture"], **look) for part in parts]
    return in_turn(stills, starts(parts, length), length, FADE_S)


def _load_still(path: Path, *, stretched: bool = False, upright: bool = True) -> Any:
    from PIL import Image, ImageOps

    with Image.open(path) as opened:
        picture = (ImageOps.exif_transpose(opened) if upright else opened).convert("RGB")
    return picture.resize(WIDE) if stretched else ImageOps.pad(picture, WIDE)


def _in_pauses(parts: Sequence[Any], _length: float) -> list[float]:
    ends = [(spoken_part["end_s"] + other["start_s"] - FADE_S) / 2 for spoken_part, other in pairwise(parts)]
    return [0.0, *ends]


def _space_equally(parts: Sequence[Any], length: float) -> list[float]:
    return [length * number / len(parts) for number in range(len(parts))]


def _space_with_drift(parts: Sequence[Any], length: float) -> list[float]:
    """Each crossfade was forgotten: it takes its time from the next picture."""
    return [start - 3 * FADE_S * number for number, start in enumerate(_in_pauses(parts, length))]


def _remake_film(caught_by: str, starts: Callable[..., Any] = _in_pauses, **look: Any) -> Any:
    return film_edited(FILM, caught_by, repaint=lambda work: _as_planned(work, starts, **look))


near_miss_equal_lengths = _remake_film("while_spoken", _space_equally)
near_miss_crossfades_not_counted = _remake_film("while_spoken", _space_with_drift)
near_miss_portraits_stretched = _remake_film("while_spoken", stretched=True)
near_miss_lying_on_its_side = _remake_film("while_spoken", upright=False)
near_miss_first_words_cut_off = film_edited(FILM, ("in_step", "length"), start_s=1.5)
near_miss_sound_a_little_late = film_edited(FILM, "in_step", resound=sound_late(0.3))
near_miss_in_colours_of_no_browser = film_edited(FILM, "plays", pixels="yuv444p")
near_miss_a_film_of_a_phone = film_edited(FILM, "plays", repaint=lambda picture, _time_s: picture.resize((480, 270)))
near_miss_photo_deleted = misses.delete_file("photos/*.jpg")
near_miss_length_of_the_words_alone = misses.change_answer(lambda work: work.facts["parts"][-1]["end_s"])


def _make_slideshow(
    agent: Agent,
    share: float = 0.5,
    fade_s: float = FADE_S,
    wide: tuple[int, int] = WIDE,
    background: str = "",
) -> str:
    """Make the film, with each change at a share of its pause; the length of it."""
    changes = _list_change_times(agent, share)
    pictures = [f"photos/{name}" for name, _ in _read_script(agent)]
    if background:
        for path in pictures:
            agent.call(
                "resize_image", path=path, target=f"scratch/{path}", width_px=wide[0], height_px=wide[1],
                fit="pad", background=background,
            )  # fmt: skip
        pictures = [f"scratch/{path}" for path in pictures]
    starts = [0.0, *(change - fade_s / 2 for change in changes[1:-1])]
    ends = [*(change + fade_s / 2 for change in changes[1:-1]), changes[-1]]
    agent.call(
        "make_slideshow",
        paths=pictures,
        target=FILM,
        seconds_each=[round(end - start, 3) for start, end in zip(starts, ends, strict=True)],
        crossfade_s=fade_s,
        source=NARRATION,
        width_px=wide[0],
        height_px=wide[1],
        fps=25 if background else 15,
    )
    if background:
        agent.call("delete_path", path="scratch", recursive=True)
    agent.call("transform_video", path=FILM, target=FILM, fade_in_s=0.6, fade_out_s=0.8)
    agent.look("view_video", path=FILM, count=16)
    heard = agent.call("compare_audio", path=NARRATION, other=FILM)
    if abs(heard["offset_s"]) > 0.05:
        raise AssertionError(f"the narration is {heard['offset_s']} s late")
    return f"{changes[-1]:.1f}"


def _read_script(agent: Agent) -> list[tuple[str, list[str]]]:
    """The pictures in order, each with its words."""
    blocks = agent.call("read_document", path="script.docx")["blocks"]
    rows = next(block["rows"] for block in blocks if block.get("rows"))
    return [(row[0], re.findall(r"\w+", row[1].casefold())) for row in rows[1:]]


def _list_change_times(agent: Agent, share: float) -> list[float]:
    """When pictures change, with the beginning and the end of the film."""
    quiet = agent.call("find_silence", path=NARRATION, at_least_s=0.4)
    heard = agent.call("transcribe_speech", path=NARRATION, language="en", words=True)
    words = [word for segment in heard["segments"] for word in segment["words"]]
    spoken_words = ["".join(re.findall(r"\w", word["text"].casefold())) for word in words]
    script = _read_script(agent)
    written = [(part, word) for part, (_, part_words) in enumerate(script) for word in part_words]
    times_by_part: dict[int, list[float]] = {}
    for block in SequenceMatcher(
        None, [word for _, word in written], spoken_words, autojunk=False
    ).get_matching_blocks():
        for at in range(block.size):
            word = words[block.b + at]
            times_by_part.setdefault(written[block.a + at][0], []).append((word["start_s"] + word["end_s"]) / 2)
    changes = [0.0]
    for part in range(len(script) - 1):
        between = times_by_part[part][-1], times_by_part[part + 1][0]
        pause = next(
            silence
            for silence in quiet["silences"]
            if between[0] < silence["start_s"] + 0.3 and silence["end_s"] - 0.3 < between[1]
        )
        changes.append(pause["start_s"] + share * (pause["end_s"] - pause["start_s"]))
    return [*changes, quiet["duration_s"]]
