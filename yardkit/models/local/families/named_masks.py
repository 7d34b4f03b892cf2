"""Masks of all objects named by words, with SAM 3.

Carion et al., SAM 3: Segment Anything with Concepts, https://arxiv.org/abs/2511.16719
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch, join_batch, shapes_of
from yardkit.models.local.families.loading import open_settings, open_weights, serialize_calls
from yardkit.models.local.requests import DetectedMask, MasksRequest
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch

_NEEDED = ("pred_masks", "pred_boxes", "pred_logits", "presence_logits")


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    from transformers import Sam3Model, Sam3Processor

    return _NamedMasks([open_weights(Sam3Model, folder, dtype)], open_settings(Sam3Processor, folder))


class _NamedMasks(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self.most = 4
        self._processor = processor
        self._words = lru_cache(256)(serialize_calls(self._tokenize_query))

    def prepare(self, request: MasksRequest) -> Prepared:
        if request.boxes or request.points or not request.query:
            raise Problem("this model finds what words name: give a query alone; for boxes and points ask SAM 2")
        pixels = self._processor.image_processor(images=request.image, return_tensors="pt")
        inputs = {"pixel_values": pixels["pixel_values"], **self._words(request.query)}
        return Prepared(inputs, shapes_of(inputs), request)

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        with torch.inference_mode():
            outputs = model(**join_batch(batch, self.device, model.dtype))
        values = {name: value.float().cpu() for name in _NEEDED if (value := getattr(outputs, name, None)) is not None}
        return [_select_output(values, index) for index in range(len(batch))]

    def finish(self, prepared: Prepared, output: Any) -> list[DetectedMask]:
        import numpy as np

        request = prepared.extra
        width, height = request.image.size
        segments = self._processor.post_process_instance_segmentation(
            output, threshold=request.threshold, mask_threshold=0.5, target_sizes=[(height, width)]
        )[0]
        masks = [
            DetectedMask(mask.numpy().astype(np.uint8) * 255, float(score))
            for mask, score in zip(segments["masks"], segments["scores"], strict=True)
        ]
        return sorted(masks, key=lambda mask: -mask.score)

    def _tokenize_query(self, query: str) -> "dict[str, torch.Tensor]":
        model: Any = self.parts[0]
        tokenizer, longest = self._processor.tokenizer, int(model.config.text_config.max_position_embeddings)
        read = tokenizer(query, return_tensors="pt", padding="max_length", truncation=True, max_length=longest)
        return {"input_ids": read["input_ids"], "attention_mask": read["attention_mask"]}


def _select_output(values: "dict[str, torch.Tensor]", index: int) -> SimpleNamespace:
    """Select the outputs for one picture of a batch."""
    ours = {name: value[index : index + 1] for name, value in values.items()}
    return SimpleNamespace(**{**dict.fromkeys(_NEEDED), **ours})
