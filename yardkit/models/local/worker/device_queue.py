"""The queue of the device: one thread works on calls in order of priority, and batches those of one kind."""

import asyncio
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from yardkit.models.local.families.contract import Prepared, Stopped, Watch
from yardkit.models.local.families.loading import GATE
from yardkit.models.local.worker.faults import Broken, Busy, NoMemory, is_broken, is_out_of_memory
from yardkit.models.local.worker.memory import Slot
from yardkit.world import Problem

WINDOW_S = 0.005
"""How long a call waits for its like, where some are on their way."""
_RECENT_S = 0.05
MOST_WAITING = 512


@dataclass(eq=False)
class Call:
    """A prepared request that waits for the device."""

    slot: Slot
    prepared: Prepared
    priority: int
    watch: Watch
    future: "asyncio.Future[Any]"
    loop: asyncio.AbstractEventLoop
    since: float = field(default_factory=time.monotonic)

    @property
    def kind(self) -> Hashable:
        """The common key of calls that can be batched; for a call that runs alone, the call itself."""
        return self if self.prepared.key is None else (self.slot.name, self.prepared.key)

    def answer(self, output: Any) -> None:
        self.loop.call_soon_threadsafe(self._settle_future, output, None)

    def fail(self, error: BaseException) -> None:
        self.loop.call_soon_threadsafe(self._settle_future, None, error)

    def _settle_future(self, output: Any, error: BaseException | None) -> None:
        if self.future.done():
            return
        if error is None:
            self.future.set_result(output)
        else:
            self.future.set_exception(error)


class Lane:
    """The thread of a device.

    Args:
        spare: frees memory of the device except that of the model in this slot; called in the thread.
        note: called for each batch with the model, the number of calls, and the seconds.
    """

    def __init__(self, spare: Callable[[Slot], None], note: Callable[[str, int, float], None]) -> None:
        self._spare, self._note = spare, note
        self._changed = threading.Condition()
        self._waiting: list[Call] = []
        self._last: dict[str, tuple[Hashable, int, float]] = {}
        self._closed = False
        self.broken = ""
        self._thread = threading.Thread(target=self._run_calls, name="yardkit-device", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The number of waiting calls."""
        return len(self._waiting)

    async def run(self, slot: Slot, prepared: Prepared, priority: int, watch: Watch) -> Any:
        """Run a request and return the model's output. If cancelled, it leaves the queue or ends at its next step.

        Raises:
            Busy: too many calls wait.
            NoMemory: the device has too little memory, even without other models.
            Broken: the device no longer answers.
            Problem: the model refuses the request.
        """
        if self.broken:
            raise Broken(self.broken)
        if self.waiting >= MOST_WAITING:
            raise Busy(f"{self.waiting} calls wait for this device already; try again later")
        loop = asyncio.get_running_loop()
        call = Call(slot, prepared, priority, watch, loop.create_future(), loop)
        with self._changed:
            self._waiting.append(call)
            self._changed.notify()
        try:
            return await asyncio.shield(call.future)
        except asyncio.CancelledError:
            await self._withdraw_call(call)
            raise

    async def _withdraw_call(self, call: Call) -> None:
        """Remove a call from the queue. A running one keeps its model until it ends."""
        call.watch.stopped = True
        with self._changed:
            if call in self._waiting:
                self._waiting.remove(call)
                call.future.cancel()
        await asyncio.wait([call.future])
        if not call.future.cancelled():
            call.future.exception()  # read the exception, or asyncio logs that it was never retrieved

    def close(self) -> None:
        """End the thread after the call that it works on."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(timeout=5)

    def _run_calls(self) -> None:
        import torch

        torch.set_num_threads(os.cpu_count() or 1)  # the preparing threads use one each
        while (batch := self._take_next()) is not None:
            started = time.monotonic()
            with GATE.together():
                self._answer_batch(batch)
            ended = time.monotonic()
            self._last[batch[0].slot.name] = (batch[0].kind, len(batch), ended)
            self._note(batch[0].slot.name, len(batch), ended - started)
            del batch  # otherwise its memory stays until the next batch

    def _take_next(self) -> list[Call] | None:
        """Take the next calls that can be batched; None at the end."""
        with self._changed:
            while True:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return None
                head = min(self._waiting, key=lambda call: (-call.priority, call.since))
                like = [call for call in self._waiting if call.kind == head.kind][: head.slot.model.most]
                patience = head.since + WINDOW_S - time.monotonic()
                if patience > 0 and len(like) < self._estimate_coming(head):
                    self._changed.wait(patience)
                    continue
                taken = set(map(id, like))
                self._waiting = [call for call in self._waiting if id(call) not in taken]
                return like

    def _estimate_coming(self, head: Call) -> int:
        """Estimate the number of calls of a kind that will come soon: those in preparation, or as many as last time."""
        if head.prepared.key is None:
            return 1
        kind, count, ended = self._last.get(head.slot.name, (None, 0, 0.0))
        came_last = count if kind == head.kind and time.monotonic() - ended < _RECENT_S else 0
        return min(max(head.slot.users, came_last), head.slot.model.most)

    def _answer_batch(self, batch: Sequence[Call]) -> None:
        try:
            self._settle_batch(batch, self._compute_outputs(batch))
        except Exception as error:  # noqa: BLE001 - told to who waits
            if is_out_of_memory(error):
                self._answer_with_more_memory(batch)
            elif len(batch) > 1 and not isinstance(error, Problem):
                self._answer_singly(batch)
            else:
                self._fail_batch(batch, error)

    def _answer_with_more_memory(self, batch: Sequence[Call]) -> None:
        """Try again with only this model on the device, one call at a time."""
        self._spare(batch[0].slot)
        for call in batch:
            try:
                self._settle_batch([call], self._compute_outputs([call]))
            except Exception as error:  # noqa: BLE001 - told to who waits
                self._fail_batch([call], _without_memory(call) if is_out_of_memory(error) else error)

    def _answer_singly(self, batch: Sequence[Call]) -> None:
        """Run the calls one by one, so that a failing one does not fail the others."""
        for call in batch:
            try:
                self._settle_batch([call], self._compute_outputs([call]))
            except Exception as error:  # noqa: BLE001 - told to who waits
                self._fail_batch([call], error)

    def _compute_outputs(self, batch: Sequence[Call]) -> Sequence[Any]:
        watch = batch[0].watch if len(batch) == 1 else _Together([call.watch for call in batch])
        return batch[0].slot.model.run([call.prepared for call in batch], watch)

    def _settle_batch(self, batch: Sequence[Call], outputs: Sequence[Any]) -> None:
        for call, output in zip(batch, outputs, strict=True):
            call.answer(output)

    def _fail_batch(self, batch: Sequence[Call], error: Exception) -> None:
        if not isinstance(error, Problem):
            traceback.print_exception(error, file=sys.stderr)
            if is_broken(error, batch[0].slot.model.device):
                self.broken = f"the device has been failing since {type(error).__name__}; restart the worker"
                error = Broken(self.broken)
        for call in batch:
            call.fail(error)


class _Together(Watch):
    """The watch of a batch of calls, stopped when all of them are."""

    def __init__(self, watches: Sequence[Watch]) -> None:
        self._watches = watches

    def report_progress(self, progress: float) -> None:
        for watch in self._watches:
            watch.progress = progress
        if all(watch.stopped for watch in self._watches):
            raise Stopped


def _without_memory(call: Call) -> NoMemory:
    return NoMemory(
        f"the device has not enough memory for this call of {call.slot.name!r}, though no idle model is kept beside "
        "it; ask for less (a smaller picture, fewer frames, fewer tokens)"
    )
