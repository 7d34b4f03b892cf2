"""A model behind HTTP on the loopback interface, which answers from what it really was sent."""

import base64
import contextlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from PIL import Image

from support.web import Request, body_of, send_answer, serve_requests

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
        handler = next((known[name] for name in known if _matches_route(name, asked)), None)
        reply = handler(body_of(request), path) if handler else (404, b'{"error": {"message": "no such route"}}')
        status, data = reply if isinstance(reply, tuple) else (200, reply)
        send_answer(request, status, data if isinstance(data, bytes) else json.dumps(data).encode())

    with serve_requests(respond) as address:
        yield f"{address}/v1"


def _matches_route(name: str, asked: str) -> bool:
    return asked.startswith(name[:-1]) if name.endswith("*") else asked == name


def answer_with_words(words: Callable[[str, list[Image.Image]], str]) -> Respond:
    """A chat completion with what `words` gives for the prompt and the pictures of a request."""

    def respond(body: bytes, path: str) -> Answer:
        parts = json.loads(body)["messages"][-1]["content"]
        prompt = "".join(part["text"] for part in parts if part["type"] == "text")
        pictures = [open_data_url(part["image_url"]["url"]) for part in parts if part["type"] == "image_url"]
        return {"choices": [{"message": {"role": "assistant", "content": words(prompt, pictures)}}]}

    return respond


def open_data_url(url: str) -> Image.Image:
    """The picture of a data URL."""
    return Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))


def encode_picture(picture: Image.Image) -> str:
    """A picture as a PNG file in base64."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()
