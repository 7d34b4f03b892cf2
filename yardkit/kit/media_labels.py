"""What a film or a sound says of itself: tags and chapters, which changes keep.

Chapters stand as CHAP frames (ID3v2) in MP3, as a list and a track of chapters in M4A and MP4, as comments in Ogg.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from yardkit.kit.containers import find_origin, moving_pictures, read_tags
from yardkit.kit.films import opened_film
from yardkit.kit.sounds import open_container, sound_track
from yardkit.world.limits import check_bytes

WITH_CHAPTERS = (".mp3", ".m4a", ".ogg", ".opus")
"""Sounds that can hold chapters."""
_TECHNICAL = ("compatible_brands", "encoder", "handler_name", "major_brand", "minor_version", "vendor_id", "timecode")
_MAX_TAGS = 40
TICK = Fraction(1, 1000)
"""In which times of chapters are written."""


@dataclass(frozen=True)
class Chapter:
    """A chapter; it goes to the beginning of the next.

    Attributes:
        start_s: where it begins.
        title: of it.
    """

    start_s: Annotated[float, Field(ge=0, description="Start of the chapter.")]
    title: Annotated[str, Field(max_length=300, description="Title of the chapter.")]


@dataclass(frozen=True)
class Labels:
    """Tags and chapters of a file.

    Attributes:
        tags: such as title, artist, by FFmpeg's names.
        chapters: by time.
        end_s: where the last chapter ends.
    """

    tags: dict[str, str] = field(default_factory=dict)
    chapters: tuple[Chapter, ...] = ()
    end_s: float = 0.0

    def of_part(self, start_s: float, end_s: float | None) -> "Labels":
        """Those of a part, with times from its beginning; the chapter that had begun before goes on there."""
        end = self.end_s if end_s is None else min(end_s, self.end_s)
        before = [chapter for chapter in self.chapters if chapter.start_s <= start_s][-1:]
        inside = [chapter for chapter in self.chapters if start_s < chapter.start_s < end]
        moved = [replace(chapter, start_s=max(0.0, chapter.start_s - start_s)) for chapter in [*before, *inside]]
        return Labels(self.tags, tuple(moved), end - start_s)

    def move_times(self, place: Callable[[float], float]) -> "Labels":
        """Those of the same sound with its times at other places, in the same order."""
        there = [replace(chapter, start_s=place(chapter.start_s)) for chapter in self.chapters]
        return Labels(self.tags, tuple(there), place(self.end_s))

    def __str__(self) -> str:
        tags = [f"- {name}: {text}" for name, text in self.tags.items()]
        return "\n".join([*tags, *(f"- chapter at {mark.start_s:.2f} s: {mark.title}" for mark in self.chapters)])


def read_labels(path: Path) -> Labels:
    """Tags and chapters of a file.

    Raises:
        Problem: it is not a sound.
    """
    check_bytes(path)
    with path.open("rb") as file, open_container(file, path) as container:
        return labels_in(container, sound_track(container, path))


def read_film_labels(path: Path) -> Labels:
    """Tags and chapters of a film.

    Raises:
        Problem: it is not a film.
    """
    with opened_film(path) as (container, _):
        return labels_in(container, None)


def labels_in(container: Any, track: Any) -> Labels:
    """Tags and chapters of an open file; long ones are cut, and what a program noted for itself is left out.

    Tags of a sound may stand at its track, as in Ogg; those of a film's tracks are about the tracks.
    """
    is_film = bool(moving_pictures(container))
    origin = find_origin(container) if is_film else 0.0
    of_track = {} if track is None or is_film else track.metadata
    given = read_tags({**container.metadata, **of_track})
    tag_texts = {name.lower(): " ".join(value.split()) for name, value in given.items()}
    names = [name for name in sorted(tag_texts) if name not in _TECHNICAL and tag_texts[name] not in ("", "und")]
    marks = sorted(container.chapters(), key=lambda mark: mark["start"] * mark["time_base"])
    chapters = [_read_chapter(mark, origin) for mark in marks]
    return Labels(
        {name[:40]: tag_texts[name][:2000] for name in names[:_MAX_TAGS]},
        tuple(chapters),
        float(marks[-1]["end"] * marks[-1]["time_base"]) - origin if marks else 0.0,
    )


def _read_chapter(mark: Any, origin: float) -> Chapter:
    start_s = max(0.0, float(mark["start"] * mark["time_base"]) - origin)
    return Chapter(start_s, " ".join(read_tags(mark["metadata"]).get("title", "").split())[:300])


def write_labels(container: Any, labels: Labels, suffix: str) -> None:
    """Set tags and, where the kind of file has them, chapters in a container to which nothing was written yet."""
    container.metadata.update(labels.tags)
    if not labels.chapters or suffix not in (*WITH_CHAPTERS, ".mp4"):
        return
    if suffix in (".ogg", ".opus"):  # FFmpeg rounds the seconds of these up
        container.metadata.update(_format_comments(labels.chapters))
        return
    starts = [round(chapter.start_s / TICK) for chapter in labels.chapters]
    ends = [*starts[1:], max(round(labels.end_s / TICK), starts[-1])]
    container.set_chapters(
        [
            {"id": number, "start": start, "end": end, "time_base": TICK, "metadata": {"title": chapter.title}}
            for number, (chapter, start, end) in enumerate(zip(labels.chapters, starts, ends, strict=True))
        ]
    )


def _format_comments(chapters: Sequence[Chapter]) -> dict[str, str]:
    """Chapters as comments of Vorbis and Opus (wiki.xiph.org/Chapter_Extension)."""
    comments = dict[str, str]()
    for number, chapter in enumerate(chapters):
        ms = round(chapter.start_s / TICK)
        clock = f"{ms // 3_600_000:02d}:{ms // 60_000 % 60:02d}:{ms // 1000 % 60:02d}.{ms % 1000:03d}"
        comments |= {f"CHAPTER{number:03d}": clock, f"CHAPTER{number:03d}NAME": chapter.title}
    return comments
