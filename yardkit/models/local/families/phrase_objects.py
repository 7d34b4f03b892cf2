"""Objects by words, with Grounding DINO and MM-Grounding DINO, which read the words as one sentence.

Liu et al., Grounding DINO, https://arxiv.org/abs/2303.05499
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch, join_batch, shapes_of
from yardkit.models.local.families.loading import open_settings, open_weights, serialize_calls
from yardkit.models.local.requests import DetectedObject, ObjectsRequest
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch

_MOST_CHARACTERS = 1000


@dataclass(frozen=True)
class _Asked:
    request: ObjectsRequest
    spans: tuple[tuple[int, int], ...]
    """From which token of the sentence to which each query goes."""


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the detector in a directory."""
    from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor

    model = open_weights(AutoModelForZeroShotObjectDetection, folder, dtype)
    return _PhraseObjects([model], open_settings(AutoProcessor, folder))


class _PhraseObjects(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self._pictures = processor.image_processor
        self._sentence = lru_cache(256)(serialize_calls(self._tokenize_queries))
        self._tokenizer = processor.tokenizer

    def prepare(self, request: ObjectsRequest) -> Prepared:
        words, spans = self._sentence(request.queries)
        pixels = self._pictures(images=request.image, return_tensors="pt")
        inputs = {**words, "pixel_values": pixels["pixel_values"], "pixel_mask": pixels["pixel_mask"]}
        # The sentence is the same for the entire batch, so padding has no effect.
        return Prepared(inputs, (request.queries, shapes_of(inputs)), _Asked(request, spans))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        with torch.inference_mode():
            outputs = model(**join_batch(batch, self.device, model.dtype))
            scores, boxes = outputs.logits.float().sigmoid(), outputs.pred_boxes.float()
            return list(zip(scores.cpu().numpy(), boxes.cpu().numpy(), strict=True))

    def finish(self, prepared: Prepared, output: Any) -> list[DetectedObject]:
        import numpy as np

        asked, (scores, boxes) = prepared.extra, output
        by_query = np.stack([scores[:, start:end].max(axis=1) for start, end in asked.spans], axis=1)
        best, which = by_query.max(axis=1), by_query.argmax(axis=1)
        remaining_indexes = [
            index for index in np.argsort(-best, kind="stable") if best[index] >= asked.request.threshold
        ]
        return [
            DetectedObject(
                asked.request.queries[which[index]], float(best[index]), _to_corners(boxes[index], asked.request)
            )
            for index in remaining_indexes[: asked.request.limit]
        ]

    def _tokenize_queries(
        self, queries: tuple[str, ...]
    ) -> "tuple[dict[str, torch.Tensor], tuple[tuple[int, int], ...]]":
        """Tokenize the sentence made of the queries, and find the place of each query in it."""
        parts = [" ".join(query.lower().replace(".", " ").split()) for query in queries]
        starts = [sum(len(part) + 2 for part in parts[:index]) for index in range(len(parts))]
        sentence = " ".join(f"{part}." for part in parts)
        longest = min(int(self._tokenizer.model_max_length), 256)
        read = self._tokenizer(sentence, return_tensors="pt", return_offsets_mapping=True, return_token_type_ids=True)
        if not all(parts) or len(sentence) > _MOST_CHARACTERS or read["input_ids"].shape[1] > longest:
            raise Problem(f"the {len(queries)} queries are empty or more than the model reads; ask for fewer at a time")
        offsets = read.pop("offset_mapping")[0].tolist()
        return dict(read), tuple(
            _find_token_span(offsets, start, start + len(part)) for start, part in zip(starts, parts, strict=True)
        )


def _find_token_span(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """Find the first and last token of the characters from `start` to `end`."""
    inside = [index for index, (first, last) in enumerate(offsets) if first < last and first < end and last > start]
    if not inside:
        raise Problem("the model cannot read one of the queries; use words of its language")
    return inside[0], inside[-1] + 1


def _to_corners(box: Any, request: ObjectsRequest) -> tuple[float, float, float, float]:
    """Convert a box from centre and size, as shares of the picture, to corners in pixels inside it."""
    width, height = request.image.size
    x, y, w, h = (float(value) for value in box)
    left, right = max(x - w / 2, 0.0) * width, min(x + w / 2, 1.0) * width
    top, bottom = max(y - h / 2, 0.0) * height, min(y + h / 2, 1.0) * height
    return left, top, max(right, left), max(bottom, top)
