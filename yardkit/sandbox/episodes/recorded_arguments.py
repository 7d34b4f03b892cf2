"""The arguments of a call as the ledger keeps them: long ones as their beginning and a digest."""

import hashlib
from collections.abc import Mapping
from typing import Any

MAX_RECORDED_ARGUMENTS = 32_000
"""Characters of a call's arguments as JSON up to which the ledger keeps them as they came."""
_MAX_TEXT = 4_000
_MAX_DEPTH = 50
_ITEM = 4
"""What an item counts besides its text."""


def shorten_arguments(arguments: Mapping[str, Any], encoded: bytes) -> Mapping[str, Any]:
    """A copy of the arguments without most of what is too long.

    Args:
        arguments: of a call, in JSON's types.
        encoded: the same as JSON.
    """
    room = _Room(MAX_RECORDED_ARGUMENTS)
    digest = hashlib.sha256(encoded).hexdigest()
    return {**room.shorten_mapping(arguments, 0), "…": f"shortened; {len(encoded):,} bytes of JSON, SHA-256 {digest}"}


class _Room:
    """How many characters may still be kept."""

    def __init__(self, left: int) -> None:
        self._left = left

    def shorten_mapping(self, value: Mapping[str, Any], depth: int) -> dict[str, Any]:
        shortened: dict[str, Any] = {}
        for name, item in value.items():
            if self._left <= 0:
                break
            shortened[self._shorten_text(name)] = self._shorten(item, depth + 1)
        return shortened

    def _shorten(self, value: Any, depth: int) -> Any:
        self._left -= _ITEM
        if isinstance(value, str):
            return self._shorten_text(value)
        if isinstance(value, Mapping):
            return self.shorten_mapping(value, depth) if depth < _MAX_DEPTH else {}
        if isinstance(value, list | tuple):
            return self._shorten_list(value, depth) if depth < _MAX_DEPTH else []
        return self._shorten_number(value)

    def _shorten_list(self, value: list[Any] | tuple[Any, ...], depth: int) -> list[Any]:
        shortened = []
        for item in value:
            if self._left <= 0:
                break
            shortened.append(self._shorten(item, depth + 1))
        return shortened

    def _shorten_text(self, text: str) -> str:
        size = max(0, min(_MAX_TEXT, self._left))
        self._left -= min(len(text), _MAX_TEXT)
        if len(text) <= size:
            return text
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{text[:size]}… ({len(text):,} characters, SHA-256 {digest})"

    def _shorten_number(self, value: Any) -> Any:
        self._left -= 20
        return value if not isinstance(value, int) or abs(value) < 10**300 else f"{str(value)[:300]}…"
