"""Subtitles put into a video as a track that viewers switch on and off, and taken out of one."""

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from yardkit.kit.containers import find_origin, read_tags
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
from yardkit.servers.video.engine.subtitle_files import MAX_SUBTITLES, Subtitle, decode_subtitles, read_subtitles
from yardkit.world import FileRef, Problem, save_text

PRELOAD = ("numpy", "av")
"""What the process that works on videos keeps loaded."""
_TICKS = 1000
"""Units of time in a track, a second."""
_LONGEST = 60_000
"""Bytes of one subtitle, whose length stands in two bytes."""
_SAME_S = 0.002
"""Times of a track are rounded by up to so much."""
_FONT = b"""[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour
Style: Default,Arial,16,&Hffffff
"""
"""In SubStation Alpha, of which FFmpeg's writer of tracks makes the head of one; players have looks of their own."""


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


def add_track(path: Path, subtitles: Path, target: Path, shift_s: float, language: str) -> ChangedVideo:
    """Write a video with a track of subtitles; its pictures and sound are copied without loss.

    Args:
        path: of the video.
        subtitles: an SRT, VTT or ASS file.
        target: where the result goes.
        shift_s: by which they come later.
        language: code of three letters, as ISO 639-2 has it.

    Raises:
        Problem: the file holds no subtitles, or an MP4 cannot hold the pictures as they are.
    """
    return write_in_process(_add_track, target, [path], path, subtitles, shift_s, language)


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
        " ".join(filter(None, (stream.codec_context.name if stream.codec_context else "?", _language_of(stream))))
        for stream in container.streams.subtitles
    ]


def _language_of(stream: Any) -> str:
    language = read_tags(stream.metadata).get("language", "")
    return "" if language == "und" else language


def _add_track(draft: Path, path: Path, file: Path, shift_s: float, language: str) -> VideoResult:
    import av

    shape, seconds = shape_of(path), seconds_of(path)
    read = read_subtitles(file, shape.fps)
    subtitles = read.subtitles
    visible = [
        replace(cue, end_s=min(cue.end_s, seconds))
        for cue in shift_subtitles(subtitles, shift_s)
        if cue.start_s < seconds
    ]
    if not visible:
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
        cues = _write_packets(stack_subtitles(visible), track)
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
    left_out = len(subtitles) - len(visible)
    note = f"{len(visible)} subtitles in a separate track, which players show when it is switched on."
    if left_out:
        note += f" {left_out} are outside the video and were left out."
    note = f"{note} {read.note}".strip()
    return VideoResult(seconds, shape, sound, note, new_subtitles=1)


def shift_subtitles(subtitles: Sequence[Subtitle], shift_s: float) -> list[Subtitle]:
    """Later or earlier ones, as far as they are seen."""
    moved = [replace(cue, start_s=max(0.0, cue.start_s + shift_s), end_s=cue.end_s + shift_s) for cue in subtitles]
    return [cue for cue in moved if cue.end_s > cue.start_s]


def stack_subtitles(subtitles: Sequence[Subtitle]) -> Iterator[Subtitle]:
    """Subtitles of which no two are seen at a time, as a track has them: those that were are lines of one."""
    moments = sorted({round(time_s, 3) for cue in subtitles for time_s in (cue.start_s, cue.end_s)})
    ordered = sorted(subtitles, key=lambda cue: cue.start_s)
    active: list[Subtitle] = []
    for start_s, end_s in pairwise(moments):
        while ordered and ordered[0].start_s <= start_s + _SAME_S / 2:
            active.append(ordered.pop(0))
        active = [cue for cue in active if cue.end_s > start_s + _SAME_S / 2]
        if active:
            yield Subtitle(start_s, end_s, "\n".join(cue.text for cue in active))


def unstack_subtitles(subtitles: Sequence[Subtitle]) -> list[Subtitle]:
    """Subtitles of a track, those that go on beside others as one each."""
    cues: list[Subtitle] = []
    active: list[int] = []
    for stack in subtitles:
        rest: str | None = stack.text
        going_on: list[int] = []
        for number in active:
            if (
                rest is not None
                and abs(cues[number].end_s - stack.start_s) <= _SAME_S
                and _begins_with(rest, cues[number].text)
            ):
                cues[number] = replace(cues[number], end_s=stack.end_s)
                rest = rest[len(cues[number].text) + 1 :] or None
                going_on.append(number)
        if rest is not None:
            going_on.append(len(cues))
            cues.append(replace(stack, text=rest))
        active = going_on
    return cues


def _begins_with(text: str, lines: str) -> bool:
    return text == lines or text.startswith(f"{lines}\n")


def _write_packets(subtitles: Iterable[Subtitle], track: Any) -> Iterator[Any]:
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
    with opened_film(path) as (container, _):
        tracks = container.streams.subtitles
        if not 1 <= number <= len(tracks):
            raise Problem(f"{path.name!r} has {len(tracks)} subtitle tracks; {number} is not one of them")
        stream = tracks[number - 1]
        if stream.codec_context is None:
            raise Problem(f"subtitle track {number} of {path.name!r} has a codec that cannot be decoded")
        cues = list(islice(decode_subtitles(container, stream, find_origin(container)), MAX_SUBTITLES + 1))
        name, language = stream.codec_context.name, _language_of(stream)
    if len(cues) > MAX_SUBTITLES:
        raise Problem(f"{path.name!r} contains more than {MAX_SUBTITLES:,} subtitles")
    if not cues:
        raise Problem(f"subtitle track {number} of {path.name!r} ({name}) is not text; view its frames")
    return unstack_subtitles(cues) if name == "mov_text" else cues, language


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
