"""The git program itself, by which repositories are made and looked at."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

Git = Callable[..., str]


def run_git(folder: Path, *words: str) -> str:
    """What git itself says in a folder, without anybody's configuration."""
    environment = {
        **os.environ,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_DATE": "2026-03-01T10:00:00Z",
        "GIT_COMMITTER_DATE": "2026-03-01T10:00:00Z",
    }
    settings = ("-c", "safe.directory=*", "-c", "core.quotePath=false")
    done = subprocess.run(
        ["git", *settings, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def fill_repository(top: Path) -> None:
    """A repository of one commit by Ann on main."""
    (top / "src").mkdir()
    (top / "a.txt").write_text("one\ntwo\nthree\n")
    (top / "src" / 'é "b" 😀.txt').write_text("x\n")
    run_git(top, "init", "--quiet", "-b", "main")
    run_git(top, "config", "user.name", "Ann Lee")
    run_git(top, "config", "user.email", "ann@lee.example")
    run_git(top, "add", ".")
    run_git(top, "commit", "--quiet", "-m", "Begin")
