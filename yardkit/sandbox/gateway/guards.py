"""Checks of every request before its route: size, Host and Origin."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from fastmcp.server.http import HostOriginGuardMiddleware
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yardkit.sandbox.gateway.settings import Settings
from yardkit.sandbox.serving.tokens import same_token, token_of

ROLLOUT = "/verify"
"""Where a rollout comes in whole, with the pictures that its model saw."""

_REFUSAL_TEXTS = {
    413: "the request body is larger than {limit:,} bytes; send less",
    421: "the Host header {host!r} is not a name of this gateway; use the address that it printed",
    403: "the Origin {origin!r} may not use this gateway; call it from a program, not from a web page",
}


class Guards:
    """Refuses, in JSON, requests that are too large or come from a web page, by the checks of the MCP libraries."""

    def __init__(self, app: ASGIApp, settings: Settings, operator_token: str) -> None:
        self._app = app
        self._settings = settings
        self._operator_token = operator_token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._choose_limit(Request(scope))
        answer = _InJson(scope, send, partial(self._make_refusal, limit=limit))

        async def passed(scope: Scope, receive: Receive, _send: Send) -> None:
            answer.passed = True
            await self._app(scope, receive, send)

        limited = RequestBodyLimitMiddleware(passed, limit)
        mode = "strict" if self._settings.strict_hosts else "auto"
        with suppress(ClientDisconnect):  # the client left in the middle of its request, so there is no one to answer
            await HostOriginGuardMiddleware(limited, mode=mode)(scope, receive, answer)  # type: ignore[arg-type]

    def _choose_limit(self, request: Request) -> int:
        """Only the operator's route takes a complete rollout, since bodies are read into memory before tokens."""
        rollout = request.url.path == ROLLOUT and same_token(token_of(request), self._operator_token)
        return self._settings.max_rollout_bytes if rollout else self._settings.max_body_bytes

    def _make_refusal(self, request: Request, status: int, limit: int) -> JSONResponse:
        headers = request.headers
        words = _REFUSAL_TEXTS.get(status, "the request was refused with HTTP {status}").format(
            status=status,
            limit=limit,
            host=headers.get("host", "")[:200],
            origin=headers.get("origin", "")[:200],
        )
        return JSONResponse({"error": words}, status)


class _InJson:
    """Converts a guard's plain-text refusal to JSON."""

    def __init__(self, scope: Scope, send: Send, refusal: Callable[[Request, int], JSONResponse]) -> None:
        self.passed = False
        self._scope = scope
        self._send = send
        self._refusal = refusal

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and not self.passed:
            response = self._refusal(Request(self._scope), message["status"])
            await response(self._scope, _make_disconnect, self._send)


async def _make_disconnect() -> Message:
    return {"type": "http.disconnect"}
