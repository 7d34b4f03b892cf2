"""Access to a few addresses for a program without a network: each is a Unix socket with a proxy at both ends.

Outside, `open_doors` listens on Unix sockets in a folder and forwards connections to the addresses behind them.
Inside, in a separate network namespace in which nothing listens, this file is run as a script: it listens at the same
addresses, forwards to the Unix sockets, runs the program and ends like it. It blocks the program's access to kernel
keys, which are those of our own session.
"""

import ctypes
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

SEEN_AT = "/run/doors"
_SCRIPT = f"{SEEN_AT}/doors.py"
_CHUNK = 1 << 16
# Shells report a signal by 128 plus its number.
_SIGNALLED = 128


class Door(NamedTuple):
    """A reachable address, and the loopback address inside that represents it."""

    host: str
    port: int
    inside: str


@contextmanager
def open_doors(addresses: Sequence[Door], folder: Path) -> Iterator[None]:
    """Forward the Unix sockets in `folder`, which is visible inside at `SEEN_AT`, to the addresses."""
    (folder / "doors.py").write_bytes(Path(__file__).read_bytes())
    listeners = []
    try:
        for number, door in enumerate(addresses):
            listener = socket.socket(socket.AF_UNIX)
            listeners.append(listener)
            listener.bind(str(folder / str(number)))
            listener.listen(128)
            _serve_listener(listener, lambda door=door: socket.create_connection((door.host, door.port)))  # type: ignore[misc]
        yield
    finally:
        for listener in listeners:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # wakes the thread in accept
            listener.close()


def build_door_command(python: Path, addresses: Sequence[Door], command: Sequence[str]) -> list[str]:
    """Build the command line that runs `command` inside with access to these addresses."""
    door_list = json.dumps([[door.inside, door.port] for door in addresses])
    return [str(python), "-I", "-S", "-B", _SCRIPT, door_list, *command]


def _serve_listener(listener: socket.socket, reach: Callable[[], socket.socket]) -> None:
    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(target=_join_sockets, args=(client, reach), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def _join_sockets(client: socket.socket, reach: Callable[[], socket.socket]) -> None:
    """Forward data between `client` and its target until both sides have finished."""
    with client:
        try:
            other = reach()
        except OSError:
            return
        with other:
            back = threading.Thread(target=_pump_bytes, args=(other, client), daemon=True)
            back.start()
            _pump_bytes(client, other)
            back.join()


def _pump_bytes(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while chunk := source.recv(_CHUNK):
            target.sendall(chunk)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _make_connector(path: str) -> Callable[[], socket.socket]:
    def reach() -> socket.socket:
        link = socket.socket(socket.AF_UNIX)
        link.connect(path)
        return link

    return reach


def _forbid_keys() -> None:
    """Install a filter (seccomp(2)) that blocks add_key, request_key and keyctl, whose numbers are consecutive."""
    # AUDIT_ARCH and the number of add_key by machine; other machines run without the filter.
    arch, first = {"x86_64": (0xC000003E, 248), "aarch64": (0xC00000B7, 217)}.get(os.uname().machine, (0, 0))
    if not arch:
        return
    # Classic BPF: load the architecture and the call's number. Other architectures and x32 calls (0x40000000) are
    # refused, too. 0x00050026 returns ENOSYS (38), 0x7FFF0000 allows the call.
    program = [
        *((0x20, 0, 0, 4), (0x15, 0, 4, arch), (0x20, 0, 0, 0), (0x35, 2, 0, 0x40000000)),
        *((0x35, 0, 2, first), (0x25, 1, 0, first + 2), (0x06, 0, 0, 0x00050026), (0x06, 0, 0, 0x7FFF0000)),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    filters = ctypes.create_string_buffer(struct.pack("HP", len(program), ctypes.addressof(code)))
    # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
    if ctypes.CDLL(None, use_errno=True).prctl(22, 2, ctypes.c_void_p(ctypes.addressof(filters)), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp is not possible here")


def main() -> int:
    _forbid_keys()
    for number, (host, port) in enumerate(json.loads(sys.argv[1])):
        _serve_listener(socket.create_server((host, port), backlog=128), _make_connector(f"{SEEN_AT}/{number}"))
    try:
        code = subprocess.call(sys.argv[2:])  # noqa: S603 - the command that we were given
    except OSError as error:
        print(f"{sys.argv[2]}: {os.strerror(error.errno or 0)}", file=sys.stderr)  # noqa: T201
        return 127
    return code if code >= 0 else _SIGNALLED - code


if __name__ == "__main__":
    sys.exit(main())
