"""Git in the dialect of Toolathlon: the 12 tools of mcp-server-git, with its texts."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.dialect import Offset, Text, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.git.engine import porcelain
from yardkit.servers.git.engine.repository import Repository, find_repository
from yardkit.world import AnyEntry, InDir, current_world

mcp = make_server("git", "Version control of folders of the workspace; repo_path is relative to it.")

_REPO = Annotated[InDir, Field(description="The repository.")]
_CONTEXT = Annotated[int, Field(description="Lines around each change.", ge=0, le=100)]
_TIME = (
    "Accepts ISO 8601 ('2024-01-15T14:30:25'), relative dates ('2 weeks ago', 'yesterday') or dates ('2024-01-15', "
    "'Jan 15 2024')."
)
_COMMIT = "Do not pass anything if no commit is specified."


def _find_repository(folder: Path) -> Repository:
    return find_repository(current_world(), folder)


@tool(mcp)
def git_status(repo_path: _REPO, offset: Offset = 0) -> TextPage:
    """Shows the working tree status."""
    return cut_page(f"Repository status:\n{porcelain.get_status(_find_repository(repo_path))}", offset)


@tool(mcp)
def git_diff_unstaged(repo_path: _REPO, context_lines: _CONTEXT = 3, offset: Offset = 0) -> TextPage:
    """Shows changes in the working directory that are not yet staged."""
    return cut_page(f"Unstaged changes:\n{porcelain.get_diff(_find_repository(repo_path), context_lines)}", offset)


@tool(mcp)
def git_diff_staged(repo_path: _REPO, context_lines: _CONTEXT = 3, offset: Offset = 0) -> TextPage:
    """Shows changes that are staged for commit."""
    return cut_page(
        f"Staged changes:\n{porcelain.get_diff(_find_repository(repo_path), context_lines, staged=True)}", offset
    )


@tool(mcp)
def git_diff(
    repo_path: _REPO,
    target: Annotated[str, Field(description="Branch or commit to compare the files with.")],
    context_lines: _CONTEXT = 3,
    offset: Offset = 0,
) -> TextPage:
    """Shows differences between branches or commits."""
    return cut_page(
        f"Diff with {target}:\n{porcelain.get_diff(_find_repository(repo_path), context_lines, target=target)}", offset
    )


@tool(mcp, writes=True, idempotent=False)
def git_commit(repo_path: _REPO, message: Annotated[str, Field(description="Of the commit.")]) -> Text:
    """Records changes to the repository."""
    commit_id = porcelain.commit_staged(_find_repository(repo_path), message)
    return Text(f"Changes committed successfully with hash {commit_id}")


@tool(mcp, writes=True)
def git_add(
    repo_path: _REPO,
    files: Annotated[list[AnyEntry], Field(description="Relative to the repository; '.' is all.", min_length=1)],
) -> Text:
    """Adds file contents to the staging area."""
    repository = _find_repository(repo_path)
    if porcelain.add(repository, [repository.get_inner_path(path, own=True) for path in files]):
        return Text("Files staged successfully")
    return Text(
        "No changes were staged: the given paths had nothing new to stage. "
        "git_status shows what is modified or untracked."
    )


@tool(mcp, writes=True, destructive=True)
def git_reset(repo_path: _REPO) -> Text:
    """Unstages all staged changes."""
    porcelain.reset_index(_find_repository(repo_path))
    return Text("All staged changes reset")


@tool(mcp)
def git_log(
    repo_path: _REPO,
    max_count: Annotated[int, Field(description="Commits at most.", ge=1, le=10_000)] = 10,
    start_timestamp: Annotated[str | None, Field(description=f"Only commits since. {_TIME}")] = None,
    end_timestamp: Annotated[str | None, Field(description=f"Only commits until. {_TIME}")] = None,
    offset: Offset = 0,
) -> TextPage:
    """Shows the commit logs."""
    entries = porcelain.read_log(_find_repository(repo_path), max_count, start_timestamp or "", end_timestamp or "")
    return cut_page("Commit history:\n" + "\n".join(entries), offset)


@tool(mcp, writes=True, idempotent=False)
def git_create_branch(
    repo_path: _REPO,
    branch_name: Annotated[str, Field(description="Its name.")],
    base_branch: Annotated[str | None, Field(description="Where it begins; by default the current branch.")] = None,
) -> Text:
    """Creates a new branch from an optional base branch."""
    base = porcelain.create_branch(_find_repository(repo_path), branch_name, base_branch or "")
    return Text(f"Created branch '{branch_name}' from '{base}'")


@tool(mcp, writes=True, idempotent=False)
def git_checkout(repo_path: _REPO, branch_name: Annotated[str, Field(description="Branch or revision.")]) -> Text:
    """Switches branches."""
    status = porcelain.checkout_revision(_find_repository(repo_path), branch_name)
    if not status.branch:
        return Text(f"HEAD is now detached at {status.commit[:7]}")
    return Text(f"Switched to branch '{status.branch}'")


@tool(mcp)
def git_show(
    repo_path: _REPO,
    revision: Annotated[str, Field(description="A commit, or <revision>:<path>.")],
    offset: Offset = 0,
) -> TextPage:
    """Shows the contents of a commit, or of a file or directory given as <revision>:<path>."""
    return cut_page(porcelain.show_revision(_find_repository(repo_path), revision), offset)


@tool(mcp)
def git_branch(
    repo_path: _REPO,
    branch_type: Annotated[
        Literal["local", "remote", "all"],
        Field(description="Whether to list local branches, remote branches or all branches."),
    ],
    contains: Annotated[str | None, Field(description=f"The commit that a branch should contain. {_COMMIT}")] = None,
    not_contains: Annotated[
        str | None, Field(description=f"The commit that a branch should NOT contain. {_COMMIT}")
    ] = None,
) -> Text:
    """List Git branches."""
    return Text(
        porcelain.list_branch_lines(_find_repository(repo_path), branch_type, contains or "", not_contains or "")
    )
