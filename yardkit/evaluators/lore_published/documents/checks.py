"""The value is found, however the agent went; ids may be tried."""

from yardkit.benchmarks.lore.checkpoints import lore_checks

CHECKS = lore_checks("documents", guessing_fails=False)
