"""A client that asks for progress hears of a long call; the call ends when the client has heard of it."""

import threading
from dataclasses import dataclass
from typing import Any

import pytest
from fastmcp import Client

from yardkit.kit import surface
from yardkit.kit.surface import make_server, tool

mcp = make_server("toy", "Waits until the client has heard of it.")
heard = threading.Event()


@dataclass(frozen=True)
class Done:
    def __str__(self) -> str:
        return "done"


@tool(mcp)
def wait_long() -> Done:
    """Wait."""
    assert heard.wait(240)
    return Done()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_long_call_tells_that_it_is_at_work(monkeypatch: pytest.MonkeyPatch, mode: Any) -> None:
    monkeypatch.setattr(surface, "EVERY_S", 0.01)
    heard.clear()
    messages = []

    async def hear(_progress: float, _total: float | None, message: str | None) -> None:
        messages.append(message)
        heard.set()

    async with Client(mcp, mode=mode) as client:
        result = await client.call_tool("wait_long", {}, progress_handler=hear)
    assert result.content[0].text == "done"
    assert messages[0] == "wait_long is at work, 0.01 s so far"
