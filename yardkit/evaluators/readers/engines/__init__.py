"""Engines that compute and print deliverables, each in a separate process with a time limit."""
