"""A voice behind HTTP: an OpenAI-compatible service, or our own worker."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from yardkit.kit.sounds import read_full_sound
from yardkit.models.contract import Origin
from yardkit.models.service import service_of_tier
from yardkit.servers.speech.backends import Utterance
from yardkit.world import Problem, Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RATE_HZ = 24_000
_USUAL_VOICE = "alloy"


class VoiceService:
    """Asks ``/audio/speech``; which voices there are, the service knows."""

    def __init__(self, tier: Literal["endpoint", "local"]) -> None:
        self._tier: Literal["endpoint", "local"] = tier
        self._service, self._reason = service_of_tier("voice", tier)

    @property
    def origin(self) -> Origin:
        return self._service.origin if self._service else Origin(self._tier, "no model", "full")

    def missing(self) -> str:
        return self._reason

    def speak(self, utterance: Utterance) -> "tuple[NDArray[np.float32], int]":
        """Samples and their rate."""
        service = self._service
        if service is None:
            raise Unavailable(self._reason)
        asked: dict[str, Any] = {
            "input": utterance.text,
            "speed": utterance.rate,
            "response_format": "wav",
            "seed": utterance.seed,
        }
        asked |= {"voice": utterance.voice or _USUAL_VOICE, "language": utterance.language}
        with tempfile.TemporaryDirectory() as folder:
            answer = Path(folder, "answer")
            answer.write_bytes(service.fetch("/audio/speech", asked))
            try:
                return read_full_sound(answer, _RATE_HZ), _RATE_HZ
            except Problem as problem:
                raise Unavailable(f"the voice service of {service.setting} returned no audio") from problem
