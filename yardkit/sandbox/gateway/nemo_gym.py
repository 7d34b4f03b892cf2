"""The two routes of a NeMo Gym resources server, so that its agents and verifiers' ``NeMoGymTaskset`` work with us.

A rollout begins with ``POST /seed_session`` and ends with ``POST /verify``, both with the row of the data set: the
request to the model under ``responses_create_params``, and the other fields that the resources server needs, here
``task`` and ``seed``. Tools are called over MCP at the address in the first answer. A cookie links the two requests.
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
    """A task and a seed."""

    model_config = ConfigDict(extra="allow")

    task: str
    seed: int = Field(0, ge=0, le=MAX_SEED)


class Row(BaseModel):
    """A row of a data set; fields that are not ours are kept and sent back."""

    model_config = ConfigDict(extra="allow")

    task: str = ""
    seed: int = Field(0, ge=0, le=MAX_SEED)
    verifier_metadata: Instance | None = None

    def find_instance(self) -> Instance:
        """Find the instance that the row names, at its top level or in ``verifier_metadata``.

        Raises:
            Problem: it names none.
        """
        if self.task:
            return Instance(task=self.task, seed=self.seed)
        if self.verifier_metadata is None:
            raise Problem("the row has no task; put `task` and `seed` beside responses_create_params")
        return self.verifier_metadata


class FinishedRow(Row):
    """A row with the model's answer in the format of the Responses API."""

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
    """Make the answer of ``/seed_session``: the address of the episode's tools."""
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
    """Make the answer of ``/verify``: the row with its reward. A run that failed by our fault is masked, not scored."""
    return {
        **row.model_dump(mode="json", exclude_unset=True),
        "reward": grade.reward,
        "passed": grade.passed,
        "root_score": grade.root_score,
        "mask_sample": not grade.valid,
        "failure_reason": "; ".join(grade.faults) or None,
        "grade": grade.as_dict(),
    }
