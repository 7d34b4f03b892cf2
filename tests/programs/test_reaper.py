import subprocess
import sys
from pathlib import Path

from support.processes import alive, until

from yardkit.programs.command import run_program

_DAEMON = "setsid env -i sh -c 'echo $$ > {pid}; exec sleep 600' & while [ ! -s {pid} ]; do sleep 0.02; done;"
_RUNS = """
import sys
from yardkit.programs.command import run_program
run_program(["sh", "-c", sys.argv[1]], environment={"PATH": "/usr/bin:/bin"}, limit_s=60, whole_tree=True)
"""


def _daemon(pid: Path) -> str:
    return _DAEMON.format(pid=pid)


def _run(script: str, limit_s: float = 30) -> tuple[int, bool, str]:
    environment = {"PATH": "/usr/bin:/bin"}
    ended = run_program(["sh", "-c", script], environment=environment, limit_s=limit_s, whole_tree=True)
    return ended.exit_code, ended.timed_out, ended.stdout


def test_daemons_end_with_the_program_and_it_ends_as_it_would(tmp_path: Path) -> None:
    for script, ended in (("echo hi; exit 3", (3, False, "hi\n")), ("kill -11 $$", (-11, False, ""))):
        pid = tmp_path / f"pid{ended[0]}"
        assert _run(_daemon(pid) + script) == ended
        assert alive([int(pid.read_text())]) == []


def test_daemons_end_at_the_limit(tmp_path: Path) -> None:
    code, timed_out, _ = _run(_daemon(tmp_path / "pid") + "sleep 600", limit_s=1)
    assert (code, timed_out) == (-9, True)
    assert alive([int((tmp_path / "pid").read_text())]) == []


def test_daemons_end_when_whoever_started_the_program_is_killed(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", _RUNS, _daemon(pid) + "sleep 600"]) as process:
        until(lambda: pid.exists() and pid.read_text())
        process.kill()
    until(lambda: alive([int(pid.read_text())]) == [])
