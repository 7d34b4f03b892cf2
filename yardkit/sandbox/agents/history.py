"""The turns of a conversation: those that the model still reads, and a complete record in which it can look things up.

When room is needed, a turn is thinned (each result becomes one line) and then left out; the record keeps all of it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.sandbox.agents.dialogue import Dialogue, Seen
from yardkit.sandbox.agents.long_texts import function_tool, page_of, places_in
from yardkit.sandbox.agents.service import ToolCall
from yardkit.world import Problem
from yardkit.world.wording import format_count

LIST, READ, SEARCH, DROP = "list_history", "read_history", "search_history", "drop_history"
LISTED = 50
"""Turns that one call of `list_history` shows."""
_LONG = 1_000
"""Characters of what the model wrote that a thinned turn keeps."""
_PICTURE = 4_000
"""Characters that a picture is counted as: about a thousand tokens."""
_TOKENS_PER_CHARACTER = 0.3
"""As long as the service has not said how many tokens the conversation has; more than in English prose."""
_FULL, _ROOMY = 0.9, 0.5
"""Shares of the model's context at which turns are cut, and to which."""

Message = Mapping[str, Any]
Retention = Literal["whole", "thinned", "left out"]


@dataclass
class Exchange:
    """One turn: the model's message and the results that it got.

    Attributes:
        message: the model's message.
        seen: its calls and their results.
        words: the user's messages after it, such as feedback; they are always kept.
    """

    number: int
    message: Message
    seen: Sequence[tuple[ToolCall, Seen]] = ()
    result_messages: Sequence[Message] = ()
    words: list[Message] = field(default_factory=list)
    retention: Retention = "whole"

    def list_messages(self, dialogue: Dialogue) -> Iterator[Message]:
        """The messages of this turn that the model still reads."""
        if self.retention == "whole":
            yield from (self.message, *self.result_messages)
        if self.retention == "thinned":
            notes = [(call, Seen(_make_drop_note(self.number, result))) for call, result in self.seen]
            yield from (_shorten_message(self.message, self.number), *dialogue.format_results(notes, images=False))
        yield from self.words

    def text(self) -> str:
        """The complete turn as text."""
        message_text = self.message.get("content") or ""
        parts = [f"you: {message_text}"] if message_text else []
        for call, result in self.seen:
            pictures = f"\n[{format_count(len(result.pictures), 'picture')}]" if result.pictures else ""
            parts.append(f"call {call.name}({call.arguments})\nresult: {result.text}{pictures}")
        return "\n\n".join([*parts, *(str(word["content"]) for word in self.words)])

    def line(self) -> str:
        """The turn in one line."""
        calls = [f"{call.name}({_cut_text(call.arguments, 120)})" for call, _ in self.seen]
        content = "; ".join(calls) or _cut_text(str(self.message.get("content")), 160)
        return f"turn {self.number} ({self.retention}): {content}"


@dataclass
class History:
    """The conversation so far.

    Attributes:
        context_tokens: size of the model's context; 0 if unknown.
    """

    dialogue: Dialogue
    context_tokens: int = 0
    opening: list[Message] = field(default_factory=list)
    turns: list[Exchange] = field(default_factory=list)
    _tokens_per_character: float = _TOKENS_PER_CHARACTER
    _measured_characters: int = field(init=False)

    def __post_init__(self) -> None:
        self._measured_characters = len(json.dumps(dict(self.dialogue.fields)))  # the tools, if no message has them

    def add_message(self, message: Message) -> None:
        """Add a message of the system or the user."""
        (self.turns[-1].words if self.turns else self.opening).append(message)

    def add(self, message: Message) -> None:
        """Add a message of the model."""
        self.turns.append(Exchange(len(self.turns) + 1, message))

    def add_results(self, seen: Sequence[tuple[ToolCall, Seen]], *, images: bool) -> None:
        """Add the results of the last turn's calls."""
        self.turns[-1].seen = seen
        self.turns[-1].result_messages = self.dialogue.format_results(seen, images=images)

    def note(self, text: str) -> None:
        """Add a note that is dropped together with the results of the last turn."""
        self.turns[-1].result_messages = [*self.turns[-1].result_messages, {"role": "user", "content": text}]

    def list_messages(self) -> list[Message]:
        """The messages to send to the model."""
        gone = [turn.number for turn in self.turns if turn.retention == "left out"]
        which = f"[Turns {_format_spans(gone)} are left out here; {LIST}, {READ} and {SEARCH} have them.]"
        notes = [{"role": "user", "content": which}] if gone else []
        return [*self.opening, *notes, *(part for turn in self.turns for part in turn.list_messages(self.dialogue))]

    def measured(self, prompt_tokens: int) -> None:
        """Record how many tokens the messages had, as the service counted them."""
        if prompt_tokens:
            self._tokens_per_character = prompt_tokens / self._count_characters()

    def tokens(self) -> int:
        """About how many tokens the messages have now."""
        return round(self._count_characters() * self._tokens_per_character)

    def is_nearly_full(self) -> bool:
        """Whether the next answer may not fit; False if the size of the context is unknown."""
        return bool(self.context_tokens) and self.tokens() > _FULL * self.context_tokens

    def describe_usage(self) -> str:
        """How full the context is, in words."""
        used = self.tokens()
        share_text = f" of {self.context_tokens:,}, {used / self.context_tokens:.0%}" if self.context_tokens else ""
        return f"[context: about {used:,} tokens{share_text}]"

    def thin_turns(self, newest: int) -> list[int]:
        """Keep only the results of the `newest` turns; return the numbers of the turns that lost theirs."""
        last = len(self.turns) - newest
        thinned = [turn for turn in self.turns if turn.number <= last and turn.retention == "whole" and turn.seen]
        for turn in thinned:
            turn.retention = "thinned"
        return [turn.number for turn in thinned]

    def make_room(self) -> str:
        """Thin turns, and if that is not enough leave them out, oldest first; return a description of what was done."""
        before, excess = self.tokens(), self._count_excess()
        thin = [turn for turn in self.turns if turn.retention == "whole" and turn.seen]
        thinned, excess = self._reduce_turns(thin, "thinned", excess)
        gone, _ = self._reduce_turns(
            [turn for turn in self.turns[:-1] if turn.retention != "left out"], "left out", excess
        )
        cut_descriptions = [
            f"{what} turns {_format_spans(which)}"
            for what, which in (("thinned", thinned), ("left out", gone))
            if which
        ]
        return (
            f"{'; '.join(cut_descriptions)}: about {before:,} tokens became {self.tokens():,}"
            if cut_descriptions
            else ""
        )

    def _count_excess(self) -> float:
        """Count the characters to drop: half of all turns if the context is unknown or smaller than configured."""
        if self.is_nearly_full():
            return (self.tokens() - _ROOMY * self.context_tokens) / self._tokens_per_character
        return sum(map(self._characters_of, self.turns)) / 2

    def _reduce_turns(
        self, turns: Sequence[Exchange], retained_part: Retention, excess: float
    ) -> tuple[list[int], float]:
        """Reduce turns while `excess` characters remain; return the numbers of those turns and the remaining excess."""
        lessened = []
        for turn in turns:
            if excess <= 0:
                break
            before, turn.retention = self._characters_of(turn), retained_part
            excess -= before - self._characters_of(turn)
            lessened.append(turn.number)
        return lessened, excess

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Answer one of the tools of `history_tools`.

        Raises:
            Problem: a wrong argument.
        """
        if tool == DROP:
            return self._drop_results(arguments)
        if tool == SEARCH:
            return self._search_turns(str(arguments.get("pattern", "")))
        if tool == READ:
            turn = self.turns[_read_number(arguments, "turn", 1, len(self.turns)) - 1]
            return page_of(turn.text() or "(nothing)", arguments.get("offset", 0))
        first = _read_number({"first": 1, **arguments}, "first", 1, len(self.turns))
        listed = self.turns[first - 1 :][:LISTED]
        more = f"next first {first + LISTED}" if first + LISTED <= len(self.turns) else "this is the end"
        return "\n".join([*(turn.line() for turn in listed), f"[{format_count(len(self.turns), 'turn')}; {more}]"])

    def _search_turns(self, pattern: str) -> str:
        hits = [f"turn {turn.number} {place}" for turn in self.turns[:-1] for place in places_in(turn.text(), pattern)]
        more = [f"[{len(hits)} places; make the pattern narrower]"] * (len(hits) > LISTED)
        return "\n".join(hits[:LISTED] + more) or "no match"

    def _drop_results(self, arguments: Mapping[str, Any]) -> str:
        dropped = self.thin_turns(_read_number(arguments, "keep_turns", 1, len(self.turns)))
        return (
            f"dropped the results of turns {_format_spans(dropped)}. {self.describe_usage()}"
            if dropped
            else "nothing to drop"
        )

    def _count_characters(self) -> int:
        return self._measured_characters + sum(_estimate_size(message) for message in self.list_messages())

    def _characters_of(self, turn: Exchange) -> int:
        return sum(_estimate_size(message) for message in turn.list_messages(self.dialogue))


def history_tools() -> list[dict[str, Any]]:
    """The tools, in OpenAI's format, to look up turns that left the conversation and to make room."""
    number = {"type": "integer", "minimum": 1}
    turn, first = {**number, "description": "number of the turn"}, {**number, "description": "first turn to list"}
    offset = {"type": "integer", "minimum": 0, "description": "first character"}
    pattern = {"type": "string", "description": "regular expression (RE2 syntax)"}
    keep = {**number, "description": "the number of newest turns that keep their results"}
    drop = "Drop results from the conversation to make room; they can be read again."
    return [
        function_tool(LIST, f"List {LISTED} turns of this conversation, one line each.", {"first": first}, ()),
        function_tool(READ, "Read a turn of this conversation.", {"turn": turn, "offset": offset}, ("turn",)),
        function_tool(SEARCH, "Search all turns of this conversation.", {"pattern": pattern}),
        function_tool(DROP, drop, {"keep_turns": keep}),
    ]


def _make_drop_note(number: int, result: Seen) -> str:
    return f"[dropped: {len(result.text):,} characters; {READ}(turn={number}) has them]"


def _shorten_message(message: Message, number: int) -> Message:
    """The model's message with its long parts cut."""
    note = f" [... cut; {READ}(turn={number}) has all]"
    short = dict(message)
    if isinstance(message.get("content"), str) and len(message["content"]) > _LONG:
        short["content"] = message["content"][:_LONG] + note
    if message.get("tool_calls"):
        short["tool_calls"] = [_shortened_call(call, note) for call in message["tool_calls"]]
    return short


def _shortened_call(call: Message, note: str) -> Message:
    arguments = call["function"]["arguments"]
    if len(arguments) <= _LONG:
        return call
    # Services refuse arguments that are not JSON, so the cut text is wrapped in an object.
    shortened_arguments = json.dumps({"cut": arguments[:_LONG] + note}, ensure_ascii=False)
    return {**call, "function": {**call["function"], "arguments": shortened_arguments}}


def _estimate_size(message: Message) -> int:
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
    estimated_length = sum(_PICTURE if part["type"] == "image_url" else len(part["text"]) for part in parts)
    return estimated_length + len(json.dumps(message.get("tool_calls") or "", ensure_ascii=False))


def _read_number(arguments: Mapping[str, Any], name: str, least: int, most: int) -> int:
    value = arguments.get(name)
    if not isinstance(value, int) or not least <= value <= most:
        raise Problem(f"{name} {value!r} is not between {least} and {most}")
    return value


def _cut_text(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}..."


def _format_spans(numbers: Sequence[int]) -> str:
    """Numbers in order as ``1 to 4, 6``."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return ", ".join(f"{span[0]} to {span[-1]}" if len(span) > 1 else str(span[0]) for span in spans)
