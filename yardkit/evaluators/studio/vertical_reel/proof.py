"""Solutions and near misses of studio/vertical_reel."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import FilmEdit, film_edited, rewrite_film
from yardkit.evaluators.misses.film_paints import sound_late, with_title
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.films import find_views, level_film

FILM, SOURCE = "reel.mp4", "lake.mp4"
STEP_S, ROOM_PX = 0.5, 26
Box = tuple[float, float, float, float]
Piece = tuple[float, float, list[float]]
"""From when until when, and which part of the picture is kept."""


def solve(agent: Agent) -> str:
    """Find boat and black stretch, cut pieces in each of which the boat stays in one part, join, write, level, look."""
    return _make_reel(agent, size_px=30)


def alternative_larger_with_a_dark_box_by_another_encoder(agent: Agent, files: Path) -> str:
    """540 pixels wide, the title bold on a dark box; encoded anew with B-frames, peaks limited, as AAC adds to them."""
    answer = _make_reel(agent, 540, size_px=42, background="#101820", bold=True)
    options = (("preset", "fast"), ("crf", "21"), ("bf", "3"), ("threads", "1"))
    edit = FilmEdit(options=options, resound=lambda sound, _rate: 0.96 * sound / (1 + 0.4 * sound * sound))
    rewrite_film(files / FILM, files / FILM, edit)
    return f"It lasts\n\n**{answer}** seconds"


def alternative_nearer_to_the_boat(agent: Agent, _files: Path) -> str:
    """A smaller part is kept, the title is yellow and in another font."""
    return _make_reel(agent, retained_part=(256, 40, 496), size_px=32, font="Liberation Sans", color="#FFF0A0")


def _remake_reel(caught_by: Any, left: Callable[[Sequence[float], float], float], **changes: Any) -> Any:
    """The reel made anew from the film, with the part that begins at `left`, of the box of the boat and the time."""

    def cut_out(work: Solved) -> Any:
        boats = work.facts["boats"]

        def paint(picture: Any, time_s: float) -> Any:
            x = min(max(0, left(boats[round(time_s * 12)], time_s)), 960 - 304)
            return picture.crop((round(x), 0, round(x) + 304, 540)).resize((360, 640))

        return paint

    edit_changes: dict[str, Any] = {"without_s": lambda work: tuple(work.facts["black"]), "repaint": cut_out}
    return film_edited(FILM, caught_by, source=SOURCE, **{**edit_changes, **changes})


def _center_on_boat(boat: Sequence[float], _time_s: float) -> float:
    return (boat[0] + boat[2]) / 2 - 152


near_miss_the_middle_alone = _remake_reel("follows", lambda _boat, _time_s: 328)
near_miss_where_the_boat_was_first = _remake_reel(
    "follows", lambda boat, time_s: _center_on_boat(boat, time_s) if time_s < 3 else 0
)
near_miss_half_of_the_boat = _remake_reel("follows", lambda boat, time_s: _center_on_boat(boat, time_s) + 160)
near_miss_black_stretch_left_in = _remake_reel("black_gone", _center_on_boat, without_s=(0.0, 0.0))
near_miss_more_than_the_black_taken_out = _remake_reel(
    "black_gone", _center_on_boat, without_s=lambda work: (work.facts["black"][0] - 1.0, work.facts["black"][1])
)
near_miss_bars_above_and_below = _remake_reel(
    "undistorted",
    _center_on_boat,
    repaint=lambda picture, _time_s: picture.crop((0, -583, 960, 1123)).resize((360, 640)),
)
near_miss_squeezed_to_fit = _remake_reel(
    "undistorted", _center_on_boat, repaint=lambda picture, _time_s: picture.resize((360, 640))
)
near_miss_no_title = _remake_reel("title_shown", _center_on_boat)
near_miss_title_below_the_buttons = film_edited(FILM, "title_placed", repaint=with_title("On the lake", (60, 570), 3.2))
near_miss_title_at_the_very_edge = film_edited(FILM, "title_placed", repaint=with_title("On the lake", (4, 200), 3.2))
near_miss_title_stays = film_edited(FILM, "title_shown", repaint=with_title("On the lake", (60, 200), 99))
near_miss_as_soft_as_recorded = film_edited(FILM, "loud", resound=lambda sound, _rate: sound * 0.15)
near_miss_louder_than_wanted = film_edited(FILM, "loud", resound=lambda sound, _rate: sound * 2)
near_miss_sound_late = film_edited(FILM, "in_step", resound=sound_late(0.33))
near_miss_colours_of_no_browser = film_edited(FILM, "plays", pixels="yuv444p")
near_miss_film_deleted = misses.delete_file(SOURCE)
near_miss_length_of_the_film = misses.change_answer(lambda work: round(len(work.facts["boats"]) / 12, 1))
near_miss_not_looked_at = misses.never_inspected()


def _make_reel(agent: Agent, wide: int = 360, retained_part: tuple[int, int, int] = (304, 0, 540), **look: Any) -> str:
    """Make the reel; `kept`: how wide the part is that is kept, and its first and last row."""
    info, paths = agent.call("get_video_info", path=SOURCE), []
    quiet = agent.call("find_silence", path=SOURCE, below_dbfs=-60, at_least_s=1)["silences"][0]
    black = [round(quiet[side] * info["fps"]) / info["fps"] for side in ("start_s", "end_s")]
    for number, (start, end, box) in enumerate(_list_pieces(agent, black, info["duration_s"], retained_part)):
        paths.append(f"scratch/{number:02d}.mp4")
        agent.call("clip_video", path=SOURCE, target=paths[-1], start_s=start, end_s=end)
        agent.call("transform_video", path=paths[-1], target=paths[-1], bbox_px=box)
    agent.call("join_videos", paths=paths, target=FILM, width_px=wide, height_px=wide * 16 // 9)
    request = agent.call("read_file", path="request.txt")["content"]
    words = re.findall(r"\S+", re.search(r'Title: "(.+?)"', request)[1])  # type: ignore[index]
    text = f"{' '.join(words[:2])}\n{' '.join(words[2:])}"
    place = [0.45 * wide, 0.14 * (wide * 16 // 9)]
    agent.call(
        "add_video_text", path=FILM, target=FILM, text=text, end_s=3.2, place="top", position_px=place, **look
    )  # fmt: skip
    # The sound as it was recorded: that of the pieces was packed too often, and its peaks grew.
    for name, part in (("a", {"end_s": black[0]}), ("b", {"start_s": black[1], "end_s": info["duration_s"]})):
        agent.call("clip_audio", path=SOURCE, target=f"scratch/{name}.wav", **part)
    agent.call("join_audio", paths=["scratch/a.wav", "scratch/b.wav"], target="scratch/sound.wav")
    level_film(agent, FILM, "scratch/sound.wav", -14)
    agent.call("delete_path", path="scratch", recursive=True)
    agent.look("view_video", path=FILM, count=16)
    return f"{agent.call('get_video_info', path=FILM)['duration_s']:.1f}"


def _list_pieces(
    agent: Agent, black: Sequence[float], length_s: float, retained_part: tuple[int, int, int]
) -> list[Piece]:
    """Stretches without the black one, each as long as the boat stays in a part of the picture."""
    boats, (wide, top, bottom) = _find_boats(agent, black), retained_part
    return [
        (start, end, [left, top, left + wide, bottom])
        for part in ((0.0, black[0]), (black[1], length_s))
        for start, end, left in find_views(boats, part, wide, ROOM_PX, 960)
    ]


def _find_boats(agent: Agent, black: Sequence[float]) -> dict[float, tuple[float, float]]:
    """The left and right side of the boat at each time at which it was found, the likeliest one."""
    boats_by_time = {}
    for start, most in ((0.0, 200), (black[0] - 0.08, 1), (black[1] + 0.01, 1)):
        seen = agent.call(
            "detect_video_objects", path=SOURCE, classes=["boat"], every_s=STEP_S, start_s=start,
            min_confidence=0.15, limit=most,
        )  # fmt: skip
        for frame in seen["frames"]:
            if frame["objects"]:
                best = max(frame["objects"], key=lambda thing: thing["score"])
                boats_by_time[frame["time_s"]] = (best["box"][0], best["box"][2])
    return boats_by_time
