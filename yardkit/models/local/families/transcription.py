"""Speech to text, with Whisper.

Radford et al., https://arxiv.org/abs/2212.04356
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import (
    LocalModel,
    Prepared,
    Watch,
    join_batch,
    shapes_of,
    stop_when_unwanted,
)
from yardkit.models.local.families.loading import open_settings, open_weights
from yardkit.models.local.requests import Segment, Transcript, TranscriptionRequest
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch

_RATE_HZ = 16_000
_WINDOW_FRAMES = 3000
"""Frames of 10 ms that the model hears at once."""


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    from transformers import WhisperForConditionalGeneration, WhisperProcessor

    model = open_weights(WhisperForConditionalGeneration, folder, dtype)
    return _Transcription([model], open_settings(WhisperProcessor, folder))


class _Transcription(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self._processor = processor
        model: Any = parts[0]
        settings = model.generation_config
        self._languages = {token.strip("<|>"): token for token in getattr(settings, "lang_to_id", None) or {}}
        self._multilingual = bool(getattr(settings, "is_multilingual", False))
        self._can_time_words = bool(getattr(settings, "alignment_heads", None))

    def prepare(self, request: TranscriptionRequest) -> Prepared:
        language = self._find_language_code(request.language)
        if request.word_times and not self._can_time_words:
            raise Problem("this model gives no times of words; ask for segments only")
        short = len(request.samples) <= _WINDOW_FRAMES * _RATE_HZ // 100
        read = self._processor.feature_extractor(
            request.samples,
            sampling_rate=_RATE_HZ,
            return_tensors="pt",
            return_attention_mask=True,
            padding="max_length" if short else "longest",
            truncation=False,
        )
        inputs = {"input_features": read["input_features"], "attention_mask": read["attention_mask"]}
        # Longer sounds are processed in windows that begin at the end of the last sentence, so they cannot be batched.
        key = (language, request.word_times, shapes_of(inputs)) if short else None
        return Prepared(inputs, key, (language, request.word_times, len(request.samples) / _RATE_HZ))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        language, word_times, _ = batch[0].extra
        inputs = join_batch(batch, self.device, model.dtype)
        most = int(model.config.max_target_positions) - 8
        with torch.inference_mode():
            languages = [language] * len(batch)
            if self._multilingual and not language:
                languages = self._detect_languages(inputs["input_features"])
            asked = {"language": languages, "task": "transcribe"} if self._multilingual else {}
            generated = model.generate(
                **inputs,
                **asked,
                return_timestamps=True,
                return_segments=True,
                return_token_timestamps=word_times,
                stopping_criteria=stop_when_unwanted(watch, most, 0),
            )
        return list(zip(generated["segments"], languages, strict=True))

    def finish(self, prepared: Prepared, output: Any) -> Transcript:
        _, word_times, duration = prepared.extra
        generated, language = output
        segments = [
            Segment(
                min(float(part["start"]), duration),
                min(float(part["end"]), duration),
                self._decode_text(part["tokens"]),
            )
            for part in generated
        ]
        spoken_segments = tuple(part for part in segments if part.text)
        words = (
            tuple(word for part in generated for word in self._list_words(part, language, duration))
            if word_times
            else ()
        )
        return Transcript(" ".join(part.text for part in spoken_segments), language, spoken_segments, words)

    def _find_language_code(self, language_hint: str) -> str:
        """Find the code of the requested language.

        Raises:
            Problem: the model does not know it.
        """
        code = language_hint.partition("-")[0].lower()
        if not code or (not self._multilingual and code == "en"):
            return code
        if code not in self._languages:
            known = ", ".join(sorted(self._languages)) or "en"
            raise Problem(f"this model does not know the language {language_hint!r}; it knows: {known}")
        return code

    def _detect_languages(self, features: "torch.Tensor") -> list[str]:
        """Detect the language of each sound from its first 30 seconds."""
        model: Any = self.parts[0]
        tokens = model.detect_language(input_features=features[:, :, :_WINDOW_FRAMES])
        return [token.strip("<|>") for token in self._processor.tokenizer.convert_ids_to_tokens(tokens.tolist())]

    def _decode_text(self, tokens: Any) -> str:
        return str(self._processor.tokenizer.decode(tokens, skip_special_tokens=True)).strip()

    def _list_words(self, part: Any, language: str, duration: float) -> Iterator[Segment]:
        """List the words of a segment with their times."""
        tokenizer = self._processor.tokenizer
        special = set(tokenizer.all_special_ids)
        first = tokenizer.convert_tokens_to_ids("<|0.00|>")
        tokens, times = part["tokens"].tolist(), part["token_timestamps"].tolist()
        text_indexes = [index for index, token in enumerate(tokens) if token not in special and token < first]
        for indexes in self._group_tokens([tokens[index] for index in text_indexes], language):
            places = [text_indexes[index] for index in indexes]
            text = tokenizer.decode([tokens[place] for place in places]).strip()
            end = times[places[-1] + 1] if places[-1] + 1 < len(times) else float(part["end"])
            if text:
                yield Segment(min(times[places[0]], duration), min(max(end, times[places[0]]), duration), text)

    def _group_tokens(self, tokens: list[int], language: str) -> list[list[int]]:
        from transformers.models.whisper.tokenization_whisper import _combine_tokens_into_words

        return list(_combine_tokens_into_words(self._processor.tokenizer, tokens, language or "en")[2])
