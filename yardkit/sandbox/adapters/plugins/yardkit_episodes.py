"""The plugin module for verifiers, which finds a taskset by a top-level module name: ``vf-eval yardkit_episodes``."""

from yardkit.sandbox.adapters.verifiers import EpisodesTaskset

__all__ = ["EpisodesTaskset"]
