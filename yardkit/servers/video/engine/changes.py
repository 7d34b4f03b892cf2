"""One video changed: cut, scaled, turned, faster, faded, with other sound."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from yardkit.kit.containers import find_origin, has_unsaid_order, read_tags
from yardkit.kit.films import opened_film
from yardkit.kit.media_contents import Part, describe_change
from yardkit.kit.media_labels import Labels, read_film_labels, write_labels
from yardkit.kit.sound_streams import Blocks, Filter, Form, filter_blocks, form_of, read_blocks, speed_filters
from yardkit.kit.sounds import Faults
from yardkit.programs.bounded import run_bounded
from yardkit.servers.video.engine.fitting import (
    Box,
    check_box,
    crop_pictures,
    fade_pictures,
    fit_pictures,
    scale_shape,
    trim_to_even,
    turn_pictures,
)
from yardkit.servers.video.engine.streams import (
    COPIED_PICTURES,
    COPIED_SOUNDS,
    Frames,
    Pictures,
    Shape,
    Sound,
    has_sound,
    pictures_of,
    read_frames,
    seconds_of,
    shape_of,
    write_video,
)
from yardkit.world import FileRef, Problem, save_atomically

PRELOAD = ("numpy", "av", "PIL.Image")
"""What the process that works on videos keeps loaded."""
PROCESS_S, PROCESS_BYTES = 285.0, 2_000_000_000


@dataclass(frozen=True)
class ChangedVideo:
    """A video that was written.

    Attributes:
        video: where it is.
        duration_s: of its pictures.
        width_px, height_px: of them.
        fps: pictures a second.
        sound: whether it has a sound track.
        note: what to know of it.
    """

    video: FileRef
    duration_s: float
    width_px: int
    height_px: int
    fps: float
    sound: bool
    note: str = ""

    def __str__(self) -> str:
        sound = "with sound" if self.sound else "without sound"
        size = f"{self.width_px} x {self.height_px} px"
        head = f"Saved {self.video}: {self.duration_s:.2f} s, {size}, {self.fps:g} fps, {sound}"
        return "\n".join([head, *([self.note] if self.note else [])])


@dataclass(frozen=True)
class VideoResult:
    """What the process that wrote a video says of it."""

    seconds: float
    shape: Shape
    sound: bool
    note: str = ""
    new_subtitles: int = 0


@dataclass(frozen=True)
class Change:
    """What is changed of a video.

    Attributes:
        box: the part of the pictures that is kept; None for all.
        width_px, height_px: to which they are scaled, as they are then.
        quarters: clockwise turns.
        speed: 2 is twice as fast.
        fade_in_s, fade_out_s: from and into black and silence.
        mute: whether the sound is left out.
    """

    box: tuple[float, ...] | None = None
    width_px: int | None = None
    height_px: int | None = None
    quarters: int = 0
    speed: float = 1.0
    fade_in_s: float = 0.0
    fade_out_s: float = 0.0
    mute: bool = False


def write_in_process(
    work: Any, target: Path, sources: Sequence[Path], *args: object, dropped: Collection[Part] = ()
) -> ChangedVideo:
    """Let a function of a module write an MP4, in a process of its own; what is lost by it is said.

    Args:
        work: takes the place to write at, and `args`.
        target: where the video goes.
        sources: videos that it is made of.
        args: further arguments.
        dropped: what is to be lost.

    Raises:
        Problem: the name does not end with .mp4, or raised by the work.
    """
    if target.suffix.lower() != ".mp4":
        raise Problem(f"{target.name!r} must end with .mp4; videos are written as MP4 (H.264 and AAC)")
    with save_atomically(target) as draft:
        new_video: VideoResult = run_bounded(
            work, draft, *args, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True
        )
        _, lost = run_bounded(
            describe_change,
            tuple(sources),
            draft,
            {"bits", *dropped},
            new_video.new_subtitles,
            seconds=PROCESS_S,
            memory_bytes=PROCESS_BYTES,
            stays=True,
        )
    shape = new_video.shape
    fps = round(float(shape.fps), 3)
    return ChangedVideo(
        FileRef.from_path(target),
        new_video.seconds,
        shape.width_px,
        shape.height_px,
        fps,
        new_video.sound,
        "\n".join(filter(None, (new_video.note, lost))),
    )


def clip_video(path: Path, target: Path, start_s: float, end_s: float | None, *, exact: bool) -> ChangedVideo:
    """Write a part of a video: exact to the frame, or copied from the key frame before it on, without loss.

    Raises:
        Problem: the part is empty or begins behind the end.
    """
    if end_s is not None and end_s <= start_s:
        raise Problem(f"end_s {end_s:g} is not after start_s {start_s:g}")
    return write_in_process(_clip_draft if exact else _copy_packets, target, [path], path, start_s, end_s)


def change_video(path: Path, target: Path, requested_change: Change) -> ChangedVideo:
    """Write a video that is cut, scaled, turned, faster, faded or mute.

    Raises:
        Problem: it cannot be read, or a number does not fit it.
    """
    dropped: set[Part] = {"sounds"} if requested_change.mute else set()
    if requested_change.speed != 1:
        dropped.add("frames")
    return write_in_process(_change_draft, target, [path], path, requested_change, dropped=dropped)


def replace_sound(path: Path, source: Path, target: Path, gain_db: float, own_gain_db: float | None) -> ChangedVideo:
    """Write a video with another sound, or with that beside its own.

    Args:
        path: of the video.
        source: of the sound.
        target: where the result goes.
        gain_db: how much louder the new sound is.
        own_gain_db: how much louder its own sound is; None leaves it out.

    Raises:
        Problem: one cannot be read.
    """
    dropped: set[Part] = {"sounds", "channels", "rate"} if own_gain_db is None else set()
    return write_in_process(_replace_sound, target, [path], path, source, gain_db, own_gain_db, dropped=dropped)


def sound_of(path: Path, start_s: float = 0.0, end_s: float | None = None) -> Sound | None:
    """The sound of a video, or a part of it; None where it has none."""
    if not has_sound(path):
        return None
    form = form_of(path)
    form, faults = Form(form.rate_hz if form.rate_hz in (44_100, 48_000) else 48_000, form.channels), Faults()
    return Sound(_fill_missing_sound(read_blocks(path, form, start_s, end_s, faults)), form, faults)


def _fill_missing_sound(blocks: Blocks) -> Blocks:
    """Sound that may be shorter than its pictures: silence, not a fault."""
    try:
        yield from blocks
    except Problem:
        return


def _clip_draft(draft: Path, path: Path, start_s: float, end_s: float | None) -> VideoResult:
    shape = shape_of(path).even
    sound = sound_of(path, start_s, end_s)
    part = shape.of_part(start_s, end_s)
    frames = read_frames(path, part, start_s, end_s)
    return write_film(frames, part, sound, draft, read_film_labels(path).of_part(start_s, end_s))


def write_film(
    pictures: Pictures | Frames, shape: Shape, sound: Sound | None, draft: Path, labels: Labels
) -> VideoResult:
    """As `write_video`, with the result in words."""
    seconds = write_video(pictures, shape, sound, draft, labels)
    return VideoResult(seconds, shape, sound is not None, sound.faults.lost if sound else "")


def _copy_packets(draft: Path, path: Path, start_s: float, end_s: float | None) -> VideoResult:
    """Copy packets from the last key frame before a time on."""
    import av

    shape = shape_of(path)
    with (
        opened_film(path) as (source, video),
        av.open(str(draft), "w", format="mp4", options={"movflags": "+faststart"}) as output,
    ):
        if video.codec_context.name not in COPIED_PICTURES:
            raise Problem(f"{video.codec_context.name} video cannot be copied into an MP4; use exact=true")
        write_labels(output, read_film_labels(path).of_part(start_s, end_s), ".mp4")
        streams = copy_tracks(source, output, video)
        origin = find_origin(source)
        source.seek(int(start_s / video.time_base) + (video.start_time or 0), stream=video)
        begin: float | None = None
        last = 0.0
        for packet in source.demux(*streams):
            if packet.dts is None or packet.pts is None:
                continue
            time_s = float(packet.pts * packet.time_base) - origin
            if begin is None:
                if packet.stream is not video:
                    continue
                begin = time_s
            if time_s < begin or (end_s is not None and time_s >= end_s):
                continue
            offset = round((begin + origin) / packet.time_base)
            packet.pts, packet.dts = packet.pts - offset, packet.dts - offset
            last = max(last, time_s + float((packet.duration or 0) * packet.time_base))
            packet.stream = streams[packet.stream]
            output.mux(packet)
        sounds = [stream for stream in streams if stream.type == "audio"]
    if begin is None:
        raise Problem(f"{path.name!r} has no frames from {start_s:g} s on")
    note = f"Copied losslessly from the key frame at {begin:.3f} s; {start_s:g} s was requested."
    return VideoResult(last - begin, shape, bool(sounds), note)


def copy_tracks(source: Any, output: Any, video: Any) -> dict[Any, Any]:
    """Tracks of a film that an MP4 can hold as they are, and their copies.

    Raises:
        Problem: the file does not say when its pictures are seen, as an MP4 does.
    """
    if has_unsaid_order(source, video):
        raise Problem("an AVI with B-frames cannot be copied without loss; use exact=true, or burn=true for subtitles")
    sounds = [track for track in source.streams.audio if _codec_name(track) in COPIED_SOUNDS]
    subtitles = [track for track in source.streams.subtitles if _codec_name(track) == "mov_text"]
    copies = {}
    for track in (video, *sounds, *subtitles):
        copies[track] = output.add_stream_from_template(track)
        tags = read_tags(track.metadata)
        copies[track].metadata.update({name: tags[name] for name in ("language",) if name in tags})
    return copies


def _codec_name(track: Any) -> str:
    return track.codec_context.name if track.codec_context else ""


def _change_draft(draft: Path, path: Path, requested_change: Change) -> VideoResult:
    own = shape_of(path)
    box = check_box(requested_change.box, own) if requested_change.box else (0, 0, own.width_px, own.height_px)
    sides = (box[2] - box[0], box[3] - box[1])
    turned_sides = sides[::-1] if requested_change.quarters % 2 else sides
    turned_shape = replace(own, width_px=turned_sides[0], height_px=turned_sides[1]).faster(requested_change.speed)
    shape = scale_shape(turned_shape, requested_change.width_px, requested_change.height_px)
    seconds = seconds_of(path) / requested_change.speed
    if requested_change.fade_in_s + requested_change.fade_out_s > seconds + 0.01:
        raise Problem(
            f"fades of {requested_change.fade_in_s:g} and {requested_change.fade_out_s:g} s are longer than the"
            f" {seconds:.2f} s"
        )
    if requested_change.fade_in_s:
        shape = shape.with_change(0.0, requested_change.fade_in_s)
    if requested_change.fade_out_s:
        shape = shape.with_change(seconds - requested_change.fade_out_s, seconds)
    pictures = _changed_pictures(path, requested_change, box, shape, seconds)
    sound = None if requested_change.mute else sound_of(path)
    if sound and (filters := _sound_filters(requested_change, seconds)):
        sound = replace(sound, blocks=filter_blocks(sound.blocks, sound.form, filters))
    labels = read_film_labels(path).move_times(lambda at_s: at_s / requested_change.speed)
    return write_film(pictures, shape, sound, draft, labels)


def _changed_pictures(
    path: Path, requested_change: Change, box: Box, shape: Shape, seconds: float
) -> Pictures | Frames:
    speed = requested_change.speed
    fades = (requested_change.fade_in_s, requested_change.fade_out_s)
    if not (
        requested_change.box
        or requested_change.width_px
        or requested_change.height_px
        or requested_change.quarters % 4
        or any(fades)
    ):
        return read_frames(path, shape, speed=speed)
    pictures = pictures_of(path, shape, speed=speed)
    pictures = turn_pictures(
        crop_pictures(pictures, box) if requested_change.box else pictures, requested_change.quarters
    )
    pictures = (
        fit_pictures(pictures, shape)
        if requested_change.width_px or requested_change.height_px
        else trim_to_even(pictures, shape)
    )
    return fade_pictures(pictures, shape, seconds, *fades) if any(fades) else pictures


def _sound_filters(requested_change: Change, seconds: float) -> list[Filter]:
    filters = speed_filters(requested_change.speed) if requested_change.speed != 1 else []
    filters += [("afade", f"t=in:st=0:d={requested_change.fade_in_s}")] if requested_change.fade_in_s else []
    if requested_change.fade_out_s:
        filters.append(
            ("afade", f"t=out:st={seconds - requested_change.fade_out_s:.6f}:d={requested_change.fade_out_s}")
        )
    return filters


def _replace_sound(draft: Path, path: Path, source: Path, gain_db: float, own_gain_db: float | None) -> VideoResult:
    shape = shape_of(path).even
    new = form_of(source)
    form = Form(48_000, 2) if own_gain_db is not None else Form(48_000, new.channels)
    blocks = _amplify_blocks(_fill_missing_sound(read_blocks(source, form)), gain_db)
    if own_gain_db is not None and has_sound(path):
        blocks = _add_blocks(blocks, _amplify_blocks(_fill_missing_sound(read_blocks(path, form)), own_gain_db))
    return write_film(read_frames(path, shape), shape, Sound(blocks, form), draft, read_film_labels(path))


def _amplify_blocks(blocks: Blocks, gain_db: float) -> Blocks:
    factor = 10 ** (gain_db / 20)
    for block in blocks:
        yield block * factor


def _add_blocks(first: Blocks, other: Blocks) -> Blocks:
    """The sum of two sounds; it goes on with the longer one."""
    import numpy as np

    pending_blocks: list[Any] = [None, None]
    sources = [first, other]
    while True:
        for number in (0, 1):
            if pending_blocks[number] is None:
                pending_blocks[number] = next(sources[number], None)
        if pending_blocks[0] is None or pending_blocks[1] is None:
            rest = [block for block in pending_blocks if block is not None]
            yield from chain(rest, *sources)
            return
        count = min(pending_blocks[0].shape[1], pending_blocks[1].shape[1])
        yield np.clip(pending_blocks[0][:, :count] + pending_blocks[1][:, :count], -1, 1)
        pending_blocks = [block[:, count:] if block.shape[1] > count else None for block in pending_blocks]
