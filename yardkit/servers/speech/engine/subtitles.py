"""Transcripts as files: plain text, SRT, WebVTT."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from yardkit.models.embedded.whisper_speech import HeardSegment
from yardkit.world import Problem, save_text
from yardkit.world.decoding import decode_file
from yardkit.world.limits import check_bytes

_NUMBER = re.compile(r"^(\d+)\r?\n\d\d:\d\d", re.MULTILINE)
_VTT_HEAD = "WEBVTT\n\n"


def check_target(target: Path, *, append: bool) -> None:
    """Make sure that a transcript can be written there.

    Raises:
        Problem: it ends with none of .txt, .srt, .vtt, or there is nothing to append to.
    """
    if target.suffix.lower() not in _FORMS:
        raise Problem(f"{target.name!r} is not a transcript file name; end it with .txt, .srt or .vtt")
    if append and not target.is_file():
        raise Problem(f"there is no {target.name!r} to append to; omit append to create it")


def write_transcript(target: Path, segments: Sequence[HeardSegment], *, append: bool = False) -> None:
    """Write segments as the form that the suffix names, after what is there where they are to be appended."""
    before = ""
    if append:
        check_bytes(target)
        before = decode_file(target.read_bytes(), target.name).text
    save_text(target, _FORMS[target.suffix.lower()](before, segments))


def _format_text(before: str, segments: Sequence[HeardSegment]) -> str:
    return before + "".join(f"{segment.text}\n" for segment in segments)


def _format_srt(before: str, segments: Sequence[HeardSegment]) -> str:
    first = max((int(number) for number in _NUMBER.findall(before)), default=0) + 1
    cues = [f"{number}\n{_format_cue(segment, ',')}\n" for number, segment in enumerate(segments, start=first)]
    return before + "".join(cues)


def _format_vtt(before: str, segments: Sequence[HeardSegment]) -> str:
    return (before or _VTT_HEAD) + "".join(f"{_format_cue(segment, '.')}\n" for segment in segments)


_FORMS: dict[str, Callable[[str, Sequence[HeardSegment]], str]] = {
    ".txt": _format_text,
    ".srt": _format_srt,
    ".vtt": _format_vtt,
}


def _format_cue(segment: HeardSegment, mark: str) -> str:
    text = segment.text.replace("-->", "->")
    if mark == ".":  # in WebVTT these begin a tag or a name of a character
        text = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"{_format_clock(segment.start_s, mark)} --> {_format_clock(segment.end_s, mark)}\n{text}\n"


def _format_clock(seconds: float, mark: str) -> str:
    milliseconds = round(seconds * 1000)
    seconds, thousandths = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}{thousandths:03}"
