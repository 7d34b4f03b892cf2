"""Music from prompts, with MusicGen. Its published weights are for non-commercial use.

Copet et al., https://arxiv.org/abs/2306.05284
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch, stop_when_unwanted
from yardkit.models.local.families.loading import open_settings, open_weights, serialize_calls
from yardkit.models.local.requests import MusicRequest, Sound
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch

_MOST_SECONDS = 30.0
"""What it was trained on; beyond it falls apart."""


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    from transformers import AutoProcessor, MusicgenForConditionalGeneration

    model = open_weights(MusicgenForConditionalGeneration, folder, dtype)
    return _TokenMusic([model], open_settings(AutoProcessor, folder))


class _TokenMusic(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self._read = serialize_calls(processor.tokenizer)
        model: Any = parts[0]
        self._codec = model.config.audio_encoder
        self._codebooks = int(model.config.decoder.num_codebooks)

    def prepare(self, request: MusicRequest) -> Prepared:
        if request.lyrics:
            raise Problem("this model does not sing; ask without lyrics")
        if request.seconds > _MOST_SECONDS:
            raise Problem(f"this model makes at most {_MOST_SECONDS:g} s of music, not {request.seconds:g}")
        read = self._read([request.prompt], return_tensors="pt", padding=True)
        return Prepared({name: read[name] for name in ("input_ids", "attention_mask")}, None, request)

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        request = batch[0].extra
        inputs = {name: tensor.to(self.device) for name, tensor in batch[0].inputs.items()}
        # Each codebook is delayed by one token relative to the one before it.
        most = max(1, round(request.seconds * self._codec.frame_rate)) + self._codebooks - 1
        watch.report_progress(1e-4)
        torch.manual_seed(request.seed)
        with torch.inference_mode():
            audio = model.generate(
                **inputs, do_sample=True, max_new_tokens=most, stopping_criteria=stop_when_unwanted(watch, most, 1)
            )
        return [audio[0].float().cpu().numpy()]

    def finish(self, prepared: Prepared, output: Any) -> Sound:
        rate = int(self._codec.sampling_rate)
        return Sound(output[:, : round(prepared.extra.seconds * rate)], rate)
