"""Pictures and sounds from clients, checked by their headers before anything decodes them."""

import base64
import binascii
import io
import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from yardkit.models.local.worker.faults import TooLarge
from yardkit.world import Problem
from yardkit.world.limits import TooManyPixels
from yardkit.world.pictures import flatten_with_contrast, load_picture, read_contents

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

MAX_BODY_BYTES = 64_000_000
MAX_PIXELS = 50_000_000
MAX_SIDE = 16_384
MAX_SOUND_S = 4 * 3600.0
SAMPLE_RATE_HZ = 16_000
_SOUNDS = "wav,mp3,flac,ogg,mov,mp4,m4a,matroska,webm,aac"
_LATEST_START_S = 3600.0
"""Beyond which a time is that of a clock, not of this sound."""
_DATA_URL = re.compile(r"data:[\w.+-]+/[\w.+-]+(?:;[\w-]+=[\w-]+)*;base64,", re.IGNORECASE)


def picture_of(url: str) -> "Image":
    """Decode the picture in a data URL.

    Raises:
        TooLarge: it has too many pixels.
        Problem: it is not a data URL, or not a picture.
    """
    start = _DATA_URL.match(url[:200])
    if start is None:
        raise Problem("a picture is sent as a data URL (data:image/png;base64,...); other addresses are not fetched")
    try:
        data = base64.b64decode(url[start.end() :], validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem("the picture's data URL is not base64; encode its bytes with base64") from error
    return decode_picture(data)


def decode_picture(data: bytes) -> "Image":
    """Decode a picture as displayed, in RGB, with transparency on white.

    Raises:
        TooLarge: its header states too many pixels; nothing was decoded.
        Problem: it is not a picture, or is damaged.
    """
    try:
        contents = read_contents(data, max_pixels=MAX_SIDE**2)
    except TooManyPixels as error:
        raise TooLarge(f"the picture has over {MAX_PIXELS:,} pixels; scale it down") from error
    _check_size(contents.width_px, contents.height_px)
    return flatten_with_contrast(load_picture(data, max_pixels=MAX_PIXELS).image)


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise TooLarge(
            f"the picture has {width:,} x {height:,} pixels; at most {MAX_PIXELS:,} and {MAX_SIDE:,} a side are read. "
            "Scale it down"
        )


def decode_sound(data: bytes) -> "NDArray[np.float32]":
    """Decode a sound, or the sound of a video from its first picture on, at 16 kHz, one channel, from -1 to 1.

    Raises:
        TooLarge: it is longer than four hours.
        Problem: it is not a sound, or is damaged.
    """
    import av
    import numpy as np

    # A playlist or a list of files names other files, so those formats are not allowed.
    options = {"format_whitelist": _SOUNDS, "protocol_whitelist": ""}
    try:
        with av.open(io.BytesIO(data), options=options) as container:
            if not container.streams.audio:
                raise Problem("there is no sound in the file; send one that holds speech")
            parts = list(_decode_sound(container))
    except av.FFmpegError as error:
        raise Problem("the sound cannot be read; send a whole WAV, FLAC, MP3, OGG, M4A, WEBM or MP4 file") from error
    if not any(map(len, parts)):
        raise Problem("the sound is empty; send one that holds speech")
    return np.concatenate(parts)


def _decode_sound(container: Any) -> Any:
    import av
    import numpy as np

    resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE_HZ)
    track = container.streams.best("audio")
    count = round(_find_delay(container, track) * SAMPLE_RATE_HZ)
    early, count = max(0, -count), max(0, count)
    yield np.zeros(count, np.float32)
    for frame in chain(container.decode(track), [None]):
        for part in resampler.resample(frame):
            samples = part.to_ndarray().reshape(-1)
            samples, early = samples[early:], max(0, early - len(samples))
            count += len(samples)
            if count > MAX_SOUND_S * SAMPLE_RATE_HZ:
                raise TooLarge(f"the sound lasts longer than {MAX_SOUND_S / 3600:g} hours; send it in parts")
            yield samples


def _find_delay(container: Any, track: Any) -> float:
    """How long after the first picture the sound begins, in seconds; else after the beginning of an MP4."""
    from av.stream import Disposition

    films = [stream for stream in container.streams.video if not stream.disposition & Disposition.attached_pic]
    if not films and not container.format.name.startswith("mov"):
        return 0.0
    begins = [float((stream.start_time or 0) * stream.time_base) for stream in (*films, track)]
    delay = begins[-1] - (begins[0] if films else 0.0)
    return delay if abs(delay) < _LATEST_START_S else 0.0
