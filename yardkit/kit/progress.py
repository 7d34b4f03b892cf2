"""Progress of long calls: clients give up on a call of which they hear nothing for a minute or so."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastmcp import Context
from fastmcp.server.dependencies import get_context

EVERY_S = 10.0
"""Seconds between two signs of life."""


@asynccontextmanager
async def signs_of_life(tool: str) -> AsyncIterator[None]:
    """Let the client of this request hear, if it asked for that, that the body is still at work."""
    try:
        context = get_context()
    except RuntimeError:  # a call from this process, without a client
        yield
        return
    telling = asyncio.create_task(_report_progress(context, tool))
    try:
        yield
    finally:
        telling.cancel()


async def _report_progress(context: Context, tool: str) -> None:
    for number in itertools.count(1):
        await asyncio.sleep(EVERY_S)
        seconds = number * EVERY_S
        await context.report_progress(seconds, message=f"{tool} is at work, {seconds:g} s so far")
