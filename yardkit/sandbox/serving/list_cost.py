"""The cost of a list of tools, all of which is part of each request to a model."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from fastmcp.tools import Tool

CHARACTERS_OF_A_TOKEN = 4
"""About; models differ."""
MANY_TOKENS = 20_000
"""From here on it is said how to get fewer."""


@dataclass(frozen=True)
class ListCost:
    """The number of tools in a list, and the approximate tokens of their names, descriptions and arguments."""

    tools: int
    tokens: int

    def __str__(self) -> str:
        counted = f"{self.tools} {'tool' if self.tools == 1 else 'tools'}"
        return f"{counted}, about {self.tokens:,} tokens in each request to a model"


def list_cost(tools: Iterable[Tool]) -> ListCost:
    """Compute the cost of `tools`."""
    texts = [
        json.dumps([tool.name, tool.description, tool.parameters], ensure_ascii=False, separators=(",", ":"))
        for tool in tools
    ]
    return ListCost(len(texts), sum(map(len, texts)) // CHARACTERS_OF_A_TOKEN)
