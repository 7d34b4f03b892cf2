"""A web server of a test, in a thread, on the loopback interface."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType

Request = BaseHTTPRequestHandler


@contextmanager
def serve_requests(respond: Callable[[Request], None]) -> Iterator[str]:
    """Respond to requests for a ``with`` block; the address, without a slash at its end."""

    class Listener(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            respond(self)

        do_HEAD = do_OPTIONS = do_PROPFIND = do_POST = do_DELETE = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="web")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def body_of(request: Request) -> bytes:
    """What the client sent."""
    return request.rfile.read(int(request.headers.get("content-length", 0)))


def send_answer(
    request: Request, status: int, body: bytes = b"", headers: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Send a whole answer."""
    request.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(body)
