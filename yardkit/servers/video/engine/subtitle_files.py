"""Subtitles in files of their own, as programs and people write them: SRT, VTT, ASS, SAMI, MicroDVD and their kin."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.world import Problem
from yardkit.world.decoding import DecodedText, decode_bytes
from yardkit.world.limits import check_bytes
from yardkit.world.wording import format_count

MAX_SUBTITLES = 5000
_MAX_BYTES = 5_000_000
_CLOCK = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,]\s?(\d{1,9}))?"
_TIMES = re.compile(rf"^\s*{_CLOCK}\s*(?:-{{1,2}}\s?>|(?<=\.\d{{3}}),)\s*{_CLOCK}(?P<settings>.*)$")
"""With an arrow, or the comma of YouTube's files (SBV)."""
_TAGS = re.compile(
    r"</?(?:i|b|u|s|c|v|p|em|strong|font|span|div|lang|ruby|rt)(?:[\s.=][^<>]{0,300})?\s?/?>|<\d[\d:.]{4,12}>|"
    r"\{\\[^}]{0,300}\}",
    re.IGNORECASE,
)
"""Marks of style in SRT, VTT and ASS. What only looks like one, such as "<3", is text."""
_BREAKS = re.compile(r"<br\s*/?>|\[br\]|\\N", re.IGNORECASE)
_DRAWINGS = re.compile(r"\{[^}]*\\p[1-9][^}]*\}.*?(?:\{[^}]*\\p0[^}]*\}|$)", re.DOTALL)
"""Shapes, in ASS, whose points are no words."""
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "nbsp": "\u00a0", "quot": '"', "apos": "'", "lrm": "", "rlm": ""}
_ENTITY = re.compile(rf"&({'|'.join(_ENTITIES)}|#\d{{1,7}}|#x[0-9a-f]{{1,6}});", re.IGNORECASE)
_ON_TOP = re.compile(r"\{[^}]*\\(?:an[789]|a[567])\b[^}]*\}")
_LINE = re.compile(r"\bline:(-?\d+)(%?)")
_OTHER_KINDS = (
    ("ass", re.compile(r"^\[(?:Script Info|V4\+? Styles|Events)\]", re.IGNORECASE | re.MULTILINE)),
    ("sami", re.compile(r"<SAMI\b", re.IGNORECASE)),
    ("microdvd", re.compile(r"\A\s*\{\d+\}\{\d*\}")),
    ("mpl2", re.compile(r"\A\s*\[\d+\]\[\d*\]")),
    ("subviewer", re.compile(r"^\d\d:\d\d:\d\d\.\d\d,\d\d:\d\d:\d\d\.\d\d$", re.MULTILINE)),
    ("lrc", re.compile(r"^\[\d{1,3}:\d\d(?:\.\d{1,3})?\]", re.MULTILINE)),
)
"""What FFmpeg reads, by its names, and how one knows it."""
_TTML = re.compile(r"<(?:\w+:)?tt\b[^>]*\bxmlns", re.IGNORECASE)
_MICRODVD_FPS = Fraction(2997, 125)
"""What FFmpeg takes where the file names no rate; such files mean that of their video."""
_MICRODVD_RATE = re.compile(r"\A\s*\{1\}\{1\}\d")
_OFFSET = re.compile(r"^\[offset:\s*([+-]?\d{1,6})\s*\]", re.IGNORECASE | re.MULTILINE)
"""Milliseconds by which an LRC is to be shown earlier, which FFmpeg takes for microseconds."""
_UNSAID_S = 4.0
"""How long a subtitle is shown whose end nothing says."""


@dataclass(frozen=True)
class Subtitle:
    """A subtitle.

    Attributes:
        start_s, end_s: seconds from the beginning.
        text: its lines, without marks of style.
        on_top: whether it is to be shown at the top.
    """

    start_s: float
    end_s: float
    text: str
    on_top: bool = False


@dataclass(frozen=True)
class SubtitleFile:
    """The subtitles of a file, by their times, and what to know of them."""

    subtitles: tuple[Subtitle, ...]
    note: str


def read_subtitles(path: Path, fps: Fraction) -> SubtitleFile:
    """The subtitles of a file. To be called in a bounded process.

    Args:
        path: of the file.
        fps: of the video that they belong to; some files count its frames.

    Raises:
        Problem: there are none, or too many.
    """
    check_bytes(path, _MAX_BYTES)
    decoded = decode_bytes(path.read_bytes())
    text = decoded.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if _TTML.search(text[:2000]):
        raise Problem(f"{path.name!r} holds TTML; convert it to SRT or VTT")
    kind = _find_kind(text)
    subtitles = _read_by_ffmpeg(text, kind, fps) if kind else list(_read_cues(text))
    visible = [subtitle for subtitle in subtitles if subtitle.text and subtitle.end_s > subtitle.start_s]
    if not visible:
        raise Problem(f"{path.name!r} contains no subtitles; give an SRT, VTT or ASS file")
    if len(visible) > MAX_SUBTITLES:
        raise Problem(f"{path.name!r} contains {len(visible):,} subtitles; the limit is {MAX_SUBTITLES:,}")
    backward = sum(1 for subtitle in subtitles if subtitle.text and subtitle.end_s <= subtitle.start_s)
    return SubtitleFile(
        tuple(sorted(visible, key=lambda subtitle: subtitle.start_s)), _describe_reading(decoded, backward)
    )


def _describe_reading(decoded: DecodedText, backward: int) -> str:
    notes = []
    if not decoded.text.isascii() and not decoded.encoding.startswith("utf"):
        notes.append(f"Their text was read as {decoded.encoding}.")
    if decoded.lost:
        notes.append(f"{format_count(decoded.lost, 'character')} of them could not be read.")
    if backward:
        notes.append(f"{backward} that end before they begin were left out.")
    return " ".join(notes)


def _find_kind(text: str) -> str:
    """FFmpeg's name of the kind of a file; empty for SRT and VTT."""
    if text.startswith("WEBVTT") or any(map(_TIMES.match, text.split("\n"))):
        return ""
    return next((kind for kind, mark in _OTHER_KINDS if mark.search(text)), "")


def _read_cues(text: str) -> Iterator[Subtitle]:
    """Subtitles of SRT and VTT: a line of times, and the lines up to the next."""
    is_vtt = text.startswith("WEBVTT")
    lines = text.split("\n")
    times = [(number, match) for number, line in enumerate(lines) if (match := _TIMES.match(line))]
    ends = [*(number for number, _ in times[1:]), len(lines)]
    for (number, match), end in zip(times, ends, strict=False):
        words = _cut_cue(lines[number + 1 : end], is_vtt=is_vtt, is_last=end == len(lines))
        start_s, end_s = (_to_seconds(match.groups()[part : part + 4]) for part in (0, 4))
        on_top = bool(_ON_TOP.search(words)) or _is_line_on_top(match["settings"])
        yield Subtitle(start_s, end_s, clean_text(words), on_top)


def _cut_cue(lines: list[str], *, is_vtt: bool, is_last: bool) -> str:
    """The words of a cue out of the lines up to the next times: without what is said of the next."""
    if is_vtt:  # where a cue ends at an empty line
        end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
        return "\n".join(lines[:end])
    if not is_last and lines and lines[-1].strip().isdecimal():
        lines = lines[:-1]
    return "\n".join(line for line in lines if line.strip())


def _is_line_on_top(settings: str) -> bool:
    match = _LINE.search(settings)
    return match is not None and 0 <= int(match[1]) < (50 if match[2] else 5)


def _to_seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{fraction}")


def clean_text(text: str) -> str:
    """Lines of a subtitle without marks of style."""
    text = _BREAKS.sub("\n", _TAGS.sub("", _DRAWINGS.sub("", text))).replace("\\h", " ").replace("\\{", "{")
    text = _ENTITY.sub(lambda match: _read_entity(match[1]), text)
    return "\n".join(line.strip() for line in text.strip().split("\n"))


def _read_entity(name: str) -> str:
    if name.startswith("#"):
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
    return _ENTITIES[name.lower()]


def _read_by_ffmpeg(text: str, kind: str, fps: Fraction) -> list[Subtitle]:
    import io

    import av

    offset = _OFFSET.search(text) if kind == "lrc" else None
    text = _OFFSET.sub("", text) if kind == "lrc" else text
    later_s = -int(offset[1]) / 1000 if offset else 0.0
    factor = float(_MICRODVD_FPS / fps) if kind == "microdvd" and not _MICRODVD_RATE.match(text) else 1.0
    try:
        with av.open(io.BytesIO(text.encode()), format=kind) as container:
            subtitles = list(decode_subtitles(container, container.streams.subtitles[0], 0.0))
    except (av.FFmpegError, ValueError, IndexError, EOFError):
        return []
    return [
        replace(
            subtitle,
            start_s=max(0.0, subtitle.start_s * factor + later_s),
            end_s=max(0.0, subtitle.end_s * factor + later_s),
        )
        for subtitle in subtitles
    ]


def decode_subtitles(container: Any, stream: Any, origin: float) -> Iterator[Subtitle]:
    """Subtitles of a track of text, with times from an origin; of one whose end is not said, up to the next."""
    pending: Subtitle | None = None
    for packet in container.demux(stream):
        words = "\n".join(filter(None, map(_read_dialogue, _decode_packet(packet))))
        text = clean_text(words)
        if packet.pts is None:
            continue
        start_s = max(0.0, float(packet.pts * packet.time_base) - origin)
        if pending is not None:
            yield replace(pending, end_s=min(start_s, pending.end_s) if start_s > pending.start_s else pending.end_s)
            pending = None
        if not text:
            continue
        length_s = float(max(0, packet.duration or 0) * packet.time_base)
        subtitle = Subtitle(start_s, start_s + (length_s or _UNSAID_S), text, bool(_ON_TOP.search(words)))
        if length_s:
            yield subtitle
        else:
            pending = subtitle
    if pending is not None:
        yield pending


def _decode_packet(packet: Any) -> list[Any]:
    """Parts of a packet; none of one that only ends what was shown, which some decoders refuse."""
    import av

    try:
        return [part for part in packet.decode() if part is not None] if packet.size else []
    except av.FFmpegError:
        return []


def _read_dialogue(part: Any) -> str:
    """Words of a decoded part; empty for a picture."""
    return part.dialogue.decode("utf-8", "replace") if hasattr(part, "dialogue") else ""
