"""Solutions and near misses of studio/customer_clip."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import FilmEdit, film_edited, rewrite_film
from yardkit.evaluators.misses.edits import make_miss
from yardkit.evaluators.misses.film_paints import sound_late, with_subtitles
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.readers.media.films import Cue
from yardkit.evaluators.solving.films import in_parts, read_srt, to_webvtt

FILM, CUES, RECORDING = "clip.mp4", "clip.vtt", "customer_hour.mp4"
TOPICS = {"slow": "slower", "pump": "noise of the pump"}
"""What she asks for, and the sentence by which the question is known."""
NEXT = re.compile(r"question|Before we go on|Thank you")
WIDTHS = (640, 520, 480, 440, 400)
MAX_BYTES, BEFORE_S, BEHIND_S = 450_000, 0.25, 0.35
PACKED = (("preset", "medium"), ("crf", "29"), ("threads", "1"))


def solve(agent: Agent) -> str:
    """Cut, write the subtitles in parts with times of the clip, make it smaller until it fits, set them in, look."""
    lines, begin = _plan_subtitles(agent)
    for width in WIDTHS:
        _cut_clip(agent, lines, begin)
        agent.call("transform_video", path=FILM, target=FILM, width_px=width)
        height = agent.call("get_video_info", path=FILM)["height_px"]
        agent.call("add_video_subtitles", path=FILM, source=CUES, target=FILM, size_px=round(height / 13.5))
        if agent.call("get_video_info", path=FILM)["size_bytes"] < MAX_BYTES:
            break
    return _verify_clip(agent, begin)


def alternative_in_boxes_one_by_one(agent: Agent, files: Path) -> str:
    """Each subtitle is a text on a dark box, bold and in another font; hours in the cues are left out."""
    lines, begin = _plan_subtitles(agent, longest=44)
    _cut_clip(agent, lines, begin)
    agent.call("transform_video", path=FILM, target=FILM, width_px=440)
    for line in _shift_cues(lines, -begin):
        agent.call(
            "add_video_text", path=FILM, target=FILM, text=line.text, start_s=line.start_s, end_s=line.end_s,
            size_px=19, font="Liberation Sans", bold=True, color="#FFF3A0", background="#000000", margin_px=8,
        )  # fmt: skip
    cues = (files / CUES).read_text("utf-8").replace("00:00:", "00:").replace("\n", "\r\n")
    (files / CUES).write_text(cues, "utf-8", newline="")
    return f"The clip begins at\n\n{_verify_clip(agent, begin)}"


def alternative_as_large_as_recorded_by_another_program(agent: Agent, files: Path) -> str:
    """Subtitles drawn by Pillow, frames as large as before, packed more tightly by another encoder."""
    lines, begin = _plan_subtitles(agent)
    _cut_clip(agent, lines, begin)
    paint = with_subtitles(lines, width=640, size=27)
    rewrite_film(files / RECORDING, files / FILM, FilmEdit(begin, lines[-1].end_s + 0.2, repaint=paint, options=PACKED))
    return _verify_clip(agent, begin)


def _remake_clip(
    caught_by: str, change: Callable[[list[Cue]], list[Cue]] = list, before: float = BEFORE_S, behind: float = BEHIND_S,
    letters: Mapping[str, int] | None = None, **edit: Any,
) -> Any:  # fmt: skip
    """The clip made anew from the recording, with its subtitles changed."""

    def corrupt_world(work: Solved) -> None:
        begin, end = (work.facts["sentences"][0]["start_s"] - before, work.facts["sentences"][-1]["end_s"] + behind)
        paint = with_subtitles(change(_lines_of(work)), **(letters or {}))
        film_edit = FilmEdit(begin, end, repaint=paint, **{"options": PACKED, **edit})
        rewrite_film(work.files / RECORDING, work.files / FILM, film_edit)

    return make_miss(caught_by, corrupt_world)


def _lines_of(work: Solved) -> list[Cue]:
    cues = [Cue(sentence["start_s"], sentence["end_s"], sentence["text"]) for sentence in work.facts["sentences"]]
    return [part for line in cues for part in in_parts(line, 64)]


def _shift_cues(lines: Sequence[Cue], late_s: float) -> list[Cue]:
    return [Cue(line.start_s + late_s, line.end_s + late_s, line.text) for line in lines]


def _swap_texts(lines: list[Cue]) -> list[Cue]:
    """The texts of all cues in the opposite order."""
    return [Cue(line.start_s, line.end_s, other.text) for line, other in zip(lines, lines[::-1], strict=True)]


def _join_long_sentence(lines: list[Cue]) -> list[Cue]:
    """The long sentence in one piece."""
    return [lines[0], Cue(lines[1].start_s, lines[-2].end_s, " ".join(line.text for line in lines[1:-1])), lines[-1]]


near_miss_times_of_the_recording = _remake_clip("shown", lambda lines: _shift_cues(lines, lines[0].start_s))
near_miss_subtitles_late = _remake_clip("shown", lambda lines: _shift_cues(lines, 0.8))
near_miss_long_sentence_in_three_lines = _remake_clip("readable", _join_long_sentence)
near_miss_long_sentence_runs_out_of_the_picture = _remake_clip("readable", _join_long_sentence, letters={"most": 1})
near_miss_letters_of_the_usual_size = _remake_clip("readable", letters={"size": 12})
near_miss_words_of_other_sentences = _remake_clip("same_words", _swap_texts)
near_miss_question_not_left_out = _remake_clip("passage", before=2.2)
near_miss_last_word_cut_off = _remake_clip("passage", behind=-0.5)
near_miss_too_large_for_the_mail = _remake_clip("small", options=(("preset", "ultrafast"), ("crf", "4")))
near_miss_sound_late = _remake_clip("in_step", resound=sound_late(0.33))
near_miss_colours_of_no_browser = film_edited(FILM, "plays", pixels="yuv444p")
near_miss_recording_deleted = misses.delete_file(RECORDING)
near_miss_where_the_question_begins = misses.change_answer(lambda work: round(work.facts["before_s"] - 2.5, 1))
near_miss_cues_with_times_of_the_recording = misses.text_changed(
    CUES, lambda _, work: to_webvtt(_lines_of(work)), "cues"
)
near_miss_cues_of_the_draft = misses.text_changed(CUES, ("the ", "teh "), "cues")


def _plan_subtitles(agent: Agent, longest: int = 64) -> tuple[list[Cue], float]:
    """The subtitles with times of the recording, and where the clip begins."""
    asked = agent.call("read_file", path="assignment.txt")["content"]
    topic = next(sign for word, sign in TOPICS.items() if re.search(rf"asks why[^.]*{word}", asked))
    spoken_cues = read_srt(agent, "customer_hour.srt")
    first = 1 + next(at for at, line in enumerate(spoken_cues) if topic in line.text)
    last = next(at for at in range(first, len(spoken_cues)) if NEXT.search(spoken_cues[at].text))
    return [part for line in spoken_cues[first:last] for part in in_parts(line, longest)], spoken_cues[
        first
    ].start_s - BEFORE_S


def _cut_clip(agent: Agent, lines: Sequence[Cue], begin: float) -> None:
    agent.call("clip_video", path=RECORDING, target=FILM, start_s=begin, end_s=lines[-1].end_s + BEHIND_S)
    agent.call("write_file", path=CUES, content=to_webvtt(_shift_cues(lines, -begin)))


def _verify_clip(agent: Agent, begin: float) -> str:
    """Look at the clip and hear whether its first and last words are whole; the answer."""
    agent.look("view_video", path=FILM, count=12)
    agent.call("transcribe_speech", path=FILM, language="en")
    return f"{begin:.1f}"
