"""The client for models behind HTTP: a service of the user (tier `endpoint`), and our own worker (`local`).

The service for a capability is found by settings: ``YARDKIT_VISION_URL`` (such as ``http://127.0.0.1:8000/v1``) with
    ``_MODEL``,
``_KEY`` and ``_SECONDS``, else the worker of ``YARDKIT_WORKER_URL``, if it lists a model for it. The routes are those
of OpenAI if it has them, else those of `yardkit models serve`.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from yardkit.models.contract import ModelUnavailable, Option, Origin
from yardkit.world import Problem, Unavailable

if TYPE_CHECKING:
    import ssl

    import httpx2

Capability = Literal[
    "objects",
    "masks",
    "vision",
    "formulas",
    "ocr",
    "embeddings",
    "transcription",
    "voice",
    "images",
    "image_edits",
    "video",
    "music",
]
"""What a model can do; in capitals a part of the settings' names."""
ServiceChoice = Literal["auto", "endpoint", "local"]

WORKER_VARIABLE = "YARDKIT_WORKER_URL"
USUAL_SECONDS = 120.0
MAX_ANSWER_BYTES = 100_000_000
MAX_FILE_BYTES = 500_000_000
_LIST_SECONDS = 5.0
_EXCERPT_LENGTH = 300
_REQUEST_FAULTS = (400, 413, 415, 422)
"""Statuses by which a service refuses what it was asked, not whoever asks."""

_EXAMPLES: Mapping[Capability, tuple[str, int]] = {
    "objects": ("iSEE-Laboratory/llmdet_large", 2_000_000_000),
    "masks": ("facebook/sam2.1-hiera-large", 2_000_000_000),
    "vision": ("Qwen/Qwen3.5-4B", 12_000_000_000),
    "formulas": ("PaddlePaddle/PP-FormulaNet_plus-L_safetensors", 2_000_000_000),
    "ocr": ("PaddlePaddle/PaddleOCR-VL-1.6", 4_000_000_000),
    "embeddings": ("google/siglip2-base-patch16-224", 1_000_000_000),
    "transcription": ("openai/whisper-large-v3-turbo", 3_000_000_000),
    "voice": ("hexgrad/Kokoro-82M", 1_000_000_000),
    "images": ("black-forest-labs/FLUX.2-klein-4B", 13_000_000_000),
    "image_edits": ("black-forest-labs/FLUX.2-klein-4B", 13_000_000_000),
    "video": ("Wan-AI/Wan2.2-TI2V-5B-Diffusers", 24_000_000_000),
    "music": ("ACE-Step/acestep-v15-xl-turbo-diffusers", 20_000_000_000),
}
"""A model for each that is well known and free, and about the memory of a GPU that it takes, in bytes."""


@dataclass(frozen=True)
class Service:
    """A model behind HTTP.

    Attributes:
        tier: its tier.
        setting: the variable that names it; errors show this instead of the address, which is private.
        url: its address, ending with ``/v1``.
        model: the model to ask.
        key: its key; empty if none is needed.
        seconds: the time limit of an answer.
    """

    tier: Literal["endpoint", "local"]
    setting: str
    url: str
    model: str
    key: str = field(default="", repr=False)
    seconds: float = USUAL_SECONDS

    @property
    def origin(self) -> Origin:
        """The origin of its results."""
        return Origin(self.tier, self.model, "full")

    def ask(self, route: str, body: Mapping[str, Any] | None = None, method: str = "POST") -> dict[str, Any]:
        """Send JSON and return the JSON answer. The model's name is added if `body` has none.

        Args:
            route: such as ``/chat/completions``.
            body: the request; None if there is nothing to send.
            method: the HTTP method.

        Raises:
            Unavailable: there was no usable answer in time.
            Problem: the service refuses the request; the message quotes it.
        """
        sent = {} if body is None else {"json": {"model": self.model, **body}}
        return _parse_object(self._request_bytes(method, route, MAX_ANSWER_BYTES, **sent), self.setting)

    def send(
        self, route: str, fields: Mapping[str, Any], files: Sequence[tuple[str, tuple[str, bytes, str]]]
    ) -> dict[str, Any]:
        """Send a form with files and return the JSON answer. Raises as `ask` does.

        Args:
            route: such as ``/audio/transcriptions``.
            fields: the fields of the form; the model's name is added.
            files: the field, and the name, bytes and media type, of each file.
        """
        form = {"model": self.model, **fields}
        return _parse_object(
            self._request_bytes("POST", route, MAX_ANSWER_BYTES, data=form, files=list(files)), self.setting
        )

    def fetch(self, route: str, body: Mapping[str, Any] | None = None) -> bytes:
        """Fetch the bytes of a file, by GET or as the answer to JSON. Raises as `ask` does."""
        if body is None:
            return self._request_bytes("GET", route, MAX_FILE_BYTES)
        return self._request_bytes("POST", route, MAX_FILE_BYTES, json={"model": self.model, **body})

    def _request_bytes(self, method: str, route: str, most: int, **sent: Any) -> bytes:
        import httpx2

        deadline = time.monotonic() + self.seconds
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        address = f"{self.url.rstrip('/')}{route}"
        with (
            self._translate_errors(),
            httpx2.Client(verify=_load_certificates(), headers=headers, timeout=self.seconds) as client,
            client.stream(method, address, **sent) as response,
        ):
            data = self._read_response(response, most, deadline)
        self._check_status(response.status_code, data)
        return data

    def _read_response(self, response: "httpx2.Response", most: int, deadline: float) -> bytes:
        data = bytearray()
        for part in response.iter_bytes():
            data += part
            if len(data) > most:
                raise Unavailable(f"the service of {self.setting} answered with more than {most:,} bytes")
            if time.monotonic() > deadline:
                raise Unavailable(self._explain_delay())
        return bytes(data)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        import httpx2

        try:
            yield
        except httpx2.TimeoutException as error:
            raise Unavailable(self._explain_delay()) from error
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
            raise Unavailable(
                f"{self.setting} is not a valid address of a service; write http://HOST:PORT/v1"
            ) from error
        except httpx2.HTTPError as error:
            raise Unavailable(
                f"the service of {self.setting} cannot be reached ({type(error).__name__}); is it running?"
            ) from error

    def _explain_delay(self) -> str:
        if self.tier == "local":
            return f"the worker of {self.setting} did not answer within {self.seconds:g} s; ask for less at a time"
        seconds = self.setting.removesuffix("_URL") + "_SECONDS"
        return f"the service of {self.setting} did not answer within {self.seconds:g} s; {seconds} allows more"

    def _check_status(self, status: int, data: bytes) -> None:
        if status < 300:
            return
        words = _read_fault_words(data)
        if status in _REQUEST_FAULTS:
            raise Problem(f"{self.model} refuses this: {words or f'status {status}'}")
        if status in (401, 403):
            raise Unavailable(f"the service of {self.setting} refuses the request (status {status}); check its key")
        if 300 <= status < 400:
            raise Unavailable(
                f"the service of {self.setting} redirects the request (status {status}); correct its address"
            )
        raise Unavailable(f"the service of {self.setting} fails with status {status}" + (f": {words}" if words else ""))


@cache
def _load_certificates() -> "ssl.SSLContext":
    """Load the certificates once, since that takes longer than a call."""
    import httpx2

    return httpx2.create_ssl_context()


def find_service(capability: Capability, service_choice: ServiceChoice = "auto") -> Service | None:
    """Find the configured model behind HTTP for a capability, an endpoint before the worker; None if there is none.

    Args:
        capability: the capability.
        service_choice: `endpoint` or `local` for only that tier.

    Raises:
        Unavailable: a setting is wrong, or an endpoint without a configured model does not list any.
    """
    endpoint = None if service_choice == "local" else _endpoint_for(capability)
    return endpoint or (None if service_choice == "endpoint" else _worker_for(capability))


def require_service(
    capability: Capability, needs: str, service_choice: ServiceChoice = "auto", partial: str = ""
) -> Service:
    """Return the configured model behind HTTP for a capability.

    Args:
        capability: the capability.
        needs: the kind of model, in words.
        service_choice: `endpoint` or `local` for only that tier.
        partial: the tool that gives part of the answer without a model.

    Raises:
        ModelUnavailable: none is configured; the message has the ways to get one.
        Unavailable: as `find_service`.
    """
    service = find_service(capability, service_choice)
    if service is None:
        options = [option for option in service_options(capability) if service_choice in ("auto", option.tier)]
        raise ModelUnavailable(capability.replace("_", " "), needs, options, partial)
    return service


def _endpoint_for(capability: Capability) -> Service | None:
    setting = f"YARDKIT_{capability.upper()}_URL"
    url = os.environ.get(setting)
    if not url:
        return None
    stem = setting.removesuffix("_URL")
    key = os.environ.get(f"{stem}_KEY", "")
    unnamed = Service("endpoint", setting, url, "", key, _read_seconds(f"{stem}_SECONDS"))
    model = os.environ.get(f"{stem}_MODEL") or _only_model(unnamed)
    return Service("endpoint", setting, url, model, key, unnamed.seconds)


def missing_service(capability: Capability) -> str:
    """Explain why a capability has no model behind HTTP; empty if it has one."""
    try:
        available_service = find_service(capability)
    except Problem as problem:
        return str(problem)
    if available_service:
        return ""
    setting = f"YARDKIT_{capability.upper()}_URL"
    if not os.environ.get(WORKER_VARIABLE):
        return f"neither {setting} nor {WORKER_VARIABLE} is set"
    return f"{setting} is not set, and the worker of {WORKER_VARIABLE} has no model for {capability}"


def worker_capabilities() -> list[str] | None:
    """List the capabilities of the worker's models; None if no worker is configured.

    Raises:
        Unavailable: it does not answer.
    """
    url = os.environ.get(WORKER_VARIABLE)
    if not url:
        return None
    worker = Service("local", WORKER_VARIABLE, url, "", os.environ.get("YARDKIT_WORKER_KEY", ""), _LIST_SECONDS)
    return sorted({str(name) for model in _list_models(worker) for name in model.get("capabilities", ())})


def service_of_tier(capability: Capability, tier: Literal["endpoint", "local"]) -> tuple[Service | None, str]:
    """Return the configured model of one tier for a capability, or the reason why there is none."""
    try:
        available_service = find_service(capability, tier)
    except Problem as problem:
        return None, str(problem)
    if available_service:
        return available_service, ""
    return None, missing_service(capability) or f"the configured value is not {tier}"


def service_options(capability: Capability) -> list[Option]:
    """List the ways to get a model behind HTTP for a capability."""
    model, gpu_bytes = _EXAMPLES[capability]
    stem = f"YARDKIT_{capability.upper()}"
    return [
        Option("endpoint", settings={f"{stem}_URL": "http://127.0.0.1:8000/v1", f"{stem}_MODEL": model}),
        Option("local", f"yardkit models add {capability} --from DIR", model=model, gpu_bytes=gpu_bytes),
    ]


def _worker_for(capability: Capability) -> Service | None:
    url = os.environ.get(WORKER_VARIABLE)
    if not url:
        return None
    worker = Service("local", WORKER_VARIABLE, url, "", os.environ.get("YARDKIT_WORKER_KEY", ""), _LIST_SECONDS)
    listed = _list_models(worker)
    model = next((model["id"] for model in listed if capability in model.get("capabilities", ())), None)
    if model is None:
        return None
    return Service("local", WORKER_VARIABLE, url, str(model), worker.key, _read_seconds("YARDKIT_WORKER_SECONDS"))


def _only_model(service: Service) -> str:
    """Return the first model that an endpoint lists, since most serve only one."""
    listed = _list_models(Service(service.tier, service.setting, service.url, "", service.key, _LIST_SECONDS))
    if not listed:
        raise Unavailable(f"the service of {service.setting} lists no model; set {service.setting[:-4]}_MODEL")
    return str(listed[0]["id"])


def _list_models(service: Service) -> list[dict[str, Any]]:
    listed = service.ask("/models", method="GET").get("data")
    if not isinstance(listed, list):
        raise Unavailable(f"the service of {service.setting} does not list its models; is it an OpenAI-compatible one?")
    return [model for model in listed if isinstance(model, dict) and model.get("id")]


def _read_seconds(variable: str) -> float:
    setting_text = os.environ.get(variable)
    if not setting_text:
        return USUAL_SECONDS
    try:
        seconds = float(setting_text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise Unavailable(f"{variable} is {setting_text!r}; give a number of seconds, such as 120")
    return seconds


def _parse_object(data: bytes, setting: str) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Unavailable(
            f"the service of {setting} answered with invalid JSON: {_read_fault_words(data)!r}"
        ) from error
    if not isinstance(answer, dict):
        raise Unavailable(f"the service of {setting} answered without a JSON object: {_read_fault_words(data)!r}")
    return answer


def _read_fault_words(data: bytes) -> str:
    """Read the message of a fault in an answer, at most a few lines."""
    try:
        answer_data = json.loads(data)
        answer_data = answer_data.get("error", answer_data) if isinstance(answer_data, dict) else answer_data
        answer_data = answer_data.get("message", answer_data) if isinstance(answer_data, dict) else answer_data
    except (ValueError, RecursionError):
        answer_data = data[: 4 * _EXCERPT_LENGTH].decode("utf-8", "replace")
    words = " ".join(str(answer_data).split())
    return words if len(words) <= _EXCERPT_LENGTH else words[:_EXCERPT_LENGTH] + "..."
