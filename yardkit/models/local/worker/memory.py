"""The loaded models: loaded on first use, once at a time, within a budget of bytes, evicting the least recently used.

Everything here runs in the event loop; slow work runs in separate threads.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from yardkit.models.local.families.contract import LocalModel
from yardkit.models.local.worker.faults import NoMemory, Unknown, is_out_of_memory
from yardkit.models.local.worker.placement import Placement
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Budget:
    """Limits on the bytes of models: on the device, and parked in the host's memory."""

    device: int
    parked: int


class Slot:
    """The place of a model.

    Attributes:
        name: the name of the model.
        bytes: the size of its weights; before the first load, of its files.
        ready: whether it is on the device.
        users: the number of calls that hold it or wait for it.
    """

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.bytes = size
        self.ready = False
        self.users = 0
        self.used = 0
        self.placement: Placement | None = None
        self.coming: asyncio.Task[None] | None = None

    @property
    def model(self) -> LocalModel:
        """The model itself, while a call holds it."""
        assert self.placement is not None  # noqa: S101 - held
        return self.placement.model

    @property
    def parked(self) -> bool:
        """Whether the host keeps a copy of its weights."""
        return self.placement is not None and self.placement.parked


class Memory:
    """The models on one device.

    Args:
        device: the torch device.
        budget: the limits in bytes.
        load: loads a model by its name, on the CPU; runs in `threads`.
        note: called with each event, for the figures: load, park, unpark, drop.
        threads: where loads run.
    """

    def __init__(
        self,
        device: "torch.device",
        budget: Budget,
        load: Callable[[str], LocalModel],
        note: Callable[[str, str], None],
        threads: Executor,
    ) -> None:
        self.device, self.budget = device, budget
        self.slots: dict[str, Slot] = {}
        self._load, self._note, self._threads = load, note, threads
        self._turn = asyncio.Lock()
        self._open = asyncio.Event()
        self._open.set()
        self._released = asyncio.Event()
        self._clock = itertools.count(1)

    def set_known(self, sizes: Mapping[str, int]) -> None:
        """Set the existing models, with the sizes of their files. A removed one stays while it is used."""
        for name in [name for name, slot in self.slots.items() if name not in sizes and not slot.users]:
            self._drop_model(self.slots.pop(name))
        for name, size in sizes.items():
            self.slots.setdefault(name, Slot(name, size))

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[Slot]:
        """Hold a model on the device for the block.

        Raises:
            Unknown: there is no model with that name.
            NoMemory: it does not fit.
            Problem: it cannot be loaded.
        """
        slot = self.slots.get(name)
        if slot is None:
            raise Unknown(f"there is no model {name!r}; `yardkit models list` shows the models there are")
        await self._open.wait()
        slot.users += 1  # counted from now on, so that it is not evicted before the waiting call gets it
        try:
            while not slot.ready:
                await self._await_fetched(slot)
            yield slot
        finally:
            slot.users -= 1
            slot.used = next(self._clock)
            self._released.set()

    @property
    def device_bytes(self) -> int:
        """The bytes of the weights on the device."""
        return sum(slot.bytes for slot in self.slots.values() if slot.ready)

    @property
    def parked_bytes(self) -> int:
        """The bytes of the weights that the host keeps for the GPU."""
        return sum(slot.bytes for slot in self.slots.values() if slot.parked)

    def spare_idle(self, protected_slot: Slot | None) -> int:
        """Remove every unused model except `kept` from the device; return the freed bytes."""
        idle = [slot for slot in self.slots.values() if slot.ready and not slot.users and slot is not protected_slot]
        for slot in idle:
            self._leave_device(slot)
        self._empty_cache()
        return sum(slot.bytes for slot in idle)

    async def _await_fetched(self, slot: Slot) -> None:
        """Wait until a model is loaded; it is loaded once for all waiting calls."""
        if slot.coming is None:
            slot.coming = asyncio.create_task(self._fetch_model(slot))
            slot.coming.add_done_callback(partial(_finish_arrival, slot))
        await asyncio.shield(slot.coming)

    async def _fetch_model(self, slot: Slot) -> None:
        async with self._turn:
            await self._make_room(slot.bytes, slot)
            try:
                await self._load_onto_device(slot)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                # It did not fit although the budget allowed it, so free everything unused and try once more.
                self.spare_idle(None)
                await self._place_again(slot)

    async def _place_again(self, slot: Slot) -> None:
        try:
            await self._load_onto_device(slot)
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            self._drop_model(slot)
            raise NoMemory(
                f"there is no memory left for the model {slot.name!r} ({_format_size(slot.bytes)} of weights), though"
                " no idle model is kept beside it; other programs may use this device: free it, or use a smaller model"
            ) from error

    async def _load_onto_device(self, slot: Slot) -> None:
        loop = asyncio.get_running_loop()
        if slot.placement is None:
            model = await loop.run_in_executor(self._threads, self._load, slot.name)
            slot.placement = Placement(model, self.device)
            slot.bytes = slot.placement.bytes
            self._note("load", slot.name)
            await self._make_room(slot.bytes, slot)
        else:
            self._note("unpark", slot.name)
        placement = slot.placement
        await loop.run_in_executor(self._threads, placement.bring_weights)
        slot.ready, slot.used = True, next(self._clock)
        if not slot.parked and self._park_room(slot):
            loop.run_in_executor(self._threads, placement.park_weights)

    async def _make_room(self, size: int, requested_slot: Slot) -> None:
        """Wait until the bytes fit on the device: unused models leave it, and no new call may hold one."""
        if size > self.budget.device:
            self._drop_model(requested_slot)
            raise NoMemory(
                f"the model {requested_slot.name!r} takes {_format_size(size)}, and the worker may use "
                f"{_format_size(self.budget.device)}; start it with a larger --memory-gb, or use a smaller model"
            )
        try:
            while self.device_bytes + size > self.budget.device:
                idle = [slot for slot in self.slots.values() if slot.ready and not slot.users]
                if idle:
                    self._leave_device(min(idle, key=lambda slot: slot.used))
                else:
                    self._open.clear()
                    self._released.clear()
                    await self._released.wait()
        finally:
            self._open.set()
        self._empty_cache()

    def _park_room(self, requested_slot: Slot) -> bool:
        """Whether the host may keep a copy of the weights, after dropping older copies."""
        if self.device.type == "cpu" or requested_slot.bytes > self.budget.parked:
            return False
        others = [slot for slot in self.slots.values() if slot.parked and not slot.ready]
        for slot in sorted(others, key=lambda slot: slot.used):
            if self.parked_bytes + requested_slot.bytes > self.budget.parked:
                self._drop_model(slot)
        return self.parked_bytes + requested_slot.bytes <= self.budget.parked

    def _leave_device(self, slot: Slot) -> None:
        slot.ready = False
        if slot.parked and slot.placement is not None:
            slot.placement.leave_device()
            self._note("park", slot.name)
        else:
            self._drop_model(slot)

    def _drop_model(self, slot: Slot) -> None:
        if slot.placement is not None:
            slot.placement.drop_copy()
            self._note("drop", slot.name)
        slot.placement, slot.ready = None, False

    def _empty_cache(self) -> None:
        if self.device.type == "cuda":
            import torch

            torch.cuda.empty_cache()


def _finish_arrival(slot: Slot, task: "asyncio.Task[None]") -> None:
    slot.coming = None
    if not task.cancelled():
        task.exception()  # read the exception, since perhaps no call waits any more


def _format_size(size: int) -> str:
    return f"{size / 1e9:.3g} GB" if size >= 1e8 else f"{size / 1e6:.3g} MB"


def check_budget(gigabytes: float) -> int:
    """Convert a budget in gigabytes to bytes.

    Raises:
        Problem: it is not above 0.
    """
    if not gigabytes > 0:
        raise Problem(f"--memory-gb {gigabytes:g} holds no model; give gigabytes above 0")
    return int(gigabytes * 1e9)
