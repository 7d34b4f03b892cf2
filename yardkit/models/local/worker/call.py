"""A request to a route of the worker: its size-limited body, and the client, which may disconnect."""

import asyncio
import json
from collections.abc import Awaitable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from yardkit.models.local.worker.engine import Engine
from yardkit.models.local.worker.faults import TooLarge
from yardkit.models.local.worker.jobs import Jobs
from yardkit.models.local.worker.reading import MAX_BODY_BYTES
from yardkit.world import Problem

Shape = TypeVar("Shape", bound=BaseModel)


class Call:
    """A request to a route.

    Attributes:
        engine: the models.
        jobs: long work.
        request: the received request.
        model: the name of the model found for it; empty before that.
    """

    def __init__(self, engine: Engine, jobs: Jobs, request: Request) -> None:
        self.engine, self.jobs, self.request, self.model = engine, jobs, request, ""

    @property
    def priority(self) -> int:
        """The priority from -100 to 100; higher goes first.

        Raises:
            Problem: the header is not such a number.
        """
        priority_text = self.request.headers.get("x-priority", "0")
        try:
            return max(-100, min(100, int(priority_text)))
        except ValueError as error:
            raise Problem(f"X-Priority is {priority_text[:40]!r}; give a whole number from -100 to 100") from error

    async def body(self, shape: type[Shape]) -> Shape:
        """Parse the JSON body.

        Raises:
            TooLarge: it is over the limit.
            Problem: it is not JSON, or has another shape.
        """
        data = await self.read()
        return (
            # Parsing a large body would block the event loop.
            await asyncio.to_thread(_validate_body, shape, data) if len(data) > 100_000 else _validate_body(shape, data)
        )

    async def read(self) -> bytes:
        """Read the bytes of the body.

        Raises:
            TooLarge: they are over the limit.
        """
        data = bytearray()
        async for part in self.request.stream():
            data += part
            if len(data) > MAX_BODY_BYTES:
                raise TooLarge(f"the request has over {MAX_BODY_BYTES:,} bytes; send a smaller picture or sound")
        return bytes(data)

    async def unless_gone(self, work: Awaitable[Any]) -> Any:
        """Return the result of the work; cancel it when the client closes the connection.

        Raises:
            ClientDisconnect: the client has gone.
        """
        task, gone = asyncio.ensure_future(work), asyncio.ensure_future(self._await_disconnect())
        try:
            await asyncio.wait([task, gone], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise ClientDisconnect
        finally:
            task.cancel()
            gone.cancel()

    async def _await_disconnect(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass


def _validate_body(shape: type[Shape], data: bytes) -> Shape:
    try:
        return shape.model_validate_json(data)
    except ValidationError as error:
        raise Problem(describe_fault(error)) from error


def describe_fault(error: ValidationError) -> str:
    """Describe the first fault of a body."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"])) or "the body"
    value = json.dumps(first.get("input"), default=str)[:60]
    return f"{where}: {first['msg']} (it is {value})"
