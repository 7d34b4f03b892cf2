"""A transcriber behind HTTP: an OpenAI-compatible service, or our own worker."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from yardkit.kit.sounds import wav_bytes
from yardkit.models.contract import Origin
from yardkit.models.embedded.whisper_speech import RATE_HZ, HeardSegment, HeardSpeech, HeardWord
from yardkit.models.languages import language_code
from yardkit.models.service import service_of_tier
from yardkit.world import Problem, Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TranscriptionService:
    """Asks ``/audio/transcriptions``, or ``/audio/translations`` for English of another language."""

    chunk_s = 300.0

    def __init__(self, tier: Literal["endpoint", "local"]) -> None:
        self._tier: Literal["endpoint", "local"] = tier
        self._service, self._reason = service_of_tier("transcription", tier)

    @property
    def origin(self) -> Origin:
        return self._service.origin if self._service else Origin(self._tier, "no model", "full")

    def missing(self) -> str:
        return self._reason

    def transcribe(
        self, samples: "NDArray[np.float32]", language: str | None, *, translate: bool, words: bool
    ) -> HeardSpeech:
        """What is said in a sound of 16 kHz."""
        service = self._service
        if service is None:
            raise Unavailable(self._reason)
        fields: dict[str, Any] = {"response_format": "verbose_json", "temperature": "0"}
        if language and not translate:
            fields["language"] = language
        if not translate:
            fields["timestamp_granularities[]"] = ["segment", "word"] if words else ["segment"]
        route = "/audio/translations" if translate else "/audio/transcriptions"
        answer = service.send(route, fields, [("file", ("sound.wav", wav_bytes(samples, RATE_HZ), "audio/wav"))])
        return _parse_answer(answer, language, len(samples) / RATE_HZ)


def _parse_answer(answer: Mapping[str, Any], language: str | None, seconds: float) -> HeardSpeech:
    """What a service says, in our terms.

    Raises:
        Unavailable: it is not a transcription.
    """
    text = answer.get("text")
    if not isinstance(text, str):
        raise Unavailable("the transcription service returned no text; check that it is OpenAI-compatible")
    try:
        words = [_parse_word(word) for word in answer.get("words") or ()]
        segments = [_parse_segment(segment, words) for segment in answer.get("segments") or ()]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise Unavailable(f"the transcription service returned segments that cannot be read ({error!r})") from error
    if not segments and text.strip():
        segments = [HeardSegment(0.0, round(seconds, 2), text.strip(), 1.0, tuple(words))]
    return HeardSpeech(tuple(segments), language or _to_language_code(answer.get("language")), 1.0)


def _parse_word(word_data: Mapping[str, Any]) -> HeardWord:
    return HeardWord(
        float(word_data["start"]),
        float(word_data["end"]),
        str(word_data["word"]).strip(),
        float(word_data.get("score", 1.0)),
    )


def _parse_segment(segment_data: Mapping[str, Any], words: Sequence[HeardWord]) -> HeardSegment:
    import math

    start, end = float(segment_data["start"]), float(segment_data["end"])
    score = round(math.exp(min(0.0, float(segment_data.get("avg_logprob") or 0.0))), 2)
    within = tuple(word for word in words if start <= (word.start_s + word.end_s) / 2 < end)
    return HeardSegment(round(start, 2), round(end, 2), str(segment_data["text"]).strip(), score, within)


def _to_language_code(language: object) -> str:
    """OpenAI says ``english``, others ``en``; empty where it is not said."""
    try:
        return language_code(str(language)) if language else ""
    except Problem:
        return ""
