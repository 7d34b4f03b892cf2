"""AgentLego's addresses on our server: ``POST /<ToolName>`` for each tool, and ``/openapi.json``, their list."""

import base64
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from anyio import to_thread
from fastmcp import FastMCP
from fastmcp.exceptions import FastMCPError
from fastmcp.tools import ToolResult
from mcp.types import TextContent
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from yardkit.sandbox.serving.agentlego.forms import InvalidForm, read_form
from yardkit.sandbox.serving.agentlego.openapi import build_openapi
from yardkit.sandbox.serving.agentlego.signatures import DELIVERS, Signature, signature_of
from yardkit.sandbox.serving.registry import tools_of
from yardkit.sandbox.serving.tokens import same_token, token_of
from yardkit.world import Problem
from yardkit.world.paths import in_file

MAX_BODY_BYTES = 200_000_000
_MAX_FIELD_BYTES = 20_000_000

Endpoint = Callable[[Request], Awaitable[Response]]


def add_agentlego(server: FastMCP[Any], token: str = "") -> None:
    """Make `server` answer at AgentLego's addresses, too. A call needs the `token`, if there is one; the list does not,
    because AgentLego's client requests it without a token.
    """
    signatures = [signature_of(tool) for tool in tools_of(server)]
    document = build_openapi(signatures)

    async def listed(_request: Request) -> Response:
        return JSONResponse(document)

    async def root(_request: Request) -> Response:
        return RedirectResponse("/openapi.json")

    _add(server, "/openapi.json", "GET", listed)
    _add(server, "/", "GET", root)
    for signature in signatures:
        _add(server, f"/{signature.name}", "POST", _make_endpoint(server, signature, token))


def _add(server: FastMCP[Any], path: str, method: str, endpoint: Endpoint) -> None:
    server.custom_route(path, [method])(endpoint)


def _make_endpoint(server: FastMCP[Any], signature: Signature, token: str) -> Endpoint:
    async def call(request: Request) -> Response:
        if token and not same_token(token_of(request), token):
            return _make_refusal(401, "a token is needed: as a bearer token, or as the password in the address")
        length = request.headers.get("content-length", "")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return _make_refusal(413, f"a call has a Content-Length, and at most {MAX_BODY_BYTES:,} bytes")
        try:
            arguments = await _read_arguments(request, signature)
            result = await server.call_tool(signature.name, arguments)
            return JSONResponse(await to_thread.run_sync(_build_answer, signature, result))
        except InvalidForm as error:
            return _make_refusal(422, error.details)
        except (FastMCPError, Problem) as error:
            return _make_refusal(400, str(error))
        except HTTPException as error:  # the form cannot be read
            return _make_refusal(error.status_code, error.detail)

    return call


async def _read_arguments(request: Request, signature: Signature) -> dict[str, Any]:
    async with request.form(max_part_size=_MAX_FIELD_BYTES) as form:
        uploads = {name: await value.read() for name, value in form.items() if isinstance(value, UploadFile)}
        return await to_thread.run_sync(read_form, form, signature, uploads)


def _build_answer(signature: Signature, result: ToolResult) -> str | int:
    """Build the original's answer: text, a number, or the delivered file in base64."""
    if signature.name in DELIVERS:
        file: Mapping[str, Any] = (result.structured_content or {})["file"]
        return base64.b64encode(in_file(file["path"]).read_bytes()).decode()
    text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
    return int(text) if signature.output.type == "int" else text


def _make_refusal(status: int, detail: object) -> Response:
    return JSONResponse({"detail": detail}, status)
