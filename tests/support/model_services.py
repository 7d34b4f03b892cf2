"""A model behind HTTP on the loopback interface, which answers from what it really was sent."""

import base64
import contextlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from PIL import Image

from support.web import Request, answer, body_of, serving

Answer = Mapping[str, Any] | bytes | tuple[int, bytes]
"""JSON, a file, or a status with what goes with it."""
Respond = Callable[[bytes, str], Answer]
"""Gives the answer to a request by its body and its path."""


@contextlib.contextmanager
def model_service(routes: Mapping[str, Respond], model: str = "test-model", *capabilities: str) -> Iterator[str]:
    """Serve routes such as ``POST /chat/completions``; a path that ends in ``*`` stands for all that begin so.

    Gives the address, up to and with ``/v1``. ``GET /models`` lists `model` with its `capabilities`.
    """
    listed = {"data": [{"id": model, "capabilities": list(capabilities)}]}
    known: dict[str, Respond] = {"GET /models": lambda body, path: listed, **routes}

    def respond(request: Request) -> None:
        path = request.path.removeprefix("/v1")
        asked = f"{request.command} {path}"
        found = next((known[name] for name in known if _fits(name, asked)), None)
        said = found(body_of(request), path) if found else (404, b'{"error": {"message": "no such route"}}')
        status, data = said if isinstance(said, tuple) else (200, said)
        answer(request, status, data if isinstance(data, bytes) else json.dumps(data).encode())

    with serving(respond) as address:
        yield f"{address}/v1"


def _fits(name: str, asked: str) -> bool:
    return asked.startswith(name[:-1]) if name.endswith("*") else asked == name


def says(words: Callable[[str, list[Image.Image]], str]) -> Respond:
    """A chat completion with what `words` gives for the prompt and the pictures of a request."""

    def respond(body: bytes, path: str) -> Answer:
        parts = json.loads(body)["messages"][-1]["content"]
        prompt = "".join(part["text"] for part in parts if part["type"] == "text")
        pictures = [opened(part["image_url"]["url"]) for part in parts if part["type"] == "image_url"]
        return {"choices": [{"message": {"role": "assistant", "content": words(prompt, pictures)}}]}

    return respond


def opened(url: str) -> Image.Image:
    """The picture of a data URL."""
    return Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))


def encoded(picture: Image.Image) -> str:
    """A picture as a PNG file in base64."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()
