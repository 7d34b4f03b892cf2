"""Git in the dialect of Toolathlon: the 12 tools of mcp-server-git, with its texts."""

from pathlib import Path
from typing import Literal

from yardkit.servers.git.engine import porcelain
from yardkit.servers.git.engine.repository import Repository, find_repository
from yardkit.world import AnyEntry, InDir, current_world

_TIME = (
    "Accepts ISO 8601 ('2024-01-15T14:30:25'), relative dates ('2 weeks ago', 'yesterday') or dates ('2024-01-15', "
    "'Jan 15 2024')."
)
_COMMIT = "Do not pass anything if no commit is specified."


def _find_repository(folder: Path) -> Repository:
    return find_repository(current_world(), folder)


def git_status(repo_path: InDir) -> str:
    return f"Repository status:\n{porcelain.get_status(_find_repository(repo_path))}"


def git_diff_unstaged(repo_path: InDir, context_lines: int = 3) -> str:
    return f"Unstaged changes:\n{porcelain.get_diff(_find_repository(repo_path), context_lines)}"


def git_diff_staged(repo_path: InDir, context_lines: int = 3) -> str:
    return f"Staged changes:\n{porcelain.get_diff(_find_repository(repo_path), context_lines, staged=True)}"


def git_diff(repo_path: InDir, target: str, context_lines: int = 3) -> str:
    return f"Diff with {target}:\n{porcelain.get_diff(_find_repository(repo_path), context_lines, target=target)}"


def git_commit(repo_path: InDir, message: str) -> str:
    commit_id = porcelain.commit_staged(_find_repository(repo_path), message)
    return f"Changes committed successfully with hash {commit_id}"


def git_add(repo_path: InDir, files: list[AnyEntry]) -> str:
    repository = _find_repository(repo_path)
    if porcelain.add(repository, [repository.get_inner_path(path, own=True) for path in files]):
        return "Files staged successfully"
    return (
        "No changes were staged: the given paths had nothing new to stage. "
        "git_status shows what is modified or untracked."
    )


def git_reset(repo_path: InDir) -> str:
    porcelain.reset_index(_find_repository(repo_path))
    return "All staged changes reset"


def git_log(
    repo_path: InDir, max_count: int = 10, start_timestamp: str | None = None, end_timestamp: str | None = None
) -> str:
    entries = porcelain.read_log(_find_repository(repo_path), max_count, start_timestamp or "", end_timestamp or "")
    return "Commit history:\n" + "\n".join(entries)


def git_create_branch(repo_path: InDir, branch_name: str, base_branch: str | None = None) -> str:
    base = porcelain.create_branch(_find_repository(repo_path), branch_name, base_branch or "")
    return f"Created branch '{branch_name}' from '{base}'"


def git_checkout(repo_path: InDir, branch_name: str) -> str:
    status = porcelain.checkout_revision(_find_repository(repo_path), branch_name)
    if not status.branch:
        return f"HEAD is now detached at {status.commit[:7]}"
    return f"Switched to branch '{status.branch}'"


def git_show(repo_path: InDir, revision: str) -> str:
    return porcelain.show_revision(_find_repository(repo_path), revision)


def git_branch(
    repo_path: InDir,
    branch_type: Literal["local", "remote", "all"],
    contains: str | None = None,
    not_contains: str | None = None,
) -> str:
    return porcelain.list_branch_lines(_find_repository(repo_path), branch_type, contains or "", not_contains or "")
