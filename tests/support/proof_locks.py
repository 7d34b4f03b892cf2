"""A lock of proofs in a checkout that holds nothing else, for tests that read or write one."""

from dataclasses import replace
from pathlib import Path

import pytest

from yardkit.sandbox.proofs import proofs_lock
from yardkit.sandbox.proofs.proof_parts import digest_parts
from yardkit.sandbox.proofs.proofs_lock import Entry, write_entry
from yardkit.sandbox.tasks.task import load_task

ENTRY = Entry(
    version="0.1.0",
    world="48798dc0186bc3aa",
    digests={"solve": "19213bb0", "checks": "a8583e6f", "misses": "96d13a01", "mutants": "7530191e"},
    accepted=2,
    caught=6,
    killed=163,
    survived=40,
    weight=16,
    suffixes=(".csv", ".md", ".yardkit:2,s"),
    tools={"calculator.evaluate_expression": 0, "files.move_path": 24, "files.read_file": 27},
)


def new_lock(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let proofs be read and written in an empty checkout at `folder`; the path of its lock, which is not there yet."""
    (folder / "pyproject.toml").touch()
    monkeypatch.setattr(proofs_lock, "_ROOT", folder)
    return folder / "proofs.lock"


def record_proof(task_id: str, seed: int, entry: Entry = ENTRY) -> Entry:
    """Write an entry whose parts rest on the code as it is."""
    digests = digest_parts(load_task(task_id), entry.tools, entry.suffixes)
    recorded = replace(entry, digests=digests)
    write_entry(task_id, seed, recorded)
    return recorded
