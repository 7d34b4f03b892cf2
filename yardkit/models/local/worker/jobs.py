"""Long jobs: submitting, polling, fetching, cancelling."""

import asyncio
import secrets
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.models.local.families.contract import Stopped, Watch
from yardkit.models.local.worker.faults import Busy, Unknown
from yardkit.world import Problem

Status = Literal["queued", "running", "done", "failed", "cancelled"]
MOST_OPEN = 64
MOST_FINISHED = 256
"""Finished jobs whose files are kept; the oldest go first."""


@dataclass
class Job:
    """A long call.

    Attributes:
        id: the id of the job.
        kind: its route, such as ``videos``.
        watch: the watch of its call.
        error: why it failed.
        ended: how it ended; empty while it runs.
    """

    id: str
    kind: str
    file: Path
    media_type: str
    watch: Watch = field(default_factory=Watch)
    error: str = ""
    ended: Literal["", "done", "failed", "cancelled"] = ""
    task: "asyncio.Task[None] | None" = None

    @property
    def status(self) -> Status:
        if self.ended:
            return self.ended
        return "running" if self.watch.progress > 0 else "queued"

    def describe_job(self) -> dict[str, Any]:
        """Describe the job for clients."""
        progress = 1.0 if self.ended == "done" else round(self.watch.progress, 4)
        return {"id": self.id, "status": self.status, "progress": progress, "error": self.error or None}


class Jobs:
    """The jobs of a worker. Their files are in a folder that is deleted with it."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="yardkit-jobs-")

    def start(self, kind: str, media_type: str, work: Callable[[Watch], Awaitable[bytes]]) -> Job:
        """Begin a job, whose result is a file.

        Raises:
            Busy: too many are open.
        """
        if sum(not job.ended for job in self._jobs.values()) >= MOST_OPEN:
            raise Busy(f"{MOST_OPEN} jobs are open already; wait for one, or cancel one")
        name = secrets.token_hex(12)
        job = Job(name, kind, Path(self._folder.name) / name, media_type)
        self._jobs[name] = job
        job.task = asyncio.create_task(self._run_work(job, work))
        self._drop_oldest()
        return job

    def find_job(self, kind: str, name: str) -> Job:
        """Find a job by its id.

        Raises:
            Unknown: it does not exist, or is too old.
        """
        job = self._jobs.get(name)
        if job is None or job.kind != kind:
            raise Unknown(
                f"there is no job {name!r}; jobs are forgotten when the worker ends, and the oldest when many end"
            )
        return job

    def cancel(self, job: Job) -> None:
        """Cancel a job: it leaves the queue, or stops at the model's next step. Its file is deleted."""
        job.watch.stopped = True
        if not job.ended:
            job.ended = "cancelled"
            if job.task is not None:
                job.task.cancel()
        job.file.unlink(missing_ok=True)

    def close(self) -> None:
        """End all jobs, and delete their files."""
        for job in self._jobs.values():
            self.cancel(job)
        self._folder.cleanup()

    async def _run_work(self, job: Job, work: Callable[[Watch], Awaitable[bytes]]) -> None:
        try:
            data = await work(job.watch)
            await asyncio.to_thread(job.file.write_bytes, data)
            job.ended = job.ended or "done"
        except (Stopped, asyncio.CancelledError):
            job.ended = "cancelled"
        except Problem as problem:
            job.ended, job.error = "failed", str(problem)
        except Exception as error:
            job.ended, job.error = "failed", f"a fault of the worker: {type(error).__name__}"
            raise

    def _drop_oldest(self) -> None:
        ended = [job for job in self._jobs.values() if job.ended]
        for job in ended[: max(0, len(ended) - MOST_FINISHED)]:
            job.file.unlink(missing_ok=True)
            del self._jobs[job.id]
