"""Long outputs: cut in the conversation, kept in full for searching and paging."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from yardkit.sandbox.agents.long_texts import PAGE, function_tool, page_of, places_in
from yardkit.world import Problem

MAX_HITS = 50

READ, SEARCH = "read_kept_output", "search_kept_output"


@dataclass
class LongOutputs:
    """The outputs of an episode that were longer than `limit` characters, as ``output_1``, ``output_2`` ..."""

    limit: int
    texts: dict[str, str] = field(default_factory=dict)

    def shortened(self, text: str) -> str:
        """Return `text`, or its beginning and instructions for reading the rest."""
        if len(text) <= self.limit:
            return text
        name = f"output_{len(self.texts) + 1}"
        self.texts[name] = text
        return (
            f"{text[: self.limit]}\n[cut after {self.limit:,} of {len(text):,} characters; the full text is kept as "
            f"{name}: read on with {READ}(output={name!r}, offset={self.limit}) or search it with {SEARCH}]"
        )

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Answer `read_kept_output` or `search_kept_output`.

        Raises:
            Problem: a wrong argument.
        """
        text = self.texts.get(str(arguments.get("output")))
        if text is None:
            known = ", ".join(self.texts) or "none yet"
            raise Problem(f"there is no output {arguments.get('output')!r}; the kept outputs are: {known}")
        if tool == READ:
            return page_of(text, arguments.get("offset", 0))
        hits = list(islice(places_in(text, str(arguments.get("pattern", ""))), MAX_HITS + 1))
        if len(hits) > MAX_HITS:
            hits[MAX_HITS] = f"[more than {MAX_HITS} places; make the pattern narrower]"
        return "\n".join(hits) or "no match"


def list_output_tools() -> list[dict[str, Any]]:
    """The two tools in OpenAI's format."""
    output = {"type": "string", "description": "name of the kept output, such as output_1"}
    return [
        function_tool(
            READ,
            f"Read {PAGE:,} characters of an output that was cut.",
            {"output": output, "offset": {"type": "integer", "minimum": 0, "description": "first character"}},
        ),
        function_tool(
            SEARCH,
            "Search an output that was cut; returns the matches with their offsets.",
            {"output": output, "pattern": {"type": "string", "description": "regular expression (RE2 syntax)"}},
        ),
    ]
