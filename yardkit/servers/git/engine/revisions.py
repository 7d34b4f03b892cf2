"""Revisions and names of branches, which a caller gives, as words for git that are nothing else."""

from yardkit.servers.git.engine.session import Step
from yardkit.world import Problem

EMPTY_TREE = Step("empty", ("hash-object", "-t", "tree", "--stdin"))
"""Prints the id of the tree without files."""


def make_resolve_step(name: str, revision: str, kind: str = "commit", *, may_fail: bool = False) -> Step:
    """A step `name` that prints the id of a revision: of its commit, or of its tree.

    Raises:
        Problem: it is no revision.
    """
    if not revision.strip() or "\0" in revision or "\n" in revision:
        raise Problem(
            f"{revision!r} is not a valid revision; use a branch, a tag, a commit id or an expression such as 'HEAD~1'"
        )
    words = ("rev-parse", "--verify", "--end-of-options", f"{revision}^{{{kind}}}")
    unknown = f"{revision!r} is not a {kind} here; use list_branches and list_commits to see them"
    return Step(name, words, may_fail=may_fail, says={128: unknown})


def branch_name(name: str) -> str:
    """The name of a branch, made sure to be no option and no other revision.

    Raises:
        Problem: git allows no such name.
    """
    forbidden = name.startswith("-") or name in ("HEAD", "@") or "@{" in name
    if forbidden or not name.strip():
        raise Problem(f"{name!r} is not a valid branch name; use letters, digits, '-', '_' and '/'")
    return name
