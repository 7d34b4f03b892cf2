"""Videos cut, scaled, joined and written on, in the dialect of TOBench (video-audio-mcp)."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.colors import rgba
from yardkit.kit.dialect import Saved, Text
from yardkit.kit.lettering import Anchor, Lettering
from yardkit.kit.surface import make_server, tool
from yardkit.servers.video.engine import changes, frames, overlays, together
from yardkit.servers.video.engine.changes import Change, ChangedVideo
from yardkit.servers.video.engine.overlays import Placing
from yardkit.world import InFile, OutFile, Problem

mcp = make_server("video", "Cuts, scales, joins videos and lays text and pictures on them. What is written is MP4.")

Video = Annotated[InFile, Field(description="Video file.")]
Target = Annotated[OutFile, Field(description="Video to write, .mp4.")]
Format = Annotated[str, Field(description="mp4.", max_length=8)]
Resolution = Annotated[str, Field(description="'1280x720', or a height such as '720'.", max_length=20)]
Time = Annotated[str | float, Field(description="HH:MM:SS or seconds.")]
Number = Annotated[int | str, Field(description="Is refused where it is given.")]
_CLOCK = re.compile(r"^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,6})?)$")
_RATIO = re.compile(r"^(\d{1,4}(?:\.\d{1,4})?):(\d{1,4}(?:\.\d{1,4})?)$")
_MARGIN_PX = 4
_FADES = ("dissolve", "fade", "crossfade")
_WRITTEN = {"video_codec": ("libx264", "h264"), "audio_codec": ("aac",)}
_ACROSS = {"left": "left", "center": "center", "right": "right", "(w-text_w)/2": "center", "(w-tw)/2": "center"}
_DOWN = {"top": "top", "center": "middle", "bottom": "bottom", "(h-text_h)/2": "middle", "(h-th)/2": "middle"}
_EDGE = re.compile(r"^[wh]-(?:text_[wh]|t[wh])-(\d{1,4})$")
_ANCHORS: dict[tuple[str, str], Anchor] = {
    ("left", "top"): "top_left",
    ("center", "top"): "top",
    ("right", "top"): "top_right",
    ("left", "middle"): "left",
    ("center", "middle"): "center",
    ("right", "middle"): "right",
    ("left", "bottom"): "bottom_left",
    ("center", "bottom"): "bottom",
    ("right", "bottom"): "bottom_right",
}


@dataclass(frozen=True)
class TextElement:
    """A text on a video for a time."""

    text: str
    start_time: str | float
    end_time: str | float
    font_size: int = 24
    font_color: str = "white"
    x_pos: str | int = "center"
    y_pos: str | int = "h-th-10"
    box: bool = False
    box_color: str = "black@0.5"
    box_border_width: int = 0


@tool(mcp)
def health_check() -> Text:
    """Say that the server works."""
    return Text("Server is healthy!")


@tool(mcp, writes=True, destructive=True)
def trim_video(video_path: Video, output_video_path: Target, start_time: Time, end_time: Time) -> Saved:
    """Cut a part out of a video, exact to the frame, with its sound."""
    made = changes.clip(video_path, output_video_path, _seconds(start_time), _seconds(end_time), exact=True)
    return _saved(made, "Video trimmed")


@tool(mcp, writes=True, destructive=True)
def convert_video_properties(
    input_video_path: Video,
    output_video_path: Target,
    target_format: Format,
    resolution: Resolution | None = None,
    video_codec: Annotated[str, Field(description="libx264.", max_length=20)] | None = None,
    video_bitrate: Number | None = None,
    frame_rate: Number | None = None,
    audio_codec: Annotated[str, Field(description="aac.", max_length=20)] | None = None,
    audio_bitrate: Number | None = None,
    audio_sample_rate: Number | None = None,
    audio_channels: Number | None = None,
) -> Saved:
    """Convert a video to MP4, at another resolution."""
    given = {
        "video_bitrate": video_bitrate,
        "frame_rate": frame_rate,
        "audio_bitrate": audio_bitrate,
        "audio_sample_rate": audio_sample_rate,
        "audio_channels": audio_channels,
    }
    unknown = [name for name, value in given.items() if value is not None]
    if unknown:
        raise Problem(f"{', '.join(unknown)} cannot be set here; leave it out")
    _check_codec("video_codec", video_codec)
    _check_codec("audio_codec", audio_codec)
    _check_format(target_format)
    return _saved(_scaled(input_video_path, output_video_path, resolution), "Video converted")


@tool(mcp, writes=True, destructive=True)
def convert_video_format(input_video_path: Video, output_video_path: Target, target_format: Format) -> Saved:
    """Convert a video to MP4."""
    _check_format(target_format)
    return _saved(_scaled(input_video_path, output_video_path, None), "Video converted")


@tool(mcp, writes=True, destructive=True)
def set_video_resolution(input_video_path: Video, output_video_path: Target, resolution: Resolution) -> Saved:
    """Scale a video; the sound stays."""
    return _saved(_scaled(input_video_path, output_video_path, resolution), "Video resolution set")


@tool(mcp, writes=True, destructive=True)
def set_video_codec(
    input_video_path: Video,
    output_video_path: Target,
    video_codec: Annotated[str, Field(description="libx264.", max_length=20)],
) -> Saved:
    """Write a video with H.264."""
    _check_codec("video_codec", video_codec)
    return _saved(_scaled(input_video_path, output_video_path, None), "Video codec set")


@tool(mcp, writes=True, destructive=True)
def set_video_audio_track_codec(
    input_video_path: Video,
    output_video_path: Target,
    audio_codec: Annotated[str, Field(description="aac.", max_length=20)],
) -> Saved:
    """Write a video with its sound in AAC."""
    _check_codec("audio_codec", audio_codec)
    return _saved(_scaled(input_video_path, output_video_path, None), "Audio codec set")


@tool(mcp, writes=True, destructive=True)
def change_aspect_ratio(
    video_path: Video,
    output_video_path: Target,
    target_aspect_ratio: Annotated[str, Field(description="Such as '16:9'.", max_length=20)],
    resize_mode: Annotated[Literal["pad", "crop"], Field(description="Add bars, or cut.")] = "pad",
    padding_color: Annotated[str, Field(description="Of the bars: black.", max_length=40)] = "black",
) -> Saved:
    """Give a video another aspect ratio."""
    found = _RATIO.match(target_aspect_ratio.strip())
    ratio = float(found.group(1)) / float(found.group(2)) if found and float(found.group(2)) else 0.0
    if not 0.1 <= ratio <= 10:
        raise Problem(f"target_aspect_ratio {target_aspect_ratio!r} is none from 1:10 to 10:1; write such as '16:9'")
    info = frames.read_info(video_path)
    width, height = info.width_px, info.height_px
    if resize_mode == "crop":
        wide, high = min(width, round(height * ratio)), min(height, round(width / ratio))
        left, top = (width - wide) / 2, (height - high) / 2
        made = changes.change(video_path, output_video_path, Change((left, top, left + wide, top + high)))
    else:
        if rgba(padding_color)[:3] != (0, 0, 0):
            raise Problem(f"bars are black, not {padding_color!r}; leave padding_color out")
        wide, high = max(width, round(height * ratio)), max(height, round(width / ratio))
        made = together.join([video_path], output_video_path, wide + wide % 2, high + high % 2, 0.0)
    return _saved(made, f"Aspect ratio changed to {target_aspect_ratio} by {resize_mode}")


@tool(mcp, writes=True, destructive=True)
def add_subtitles(
    video_path: Video,
    srt_file_path: Annotated[InFile, Field(description="Subtitles, .srt.")],
    output_video_path: Target,
    font_style: Annotated[
        dict[str, str | int | float] | None, Field(description="{'font_size': 24}; other keys are left out, and said.")
    ] = None,
) -> Saved:
    """Burn subtitles into a video."""
    style = dict(font_style or {})
    size = style.pop("font_size", None)
    if size is not None and (not isinstance(size, int) or not 8 <= size <= 200):
        raise Problem(f"font_size {size!r} is no whole number from 8 to 200")
    made = overlays.burn_subtitles(video_path, srt_file_path, output_video_path, size, 0.0)
    left_out = f" (left out: {', '.join(sorted(style))})" if style else ""
    return _saved(made, f"Subtitles added{left_out}")


@tool(mcp, writes=True, destructive=True)
def add_text_overlay(
    video_path: Video,
    output_video_path: Target,
    text_elements: Annotated[
        list[TextElement],
        Field(
            description="x_pos, y_pos: pixels, center, or such as 'h-th-10'; box_color such as 'black@0.5'.",
            min_length=1,
            max_length=50,
        ),
    ],
) -> Saved:
    """Write texts on a video, each for a time."""
    info = frames.read_info(video_path)
    wanted = [(element.text, *_dressed(element, (info.width_px, info.height_px))) for element in text_elements]
    made = overlays.add_texts_to_video(video_path, output_video_path, wanted)
    return _saved(made, f"{len(wanted)} texts added")


@tool(mcp, writes=True, destructive=True)
def add_image_overlay(
    video_path: Video,
    output_video_path: Target,
    image_path: Annotated[InFile, Field(description="Picture that is laid on it.")],
    position: Annotated[str, Field(description="top_left ... bottom_right, center, or 'x=10:y=10'.", max_length=40)] = (
        "top_right"
    ),
    opacity: Annotated[float, Field(description="0 to 1.", gt=0, le=1)] | None = None,
    start_time: Time | None = None,
    end_time: Time | None = None,
    width: Annotated[int | str, Field(description="Pixels.")] | None = None,
    height: Number | None = None,
) -> Saved:
    """Lay a picture, such as a logo, on a video."""
    if height is not None:
        raise Problem("the height follows from the width; leave height out")
    place, point = _position(position)
    wide = None if width is None else _whole(width, "width", 1, 4096)
    end_s = None if end_time is None else _seconds(end_time)
    placing = Placing(place, point, _seconds(start_time or 0.0), end_s, 0.0, 10)
    made = overlays.add_picture_to_video(video_path, image_path, output_video_path, wide, opacity or 1.0, placing)
    return _saved(made, "Image overlay added")


@tool(mcp, writes=True, destructive=True)
def concatenate_videos(
    video_paths: Annotated[list[InFile], Field(description="In order.", min_length=1, max_length=50)],
    output_video_path: Target,
    transition_effect: Annotated[str, Field(description="dissolve or fade.", max_length=30)] | None = None,
    transition_duration: Annotated[float, Field(description="Seconds.", gt=0, le=10)] | None = None,
) -> Saved:
    """Put videos one after the other."""
    if transition_effect and transition_effect not in _FADES:
        raise Problem(f"there is no transition {transition_effect!r} here; use dissolve or fade, or none")
    over = (transition_duration or 1.0) if transition_effect else 0.0
    return _saved(together.join(video_paths, output_video_path, None, None, over), "Videos concatenated")


@tool(mcp, writes=True, destructive=True)
def change_video_speed(
    video_path: Video,
    output_video_path: Target,
    speed_factor: Annotated[float, Field(description="2 is twice as fast.", ge=0.25, le=8)],
) -> Saved:
    """Make a video and its sound faster or slower."""
    return _saved(changes.change(video_path, output_video_path, Change(speed=speed_factor)), "Video speed changed")


@tool(mcp, writes=True, destructive=True)
def add_basic_transitions(
    video_path: Video,
    output_video_path: Target,
    transition_type: Annotated[
        Literal["fade_in", "fade_out", "crossfade_from_black", "crossfade_to_black"],
        Field(description="At the beginning, or at the end."),
    ],
    duration_seconds: Annotated[float, Field(description="Seconds.", gt=0, le=60)],
) -> Saved:
    """Fade a video in from black, or out into it."""
    fades_in = transition_type in ("fade_in", "crossfade_from_black")
    wanted = Change(fade_in_s=duration_seconds) if fades_in else Change(fade_out_s=duration_seconds)
    return _saved(changes.change(video_path, output_video_path, wanted), f"Transition {transition_type} added")


def _saved(made: ChangedVideo, words: str) -> Saved:
    sound = "with sound" if made.sound else "without sound"
    size = f"{made.width_px}x{made.height_px}"
    return Saved(f"{words}: {made.video.path}, {made.duration_s:.2f} s, {size}, {sound}", made.video)


def _scaled(path: Path, target: Path, resolution: str | None) -> ChangedVideo:
    if not resolution or resolution.lower() == "preserve":
        return changes.change(path, target, Change())
    wide, cross, high = resolution.lower().partition("x")
    if not cross:
        return changes.change(path, target, Change(height_px=_whole(wide, "resolution", 16, 4096)))
    width, height = _whole(wide, "resolution", 16, 4096), _whole(high, "resolution", 16, 4096)
    return changes.change(path, target, Change(width_px=width, height_px=height))


def _check_format(named: str) -> None:
    if named.lower().lstrip(".") != "mp4":
        raise Problem(f"videos are written as MP4, not as {named!r}; give mp4")


def _check_codec(name: str, codec: str | None) -> None:
    if codec is not None and codec.lower() not in _WRITTEN[name]:
        raise Problem(f"{name} {codec!r} is not written here; use {_WRITTEN[name][0]}")


def _seconds(time: str | float) -> float:
    """Seconds of HH:MM:SS, MM:SS or a number."""
    found = _CLOCK.match(str(time).strip())
    if not found:
        raise Problem(f"{time!r} is no time; write HH:MM:SS or seconds")
    hours, minutes, seconds = found.groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds)


def _whole(text: str | int, name: str, low: int, high: int) -> int:
    number = int(text) if str(text).strip().isdecimal() and len(str(text)) < 8 else -1
    if not low <= number <= high:
        raise Problem(f"{name} {text!r} is no whole number from {low} to {high}; formulas are not worked out")
    return number


def _position(position: str) -> tuple[Anchor, tuple[float, float] | None]:
    found = re.match(r"^x=(\d{1,5}):y=(\d{1,5})$", position.strip())
    if found:
        return "top_left", (float(found.group(1)), float(found.group(2)))
    anchors = {anchor: anchor for anchor in _ANCHORS.values()}
    if position not in anchors:
        raise Problem(f"position {position!r} is none; use top_left, top_right, center ... or 'x=10:y=10'")
    return anchors[position], None


def _dressed(element: TextElement, size: tuple[int, int]) -> tuple[Lettering, Placing]:
    """How and where a text stands."""
    across, x = _along(element.x_pos, _ACROSS, "left", size[0])
    down, y = _along(element.y_pos, _DOWN, "top", size[1])
    background = _shade(element.box_color) if element.box else ""
    pixels = _whole(element.font_size, "font_size", 8, 1000)
    look = Lettering(size_px=pixels, color=_shade(element.font_color), background=background)
    times = _seconds(element.start_time), _seconds(element.end_time)
    return look, Placing(_ANCHORS[across, down], (x, y), *times, margin_px=_MARGIN_PX)


def _along(given: str | int, words: dict[str, str], first: str, size: int) -> tuple[str, float]:
    """Which part of a text stands where along a side."""
    text = str(given).strip()
    last = "right" if first == "left" else "bottom"
    if edge := _EDGE.match(text):
        return last, float(size - int(edge.group(1)))
    if text in words:
        part = words[text]
        return part, {first: 10.0, last: size - 10.0}.get(part, size / 2)
    return first, float(_whole(text, "x_pos or y_pos", 0, 20_000))


def _shade(color: str) -> str:
    """A colour of FFmpeg, such as black@0.5, as #RRGGBBAA."""
    name, at, opacity = color.partition("@")
    red, green, blue, alpha = rgba(name)
    try:
        alpha = round(255 * float(opacity)) if at else alpha
    except ValueError:
        alpha = -1
    if not 0 <= alpha <= 255:
        raise Problem(f"{color!r} is no colour; write such as black or black@0.5")
    return f"#{red:02x}{green:02x}{blue:02x}{alpha:02x}"
