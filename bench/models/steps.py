"""The steps of the measurement: models of this machine, and what is measured of them."""

import json
import os
import re
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calls import ASKED, call_of, make_picture, url_of
from client import Worker
from plain import ANSWER_READERS, REFERENCE_CALLS, ReferenceModel, measure_agreement

Results = dict[str, Any]
_CLIENTS = 32
_SCRIPT = Path(__file__).with_name("gpu.py")


class Yard:
    """The models on this machine, and what was measured of them."""

    def __init__(self, folder: Path, *, tiny: bool, only: Sequence[str]) -> None:
        self.folder, self.tiny, self.device = folder, tiny, "cpu" if tiny else "cuda:0"
        self.plains: dict[str, tuple[float, list[Any]]] = {}
        self.models = {name: kind for name, (kind, _) in self.list_builders().items() if not only or name in only}
        self._ports = iter(range(18_200, 18_300))

    def list_builders(self) -> dict[str, tuple[str, Callable[[Path], Path]]]:
        from yardkit.models.local.families.loading import require_torch

        require_torch()
        if not self.tiny:
            from real_sizes import BUILDERS

            return dict(BUILDERS)
        from support import checkpoints

        kinds = {"clip": "embeddings", "grounding_dino": "objects", "qwen3_vl": "vision", "whisper": "transcription"}
        kinds |= {"sam2": "masks", "stable_diffusion": "images", "wan": "video", "musicgen": "music", "vits": "voice"}
        return {name: (kind, checkpoints.BUILDERS[name]) for name, kind in kinds.items()}

    def machine(self) -> Results:
        import diffusers
        import torch
        import transformers

        gpu = torch.cuda.get_device_name() if not self.tiny else "none"
        versions = {module.__name__: module.__version__ for module in (torch, transformers, diffusers)}
        return {"gpu": gpu, "cores": os.cpu_count(), **versions}

    def build(self) -> Results:
        import torch

        from yardkit.models.local.shelf.shelf import add_directory

        seconds: Results = {}
        with ThreadPoolExecutor(4) as pool:
            added = []
            for name, (kind, builder) in self.list_builders().items():
                if name in self.models:
                    started = time.monotonic()
                    try:
                        torch.manual_seed(0)
                        folder = builder(self.folder / name)
                        added.append(pool.submit(add_directory, folder, [kind], name))
                    except Exception as error:  # noqa: BLE001 - the next goes on
                        traceback.print_exc()
                        del self.models[name]
                        seconds[f"{name} failed"] = f"{type(error).__name__}: {error}"[:300]
                    free_memory()
                    seconds[name] = round(time.monotonic() - started, 1)
            sizes = {model.name: model.bytes for model in (future.result() for future in added)}
        return {"seconds": seconds, "bytes": sizes}

    def measure_reference(self, name: str) -> Results:
        import torch

        dtype = torch.float32 if self.tiny else torch.bfloat16
        started = time.monotonic()
        call = REFERENCE_CALLS[self.models[name]](ReferenceModel(self.folder / name, self.device, dtype))
        loaded = time.monotonic() - started
        count = 4 if self.models[name] in ("vision", "transcription") else 24
        call(1000)
        started = time.monotonic()
        replies = [call(index) for index in range(count)]
        per_s = count / (time.monotonic() - started)
        self.plains[name] = per_s, replies
        del call
        free_memory()
        return {"load_s": round(loaded, 2), "calls_per_s": round(per_s, 2)}

    def copy(self) -> Results:
        """Gigabytes a second from locked memory to the GPU: what a switch cannot be faster than."""
        import torch

        if self.tiny:
            return {}
        size = 8 << 30
        host = torch.empty(size, dtype=torch.uint8)
        torch.cuda.cudart().cudaHostRegister(host.data_ptr(), size, 0)
        device = torch.empty(size, dtype=torch.uint8, device="cuda")
        seconds = []
        for _ in range(3):
            started = time.monotonic()
            device.copy_(host, non_blocking=True)
            torch.cuda.synchronize()
            seconds.append(time.monotonic() - started)
        torch.cuda.cudart().cudaHostUnregister(host.data_ptr())
        del device, host
        free_memory()
        self.copied = size / 1e9 / min(seconds)
        return {"gb_per_s": round(self.copied, 1)}

    @contextmanager
    def worker(self, gigabytes: float) -> Iterator[Worker]:
        port = next(self._ports)
        command = [sys.executable, str(_SCRIPT), "--out", "-", "--folder", str(self.folder), "--serve", str(gigabytes)]
        process = subprocess.Popen(
            [*command, *(["--tiny"] if self.tiny else [])], env={**os.environ, "PORT": str(port)}
        )
        worker = Worker(port)
        try:
            while True:
                try:
                    worker.ask("GET", "/health")
                    break
                except OSError:
                    assert process.poll() is None, "the worker did not start"
                    time.sleep(0.1)
            yield worker
        finally:
            process.terminate()
            process.wait(60)

    def await_answer(self, worker: Worker, call: tuple[str, bytes, str]) -> tuple[int, bytes]:
        """The answer to a call; of a job, when it has ended."""
        status, data = worker.ask("POST", *call)
        state = json.loads(data) if call[0] in ("/v1/videos", "/v1/music") and status == 200 else {}
        while state.get("status") in ("queued", "running"):
            time.sleep(0.05)
            status, data = worker.ask("GET", f"{call[0]}/{state['id']}")
            state = json.loads(data)
        if state and state["status"] != "done":
            return 500, data
        return status, data

    def measured(self, worker: Worker, name: str) -> Results:
        kind = self.models[name]
        started = time.monotonic()
        status, data = self.await_answer(worker, call_of(kind, name, 1000, tiny=self.tiny))
        first = time.monotonic() - started
        if status != 200:
            return {"error": data.decode()[:400]}
        seconds = []
        for index in range(2 if kind in ("images", "video", "music", "transcription") else 5):
            started = time.monotonic()
            self.await_answer(worker, call_of(kind, name, index, tiny=self.tiny))
            seconds.append(time.monotonic() - started)
        timings = {"first_call_s": round(first, 2), "call_s": round(statistics.median(seconds), 4)}
        if not self.tiny:
            import torch

            free, size = torch.cuda.mem_get_info()
            timings["gpu_used_gb_so_far"] = round((size - free) / 1e9, 1)
        return timings | (self.measure_crowd(worker, name, kind) if name in self.plains else {})

    def measure_crowd(self, worker: Worker, name: str, kind: str) -> Results:
        """Calls a second of many clients, against one plain call after the other."""
        per_s, reference_replies = self.plains[name]
        count = min(len(reference_replies), 24)
        calls = [call_of(kind, name, index, tiny=self.tiny) for index in range(count)] * (16 if count < 10 else 6)
        worker.many(calls[: _CLIENTS * 2], _CLIENTS)
        seconds, answers = worker.many(calls, _CLIENTS)
        assert all(status == 200 for status, _ in answers), answers[0]
        worker_replies = [ANSWER_READERS[kind](json.loads(data)) for _, data in answers[:count]]
        alone = [ANSWER_READERS[kind](json.loads(self.await_answer(worker, call)[1])) for call in calls[:3]]
        same = [
            measure_agreement(kind, reply, other)
            for reply, other in zip(worker_replies, reference_replies, strict=False)
        ]
        same_alone = [
            measure_agreement(kind, reply, other) for reply, other in zip(alone, reference_replies, strict=False)
        ]
        fast = len(calls) / seconds
        return {
            "plain_calls_per_s": round(per_s, 2),
            "worker_calls_per_s": round(fast, 2),
            "times": round(fast / per_s, 2),
            "alike": round(sum(same) / len(same), 4),
            "alike_one_by_one": round(sum(same_alone) / len(same_alone), 4),
        }

    def overhead(self, worker: Worker) -> Results:
        """Milliseconds that a call takes beside the work of the model: a short text to embed, by one client."""
        name = next((name for name, kind in self.models.items() if kind == "embeddings"), None)
        if name is None:
            return {}
        body = json.dumps({"model": name, "input": "a cat"}).encode()
        before = self.device_seconds(worker, name)
        seconds, _ = worker.many([("/v1/embeddings", body, "application/json")] * 200, 1)
        worked = self.device_seconds(worker, name) - before
        return {"call_ms": round(seconds / 200 * 1000, 2), "overhead_ms": round((seconds - worked) / 200 * 1000, 2)}

    def device_seconds(self, worker: Worker, name: str) -> float:
        text = worker.ask("GET", "/metrics")[1].decode()
        match = re.search(rf'^yardkit_worker_device_seconds_total\{{model="{re.escape(name)}"\}} (\S+)$', text, re.M)
        return float(match[1]) if match else 0.0

    def choose_pair(self) -> tuple[str, str]:
        names = list(self.models)
        pair_candidates = ("qwen3-vl-4b", "flux2-klein-4b") if not self.tiny else ("clip", "grounding_dino")
        available_names = [name for name in pair_candidates if name in names]
        return (available_names[0], available_names[1]) if len(available_names) == 2 else (names[0], names[-1])

    def switch_budget(self) -> float:
        from yardkit.models.local.shelf.shelf import local_model

        sizes = [local_model(name).bytes for name in self.choose_pair()]
        return (max(sizes) + min(sizes) / 2) / 1e9

    def switch(self, worker: Worker) -> Results:
        """Seconds to come back to a model that had to leave the GPU for another, beside those of a call."""
        timings: Results = {}
        steady: dict[str, float] = {}
        for name in self.choose_pair():
            call = call_of(self.models[name], name, 1, tiny=self.tiny)
            self.wait_until_parked(worker)
            for _ in range(3):
                started = time.monotonic()
                status, data = worker.ask("POST", *call)
                steady[name] = time.monotonic() - started
                assert status == 200, data
            self.wait_until_parked(worker)
        for _ in range(3):
            for name in self.choose_pair():
                started = time.monotonic()
                status, _ = worker.ask("POST", *call_of(self.models[name], name, 1, tiny=self.tiny))
                assert status == 200
                timings.setdefault(name, []).append(time.monotonic() - started - steady[name])
        from yardkit.models.local.shelf.shelf import local_model

        rows: Results = {}
        for name, seconds in timings.items():
            size = local_model(name).bytes / 1e9
            rows[name] = {"gb": round(size, 2), "switch_s": [round(second, 3) for second in seconds]}
            if not self.tiny:
                rows[name]["copy_s"] = round(size / self.copied, 3)
                rows[name]["times_copy"] = round(statistics.median(seconds) * self.copied / size, 2)
        return {**rows, "figures": worker.figures()}

    def wait_until_parked(self, worker: Worker) -> None:
        """Until the host keeps a copy of all that is on the GPU: it is made beside calls."""
        deadline = time.monotonic() + 30
        while not self.tiny and time.monotonic() < deadline:
            text = worker.ask("GET", "/metrics")[1].decode()
            bytes_by_location = dict(re.findall(r'yardkit_worker_model_bytes\{place="(\w+)"\} (\S+)', text))
            if float(bytes_by_location["parked"]) >= float(bytes_by_location["device"]):
                return
            time.sleep(0.05)

    def out_of_memory(self, worker: Worker) -> Results:
        """Another program takes the GPU's memory while idle models are loaded: calls go on or say why not."""
        if self.tiny:
            return {}
        import torch

        others = [name for name in ("clip-l", "whisper-turbo", "owlv2-base", "musicgen-s") if name in self.models]
        large = "qwen3-vl-4b"
        for name in [*others, large]:
            self.await_answer(worker, call_of(self.models[name], name, 1, tiny=False))
        free, _ = torch.cuda.mem_get_info()
        hog = torch.empty(max(1, free - (600 << 20)), dtype=torch.uint8, device="cuda")
        before = worker.figures().get("out_of_memory_total", 0)
        calls = [call_of(self.models[large], large, index, tiny=False) for index in range(16)]
        _, crowded = worker.many(calls, 16)
        middle = worker.figures().get("out_of_memory_total", 0)
        rows = {"crowded": _count_statuses(crowded), "out_of_memory": middle - before}
        large_picture_url = url_of(make_picture(5, 1024))
        content = [{"type": "image_url", "image_url": {"url": large_picture_url}}] * 40 + [
            {"type": "text", "text": ASKED}
        ]
        body = {"model": large, "messages": [{"role": "user", "content": content}], "max_tokens": 8, "temperature": 0}
        status, data = worker.ask("POST", "/v1/chat/completions", json.dumps(body).encode())
        rows |= {"too_large": status, "said": data.decode()[:300]}
        rows["next_call"] = worker.ask("POST", *calls[0])[0]
        del hog
        free_memory()
        rows["after"] = [
            self.await_answer(worker, call_of(self.models[name], name, 1, tiny=False))[0] for name in [*others, large]
        ]
        return rows | {"health": json.loads(worker.ask("GET", "/health")[1])["status"]}


def _count_statuses(answers: Sequence[tuple[int, bytes]]) -> dict[str, int]:
    statuses = [str(status) for status, _ in answers]
    return {status: statuses.count(status) for status in sorted(set(statuses))}


def free_memory() -> None:
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
