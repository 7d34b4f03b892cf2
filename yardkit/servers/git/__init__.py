"""Use git in the workspace: status, commits, diffs, history, branches and merges."""

GROUP = "code"

PROGRAMS = {
    "bwrap": "all of it: git runs only inside its walls",
    "git": "all of it: it does the work",
}
"""System programs that tools call, and what does not work without each."""

RUNS_CODE = True
"""A repository's own configuration can name programs (filters, merge drivers), which git runs inside the walls."""
