"""The two routes of a NeMo Gym resources server, so that its agents and verifiers' ``NeMoGymTaskset`` work with us.

A rollout begins with ``POST /seed_session`` and ends with ``POST /verify``, both with the row of the data set: the
request to the model under ``responses_create_params``, and whatever the resources server needs beside it, here ``task``
and ``seed``. Tools are called over MCP at the address that the first answer names. A cookie ties the two together.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from yardkit.evaluators.scoring import Grade
from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.gateway.bodies import MAX_SEED
from yardkit.world import Problem

COOKIE = "yardkit_episode"


class Instance(BaseModel):
    """Which instance of which task."""

    model_config = ConfigDict(extra="allow")

    task: str
    seed: int = Field(0, ge=0, le=MAX_SEED)


class Row(BaseModel):
    """A row of a data set; all that is not ours is kept and sent back."""

    model_config = ConfigDict(extra="allow")

    task: str = ""
    seed: int = Field(0, ge=0, le=MAX_SEED)
    verifier_metadata: Instance | None = None

    def find_instance(self) -> Instance:
        """The instance that the row names: at its top, or in ``verifier_metadata``.

        Raises:
            Problem: it names none.
        """
        if self.task:
            return Instance(task=self.task, seed=self.seed)
        if self.verifier_metadata is None:
            raise Problem("the row has no task; put `task` and `seed` beside responses_create_params")
        return self.verifier_metadata


class FinishedRow(Row):
    """A row with what the model answered, as the Responses API has it."""

    responses_create_params: dict[str, Any]
    response: dict[str, Any]

    def answer(self) -> str:
        """The text of the last message; empty if there is none."""
        output = self.response.get("output")
        messages = [item for item in output or () if isinstance(item, dict) and item.get("type") == "message"]
        return _read_text(messages[-1]) if messages else ""


def _read_text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in content or () if isinstance(part, dict))


def describe_session(episode: Episode) -> dict[str, Any]:
    """What ``/seed_session`` answers: where the tools of the episode are."""
    return {
        "mcp": {
            "server_name": "yardkit",
            "url_path": f"/e/{episode.id}/mcp",
            "transport": "http",
            "headers": {"Authorization": f"Bearer {episode.token}"},
        },
        "episode_id": episode.id,
        "prompt": episode.prompt,
    }


def make_verdict(row: FinishedRow, grade: Grade) -> dict[str, Any]:
    """What ``/verify`` answers: the row with its reward. A run that we spoiled is masked, never scored low."""
    return {
        **row.model_dump(mode="json", exclude_unset=True),
        "reward": grade.reward,
        "passed": grade.passed,
        "root_score": grade.root_score,
        "mask_sample": not grade.valid,
        "failure_reason": "; ".join(grade.faults) or None,
        "grade": grade.as_dict(),
    }
