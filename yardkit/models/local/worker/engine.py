"""The worker without its routes: models of the registry on one device, called by name."""

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.models.local.families.contract import LocalModel, Prepared, Watch
from yardkit.models.local.families.loading import GATE, load_model, require_torch
from yardkit.models.local.requests import Request
from yardkit.models.local.shelf.kinds import family_of
from yardkit.models.local.shelf.manifest import Manifest
from yardkit.models.local.shelf.shelf import usable_models, weights_folder
from yardkit.models.local.shelf.weights import check_files, check_marks
from yardkit.models.local.worker.device_queue import Lane
from yardkit.models.local.worker.faults import Unknown
from yardkit.models.local.worker.figures import Figures
from yardkit.models.local.worker.memory import Budget, Memory, Slot
from yardkit.world import Problem

if TYPE_CHECKING:
    import torch

_SHARE_OF_GPU, _SHARE_OF_HOST = 0.85, 0.5
_MOST_THREADS = 16
_SPARE_S = 30.0


@dataclass(frozen=True)
class Settings:
    """The settings of a worker.

    Attributes:
        device: ``auto``, ``cpu``, ``cuda:0`` ...; auto is the first GPU, else the CPU.
        memory_bytes: the limit for weights on the device; 0 means 85 % of a GPU, or half of the machine's memory.
        parked_bytes: the limit for weights that the host keeps for a GPU; 0 means half of the machine's memory.
        models: returns the existing models.
    """

    device: str = "auto"
    memory_bytes: int = 0
    parked_bytes: int = 0
    models: Callable[[], Sequence[Manifest]] = usable_models


class Engine:
    """Models on a device. Make, use and close it in one event loop."""

    def __init__(self, settings: Settings) -> None:
        require_torch()
        self._settings = settings
        self.device = device_of(settings.device)
        self.figures = Figures()
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1), "yardkit-call", use_threads, (1,))
        self._loads = ThreadPoolExecutor(1, "yardkit-load")
        self.memory = Memory(
            self.device, _make_budget(self.device, settings), self._load_model, self.figures.count_event, self._loads
        )
        self.lane = Lane(self._spare_others, self.figures.count_batch)
        self._models: dict[str, Manifest] = {}
        self.models()

    def models(self) -> list[Manifest]:
        """Return the current models."""
        self._models = {model.name: model for model in self._settings.models()}
        self.memory.set_known({name: model.bytes for name, model in self._models.items()})
        return list(self._models.values())

    def model(self, name: str, capabilities: Sequence[str]) -> Manifest:
        """Return a model with one of these capabilities; without a name, the first one.

        Raises:
            Unknown: there is none.
            Problem: it has other capabilities.
        """
        if name not in self._models:
            self.models()
        can = [model for model in self._models.values() if set(model.capabilities) & set(capabilities)]
        if not name and can:
            return can[0]
        if name not in self._models:
            names = ", ".join(model.name for model in can) or f"none; `yardkit models add {capabilities[0]} --from DIR`"
            raise Unknown(f"there is no model {name!r}; for {' or '.join(capabilities)} there are: {names}")
        if self._models[name] not in can:
            words = ", ".join(self._models[name].capabilities)
            raise Problem(f"{name!r} is a model for {words}, and not for {' or '.join(capabilities)}")
        return self._models[name]

    async def answer(self, name: str, request: Request, priority: int = 0, watch: Watch | None = None) -> Any:
        """Return a model's answer to a request. If cancelled, it leaves the queue or ends at the model's next step.

        Raises:
            Unknown: there is no such model.
            NoMemory: the model or the call does not fit.
            Busy: too many calls wait.
            Problem: the model cannot be loaded, or refuses the request.
        """
        watch = watch or Watch()
        async with self.memory.hold(name) as slot:
            prepared = await self._run_in_thread(_prepare_request, slot.model, request)
            output = await self.lane.run(slot, prepared, priority, watch)
            return await self._run_in_thread(_finish_output, slot.model, prepared, output)

    def close(self) -> None:
        """End the threads."""
        self.lane.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._loads.shutdown(wait=False, cancel_futures=True)

    async def _run_in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        return await self._loop.run_in_executor(self._threads, function, *args)

    def _load_model(self, name: str) -> LocalModel:
        """Check a model's files and load it."""
        model = self._models[name]
        folder = weights_folder(model)
        if not folder.is_dir():
            raise Problem(f"the directory of the model {name!r} has gone; put it back, or remove the model")
        family_of(folder, model.capabilities)
        check_files(folder)
        check_marks(folder, model.files, unchanged=True)
        return load_model(model.family, folder, dtype_for(self.device))

    def _spare_others(self, slot: Slot) -> None:
        """Remove idle models from the device; called in its thread, done in the event loop."""
        self.figures.out_of_memory()
        done = threading.Event()

        def spare() -> None:
            self.memory.spare_idle(slot)
            done.set()

        self._loop.call_soon_threadsafe(spare)
        done.wait(_SPARE_S)


def device_of(name: str) -> "torch.device":
    """Return the torch device with a name.

    Raises:
        Problem: it does not exist.
    """
    import torch

    if name == "auto":
        return torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise Problem(f"{name!r} is not a valid device; give auto, cpu, or cuda:0") from error
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if device.type not in ("cpu", "cuda") or (device.type == "cuda" and (device.index or 0) >= count):
        raise Problem(f"the device {name!r} is not here: there are {count} GPUs; give auto or cpu")
    return torch.device("cuda", device.index or 0) if device.type == "cuda" else device


def dtype_for(device: "torch.device") -> "torch.dtype":
    """Choose bfloat16 on a GPU that supports it, float16 on an older one, float32 on the CPU."""
    import torch

    if device.type == "cpu":
        return torch.float32
    return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16


def _make_budget(device: "torch.device", settings: Settings) -> Budget:
    import torch

    host = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if device.type == "cuda":
        usual = int(torch.cuda.get_device_properties(device).total_memory * _SHARE_OF_GPU)
    else:
        usual = int(host * _SHARE_OF_HOST)
    return Budget(settings.memory_bytes or usual, settings.parked_bytes or int(host * _SHARE_OF_HOST))


def use_threads(count: int) -> None:
    """Set torch's number of CPU threads for this thread, since many threads that use many slow each other down."""
    import torch

    torch.set_num_threads(count)


def _prepare_request(model: LocalModel, request: Request) -> Prepared:
    with GATE.together():
        return model.prepare(request)


def _finish_output(model: LocalModel, prepared: Prepared, output: Any) -> Any:
    with GATE.together():
        return model.finish(prepared, output)
