"""Lines on stdin that the MCP library cannot read and would not answer."""

import json
import re
from typing import Any

import anyio
import pydantic
from anyio.streams.memory import MemoryObjectSendStream
from fastmcp import FastMCP
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from yardkit.kit.arguments import HALF


def answer_broken_lines(server: FastMCP[Any]) -> None:
    """Make `server` answer each line on stdin, with an error if it is not a message.

    A line with half of an emoji (a lone surrogate, sent by models and clients that cut texts) is valid JSON but not
    valid text; it is passed on to its tool, which refuses it with a clear message.
    """
    serve = server._mcp_server.run

    async def run(read: Any, write: Any, *args: Any, **kwargs: Any) -> None:
        send, receive = anyio.create_memory_object_stream[SessionMessage | Exception]()
        async with anyio.create_task_group() as group:
            group.start_soon(_relay_lines, read, send, write)
            await serve(receive, write, *args, **kwargs)

    server._mcp_server.run = run  # type: ignore[method-assign,assignment]


async def _relay_lines(read: Any, send: MemoryObjectSendStream[SessionMessage | Exception], write: Any) -> None:
    async with send:
        async for item in read:
            message = _repair_line(item) if isinstance(item, pydantic.ValidationError) else item
            if isinstance(message, JSONRPCError):
                await write.send(SessionMessage(message))
            else:
                await send.send(message)


def _repair_line(error: pydantic.ValidationError) -> SessionMessage | JSONRPCError | Exception:
    """Return the message of an unreadable line, or the answer to it; nothing for a blank line."""
    inputs = [detail["input"] for detail in error.errors()]
    line = inputs[0] if error.errors()[0]["type"] == "json_invalid" else None
    if line is None:
        numbers = [record["id"] for record in inputs if isinstance(record, dict) and "id" in record]
        return _make_answer(INVALID_REQUEST, numbers[0] if numbers else None)
    try:
        repaired_line = re.sub("[\ud800-\udfff]", HALF, json.dumps(json.loads(line), ensure_ascii=False))
        return SessionMessage(jsonrpc_message_adapter.validate_json(repaired_line, by_name=False))
    except (ValueError, RecursionError):
        return _make_answer(PARSE_ERROR, None) if line.strip() else error


def _make_answer(code: int, number: Any) -> JSONRPCError:
    message = "the line is not a JSON-RPC message; send one object on one line"
    known = number if isinstance(number, str | int) else None
    return JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=code, message=message))
