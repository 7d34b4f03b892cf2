"""Speech recognition by Whisper base: text, times, language; or translation into English."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.world import Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "whisper-base"
RATE_HZ = 16_000
PRELOAD = ("numpy", "faster_whisper")
"""What the process that runs it keeps loaded."""
_MAX_THREADS = 4
_TEMPERATURES = (0.0, 0.4, 0.8)
"""What is drawn more freely where the likeliest text repeats itself; seeded, so that a sound always gives one text."""
_BEAMS = 5
_TIMES_S = 2


@dataclass(frozen=True)
class HeardWord:
    """A word with its time and probability."""

    start_s: float
    end_s: float
    text: str
    score: float


@dataclass(frozen=True)
class HeardSegment:
    """A part of speech: times, text, probability, and its words if requested."""

    start_s: float
    end_s: float
    text: str
    score: float
    words: tuple[HeardWord, ...] = ()


@dataclass(frozen=True)
class HeardSpeech:
    """The speech in a sound.

    Attributes:
        segments: the parts in order.
        language: the code of the spoken language.
        language_score: its probability; 1 if it was given.
    """

    segments: tuple[HeardSegment, ...]
    language: str
    language_score: float


def transcribe_samples(
    folder: Path,
    samples: "NDArray[np.float32]",
    language: str | None,
    translate: bool,
    words: bool,
) -> HeardSpeech:
    """Transcribe a sound; empty without speech. Call it in a separate process.

    Args:
        folder: the folder of `MODEL`.
        samples: the samples in [-1, 1], at `RATE_HZ`.
        language: the code of the language; None to detect it from the first 30 seconds.
        translate: whether to translate into English.
        words: whether to return each word with its time.

    Raises:
        Problem: the model does not know the language.
    """
    import ctranslate2

    model = _load_model(folder)
    if language not in {None, *model.supported_languages}:
        raise Problem(f"Whisper does not know the language {language!r}; leave it out, or give one it knows")
    ctranslate2.set_random_seed(0)
    segments, facts = model.transcribe(
        samples,
        language=language,
        task="translate" if translate else "transcribe",
        beam_size=_BEAMS,
        temperature=_TEMPERATURES,
        condition_on_previous_text=False,  # otherwise an error would be repeated
        word_timestamps=words,
        vad_filter=True,  # in silence the model hallucinates
    )
    seconds = len(samples) / RATE_HZ
    heard = tuple(_make_segment(segment, seconds) for segment in segments if segment.text.strip())
    return HeardSpeech(heard, facts.language, round(float(facts.language_probability), 3) if not language else 1.0)


def detect_language(folder: Path, samples: "NDArray[np.float32]") -> list[tuple[str, float]]:
    """Detect the possible languages, most likely first, with probabilities; none without speech."""
    if not speech_spans(samples):
        return []
    _, _, chances = _load_model(folder).detect_language(samples, vad_filter=True)
    return [(code, round(float(chance), 3)) for code, chance in chances]


def speech_spans(samples: "NDArray[np.float32]") -> list[tuple[float, float]]:
    """Find the times of speech, in seconds, by Silero's voice activity model, which is part of faster-whisper."""
    from faster_whisper.vad import get_speech_timestamps

    return [(span["start"] / RATE_HZ, span["end"] / RATE_HZ) for span in get_speech_timestamps(samples)]


@cache
def _load_model(folder: Path) -> Any:
    from faster_whisper import WhisperModel

    threads = min(_MAX_THREADS, os.cpu_count() or 1)
    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)


def _make_segment(segment: Any, seconds: float) -> HeardSegment:
    import math

    words = tuple(
        HeardWord(_round_time(word.start), _round_time(word.end), word.word.strip(), round(float(word.probability), 2))
        for word in segment.words or ()
    )
    score = round(math.exp(min(0.0, segment.avg_logprob)), 2)
    return HeardSegment(
        _round_time(segment.start), _round_time(min(segment.end, seconds)), segment.text.strip(), score, words
    )


def _round_time(seconds: float) -> float:
    return round(float(seconds), _TIMES_S)
