"""The seven types of errors in an agent's calls.

They are the types that GTA's code marks (``NoAction``, ``InvalidAction``, ``ARGS_ERROR``, ``API_ERROR``), a repeated
call, and, if a gold chain is known, a tool or arguments that differ from it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from yardkit.sandbox.agents import NO_ACTION, REFUSED_ARGUMENTS
from yardkit.sandbox.episodes.ledger import Call, encode_canonical

UNKNOWN_TOOL, FAILED, REPEATED = "unknown tool", "failed call", "repeated call"
WRONG_TOOL, WRONG_ARGUMENTS = "wrong tool", "wrong arguments"
CALL_ERRORS: Mapping[str, str] = {
    NO_ACTION: "it gave neither a call nor an answer, or answered where a tool was needed",
    UNKNOWN_TOOL: "a tool that is not offered",
    REFUSED_ARGUMENTS: "the arguments are not a JSON object, or one is unknown, missing or of another type",
    FAILED: "the tool could not do what was asked",
    REPEATED: "the same call again, though nothing had changed since",
    WRONG_TOOL: "a different tool from that of the gold chain",
    WRONG_ARGUMENTS: "the tool of the gold chain with other arguments",
}
"""The types -> what they mean, in the order in which they are looked for: a call has the first that fits."""
_REFUSALS = ("wrong arguments for ", "unknown arguments ", "missing arguments ", "the arguments are ")


def errors_of(calls: Sequence[Call], transcript: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Count each type in an episode; the types that need a gold chain never occur."""
    error_counts = Counter(str(line["fault"]) for line in transcript if line.get("fault") in CALL_ERRORS)
    seen: set[tuple[str, bytes, str]] = set()
    for call in calls:
        key = (call.tool, encode_canonical(call.arguments), call.state_before)
        if kind := _error_of(call, again=key in seen):
            error_counts[kind] += 1
        if not call.error:
            seen.add(key)
    return error_counts


def error_type(text: str) -> str:
    """The type of a call that failed in its tool or before reaching it."""
    return REFUSED_ARGUMENTS if text.startswith(_REFUSALS) else FAILED


def _error_of(call: Call, *, again: bool) -> str:
    if not call.server:
        return UNKNOWN_TOOL
    if call.error:
        return error_type(call.error)
    return REPEATED if again else ""
