"""verifiers takes a taskset by the name of a module that stands by itself: ``vf-eval toolyard_episodes``."""

from toolyard.sandbox.adapters.verifiers import EpisodesTaskset

__all__ = ["EpisodesTaskset"]
