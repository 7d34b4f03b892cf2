import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from support.processes import list_alive, wait_until

from yardkit.programs.command import run_program
from yardkit.programs.reaper import list_namespace_words

_DAEMON = (
    "setsid env -i sh -c 'echo x > {mark}; exec tail -f {mark} > /dev/null' & "
    "while [ ! -s {mark} ]; do sleep 0.02; done;"
)
_KILLER = """
import os, signal, sys, time
parents, pid = [], os.getppid()
while pid > 1 and len(parents) < 4:
    parents.append(pid)
    pid = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
watchers = [p for p in parents if "reaper" in open(f"/proc/{p}/cmdline").read()] + [1] * (os.getpid() < 100)
if os.fork():
    time.sleep(600)
os.setsid()
for pid in reversed(watchers):
    os.kill(pid, signal.SIGKILL)
open(sys.argv[1], "w").write("killed")
os.execvp("tail", ["tail", "-f", sys.argv[1]])
"""
_RUNS = """
import sys
from yardkit.programs.command import run_program
run_program(["sh", "-c", sys.argv[1]], environment={"PATH": "/usr/bin:/bin"}, limit_s=60, whole_tree=True)
"""


def _format_daemon(mark: Path) -> str:
    return _DAEMON.format(mark=mark)


def _list_users(mark: Path) -> list[int]:
    """The processes that have the path on their command line; their own number is that of their namespace."""
    users = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(mark).encode() in (folder / "cmdline").read_bytes() and int(folder.name) != os.getpid():
                users.append(int(folder.name))
    return list_alive(users)


def _run(script: str, limit_s: float = 30) -> tuple[int, bool, str]:
    environment = {"PATH": "/usr/bin:/bin"}
    ended = run_program(["sh", "-c", script], environment=environment, limit_s=limit_s, whole_tree=True)
    return ended.exit_code, ended.timed_out, ended.stdout


def test_daemons_end_with_the_program_and_it_ends_as_it_would(tmp_path: Path) -> None:
    for script, ended in (("echo hi; exit 3", (3, False, "hi\n")), ("kill -11 $$", (-11, False, ""))):
        mark = tmp_path / f"mark{ended[0]}"
        assert _run(_format_daemon(mark) + script) == ended
        assert mark.exists()
        assert _list_users(mark) == []


def test_daemons_end_at_the_limit(tmp_path: Path) -> None:
    code, timed_out, _ = _run(_format_daemon(tmp_path / "mark") + "sleep 600", limit_s=1)
    assert (code, timed_out) == (-9, True)
    assert _list_users(tmp_path / "mark") == []


def test_daemons_end_when_whoever_started_the_program_is_killed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    with subprocess.Popen([sys.executable, "-c", _RUNS, _format_daemon(mark) + "sleep 600"]) as process:
        wait_until(lambda: mark.exists() and mark.read_text())
        process.kill()
    wait_until(lambda: _list_users(mark) == [])


def test_who_watches_cannot_be_killed_by_whom_it_watches(tmp_path: Path) -> None:
    assert list_namespace_words(), "this machine lets nobody make namespaces"
    mark = tmp_path / "mark"
    (tmp_path / "killer.py").write_text(_KILLER)
    _run(f"exec {sys.executable} {tmp_path / 'killer.py'} {mark}", limit_s=3)
    assert mark.read_text() == "killed"
    assert _list_users(mark) == []


def test_without_a_namespace_a_second_one_watches(tmp_path: Path) -> None:
    environment, mark = {"PATH": "/usr/bin:/bin"}, tmp_path / "mark"
    script = _format_daemon(mark) + "kill -9 $PPID; sleep 600"
    run_program(["sh", "-c", script], environment=environment, limit_s=60, whole_tree=True, own_ids=False)
    assert mark.exists()
    assert _list_users(mark) == []
