"""The value is found, however the agent went."""

from yardkit.evaluators.lore.checkpoints import lore_checks

CHECKS = lore_checks("code")
