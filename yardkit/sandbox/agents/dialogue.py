"""How a model sees its tools, calls them and gets their results: by the API's ``tools``, or as text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mcp.types import ImageContent

from yardkit.sandbox.agents.service import Answer, ToolCall

DONE = "claim_done"
TASK = """\
You do a person's work with the tools that you are given. Its files, if there are any, are in a folder, the workspace. \
No one can answer questions: decide yourself, and check what you did."""

_THOUGHTS = re.compile(r".*</think(?:ing)?>|^\s*<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Seen:
    """The result of a call as the model sees it. An error is text, too."""

    text: str
    pictures: Sequence[ImageContent] = ()
    failed: bool = False


@dataclass(frozen=True)
class Turn:
    """The model's message, parsed.

    Attributes:
        text: the readable text; without calls it is the answer.
        message: the message to add to the conversation.
        complaint: the error to show to the model if it gave neither a call nor an answer; else empty.
        cut: why the service ended the answer before the model did; empty if it did not.
    """

    text: str
    message: Mapping[str, Any]
    calls: tuple[ToolCall, ...] = ()
    complaint: str = ""
    cut: str = ""

    def is_empty(self) -> bool:
        """Whether the message contains nothing except thoughts."""
        return not self.calls and not without_thoughts(self.text)

    def with_hint(self, error: str) -> str:
        """Return the error to show to the model, with a note if its message was cut off."""
        return f"{error}; your answer was cut off ({self.cut}), so write less at a time" if self.cut else error


class Dialogue(Protocol):
    """The protocol of tools in one conversation."""

    system: str
    """The first message."""
    fields: Mapping[str, Any]
    """What it adds to the body of each request."""

    def parse_turn(self, answer: Answer) -> Turn:
        """Parse the model's answer."""

    def format_results(self, seen: Sequence[tuple[ToolCall, Seen]], *, images: bool) -> list[dict[str, Any]]:
        """Make the messages with the results of a turn's calls; pictures are included only if `images`."""


class ToolCalling:
    """The API's own tool calling: ``tools`` in the request, ``tool_calls`` in the answer, messages of the role tool."""

    system = f"{TASK} When the work is done, call {DONE} with your final answer."

    def __init__(self, tools: Sequence[Mapping[str, Any]], parallel: bool | None) -> None:
        request_options = {} if parallel is None else {"parallel_tool_calls": parallel}
        self.fields: Mapping[str, Any] = {"tools": [*tools, _DONE_TOOL], **request_options}

    def parse_turn(self, answer: Answer) -> Turn:
        return Turn(answer.text, answer.message, answer.calls, cut=answer.cut)

    def format_results(self, seen: Sequence[tuple[ToolCall, Seen]], *, images: bool) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = [
            {"role": "tool", "tool_call_id": call.id, "content": result.text} for call, result in seen
        ]
        pictures = [part for call, result in seen for part in picture_parts(call, result)]
        if pictures and images:
            # A tool message can only contain text, so the pictures follow in a separate message.
            messages.append({"role": "user", "content": pictures})
        return messages


def without_thoughts(text: str) -> str:
    """Remove the model's thoughts, which some services leave in the text."""
    return _THOUGHTS.sub("", text).strip()


def picture_parts(call: ToolCall, seen: Seen) -> list[dict[str, Any]]:
    """The pictures in a result as parts of a message, after a line that names their call."""
    if not seen.pictures:
        return []
    urls = [f"data:{block.mime_type};base64,{block.data}" for block in seen.pictures]
    parts = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    return [{"type": "text", "text": f"Pictures in the result of {call.name} ({call.id}):"}, *parts]


_DONE_TOOL = {
    "type": "function",
    "function": {
        "name": DONE,
        "description": "Say that the work is done, and give the final answer. Ends the run.",
        "parameters": {
            "type": "object",
            "properties": {"answer": {"type": "string", "description": "the final answer, as the task wants it"}},
            "required": ["answer"],
        },
    },
}
