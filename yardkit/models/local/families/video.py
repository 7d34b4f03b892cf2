"""Videos from prompts, with diffusers pipelines (Wan, LTX)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch
from yardkit.models.local.families.diffusion import call_pipeline, check_wishes, drop_unset, modules_of, open_pipeline
from yardkit.models.local.requests import Film, VideoRequest

if TYPE_CHECKING:
    import torch

_GRID_PX = 32
_MOST_FRAMES = 1000
_USUAL_FRAMES_PER_S = 16.0


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    pipeline = open_pipeline(folder, dtype)
    return _Video(modules_of(pipeline), pipeline)


class _Video(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", pipeline: Any) -> None:
        super().__init__(parts)
        self._pipeline = pipeline

    def prepare(self, request: VideoRequest) -> Prepared:
        rate = request.frames_per_s or _USUAL_FRAMES_PER_S
        width, height = (side // _GRID_PX * _GRID_PX for side in (request.width, request.height))
        wishes = drop_unset(
            prompt=request.prompt,
            negative_prompt=request.negative_prompt,
            width=width,
            height=height,
            num_frames=self._choose_frame_count(request.seconds * rate),
            num_inference_steps=request.steps,
        )
        if request.guidance >= 0:
            wishes["guidance_scale"] = request.guidance
        check_wishes(self._pipeline, wishes)
        return Prepared({}, None, (request, wishes, rate))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        request, wishes, _ = batch[0].extra
        return [call_pipeline(self._pipeline, {**wishes, "output_type": "np"}, request.seed, watch).frames[0]]

    def finish(self, prepared: Prepared, output: Any) -> Film:
        import numpy as np

        frames = (np.clip(np.nan_to_num(output), 0, 1) * 255).round().astype(np.uint8)
        return Film(frames, prepared.extra[2])

    def _choose_frame_count(self, requested_seconds: float) -> int:
        """Choose the nearest possible number of frames: 1 plus a multiple of the model's temporal compression."""
        if requested_seconds <= 0:
            return 0
        step = int(getattr(self._pipeline, "vae_scale_factor_temporal", 4) or 4)
        return min(_MOST_FRAMES, max(0, round((requested_seconds - 1) / step)) * step + 1)
