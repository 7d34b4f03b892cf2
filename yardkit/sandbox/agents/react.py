"""The ReAct text protocol, for models without tool calling: Thought, Action, Action Input, Observation, Final Answer.

Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models" (2023), in the form that LangChain and Lagent
made common. The first message lists the tools; each turn makes one call, and its result comes back as the observation.
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.sandbox.agents.dialogue import TASK, Seen, Turn, picture_parts, without_thoughts
from yardkit.sandbox.agents.service import Answer, ToolCall

ASKED_AGAIN = 2
"""Turns in a row that are asked for again because nothing can be read from them; the next one is the answer."""
MAX_LITERAL = 100_000
"""Characters of an input that is no JSON and is tried as a Python literal."""

_FORMAT = """
Write exactly this, one action at a time, and stop after its input:

Thought: what you think
Action: the name of one tool
Action Input: its arguments, as one JSON object
Observation: the answer of the tool; it is given to you, never write it yourself
... (these four repeat as often as needed)

When the work is done, write instead:

Thought: why it is done
Final Answer: your answer, as the task wants it"""
_COMPLAINT = (
    "error: there is neither an action nor a final answer in what you wrote. Write `Action: TOOL` and on the next line "
    "`Action Input: JSON OBJECT`, or `Final Answer: ANSWER` when the work is done"
)
_LABEL = re.compile(
    r"^[ \t>#*_-]*(?P<name>final[ _]?answer|action[ _]?input|action|observation|thought)[ \t]*[*_]*[ \t]*:[*_]*",
    re.IGNORECASE | re.MULTILINE,
)
_NAME = re.compile(r"[\s`\"'*\[(]*(final answer|[a-z_][\w.-]*)", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:`{1,3}(?:json|python)?\s*)?", re.IGNORECASE)
_NAMES, _INPUTS = ("action", "name", "tool", "function"), ("action_input", "arguments", "args", "input", "parameters")
"""What models call the two parts of an action that they write as one JSON object."""


class React:
    """Tools as text."""

    fields: Mapping[str, Any] = {"stop": ["\nObservation:"]}

    def __init__(self, tools: Sequence[Mapping[str, Any]]) -> None:
        self.system = "\n".join(
            [f"{TASK} The tools, with the JSON schemas of their arguments:", *_list_tools(tools), _FORMAT]
        )
        self._calls = 0
        self._unreadable = 0

    def parse_turn(self, answer: Answer) -> Turn:
        text = without_thoughts(answer.text)
        step = read_step(text)
        message = {"role": "assistant", "content": step.text if step else text or "(nothing)"}
        if step is None:
            self._unreadable += 1
            complaint = _COMPLAINT if self._unreadable <= ASKED_AGAIN else ""
            return Turn(text, message, complaint=complaint, cut=answer.cut)
        self._unreadable = 0
        if not step.tool:
            return Turn(step.given, message, cut=answer.cut)
        self._calls += 1
        call = ToolCall(f"action_{self._calls}", step.tool, step.given)
        return Turn(step.text, message, (call,), cut=answer.cut)

    def format_results(self, seen: Sequence[tuple[ToolCall, Seen]], *, images: bool) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = []
        for call, result in seen:
            text = f"Observation: {result.text}"
            pictures = picture_parts(call, result) if images else []
            content = [{"type": "text", "text": text}, *pictures] if pictures else text
            messages.append({"role": "user", "content": content})
        return messages


@dataclass(frozen=True)
class Step:
    """The action or final answer in a text.

    Attributes:
        text: the text up to its end; anything that the model made up after its own action is left out.
        tool: empty for a final answer.
        given: the arguments, as JSON if the model wrote JSON; or the answer.
    """

    text: str
    tool: str
    given: str


def read_step(text: str) -> Step | None:
    """Parse the first action or final answer in a text; None if there is neither.

    Models vary the format: labels may be in any case, bold, quoted or in a list; an input may be in a code fence, be a
    Python literal, or follow the tool's name; an action may be one JSON object. Unreadable input is returned unchanged.
    """
    labels = list(_LABEL.finditer(text))
    for place, label in enumerate(labels):
        following = labels[place + 1 :]
        if _normalize_name(label["name"]) == "finalanswer":
            return Step(text, "", _without_open_bold(text[label.end() :].strip()))
        if _normalize_name(label["name"]) == "action" and (step := _parse_action(text, label.end(), following)):
            return step
    return None


def _parse_action(text: str, start: int, following: Sequence["re.Match[str]"]) -> Step | None:
    """Parse the text after the label of an action; None if it names no tool."""
    end = following[0].start() if following else len(text)
    if parsed_object := _object_at(text, start):
        return _parse_single_object(text, *parsed_object)
    named = _NAME.match(text, start, end)
    if named is None:
        return None
    if following and _normalize_name(following[0]["name"]) == "actioninput":
        end = following[1].start() if len(following) > 1 else len(text)
        given, input_end = _parse_input(text, following[0].end(), end)
    else:
        brace = text.find("{", named.end(), end)
        given, input_end = _parse_input(text, brace, end) if brace >= 0 else ("{}", end)
    return _make_step(text[:input_end].rstrip(), named[1].rstrip("."), given)


def _make_step(step_text: str, tool: str, given: str) -> Step:
    """Make the step; some models end with an action named like the final answer."""
    return Step(step_text, "" if _normalize_name(tool) == "finalanswer" else tool, given)


def _parse_input(text: str, start: int, end: int) -> tuple[str, int]:
    """Parse the arguments between two positions, as JSON if they are readable, and return where they end."""
    if parsed_object := _object_at(text, start):
        return json.dumps(parsed_object[0]), parsed_object[1]
    given = _FENCE.sub("", text[start:end], count=1).strip().strip("`").strip()
    return "{}" if given.lower() in ("", "none", "null") else given, end


def _parse_single_object(text: str, record: Mapping[str, Any], end: int) -> Step | None:
    """Read an action written as one object with the tool's name and its arguments."""
    tool = next((record[name] for name in _NAMES if isinstance(record.get(name), str)), "")
    given: Any = next((record[name] for name in _INPUTS if name in record), {})
    if not tool:
        return None
    return _make_step(text[:end].rstrip(), tool, given if isinstance(given, str) else json.dumps(given))


def _object_at(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    """Parse the object that begins there, as JSON or a Python literal, perhaps in a fence; return it and its end."""
    fence = _FENCE.match(text, start)
    begin = fence.end() if fence else start
    if not text.startswith("{", begin):
        return None
    try:
        parsed_object, end = json.JSONDecoder(strict=False).raw_decode(text, begin)
    except (ValueError, RecursionError):
        return _literal_at(text, begin)
    return parsed_object, end


def _literal_at(text: str, begin: int) -> tuple[dict[str, Any], int] | None:
    """Parse a Python dictionary that ends at the last brace before the next label."""
    label = _LABEL.search(text, begin)
    end = text.rfind("}", begin, label.start() if label else len(text)) + 1
    if not 0 < end - begin <= MAX_LITERAL:
        return None
    try:
        parsed_literal = ast.literal_eval(text[begin:end])
        json.dumps(parsed_literal)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return (parsed_literal, end) if isinstance(parsed_literal, dict) else None


def _without_open_bold(answer: str) -> str:
    """Remove a closing ``**`` whose opening mark is before the label, as in ``**Final Answer: 42**``."""
    return answer.removesuffix("**").rstrip() if answer.count("**") % 2 else answer


def _normalize_name(name: str) -> str:
    return re.sub(r"[\s_]", "", name).lower()


def _list_tools(tools: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = []
    for function in (tool["function"] for tool in tools):
        schema = json.dumps(function["parameters"], ensure_ascii=False, separators=(",", ":"))
        lines.append(f"\n{function['name']}: {function['description']}\nArguments: {schema}")
    return lines
