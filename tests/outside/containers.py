"""Containers of the image as Docker would run them, by runc: its own user, entry point and environment, a root that
cannot be written, no capabilities, and a network in which there is nothing but the container itself."""

import contextlib
import json
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.gateways import OPERATOR

ROOT = Path(__file__).parents[2]
START_S = 120
_BETWEEN_S = 0.2
_NAMESPACES = {
    "defaultAction": "SCMP_ACT_ALLOW",
    "syscalls": [
        {"names": ["unshare"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        {
            "names": ["clone"],
            "action": "SCMP_ACT_ERRNO",
            "errnoRet": 1,
            "args": [{"index": 0, "value": 1 << 28, "valueTwo": 1 << 28, "op": "SCMP_CMP_MASKED_EQ"}],
        },
    ],
}
"""What Docker's default profile says of user namespaces: none without the right of an administrator."""


@dataclass(frozen=True)
class Image:
    """A built image, its files mounted at `root`."""

    storage: Path
    tag: str
    root: Path
    config: dict[str, Any]

    @property
    def size_bytes(self) -> int:
        done = subprocess.run(["du", "-xs", "--block-size=1", self.root], capture_output=True, text=True, check=True)
        return int(done.stdout.split()[0])


@contextlib.contextmanager
def built_image(storage: Path, tag: str, *arguments: str) -> Iterator[Image]:
    """Build the image and mount it until the end; images stay in the folder `storage`."""
    _require_runc()
    environment = {**os.environ, "IMAGE_STORAGE": str(storage)}
    build: list[str | Path] = ["bash", ROOT / "docker" / "build.sh", tag, *arguments]
    done = subprocess.run(build, env=environment, capture_output=True, text=True, timeout=1_700)
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
    container = run_buildah(storage, "from", "--pull=false", tag)
    try:
        root = Path(run_buildah(storage, "mount", container))
        config = json.loads(run_buildah(storage, "inspect", "--type", "image", tag))["Docker"]["config"]
        yield Image(storage, tag, root, config)
    finally:
        run_buildah(storage, "rm", container)


def _require_runc() -> None:
    """Install what runs containers where it is missing."""
    if subprocess.run(["which", "runc"], capture_output=True).returncode:
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "runc"]
        done = subprocess.run(install, capture_output=True, text=True, timeout=280)
        if done.returncode:
            pytest.fail(f"this drill needs runc: {done.stderr}")


def run_buildah(storage: Path, *arguments: str) -> str:
    command: list[str | Path] = ["buildah", "--root", storage / "images", "--runroot", storage / "run", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout.strip()


@dataclass(frozen=True)
class Container:
    """A running container."""

    id: str
    pid: int
    started_s: float

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """A command in it, as its own user."""
        return subprocess.run(["runc", "exec", self.id, *command], capture_output=True, text=True, timeout=300)

    def run_outside(self, *command: str) -> str:
        """What a command of this machine says that sees the network of the container."""
        entered = ["nsenter", f"--net=/proc/{self.pid}/ns/net", *command]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
        done = subprocess.run(entered, capture_output=True, text=True, timeout=1_700, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@contextlib.contextmanager
def running_container(image: Image, folder: Path, *, namespaces: bool) -> Iterator[Container]:
    """The image's entry point, up and healthy by the image's own check. Without `namespaces` as Docker does by default;
    with them as with ``seccomp=unconfined`` and ``systempaths=unconfined``."""
    data = folder / "data"
    data.mkdir(parents=True)
    os.chown(data, *_parse_user(image))
    subprocess.run(["runc", "spec"], cwd=folder, check=True)
    spec = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(_fill_spec(spec, image, data, namespaces=namespaces)))
    name = f"yardkit-{secrets.token_hex(4)}"
    with (folder / "log").open("w") as log:
        begun = time.monotonic()
        process = subprocess.Popen(["runc", "run", name], cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _wait_until_healthy(name, image, process, folder / "log")
            started_s = time.monotonic() - begun
            state = subprocess.run(["runc", "state", name], capture_output=True, text=True, check=True)
            yield Container(name, json.loads(state.stdout)["pid"], started_s)
        finally:
            subprocess.run(["runc", "kill", name, "TERM"], capture_output=True)
            try:
                process.wait(30)
            finally:
                subprocess.run(["runc", "delete", "--force", name], capture_output=True)


def _parse_user(image: Image) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+):(\d+)", image.config["User"])
    assert match, "a user by number, so that Kubernetes can tell that it is not root"
    assert "0" not in match.groups()
    return int(match[1]), int(match[2])


def _fill_spec(spec: dict[str, Any], image: Image, data: Path, *, namespaces: bool) -> dict[str, Any]:
    user, group = _parse_user(image)
    process, linux = spec["process"], spec["linux"]
    spec["root"] = {"path": str(image.root), "readonly": True}
    process |= {
        "terminal": False,
        "args": image.config["Entrypoint"],
        "env": [*image.config["Env"], f"YARDKIT_OPERATOR_TOKEN={OPERATOR}"],
        "cwd": image.config["WorkingDir"],
        "user": {"uid": user, "gid": group},
        "noNewPrivileges": True,
        "rlimits": [],
        "capabilities": {kind: [] for kind in process["capabilities"]},
    }
    [volume] = image.config["Volumes"]
    spec["mounts"] += [
        {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "mode=1777"]},
        {"destination": volume, "type": "bind", "source": str(data), "options": ["bind", "rw"]},
    ]
    if namespaces:
        linux |= {"maskedPaths": [], "readonlyPaths": []}
    else:
        linux["seccomp"] = _NAMESPACES
    return spec


def _wait_until_healthy(name: str, image: Image, process: "subprocess.Popen[bytes]", log: Path) -> None:
    _, *check = image.config["Healthcheck"]["Test"]
    until = time.monotonic() + START_S
    while subprocess.run(["runc", "exec", name, *check], capture_output=True).returncode:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_BETWEEN_S)
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()


def solve_tasks(container: Container, *names: str) -> dict[str, tuple[float, bool]]:
    """Let the tasks' solvers, outside of the container, solve tasks: reward and validity by task."""
    driver = [sys.executable, str(Path(__file__).with_name("container_driver.py")), *names]
    lines = [json.loads(line) for line in container.run_outside(*driver).splitlines()]
    return {line["task"]: (line["reward"], line["valid"]) for line in lines}
