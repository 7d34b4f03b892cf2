"""What a program of ours sees of the machine: what it is shown, its own directory, and the devices that it is given."""

import socket
import subprocess
import sys
from pathlib import Path

from yardkit.programs.jail import Jail, python_paths

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
