"""Masks by boxes and points, with SAM 2.

Ravi et al., SAM 2: Segment Anything in Images and Videos, https://arxiv.org/abs/2408.00714
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch, join_batch, shapes_of
from yardkit.models.local.families.loading import open_settings, open_weights
from yardkit.models.local.requests import DetectedMask, MasksRequest
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    from transformers import Sam2Model, Sam2Processor

    return _PromptedMasks([open_weights(Sam2Model, folder, dtype)], open_settings(Sam2Processor, folder))


class _PromptedMasks(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self.most = 8
        self._processor = processor

    def prepare(self, request: MasksRequest) -> Prepared:
        if request.query:
            raise Problem("this model knows no words: give boxes or points, or ask one that does (such as SAM 3)")
        if request.points and len(request.boxes) > 1:
            raise Problem("points describe one object: give at most one box with them")
        asked: dict[str, Any] = {}
        if request.boxes:
            asked["input_boxes"] = [[list(box) for box in request.boxes]]
        if request.points:
            asked["input_points"] = [[[[x, y] for x, y, _ in request.points]]]
            asked["input_labels"] = [[[int(inside) for _, _, inside in request.points]]]
        read = self._processor(images=request.image, return_tensors="pt", **asked)
        inputs = {name: read[name] for name in ("pixel_values", *asked)}
        ambiguous = len(request.points) == 1 and not request.boxes
        return Prepared(inputs, (ambiguous, shapes_of(inputs)), (read["original_sizes"], ambiguous))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        _, ambiguous = batch[0].extra
        with torch.inference_mode():
            # A point may mean an object or a part of it, so the best of three masks is taken.
            outputs = model(**join_batch(batch, self.device, model.dtype), multimask_output=ambiguous)
        masks, scores = outputs.pred_masks.float().cpu(), outputs.iou_scores.float().cpu()
        return list(zip(masks, scores, strict=True))

    def finish(self, prepared: Prepared, output: Any) -> list[DetectedMask]:
        import numpy as np

        (masks, scores), (sizes, _) = output, prepared.extra
        upscaled_masks = self._processor.post_process_masks(masks[None], sizes)[0]
        best = scores.argmax(dim=-1).tolist()
        return [
            DetectedMask(
                upscaled_masks[thing, index].numpy().astype(np.uint8) * 255, _clamp_score(scores[thing, index])
            )
            for thing, index in enumerate(best)
        ]


def _clamp_score(score: Any) -> float:
    return min(1.0, max(0.0, float(score)))
