"""The outcome of a call: the fields of its ledger line about the result or the error."""

import asyncio
import hashlib
from dataclasses import dataclass

from fastmcp.exceptions import NotFoundError, ValidationError
from fastmcp.tools import ToolResult

from yardkit.kit.results import adapt_result
from yardkit.sandbox.episodes.ledger import MAX_RECORDED_TEXT, Ledger, encode_canonical, text_of
from yardkit.world import Problem, Unavailable


@dataclass(frozen=True)
class Outcome:
    """The fields of a `Call` about its result."""

    error: str
    crashed: bool
    bytes_out: int
    result_digest: str
    text: str
    media: tuple[str, ...]


def outcome_of(result: ToolResult | None, error: BaseException | None, ledger: Ledger) -> Outcome:
    """Make the outcome of a call, and store the pictures and sounds of its result beside the ledger."""
    given = adapt_result(result) if result else None
    content = given.content if given else []
    encoded = encode_canonical(
        {
            "content": [block.model_dump(mode="json", exclude_none=True) for block in content],
            "structured": given.structured_content if given else None,
            "error": _format_error(error),
        }
    )
    return Outcome(
        error=_format_error(error),
        crashed=error is not None and not _is_foreseen(error),
        bytes_out=len(encoded),
        result_digest=hashlib.sha256(encoded).hexdigest(),
        text=text_of(content)[:MAX_RECORDED_TEXT],
        media=ledger.keep_media(content),
    )


def _format_error(error: BaseException | None) -> str:
    if error is None:
        return ""
    return str(error) or ("cancelled by the client" if isinstance(error, asyncio.CancelledError) else repr(error))


def _is_foreseen(error: BaseException) -> bool:
    """Whether the failure is not our fault: a `Problem`, wrong arguments, an unknown tool, a client that left."""
    foreseen = (Problem, NotFoundError, ValidationError, asyncio.CancelledError)
    causes = (error, error.__cause__)
    unavailable = any(isinstance(cause, Unavailable) for cause in causes)
    return not unavailable and any(isinstance(cause, foreseen) for cause in causes)
