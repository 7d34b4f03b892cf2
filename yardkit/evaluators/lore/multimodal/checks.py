"""The value is found, whatever had to be looked at."""

from yardkit.benchmarks.lore.checkpoints import lore_checks

CHECKS = lore_checks("multimodal")
