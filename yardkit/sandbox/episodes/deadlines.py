"""The deadline of a call, and abandoning a call that was ended."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from anyio import CancelScope
from anyio.lowlevel import checkpoint_if_cancelled
from fastmcp.exceptions import ToolError

from yardkit.world import Problem
from yardkit.world.guard import Running, use_guard

Result = TypeVar("Result")

CALL_S = 300.0
"""Seconds that a call may take, waiting for programs that others keep busy included; then it is ended."""
GRACE_S = 10.0
"""How long a call that was ended may take to say so; then its thread is left alone. It saves nothing any more."""
_TICK_S = 0.5


async def run_within_deadline(running: Running, tool: str, run: Callable[[], Awaitable[Result]]) -> Result:
    """Run a call that ends at its deadline or when it is ended from outside, and return its result.

    Raises:
        ToolError: it was ended; the message says why.
    """
    with use_guard(running=running):
        working = asyncio.ensure_future(run())
    # If the client disconnects, the work must still get its line in the ledger.
    with CancelScope(shield=True):
        await _finish_call(working, running, tool)
    if running.reason:
        working.add_done_callback(_forget_result)
        raise ToolError(running.reason) from Problem(running.reason)
    await checkpoint_if_cancelled()
    try:
        return working.result()
    finally:
        # The error that it raises knows this frame: in a circle they would hold all arguments for long.
        del working


async def _finish_call(working: "asyncio.Future[Result]", running: Running, tool: str) -> None:
    deadline, ended = time.monotonic() + CALL_S, 0.0
    while not working.done():
        now = time.monotonic()
        if now > deadline:
            running.end(f"{tool} was given up after {CALL_S:g} s; ask for less at once")
        if running.reason:
            ended = ended or now
            if now > ended + GRACE_S:
                return
        # Wake up regularly, because a call may be ended from another thread.
        await asyncio.wait([working], timeout=_TICK_S)


def _forget_result(working: "asyncio.Future[Result]") -> None:
    """Ignore the error of an ended call whose thread finishes late; it has been answered already."""
    if not working.cancelled():
        working.exception()
