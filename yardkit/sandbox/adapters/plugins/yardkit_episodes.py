"""verifiers takes a taskset by the name of a module that stands by itself: ``vf-eval yardkit_episodes``."""

from yardkit.sandbox.adapters.verifiers import EpisodesTaskset

__all__ = ["EpisodesTaskset"]
