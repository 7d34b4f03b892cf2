"""What a program of ours sees of the machine: what it is shown, its own directory, and the devices that it is given."""

import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.walls import OPENS_SETTINGS

from yardkit.programs import inside
from yardkit.programs.jail import Jail, find_bwrap, find_weakness, python_paths

STANDARD = {
    "null",
    "zero",
    "full",
    "random",
    "urandom",
    "tty",
    "console",
    "ptmx",
    "core",
    "fd",
    "stdin",
    "stdout",
    "stderr",
}


def run(jail: Jail, base: Path, code: str) -> str:
    done = subprocess.run(
        jail.build_command(["/usr/bin/python3", "-I", "-c", code], base), capture_output=True, text=True, timeout=30
    )
    return (done.stdout or done.stderr).strip()


def _put_before_bwrap(folder: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a line of the shell decide, by the arguments, what bubblewrap may do here."""
    folder.mkdir()
    (folder / "bwrap").write_text(f'#!/bin/sh\n{line}\nexec {find_bwrap()} "$@"\n')
    (folder / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_program_writes_to_its_own_directory_alone(tmp_path: Path) -> None:
    base, other = tmp_path / "base", tmp_path / "other"
    base.mkdir()
    other.mkdir()
    code = (
        "from pathlib import Path\nPath('own').write_text('x')\n"
        f"try:\n    Path({str(other / 'f')!r}).write_text('x')\nexcept OSError as error:\n    print(error.strerror)"
    )
    assert run(Jail(read_only_paths=(str(other),)), base, code) == "Read-only file system"
    assert (base / "own").read_text() == "x"
    assert list(other.iterdir()) == []


def test_a_program_sees_no_more_than_it_is_shown(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "secret").write_text("x")
    looked_for = [str(tmp_path / "secret"), "/etc/passwd"]
    code = f"import os; print(*map(os.path.exists, {looked_for}), *os.listdir('/'))"
    seen = run(Jail(), tmp_path / "base", code).split()
    assert seen[:2] == ["False", "False"]
    assert not {"root", "home", "var/lib", "mnt"} & set(seen)


def test_python_runs_inside_with_its_packages_and_without_ours(tmp_path: Path) -> None:
    code = "import importlib.util as u; print(u.find_spec('PIL') is not None, u.find_spec('yardkit') is None)"
    command = Jail(read_only_paths=python_paths()).build_command([sys.executable, "-I", "-c", code], tmp_path)
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.stdout.split() == ["True", "True"], done.stderr


def test_a_program_has_a_network_only_if_it_is_given_one(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        code = f"import socket\nsocket.create_connection({address!r}, 5)\nprint('reached')"
        assert "reached" not in run(Jail(), tmp_path, code)
        assert run(Jail(network=True), tmp_path, code) == "reached"


def test_a_program_has_only_the_devices_that_it_is_given(tmp_path: Path) -> None:
    base, stand_in = tmp_path / "base", tmp_path / "device"
    base.mkdir()
    stand_in.touch()
    others = (path for path in Path("/dev").iterdir() if path.is_char_device() and path.name not in STANDARD)
    device = str(next(others, stand_in))  # a container may have none
    code = f"import os; print(os.path.exists({device!r}))"
    assert run(Jail(), base, code) == "False"
    assert run(Jail(devices=(device,)), base, code) == "True"


def test_no_program_can_change_the_settings_of_the_kernel_and_none_is_root(tmp_path: Path) -> None:
    assert run(Jail(), tmp_path, f"{OPENS_SETTINGS}\nprint(found, os.getuid() == 0)") == "[] False"
    assert find_weakness() == ""


def test_no_program_can_make_a_user_namespace_of_its_own(tmp_path: Path) -> None:
    assert run(Jail(), tmp_path, "import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))") == "-1"


def test_no_program_can_make_the_system_calls_that_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / ".system-calls").symlink_to(tmp_path / "of another")
    code = (
        "import ctypes\nlibrary = ctypes.CDLL(None, use_errno=True)\n"
        "for number in {}:\n    library.syscall(number, 0, 0, 0)\n    print(ctypes.get_errno())"
    )
    calls = ["io_uring_setup", "bpf", "keyctl", "userfaultfd", "perf_event_open"]
    numbers = [inside._MISSING[name][os.uname().machine == "aarch64"] for name in calls]
    assert run(Jail(), tmp_path, code.format(numbers)).split() == [str(errno.ENOSYS)] * len(calls)
    assert not (tmp_path / "of another").exists()


def test_the_operator_is_warned_where_no_filter_of_system_calls_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _put_before_bwrap(tmp_path / "bin", 'case "$*" in *--seccomp*) exit 1;; esac', monkeypatch)
    assert "no filter" in find_weakness()
    assert run(Jail(), tmp_path, "print('runs')") == "runs"


def test_where_root_makes_no_user_namespace_settings_stay_closed_and_the_operator_is_warned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _put_before_bwrap(tmp_path / "bin", 'case "$*" in *--unshare-user*) exit 1;; esac', monkeypatch)
    root = os.geteuid() == 0
    assert find_weakness().startswith("programs inside are root" if root else "") is True
    assert run(Jail(), tmp_path, f"{OPENS_SETTINGS}\nprint(found, os.getuid() == 0)") == f"[] {root}"
