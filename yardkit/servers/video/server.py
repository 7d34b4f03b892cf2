"""The tools of the `video` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.lettering import Align, Anchor, Lettering
from yardkit.kit.surface import FileRef, make_server, tool
from yardkit.servers.video.engine import changes, comparison, frames, overlays, subtitles, together
from yardkit.servers.video.engine.changes import Change, ChangedVideo
from yardkit.servers.video.engine.overlays import Placing
from yardkit.world import InFile, OutDir, OutFile

mcp = make_server(
    "video",
    "Works on videos (MP4, MOV, MKV, WebM, AVI, GIF). Times are in seconds; positions in pixels "
    "of the frames as displayed, origin top left. Output is MP4 (H.264, AAC), with the original "
    "audio by default. Check results with view_video.",
)

Source = Annotated[InFile, Field(description="Video file, relative to the workspace.")]
Target = Annotated[OutFile, Field(description="MP4 file to write.")]
Count = Annotated[int, Field(description="Number of frames, evenly spaced.", ge=1, le=36)]
Start = Annotated[float, Field(description="Start, in seconds.", ge=0)]
End = Annotated[float | None, Field(description="End, in seconds; by default the end of the video.", gt=0)]
Place = Annotated[Anchor, Field(description="Place in the frame; with position_px, the anchor point of the overlay.")]
Position = Annotated[
    list[float] | None, Field(description="[x, y] in pixels of the anchor.", min_length=2, max_length=2)
]
Fade = Annotated[float, Field(description="Seconds of fade-in and fade-out.", ge=0, le=10)]
Margin = Annotated[int, Field(description="Pixels from the frame's edge, without position_px.", ge=0, le=2000)]
Width = Annotated[int | None, Field(description="Width in pixels.", ge=16, le=4096)]
Height = Annotated[int | None, Field(description="Height in pixels.", ge=16, le=4096)]
Crossfade = Annotated[float, Field(description="Seconds of crossfade.", ge=0, le=10)]


@tool(mcp)
def get_video_info(path: Source) -> frames.VideoInfo:
    """Report format, duration, size, frame rate, rotation, key frames, audio and tags of a video."""
    return frames.read_info(path)


@tool(mcp)
def view_video(path: Source, count: Count = 9, start_s: Start = 0, end_s: End = None) -> frames.VideoSheet:
    """View a video as a sheet of frames, each with its time."""
    return frames.make_sheet(path, count, start_s, end_s)


@tool(mcp, writes=True, destructive=True)
def save_video_sheet(
    path: Source,
    target: Annotated[OutFile, Field(description="PNG file to write.")],
    count: Count = 9,
    start_s: Start = 0,
    end_s: End = None,
) -> frames.VideoSheet:
    """Save a sheet of frames of a video, each with its time."""
    return frames.make_sheet(path, count, start_s, end_s, target)


@tool(mcp, writes=True, destructive=True)
def extract_video_frames(
    path: Source,
    folder: Annotated[OutDir, Field(description="Folder for the frames, named after their times.")],
    at_s: Annotated[list[float] | None, Field(description="Times of the frames.", max_length=200)] = None,
    every_s: Annotated[float | None, Field(description="Or interval in seconds.", gt=0, le=3600)] = None,
    format: Annotated[Literal["png", "jpg"], Field(description="Format of the frames.")] = "png",  # noqa: A002
) -> frames.SavedFrames:
    """Save full-size frames of a video."""
    return frames.save_frames(path, folder, at_s, every_s, f".{format}")


@tool(mcp)
def find_video_cuts(
    path: Source,
    sensitivity: Annotated[float, Field(description="A higher value finds smaller changes.", gt=0, lt=1)] = 0.7,
    start_s: Start = 0,
) -> frames.VideoCuts:
    """Find hard cuts between scenes of a video, to a tenth of a second."""
    return frames.find_cuts(path, sensitivity, start_s)


@tool(mcp, writes=True, destructive=True)
def clip_video(
    path: Source,
    target: Target,
    start_s: Start = 0,
    end_s: End = None,
    exact: Annotated[
        bool,
        Field(description="Cut frame-accurately; false copies losslessly from the key frame before the start."),
    ] = True,
) -> ChangedVideo:
    """Cut a section out of a video, with its audio."""
    return changes.clip_video(path, target, start_s, end_s, exact=exact)


@tool(mcp, writes=True, destructive=True)
def join_videos(
    paths: Annotated[list[InFile], Field(description="Video files in order.", min_length=2, max_length=50)],
    target: Target,
    width_px: Width = None,
    height_px: Height = None,
    crossfade_s: Crossfade = 0,
) -> ChangedVideo:
    """Join videos of any size, rate and format; each is fitted into the frame on black."""
    return together.join_videos(paths, target, width_px, height_px, crossfade_s)


@tool(mcp, writes=True, destructive=True)
def transform_video(
    path: Source,
    target: Target,
    bbox_px: Annotated[
        list[float] | None,
        Field(description="Area to keep: [x_min, y_min, x_max, y_max].", min_length=4, max_length=4),
    ] = None,
    width_px: Width = None,
    height_px: Height = None,
    angle: Annotated[Literal[0, 90, 180, 270], Field(description="Degrees clockwise.")] = 0,
    speed: Annotated[float, Field(description="2 is twice as fast; the audio keeps its pitch.", ge=0.25, le=8)] = 1,
    fade_in_s: Annotated[float, Field(description="Seconds of fade-in from black and silence.", ge=0, le=60)] = 0,
    fade_out_s: Annotated[float, Field(description="Seconds of fade-out to black and silence.", ge=0, le=60)] = 0,
    mute: Annotated[bool, Field(description="Remove the audio.")] = False,
) -> ChangedVideo:
    """Crop, rotate, scale, speed up, fade or mute a video, in this order."""
    box = tuple(bbox_px) if bbox_px else None
    requested_change = Change(box, width_px, height_px, angle // 90, speed, fade_in_s, fade_out_s, mute)
    return changes.change_video(path, target, requested_change)


@tool(mcp, writes=True, destructive=True)
def add_video_text(
    path: Source,
    target: Target,
    text: Annotated[str, Field(description="Text in any script, with line breaks.", min_length=1, max_length=2000)],
    start_s: Start = 0,
    end_s: End = None,
    place: Place = "bottom",
    position_px: Position = None,
    size_px: Annotated[int, Field(description="Font size in pixels.", ge=8, le=1000)] = 40,
    color: Annotated[str, Field(description="CSS colour name or #RRGGBB.", max_length=40)] = "white",
    font: Annotated[str, Field(description="Bundled font family.", max_length=60)] = "DejaVu Sans",
    bold: Annotated[bool, Field(description="Bold, if the family has it.")] = False,
    align: Annotated[Align, Field(description="Alignment of the lines.")] = "center",
    outline: Annotated[
        str, Field(description="Colour of the letters' outline; empty for none.", max_length=40)
    ] = "black",
    background: Annotated[
        str, Field(description="Background colour of the text, also #RRGGBBAA; empty for none.", max_length=40)
    ] = "",
    fade_s: Fade = 0,
    margin_px: Margin = 24,
) -> ChangedVideo:
    """Add text to a video for a period of time."""
    look = Lettering(font, bold, False, size_px, color, outline, background, align=align)  # noqa: FBT003
    point = (position_px[0], position_px[1]) if position_px else None
    return overlays.add_text_to_video(
        path, target, text, look, Placing(place, point, start_s, end_s, fade_s, margin_px)
    )


@tool(mcp, writes=True, destructive=True, looks_at=["other"])
def overlay_on_video(
    path: Source,
    other: Annotated[InFile, Field(description="Picture to overlay; transparency is kept.")],
    target: Target,
    start_s: Start = 0,
    end_s: End = None,
    place: Place = "top_right",
    position_px: Position = None,
    width_px: Annotated[int | None, Field(description="Width of the picture in pixels.", ge=1, le=4096)] = None,
    opacity: Annotated[float, Field(description="From 0 (invisible) to 1.", gt=0, le=1)] = 1,
    fade_s: Fade = 0,
    margin_px: Margin = 24,
) -> ChangedVideo:
    """Overlay a picture, such as a logo, on a video for a period of time."""
    point = (position_px[0], position_px[1]) if position_px else None
    placing = Placing(place, point, start_s, end_s, fade_s, margin_px)
    return overlays.add_picture_to_video(path, other, target, width_px, opacity, placing)


@tool(mcp, writes=True, destructive=True)
def add_video_subtitles(
    path: Source,
    source: Annotated[InFile, Field(description="Subtitle file, .srt or .vtt.")],
    target: Target,
    burn: Annotated[
        bool,
        Field(
            description="Draw them into the frames, so that every player shows them; false adds a switchable track "
            "and copies video and audio losslessly."
        ),
    ] = True,
    size_px: Annotated[
        int | None, Field(description="Font size of burned-in text; by default 1/22 of the height.", ge=8, le=200)
    ] = None,
    shift_s: Annotated[float, Field(description="Delay in seconds.", ge=-3600, le=3600)] = 0,
    language: Annotated[
        str, Field(description="Track language as a three-letter code, such as eng or deu.", pattern="^[a-z]{3}$")
    ] = "eng",
) -> ChangedVideo:
    """Add subtitles to a video, burned in or as a track."""
    if burn:
        return overlays.burn_subtitles(path, source, target, size_px, shift_s)
    return subtitles.add_track(path, source, target, shift_s, language)


@tool(mcp, writes=True, destructive=True)
def extract_video_subtitles(
    path: Source,
    target: Annotated[OutFile, Field(description="Subtitle file to write, .srt or .vtt.")],
    track_number: Annotated[int, Field(description="Track number, from 1.", ge=1, le=100)] = 1,
) -> subtitles.SavedSubtitles:
    """Save a subtitle track of a video as a file."""
    return subtitles.save_track(path, target, track_number)


@tool(mcp, writes=True, destructive=True)
def replace_video_sound(
    path: Source,
    source: Annotated[InFile, Field(description="Audio file, or video whose audio is used.")],
    target: Target,
    gain_db: Annotated[float, Field(description="Volume change of the new audio in decibels.", ge=-60, le=40)] = 0,
    own_gain_db: Annotated[
        float | None,
        Field(description="Keep the original audio at this gain; by default it is removed.", ge=-60, le=40),
    ] = None,
) -> ChangedVideo:
    """Replace the audio of a video, or mix audio into it; convert_audio of the audio server extracts it."""
    return changes.replace_sound(path, source, target, gain_db, own_gain_db)


@tool(mcp)
def compare_videos(
    path: Source, other: Annotated[InFile, Field(description="Video to compare with.")]
) -> comparison.VideoDifference:
    """Compare two videos: size, duration, frame rate, audio, and where their frames differ."""
    return comparison.compare_videos(path, other)


@tool(mcp, writes=True, destructive=True)
def make_gif(
    path: Source,
    target: Annotated[OutFile, Field(description="GIF file to write.")],
    start_s: Start = 0,
    end_s: End = None,
    width_px: Annotated[int, Field(description="Maximum width in pixels.", ge=16, le=1280)] = 480,
    fps: Annotated[int, Field(description="Frames per second.", ge=1, le=30)] = 10,
) -> FileRef:
    """Convert part of a video to a looping GIF."""
    return frames.make_gif(path, target, start_s, end_s, width_px, fps)


@tool(mcp, writes=True, destructive=True, looks_at=["paths"])
def make_slideshow(
    paths: Annotated[list[InFile], Field(description="Pictures in order.", min_length=1, max_length=200)],
    target: Target,
    seconds_each: Annotated[
        list[Annotated[float, Field(ge=0.1, le=600)]] | None,
        Field(description="Seconds per picture: one number for all, or one for each; by default 3.", max_length=200),
    ] = None,
    crossfade_s: Crossfade = 0.5,
    source: Annotated[InFile | None, Field(description="Audio to play with it.")] = None,
    width_px: Annotated[int, Field(description="Width in pixels.", ge=64, le=3840)] = 1280,
    height_px: Annotated[int, Field(description="Height in pixels.", ge=64, le=2160)] = 720,
    fps: Annotated[int, Field(description="Frames per second.", ge=5, le=60)] = 25,
) -> ChangedVideo:
    """Make a video from pictures, optionally with audio."""
    return together.make_slideshow(
        paths, target, seconds_each or [3.0], crossfade_s, source, (width_px, height_px), fps
    )
