"""LaTeX of a formula in a picture, with PP-FormulaNet.

Liu et al., PP-FormulaNet, https://arxiv.org/abs/2503.18382
"""

from collections.abc import Sequence
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
from yardkit.models.local.requests import ChatRequest, Completion
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    from transformers import AutoModelForImageTextToText, AutoProcessor

    return _Formulas([open_weights(AutoModelForImageTextToText, folder, dtype)], open_settings(AutoProcessor, folder))


class _Formulas(LocalModel):
    """Reads the only picture of a chat and ignores its text."""

    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self._processor = processor
        model: Any = parts[0]
        self._longest = int(model.config.get_text_config().max_position_embeddings) - 2

    def prepare(self, request: ChatRequest) -> Prepared:
        if len(request.images) != 1:
            raise Problem(f"this model reads one formula at a time; send one picture, not {len(request.images)}")
        read = self._processor.image_processor(images=request.images[0], return_tensors="pt")
        inputs = {"pixel_values": read["pixel_values"]}
        most = min(request.max_tokens, self._longest)
        return Prepared(inputs, (most, shapes_of(inputs)), most)

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        most = batch[0].extra
        criteria = stop_when_unwanted(watch, most, 0)
        with torch.inference_mode():
            tokens = model.generate(
                **join_batch(batch, self.device, model.dtype), max_new_tokens=most, stopping_criteria=criteria
            )
        return list(tokens.cpu())

    def finish(self, prepared: Prepared, output: Any) -> Completion:
        text = self._processor.batch_decode([output], skip_special_tokens=True)[0].strip()
        count = len(output)
        return Completion(text, 0, count, "length" if count > prepared.extra else "stop")
