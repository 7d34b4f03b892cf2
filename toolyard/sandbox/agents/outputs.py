"""Long outputs: cut in the conversation, kept whole, and open to searching and paging."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolyard.world import Problem

PAGE = 10_000
MAX_HITS = 50
_AROUND = 200

READ, SEARCH = "read_kept_output", "search_kept_output"


@dataclass
class KeptOutputs:
    """The outputs of an episode that were longer than `limit` characters, as ``output_1``, ``output_2`` ..."""

    limit: int
    texts: dict[str, str] = field(default_factory=dict)

    def shortened(self, text: str) -> str:
        """`text`, or its beginning and how to get the rest."""
        if len(text) <= self.limit:
            return text
        name = f"output_{len(self.texts) + 1}"
        self.texts[name] = text
        return (
            f"{text[: self.limit]}\n[cut after {self.limit:,} of {len(text):,} characters; all of it is kept as "
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
            raise Problem(f"there is no kept output {arguments.get('output')!r}; kept: {known}")
        return self._read(text, arguments) if tool == READ else self._search(text, arguments)

    def _read(self, text: str, arguments: Mapping[str, Any]) -> str:
        offset = arguments.get("offset", 0)
        if not isinstance(offset, int) or not 0 <= offset < len(text):
            raise Problem(f"offset {offset!r} is not between 0 and {len(text) - 1}")
        end = min(offset + PAGE, len(text))
        more = f"next offset {end}" if end < len(text) else "this is the end"
        return f"{text[offset:end]}\n[characters {offset:,} to {end:,} of {len(text):,}; {more}]"

    def _search(self, text: str, arguments: Mapping[str, Any]) -> str:
        # RE2 takes time linear in the text, whatever pattern the model writes.
        import re2

        options = re2.Options()
        options.log_errors = False
        try:
            pattern = re2.compile(str(arguments.get("pattern", "")), options)
        except re2.error as error:
            raise Problem(f"{arguments.get('pattern')!r} is no regular expression (RE2 syntax): {error}") from error
        hits: list[str] = []
        for match in pattern.finditer(text):
            if len(hits) == MAX_HITS:
                hits.append(f"[more than {MAX_HITS} places; make the pattern narrower]")
                break
            around = text[max(0, match.start() - _AROUND) : match.end() + _AROUND][: 5 * _AROUND]
            hits.append(f"at {match.start()}: ...{around}...")
        return "\n".join(hits) or "no match"


def kept_output_tools() -> list[dict[str, Any]]:
    """The two tools in OpenAI's form."""
    output = {"type": "string", "description": "name of the kept output, such as output_1"}
    return [
        _tool(
            READ,
            f"Read {PAGE:,} characters of an output that was cut.",
            {"output": output, "offset": {"type": "integer", "minimum": 0, "description": "first character"}},
        ),
        _tool(
            SEARCH,
            "Search an output that was cut; gives the places with their offsets.",
            {"output": output, "pattern": {"type": "string", "description": "regular expression (RE2 syntax)"}},
        ),
    ]


def _tool(name: str, description: str, properties: dict[str, Any]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
