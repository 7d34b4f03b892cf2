"""Pictures from prompts and edited by prompts, with diffusers pipelines (FLUX.2, Z-Image, SDXL ...)."""

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch
from yardkit.models.local.families.diffusion import call_pipeline, check_wishes, drop_unset, modules_of, open_pipeline
from yardkit.models.local.requests import ImageRequest
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch

_GRID_PX = 16
"""Sides are multiples of it in every pipeline."""


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    pipeline = open_pipeline(folder, dtype)
    return _Images(modules_of(pipeline), pipeline)


class _Images(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", pipeline: Any) -> None:
        super().__init__(parts)
        self._pipeline = pipeline
        self._editor = self._find_editor()

    def prepare(self, request: ImageRequest) -> Prepared:
        wishes = drop_unset(
            prompt=request.prompt,
            negative_prompt=request.negative_prompt,
            num_images_per_prompt=request.count,
            num_inference_steps=request.steps,
            strength=request.strength,
            **self._choose_sizes(request),
        )
        if request.guidance >= 0:
            wishes["guidance_scale"] = request.guidance
        if request.images:
            wishes["image"] = self._fit_images(request.images)
        check_wishes(self._editor if request.images else self._pipeline, wishes)
        return Prepared({}, None, (request, wishes))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        request, wishes = batch[0].extra
        pipeline = self._editor if request.images else self._pipeline
        return [call_pipeline(pipeline, wishes, request.seed, watch).images]

    def _find_editor(self) -> Any:
        """Find the pipeline that takes pictures: this one, or another with the same weights; None if there is none."""
        from diffusers import AutoPipelineForImage2Image

        if "image" in inspect.signature(self._pipeline.__call__).parameters:
            return self._pipeline
        try:
            editor = AutoPipelineForImage2Image.from_pipe(self._pipeline)
        except ValueError:
            return None
        editor.set_progress_bar_config(disable=True)
        return editor

    def _fit_images(self, images: Sequence[Any]) -> Any:
        """Resize the pictures to sides on the pipeline's grid."""
        if self._editor is None:
            raise Problem("this model makes pictures from words alone; ask one that changes pictures")
        sized = [image.resize(_on_grid(*image.size)) for image in images]
        if self._editor is self._pipeline:
            return sized
        if len(sized) > 1:
            raise Problem(f"this model changes one picture at a time; send one, not {len(sized)}")
        return sized[0]

    def _choose_sizes(self, request: ImageRequest) -> dict[str, int]:
        if not (request.width and request.height):
            return {}
        width, height = _on_grid(request.width, request.height)
        return {"width": width, "height": height}


def _on_grid(width: int, height: int) -> tuple[int, int]:
    return max(_GRID_PX, width // _GRID_PX * _GRID_PX), max(_GRID_PX, height // _GRID_PX * _GRID_PX)
