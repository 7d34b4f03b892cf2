"""The value is found, however the agent went."""

from toolyard.evaluators.lore.grading import lore_checks

CHECKS = lore_checks("code")
