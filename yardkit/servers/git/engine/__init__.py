"""Work on git repositories: git runs inside walls, on a copy where it changes something, and its answers are read here.

- `inside`: the program that calls git within the walls; `session`: what it is told, and what becomes of its work.
- `repository`: where the repository is, and the paths in it; `dates`: points in time.
- `status`, `commits`, `diffs`, `search` read; `branches`, `committing`, `merging`, `resetting` change.
"""
