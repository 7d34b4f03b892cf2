"""What writes speech down and what speaks, behind one interface each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from yardkit.models.contract import Backend, ModelUnavailable, Option, choose_backend
from yardkit.models.embedded.store import SET_COMMAND
from yardkit.models.embedded.whisper_speech import HeardSpeech
from yardkit.models.service import service_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

BackendChoice = Literal["auto", "endpoint", "local", "embedded"]


class Transcriber(Backend, Protocol):
    """A backend that writes speech down."""

    chunk_s: float
    """Seconds of sound that it gets at a time."""

    def transcribe(self, samples: "Samples", language: str | None, *, translate: bool, words: bool) -> HeardSpeech:
        """What is said in a sound of 16 kHz.

        Args:
            samples: in [-1, 1].
            language: code of the language that is spoken; None to find it out.
            translate: into English.
            words: with the time of each word.
        """


@dataclass(frozen=True)
class Utterance:
    """What is to be said, and how.

    Attributes:
        text: what is said.
        language: code of the language of the text.
        voice: a name that the backend knows; None for its own choice.
        rate: how fast, 1 for as usual.
        seed: of what is drawn by chance.
    """

    text: str
    language: str
    voice: str | None
    rate: float
    seed: int


class Voice(Backend, Protocol):
    """A backend that speaks."""

    def speak(self, utterance: Utterance) -> "tuple[Samples, int]":
        """Samples in [-1, 1] of one channel, and how many of them are a second.

        Raises:
            Problem: it does not know the language or the voice.
        """


def chosen_transcriber(backend: BackendChoice) -> Transcriber:
    """What writes speech down: the one that is wanted, or the best that is set up.

    Raises:
        ModelUnavailable: none is set up.
    """
    from yardkit.servers.speech.backends.transcription_service import TranscriptionService
    from yardkit.servers.speech.backends.whisper import Whisper

    way = Option("embedded", SET_COMMAND, model="Whisper base", disk_bytes=140_000_000)
    backends: list[Transcriber] = [TranscriptionService("endpoint"), TranscriptionService("local"), Whisper()]
    needed = ModelUnavailable("transcription", "a speech model", [way, *service_options("transcription")])
    return choose_backend(backends, backend, needed)


def chosen_voice(backend: BackendChoice, language: str, voice: str | None) -> Voice:
    """What speaks a language: the one that is wanted, or the best that is set up.

    Raises:
        ModelUnavailable: none is set up.
    """
    from yardkit.servers.speech.backends.espeak import Espeak
    from yardkit.servers.speech.backends.hibari import Hibari
    from yardkit.servers.speech.backends.voice_service import VoiceService

    natural = [Hibari()] if language == "en" and voice in {None, *Hibari.voices} else []
    backends: list[Voice] = [VoiceService("endpoint"), VoiceService("local"), *natural, Espeak()]
    way = Option("embedded", SET_COMMAND, model="hibari, an English voice", disk_bytes=14_000_000)
    needed = ModelUnavailable("voice", "a model that speaks", [way, *service_options("voice")])
    return choose_backend(backends, backend, needed)
