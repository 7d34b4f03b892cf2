"""The tools of the `git` server."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.git.engine import branches, commits, committing, diffs, merging, resetting, search, status
from yardkit.servers.git.engine.repository import Repository, find_repository
from yardkit.servers.git.engine.session import Author
from yardkit.world import AnyEntry, InDir, OutDir, current_world

mcp = make_server(
    "git",
    "Version control of folders of the workspace. Paths are relative to the workspace, revisions are "
    "branches, tags, commit ids, or expressions such as 'HEAD~2'. Commits are dated by the workspace's "
    "clock; there is no network.",
)

In = Annotated[InDir, Field(description="Folder of the repository, or one in it.", validate_default=True)]
Paths = Annotated[list[AnyEntry], Field(description="Only these files and folders.", max_length=1000)]
Offset = Annotated[int, Field(description="Entries to skip; use next_offset of the previous page.", ge=0)]
DiffOffset = Annotated[
    int, Field(description="Characters of the diff to skip; use next_offset of the previous page.", ge=0)
]
Context = Annotated[int, Field(description="Context lines around each change.", ge=0, le=100)]
AuthorName = Annotated[str, Field(description="Author name; default: the repository's user.", max_length=200,
                                  pattern=r"^[^<>\n]*$")]  # fmt: skip
AuthorEmail = Annotated[str, Field(description="Author's email address.", max_length=200, pattern=r"^[^<>\s]*$")]


def _find_repository(folder: Path) -> Repository:
    return find_repository(current_world(), folder)


def _list_inner_paths(repository: Repository, paths: list[Path]) -> list[str]:
    return [repository.get_inner_path(path) for path in paths]


@tool(mcp, bulk=True)
def show_status(
    repository: In = Path(),
    paths: Paths = [],  # noqa: B006
    offset: Offset = 0,
    limit: Annotated[int, Field(description="At most this many files.", ge=1, le=2000)] = 500,
) -> status.Status:
    """Show the branch, an unfinished merge, and the staged, changed, new and conflicting files."""
    git_repository = _find_repository(repository)
    return status.show_status(git_repository, _list_inner_paths(git_repository, paths), offset=offset, limit=limit)


@tool(mcp, bulk=True)
def list_commits(
    repository: In = Path(),
    revision: Annotated[str, Field(description="Only its ancestors; default: the current branch.")] = "",
    every_branch: Annotated[bool, Field(description="Commits of all branches and tags.")] = False,
    paths: Paths = [],  # noqa: B006
    authors: Annotated[list[str], Field(description="Parts of authors' names or addresses.", max_length=50)] = [],  # noqa: B006
    since: Annotated[str, Field(description="Start: '2026-03-16', with a time, or '2 weeks ago'.")] = "",
    until: Annotated[str, Field(description="End, as in since; a date includes the entire day.")] = "",
    merges: Annotated[bool, Field(description="Include merges.")] = True,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="At most this many commits.", ge=1, le=500)] = 50,
) -> commits.Commits:
    """List commits, newest first."""
    git_repository = _find_repository(repository)
    selection = commits.CommitSelection(
        revision, every_branch, _list_inner_paths(git_repository, paths), authors, since, until, merges
    )
    return commits.list_commits(git_repository, selection, offset=offset, limit=limit)


@tool(mcp, bulk=True)
def show_commit(
    revision: Annotated[str, Field(description="The commit.", min_length=1)] = "HEAD",
    repository: In = Path(),
    context: Context = 3,
    offset: DiffOffset = 0,
) -> commits.CommitDetails:
    """Show a commit with its message, files and diff (of a merge, against its first parent)."""
    return commits.show_commit(_find_repository(repository), revision, context=context, offset=offset)


@tool(mcp, bulk=True)
def show_diff(
    repository: In = Path(),
    compare: Annotated[
        Literal["unstaged", "staged", "all"], Field(description="Which uncommitted changes to show.")
    ] = "unstaged",
    revision: Annotated[str, Field(description="Compare from this commit instead, to the files or to other.")] = "",
    other: Annotated[str, Field(description="Compare to this commit.")] = "",
    since_fork: Annotated[bool, Field(description="Compare from where other forked off revision.")] = False,
    paths: Paths = [],  # noqa: B006
    context: Context = 3,
    offset: DiffOffset = 0,
) -> diffs.Diff:
    """Show a diff of uncommitted changes, or between commits or branches."""
    git_repository = _find_repository(repository)
    return diffs.show_diff(
        git_repository,
        compare=compare,
        revision=revision,
        other=other,
        since_fork=since_fork,
        paths=_list_inner_paths(git_repository, paths),
        context=context,
        offset=offset,
    )


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def commit_files(
    message: Annotated[
        str, Field(description="Description of the change; a first line of up to 72 characters.", max_length=20_000)
    ],
    repository: In = Path(),
    paths: Paths = [],  # noqa: B006
    staged_only: Annotated[bool, Field(description="Commit only what is staged.")] = False,
    amend: Annotated[bool, Field(description="Replace the last commit.")] = False,
    author_name: AuthorName = "",
    author_email: AuthorEmail = "",
) -> committing.Committed:
    """Commit all changes or those in paths, with new and deleted but not ignored files. Can conclude a merge."""
    git_repository = _find_repository(repository)
    return committing.commit_files(
        git_repository,
        message,
        paths=_list_inner_paths(git_repository, paths),
        staged_only=staged_only,
        amend=amend,
        author=Author(author_name, author_email),
    )


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_repository(
    path: Annotated[OutDir, Field(description="Folder to make a repository; created if missing.")],
    branch: Annotated[str, Field(description="Name of the first branch.", max_length=200)] = "main",
) -> status.Status:
    """Make a folder a git repository; its files are untracked until committed."""
    return committing.create_repository(current_world(), path, branch)


@tool(mcp, bulk=True)
def search_history(
    query: Annotated[str, Field(description="Part of a line to search for.", min_length=1, max_length=1000)],
    what: Annotated[
        search.Where,
        Field(description="Search commit messages, lines that commits added or removed, or the files of revision."),
    ],
    repository: In = Path(),
    literal: Annotated[bool, Field(description="False: query is a POSIX extended regular expression.")] = True,
    ignore_case: Annotated[bool, Field(description="Ignore case.")] = True,
    revision: Annotated[str, Field(description="Where to search; default: the current branch.")] = "",
    every_branch: Annotated[bool, Field(description="Search all branches and tags.")] = False,
    paths: Paths = [],  # noqa: B006
    offset: Offset = 0,
    limit: Annotated[int, Field(description="At most this many commits or lines.", ge=1, le=500)] = 50,
) -> search.SearchResult:
    """Search the history: commits by message or change, or the files of a commit."""
    git_repository = _find_repository(repository)
    selection = commits.CommitSelection(revision, every_branch, _list_inner_paths(git_repository, paths))
    return search.search_history(
        git_repository,
        query,
        what,
        selection=selection,
        literal=literal,
        ignore_case=ignore_case,
        offset=offset,
        limit=limit,
    )


@tool(mcp, bulk=True)
def read_revision(
    path: Annotated[AnyEntry, Field(description="File to read.")],
    revision: Annotated[str, Field(description="Commit to read it from.", min_length=1)],
    repository: In = Path(),
    offset: Annotated[int, Field(description="Characters to skip.", ge=0)] = 0,
) -> search.OldFile:
    """Read a text file as of a commit, even if it was deleted later."""
    git_repository = _find_repository(repository)
    return search.read_revision(git_repository, git_repository.get_inner_path(path), revision, offset=offset)


@tool(mcp, bulk=True)
def list_branches(
    repository: In = Path(),
    kind: Annotated[branches.Which, Field(description="Remote branches are as of the last fetch.")] = "local",
    contains: Annotated[str, Field(description="Only those that contain this commit.")] = "",
    without: Annotated[str, Field(description="Only those that do not contain this commit.")] = "",
    offset: Offset = 0,
    limit: Annotated[int, Field(description="At most this many branches.", ge=1, le=1000)] = 200,
) -> branches.Branches:
    """List branches and tags with their last commits."""
    return branches.list_branches(
        _find_repository(repository), which=kind, contains=contains, without=without, offset=offset, limit=limit
    )


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_branch(
    branch: Annotated[str, Field(description="Name of the branch.", min_length=1, max_length=200)],
    repository: In = Path(),
    revision: Annotated[str, Field(description="Commit to start from.", min_length=1)] = "HEAD",
    switch: Annotated[bool, Field(description="Also check it out.")] = False,
) -> status.Status:
    """Create a branch."""
    return branches.create_branch(_find_repository(repository), branch, revision, switch=switch)


@tool(mcp, bulk=True, writes=True, destructive=True)
def switch_branch(
    branch: Annotated[str, Field(description="Branch, or with detach any revision.", min_length=1)],
    repository: In = Path(),
    detach: Annotated[bool, Field(description="Allow a commit that is not a branch (detached HEAD).")] = False,
) -> status.Status:
    """Check out a branch; uncommitted changes are kept, or the switch is refused."""
    return branches.switch_branch(_find_repository(repository), branch, detach=detach)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_branch(
    branch: Annotated[str, Field(description="Name of the branch.", min_length=1)],
    repository: In = Path(),
    unmerged: Annotated[bool, Field(description="Delete it even if commits would be lost.")] = False,
) -> branches.Branches:
    """Delete a branch that is not checked out."""
    return branches.delete_branch(_find_repository(repository), branch, unmerged=unmerged)


@tool(mcp, bulk=True, writes=True, destructive=True)
def merge_branch(
    revision: Annotated[str, Field(description="Branch (or revision) to merge.", min_length=1)],
    repository: In = Path(),
    message: Annotated[str, Field(description="Message of the merge commit; default: git's.", max_length=20_000)] = "",
    fast_forward: Annotated[
        merging.FastForward, Field(description="auto: no merge commit if none is needed; only: never one.")
    ] = "auto",
    abort_on_conflict: Annotated[bool, Field(description="Change nothing if there are conflicts.")] = False,
    author_name: AuthorName = "",
    author_email: AuthorEmail = "",
) -> merging.Merged:
    """Merge a branch into the current one; conflicts are listed and left in the files to be resolved."""
    return merging.merge_branch(
        _find_repository(repository),
        revision,
        message=message,
        fast_forward=fast_forward,
        abort_on_conflict=abort_on_conflict,
        author=Author(author_name, author_email),
    )


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def abort_merge(repository: In = Path()) -> status.Status:
    """Abort a merge with conflicts and restore the state before it."""
    return merging.abort_merge(_find_repository(repository))


@tool(mcp, bulk=True, writes=True, destructive=True)
def reset_files(
    action: Annotated[
        resetting.Reset, Field(description="unstage: leave files unchanged; discard: restore them from revision.")
    ],
    repository: In = Path(),
    paths: Paths = [],  # noqa: B006
    revision: Annotated[str, Field(description="Commit to restore from; default: the last one.")] = "",
    new_files: Annotated[bool, Field(description="Also discard files that were never committed.")] = False,
) -> status.Status:
    """Unstage changes, or discard them for good; can also restore a file from an older commit."""
    git_repository = _find_repository(repository)
    return resetting.reset_files(
        git_repository, action, _list_inner_paths(git_repository, paths), revision=revision, new_files=new_files
    )
