"""Every bash and Python block of the documents runs as it stands, in order, one fresh folder per document."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.scale import select_drills

from yardkit.evaluators import leaves, misses
from yardkit.sandbox.cli import COMMANDS

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "yardkit/servers").glob("*/README.md")]
)
BLOCK = re.compile(r"^```(bash|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUNNING = [path for path in DOCUMENTS if BLOCK.search(path.read_text("utf-8"))]
FULL_RUNS = {"README.md", "docs/lore.md", "docs/running.md", "docs/serving.md", "docs/tutorials/evaluate.md"}
"""Of tasks and gateways: they take up to a minute."""
ONLY_ON_THE_SITE = ("docs/cards/", "docs/reference/")
"""Folders of pages that `make site` generates, and whose links it checks."""
SHOWN_COMMAND = re.compile(r"^(?: {4}|> )?(?:[A-Z_]+=\S+ )*(yardkit|make) ([a-z-]+)", re.MULTILINE)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "document",
    [param for path in RUNNING for param in (select_drills(path) if name_of(path) in FULL_RUNS else [path])],
    ids=name_of,
)
def test_the_blocks_of_a_document_run(document: Path, tmp_path: Path) -> None:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
    }
    for number, (language, block) in enumerate(BLOCK.findall(document.read_text("utf-8"))):
        program = ["bash", "-euo", "pipefail", "-c"] if language == "bash" else [sys.executable, "-c"]
        done = subprocess.run([*program, block], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"block {number}:\n{block}\n{done.stdout}\n{done.stderr}"


def test_links_between_documents_lead_somewhere() -> None:
    for path in DOCUMENTS:
        text = re.sub(r"`[^`\n]*`", "", path.read_text("utf-8"))  # what is quoted as code leads nowhere
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            file = Path(os.path.normpath(path.parent / target))
            if "://" not in target and not name_of(file).startswith(ONLY_ON_THE_SITE):
                assert file.exists(), f"{path.name}: {target}"


def test_commands_that_a_document_only_shows_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    known = {"yardkit": COMMANDS.keys(), "make": targets}
    commands = [
        (name_of(path), *command) for path in DOCUMENTS for command in SHOWN_COMMAND.findall(path.read_text("utf-8"))
    ]
    assert len(commands) > 50
    assert [command for command in commands if command[2] not in known[command[1]]] == []


def test_leaves_and_near_misses_that_a_document_names_exist() -> None:
    names = [
        (name_of(path), *name)
        for path in DOCUMENTS
        for name in re.findall(r"\b(leaves|misses)\.(\w+)\b(?!\.\w)", path.read_text("utf-8"))
    ]
    known = {"leaves": dir(leaves), "misses": dir(misses)}
    assert len(names) > 20
    assert [name for name in names if name[2] not in known[name[1]]] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150
