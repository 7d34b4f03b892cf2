"""Shared steps of reference solutions about films, using only tool calls."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.readers.media.films import Cue
from yardkit.evaluators.solving.solver import read_full_text


def read_srt(agent: Agent, path: str) -> list[Cue]:
    """Read the subtitles of an SRT file."""
    blocks = (block.split("\n") for block in read_full_text(agent, path).strip().split("\n\n"))
    subtitles = []
    for _, times, *words in blocks:
        start, end = map(_to_seconds, times.split(" --> "))
        subtitles.append(Cue(start, end, " ".join(words)))
    return subtitles


def _to_seconds(text: str) -> float:
    hours, minutes, seconds = text.replace(",", ".").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def to_webvtt(cues: Sequence[Cue]) -> str:
    """Format cues of less than an hour as a WebVTT file."""
    times = ([f"00:{int(at // 60):02d}:{at % 60:06.3f}" for at in (cue.start_s, cue.end_s)] for cue in cues)
    return "WEBVTT\n\n" + "\n".join(
        f"{start} --> {end}\n{cue.text}\n" for (start, end), cue in zip(times, cues, strict=True)
    )


def in_parts(cue: Cue, longest: int) -> list[Cue]:
    """Split a subtitle into parts of similar length, with a maximum of letters, each with its share of the time."""
    count = -(-len(cue.text) // longest)
    texts: list[str] = []
    for word in cue.text.split():
        if texts and len(texts[-1]) + 1 + len(word) <= -(-len(cue.text) // count) + 4:
            texts[-1] += f" {word}"
        else:
            texts.append(word)
    parts, start = [], cue.start_s
    for text in texts:
        end = start + (cue.end_s - cue.start_s) * len(text) / sum(map(len, texts))
        parts.append(Cue(start, end, text))
        start = end
    return parts


def level_film(agent: Agent, path: str, sound: str, loudness_lufs: float) -> None:
    """Give a film this sound, a WAV file, at a loudness and with true peaks below -1 dBTP, also after encoding."""
    level = f"{sound.removesuffix('.wav')}_level.wav"
    # Lossy encoding raises true peaks by an amount that is not known before, so try lower targets.
    for peak in (-1.5, -2.5, -3.5):
        loudness_settings = {"loudness_lufs": loudness_lufs, "true_peak_dbtp": peak}
        agent.call("normalize_loudness", path=sound, target=level, **loudness_settings)
        agent.call("replace_video_sound", path=path, source=level, target=path)
        if agent.call("get_audio_info", path=path)["levels"]["true_peak_dbtp"] <= -1.2:
            return


Sides = tuple[float, float]


def find_views(
    seen: Mapping[float, Sides], part: Sides, wide: int, room: int, full_size: int
) -> list[tuple[float, float, int]]:
    """Find the parts of a film in each of which a moving object stays in one view: start, end, and the view's position.

    Args:
        seen: its left and right side by time.
        part: the start and end of the part of the film.
        wide: the width of a view.
        room: the space to keep on each side.
        full_size: the width of the picture.
    """
    start, end = part
    times = [start, *(time for time in sorted(seen) if start + 0.2 < time < end - 0.2), end]
    views, first, sides = [], start, list(_sides_at(seen, start))
    for time, after in pairwise(times):
        more = [*sides, *_sides_at(seen, after)]
        if max(more) - min(more) > wide - 2 * room and time > first:
            views.append((first, time, _left_of(sides, wide, full_size)))
            first, more = time, [*_sides_at(seen, time), *_sides_at(seen, after)]
        sides = more
    return [*views, (first, end, _left_of(sides, wide, full_size))]


def _sides_at(seen: Mapping[float, Sides], time_s: float) -> Sides:
    """Interpolate both sides at a time between those at which it was seen."""
    before = max((time for time in seen if time <= time_s), default=min(seen))
    after = min((time for time in seen if time >= time_s), default=max(seen))
    share = (time_s - before) / (after - before) if after > before else 0.0
    left, right = (
        first_side + share * (other - first_side) for first_side, other in zip(seen[before], seen[after], strict=True)
    )
    return left, right


def _left_of(sides: Sequence[float], wide: int, full_size: int) -> int:
    """Return the left side, an even number, of a view that has all of these in its middle."""
    return min(max(0, round((min(sides) + max(sides) - wide) / 4) * 2), full_size - wide)


_SHEET, _PER_ROW, _CELL_PX, _GAP_PX = 48, 6, (190, 50), 12


def read_over_time(agent: Agent, path: str, box: Sequence[float], every_s: float) -> list[tuple[float, str]]:
    """Read the text in a box of a film, as one line, at each interval, from contact sheets of many frames.

    Files remain in the folder ``scratch``.
    """
    agent.call("transform_video", path=path, target="scratch/part.mp4", bbox_px=list(box))
    saved = agent.call("extract_video_frames", path="scratch/part.mp4", folder="scratch/part", every_s=every_s)
    paths = [frame["path"] for frame in saved["frames"]]
    texts_by_time: dict[int, str] = {}
    for first in range(0, len(paths), _SHEET):
        some = {"paths": paths[first : first + _SHEET], "target": "scratch/sheet.png"}
        agent.call("make_collage", **some, per_row=_PER_ROW, cell_px=list(_CELL_PX), gap_px=_GAP_PX)
        for piece in agent.call("read_image_text", path="scratch/sheet.png")["pieces"]:
            x, y = ((piece["bbox_px"][side] + piece["bbox_px"][side + 2]) / 2 for side in (0, 1))
            row, column = int(y // (_CELL_PX[1] + _GAP_PX)), int(x // (_CELL_PX[0] + _GAP_PX))
            number = first + row * _PER_ROW + column
            texts_by_time[number] = f"{texts_by_time.get(number, '')} {piece['text']}".strip()
    return [(saved["times_s"][number], texts_by_time[number]) for number in sorted(texts_by_time)]
