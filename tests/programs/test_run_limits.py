"""What a run holds counts towards its limits, wherever it holds it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.processes import wait_until

from yardkit.programs.runner import Completed, RunLimits, run_python
from yardkit.programs.usage import Holdings, stand_still

_START = """
import ctypes, mmap, os, socket, time
MB = 1_000_000
def fill(path, size):
    with open(path, 'wb') as file:
        for _ in range(size // MB):
            file.write(os.urandom(MB))
"""
_WAIT = "\nprint('held', flush=True)\ntime.sleep(100)\n"
_DEEP = "for _ in range(20):\n    os.mkdir('d' * 250); os.chdir('d' * 250)\n"
_MEMORY = {
    "its own": "data = b'x' * 70 * MB; os.fork(); more = b'y' * 70 * MB",
    "files in both temporary folders": "for name in ('/tmp/a', '/dev/shm/a'):\n    fill(name, 70 * MB)",
    "a file without a name": "data, fd = b'x' * 60 * MB, os.open('/tmp', os.O_TMPFILE | os.O_RDWR)\n"
    "for _ in range(60):\n    os.write(fd, b'x' * MB)",
    "pages that a process shared and another one filled": """
for _ in range(3):
    if not os.fork():
        shared = mmap.mmap(-1, 60 * MB)
        if not os.fork():
            shared.write(b'x' * 60 * MB)
            os._exit(0)
        time.sleep(100)""",
    "entries of files in memory": "for i in range(150_000): os.close(os.open(f'/dev/shm/{i}', os.O_CREAT))",
    "what waits in sockets": """
for _ in range(3):
    if not os.fork():
        pairs = [socket.socketpair() for _ in range(100)]
        for pair in pairs:
            pair[0].setblocking(False)
            try:
                while True: pair[0].send(b'x' * 4096)
            except OSError: pass
        time.sleep(100)""",
}
_MOVING = """
for name in ('s', *(f'f{i}' for i in range(800)), 'p', *(f'g{i}' for i in range(800)), 'q'):
    os.mkdir(name)
order = [entry.name for entry in os.scandir('.')][::-1]
first, middle, last = order[0], 'p', order[-1]
os.mkdir(f'{last}/big')
folder = os.open(f'{last}/big', os.O_RDONLY)
if not os.fork():
    while True:  # be where it was looked already
        for here, there in ((last, middle), (middle, last)):
            for name in (first, middle, last): os.utime(name, ns=(0, time.time_ns()))
            seen = middle if here == last else first
            while not os.stat(seen).st_atime_ns: pass
            os.rename(f'{here}/big', f'{there}/big')
for i in range(40):
    fd = os.open(f'f{i}', os.O_CREAT | os.O_WRONLY, dir_fd=folder)
    os.write(fd, os.urandom(MB)); os.close(fd); time.sleep(0.05)
"""
_FILES = {
    "in a folder": "for i in range(4): fill(f'f{i}', 3 * MB)",
    "below a path of 5,000 letters": f"{_DEEP}for i in range(4): fill(f'f{{i}}', 3 * MB)",
    "sparse": "for i in range(4): open(f'f{i}', 'wb').truncate(3 * MB)",
    "removed while they are open": "files = []\nfor i in range(4):\n    files.append(open('f', 'wb')); os.remove('f')\n"
    "    files[-1].write(os.urandom(3 * MB))",
    "removed while they are mapped": "maps = []\nfor i in range(4):\n    fill('f', 3 * MB); file = open('f', 'r+b')\n"
    "    maps.append(mmap.mmap(file.fileno(), 3 * MB)); file.close(); os.remove('f')",
    "removed and without a name": "fds = [os.open('.', os.O_TMPFILE | os.O_RDWR) for _ in range(4)]\n"
    "for fd in fds: os.write(fd, os.urandom(3 * MB))",
    "in a folder that is shut": "for i in range(4):\n"
    "    os.makedirs(f's{i}'); fill(f's{i}/f', 3 * MB); os.chmod(f's{i}', 0)",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


def run(workspace: Path, code: str, **limits: int) -> Completed:
    return run_python(f"{_START}{code}{_WAIT}", workspace=workspace, limits=RunLimits(**limits))


@pytest.mark.parametrize("code", _MEMORY.values(), ids=_MEMORY.keys())
def test_memory_counts_wherever_it_is(workspace: Path, code: str) -> None:
    done = run(workspace, code, memory_bytes=110_000_000)
    assert "bytes of memory" in done.stderr or "MemoryError" in done.stderr, done


@pytest.mark.parametrize("code", _FILES.values(), ids=_FILES.keys())
def test_files_count_wherever_they_are(workspace: Path, code: str) -> None:
    done = run(workspace, code, file_bytes=10_000_000)
    assert "it wrote more than 10,000,000 bytes of files" in done.stderr, done
    assert list(workspace.iterdir()) == []


def test_files_count_that_are_moved_past_the_count(workspace: Path) -> None:
    done = run(workspace, _MOVING, file_bytes=10_000_000, files=5_000)
    assert "it wrote more than 10,000,000 bytes of files" in done.stderr, done


def test_no_process_does_anything_while_it_stands_still(tmp_path: Path) -> None:
    count = "import os, sys\nn = 0\nos.fork(); os.fork()\nf = open(f'{sys.argv[1]}/{os.getpid()}', 'w')\n"
    count += "while True:\n    n += 1; os.pwrite(f.fileno(), str(n).encode(), 0)"

    def read_counts() -> list[str]:
        return [path.read_text() for path in sorted(tmp_path.iterdir())]

    script = f'({sys.executable} -c "{count}" {tmp_path}) & wait'
    with subprocess.Popen(["/bin/sh", "-c", script], start_new_session=True) as shell:
        try:
            wait_until(lambda: len(list(tmp_path.iterdir())) == 4)
            for _ in range(3):
                with stand_still(shell.pid, enough=50):
                    counted = read_counts()
                    time.sleep(0.05)
                    assert read_counts() == counted
            stood = read_counts()
            wait_until(lambda: read_counts() != stood)
        finally:
            os.killpg(shell.pid, signal.SIGKILL)


def test_mappings_count_as_memory() -> None:
    code = """
import ctypes, mmap
data = mmap.mmap(-1, 9_000 * 8192, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
address = ctypes.addressof(ctypes.c_char.from_buffer(data))
print(flush=True)
input()
for i in range(9_000): ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + 8192 * i), 4096, 1)
print(flush=True)
input()
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        measured = []
        for _ in range(2):
            process.stdout.readline()
            measured.append(Holdings.measure([process.pid], 0, ()).memory_bytes)
            process.stdin.write(b"\n")
            process.stdin.flush()
    assert measured[1] - measured[0] > 2_000_000


def test_a_path_that_would_take_long_to_follow_ends_a_run(workspace: Path) -> None:
    done = run(workspace, _DEEP * 10, files=5_000)
    assert "it made a path of more than 20,000 characters" in done.stderr


def test_entries_count_at_any_depth(workspace: Path) -> None:
    done = run(workspace, f"{_DEEP}for i in range(200): open(f'f{{i}}', 'w').close()", files=100)
    assert "it wrote more than 100 files and folders" in done.stderr


def test_open_files_that_wait_in_sockets_end_a_run(workspace: Path) -> None:
    code = (
        "a, b = socket.socketpair()\nfor _ in range(20): socket.send_fds(a, [b'x'], [os.open('.', os.O_TMPFILE | 2)])"
    )
    assert "open files where none of them shows them" in run(workspace, code).stderr


def test_a_process_that_hides_what_it_holds_ends_the_run_or_is_seen(workspace: Path) -> None:
    code = "ctypes.CDLL(None).prctl(4, 0)\n" + _FILES["removed while they are open"]
    assert "The run was ended: it" in run(workspace, code, file_bytes=10_000_000).stderr


@pytest.mark.parametrize(
    "call",
    [
        "os.memfd_create('x')",
        "print(lib.shmget(0, 4096, 0o1600))",
        "print(lib.msgget(0, 0o1600))",
        "print(lib.inotify_init1(0))",
        "print(lib.ptrace(0, 0, 0, 0))",
    ],
)
def test_memory_that_no_process_need_show_is_refused(workspace: Path, call: str) -> None:
    done = run_python(f"import ctypes, os\nlib = ctypes.CDLL(None)\n{call}", workspace=workspace)
    assert "Function not implemented" in done.stderr or done.stdout == "-1\n"


def test_no_bytes_are_kept_beside_a_file(workspace: Path) -> None:
    code = "import os, shutil\nopen('a', 'w').close()\nshutil.copy2('a', 'b')\nos.setxattr('a', 'user.x', b'x' * 1000)"
    assert "Operation not supported: 'a'" in run_python(code, workspace=workspace).stderr


def test_no_socket_leads_past_the_network_of_a_run(workspace: Path) -> None:
    code = """
import socket
for family in (*range(1, 50), 2**31 - 1):
    try: socket.socket(family, socket.SOCK_DGRAM); print(family)
    except OSError as error: assert error.errno == 97, (family, error)
"""
    done = run_python(code, workspace=workspace)
    assert done.stdout.split() == ["1", "2", "10"], done.stderr


def test_what_is_nested_too_deeply_is_refused_in_words(workspace: Path) -> None:
    with pytest.raises(Exception, match="nested too deeply, so nothing was saved"):
        run_python(f"import os\n{_DEEP}open('f', 'w').close()", workspace=workspace)


def test_a_run_that_shares_memory_and_pipes_as_programs_do_is_left_alone(workspace: Path) -> None:
    code = """
import multiprocessing, tempfile
from multiprocessing import shared_memory
def square(x): return x * x
block = shared_memory.SharedMemory(create=True, size=50_000_000)
block.buf[:] = bytes(50_000_000)
with multiprocessing.Pool(4) as pool, tempfile.TemporaryFile() as file:
    file.write(b'x' * 1_000_000)
    print(sum(pool.map(square, range(1000))))
block.close(); block.unlink()
"""
    done = run_python(code, workspace=workspace, limits=RunLimits(memory_bytes=400_000_000))
    assert done.stdout == "332833500\n", done.stderr
