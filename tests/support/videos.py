"""Videos made of pictures."""

from collections.abc import Sequence
from pathlib import Path

import av
import numpy as np
from PIL import Image


def write_video(path: Path, pictures: Sequence[Image.Image], rate_hz: int = 10) -> None:
    """Frames of one size, even in width and height, as the suffix says: .mp4, .webm, .avi ..."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4" if path.suffix != ".webm" else "libvpx", rate=rate_hz)
        stream.width, stream.height = pictures[0].size
        stream.pix_fmt = "yuv420p"
        stream.bit_rate = 40_000_000
        for picture in pictures:
            frame = av.VideoFrame.from_ndarray(np.asarray(picture.convert("RGB")), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
