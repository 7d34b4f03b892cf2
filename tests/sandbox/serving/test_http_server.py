import asyncio
import errno
import os
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from support.processes import wait_until

from yardkit.sandbox.serving import http_server
from yardkit.sandbox.serving.addresses import open_listener
from yardkit.sandbox.serving.http_server import raise_file_limit, server_of

Connect = Callable[[bytes], socket.socket]

HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"


async def _echo_request(request: Request) -> Response:
    return PlainTextResponse(await request.body() or b"x" * int(request.query_params.get("size", "1")))


@pytest.fixture
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[uvicorn.Server]:
    """A server that waits half a second, with `files` to use."""
    monkeypatch.setattr(http_server, "REQUEST_S", 0.5)
    monkeypatch.setattr(http_server, "raise_file_limit", lambda: getattr(request, "param", 1_000))
    with open_listener("127.0.0.1", 0) as listener:
        server = server_of(Starlette(routes=[Route("/", _echo_request, methods=["GET", "POST"])]), 1)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            wait_until(lambda: server.started)
            yield server
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def address(server: uvicorn.Server) -> tuple[str, int]:
    return server.servers[0].sockets[0].getsockname()[:2]


@pytest.fixture
def connect(address: tuple[str, int]) -> Iterator[Connect]:
    """Open a connection and send the beginning of something."""
    with ExitStack() as stack:

        def connect(sent: bytes) -> socket.socket:
            connection = stack.enter_context(socket.create_connection(address, timeout=240))
            connection.sendall(sent)
            return connection

        yield connect


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def _ask_server(address: tuple[str, int]) -> str:
    return httpx2.post(f"http://127.0.0.1:{address[1]}/", content=b"whole", timeout=240).text


@pytest.mark.parametrize("sent", [b"", HALF_A_HEAD, HALF_A_BODY])
def test_a_request_that_does_not_arrive_in_time_is_given_up(connect: Connect, sent: bytes) -> None:
    assert _is_closed(connect(sent))


def test_a_request_that_drips_in_is_given_up_as_well(connect: Connect) -> None:
    connection = connect(HALF_A_HEAD)
    connection.settimeout(0.1)

    def dripped() -> bool:
        try:
            connection.sendall(b"a")
            return connection.recv(1) == b""
        except TimeoutError:
            return False
        except OSError:
            return True

    wait_until(dripped)


def test_an_answer_that_nobody_takes_is_given_up(connect: Connect, server: uvicorn.Server) -> None:
    connection = connect(b"GET /?size=50000000 HTTP/1.1\r\nHost: x\r\n\r\n")
    wait_until(lambda: server.server_state.connections)
    wait_until(lambda: not server.server_state.connections)
    received = 0
    with suppress(ConnectionResetError):
        while chunk := connection.recv(1 << 20):
            received += len(chunk)
    assert received < 50_000_000


@pytest.mark.parametrize("server", [20], indirect=True)
def test_with_more_connections_than_files_allow_the_one_that_waits_longest_makes_room(
    address: tuple[str, int], connect: Connect
) -> None:
    working = connect(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx")
    assert working.recv(15).startswith(b"HTTP/1.1 200")
    slow = [connect(HALF_A_HEAD) for _ in range(40)]
    assert _ask_server(address) == "whole"
    assert [_is_closed(connection) for connection in slow[:25]] == [True] * 25


def test_connections_that_cannot_be_taken_are_told_once(capfd: pytest.CaptureFixture[str]) -> None:
    loop = asyncio.new_event_loop()
    complain = http_server._Complaints()
    for _ in range(1_000):
        complain(loop, {"message": "m", "exception": OSError(errno.EMFILE, os.strerror(errno.EMFILE))})
    loop.close()
    assert capfd.readouterr().err == "yardkit: cannot accept connections at the moment: Too many open files\n"


def test_the_limit_on_files_is_raised_as_far_as_it_may_be() -> None:
    source = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 700))\n"
        "from yardkit.sandbox.serving.http_server import raise_file_limit as r\n"
        "print(r(), r(), resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "700 700 (700, 700)"
    assert raise_file_limit() == min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], http_server.MAX_FILES)
