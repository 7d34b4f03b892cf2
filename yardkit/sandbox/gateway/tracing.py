"""The trace of an episode in the format that a request asks for."""

import json
from dataclasses import replace

from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.episodes.traces import Subject, as_atif, as_jsonl, as_otel
from yardkit.world import Problem


def trace_of(episode: Episode, form: str, by_operator: bool) -> tuple[str, str]:
    """Return the trace and its media type. Injected faults and the grade are only included for the operator.

    Raises:
        Problem: the format is unknown.
    """
    calls = [call if by_operator else replace(call, fault="") for call in list(episode.ledger.calls)]
    if form == "jsonl":
        return as_jsonl(calls), "application/x-ndjson"
    writer = {"atif": as_atif, "otel": as_otel}.get(form)
    if writer is None:
        raise Problem(f"there is no trace format {form!r}; use jsonl, atif or otel")
    return json.dumps(writer(_make_subject(episode), calls)), "application/json"


def _make_subject(episode: Episode) -> Subject:
    graded = episode.directory / "grade.json"
    return Subject(
        id=episode.id,
        task=episode.task.id,
        seed=episode.seed,
        prompt=episode.prompt,
        opened=episode.opened,
        inherited=episode.inherited,
        answer=json.loads(graded.read_text("utf-8"))["answer"] if graded.exists() else None,
    )
