"""What a film or a sound holds beside its pictures and its sound, and what of it is lost where it is changed.

Every tool that writes a film or a sound counts both before and after, and says what was lost.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.containers import SOUND_FORMATS, TAG_ERRORS, is_cover, moving_pictures, read_tags
from yardkit.kit.film_colors import HDR, find_curve
from yardkit.kit.films import read_timing
from yardkit.world import Problem
from yardkit.world.wording import format_count

Part = Literal[
    "pictures", "frames", "sounds", "channels", "rate", "bits", "subtitles", "chapters", "tags", "covers",
    "attachments", "hdr", "depth", "alpha",
]  # fmt: skip
"""What can be lost."""
OF_PICTURES: frozenset[Part] = frozenset({"pictures", "frames", "subtitles", "attachments", "hdr", "depth", "alpha"})
"""What nobody looks for in a sound."""
TECHNICAL_TAGS = (
    "compatible_brands", "creation_time", "duration", "encoder", "handler_name", "language", "major_brand",
    "minor_version", "vendor_id", "_statistics", "bps", "number_of_", "timecode", "encoded_by", "software",
)  # fmt: skip
"""How the names of what programs note for themselves begin."""
PRELOAD = ("av",)
"""What the process that counts keeps loaded."""
_LOSSLESS = ("pcm_", "flac", "alac", "wavpack", "tta")
_MOST_NAMES = 6
_OPAQUE = 255
_FEWER = 1.05


@dataclass(frozen=True)
class MediaContent:
    """What a file holds.

    Attributes:
        pictures: tracks of moving pictures.
        sounds: tracks of sound.
        channels: of the track that is read.
        rate_hz: of it.
        bits: of a sample, where nothing was lost in it; else 0.
        subtitles: tracks of subtitles.
        chapters: how many there are.
        tags: their names, in small letters.
        covers: pictures that belong to it, such as of an album.
        attachments: files and data in it, such as fonts, places and measurements.
        curve: of high dynamic range or wide colours; empty for none.
        chroma: how finely colours are kept, such as 4:2:2; empty without pictures.
        depth: bits of each colour.
        alpha: whether its pictures are transparent in places.
        fps: pictures a second, where their rate is constant; else 0.
        sphere: whether its pictures are all around or of two eyes.
        lost: that the file is cut off; empty where it is whole.
    """

    pictures: int = 0
    sounds: int = 0
    channels: int = 0
    rate_hz: int = 0
    bits: int = 0
    subtitles: int = 0
    chapters: int = 0
    tags: frozenset[str] = frozenset()
    covers: int = 0
    attachments: int = 0
    curve: str = ""
    chroma: str = ""
    depth: int = 8
    alpha: bool = False
    fps: float = 0.0
    sphere: bool = False
    lost: str = ""


def read_content(path: Path) -> MediaContent:
    """What a film or a sound holds. To be called in a bounded process.

    Raises:
        Problem: it cannot be read as either.
    """
    import av

    options = {"format_whitelist": SOUND_FORMATS, "protocol_whitelist": "file"}
    try:
        with av.open(f"file:{path}", options=options, metadata_errors=TAG_ERRORS) as container:
            content, films = content_of(container), moving_pictures(container)
            frame = next(container.decode(films[0]), None) if films and films[0].codec_context else None
            if frame is None:
                return content
            # All pictures of a GIF may be transparent; few are.
            alpha = _is_clear(frame) if container.format.name == "gif" else content.alpha
            timing = read_timing(path)
            fps = timing.count / timing.end_s if timing.end_s and not timing.times_s else 0.0
            return replace(content, alpha=alpha, sphere=_is_sphere(frame), fps=fps, lost=timing.lost)
    except (av.FFmpegError, ValueError, EOFError, OSError) as error:
        raise Problem(f"{path.name!r} cannot be read as a video or a sound") from error


def _is_sphere(frame: Any) -> bool:
    from av.sidedata.sidedata import Type

    return any(frame.side_data.get(kind) is not None for kind in (Type.SPHERICAL, Type.STEREO3D))


def _is_clear(frame: Any) -> bool:
    return frame.format.name == "bgra" and bool((frame.to_ndarray()[:, :, 3] < _OPAQUE).any())


def describe_change(
    sources: Sequence[Path], result: Path, dropped: Collection[Part] = (), new_subtitles: int = 0
) -> tuple[MediaContent, str]:
    """What a file holds that was made of others, and what of theirs it has not.

    `new_subtitles` is how many of its tracks of subtitles come from elsewhere. Raises what `read_content` raises.
    """
    content = read_content(result)
    content = replace(content, subtitles=content.subtitles - new_subtitles)
    contents = [read_content(source) for source in sources]
    cut = dict.fromkeys(source.lost for source in contents)
    return content, "\n".join(filter(None, (*cut, describe_losses(contents, content, dropped))))


def content_of(container: Any) -> MediaContent:
    """What an open file holds."""
    chapters = len(container.chapters())
    data = [track for track in container.streams.data if "timecode" not in track.metadata]
    # An MP4 has its chapters as a track, too.
    of_chapters = 1 if chapters and container.format.name.startswith("mov") else 0
    return MediaContent(
        subtitles=len(container.streams.subtitles),
        chapters=chapters,
        tags=frozenset(_list_tags(container)),
        covers=sum(1 for track in container.streams.video if is_cover(track)),
        attachments=max(0, len(data) - of_chapters) + len(container.streams.attachments),
        **_describe_pictures(moving_pictures(container)),
        **_describe_sounds(container),
    )


def _list_tags(container: Any) -> Iterator[str]:
    """Names of tags; FFmpeg gives some twice, with a language behind the name."""
    # Tags of a sound may stand at its track, as in Ogg; those of a film's tracks are about the tracks.
    track = None if moving_pictures(container) else container.streams.best("audio")
    given = read_tags({**container.metadata, **(track.metadata if track else {})})
    names = {name.lower() for name, value in given.items() if value.strip() not in ("", "und")}
    for name in names:
        if not name.startswith(TECHNICAL_TAGS) and not any(name.startswith(f"{other}-") for other in names):
            yield name


def _describe_pictures(films: Sequence[Any]) -> dict[str, Any]:
    codec = films[0].codec_context if films else None
    if codec is None or codec.format is None:
        return {"pictures": len(films)}
    components = codec.format.components
    return {
        "pictures": len(films),
        "curve": find_curve(codec),
        "chroma": _name_chroma(codec.format),
        "depth": max(component.bits for component in components),
        "alpha": any(component.is_alpha for component in components) or films[0].metadata.get("alpha_mode") == "1",
    }


def _name_chroma(pixels: Any) -> str:
    """How many of the colours of four pixels are kept in a row, and in the next."""
    if len(pixels.components) < 3:
        return ""
    across, down = pixels.chroma_width(16) * 4 // 16, pixels.chroma_height(16)
    return f"4:{across}:{across if down == 16 else 0}"


def _describe_sounds(container: Any) -> dict[str, Any]:
    best = container.streams.best("audio")
    codec = best.codec_context if best is not None else None
    if codec is None:
        return {"sounds": len(container.streams.audio)}
    lossless = codec.name.startswith(_LOSSLESS)
    return {
        "sounds": len(container.streams.audio),
        "channels": codec.channels,
        "rate_hz": codec.sample_rate,
        "bits": _count_bits(codec) if lossless and codec.format else 0,
    }


def _count_bits(codec: Any) -> int:
    """Bits of a sample as they are stored; those of 24 are decoded into 32."""
    stated = re.search(r"\d+", codec.name) if codec.name.startswith("pcm_") else None
    return int(stated[0]) if stated else min(24, codec.format.bits)


def describe_losses(sources: Sequence[MediaContent], result: MediaContent, dropped: Collection[Part] = ()) -> str:
    """What sources had and the result has not, in a sentence; empty where nothing is lost.

    Args:
        sources: what it was made of.
        result: what was made.
        dropped: what was to be left out, or is made on purpose otherwise.
    """
    lost: dict[str, None] = {}
    for source in sources:
        for part, words in _list_losses(source, result):
            if part not in dropped:
                lost[words] = None
    return f"Not kept: {'; '.join(lost)}." if lost else ""


def _list_losses(source: MediaContent, result: MediaContent) -> Iterator[tuple[Part, str]]:
    yield from _list_lost_tracks(source, result)
    if result.sounds and source.channels > result.channels:
        yield "channels", f"{source.channels} channels (mixed into {result.channels})"
    if result.sounds and source.rate_hz > result.rate_hz:
        yield "rate", f"{source.rate_hz:,} Hz (now {result.rate_hz:,} Hz)"
    if source.bits > result.bits > 0:
        yield "bits", f"{source.bits} bits a sample (now {result.bits})"
    if missing := sorted(source.tags - result.tags):
        more = f" and {len(missing) - _MOST_NAMES} more" if len(missing) > _MOST_NAMES else ""
        yield "tags", f"tags ({', '.join(name[:40] for name in missing[:_MOST_NAMES])}{more})"
    yield from _list_lost_pictures(source, result)
    if source.fps > result.fps * _FEWER > 0:
        yield "frames", f"{source.fps:.4g} frames a second (now {result.fps:.4g})"


def _list_lost_pictures(source: MediaContent, result: MediaContent) -> Iterator[tuple[Part, str]]:
    if source.curve and not result.curve:
        kind = "high dynamic range" if source.curve in HDR else "wide colours"
        yield "hdr", f"{kind} ({source.curve}; converted to standard colours)"
    elif source.depth > result.depth:
        yield "depth", f"{source.depth} bits a colour (now {result.depth})"
    if source.chroma > result.chroma > "":
        yield "depth", f"colours of each pixel ({source.chroma}; now {result.chroma})"
    if source.alpha and not result.alpha:
        yield "alpha", "transparency"
    if source.sphere and not result.sphere:
        yield "alpha", "the mark of pictures all around (360 degrees) or of two eyes (3D)"


def _list_lost_tracks(source: MediaContent, result: MediaContent) -> Iterator[tuple[Part, str]]:
    counted: tuple[tuple[Part, str, int, int], ...] = (
        ("pictures", "track of pictures", source.pictures, result.pictures),
        ("sounds", "sound track", source.sounds, result.sounds),
        ("subtitles", "track of subtitles", source.subtitles, result.subtitles),
        ("chapters", "chapter", source.chapters, result.chapters),
        ("covers", "cover", source.covers, result.covers),
        ("attachments", "attached file or track of data", source.attachments, result.attachments),
    )
    for part, words, before, after in counted:
        if before > after and not (part == "chapters" and after):  # some may lie outside of a part
            count = f"{before - after} of {before} {words}s" if after else _count_parts(before, words)
            yield part, count


def _count_parts(number: int, words: str) -> str:
    head, _, rest = words.partition(" of ")
    counted = format_count(number, head)
    return f"{counted} of {rest}" if rest else counted
