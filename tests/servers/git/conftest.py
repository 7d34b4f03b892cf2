"""Repositories that the real git program made."""

from pathlib import Path

import pytest
from real_git import Git, fill_repository, run_git


@pytest.fixture
def git(files: Path) -> Git:
    """The git program in the workspace, which is a repository."""
    fill_repository(files)
    return lambda *words: run_git(files, *words)
