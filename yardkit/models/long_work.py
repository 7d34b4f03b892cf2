"""Long jobs of a model behind HTTP, such as a video: starting, polling, cancelling, and saving the result."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

from yardkit.models.generation import ask_leniently, note_of
from yardkit.models.service import Capability, Service, ServiceChoice, require_service
from yardkit.world import FileRef, Problem, Unavailable, save_bytes

Status = Literal["queued", "running", "done", "failed", "cancelled"]
_STATUSES: Mapping[str, Status] = {
    "queued": "queued",
    "pending": "queued",
    "running": "running",
    "in_progress": "running",
    "processing": "running",
    "done": "done",
    "completed": "done",
    "succeeded": "done",
    "failed": "failed",
    "error": "failed",
    "cancelled": "cancelled",
    "canceled": "cancelled",
}
"""What services call how far a job is."""
_ID = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}"
_JOB = re.compile(rf"(endpoint|local):({_ID})")
_BEGINNINGS: Mapping[str, tuple[int, Sequence[bytes]]] = {
    ".mp4": (4, [b"ftyp"]),
    ".webm": (0, [b"\x1aE\xdf\xa3"]),
    ".wav": (0, [b"RIFF"]),
    ".flac": (0, [b"fLaC"]),
    ".ogg": (0, [b"OggS"]),
    ".mp3": (0, [b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2"]),
}
"""What a file of each kind has, and from which byte on."""


@dataclass(frozen=True)
class BegunWork:
    """A job that a model has started.

    Attributes:
        job: the id for polling.
        seed: the seed that reproduces the result; null if the service takes none.
        model: the model, with the tier and the quality.
        next: the next step.
        note: the options that were omitted because the service refuses them.
    """

    job: str
    seed: int | None
    model: str
    next: str
    note: str = ""

    def __str__(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        head = f"Begun as job {self.job}, by {self.model}{seed}. {self.next}"
        return "\n".join([head, *([self.note] if self.note else [])])


@dataclass(frozen=True)
class WorkState:
    """The state of a job.

    Attributes:
        job: the id of the job.
        status: its status.
        progress: the finished share, in [0, 1], if the service reports it.
        error: why it failed.
        file: the result, if it was saved.
    """

    job: str
    status: Status
    progress: float
    error: str = ""
    file: FileRef | None = None

    def __str__(self) -> str:
        if self.file:
            return f"Job {self.job} is done: saved {self.file}"
        part = f", {self.progress:.0%} done" if self.status in ("queued", "running") else ""
        return f"Job {self.job} is {self.status}{part}" + (f": {self.error}" if self.error else "")


@dataclass(frozen=True)
class LongWork:
    """A kind of long job.

    Attributes:
        capability: the capability of the model.
        needs: the kind of model, in words.
        route: the route of the service.
        suffixes: the suffixes of the resulting files.
        check_tool: the tool that polls it.
        save_tool: the tool that saves the result.
        may_lack: options that a service may refuse.
    """

    capability: Capability
    needs: str
    route: str
    suffixes: Sequence[str]
    check_tool: str
    save_tool: str
    may_lack: Sequence[str]

    def begin(self, wishes: Mapping[str, Any], backend: ServiceChoice) -> BegunWork:
        """Start a job; options that are None are not sent.

        Raises:
            ModelUnavailable: no model is configured.
            Problem: the service refuses the options.
            Unavailable: no usable answer came.
        """
        service = require_service(self.capability, self.needs, backend)
        stated_wishes = {name: wish for name, wish in wishes.items() if wish is not None}
        answer, left_out = ask_leniently(partial(service.ask, self.route), stated_wishes, self.may_lack)
        state = _read_state(answer, service)
        seed = None if "seed" in left_out else wishes.get("seed")
        following = f"Ask after it with {self.check_tool}, then save it with {self.save_tool}."
        return BegunWork(state.job, seed, str(service.origin), following, note_of(left_out))

    def check(self, job: str) -> WorkState:
        """Poll a job.

        Raises:
            Problem: there is no such job.
            Unavailable: no usable answer came.
        """
        service, job_id = self._find_job(job)
        return _read_state(service.ask(f"{self.route}/{job_id}", method="GET"), service)

    def save(self, job: str, target: Path) -> WorkState:
        """Save the result as `target` if the job is done; otherwise only return its state.

        Raises:
            Problem: the job does not exist, or `target` does not have the suffix of the result.
            Unavailable: no usable answer came.
        """
        if target.suffix.lower() not in self.suffixes:
            raise Problem(f"{target.name!r} should end with {' or '.join(self.suffixes)}")
        state = self.check(job)
        if state.status != "done":
            return state
        service, job_id = self._find_job(job)
        self._save_result(service.fetch(f"{self.route}/{job_id}/content"), target, service)
        return WorkState(state.job, state.status, state.progress, file=FileRef.from_path(target))

    def cancel(self, job: str) -> WorkState:
        """Cancel a job. Raises as `check` does."""
        service, job_id = self._find_job(job)
        service.ask(f"{self.route}/{job_id}", method="DELETE")
        return WorkState(job, "cancelled", 0.0)

    def _find_job(self, job: str) -> tuple[Service, str]:
        parts = _JOB.fullmatch(job)
        if parts is None:
            raise Problem(f"{job[:80]!r} is not a valid job; give the id that was reported when the work began")
        return require_service(self.capability, self.needs, cast("ServiceChoice", parts[1])), parts[2]

    def _save_result(self, data: bytes, target: Path, service: Service) -> None:
        kind = next((suffix for suffix in self.suffixes if _is_of(data, suffix)), None)
        if kind is None:
            raise Unavailable(
                f"{service.model} returned an unsupported type of file; expected {', '.join(self.suffixes)}"
            )
        if kind != target.suffix.lower():
            raise Problem(f"{service.model} made a {kind} file; save it as {target.with_suffix(kind).name!r}")
        save_bytes(target, data)


def _read_state(answer: Mapping[str, Any], service: Service) -> WorkState:
    status = _STATUSES.get(str(answer.get("status")))
    job_id = str(answer.get("id") or "")
    if status is None or not re.fullmatch(_ID, job_id):
        raise Unavailable(f"the service of {service.setting} answered without a job: {str(answer)[:200]}")
    error_text = answer.get("error")
    words = error_text.get("message") if isinstance(error_text, dict) else error_text
    return WorkState(
        f"{service.tier}:{job_id}", status, _read_progress(answer.get("progress"), status), str(words or "")[:500]
    )


def _read_progress(progress: Any, status: Status) -> float:
    """Read the progress in [0, 1]; OpenAI gives integer percentages."""
    if status == "done":
        return 1.0
    if not isinstance(progress, (int, float)) or isinstance(progress, bool):
        return 0.0
    return min(1.0, max(0.0, progress / 100 if isinstance(progress, int) and progress > 1 else float(progress)))


def _is_of(data: bytes, suffix: str) -> bool:
    start, beginnings = _BEGINNINGS[suffix]
    return data[start:].startswith(tuple(beginnings))
