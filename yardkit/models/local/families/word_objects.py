"""Objects by words, with OWL-ViT and OWLv2: each query is compared with each place.

Minderer et al., Scaling Open-Vocabulary Object Detection, https://arxiv.org/abs/2306.09683
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch, join_batch, shapes_of
from yardkit.models.local.families.loading import open_settings, open_weights, serialize_calls
from yardkit.models.local.requests import DetectedObject, ObjectsRequest

if TYPE_CHECKING:
    import torch


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the detector in a directory."""
    from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor

    model = open_weights(AutoModelForZeroShotObjectDetection, folder, dtype)
    return _WordObjects([model], open_settings(AutoProcessor, folder))


class _WordObjects(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self._processor = processor
        self._words = lru_cache(256)(serialize_calls(self._tokenize_queries))

    def prepare(self, request: ObjectsRequest) -> Prepared:
        pixels = self._processor.image_processor(images=request.image, return_tensors="pt")
        inputs = {"pixel_values": pixels["pixel_values"]}
        # The model takes the same number of queries for each picture, as one list.
        return Prepared({**inputs, **self._words(request.queries)}, (request.queries, shapes_of(inputs)), request)

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        with torch.inference_mode():
            outputs = model(**join_batch(batch, self.device, model.dtype))
        return [
            SimpleNamespace(logits=logits[None].float().cpu(), pred_boxes=boxes[None].float().cpu())
            for logits, boxes in zip(outputs.logits, outputs.pred_boxes, strict=True)
        ]

    def finish(self, prepared: Prepared, output: Any) -> list[DetectedObject]:
        request = prepared.extra
        width, height = request.image.size
        detections = self._processor.image_processor.post_process_object_detection(
            output, threshold=request.threshold, target_sizes=[(height, width)]
        )[0]
        best = detections["scores"].argsort(descending=True, stable=True)[: request.limit]
        best_detections = zip(*(detections[name][best].tolist() for name in ("labels", "scores", "boxes")), strict=True)
        return [
            DetectedObject(request.queries[label], score, _limit_box(box, width, height))
            for label, score, box in best_detections
        ]

    def _tokenize_queries(self, queries: tuple[str, ...]) -> "dict[str, torch.Tensor]":
        read = self._processor.tokenizer(
            list(queries), return_tensors="pt", padding="max_length", truncation=True, max_length=self._get_longest()
        )
        return {"input_ids": read["input_ids"], "attention_mask": read["attention_mask"]}

    def _get_longest(self) -> int:
        model: Any = self.parts[0]
        return int(model.config.text_config.max_position_embeddings)


def _limit_box(box: Sequence[float], width: int, height: int) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    left, right = min(max(left, 0.0), width), min(max(right, 0.0), width)
    top, bottom = min(max(top, 0.0), height), min(max(bottom, 0.0), height)
    return left, top, right, bottom
