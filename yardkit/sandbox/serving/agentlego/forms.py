"""Requests of AgentLego's clients: a form with the arguments of a call, some of them files."""

import hashlib
import math
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from starlette.datastructures import FormData, UploadFile

from yardkit.sandbox.serving.agentlego.openapi import UPLOADS
from yardkit.sandbox.serving.agentlego.signatures import Parameter, Signature
from yardkit.world import current_world, save_bytes
from yardkit.world.paths import out_file

FOLDER = "uploads"
"""Where uploads lie in the workspace."""
_HEADS = {
    b"\x89PNG": ".png",
    b"\xff\xd8\xff": ".jpg",
    b"GIF8": ".gif",
    b"BM": ".bmp",
    b"II*\x00": ".tif",
    b"MM\x00*": ".tif",
    b"RIFF": ".webp",
}
_WORDS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


class InvalidForm(Exception):
    """A form that is not a valid call of the tool.

    Attributes:
        details: the errors in FastAPI's format: a ``type``, the place in ``loc``, a ``msg``.
    """

    def __init__(self, details: list[dict[str, Any]]) -> None:
        super().__init__(str(details))
        self.details = details


def read_form(form: FormData, signature: Signature, uploads: Mapping[str, bytes]) -> dict[str, Any]:
    """Read the arguments of a call; uploads are saved in the workspace, named by the digest of their content.

    Args:
        form: the received form.
        signature: the signature of the tool.
        uploads: the content of the files in the form, by argument.

    Raises:
        InvalidForm: an argument is missing, unknown or of another type.
    """
    known = {str(given.name): given for given in signature.inputs}
    wrong = [
        _make_detail("extra_forbidden", name, f"{signature.name} has no such argument")
        for name in form
        if name not in known
    ]
    arguments: dict[str, Any] = {}
    for name, given in known.items():
        value = form.get(name)
        if value is None or (value == "" and given.optional):
            wrong += [] if given.optional else [_make_detail("missing", name, "Field required")]
        elif isinstance(value, UploadFile) is not (given.type in UPLOADS):
            wrong.append(
                _make_detail(
                    "value_error", name, "a file is needed" if given.type in UPLOADS else "no file is accepted"
                )
            )
        elif isinstance(value, UploadFile):
            arguments[name] = _save_upload(uploads[name], value.filename or "", given)
        else:
            try:
                arguments[name] = _READ[given.type](value)
            except (ValueError, KeyError):
                wrong.append(_make_detail(f"{given.type}_parsing", name, f"{value[:80]!r} is not a valid {given.type}"))
    if wrong:
        raise InvalidForm(wrong)
    return arguments


def _make_detail(kind: str, name: str, words: str) -> dict[str, Any]:
    return {"type": kind, "loc": ["body", name], "msg": words}


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


_READ: Mapping[str, Callable[[str], Any]] = {
    "int": int,
    "float": _parse_finite,
    "bool": lambda text: _WORDS[text.strip().lower()],
    "text": str,
}


def _save_upload(data: bytes, name: str, given: Parameter) -> str:
    """Save an upload and return its path. Clients name files after the argument, so the content decides the suffix."""
    suffix = PurePath(name).suffix.lower()
    if given.filetype:
        suffix = f".{given.filetype.rpartition('/')[2]}"
    elif given.type == "image":
        suffix = next((ending for head, ending in _HEADS.items() if data.startswith(head)), suffix)
    path = out_file(f"{FOLDER}/{hashlib.sha256(data).hexdigest()[:16]}{suffix}")
    if not path.exists():
        save_bytes(path, data)
    return current_world().to_relative(path)
