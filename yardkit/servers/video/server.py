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
    "Works on videos (MP4, MOV, MKV, WebM, AVI, GIF). Times are in seconds, places in pixels of the pictures as "
    "displayed, origin top left. What is written is MP4 (H.264, AAC), with its sound unless told otherwise. Look at it "
    "with view_video.",
)

Source = Annotated[InFile, Field(description="Video, relative to the workspace.")]
Target = Annotated[OutFile, Field(description="Video to write, .mp4.")]
Count = Annotated[int, Field(description="How many pictures, evenly over the part.", ge=1, le=36)]
Start = Annotated[float, Field(description="Begin here, in seconds.", ge=0)]
End = Annotated[float | None, Field(description="End here; by default at the end.", gt=0)]
Place = Annotated[Anchor, Field(description="Where in the picture; with position_px, the part that stands there.")]
Position = Annotated[
    list[float] | None, Field(description="[x, y] in pixels where it stands.", min_length=2, max_length=2)
]
Fade = Annotated[float, Field(description="Seconds in which it comes and goes.", ge=0, le=10)]
Margin = Annotated[int, Field(description="Pixels to the edge of the picture, without position_px.", ge=0, le=2000)]
Width = Annotated[int | None, Field(description="Width in pixels.", ge=16, le=4096)]
Height = Annotated[int | None, Field(description="Height in pixels.", ge=16, le=4096)]
Crossfade = Annotated[float, Field(description="Seconds in which one goes over into the next.", ge=0, le=10)]


@tool(mcp)
def get_video_info(path: Source) -> frames.VideoInfo:
    """Tell format, length, size, frame rate, rotation, key frames, sound and tags of a video."""
    return frames.read_info(path)


@tool(mcp)
def view_video(path: Source, count: Count = 9, start_s: Start = 0, end_s: End = None) -> frames.VideoSheet:
    """Look at a video: pictures of it on one sheet, each with its time."""
    return frames.make_sheet(path, count, start_s, end_s)


@tool(mcp, writes=True, destructive=True)
def save_video_sheet(
    path: Source,
    target: Annotated[OutFile, Field(description="The sheet that is written, .png.")],
    count: Count = 9,
    start_s: Start = 0,
    end_s: End = None,
) -> frames.VideoSheet:
    """Save pictures of a video on one sheet, each with its time."""
    return frames.make_sheet(path, count, start_s, end_s, target)


@tool(mcp, writes=True, destructive=True)
def extract_video_frames(
    path: Source,
    folder: Annotated[OutDir, Field(description="Folder for the pictures, which are named after their times.")],
    at_s: Annotated[list[float] | None, Field(description="Times of the pictures.", max_length=200)] = None,
    every_s: Annotated[float | None, Field(description="Or one each so many seconds.", gt=0, le=3600)] = None,
    format: Annotated[Literal["png", "jpg"], Field(description="Of the pictures.")] = "png",  # noqa: A002
) -> frames.SavedFrames:
    """Save pictures of a video, in full size."""
    return frames.save_frames(path, folder, at_s, every_s, f".{format}")


@tool(mcp)
def find_video_cuts(
    path: Source,
    sensitivity: Annotated[float, Field(description="Higher finds smaller changes.", gt=0, lt=1)] = 0.7,
    start_s: Start = 0,
) -> frames.VideoCuts:
    """Find where the scenes of a video change at once, to a tenth of a second."""
    return frames.find_cuts(path, sensitivity, start_s)


@tool(mcp, writes=True, destructive=True)
def clip_video(
    path: Source,
    target: Target,
    start_s: Start = 0,
    end_s: End = None,
    exact: Annotated[
        bool,
        Field(description="Exact to the frame; false copies without loss, from the key frame before the start."),
    ] = True,
) -> ChangedVideo:
    """Cut a part out of a video, with its sound."""
    return changes.clip(path, target, start_s, end_s, exact=exact)


@tool(mcp, writes=True, destructive=True)
def join_videos(
    paths: Annotated[list[InFile], Field(description="Videos in order.", min_length=2, max_length=50)],
    target: Target,
    width_px: Width = None,
    height_px: Height = None,
    crossfade_s: Crossfade = 0,
) -> ChangedVideo:
    """Put videos of any size, rate and format one after the other; each is shown whole, on black."""
    return together.join(paths, target, width_px, height_px, crossfade_s)


@tool(mcp, writes=True, destructive=True)
def transform_video(
    path: Source,
    target: Target,
    bbox_px: Annotated[
        list[float] | None,
        Field(description="Part to keep: [x_min, y_min, x_max, y_max].", min_length=4, max_length=4),
    ] = None,
    width_px: Width = None,
    height_px: Height = None,
    angle: Annotated[Literal[0, 90, 180, 270], Field(description="Degrees clockwise.")] = 0,
    speed: Annotated[float, Field(description="2 is twice as fast; the sound keeps its pitch.", ge=0.25, le=8)] = 1,
    fade_in_s: Annotated[float, Field(description="Seconds out of black and silence.", ge=0, le=60)] = 0,
    fade_out_s: Annotated[float, Field(description="Seconds into black and silence.", ge=0, le=60)] = 0,
    mute: Annotated[bool, Field(description="Leave the sound out.")] = False,
) -> ChangedVideo:
    """Crop, turn, scale, speed up, fade or mute a video, in this order."""
    box = tuple(bbox_px) if bbox_px else None
    wanted = Change(box, width_px, height_px, angle // 90, speed, fade_in_s, fade_out_s, mute)
    return changes.change(path, target, wanted)


@tool(mcp, writes=True, destructive=True)
def add_video_text(
    path: Source,
    target: Target,
    text: Annotated[str, Field(description="Any script, with line breaks.", min_length=1, max_length=2000)],
    start_s: Start = 0,
    end_s: End = None,
    place: Place = "bottom",
    position_px: Position = None,
    size_px: Annotated[int, Field(description="Height of the letters.", ge=8, le=1000)] = 40,
    color: Annotated[str, Field(description="Name of CSS or #RRGGBB.", max_length=40)] = "white",
    font: Annotated[str, Field(description="Bundled family.", max_length=60)] = "DejaVu Sans",
    bold: Annotated[bool, Field(description="Bold, where the family has it.")] = False,
    align: Annotated[Align, Field(description="Lines among themselves.")] = "center",
    outline: Annotated[
        str, Field(description="Colour of a line around the letters; empty for none.", max_length=40)
    ] = "black",
    background: Annotated[
        str, Field(description="Colour behind the text, #RRGGBBAA too; empty for none.", max_length=40)
    ] = "",
    fade_s: Fade = 0,
    margin_px: Margin = 24,
) -> ChangedVideo:
    """Write text on a video for a time."""
    look = Lettering(font, bold, False, size_px, color, outline, background, align=align)  # noqa: FBT003
    point = (position_px[0], position_px[1]) if position_px else None
    return overlays.add_text_to_video(
        path, target, text, look, Placing(place, point, start_s, end_s, fade_s, margin_px)
    )


@tool(mcp, writes=True, destructive=True)
def overlay_on_video(
    path: Source,
    other: Annotated[InFile, Field(description="Picture that is laid on it; its transparent parts stay so.")],
    target: Target,
    start_s: Start = 0,
    end_s: End = None,
    place: Place = "top_right",
    position_px: Position = None,
    width_px: Annotated[int | None, Field(description="Width of the picture.", ge=1, le=4096)] = None,
    opacity: Annotated[float, Field(description="From 0 (not seen) to 1.", gt=0, le=1)] = 1,
    fade_s: Fade = 0,
    margin_px: Margin = 24,
) -> ChangedVideo:
    """Lay a picture, such as a logo, on a video for a time."""
    point = (position_px[0], position_px[1]) if position_px else None
    placing = Placing(place, point, start_s, end_s, fade_s, margin_px)
    return overlays.add_picture_to_video(path, other, target, width_px, opacity, placing)


@tool(mcp, writes=True, destructive=True)
def add_video_subtitles(
    path: Source,
    source: Annotated[InFile, Field(description="Subtitles, .srt or .vtt.")],
    target: Target,
    burn: Annotated[
        bool,
        Field(
            description="Set into the pictures, so that every player shows them; false adds a track that viewers "
            "switch on and off, and copies pictures and sound without loss."
        ),
    ] = True,
    size_px: Annotated[
        int | None, Field(description="Height of burnt letters; by default a 22nd.", ge=8, le=200)
    ] = None,
    shift_s: Annotated[float, Field(description="Seconds by which they come later.", ge=-3600, le=3600)] = 0,
    language: Annotated[
        str, Field(description="Of a track: code of three letters, such as eng or deu.", pattern="^[a-z]{3}$")
    ] = "eng",
) -> ChangedVideo:
    """Put subtitles on a video: into its pictures, or as a track beside them."""
    if burn:
        return overlays.burn_subtitles(path, source, target, size_px, shift_s)
    return subtitles.add_track(path, source, target, shift_s, language)


@tool(mcp, writes=True, destructive=True)
def extract_video_subtitles(
    path: Source,
    target: Annotated[OutFile, Field(description="Subtitles to write, .srt or .vtt.")],
    track_number: Annotated[int, Field(description="Which track, from 1.", ge=1, le=100)] = 1,
) -> subtitles.SavedSubtitles:
    """Save a track of subtitles of a video as a file."""
    return subtitles.save_track(path, target, track_number)


@tool(mcp, writes=True, destructive=True)
def replace_video_sound(
    path: Source,
    source: Annotated[InFile, Field(description="Sound, or video whose sound is taken.")],
    target: Target,
    gain_db: Annotated[float, Field(description="Of the new sound.", ge=-60, le=40)] = 0,
    own_gain_db: Annotated[
        float | None, Field(description="Keep its own sound too, so much louder; by default it goes.", ge=-60, le=40)
    ] = None,
) -> ChangedVideo:
    """Give a video another sound, or add one to its own; convert_audio of the server audio takes the sound out."""
    return changes.replace_sound(path, source, target, gain_db, own_gain_db)


@tool(mcp)
def compare_videos(
    path: Source, other: Annotated[InFile, Field(description="The video it is compared with.")]
) -> comparison.VideoDifference:
    """Tell how two videos differ: size, length, rate, sound, and where their pictures do."""
    return comparison.compare(path, other)


@tool(mcp, writes=True, destructive=True)
def make_gif(
    path: Source,
    target: Annotated[OutFile, Field(description="Picture to write, .gif.")],
    start_s: Start = 0,
    end_s: End = None,
    width_px: Annotated[int, Field(description="Width at most.", ge=16, le=1280)] = 480,
    fps: Annotated[int, Field(description="Pictures a second.", ge=1, le=30)] = 10,
) -> FileRef:
    """Write a part of a video as a GIF that repeats."""
    return frames.make_gif(path, target, start_s, end_s, width_px, fps)


@tool(mcp, writes=True, destructive=True)
def make_slideshow(
    paths: Annotated[list[InFile], Field(description="Pictures in order.", min_length=1, max_length=200)],
    target: Target,
    seconds_each: Annotated[
        list[Annotated[float, Field(ge=0.1, le=600)]] | None,
        Field(description="How long each is seen: one number for all, or one for each; by default 3.", max_length=200),
    ] = None,
    crossfade_s: Crossfade = 0.5,
    source: Annotated[InFile | None, Field(description="Sound that is heard with it.")] = None,
    width_px: Annotated[int, Field(description="Width.", ge=64, le=3840)] = 1280,
    height_px: Annotated[int, Field(description="Height.", ge=64, le=2160)] = 720,
    fps: Annotated[int, Field(description="Pictures a second.", ge=5, le=60)] = 25,
) -> ChangedVideo:
    """Make a video of pictures, with sound if wanted."""
    return together.make_slideshow(
        paths, target, seconds_each or [3.0], crossfade_s, source, (width_px, height_px), fps
    )
