"""Models without the worker: called as transformers' documents show it, and whether both say the same."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calls import ASKED, QUERIES, TOKENS, make_picture, make_sound, wav_samples


class ReferenceModel:
    """A model called as transformers' documents show it: one picture after the other."""

    def __init__(self, folder: Path, device: str, dtype: Any) -> None:
        self.folder, self.device, self.dtype = folder, device, dtype

    def open(self, kind: Any) -> Any:
        import transformers

        self.processor = transformers.AutoProcessor.from_pretrained(self.folder)
        return kind.from_pretrained(self.folder, dtype=self.dtype).to(self.device).eval()

    def to_device(self, inputs: Any) -> dict[str, Any]:
        return {
            name: value.to(self.device, self.dtype) if value.is_floating_point() else value.to(self.device)
            for name, value in inputs.items()
            if hasattr(value, "to")
        }


def _make_image(index: int) -> Any:
    from PIL import Image

    return Image.open(io.BytesIO(make_picture(index, 640))).convert("RGB")


def prepare_embeddings(reference_model: ReferenceModel) -> Callable[[int], Any]:
    import torch
    import transformers

    model = reference_model.open(transformers.AutoModel)

    def call(index: int) -> Any:
        inputs = reference_model.to_device(reference_model.processor(images=_make_image(index), return_tensors="pt"))
        with torch.inference_mode():
            features = model.get_image_features(**inputs)
        vector = getattr(features, "pooler_output", features)[0].float()
        return (vector / vector.norm()).tolist()

    return call


def prepare_objects(reference_model: ReferenceModel) -> Callable[[int], Any]:
    import torch
    import transformers

    model = reference_model.open(transformers.AutoModelForZeroShotObjectDetection)
    text = "a cat. red circle." if "dino" in reference_model.folder.name else [QUERIES]

    def call(index: int) -> Any:
        image = _make_image(index)
        inputs = reference_model.processor(images=image, text=text, return_tensors="pt")
        with torch.inference_mode():
            outputs = model(**reference_model.to_device(inputs))
        post, sizes = reference_model.processor.post_process_grounded_object_detection, [image.size[::-1]]
        if "dino" in reference_model.folder.name:
            detections = post(outputs, inputs["input_ids"], threshold=0.0, text_threshold=0.0, target_sizes=sizes)[0]
        else:
            detections = post(outputs, threshold=0.0, target_sizes=sizes)[0]
        left, top = detections["boxes"].float().clamp_min(0).cpu().unbind(-1)[:2]
        right, bottom = detections["boxes"].float().cpu().unbind(-1)[2:]
        right, bottom = right.clamp(0, image.width), bottom.clamp(0, image.height)
        left, top = left.clamp_max(image.width), top.clamp_max(image.height)
        return torch.stack([left, top, right, bottom], dim=-1).tolist()

    return call


def prepare_vision(reference_model: ReferenceModel) -> Callable[[int], Any]:
    import torch
    import transformers

    model = reference_model.open(transformers.AutoModelForImageTextToText)

    def call(index: int) -> Any:
        content = [{"type": "image", "image": _make_image(index)}, {"type": "text", "text": ASKED}]
        inputs = reference_model.processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=True, return_dict=True,
            return_tensors="pt",
        )  # fmt: skip
        with torch.inference_mode():
            tokens = model.generate(**reference_model.to_device(inputs), max_new_tokens=TOKENS, do_sample=False)
        return reference_model.processor.batch_decode(
            tokens[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True
        )[0].strip()

    return call


def prepare_transcription(reference_model: ReferenceModel) -> Callable[[int], Any]:
    import torch
    import transformers

    model = reference_model.open(transformers.WhisperForConditionalGeneration)

    def call(index: int) -> Any:
        inputs = reference_model.processor(wav_samples(make_sound(index)), sampling_rate=16_000, return_tensors="pt")
        with torch.inference_mode():
            tokens = model.generate(
                **reference_model.to_device(inputs), language="en", task="transcribe", return_timestamps=True
            )
        return reference_model.processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()

    return call


REFERENCE_CALLS: dict[str, Callable[[ReferenceModel], Callable[[int], Any]]] = {
    "embeddings": prepare_embeddings,
    "objects": prepare_objects,
    "vision": prepare_vision,
    "transcription": prepare_transcription,
}
ANSWER_READERS: dict[str, Callable[[Any], Any]] = {
    "embeddings": lambda answer: answer["data"][0]["embedding"],
    "objects": lambda answer: [thing["box"] for thing in answer["objects"]],
    "vision": lambda answer: answer["choices"][0]["message"]["content"],
    "transcription": lambda answer: answer["text"],
}


def measure_agreement(kind: str, first: Any, other: Any) -> float:
    """How far two answers say the same, 0 to 1: cosine, part of the boxes, part of the words that begin alike."""
    if kind == "embeddings":
        return float(sum(a * b for a, b in zip(first, other, strict=False)))
    if kind == "objects":
        theirs = [tuple(box) for box in other]
        near = sum(
            any(max(abs(a - b) for a, b in zip(box, their, strict=False)) < 8 for their in theirs) for box in first[:50]
        )
        return near / max(1, len(first[:50]))
    first, other = "".join(first.split()), "".join(other.split())
    shared = next(
        (i for i, (a, b) in enumerate(zip(first, other, strict=False)) if a != b), min(len(first), len(other))
    )
    return shared / max(1, len(first), len(other))
