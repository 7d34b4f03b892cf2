"""A proxy that adds a bearer token, for outside programs that cannot send one."""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import urlsplit

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yardkit.sandbox.serving.addresses import open_listener

_OF_A_CONNECTION = {"connection", "content-length", "keep-alive", "transfer-encoding"}


@contextmanager
def with_bearer(address: str, token: str) -> Iterator[str]:
    """`address` behind a proxy that sends `token` along and leaves all else, Host and Origin too, as it came."""
    target = urlsplit(address)
    with open_listener("127.0.0.1", 0) as listener:
        app = _build_proxy(f"{target.scheme}://{target.netloc}", token)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}{target.path}"
        finally:
            server.should_exit = True
            thread.join(240)


def _build_proxy(origin: str, token: str) -> Starlette:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with httpx2.AsyncClient(base_url=origin, timeout=240) as client:
            app.state.client = client
            yield

    async def forward(request: Request) -> Response:
        headers = [(name, value) for name, value in request.headers.items() if name not in _OF_A_CONNECTION]
        answer = await request.app.state.client.request(
            request.method,
            request.url.path,
            headers=[*headers, ("authorization", f"Bearer {token}")],
            content=await request.body(),
        )
        response_headers = {name: value for name, value in answer.headers.items() if name not in _OF_A_CONNECTION}
        return Response(answer.content, answer.status_code, response_headers)

    methods = ["GET", "POST", "DELETE", "OPTIONS"]
    return Starlette(routes=[Route("/{path:path}", forward, methods=methods)], lifespan=lifespan)
