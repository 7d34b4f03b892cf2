"""Runs: an agent on many instances of tasks, their results and figures."""
