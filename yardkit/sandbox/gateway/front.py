"""The one address of a gateway with several workers: forwards each request to the worker that has its episode."""

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import httpx2
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yardkit.sandbox.episodes.ids import find_share_number
from yardkit.sandbox.gateway.guards import Guards
from yardkit.sandbox.gateway.nemo_gym import COOKIE
from yardkit.sandbox.gateway.settings import Settings
from yardkit.sandbox.gateway.workers import Worker, keep_alive

_OWN_HEADERS = (b"connection", b"keep-alive", b"transfer-encoding", b"te", b"upgrade", b"proxy-connection")
"""What is agreed between two neighbours, not between the ends."""
_OPENING = ("/episodes", "/seed_session")


def create_front(workers: Sequence[Worker], settings: Settings) -> ASGIApp:
    """Make the front's ASGI app, which keeps `workers` running while it is served."""
    front = _Front(workers)
    guards = Middleware(Guards, settings=settings, operator_token=workers[0].operator_token)
    return Starlette(routes=[Mount("/", app=front)], middleware=[guards], lifespan=front.open_lifespan)


class _Front:
    def __init__(self, workers: Sequence[Worker]) -> None:
        self._workers = workers
        self._turns = itertools.cycle(range(len(workers)))
        self._clients: list[httpx2.AsyncClient] = []

    @asynccontextmanager
    async def open_lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        async with keep_alive(self._workers), AsyncExitStack() as stack:
            self._clients = [await stack.enter_async_context(_make_client(worker.link)) for worker in self._workers]
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body = await request.body()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_cancel_when_gone, receive, tasks.cancel_scope)
            await self._answer_request(request, body, send)
            tasks.cancel_scope.cancel()

    async def _answer_request(self, request: Request, body: bytes, send: Send) -> None:
        numbers = self._list_candidates(request)
        for number in numbers:
            sent = _Sent(send)
            try:
                if await self._forward_request(number, request, body, sent, last=number == numbers[-1]):
                    return
            except httpx2.TransportError:
                if sent.begun:  # part of the answer was sent, so no error can follow
                    raise
                words = (
                    "the worker of this episode ended while it was at work and is started again; ask it what is done"
                )
                await JSONResponse({"error": words}, 502)(request.scope, request.receive, send)
                return

    def _list_candidates(self, request: Request) -> list[int]:
        """List the workers that may answer, in the order of asking; a full worker leaves the request to the next."""
        kind, _, rest = request.scope["path"].removeprefix("/").partition("/")
        if kind == "e":
            return [find_share_number(rest.partition("/")[0], len(self._workers))]
        if kind == "verify":
            return [find_share_number(request.cookies.get(COOKIE, ""), len(self._workers))]
        first, count = next(self._turns), len(self._workers)
        opening = request.method == "POST" and request.scope["path"] in _OPENING
        return [(first + step) % count for step in range(count if opening else 1)]

    async def _forward_request(self, number: int, request: Request, body: bytes, send: Send, *, last: bool) -> bool:
        """Forward the request and its answer; a refusal by a full worker is forwarded only if it is the `last` one."""
        scope = request.scope
        query = scope["query_string"]
        url = httpx2.URL("http://worker", raw_path=scope["raw_path"] + (b"?" + query if query else b""))
        headers = [(name, value) for name, value in scope["headers"] if name not in _OWN_HEADERS]
        client = self._clients[number]
        async with client.stream(request.method, url, headers=headers, content=body or None) as answer:
            # 503: the worker has reached its limit of open episodes.
            if answer.status_code == 503 and not last:
                return False
            response_headers = [
                (name.lower(), value) for name, value in answer.headers.raw if name.lower() not in _OWN_HEADERS
            ]
            await send({"type": "http.response.start", "status": answer.status_code, "headers": response_headers})
            async for part in answer.aiter_raw():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        return True


class _Sent:
    """Forwards messages and records whether there were any."""

    def __init__(self, send: Send) -> None:
        self.begun = False
        self._send = send

    async def __call__(self, message: Message) -> None:
        self.begun = True
        await self._send(message)


def _make_client(link: Path) -> httpx2.AsyncClient:
    # A kept connection would break when its worker dies; a new one waits until the worker has been restarted.
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
    transport = httpx2.AsyncHTTPTransport(uds=str(link), limits=limits)
    return httpx2.AsyncClient(transport=transport, timeout=None, trust_env=False)


async def _cancel_when_gone(receive: Receive, scope: anyio.CancelScope) -> None:
    """Cancel the call in the worker when its client leaves, as would happen without a front."""
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
