"""What writes speech down and what speaks, behind one interface each."""

from typing import TYPE_CHECKING, Literal, Protocol

from toolyard.models.contract import Backend, ModelUnavailable, Option, choose_backend
from toolyard.models.embedded.store import SET_COMMAND
from toolyard.models.embedded.whisper_speech import HeardSpeech
from toolyard.models.service import service_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BackendChoice = Literal["auto", "endpoint", "local", "embedded"]


class Transcriber(Backend, Protocol):
    """A backend that writes speech down."""

    chunk_s: float
    """Seconds of sound that it gets at a time."""

    def transcribe(
        self, samples: "NDArray[np.float32]", language: str | None, *, translate: bool, words: bool
    ) -> HeardSpeech:
        """What is said in a sound of 16 kHz.

        Args:
            samples: in [-1, 1].
            language: code of the language that is spoken; None to find it out.
            translate: into English.
            words: with the time of each word.
        """


def chosen_transcriber(backend: BackendChoice) -> Transcriber:
    """What writes speech down: the one that is wanted, or the best that is set up.

    Raises:
        ModelUnavailable: none is set up.
    """
    from toolyard.servers.speech.backends.transcription_service import TranscriptionService
    from toolyard.servers.speech.backends.whisper import Whisper

    way = Option("embedded", SET_COMMAND, model="Whisper base", disk_bytes=140_000_000)
    backends: list[Transcriber] = [TranscriptionService("endpoint"), TranscriptionService("local"), Whisper()]
    needed = ModelUnavailable("transcription", "a speech model", [way, *service_options("transcription")])
    return choose_backend(backends, backend, needed)
