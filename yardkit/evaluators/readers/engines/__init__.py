"""Engines that compute and print what was delivered, each kept apart from the grader and bounded in time."""
