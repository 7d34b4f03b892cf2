"""The isolated runner against code that wants out."""

import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from support.processes import KEY_CALLS
from support.walls import OPENS_SETTINGS

from yardkit.programs.runner import LEFT_OUT, Completed, RunLimits, run_keeping, run_python
from yardkit.world import Problem

REPOSITORY = Path(__file__).parents[2]


class Yard:
    """A workspace and a place to collect in."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace, self.collect = root / "world" / "files", root / "out"
        self.workspace.mkdir(parents=True)
        self.collect.mkdir()
        (self.workspace / "data.csv").write_text("a,b\n1,2\n")

    def run(self, code: str, **limits: float) -> Completed:
        return run_python(code, workspace=self.workspace, collect=self.collect, limits=RunLimits(**limits))  # type: ignore[arg-type]

    def names(self, done: Completed) -> list[str]:
        return [path.relative_to(self.collect).as_posix() for path in done.files]


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


def test_code_reads_the_workspace_by_relative_paths(yard: Yard) -> None:
    (yard.workspace / "deep" / "er").mkdir(parents=True)
    (yard.workspace / "deep" / "er" / "note.txt").write_text("héllo")
    done = yard.run("print(open('data.csv').read().split()[1], open('deep/er/note.txt').read())")
    assert (done.exit_code, done.stdout, done.files) == (0, "1,2 héllo\n", [])


def test_new_and_replaced_files_are_collected_and_untouched_ones_are_not(yard: Yard) -> None:
    (yard.workspace / "same.txt").write_text("same")
    done = yard.run(
        "import os; os.makedirs('charts/x'); open('charts/x/a.txt', 'w').write('new')\n"
        "open('data.csv', 'w').write('changed'); open('same.txt', 'w').write('same')"
    )
    assert yard.names(done) == ["charts/x/a.txt", "data.csv"]
    assert (yard.collect / "data.csv").read_text() == "changed"


def test_an_edit_in_place_never_reaches_the_workspace_or_its_hard_links(yard: Yard) -> None:
    fork = yard.root / "fork.csv"
    os.link(yard.workspace / "data.csv", fork)
    yard.run("open('data.csv', 'a').write('evil'); open('/run/workspace/data.csv', 'a')")
    assert fork.read_text() == (yard.workspace / "data.csv").read_text() == "a,b\n1,2\n"


def test_large_files_are_readable_but_cannot_be_written_in_place(yard: Yard) -> None:
    (yard.workspace / "large.bin").write_bytes(b"x" * 9_000_000)
    done = yard.run("print(len(open('large.bin', 'rb').read()))\nopen('large.bin', 'w')")
    assert done.stdout == "9000000\n"
    assert "Read-only file system" in done.stderr


def test_files_that_only_their_owner_may_read_are_still_read(yard: Yard) -> None:
    private = yard.workspace / "private.bin"
    private.write_bytes(b"y" * 9_000_000)
    private.chmod(0o600)
    assert yard.run("print(open('private.bin', 'rb').read(1))").stdout == "b'y'\n"


def test_a_workspace_of_read_only_files_works(yard: Yard) -> None:
    (yard.workspace / "data.csv").chmod(0o444)
    assert yard.run("open('data.csv', 'w').write('x')").exit_code == 0


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/shadow",
        "/root/.bashrc",
        "/home",
        "/proc/1/environ",
        str(REPOSITORY / "pyproject.toml"),
        "/var",
    ],
)
def test_nothing_else_of_the_machine_can_be_read(yard: Yard, path: str) -> None:
    done = yard.run(f"import os\np = {path!r}\nprint(os.listdir(p) if os.path.isdir(p) else open(p).read())")
    assert done.exit_code == 1
    assert done.stdout == ""


def test_the_environment_of_the_server_is_not_there(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", "secret-4711")
    done = yard.run("import os; print(dict(os.environ)); print(open('/proc/self/environ').read())")
    assert "secret-4711" not in done.stdout
    assert "SERPER" not in done.stdout


@pytest.mark.parametrize("module", ["yardkit", "yardkit.world", "yardkit.evaluators", "evaluators", "state_init"])
def test_our_own_package_cannot_be_imported(yard: Yard, module: str) -> None:
    assert "ModuleNotFoundError" in yard.run(f"import {module}").stderr


def test_no_file_of_ours_is_anywhere_in_there(yard: Yard) -> None:
    code = "import os\nfor d, _, names in os.walk('/'):\n    if 'surface.py' in names or 'task.toml' in names: print(d)"
    assert yard.run(code).stdout == ""


def test_a_sibling_world_cannot_be_reached(yard: Yard) -> None:
    (yard.root / "world" / "facts.json").write_text("the answer")
    (yard.workspace / "up").symlink_to("../facts.json")
    (yard.workspace / "abs").symlink_to(yard.root / "world" / "facts.json")
    for name in ("up", "abs", "../facts.json", str(yard.root / "world" / "facts.json"), "/run/workspace/../facts.json"):
        assert "FileNotFoundError" in yard.run(f"open({name!r})").stderr


def test_installed_packages_are_there(yard: Yard) -> None:
    assert yard.run("import sympy, numpy; print(sympy.sqrt(8), numpy.arange(3).sum())").stdout == "2*sqrt(2) 3\n"


def test_there_is_no_network(yard: Yard) -> None:
    done = yard.run(
        "import socket\nfor host in ('1.1.1.1', '127.0.0.1'):\n"
        "    try: socket.create_connection((host, 53), 2); print('open')\n    except OSError as e: print('closed')"
    )
    assert done.stdout == "closed\nclosed\n"


def test_local_unix_sockets_of_the_machine_cannot_be_reached(yard: Yard) -> None:
    done = yard.run(
        "import os; print([n for n in ('/run/dbus', '/var/run/docker.sock', '/tmp/.X11-unix') if os.path.exists(n)])"
    )
    assert done.stdout == "[]\n"


def test_an_endless_loop_ends_at_the_limit_of_wall_time(yard: Yard) -> None:
    done = yard.run("print('started', flush=True)\nwhile True: pass", wall_s=0.8)
    assert done.timed_out
    assert done.stdout == "started\n"
    assert "longer than 0.8 s" in done.stderr
    assert done.seconds < 5


def test_a_busy_program_ends_at_the_limit_of_processor_time(yard: Yard) -> None:
    done = yard.run("while True: pass", cpu_s=1, wall_s=30)
    assert done.timed_out
    assert "processor time" in done.stderr


def test_memory_is_limited_in_one_process(yard: Yard) -> None:
    done = yard.run("bytearray(600_000_000)", memory_bytes=300_000_000)
    assert "MemoryError" in done.stderr


def test_memory_is_limited_over_all_processes_together(yard: Yard) -> None:
    code = (
        "import os, time\nfor _ in range(6):\n    if os.fork() == 0:\n        a = b'x' * 120_000_000\n"
        "        time.sleep(20)\n        os._exit(0)\ntime.sleep(20)"
    )
    done = yard.run(code, memory_bytes=300_000_000, wall_s=25)
    assert "memory" in done.stderr
    assert not done.timed_out


def test_a_fork_bomb_ends_with_the_run(yard: Yard) -> None:
    code = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    done = yard.run(code, wall_s=2, processes=20)
    assert done.seconds < 10
    assert done.exit_code != 0
    assert not _processes_left(yard)


def test_threads_count_as_processes(yard: Yard) -> None:
    code = (
        "import threading, time\nfor _ in range(60):\n"
        "    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()"
    )
    assert "can't start new thread" in yard.run(code, processes=20, wall_s=8).stderr


def test_a_daemon_does_not_survive(yard: Yard) -> None:
    code = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(300)\n"
        "    os._exit(0)\n"
        "os.wait(); print('bye')"
    )
    done = yard.run(code, wall_s=20)
    assert done.stdout == "bye\n"
    assert done.seconds < 10
    assert not _processes_left(yard)


def test_a_flood_of_output_is_cut_and_the_run_goes_on(yard: Yard) -> None:
    done = yard.run("for _ in range(2000): print('x' * 999)\nopen('end.txt', 'w').write('.')", output_bytes=5_000)
    assert done.cut
    beginning, end = done.stdout.split(LEFT_OUT)
    assert (len(beginning), len(end), set(end.split("\n")[-3])) == (2_500, 2_500, {"x"})
    assert yard.names(done) == ["end.txt"]


def test_a_huge_file_fails_in_the_writing(yard: Yard) -> None:
    done = yard.run("open('big', 'wb').write(b'x' * 3_000_000)", file_bytes=1_000_000)
    assert "File too large" in done.stderr


def test_many_files_together_end_the_run_and_none_is_kept(yard: Yard) -> None:
    done = yard.run(
        "i = 0\nwhile True:\n    i += 1; open(f'f{i}', 'wb').write(b'x' * 900_000)", file_bytes=1_000_000, wall_s=20
    )
    assert "bytes of files" in done.stderr
    assert done.files == []
    assert list(yard.collect.iterdir()) == []


def test_a_flood_of_empty_files_or_folders_ends_the_run(yard: Yard) -> None:
    done = yard.run("import os\nwhile True: os.mkdir('d'); os.chdir('d')", files=50, wall_s=20)
    assert "files and folders" in done.stderr


def test_too_many_files_of_a_finished_run_are_refused_as_a_whole(yard: Yard) -> None:
    done = yard.run("for i in range(30): open(f'f{i}', 'w')", files=10)
    assert "more than 10 files and folders" in done.stderr
    assert done.files == []
    assert done.exit_code == 137


def test_symlinks_pipes_and_device_files_are_never_collected(yard: Yard) -> None:
    done = yard.run(
        "import os\nos.symlink('/etc/passwd', 'passwd.txt'); os.mkfifo('pipe'); open('real', 'w').write('1')"
    )
    assert yard.names(done) == ["real"]


def test_a_folder_that_is_a_link_in_the_target_is_not_followed_out(yard: Yard) -> None:
    outside = yard.root / "outside"
    outside.mkdir()
    (yard.workspace / "link").symlink_to(outside)
    code = "import os\nos.unlink('link'); os.mkdir('link'); open('link/x', 'w').write('evil')"
    with pytest.raises(Problem, match="link out of the workspace"):
        run_python(code, workspace=yard.workspace, collect=yard.workspace)
    assert list(outside.iterdir()) == []


def test_a_file_with_the_time_set_back_is_still_seen_as_changed(yard: Yard) -> None:
    code = (
        "import os\ns = os.stat('data.csv'); open('data.csv', 'r+').write('z')\n"
        "os.utime('data.csv', ns=(s.st_atime_ns, s.st_mtime_ns))"
    )
    assert yard.names(yard.run(code)) == ["data.csv"]


def test_folders_without_permissions_do_not_stop_collecting_or_cleaning(yard: Yard) -> None:
    done = yard.run("import os\nos.mkdir('shut'); open('shut/a', 'w').write('1'); os.chmod('shut', 0)")
    assert yard.names(done) == ["shut/a"]


def test_code_cannot_make_a_namespace_of_its_own(yard: Yard) -> None:
    code = "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nprint(c.unshare(0x10000000), ctypes.get_errno())"
    assert yard.run(code).stdout == "-1 1\n"


def test_code_reaches_no_key_of_the_kernel_where_another_run_could_find_what_it_left(yard: Yard) -> None:
    code = "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nfor number in KEY_CALLS:\n"
    code += "    print(c.syscall(number, 0, -3, 1, 0, 0), ctypes.get_errno())"
    assert yard.run(code.replace("KEY_CALLS", str(list(KEY_CALLS)))).stdout == "-1 38\n" * 3


@pytest.mark.parametrize("mode", [0o755, 0o700], ids=["as another user", "as ourselves"])
def test_code_cannot_change_the_settings_of_the_kernel(yard: Yard, mode: int) -> None:
    yard.workspace.chmod(mode)
    (yard.workspace / "part").mkdir(mode=mode)
    done = run_keeping(
        f"{OPENS_SETTINGS}\nprint(found, os.getuid() == 0)",
        lambda *_: ([], []),
        workspace=yard.workspace,
        copied="part",
    )
    assert done.stdout == "[] False\n", done.stderr


def test_standard_input_is_empty(yard: Yard) -> None:
    assert "EOFError" in yard.run("input()").stderr


def test_exit_code_and_traceback_come_back(yard: Yard) -> None:
    done = yard.run("def f():\n    raise SystemExit(7)\nf()")
    assert done.exit_code == 7
    crashed = yard.run("\n1/0")
    assert crashed.exit_code == 1
    assert "line 2" in crashed.stderr


def test_a_program_ended_by_a_signal_reports_it(yard: Yard) -> None:
    assert yard.run("import os; os.kill(os.getpid(), 11)").exit_code == 128 + 11


@pytest.mark.parametrize("code", ["x = '\ud800'", "print('\x00')", "\ufeffprint(1)", "def ("])
def test_text_that_is_no_program_is_an_error_of_the_program(yard: Yard, code: str) -> None:
    assert yard.run(code).exit_code in (0, 1)


def test_code_over_a_megabyte_is_refused(yard: Yard) -> None:
    with pytest.raises(Problem, match="at most 1,000,000"):
        yard.run("#" * 1_000_001)


def test_ten_runs_at_once_do_not_disturb_each_other(yard: Yard) -> None:
    results: dict[int, str] = {}

    def work(number: int) -> None:
        collect = yard.root / f"out{number}"
        collect.mkdir()
        done = run_python(f"open('n', 'w').write('{number}')", workspace=yard.workspace, collect=collect)
        results[number] = (collect / "n").read_text() if not done.exit_code else done.stderr

    threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: str(number) for number in range(10)}


def test_nothing_is_left_in_the_temporary_folder(yard: Yard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    yard.run("import os\nos.makedirs('/'.join('d' * 100)); os.chmod('d', 0)")
    assert list(temporary.iterdir()) == []


def test_without_bubblewrap_the_problem_says_how_to_install_it(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(yard.root))
    with pytest.raises(Problem, match="apt-get install bubblewrap"):
        yard.run("print(1)")


def test_where_namespaces_are_forbidden_nothing_runs(
    yard: Yard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refusing = tmp_path / "bin" / "bwrap"
    refusing.parent.mkdir()
    refusing.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{refusing.parent}:{os.environ['PATH']}")
    with pytest.raises(Problem, match=r"No permissions.*allow user namespaces"):
        yard.run("open('ran', 'w')")
    assert list(yard.collect.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="every other test runs as an ordinary user already")
def test_an_ordinary_user_can_run_code_too(tmp_path: Path) -> None:
    home = Path("/var/tmp") / f"yardkit-test-{os.getpid()}"  # a folder that another user can enter
    (home / "w").mkdir(parents=True)
    for room in ("world", "programs"):
        ignored = shutil.ignore_patterns("*.pyc")
        shutil.copytree(REPOSITORY / "yardkit" / room, home / "yardkit" / room, ignore=ignored)
    for package in ("yardkit", "yardkit/world", "yardkit/programs"):
        # The system's interpreter has none of our packages, and the runner needs none.
        (home / package / "__init__.py").write_text("")
    program = (
        "from pathlib import Path; from yardkit.programs.runner import *; import os\n"
        f"w = Path({str(home / 'w')!r})\n"
        'done = run_python(\'\'\'import os; open("o", "w"); print(os.getuid())\n'
        "for _ in range(50): os.fork() or os._exit(0)''', workspace=w, collect=w, limits=RunLimits(processes=10))\n"
        "print(done.stdout, [p.name for p in done.files], 'unavailable' in done.stderr)"
    )
    for path in (home, *home.rglob("*")):
        os.chown(path, 54321, 54321)
    try:
        run = subprocess.run(
            ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", "/usr/bin/python3", "-c", program],
            cwd=home,
            env={"PATH": os.environ["PATH"], "HOME": str(home)},
            capture_output=True,
            text=True,
        )
        assert run.stdout == "1000\n ['o'] True\n", run.stdout + run.stderr
    finally:
        shutil.rmtree(home)


def _processes_left(yard: Yard) -> list[str]:
    """Processes that run code on this workspace; those of other runs on the machine see another one."""
    running_processes = []
    mounted = "/".join(yard.workspace.parts[-4:])  # a mount is listed by its path below the root of its file system
    for process in Path("/proc").glob("[0-9]*"):
        try:
            runs_code = b"/run/code/code.py" in (process / "cmdline").read_bytes().split(b"\0")
            if runs_code and mounted in (process / "mountinfo").read_text("utf-8"):
                running_processes.append(process.name)
        except OSError:
            continue
    return running_processes


_OUTWARD = """
import os
os.makedirs('sub/deep')
os.symlink('../..', 'sub/deep/up')
os.symlink('sub/deep/up/../secret', 'chain')
os.symlink('chain', 'chain_of_chains')
os.symlink('sub/deep/up/data.csv', 'inside')
"""


def test_links_that_lead_out_through_other_links_are_not_kept(yard: Yard) -> None:
    (yard.workspace.parent / "secret").write_text("s")
    run_python(_OUTWARD, workspace=yard.workspace)
    assert sorted(path.name for path in yard.workspace.rglob("*") if path.is_symlink()) == ["inside", "up"]
    assert (yard.workspace / "inside").read_text() == "a,b\n1,2\n"


def test_a_link_that_leads_out_only_since_a_run_is_removed_and_named(yard: Yard) -> None:
    (yard.workspace / "sub" / "deep" / "up").mkdir(parents=True)
    (yard.workspace / "late").symlink_to("sub/deep/up/../secret")
    (yard.workspace / "early").symlink_to("../secret")
    done = run_python(
        "import os; os.rmdir('sub/deep/up'); os.symlink('../..', 'sub/deep/up')", workspace=yard.workspace
    )
    assert (yard.workspace / "early").is_symlink(), "it led out before, by whoever set up the workspace"
    assert yard.workspace / "late" in done.removed
    assert not (yard.workspace / "late").is_symlink()


def test_large_files_may_be_linked_to(yard: Yard) -> None:
    (yard.workspace / "large.bin").write_bytes(b"x" * 9_000_000)
    run_python("import os; os.symlink('large.bin', 'alias'); os.symlink('alias', 'again')", workspace=yard.workspace)
    assert (yard.workspace / "again").stat().st_size == 9_000_000
