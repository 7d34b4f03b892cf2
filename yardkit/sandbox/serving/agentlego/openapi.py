"""The list of tools for AgentLego's clients: an OpenAPI document with an operation per tool."""

from collections.abc import Iterable
from typing import Any

from yardkit.sandbox.serving.agentlego.signatures import DELIVERS, Parameter, Signature
from yardkit.sandbox.serving.registry import get_version

UPLOADS = ("image", "file")
"""Kinds of inputs that come as files."""
_TYPES = {"int": "integer", "float": "number", "bool": "boolean"}


def build_openapi(signatures: Iterable[Signature]) -> dict[str, Any]:
    """Build the document. AgentLego's client needs its schemas inline and with one type each."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Yardkit", "version": get_version()},
        "paths": {f"/{signature.name}": {"post": _build_operation(signature)} for signature in signatures},
    }


def _build_operation(signature: Signature) -> dict[str, Any]:
    uploads = any(given.type in UPLOADS for given in signature.inputs)
    form = "multipart/form-data" if uploads else "application/x-www-form-urlencoded"
    body = {
        "type": "object",
        "properties": {given.name: _input_schema(given) for given in signature.inputs},
        "required": [given.name for given in signature.inputs if not given.optional],
    }
    answer = {
        "description": "Successful Response",
        "content": {"application/json": {"schema": _build_answer_schema(signature)}},
    }
    return {
        "summary": signature.description,
        "operationId": signature.name,
        "requestBody": {"content": {form: {"schema": body}}, "required": True},
        "responses": {"200": answer},
    }


def _input_schema(given: Parameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": _TYPES.get(given.type, "string")}
    if given.type in UPLOADS:
        schema["format"] = f"{given.filetype or given.type};binary"
    if given.description:
        schema["description"] = given.description
    if given.default is not None:
        schema["default"] = given.default
    return schema


def _build_answer_schema(signature: Signature) -> dict[str, Any]:
    if signature.name in DELIVERS:
        return {"type": "string", "format": f"{DELIVERS[signature.name]};base64"}
    return {"type": _TYPES.get(signature.output.type, "string")}
