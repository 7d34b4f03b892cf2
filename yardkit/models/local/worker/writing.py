"""Encoding the pictures, sounds and videos that the worker sends."""

import base64
import io
import wave
from typing import TYPE_CHECKING, Any

from yardkit.models.local.requests import Film, Sound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def png_text(picture: Any) -> str:
    """Encode a Pillow picture as PNG in base64."""
    out = io.BytesIO()
    picture.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def mask_text(mask: "NDArray[np.uint8]") -> str:
    """Encode a mask (height, width) as a grey PNG in base64."""
    from PIL import Image

    return png_text(Image.fromarray(mask))


def wav_bytes(sound: Sound) -> bytes:
    """Encode a sound as a 16-bit WAV file."""
    import numpy as np

    samples = np.clip(np.nan_to_num(sound.samples), -1, 1)
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(samples.shape[0])
        file.setsampwidth(2)
        file.setframerate(sound.sample_rate_hz)
        file.writeframes(np.ascontiguousarray((samples.T * 32767).astype("<i2")).tobytes())
    return out.getvalue()


def mp4_bytes(film: Film) -> bytes:
    """Encode a video as MP4 with H.264, 4:2:0, which every player reads and which needs even sides."""
    from fractions import Fraction

    import av

    count, height, width, _ = film.frames.shape
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream: Any = container.add_stream("libx264", rate=Fraction(film.frames_per_s).limit_denominator(1001))
        stream.width, stream.height, stream.pix_fmt = width - width % 2, height - height % 2, "yuv420p"
        stream.options = {"crf": "18"}
        for index in range(count):
            frame = av.VideoFrame.from_ndarray(film.frames[index, : stream.height, : stream.width].copy(), "rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return out.getvalue()
