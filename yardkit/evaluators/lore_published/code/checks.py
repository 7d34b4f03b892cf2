"""The value is found, however the agent went; names may be tried."""

from yardkit.benchmarks.lore.checkpoints import lore_checks

CHECKS = lore_checks("code", guessing_fails=False)
