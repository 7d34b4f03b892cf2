"""Ids of episodes, and the process that an id belongs to if several serve the episodes of one directory."""

import secrets
from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """Every `of`-th episode. The id alone determines the share: there is no list, and `of` may change between runs."""

    number: int = 0
    of: int = 1

    def new_id(self) -> str:
        """Make an unguessable id of an episode in this share."""
        return f"e{secrets.randbelow(2**64 // self.of) * self.of + self.number:016x}"

    def contains(self, episode_id: str) -> bool:
        """Whether the episode, whose id is well-formed, is in this share."""
        return find_share_number(episode_id, self.of) == self.number


ALL = Share()
"""Where one process serves every episode."""


def find_share_number(episode_id: str, of: int) -> int:
    """The number of the share that an episode belongs to; a malformed id belongs to the first."""
    try:
        return int(episode_id.removeprefix("e"), 16) % of
    except ValueError:
        return 0
