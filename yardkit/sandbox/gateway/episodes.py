"""The episodes of one gateway: opening, finding, forking, grading, deleting, and who may do what."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from anyio import to_thread
from starlette.exceptions import HTTPException

from yardkit.evaluators.scoring import Grade
from yardkit.sandbox.episodes.episode import Episode, open_new, reopen_episode
from yardkit.sandbox.episodes.ids import ALL, Share
from yardkit.sandbox.serving.tokens import same_token
from yardkit.sandbox.tasks.task import Task
from yardkit.world import Problem

Result = TypeVar("Result")

_EPISODE_ID = re.compile(r"e[0-9a-f]{16}")
MIN_TOKEN = 16
"""Characters of an operator token, so that it cannot be guessed."""
MAX_FORKS = 100
"""Forks that the tokens of one opened episode and of its forks may make, so that no agent takes everybody's places."""
_NOBODY = "-"
"""What a token is compared with where there is no episode, so that this takes as long as a wrong token."""


@dataclass(frozen=True)
class Visit:
    """A request that showed a valid token for an episode."""

    episode: Episode
    by_operator: bool


class Episodes:
    """Open episodes by id; those that an earlier process left in `runs` are reopened on request."""

    def __init__(self, runs: Path, operator_token: str, max_open: int, share: Share = ALL) -> None:
        require_token(operator_token)
        self._runs = runs
        self._operator_token = operator_token
        self._max_open = max_open
        self._share = share
        self._known: dict[str, Episode] = {}
        self._forked_from: dict[str, str] = {}
        self._forks: Counter[str] = Counter()
        self._coming = 0
        self._reopening = asyncio.Lock()

    def is_operator(self, token: str) -> bool:
        return same_token(token, self._operator_token)

    def require_operator(self, token: str) -> None:
        """Refuse requests without the operator's token with HTTP 401."""
        if not self.is_operator(token):
            raise make_unauthorized("this requires the operator's token")

    async def find_visit(self, episode_id: str, token: str, *, after_grading: bool = False) -> Visit:
        """The episode, for its agent or the operator.

        To an agent, a wrong token and an episode that never was look the same (401). Once the episode is over, its
        token opens nothing (410); the operator gets in still where `after_grading`.
        """
        by_operator = self.is_operator(token)
        expected = await self._token_of(episode_id)
        if not (same_token(token, expected or _NOBODY) and expected) and not by_operator:
            raise make_unauthorized("no episode has this id and this token")
        episode = await self._find_episode(episode_id)
        if episode.closed and not (by_operator and after_grading):
            raise HTTPException(410, "the episode is over: access was revoked when it was graded")
        return Visit(episode, by_operator)

    async def open(self, task: Task, seed: int) -> Episode:
        """Seed a new episode."""
        with self._reserve_room():
            return self._remember_episode(await to_thread.run_sync(open_new, task, seed, self._runs, self._share))

    async def fork(self, visit: Visit, at_call: int | None) -> Episode:
        """Fork an episode at one of its calls. Agents may make `MAX_FORKS` forks of one opened episode."""
        episode = visit.episode
        opened = self._forked_from.get(episode.id, episode.id)
        if not visit.by_operator:
            if self._forks[opened] >= MAX_FORKS:
                raise HTTPException(429, f"this episode was forked {MAX_FORKS} times; more forks are the operator's")
            self._forks[opened] += 1
        with self._reserve_room():
            forked = self._remember_episode(
                await in_turn(episode, partial(episode.fork, self._runs, at_call=at_call, share=self._share))
            )
        self._forked_from[forked.id] = opened
        return forked

    async def grade(self, episode: Episode, answer: str) -> Grade:
        """Revoke access at once, end the running call, and grade. The episode leaves the memory."""
        await to_thread.run_sync(episode.end_call)
        grade = await in_turn(episode, partial(episode.grade, answer))
        self._known.pop(episode.id, None)
        return grade

    async def delete(self, episode: Episode) -> None:
        """End the running call and delete all files of the episode."""
        await to_thread.run_sync(episode.end_call)
        await in_turn(episode, episode.close)
        self._known.pop(episode.id, None)

    async def list_episodes(self) -> list[dict[str, Any]]:
        """Every episode in `runs`, without its token."""
        return await to_thread.run_sync(self._list_rows)

    def _list_rows(self) -> list[dict[str, Any]]:
        rows = []
        for directory in sorted(self._runs.glob("e*")) if self._runs.is_dir() else []:
            record = _read_record(directory)
            if record:
                state = "graded" if (directory / "grade.json").exists() else "open"
                about = {key: record.get(key) for key in ("task", "seed", "opened", "forked_from")}
                rows.append({"episode_id": directory.name, "state": state, **about})
        return rows

    @contextmanager
    def _reserve_room(self) -> Iterator[None]:
        """Reserve a place for an episode that is being made."""
        living = sum(not episode.closed for episode in self._known.values())
        if living + self._coming >= self._max_open:
            raise HTTPException(
                503,
                f"{living} episodes are open, which is the limit; grade or delete some, or raise --max-episodes",
                headers={"Retry-After": "5"},
            )
        self._coming += 1
        try:
            yield
        finally:
            self._coming -= 1

    def _remember_episode(self, episode: Episode) -> Episode:
        self._known[episode.id] = episode
        return episode

    async def _token_of(self, episode_id: str) -> str:
        if episode_id in self._known:
            return self._known[episode_id].token
        if not _EPISODE_ID.fullmatch(episode_id):
            return ""
        record = await to_thread.run_sync(_read_record, self._runs / episode_id)
        return str(record.get("token", ""))

    async def _find_episode(self, episode_id: str) -> Episode:
        if episode_id in self._known:
            return self._known[episode_id]
        if _EPISODE_ID.fullmatch(episode_id) and not self._share.contains(episode_id):
            raise HTTPException(421, "another worker serves this episode; use the address that the gateway printed")
        async with self._reopening:
            if episode_id in self._known:
                return self._known[episode_id]
            if not _EPISODE_ID.fullmatch(episode_id) or not (self._runs / episode_id / "episode.json").is_file():
                raise HTTPException(404, f"there is no episode {episode_id[:40]!r}; GET /episodes lists them")
            episode = await to_thread.run_sync(reopen_episode, self._runs / episode_id)
            return episode if episode.closed else self._remember_episode(episode)


async def in_turn(episode: Episode, work: Callable[[], Result]) -> Result:
    """Run blocking `work` while no call is running, unless the episode was deleted in the meantime (410)."""

    def run() -> Result:
        if not episode.directory.exists():
            raise HTTPException(410, "the episode was deleted")
        return work()

    return await episode.in_turn(run)


def require_token(operator_token: str) -> None:
    """Refuse an operator's token that is easy to guess."""
    if len(operator_token) < MIN_TOKEN:
        raise Problem(f"the operator token has {len(operator_token)} characters; use at least {MIN_TOKEN}")


def make_unauthorized(reason: str) -> HTTPException:
    """Make an HTTP 401 error that says which token to send."""
    return HTTPException(
        401, f"{reason}; send the header `Authorization: Bearer TOKEN`", headers={"WWW-Authenticate": "Bearer"}
    )


def _read_record(directory: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((directory / "episode.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record
