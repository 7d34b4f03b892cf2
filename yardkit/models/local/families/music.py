"""Music and songs from words, with ACE-Step.

Gong et al., https://arxiv.org/abs/2506.00045
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch
from yardkit.models.local.families.diffusion import call_pipeline, check_wishes, drop_unset, modules_of, open_pipeline
from yardkit.models.local.requests import MusicRequest, Sound

if TYPE_CHECKING:
    import torch


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    pipeline = open_pipeline(folder, dtype)
    return _Music(modules_of(pipeline), pipeline)


class _Music(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", pipeline: Any) -> None:
        super().__init__(parts)
        self._pipeline = pipeline

    def prepare(self, request: MusicRequest) -> Prepared:
        wishes = drop_unset(
            prompt=request.prompt,
            lyrics=request.lyrics,
            audio_duration=request.seconds,
            num_inference_steps=request.steps,
        )
        check_wishes(self._pipeline, wishes)
        return Prepared({}, None, (request, wishes))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        request, wishes = batch[0].extra
        audio = call_pipeline(self._pipeline, wishes, request.seed, watch).audios[0]
        return [audio.float().cpu().numpy() if hasattr(audio, "cpu") else audio]

    def finish(self, prepared: Prepared, output: Any) -> Sound:
        rate = int(self._pipeline.vae.config.sampling_rate)
        sample_count = round(prepared.extra[0].seconds * rate)
        return Sound(output[:, :sample_count], rate)
