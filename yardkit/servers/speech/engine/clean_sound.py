"""Speech without its noise."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.media_contents import OF_PICTURES, MediaContent, describe_losses, read_content
from yardkit.kit.sounds import MAX_SECONDS, read_sound, wav_bytes
from yardkit.models.embedded.noise_filter import MODEL, RATE_HZ, remove_noise
from yardkit.models.embedded.running import origin_of
from yardkit.models.embedded.store import require_model
from yardkit.programs.bounded import run_bounded
from yardkit.world import FileRef, Problem, save_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SECONDS, _MEMORY_BYTES = 250.0, 3_000_000_000
_SILENCE_DB = -100.0


@dataclass(frozen=True)
class CleanSound:
    """A sound without its noise.

    Attributes:
        file: the WAV.
        seconds: how long it is.
        sample_rate_hz: of the file.
        quiet_before_db, quiet_after_db: how loud the quietest tenth of the sound was and is, against full scale.
        next_start_s: where to go on; None where all is done.
        model: with the tier and the quality.
        note: what to know of the sound, and what of it was not kept.
    """

    file: FileRef
    seconds: float
    sample_rate_hz: int
    quiet_before_db: float
    quiet_after_db: float
    next_start_s: float | None
    model: str
    note: str = ""

    def __str__(self) -> str:
        head = f"{self.seconds:.1f} s, one channel at {self.sample_rate_hz} Hz, by {self.model}"
        quiet = f"its quietest tenth was at {self.quiet_before_db:.0f} dB and is at {self.quiet_after_db:.0f} dB"
        more = [] if self.next_start_s is None else [f"not all: go on with start_s={self.next_start_s:g}"]
        return "\n".join([head, quiet, *more, f"written to {self.file.path}", *([self.note] if self.note else [])])


def clean_sound_file(
    path: Path, target: Path, *, strength_db: float = 100.0, start_s: float = 0.0, end_s: float | None = None
) -> CleanSound:
    """Write the speech of a sound without its noise, as a WAV of 48 kHz and one channel; at most ten minutes of it.

    Args:
        path: of the sound.
        target: of the WAV.
        strength_db: by so much the noise is made less at most.
        start_s: where to begin.
        end_s: where to end; None for the end of the file.

    Raises:
        Problem: the sound cannot be read, the name ends otherwise, the end is before the start.
        ModelUnavailable: the model was not added.
    """
    if target.suffix.lower() != ".wav":
        raise Problem(f"{target.name!r} is not a WAV file name; end it with .wav")
    if end_s is not None and end_s <= start_s:
        raise Problem(f"end_s {end_s:g} is not after start_s {start_s:g}; give a later end, or omit it")
    model = require_model(MODEL)
    sound = read_sound(path, RATE_HZ, start_s, MAX_SECONDS if end_s is None else end_s - start_s)
    cleaned = run_bounded(
        remove_noise, model, sound.samples, strength_db, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True
    )
    source = run_bounded(read_content, path, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True)
    save_bytes(target, wav_bytes(cleaned, RATE_HZ))
    written = MediaContent(sounds=1, channels=1, rate_hz=RATE_HZ, bits=16)
    lost = describe_losses([source], written, OF_PICTURES)
    done = sound.ended or (end_s is not None and sound.end_s >= end_s - 0.01)
    return CleanSound(
        FileRef.from_path(target),
        round(sound.seconds, 2),
        RATE_HZ,
        _quiet_db(sound.samples),
        _quiet_db(cleaned),
        None if done else round(sound.end_s, 3),
        str(origin_of(MODEL)),
        " ".join(filter(None, (sound.about, lost))),
    )


def _quiet_db(samples: "NDArray[np.float32]") -> float:
    """The level that a tenth of the sound is below, in pieces of 20 ms."""
    import numpy as np

    size = RATE_HZ // 50
    pieces = samples[: max(size, len(samples) // size * size)]
    powers = np.square(pieces[: len(pieces) // size * size or None], dtype=np.float64)
    means = powers.reshape(-1, min(size, len(powers))).mean(1)
    return max(_SILENCE_DB, round(float(10 * np.log10(np.percentile(means, 10) + 1e-12)), 1))
