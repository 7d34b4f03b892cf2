"""LORE as published, and our suites lore and lore_published: tasks of any length, and what a failed run shows.

`generation` is for seeds, `checkpoints` for checks, `solving` for solvers; the rest sees tasks and runs from outside.
"""

COMMAND = "generate tasks of any length and show them"
