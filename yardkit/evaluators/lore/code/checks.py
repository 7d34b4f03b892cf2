"""The value is found, however the agent went."""

from yardkit.benchmarks.lore.checkpoints import lore_checks

CHECKS = lore_checks("code")
