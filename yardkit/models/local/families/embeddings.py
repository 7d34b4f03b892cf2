"""Vectors of pictures and texts in one space, with CLIP and SigLIP.

Radford et al., https://arxiv.org/abs/2103.00020; Tschannen et al., SigLIP 2, https://arxiv.org/abs/2502.14786
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch, join_batch, shapes_of
from yardkit.models.local.families.loading import open_settings, open_weights, serialize_calls
from yardkit.models.local.requests import EmbeddingRequest

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    from transformers import AutoModel, AutoProcessor

    return _Embeddings([open_weights(AutoModel, folder, dtype)], open_settings(AutoProcessor, folder))


class _Embeddings(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self.most = 64
        self._pictures = processor.image_processor
        self._words = serialize_calls(processor.tokenizer)
        model: Any = parts[0]
        self._longest = int(model.config.text_config.max_position_embeddings)
        # SigLIP was trained on texts padded to full length and without a mask.
        self._masked = model.config.model_type == "clip"

    def prepare(self, request: EmbeddingRequest) -> Prepared:
        if isinstance(request.item, str):
            read = self._words(
                request.item, return_tensors="pt", padding="max_length", truncation=True, max_length=self._longest
            )
            names = ("input_ids", "attention_mask") if self._masked else ("input_ids",)
            inputs = {name: read[name] for name in names}
        else:
            read = self._pictures(images=request.item, return_tensors="pt")
            inputs = {name: read[name] for name in read if hasattr(read[name], "shape")}
        return Prepared(inputs, shapes_of(inputs), isinstance(request.item, str))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        features = model.get_text_features if batch[0].extra else model.get_image_features
        with torch.inference_mode():
            output_features = features(**join_batch(batch, self.device, model.dtype))
            vectors = getattr(output_features, "pooler_output", output_features).float()
            return list(torch.nn.functional.normalize(vectors, dim=-1).cpu().numpy())

    def finish(self, prepared: Prepared, output: Any) -> "NDArray[np.float32]":
        vector: NDArray[np.float32] = output
        return vector
