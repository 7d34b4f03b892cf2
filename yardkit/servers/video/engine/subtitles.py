"""Subtitles: read from files, put into a video as a track that viewers switch on and off, taken out of one."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.kit.films import opened_film
from yardkit.kit.media_labels import read_film_labels, write_labels
from yardkit.programs.bounded import run_bounded
from yardkit.servers.video.engine.changes import (
    PROCESS_BYTES,
    PROCESS_S,
    ChangedVideo,
    VideoResult,
    copy_tracks,
    write_in_process,
)
from yardkit.servers.video.engine.streams import COPIED_PICTURES, seconds_of, shape_of
from yardkit.world import FileRef, Problem, save_text
from yardkit.world.limits import check_bytes

PRELOAD = ("numpy", "av")
"""What the process that works on videos keeps loaded."""
MAX_SUBTITLES = 5000
_TIME = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})")
_TAGS = re.compile(r"<[^>]{0,80}>|\{\\[^}]{0,80}\}")
_TICKS = 1000
"""Units of time in a track, a second."""
_LONGEST = 2000
"""Bytes of one subtitle."""
_FONT = b"""[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour
Style: Default,Arial,16,&Hffffff
"""
"""In SubStation Alpha, of which FFmpeg's writer of tracks makes the head of one; players have looks of their own."""


@dataclass(frozen=True)
class Subtitle:
    """A subtitle: seconds from the beginning, and its lines."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class SavedSubtitles:
    """Subtitles that were taken out of a video.

    Attributes:
        subtitles: where they are.
        count: how many.
        language: of the track, as a code; empty where it says none.
    """

    subtitles: FileRef
    count: int
    language: str

    def __str__(self) -> str:
        return f"Saved {self.subtitles}: {self.count} subtitles" + (f" ({self.language})" if self.language else "")


def read_subtitles(path: Path) -> list[Subtitle]:
    """The subtitles of an SRT or VTT file, without marks of style.

    Raises:
        Problem: there are none, or too many.
    """
    check_bytes(path, 5_000_000)
    text = path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    in_markup = path.suffix.lower() == ".vtt"
    cues = []
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip().split("\n")
        number = next((number for number, line in enumerate(lines) if "-->" in line), None)
        times = _TIME.findall(lines[number]) if number is not None else []
        words = _TAGS.sub("", "\n".join(lines[number + 1 :])).strip() if number is not None else ""
        if len(times) >= 2 and words:
            cue_text = html.unescape(words) if in_markup else words
            cues.append(Subtitle(_to_seconds(times[0]), _to_seconds(times[1]), cue_text))
    if not cues:
        raise Problem(f"{path.name!r} contains no subtitles; give an SRT or VTT file")
    if len(cues) > MAX_SUBTITLES:
        raise Problem(f"{path.name!r} contains {len(cues):,} subtitles; the limit is {MAX_SUBTITLES:,}")
    return cues


def _to_seconds(parts: tuple[str, ...]) -> float:
    hours, minutes, seconds, fraction = parts
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + int(fraction.ljust(3, "0")) / 1000


def add_track(path: Path, subtitles: Path, target: Path, shift_s: float, language: str) -> ChangedVideo:
    """Write a video with a track of subtitles; its pictures and sound are copied without loss.

    Args:
        path: of the video.
        subtitles: an SRT or VTT file.
        target: where the result goes.
        shift_s: by which they come later.
        language: code of three letters, as ISO 639-2 has it.

    Raises:
        Problem: the file holds no subtitles, or an MP4 cannot hold the pictures as they are.
    """
    return write_in_process(_add_track, target, [path], path, read_subtitles(subtitles), shift_s, language)


def save_track(path: Path, target: Path, track: int) -> SavedSubtitles:
    """Write a track of subtitles of a video as SRT or VTT.

    Raises:
        Problem: there is no such track, its subtitles are pictures, or the name ends otherwise.
    """
    if target.suffix.lower() not in (".srt", ".vtt"):
        raise Problem(f"{target.name!r} must end with .srt or .vtt")
    subtitles, language = run_bounded(
        _read_track, path, track, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True
    )
    save_text(target, _format_subtitles(subtitles, target.suffix.lower()))
    return SavedSubtitles(FileRef.from_path(target), len(subtitles), language)


def list_tracks(container: Any) -> list[str]:
    """Codec and language of each track of subtitles of an open video."""
    return [
        " ".join(filter(None, (stream.codec_context.name, stream.metadata.get("language", ""))))
        for stream in container.streams.subtitles
    ]


def _add_track(draft: Path, path: Path, subtitles: Sequence[Subtitle], shift_s: float, language: str) -> VideoResult:
    import av

    shape, seconds = shape_of(path), seconds_of(path)
    visible_cues = [cue for cue in _shift_subtitles(subtitles, shift_s) if cue.start_s < seconds]
    if not visible_cues:
        raise Problem(f"all {len(subtitles)} subtitles are outside the {seconds:.2f} s of {path.name!r}; check shift_s")
    with (
        opened_film(path) as (source, video),
        av.open(str(draft), "w", format="mp4", options={"movflags": "+faststart"}) as output,
    ):
        if video.codec_context.name not in COPIED_PICTURES:
            raise Problem(f"{video.codec_context.name} video cannot be copied into an MP4; use burn=true")
        write_labels(output, read_film_labels(path), ".mp4")
        streams = copy_tracks(source, output, video)
        sound = any(stream.type == "audio" for stream in streams)
        track = output.add_stream("mov_text")
        track.codec_context.subtitle_header = _FONT
        track.metadata["language"] = language
        track.codec_context.open()
        cues = _write_packets(visible_cues, track)
        following = next(cues, None)
        for packet in source.demux(*streams):
            if packet.dts is None:
                continue
            while following is not None and following.pts <= packet.dts * packet.time_base * _TICKS:
                output.mux(following)
                following = next(cues, None)
            packet.stream = streams[packet.stream]
            output.mux(packet)
        for late in filter(None, (following, *cues)):
            output.mux(late)
    left_out = len(subtitles) - len(visible_cues)
    note = f"{len(visible_cues)} subtitles in a separate track, which players show when it is switched on."
    if left_out:
        note += f" {left_out} are outside the video and were left out."
    return VideoResult(seconds, shape, sound, note)


def _shift_subtitles(subtitles: Sequence[Subtitle], shift_s: float) -> list[Subtitle]:
    """Later or earlier ones, in their order, as far as they are seen and none over the next."""
    moved = sorted((cue.start_s + shift_s, cue.end_s + shift_s, cue.text) for cue in subtitles)
    ends = [start for start, _, _ in moved[1:]] + [float("inf")]
    moved_cues = [
        Subtitle(max(0.0, start), min(end, until), text) for (start, end, text), until in zip(moved, ends, strict=True)
    ]
    return [cue for cue in moved_cues if cue.end_s > cue.start_s]


def _write_packets(subtitles: Sequence[Subtitle], track: Any) -> Iterator[Any]:
    """Samples of timed text: the length in two bytes and the text in UTF-8 (3GPP TS 26.245, 5.17)."""
    import av

    for cue in subtitles:
        text = cue.text.encode()[:_LONGEST].decode("utf-8", "ignore").encode()
        packet = av.Packet(len(text).to_bytes(2, "big") + text)
        packet.stream, packet.time_base = track, Fraction(1, _TICKS)
        packet.pts = packet.dts = round(cue.start_s * _TICKS)
        packet.duration = max(1, round((cue.end_s - cue.start_s) * _TICKS))
        yield packet


def _read_track(path: Path, number: int) -> tuple[list[Subtitle], str]:
    cues: list[Subtitle] = []
    with opened_film(path) as (container, _):
        tracks = container.streams.subtitles
        if not 1 <= number <= len(tracks):
            raise Problem(f"{path.name!r} has {len(tracks)} subtitle tracks; {number} is not one of them")
        stream = tracks[number - 1]
        for packet in container.demux(stream):
            texts = [
                part.dialogue.decode("utf-8", "replace") for part in _decode_parts(packet) if hasattr(part, "dialogue")
            ]
            words = _TAGS.sub("", "\n".join(texts)).replace("\\N", "\n").strip()
            if words and packet.pts is not None:
                start = float(packet.pts * packet.time_base)
                cues.append(Subtitle(start, start + float((packet.duration or 0) * packet.time_base), words))
            if len(cues) > MAX_SUBTITLES:
                raise Problem(f"{path.name!r} contains more than {MAX_SUBTITLES:,} subtitles")
        name = stream.codec_context.name
        language = stream.metadata.get("language", "")
    if not cues:
        raise Problem(f"subtitle track {number} of {path.name!r} ({name}) is not text; view its frames")
    return cues, "" if language == "und" else language


def _decode_parts(packet: Any) -> list[Any]:
    return [part for part in packet.decode() if part is not None] if packet.size else []


def _format_subtitles(subtitles: Sequence[Subtitle], suffix: str) -> str:
    if suffix == ".vtt":
        cues = [f"{_cue_times(cue, '.')}\n{html.escape(cue.text, quote=False)}\n" for cue in subtitles]
        return "WEBVTT\n\n" + "\n".join(cues)
    return "\n".join(f"{number}\n{_cue_times(cue, ',')}\n{cue.text}\n" for number, cue in enumerate(subtitles, 1))


def _cue_times(cue: Subtitle, mark: str) -> str:
    return " --> ".join(_format_clock(seconds, mark) for seconds in (cue.start_s, cue.end_s))


def _format_clock(seconds: float, mark: str) -> str:
    milliseconds = round(seconds * 1000)
    seconds, thousandths = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}{thousandths:03}"
