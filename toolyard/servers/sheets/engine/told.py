"""The result of tools that change objects of a workbook."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from toolyard.world import FileRef


@dataclass(frozen=True)
class Changed:
    """A saved change: what was done, and the objects as the saved file then has them."""

    done: str
    file: FileRef
    found: list[Any] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([f"{self.done}. {self.file}", *map(str, self.found)])
