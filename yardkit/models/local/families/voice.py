"""Text to speech, with VITS (the MMS voices of over a thousand languages).

Kim et al., https://arxiv.org/abs/2106.06103; Pratap et al., https://arxiv.org/abs/2305.13516
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch
from yardkit.models.local.families.loading import open_settings, open_weights, serialize_calls
from yardkit.models.local.requests import Sound, SpeechRequest
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    import torch
    from transformers import AutoTokenizer, VitsModel

    return _Voice([open_weights(VitsModel, folder, torch.float32)], open_settings(AutoTokenizer, folder))


class _Voice(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", tokenizer: Any) -> None:
        super().__init__(parts)
        self._read = serialize_calls(tokenizer)
        model: Any = parts[0]
        self._voices = max(1, int(model.config.num_speakers))
        self._rate_hz = int(model.config.sampling_rate)

    def prepare(self, request: SpeechRequest) -> Prepared:
        voice = request.voice or "0"
        if not (voice.isascii() and voice.isdigit() and int(voice) < self._voices):
            raise Problem(f"this model has no voice {request.voice!r}; its voices are 0 to {self._voices - 1}")
        try:
            read = self._read(request.text, return_tensors="pt")
        except ImportError as error:
            raise Problem(f"this voice needs a package that reads its script: {str(error).split('.')[0]}") from error
        if read["input_ids"].shape[1] < 2:
            raise Problem("this voice cannot speak the text: it has no letters of the voice's language")
        inputs = {name: read[name] for name in ("input_ids", "attention_mask")}
        return Prepared(inputs, None, (request, int(voice)))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        request, voice = batch[0].extra
        inputs = {name: tensor.to(self.device) for name, tensor in batch[0].inputs.items()}
        speaker = {"speaker_id": voice} if self._voices > 1 else {}
        torch.manual_seed(request.seed)
        with torch.inference_mode():
            rate = float(model.config.speaking_rate) * request.speed
            outputs = model(**inputs, **speaker, speaking_rate=rate)
        return [outputs.waveform.float().cpu().numpy()]

    def finish(self, prepared: Prepared, output: Any) -> Sound:
        return Sound(output, self._rate_hz)
