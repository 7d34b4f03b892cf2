"""Sounds that tests listen to."""

import io
import shutil
import wave
from pathlib import Path
from typing import Any

import av
import numpy as np

from yardkit.kit.sounds import wav_bytes

SOUNDS = Path(__file__).parents[1] / "sounds"
YOUNG_MAN = SOUNDS / "young_man.flac"
"""A reader: "He was not an ill-disposed young man.", 3.0 s at 16 kHz."""
LEISURE = SOUNDS / "leisure.flac"
"""The same one: "And Mr. John Dashwood had then leisure ...", 7.1 s at 16 kHz."""
READ = {
    YOUNG_MAN: "He was not an ill-disposed young man.",
    LEISURE: "And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do "
    "for them.",
}
"""What the reader says."""
SENTENCES = (
    "The meeting starts after breakfast in the large room upstairs.",
    "Please send the signed contract to the office before Friday.",
    "A ticket to Boston costs more than it did last summer.",
    "The quarterly report shows that sales in the north have doubled.",
    "We found some broken bottles near the back door this morning.",
    "The old doctor will see his last patient after lunch.",
    "The river rose quickly during the night, and the bridge was closed.",
    "Nobody knew why the lights went out at the station.",
    "Turn left at the church and follow the road to the lake.",
    "Our new colleague speaks Spanish, French and a little Greek.",
)
"""What voices are made to say."""


def make_tone(hertz: float, seconds: float, rate_hz: int, height: float = 0.5) -> "np.ndarray[Any, Any]":
    return (height * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate_hz)) / rate_hz)).astype(np.float32)


def make_silence(seconds: float, rate_hz: int = 16_000) -> bytes:
    return wav_bytes(np.zeros(round(seconds * rate_hz), np.float32), rate_hz)


def write_sound(path: Path, channels: "np.ndarray[Any, Any]", rate_hz: int, codec: str) -> None:
    """Encode channels (c, n) as the container that the name ends with."""
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=rate_hz)
        stream.layout = "stereo" if len(channels) == 2 else "mono"
        for start in range(0, channels.shape[1], 1024):
            part = np.ascontiguousarray(channels[:, start : start + 1024])
            frame = av.AudioFrame.from_ndarray(part, format="fltp", layout=stream.layout.name)
            frame.rate = rate_hz
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def seconds_of(path: Path) -> float:
    """How long a WAV is."""
    with wave.open(io.BytesIO(path.read_bytes())) as file:
        return file.getnframes() / file.getframerate()


def copy_sound(source: Path, folder: Path) -> str:
    """Copy a sound; its name."""
    return Path(shutil.copy(source, folder)).name
