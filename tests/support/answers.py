"""Calls on a server and their answers, for tests without an event loop of their own."""

import asyncio
import base64
import io
import json
from collections.abc import Callable
from typing import Any

import PIL.Image
from fastmcp import Client, FastMCP

Call = Callable[..., Any]


def caller(server: FastMCP[Any]) -> Call:
    """Calls a tool; the answer has `.content`, `.structured_content` and `.is_error`."""

    def call(tool: str, **arguments: object) -> Any:
        async def once() -> Any:
            async with Client(server) as client:
                return await client.call_tool(tool, arguments, raise_on_error=False)

        return asyncio.run(once())

    return call


def pictures(answer: Any) -> list[PIL.Image.Image]:
    shown = (base64.b64decode(each.data) for each in answer.content if each.type == "image")
    return [PIL.Image.open(io.BytesIO(data)) for data in shown]


def told(answer: Any) -> str:
    text: str = answer.content[0].text
    return text


def facts(answer: Any) -> Any:
    assert not answer.is_error, told(answer)
    return json.loads(told(answer))
