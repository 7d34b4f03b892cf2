"""The helper process behind `bounded`: it has the libraries loaded and forks a child for each call.

Run as ``python -m yardkit.programs.forker FD``, where FD is one end of a socket pair. It ends when the other end is
closed. It has one thread, so a fork is safe; the libraries it loads are kept to one thread by the environment.
"""

import contextlib
import importlib
import os
import pickle
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from typing import Any, NamedTuple

from yardkit.programs.forks import address_bytes, limit_memory, receive_frame, send_frame
from yardkit.world.guard import collect_notes
from yardkit.world.problem import Problem

_REQUEST_S = 10.0


class _Call(NamedTuple):
    """The connection for a child's answer, and its folder for temporary files."""

    connection: socket.socket
    scratch: str


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    woken, waker = socket.socketpair()
    woken.settimeout(0)
    waker.settimeout(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    calls: dict[int, _Call] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        while True:
            ready = [key.fileobj for key, _ in selector.select()]
            if woken in ready:
                with contextlib.suppress(BlockingIOError):
                    woken.recv(4096)
            _report_ended(calls)
            if control in ready and not _take_call(control, calls):
                signal.set_wakeup_fd(-1)
                _end_calls(calls)
                return


def _take_call(control: socket.socket, calls: dict[int, _Call]) -> bool:
    _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    if not descriptors:
        return False
    connection = socket.socket(fileno=descriptors[0])
    connection.settimeout(_REQUEST_S)
    try:
        _start_call(connection, calls)
    except OSError:
        # The caller is gone, or no process can be started; in that case it reads the end of the connection.
        connection.close()
    return True


def _start_call(connection: socket.socket, calls: dict[int, _Call]) -> None:
    request = receive_frame(connection)
    if not request:
        connection.close()
        return
    module = _load_module(pickle.loads(request)[0])  # noqa: S301 - from our own parent
    scratch = tempfile.mkdtemp(prefix="ty-")
    try:
        pid = os.fork()
    except OSError:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    if pid == 0:
        _run_child(connection, request, module, scratch)
    calls[pid] = _Call(connection, scratch)


def _load_module(name: str) -> Any:
    """Load the module and its ``PRELOAD`` here, so that every later child starts with them."""
    try:
        module = importlib.import_module(name)
    except Exception as error:  # noqa: BLE001 - told to the caller by the child
        return error
    for library in getattr(module, "PRELOAD", ()):
        # Loading early only saves time; the call that needs a missing or broken library reports it.
        with contextlib.suppress(Exception):
            importlib.import_module(library)
    return module


def _run_child(connection: socket.socket, request: bytes, module: Any, scratch: str) -> None:
    """Run in the child: call the function within its limits, reply, and end or wait for the next call. Never returns.

    It ends without clean-up, so all its temporary files are in `scratch`, which is deleted afterwards.
    """
    try:
        os.environ["TMPDIR"] = tempfile.tempdir = scratch
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _volunteer_for_kill()
        connection.settimeout(None)
        send_frame(connection, f"{os.getpid()} {address_bytes()}".encode())
        while request:
            request = _serve_request(connection, request, module)
    except BaseException:  # noqa: BLE001 - a child must end here, whatever happened
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _serve_request(connection: socket.socket, request: bytes, module: Any) -> bytes:
    """Answer a request; return the next one if this process stays and there is one."""
    name, function, limits, args = pickle.loads(request)  # noqa: S301 - from our own parent
    seconds, memory_bytes, starts_programs, stays = limits
    signal.setitimer(signal.ITIMER_REAL, seconds)
    module = module if getattr(module, "__name__", name) == name else _load_module(name)
    # Set again for each call: memory that earlier calls keep, such as a model, does not count for this one.
    limit_memory(memory_bytes, for_good=not (starts_programs or stays))
    answer = _answer_request(module, function, args, memory_bytes)
    signal.setitimer(signal.ITIMER_REAL, 0)
    send_frame(connection, answer)
    return receive_frame(connection) if stays else b""


def _volunteer_for_kill() -> None:
    """Make the system kill this process instead of its parent or others when memory runs out."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as handle:  # noqa: PTH123 - cheap
        handle.write("1000")


def _answer_request(module: Any, name: str, args: bytes, memory_bytes: int) -> bytes:
    try:
        if isinstance(module, Exception):
            raise module
        with collect_notes() as notes:
            result = getattr(module, name)(*pickle.loads(args))  # noqa: S301 - from our own parent
        return pickle.dumps((True, (result, notes)))
    except MemoryError:
        return _encode_failure(Problem(f"it needs more than {memory_bytes:,} bytes of memory; make the task smaller"))
    except RecursionError:
        return _encode_failure(Problem("it nests too deeply to be worked out; make the expressions smaller"))
    except Exception as error:  # noqa: BLE001 - raised again in the caller
        return _encode_failure(error)


def _encode_failure(error: Exception) -> bytes:
    if not isinstance(error, Problem):
        error.add_note("In the bounded process:\n" + "".join(traceback.format_exception(error)))
    try:
        data = pickle.dumps((False, error))
        pickle.loads(data)  # noqa: S301 - made in the line before
    except Exception:  # noqa: BLE001 - some exceptions cannot travel
        return pickle.dumps((False, RuntimeError("".join(traceback.format_exception(error)))))
    return data


def _report_ended(calls: dict[int, _Call]) -> None:
    """Report to callers how their child ended; any reply was sent before."""
    while calls:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        connection, scratch = calls.pop(pid)
        with contextlib.suppress(OSError):
            send_frame(connection, pickle.dumps((None, os.waitstatus_to_exitcode(status))))
        connection.close()
        shutil.rmtree(scratch, ignore_errors=True)


def _end_calls(calls: dict[int, _Call]) -> None:
    """End all children and delete their folders, after the other side has closed."""
    for pid, call in calls.items():
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        shutil.rmtree(call.scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
