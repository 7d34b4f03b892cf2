"""The deadline of a call, and how one that was ended is left behind."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from anyio import CancelScope
from anyio.lowlevel import checkpoint_if_cancelled
from fastmcp.exceptions import ToolError

from yardkit.world import Problem
from yardkit.world.running import Running, use_running

Result = TypeVar("Result")

CALL_S = 300.0
"""Seconds that a call may take, waiting for programs that others keep busy included; then it is ended."""
GRACE_S = 10.0
"""How long a call that was ended may take to say so; then its thread is left alone. It saves nothing any more."""
_TICK_S = 0.5


async def run_within_deadline(running: Running, tool: str, run: Callable[[], Awaitable[Result]]) -> Result:
    """The result of a call that may be ended from outside, and is at its deadline.

    Raises:
        ToolError: it was ended; the words say why.
    """
    with use_running(running):
        working = asyncio.ensure_future(run())
    # A client that leaves does not part the work from its line in the ledger.
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
        await asyncio.wait([working], timeout=_TICK_S)


def _forget_result(working: "asyncio.Future[Result]") -> None:
    """What an ended call raises when its thread ends at last is nobody's matter."""
    if not working.cancelled():
        working.exception()
