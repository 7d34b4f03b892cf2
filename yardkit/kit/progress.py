"""Progress of long calls, since clients give up on a call after about a minute without a message."""

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
    """Send progress to the client of this request, if it asked for it, while the block runs."""
    try:
        context = get_context()
    except RuntimeError:  # the call comes from this process, without a client
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
