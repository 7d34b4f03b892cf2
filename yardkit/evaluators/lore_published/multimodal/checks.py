"""The value is found, whatever had to be looked at; ids may be tried."""

from yardkit.benchmarks.lore.checkpoints import lore_checks

CHECKS = lore_checks("multimodal", guessing_fails=False)
