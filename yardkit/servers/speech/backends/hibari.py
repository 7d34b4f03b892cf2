"""The embedded English voice: hibari, in a process apart."""

from typing import TYPE_CHECKING

from yardkit.models.contract import Origin
from yardkit.models.embedded.catalog import embedded_model
from yardkit.models.embedded.hibari_voice import MODEL, RATE_HZ, speak_english
from yardkit.models.embedded.running import origin_of, run_in_process
from yardkit.models.embedded.store import SET_COMMAND, is_there, require_model
from yardkit.servers.speech.backends import Utterance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Hibari:
    """A natural voice of a woman with an American accent; it reads numbers, money, dates and units in words."""

    voices = ("heart",)

    @property
    def origin(self) -> Origin:
        return origin_of(MODEL)

    def missing(self) -> str:
        return "" if is_there(embedded_model(MODEL)) else f"it was not added; `{SET_COMMAND}`"

    def speak(self, utterance: Utterance) -> "tuple[NDArray[np.float32], int]":
        """Samples and their rate."""
        return run_in_process(
            speak_english, require_model(MODEL), utterance.text, utterance.rate, utterance.seed
        ), RATE_HZ
