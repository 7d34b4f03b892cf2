"""The embedded transcriber: Whisper base, in a process apart."""

from typing import TYPE_CHECKING

from yardkit.models.contract import Origin
from yardkit.models.embedded import whisper_speech
from yardkit.models.embedded.catalog import embedded_model
from yardkit.models.embedded.running import origin_of
from yardkit.models.embedded.store import SET_COMMAND, is_there, require_model
from yardkit.models.embedded.whisper_speech import MODEL, HeardSpeech
from yardkit.programs.bounded import run_bounded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SECONDS, _MEMORY_BYTES = 150.0, 3_000_000_000


class Whisper:
    """A small model of 99 languages: clear speech is written down well, mumbling and short names are not."""

    chunk_s = 120.0

    @property
    def origin(self) -> Origin:
        return origin_of(MODEL)

    def missing(self) -> str:
        return "" if is_there(embedded_model(MODEL)) else f"it was not added; `{SET_COMMAND}`"

    def transcribe(
        self, samples: "NDArray[np.float32]", language: str | None, *, translate: bool, words: bool
    ) -> HeardSpeech:
        """What is said in a sound of 16 kHz."""
        arguments = (require_model(MODEL), samples, language, translate, words)
        return run_bounded(
            whisper_speech.transcribe_samples, *arguments, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True
        )
