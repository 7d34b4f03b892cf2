"""An environment for each framework, with pinned packages, kept outside of the checkout between runs.

``python -m frameworks.environments --pin [NAME...]`` writes ``pins/`` anew from the versions in frameworks.toml.
"""

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PINS = HERE / "pins"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "yardkit-frameworks"


@dataclass(frozen=True)
class Framework:
    """A row of the table.

    Attributes:
        name: of its section in frameworks.toml, its snippet and its pins.
        packages, npm: what is installed by name, from PyPI or from npm.
        ours: Yardkit itself is installed beside it, for an adapter.
        model: a name that its client takes.
        script: its snippet is a command line.
    """

    name: str
    title: str
    packages: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    ours: bool = False
    model: str = "gpt-4.1"
    script: bool = False

    @property
    def versions(self) -> str:
        """What is installed by name, as the table shows it."""
        return ", ".join(self.packages or self.npm).replace("==", " ")

    @property
    def pins(self) -> Path:
        """The file or the folder that pins all packages."""
        return PINS / (self.name if self.npm else f"{self.name}.txt")

    @property
    def language(self) -> str:
        return "typescript" if self.npm else "bash" if self.script else "python"


def read_frameworks() -> dict[str, Framework]:
    """All of them, by name, in the order of the table."""
    definitions = tomllib.loads((HERE / "frameworks.toml").read_text("utf-8"))
    lists = ("packages", "npm")
    return {
        name: Framework(
            name, **dict[str, Any]((key, tuple(value) if key in lists else value) for key, value in about.items())
        )
        for name, about in definitions.items()
    }


def prepare_environment(framework: Framework) -> Path:
    """The folder of its environment, made if needed: a virtual environment, or one with ``node_modules``."""
    pinned = sorted(framework.pins.rglob("*.json")) if framework.npm else [framework.pins]
    own = str(ROOT) if framework.ours else ""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in pinned) + own.encode()).hexdigest()[:12]
    folder = CACHE / f"{framework.name}-{digest}"
    with _lock_folder(folder):
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            (_install_npm if framework.npm else _install_framework)(framework, folder)
            (folder / "ready").touch()
    return folder


def _install_framework(framework: Framework, folder: Path) -> None:
    _run(_find_uv(), "venv", "--quiet", "--python", "3.11", folder)
    own = ["-e", f"{ROOT}[all]"] if framework.ours else []
    _run(_find_uv(), "pip", "install", "--quiet", "--compile-bytecode", "--python", folder, "-r", framework.pins, *own)


def _install_npm(framework: Framework, folder: Path) -> None:
    shutil.copytree(framework.pins, folder)
    _run("npm", "ci", "--silent", "--prefix", folder)


def pin_versions(framework: Framework) -> None:
    """Resolve what is installed by name, and write down the versions of all that comes along."""
    if framework.npm:
        framework.pins.mkdir(parents=True, exist_ok=True)
        (framework.pins / "package.json").write_text('{"private": true, "type": "module"}\n', "utf-8")
        _run("npm", "install", "--silent", "--save-exact", "--package-lock-only", *framework.npm, cwd=framework.pins)
        return
    PINS.mkdir(exist_ok=True)
    requirements = "\n".join([*framework.packages, *(["-e .[all]"] if framework.ours else [])])
    options = ["--quiet", "--no-header", "--no-annotate", "--python-version", "3.11", "--no-emit-package", "yardkit"]
    _run(_find_uv(), "pip", "compile", *options, "-", "-o", framework.pins, given=requirements)


def _run(*command: str | Path, cwd: Path = ROOT, given: str | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, input=given, text=True, capture_output=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"


def _find_uv() -> str:
    return shutil.which("uv") or str(ROOT / ".tools/bin/uv")


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pin", action="store_true", help="resolve anew, before the environments are made")
    parser.add_argument("names", nargs="*", metavar="NAME", help="these frameworks only")
    arguments = parser.parse_args()
    known = read_frameworks()
    for name in arguments.names or known:
        if arguments.pin:
            pin_versions(known[name])
        print(prepare_environment(known[name]))


if __name__ == "__main__":
    main()
