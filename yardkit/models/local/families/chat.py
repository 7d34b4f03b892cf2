"""Answers about pictures, by models that read pictures and text: Qwen3-VL, PaddleOCR-VL and similar ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch, join_batch, stop_when_unwanted
from yardkit.models.local.families.loading import open_settings, open_weights, serialize_calls
from yardkit.models.local.requests import ChatRequest, Completion
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


def load(folder: Path, dtype: "torch.dtype") -> LocalModel:
    """Load the model in a directory."""
    from transformers import AutoModelForImageTextToText, AutoProcessor

    return _Chat([open_weights(AutoModelForImageTextToText, folder, dtype)], open_settings(AutoProcessor, folder))


class _Chat(LocalModel):
    def __init__(self, parts: "Sequence[torch.nn.Module]", processor: Any) -> None:
        super().__init__(parts)
        self._processor = processor
        self._read = serialize_calls(processor.apply_chat_template)
        model: Any = parts[0]
        text = model.config.get_text_config()
        self._longest = int(getattr(text, "max_position_embeddings", 0) or 32_768)

    def prepare(self, request: ChatRequest) -> Prepared:
        inputs = self._read(
            request.messages, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
        )
        length = inputs["input_ids"].shape[1]
        if length + request.max_tokens > self._longest:
            raise Problem(
                f"the pictures and words make {length:,} tokens, and with max_tokens {request.max_tokens:,} more than "
                f"the {self._longest:,} that this model can hold; send smaller pictures or ask for fewer tokens"
            )
        tensors = {name: inputs[name] for name in inputs if hasattr(inputs[name], "shape")}
        # Rows of pixels do not count requests, so requests in a batch must have the same number of them.
        shapes = tuple((name, tuple(tensor.shape)) for name, tensor in sorted(tensors.items()))
        key = None if request.temperature else (request.max_tokens, shapes)
        return Prepared(tensors, key, (request, length))

    def run(self, batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
        import torch

        model: Any = self.parts[0]
        request, length = batch[0].extra
        chance = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if request.temperature:
            torch.manual_seed(request.seed)
            chance = {"do_sample": True, "temperature": request.temperature}
        criteria = stop_when_unwanted(watch, request.max_tokens, length)
        with torch.inference_mode():
            tokens = model.generate(
                **join_batch(batch, self.device, model.dtype),
                **chance,
                max_new_tokens=request.max_tokens,
                stopping_criteria=criteria,
            )
        return list(tokens[:, length:].cpu())

    def finish(self, prepared: Prepared, output: Any) -> Completion:
        request, length = prepared.extra
        tokens = output.tolist()
        ends = _list_end_tokens(self.parts[0])
        count = next((index for index, token in enumerate(tokens) if token in ends), len(tokens))
        text = self._processor.batch_decode([tokens[:count]], skip_special_tokens=True)[0].strip()
        cut = count == len(tokens) and count >= request.max_tokens
        return Completion(text, length, count, "length" if cut else "stop")


def _list_end_tokens(model: Any) -> set[int]:
    """List the tokens that end an answer."""
    ends = model.generation_config.eos_token_id
    return set(ends) if isinstance(ends, list) else {ends}
