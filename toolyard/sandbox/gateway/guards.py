"""What every request passes before a route sees it: size, Host and Origin."""

from collections.abc import Callable
from contextlib import suppress

from fastmcp.server.http import HostOriginGuardMiddleware
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toolyard.sandbox.gateway.settings import Settings

_SAID = {
    413: "the request body is larger than {limit:,} bytes; send less",
    421: "the Host header {host!r} is not a name of this gateway; use the address that it printed",
    403: "the Origin {origin!r} may not use this gateway; call it from a program, not from a web page",
}


class Guards:
    """Refuses what is too large or comes from a web page, in JSON; the checks are those of the MCP libraries."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _InJson(scope, send, self._refusal)

        async def passed(scope: Scope, receive: Receive, _send: Send) -> None:
            answer.passed = True
            await self._app(scope, receive, send)

        limited = RequestBodyLimitMiddleware(passed, self._settings.max_body_bytes)
        mode = "strict" if self._settings.strict_hosts else "auto"
        with suppress(ClientDisconnect):  # in the middle of its request: nobody is there to be answered
            await HostOriginGuardMiddleware(limited, mode=mode)(scope, receive, answer)  # type: ignore[arg-type]

    def _refusal(self, request: Request, status: int) -> JSONResponse:
        headers = request.headers
        words = _SAID.get(status, "the request was refused with HTTP {status}").format(
            status=status,
            limit=self._settings.max_body_bytes,
            host=headers.get("host", "")[:200],
            origin=headers.get("origin", "")[:200],
        )
        return JSONResponse({"error": words}, status)


class _InJson:
    """Takes a guard's plain-text refusal and sends it as JSON."""

    def __init__(self, scope: Scope, send: Send, refusal: Callable[[Request, int], JSONResponse]) -> None:
        self.passed = False
        self._scope = scope
        self._send = send
        self._refusal = refusal

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and not self.passed:
            response = self._refusal(Request(self._scope), message["status"])
            await response(self._scope, _nothing, self._send)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}
