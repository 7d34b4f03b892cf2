import subprocess
import sys
from pathlib import Path

from support.processes import list_alive, wait_until

from yardkit.programs.command import run_program

_DAEMON = "setsid env -i sh -c 'echo $$ > {pid}; exec sleep 600' & while [ ! -s {pid} ]; do sleep 0.02; done;"
_RUNS = """
import sys
from yardkit.programs.command import run_program
run_program(["sh", "-c", sys.argv[1]], environment={"PATH": "/usr/bin:/bin"}, limit_s=60, whole_tree=True)
"""


def _format_daemon(pid: Path) -> str:
    return _DAEMON.format(pid=pid)


def _run(script: str, limit_s: float = 30) -> tuple[int, bool, str]:
    environment = {"PATH": "/usr/bin:/bin"}
    ended = run_program(["sh", "-c", script], environment=environment, limit_s=limit_s, whole_tree=True)
    return ended.exit_code, ended.timed_out, ended.stdout


def test_daemons_end_with_the_program_and_it_ends_as_it_would(tmp_path: Path) -> None:
    for script, ended in (("echo hi; exit 3", (3, False, "hi\n")), ("kill -11 $$", (-11, False, ""))):
        pid = tmp_path / f"pid{ended[0]}"
        assert _run(_format_daemon(pid) + script) == ended
        assert list_alive([int(pid.read_text())]) == []


def test_daemons_end_at_the_limit(tmp_path: Path) -> None:
    code, timed_out, _ = _run(_format_daemon(tmp_path / "pid") + "sleep 600", limit_s=1)
    assert (code, timed_out) == (-9, True)
    assert list_alive([int((tmp_path / "pid").read_text())]) == []


def test_daemons_end_when_whoever_started_the_program_is_killed(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", _RUNS, _format_daemon(pid) + "sleep 600"]) as process:
        wait_until(lambda: pid.exists() and pid.read_text())
        process.kill()
    wait_until(lambda: list_alive([int(pid.read_text())]) == [])
