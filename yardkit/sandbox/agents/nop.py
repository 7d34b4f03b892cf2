"""The agent that does nothing: its score is the baseline that any agent gets for free."""

from yardkit.sandbox.agents.agent import Outcome, Transcript
from yardkit.sandbox.episodes.episode import Episode


class NopAgent:
    """Makes no call and gives no answer."""

    def run(self, episode: Episode, transcript: Transcript, time_limit_s: float) -> Outcome:  # noqa: ARG002
        transcript.add("user", episode.prompt)
        return Outcome()
