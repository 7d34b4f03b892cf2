"""Speech for seeded worlds: recorded sentences, joined to one sound. The same bytes on every machine."""

import array
import io
import random
import struct
import sys
import wave
from collections.abc import Iterable
from pathlib import Path

from yardkit.world import save_bytes

SAMPLE_RATE_HZ = 16_000
# Source of both tables: IMA Digital Audio Focus, Recommended Practices, 1992.
_INDEX_STEPS = (-1, -1, -1, -1, 2, 4, 6, 8)
_STEPS = (
    *(7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107),
    *(
        118,
        130,
        143,
        157,
        173,
        190,
        209,
        230,
        253,
        279,
        307,
        337,
        371,
        408,
        449,
        494,
        544,
        598,
        658,
        724,
        796,
        876,
        963,
    ),
    *(1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894),
    *(6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794),
    32767,
)


def load_sentence(path: Path) -> "array.array[int]":
    """The samples, 16 bits, of a WAV file in IMA ADPCM with one channel."""
    data = path.read_bytes()
    block_bytes = struct.unpack_from("<H", data, 32)[0]
    start = data.index(b"data") + 8
    count = struct.unpack_from("<I", data, data.index(b"fact") + 8)[0]
    samples = array.array("h")
    for at in range(start, len(data), block_bytes):
        samples.extend(_decode_block(data[at : at + block_bytes]))
    return samples[:count]


def _decode_block(block: bytes) -> Iterable[int]:
    """A block begins with its first sample and the place in the table of steps; each byte after it holds two steps."""
    value, place = struct.unpack_from("<hB", block)
    yield value
    for byte in block[4:]:
        for code in (byte & 15, byte >> 4):
            step = _STEPS[place]
            change = (step >> 3) + (step >> 2) * (code & 1) + (step >> 1) * (code >> 1 & 1) + step * (code >> 2 & 1)
            value = max(-32768, min(32767, value - change if code & 8 else value + change))
            place = max(0, min(88, place + _INDEX_STEPS[code & 7]))
            yield value


def save_speech(sentences: Iterable[Path], path: Path, rng: random.Random) -> None:
    """Join sentences, half a second to one second apart, to a WAV file of 16 bits and `SAMPLE_RATE_HZ`."""
    joined = array.array("h", bytes(SAMPLE_RATE_HZ))
    for sentence in sentences:
        joined.extend(load_sentence(sentence))
        joined.extend(array.array("h", bytes(2 * round(SAMPLE_RATE_HZ * rng.uniform(0.5, 1.0)))))
    if sys.byteorder == "big":
        joined.byteswap()
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(SAMPLE_RATE_HZ)
        sound.writeframes(joined.tobytes())
    save_bytes(path, buffer.getvalue())
