"""Calls to a worker: one for each thing that a model can do, another for each index."""

import base64
import io
import json
import wave
from typing import Any

TOKENS = 64
"""The longest answer in words."""


def make_picture(index: int, side: int) -> bytes:
    """A JPEG of noise and a gradient, another for each index."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(index)
    small = rng.integers(0, 255, (12, 12, 3), dtype="uint8")
    out = io.BytesIO()
    Image.fromarray(small).resize((side, side * 3 // 4), Image.Resampling.BICUBIC).save(out, "JPEG", quality=90)
    return out.getvalue()


def url_of(data: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(data).decode()


def make_sound(index: int) -> bytes:
    import numpy as np

    samples = (np.random.default_rng(index).normal(0, 3000, 16_000 * 10)).astype("<i2")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(samples.tobytes())
    return out.getvalue()


QUERIES = ["a cat", "red circle"]
ASKED = "what is in the image?"


def call_of(capability: str, model: str, index: int, *, tiny: bool) -> tuple[str, bytes, str]:
    """A call to the worker: route, body and type."""
    picture_url = url_of(make_picture(index, 640))
    steps = 1 if tiny else 4
    size = "32x32" if tiny else "1024x1024"
    bodies: dict[str, tuple[str, dict[str, Any]]] = {
        "embeddings": ("/v1/embeddings", {"input": [{"image_url": {"url": picture_url}}]}),
        "objects": ("/v1/objects", {"image": picture_url, "queries": QUERIES, "threshold": 0.0}),
        "masks": ("/v1/masks", {"image": picture_url, "boxes": [[50, 60, 400, 400]]}),
        "vision": (
            "/v1/chat/completions",
            {"messages": build_chat_messages(picture_url), "max_tokens": TOKENS, "temperature": 0},
        ),
        "formulas": (
            "/v1/chat/completions",
            {"messages": build_chat_messages(picture_url), "max_tokens": TOKENS, "temperature": 0},
        ),
        "voice": ("/v1/audio/speech", {"input": "The quick brown fox jumps over the lazy dog. " * 4, "seed": index}),
        "images": ("/v1/images/generations", {"prompt": ASKED, "size": size, "num_inference_steps": steps}),
        "music": ("/v1/music", {"prompt": "calm piano", "seconds": 0.2 if tiny else 5}),
        "video": (
            "/v1/videos",
            {
                "prompt": ASKED,
                "size": "32x32" if tiny else "832x480",
                "seconds": 0.3 if tiny else 2.0,
                "num_inference_steps": steps,
            },
        ),
    }
    if capability == "transcription":
        return form_of(model, make_sound(index))
    route, body = bodies[capability]
    return route, json.dumps({"model": model, **body}).encode(), "application/json"


def build_chat_messages(url: str) -> list[dict[str, Any]]:
    content = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": ASKED}]
    return [{"role": "user", "content": content}]


def form_of(model: str, data: bytes) -> tuple[str, bytes, str]:
    mark = "yardkitmark"
    fields = {"model": model, "language": "en", "response_format": "verbose_json"}
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode() for k, v in fields.items()
    ]
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'.encode()
    body = b"".join([*parts, head, data, f"\r\n--{mark}--\r\n".encode()])
    return "/v1/audio/transcriptions", body, f"multipart/form-data; boundary={mark}"


def wav_samples(data: bytes) -> Any:
    """Samples of a WAV of 16 kHz: PyAV is not on every GPU machine."""
    import numpy as np

    with wave.open(io.BytesIO(data)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype("float32") / 32768
