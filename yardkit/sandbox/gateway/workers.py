"""The processes of a gateway: each serves its share of the episodes, and one that dies is restarted."""

import asyncio
import gc
import json
import os
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import uvicorn

from yardkit.programs.temporary import own_temporary_folder
from yardkit.sandbox.episodes.ids import Share
from yardkit.sandbox.gateway.app import create_app
from yardkit.sandbox.gateway.settings import Settings
from yardkit.sandbox.serving.http_server import CLOSING_S, server_of

_SHORT_LIFE_S = 5.0
_PAUSE_S = 1.0
_GC_THRESHOLDS = (20_000, 20, 20)
"""New objects until a collection of the youngest; such collections until one of the next older; and of all."""


@dataclass(frozen=True)
class Worker:
    """The share of a worker and its sockets.

    The sockets belong to the parent, so that requests wait while the worker is restarted.

    Attributes:
        link: path of the Unix socket on which the front reaches it.
        sockets: the link's socket, and the TCP socket of its own address if it has one.
    """

    share: Share
    runs: Path
    operator_token: str
    settings: Settings
    link: Path
    sockets: tuple[socket.socket, ...]

    def encode_order(self) -> bytes:
        """Encode the worker as a line for its process."""
        about = {
            "share": asdict(self.share),
            "runs": str(self.runs),
            "operator_token": self.operator_token,
            "settings": asdict(self.settings),
            "sockets": [listener.fileno() for listener in self.sockets],
        }
        return json.dumps(about).encode() + b"\n"


@asynccontextmanager
async def keep_alive(workers: Sequence[Worker]) -> AsyncIterator[None]:
    """Run a process for each worker until the block ends."""
    async with asyncio.TaskGroup() as tasks:
        keeping = [tasks.create_task(_keep_running(worker)) for worker in workers]
        try:
            yield
        finally:
            for task in keeping:
                task.cancel()


async def _keep_running(worker: Worker) -> None:
    while True:
        started = time.monotonic()
        process = await _start_worker(worker)
        try:
            code = await process.wait()
        finally:
            await _end_process(process)
        print(f"yardkit: worker {worker.share.number} ended ({code}); it is started again", file=sys.stderr)  # noqa: T201
        # A worker that dies at its start must not be restarted in a tight loop.
        if time.monotonic() - started < _SHORT_LIFE_S:
            await asyncio.sleep(_PAUSE_S)


async def _start_worker(worker: Worker) -> asyncio.subprocess.Process:
    # In a separate session Ctrl-C does not reach it: it ends when its stdin closes, however the parent ended.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__),
        stdin=asyncio.subprocess.PIPE,
        pass_fds=[listener.fileno() for listener in worker.sockets],
        start_new_session=True,
    )
    assert process.stdin is not None  # noqa: S101 - for the type checker
    process.stdin.write(worker.encode_order())
    return process


async def _end_process(process: asyncio.subprocess.Process) -> None:
    """Ask the process to end, and kill it if it does not."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), 2 * CLOSING_S)
    except TimeoutError:
        process.kill()
        await process.wait()


def spare_collections() -> None:
    """Exclude loaded objects from garbage collection: tools are never freed, and scanning them repeatedly takes a tenth
    of the time of all calls.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)


def main() -> int:
    """Serve according to the parent's order on stdin, until stdin closes."""
    order = json.loads(_read_line(0))
    sockets = [socket.socket(fileno=number) for number in order["sockets"]]
    settings = Settings(**order["settings"])
    if len(sockets) > 1:
        settings = replace(settings, own_port=sockets[1].getsockname()[1])
    app = create_app(Path(order["runs"]), order["operator_token"], settings, Share(**order["share"]))
    server = server_of(app)
    threading.Thread(target=_stop_at_end, args=(server,), name="yardkit-parent", daemon=True).start()
    spare_collections()
    own_temporary_folder()
    server.run(sockets=sockets)
    return 0


def _read_line(descriptor: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(descriptor, 65_536) or b"{}\n"
    return line


def _stop_at_end(server: uvicorn.Server) -> None:
    while os.read(0, 1):
        pass
    server.should_exit = True


if __name__ == "__main__":
    sys.exit(main())
