"""A song as a piano roll: time to the right, pitch upwards, a colour for each track."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.programs.bounded import run_bounded
from yardkit.servers.music.engine.instruments import drum_name, pitch_name
from yardkit.servers.music.engine.song import Note, Song, Track
from yardkit.world import FileRef, Problem, save_bytes
from yardkit.world.fonts import font_file
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

PRELOAD = ("PIL.Image", "PIL.ImageDraw", "PIL.ImageFont")
COLORS = ("#1f6fb4", "#d95f0e", "#2a9d4e", "#c0392b", "#7b52ab", "#8c6d31", "#d6569f", "#5f6b75", "#a5a522", "#17a2b8")
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 14, 30, 12
_LEGEND_LINE, _MIN_PITCHES = 20, 14
_WHITE, _BLACK, _BEAT, _BAR, _INK = "#ffffff", "#f1f2f4", "#e0e2e6", "#8a9099", "#333333"
_BLACK_KEYS = (1, 3, 6, 8, 10)
_SECONDS, _MEMORY_BYTES = 60.0, 1_000_000_000
_MAX_BARS = 400


@dataclass(frozen=True)
class PianoRoll:
    """A picture of notes.

    Attributes:
        picture: where it is.
        first_bar, last_bar: that it shows.
        notes: how many are in it.
        tracks: their colours.
        note: what of the music it does not show.
    """

    picture: FileRef
    first_bar: int
    last_bar: int
    notes: int
    tracks: dict[str, str]
    note: str = ""

    def __str__(self) -> str:
        colors = ", ".join(f"{name} {color}" for name, color in self.tracks.items())
        head = f"Saved {self.picture}: bars {self.first_bar} to {self.last_bar}, {self.notes} notes; {colors}"
        return "\n".join([head, *([self.note] if self.note else [])])


def bar_range(song: Song, first: int, last: int | None) -> tuple[int, int]:
    """First and last bar, both in the song.

    Raises:
        Problem: there are none such.
    """
    count = len(song.bars) - 1
    end = count if last is None else min(last, count)
    if first > count or end < first:
        raise Problem(f"there are no bars {first} to {last or count}; the music has bars 1 to {count}")
    return first, end


def draw_roll(song: Song, target: Path, first: int, last: int | None, size: tuple[int, int]) -> PianoRoll:
    """Draw the notes of some bars.

    Raises:
        Problem: the name is not that of a PNG, there are no such bars, or more than 400.
    """
    if target.suffix.lower() != ".png":
        raise Problem(f"{target.name!r} must end with .png")
    first, end = bar_range(song, first, last)
    if end - first >= _MAX_BARS:
        raise Problem(f"bars {first} to {end} are more than {_MAX_BARS}; draw them in parts")
    begin, until = song.bars[first - 1], song.bars[end]
    visible_notes = [
        (f"{number} {track.label}", track, [note for note in track.notes if note.start < until and note.end > begin])
        for number, track in enumerate(song.tracks, start=1)
    ]
    visible_notes = [row for row in visible_notes if row[2]]
    beats = _list_beats(song, first, end)
    data: bytes = run_bounded(
        _draw_roll, visible_notes, beats, (begin, until), size, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES
    )
    save_bytes(target, data)
    colors = {name: COLORS[index % len(COLORS)] for index, (name, _, _) in enumerate(visible_notes)}
    visible_count = sum(len(notes) for _, _, notes in visible_notes)
    return PianoRoll(FileRef.from_path(target), first, end, visible_count, colors, _describe_unseen(song))


def _describe_unseen(song: Song) -> str:
    """What of the music no piano roll shows, and what of the file was left out."""
    lyrics = sum(len(track.lyrics) for track in song.tracks)
    unseen = [
        *([format_count(lyrics, "syllable")] if lyrics else []),
        *([format_count(len(song.tempos) - 1, "change") + " of tempo"] if len(song.tempos) > 1 else []),
    ]
    return "\n".join([*([f"Not shown: {', '.join(unseen)}."] if unseen else []), *song.ignored])


def _list_beats(song: Song, first: int, last: int) -> list[tuple[int, int]]:
    """Ticks of beats, with the number of the bar where one begins, else 0."""
    beats = []
    for bar in range(first, last + 1):
        start, end = song.bars[bar - 1], song.bars[bar]
        step = max(1, song.ticks * 4 // song.meter_at(start).unit)
        beats += [(tick, bar if tick == start else 0) for tick in range(start, end, step)]
    return beats


_VisibleTrack = tuple[str, Track, list[Note]]


def _draw_roll(
    visible_notes: list[_VisibleTrack], beats: list[tuple[int, int]], span: tuple[int, int], size: tuple[int, int]
) -> bytes:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", size, _WHITE)
    draw = ImageDraw.Draw(image)
    legend = _draw_legend(draw, visible_notes, size)
    pitched = [note.pitch for _, track, notes in visible_notes if not track.is_drums for note in notes]
    drums = sorted({note.pitch for _, track, notes in visible_notes if track.is_drums for note in notes})
    low, high = _get_pitch_range(pitched)
    rows = (high - low + 1 if pitched else 0) + len(drums)
    area = (_LEFT, _TOP, size[0] - _RIGHT, size[1] - _BOTTOM - legend)
    height = (area[3] - area[1]) / max(1, rows)
    top_of = {("note", pitch): area[1] + (high - pitch) * height for pitch in range(low, high + 1)} if pitched else {}
    for index, pitch in enumerate(reversed(drums)):
        top_of["drum", pitch] = area[3] - (index + 1) * height
    _draw_lanes(draw, top_of, height, area)
    scale = (area[2] - area[0]) / max(1, span[1] - span[0])
    _draw_lines(draw, beats, lambda tick: area[0] + (tick - span[0]) * scale, area)
    taken: dict[tuple[str, int], list[Note]] = {}
    for index, (_, track, notes) in enumerate(visible_notes):
        kind = "drum" if track.is_drums else "note"
        for note in notes:
            left = area[0] + (max(note.start, span[0]) - span[0]) * scale
            right = max(left + 2, area[0] + (min(note.end, span[1]) - span[0]) * scale - 1)
            y = top_of[kind, note.pitch]
            # What lies over a note of another track is half as high, so that both are seen.
            half = any(
                taken_note.start < note.end and taken_note.end > note.start
                for taken_note in taken.get((kind, note.pitch), ())
            )
            top = y + (height / 2 if half else 1)
            color, line = _shade_color(COLORS[index % len(COLORS)], note.velocity), "#202020" if height > 5 else None
            draw.rectangle((left, top, right, max(top + 1, y + height - 1)), fill=color, outline=line)
        for note in notes:
            taken.setdefault((kind, note.pitch), []).append(note)
    packed = io.BytesIO()
    image.save(packed, "PNG")
    return packed.getvalue()


def _get_pitch_range(pitches: list[int]) -> tuple[int, int]:
    if not pitches:
        return 0, -1
    low, high = min(pitches) - 1, max(pitches) + 1
    missing = max(0, _MIN_PITCHES - (high - low + 1))
    return max(0, low - missing // 2), min(127, high + (missing + 1) // 2)


def _draw_lanes(
    draw: "ImageDraw", top_of: dict[tuple[str, int], float], height: float, area: tuple[int, int, int, int]
) -> None:
    """A lane for each pitch, dark for the black keys, named as far as there is room."""
    size = max(9, min(13, int(height)))
    for (kind, pitch), y in top_of.items():
        if kind == "note":
            dark = pitch % 12 in _BLACK_KEYS
            draw.rectangle((area[0], y, area[2], y + height), fill=_BLACK if dark else _WHITE)
            if pitch % 12 == 0:
                draw.line((area[0], y + height, area[2], y + height), fill="#c4c8ce")
            named = pitch % 12 == 0 or (height >= 11 and not dark)
            words = pitch_name(pitch) if named else ""
        else:
            draw.rectangle((area[0], y, area[2], y + height), fill="#fbf7ee", outline="#eee6d4")
            words = drum_name(pitch).replace("_", " ") if height >= 9 else ""
        if words:
            draw.text((area[0] - 5, y + height / 2), words[:10], fill=_INK, font=_load_font(size), anchor="rm")


def _draw_lines(draw: "ImageDraw", beats: list[tuple[int, int]], x_of: Any, area: tuple[int, int, int, int]) -> None:
    """Lines of bars with their numbers, and of beats where they are not too close."""
    bars = [tick for tick, bar in beats if bar]
    wide = (area[2] - area[0]) / max(1, len(bars))
    every = next(step for step in (1, 2, 4, 5, 10, 20, 50, 100, 200, 400) if step * wide >= 26 or step == 400)
    close = (area[2] - area[0]) / max(1, len(beats)) < 6
    for tick, bar in beats:
        x = x_of(tick)
        if bar:
            draw.line((x, area[1] - 4, x, area[3]), fill=_BAR)
            if (bar - 1) % every == 0:
                draw.text((x + 3, area[1] - 5), str(bar), fill=_INK, font=_load_font(13), anchor="ls")
        elif not close:
            draw.line((x, area[1], x, area[3]), fill=_BEAT)
    draw.rectangle(area, outline=_BAR)


def _draw_legend(draw: "ImageDraw", visible_notes: list[_VisibleTrack], size: tuple[int, int]) -> int:
    """Colours and names of tracks at the foot; how high that is."""
    font = _load_font(13)
    places, x, line = list[tuple[float, int, str, str]](), float(_LEFT), 0
    for index, (name, _, _) in enumerate(visible_notes):
        words = name[:32]
        wide = 34 + draw.textlength(words, font=font)
        if x + wide > size[0] - _RIGHT and x > _LEFT:
            x, line = float(_LEFT), line + 1
        places.append((x, line, COLORS[index % len(COLORS)], words))
        x += wide
    height = min((line + 1) * _LEGEND_LINE + 6, size[1] // 3)
    for x, row, color, words in places:
        y = size[1] - height + row * _LEGEND_LINE + 4
        draw.rectangle((x, y, x + 14, y + 12), fill=color)
        draw.text((x + 19, y + 6), words, fill=_INK, font=font, anchor="lm")
    return height


def _shade_color(color: str, velocity: int) -> str:
    """A colour that is paler for a soft note."""
    share = 0.55 + 0.45 * min(1.0, velocity / 100)
    parts = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)


def _load_font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(str(font_file("DejaVu Sans")), size)
