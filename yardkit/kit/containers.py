"""Films and sounds as files: which formats are opened, which of their tracks are meant, and when their time begins.

FFmpeg opens much more than these: a playlist that is named ``.mp4`` makes it read other files and addresses. So only
the formats of a list are opened, by what they hold.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from yardkit.world.decoding import decode_bytes

TAG_ERRORS = "surrogateescape"
"""How files are opened so that their tags can be read by `read_tags`."""
FILM_FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg,mxf,dv,gif"
SOUND_FORMATS = f"wav,w64,mp3,flac,aiff,aac,au,caf,amr,{FILM_FORMATS}"
"""As FFmpeg calls them: no playlists (hls, concat, dash), which open other files, and no pictures."""
_WITH_TIMES = ("mov", "matroska", "mpeg", "flv", "asf", "ogg", "mxf")
"""How the names of formats begin that keep the times of pieces of sound."""
_GUESSED = ("mp3", "aac", "amr", "mpeg", "ogg")
"""How the names of formats begin that do not state how long they are, or seldom: FFmpeg works it out by their size."""
_DURATION = re.compile(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)")
"""How Matroska states it."""
_LATEST_START_S = 60.0
"""Up to which a sound in an MP4 begins with silence, by its edit list; later ones are fragments of a longer sound."""


def moving_pictures(container: Any) -> list[Any]:
    """Tracks of moving pictures, that which players show first; covers and thumbnails are none."""
    tracks = [track for track in container.streams.video if not is_cover(track)]
    best = container.streams.best("video") if tracks else None
    return sorted(tracks, key=lambda track: track is not best)


def is_cover(track: Any) -> bool:
    """Whether a track of pictures is a cover or a thumbnail."""
    from av.stream import Disposition

    pictures = Disposition.attached_pic | Disposition.timed_thumbnails | Disposition.still_image
    return bool(track.disposition & pictures)


def has_times(container: Any) -> bool:
    """Whether a file says when each piece of sound is heard; else its times are counted, and the pieces as well."""
    return bool(container.format.name.startswith(_WITH_TIMES))


def has_unsaid_order(container: Any, track: Any) -> bool:
    """Whether a file does not say when each picture is seen: an AVI whose pictures are stored in another order."""
    return container.format.name == "avi" and bool(track.codec_context.has_b_frames)


def read_tags(metadata: Mapping[str, str]) -> dict[str, str]:
    """Tags of a file that was opened with `TAG_ERRORS`: old programs write them in the encoding of their country."""
    raw_tags = {name: value.encode("utf-8", TAG_ERRORS) for name, value in metadata.items()}
    return {name.encode("utf-8", "replace").decode(): decode_bytes(raw).text for name, raw in raw_tags.items()}


def find_origin(container: Any) -> float:
    """The time, as the file counts it, from which all times are told: that of the first picture.

    Without moving pictures it is that of the first sound; in an MP4, whose sounds can begin with silence, 0.
    """
    pictures = moving_pictures(container)
    if pictures:
        return _start_of(pictures[0])
    start = min((_start_of(track) for track in container.streams.audio), default=0.0)
    return 0.0 if container.format.name.startswith("mov") and 0 <= start < _LATEST_START_S else start


def state_seconds(container: Any, track: Any) -> float:
    """When a track ends, as the file states it and counted from the origin; 0 where it does not, or only guesses."""
    if container.format.name.startswith(_GUESSED):
        return 0.0
    clock = _DURATION.match(track.metadata.get("DURATION", ""))
    if track.duration:
        stated = _start_of(track) + float(track.duration * track.time_base) - find_origin(container)
    elif clock:
        hours, minutes, seconds = (float(part) for part in clock.groups())
        stated = hours * 3600 + minutes * 60 + seconds - find_origin(container)
    else:
        stated = (container.duration or 0) / 1e6 if len(container.streams) == 1 else 0.0
    return stated if math.isfinite(stated) and stated > 0 else 0.0


def _start_of(track: Any) -> float:
    return float((track.start_time or 0) * track.time_base)
