"""Measure the worker on a GPU, with models of real size and random weights: no download, under five minutes on an H100.

    python bench/models/gpu.py --out gpu.json          # in the environment of the worker, on a machine with a GPU
    python bench/models/gpu.py --tiny --out tiny.json  # the same steps on the CPU with tiny models, to try the script

For each family: seconds of the first call (with the load), of a call, bytes of weights, calls a second of many clients
against plain transformers calls one by one, and whether both say the same. Then: switching between two models that do
not fit together, against the copy of their bytes; and memory that another program takes away.
"""

import argparse
import base64
import http.client
import io
import json
import os
import re
import statistics
import subprocess
import sys
import time
import traceback
import wave
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(Path(__file__).parent)]
os.environ["HF_HUB_OFFLINE"] = "1"

Results = dict[str, Any]
_TOKENS = 64
_CLIENTS = 32
_STARTED = time.monotonic()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm/toolyard-gpu"), help="for 35 GB of models")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--serve", type=float, help="be the worker, with a budget of so many gigabytes (0: its own)")
    arguments = parser.parse_args()
    os.environ["TOOLYARD_MODELS"] = str(arguments.folder / "shelf")
    if arguments.serve is not None:
        return serve(arguments.serve, "cpu" if arguments.tiny else "cuda:0")
    results: Results = {}

    def record(name: str, step: Callable[[], Any]) -> None:
        started = time.monotonic()
        try:
            results[name] = step()
        except Exception as error:  # noqa: BLE001 - the next step goes on
            traceback.print_exc()
            results[name] = {"error": f"{type(error).__name__}: {error}"[:500]}
        taken = time.monotonic() - started
        print(f"[{time.monotonic() - _STARTED:6.1f}] {name} in {taken:.1f} s: {results[name]}", flush=True)
        arguments.out.write_text(json.dumps(results, indent=2) + "\n")

    yard = Yard(arguments.folder, tiny=arguments.tiny, only=arguments.only)
    record("machine", yard.machine)
    record("build", yard.build)
    record("copy", yard.copy)
    with yard.worker(yard.switch_budget()) as worker:
        record("switch", lambda: yard.switch(worker))
    with yard.worker(0) as worker:
        record("out of memory", lambda: yard.out_of_memory(worker))
    for name in yard.models:
        if yard.models[name] in PLAIN:
            record(f"plain {name}", lambda name=name: yard.plain(name))
    with yard.worker(0) as worker:
        for name in yard.models:
            record(f"worker {name}", lambda name=name: yard.measured(worker, name))
        record("overhead", lambda: yard.overhead(worker))
        record("figures", worker.figures)
    return 0


def serve(gigabytes: float, device: str) -> int:
    """The worker itself, without the parts of Toolyard that need more packages than a GPU machine may have."""
    import uvicorn

    from toolyard.models.local.worker import routes, writing
    from toolyard.models.local.worker.app import create_app
    from toolyard.models.local.worker.engine import Settings

    routes.decode_sound = _wav_samples
    writing.mp4_bytes = lambda film: film.frames.tobytes()
    app = create_app(Settings(device, int(gigabytes * 1e9)))
    port = int(os.environ["PORT"])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False, http="h11")
    return 0


def _wav_samples(data: bytes) -> Any:
    """Samples of a WAV of 16 kHz: PyAV is not on every GPU machine."""
    import numpy as np

    with wave.open(io.BytesIO(data)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype("float32") / 32768


class Worker:
    """A worker that runs, and its clients."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, route: str, body: bytes = b"", kind: str = "application/json") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            return self.on(connection, method, route, body, kind)
        finally:
            connection.close()

    def on(self, connection: Any, method: str, route: str, body: bytes, kind: str) -> tuple[int, bytes]:
        connection.request(method, route, body, {"Content-Type": kind})
        response = connection.getresponse()
        return response.status, response.read()

    def many(self, calls: Sequence[tuple[str, bytes, str]], clients: int) -> tuple[float, list[tuple[int, bytes]]]:
        """Seconds and answers of calls by so many clients at a time."""
        import threading

        kept = threading.local()

        def call(one: tuple[str, bytes, str]) -> tuple[int, bytes]:
            if not hasattr(kept, "connection"):
                kept.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
            return self.on(kept.connection, "POST", *one)

        with ThreadPoolExecutor(clients) as pool:
            started = time.monotonic()
            answers = list(pool.map(call, calls))
            return time.monotonic() - started, answers

    def figures(self) -> dict[str, float]:
        text = self.ask("GET", "/metrics")[1].decode()
        wanted = re.compile(
            r"^toolyard_worker_(models_total\{.*|out_of_memory_total|batch_calls_(?:sum|count)\{.*) (\S+)$"
        )
        return {found[1]: float(found[2]) for line in text.splitlines() if (found := wanted.match(line))}


def picture(index: int, side: int) -> bytes:
    """A JPEG of noise and a gradient, another for each index."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(index)
    small = rng.integers(0, 255, (12, 12, 3), dtype="uint8")
    out = io.BytesIO()
    Image.fromarray(small).resize((side, side * 3 // 4), Image.Resampling.BICUBIC).save(out, "JPEG", quality=90)
    return out.getvalue()


def url_of(data: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(data).decode()


def sound(index: int) -> bytes:
    import numpy as np

    samples = (np.random.default_rng(index).normal(0, 3000, 16_000 * 10)).astype("<i2")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(samples.tobytes())
    return out.getvalue()


QUERIES = ["a cat", "red circle"]
ASKED = "what is in the image?"


def call_of(capability: str, model: str, index: int, *, tiny: bool) -> tuple[str, bytes, str]:
    """A call to the worker: route, body and type."""
    shown = url_of(picture(index, 640))
    steps = 1 if tiny else 4
    size = "32x32" if tiny else "1024x1024"
    bodies: dict[str, tuple[str, dict[str, Any]]] = {
        "embeddings": ("/v1/embeddings", {"input": [{"image_url": {"url": shown}}]}),
        "objects": ("/v1/objects", {"image": shown, "queries": QUERIES, "threshold": 0.0}),
        "masks": ("/v1/masks", {"image": shown, "boxes": [[50, 60, 400, 400]]}),
        "vision": ("/v1/chat/completions", {"messages": talk(shown), "max_tokens": _TOKENS, "temperature": 0}),
        "formulas": ("/v1/chat/completions", {"messages": talk(shown), "max_tokens": _TOKENS, "temperature": 0}),
        "voice": ("/v1/audio/speech", {"input": "The quick brown fox jumps over the lazy dog. " * 4, "seed": index}),
        "images": ("/v1/images/generations", {"prompt": ASKED, "size": size, "num_inference_steps": steps}),
        "music": ("/v1/music", {"prompt": "calm piano", "seconds": 0.2 if tiny else 5}),
        "video": (
            "/v1/videos",
            {
                "prompt": ASKED,
                "size": "32x32" if tiny else "832x480",
                "seconds": 0.3 if tiny else 2.0,
                "num_inference_steps": steps,
            },
        ),
    }
    if capability == "transcription":
        return form_of(model, sound(index))
    route, body = bodies[capability]
    return route, json.dumps({"model": model, **body}).encode(), "application/json"


def talk(url: str) -> list[dict[str, Any]]:
    content = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": ASKED}]
    return [{"role": "user", "content": content}]


def form_of(model: str, data: bytes) -> tuple[str, bytes, str]:
    mark = "toolyardmark"
    fields = {"model": model, "language": "en", "response_format": "verbose_json"}
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode() for k, v in fields.items()
    ]
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'.encode()
    body = b"".join([*parts, head, data, f"\r\n--{mark}--\r\n".encode()])
    return "/v1/audio/transcriptions", body, f"multipart/form-data; boundary={mark}"


class Plain:
    """A model called as transformers' documents show it: one picture after the other."""

    def __init__(self, folder: Path, device: str, dtype: Any) -> None:
        self.folder, self.device, self.dtype = folder, device, dtype

    def open(self, kind: Any) -> Any:
        import transformers

        self.processor = transformers.AutoProcessor.from_pretrained(self.folder)
        return kind.from_pretrained(self.folder, dtype=self.dtype).to(self.device).eval()

    def to_device(self, inputs: Any) -> dict[str, Any]:
        return {
            name: value.to(self.device, self.dtype) if value.is_floating_point() else value.to(self.device)
            for name, value in inputs.items()
            if hasattr(value, "to")
        }


def _shown(index: int) -> Any:
    from PIL import Image

    return Image.open(io.BytesIO(picture(index, 640))).convert("RGB")


def plain_embeddings(plain: Plain) -> Callable[[int], Any]:
    import torch
    import transformers

    model = plain.open(transformers.AutoModel)

    def call(index: int) -> Any:
        inputs = plain.to_device(plain.processor(images=_shown(index), return_tensors="pt"))
        with torch.inference_mode():
            found = model.get_image_features(**inputs)
        vector = getattr(found, "pooler_output", found)[0].float()
        return (vector / vector.norm()).tolist()

    return call


def plain_objects(plain: Plain) -> Callable[[int], Any]:
    import torch
    import transformers

    model = plain.open(transformers.AutoModelForZeroShotObjectDetection)
    text = "a cat. red circle." if "dino" in plain.folder.name else [QUERIES]

    def call(index: int) -> Any:
        image = _shown(index)
        inputs = plain.processor(images=image, text=text, return_tensors="pt")
        with torch.inference_mode():
            found = model(**plain.to_device(inputs))
        post, sizes = plain.processor.post_process_grounded_object_detection, [image.size[::-1]]
        if "dino" in plain.folder.name:
            told = post(found, inputs["input_ids"], threshold=0.0, text_threshold=0.0, target_sizes=sizes)[0]
        else:
            told = post(found, threshold=0.0, target_sizes=sizes)[0]
        left, top = told["boxes"].float().clamp_min(0).cpu().unbind(-1)[:2]
        right, bottom = told["boxes"].float().cpu().unbind(-1)[2:]
        right, bottom = right.clamp(0, image.width), bottom.clamp(0, image.height)
        left, top = left.clamp_max(image.width), top.clamp_max(image.height)
        return torch.stack([left, top, right, bottom], dim=-1).tolist()

    return call


def plain_vision(plain: Plain) -> Callable[[int], Any]:
    import torch
    import transformers

    model = plain.open(transformers.AutoModelForImageTextToText)

    def call(index: int) -> Any:
        content = [{"type": "image", "image": _shown(index)}, {"type": "text", "text": ASKED}]
        inputs = plain.processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=True, return_dict=True,
            return_tensors="pt",
        )  # fmt: skip
        with torch.inference_mode():
            tokens = model.generate(**plain.to_device(inputs), max_new_tokens=_TOKENS, do_sample=False)
        return plain.processor.batch_decode(tokens[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)[
            0
        ].strip()

    return call


def plain_transcription(plain: Plain) -> Callable[[int], Any]:
    import torch
    import transformers

    model = plain.open(transformers.WhisperForConditionalGeneration)

    def call(index: int) -> Any:
        inputs = plain.processor(_wav_samples(sound(index)), sampling_rate=16_000, return_tensors="pt")
        with torch.inference_mode():
            tokens = model.generate(**plain.to_device(inputs), language="en", task="transcribe", return_timestamps=True)
        return plain.processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()

    return call


PLAIN: dict[str, Callable[[Plain], Callable[[int], Any]]] = {
    "embeddings": plain_embeddings,
    "objects": plain_objects,
    "vision": plain_vision,
    "transcription": plain_transcription,
}
TOLD: dict[str, Callable[[Any], Any]] = {
    "embeddings": lambda answer: answer["data"][0]["embedding"],
    "objects": lambda answer: [thing["box"] for thing in answer["objects"]],
    "vision": lambda answer: answer["choices"][0]["message"]["content"],
    "transcription": lambda answer: answer["text"],
}


class Yard:
    """The models on this machine, and what was measured of them."""

    def __init__(self, folder: Path, *, tiny: bool, only: Sequence[str]) -> None:
        self.folder, self.tiny, self.device = folder, tiny, "cpu" if tiny else "cuda:0"
        self.plains: dict[str, tuple[float, list[Any]]] = {}
        self.models = {name: kind for name, (kind, _) in self.builders().items() if not only or name in only}
        self._ports = iter(range(18_200, 18_300))

    def builders(self) -> dict[str, tuple[str, Callable[[Path], Path]]]:
        from toolyard.models.local.families.loading import require_torch

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

        from toolyard.models.local.shelf.shelf import add_directory

        seconds: Results = {}
        with ThreadPoolExecutor(4) as pool:
            added = []
            for name, (kind, builder) in self.builders().items():
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
                    _free()
                    seconds[name] = round(time.monotonic() - started, 1)
            sizes = {model.name: model.bytes for model in (one.result() for one in added)}
        return {"seconds": seconds, "bytes": sizes}

    def plain(self, name: str) -> Results:
        import torch

        dtype = torch.float32 if self.tiny else torch.bfloat16
        started = time.monotonic()
        call = PLAIN[self.models[name]](Plain(self.folder / name, self.device, dtype))
        loaded = time.monotonic() - started
        count = 4 if self.models[name] in ("vision", "transcription") else 24
        call(1000)
        started = time.monotonic()
        said = [call(index) for index in range(count)]
        per_s = count / (time.monotonic() - started)
        self.plains[name] = per_s, said
        del call
        _free()
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
        _free()
        self.copied = size / 1e9 / min(seconds)
        return {"gb_per_s": round(self.copied, 1)}

    @contextmanager
    def worker(self, gigabytes: float) -> Iterator[Worker]:
        port = next(self._ports)
        command = [sys.executable, __file__, "--out", "-", "--folder", str(self.folder), "--serve", str(gigabytes)]
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

    def done(self, worker: Worker, call: tuple[str, bytes, str]) -> tuple[int, bytes]:
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
        status, data = self.done(worker, call_of(kind, name, 1000, tiny=self.tiny))
        first = time.monotonic() - started
        if status != 200:
            return {"error": data.decode()[:400]}
        seconds = []
        for index in range(2 if kind in ("images", "video", "music", "transcription") else 5):
            started = time.monotonic()
            self.done(worker, call_of(kind, name, index, tiny=self.tiny))
            seconds.append(time.monotonic() - started)
        told = {"first_call_s": round(first, 2), "call_s": round(statistics.median(seconds), 4)}
        if not self.tiny:
            import torch

            free, size = torch.cuda.mem_get_info()
            told["gpu_used_gb_so_far"] = round((size - free) / 1e9, 1)
        return told | (self.crowd(worker, name, kind) if name in self.plains else {})

    def crowd(self, worker: Worker, name: str, kind: str) -> Results:
        """Calls a second of many clients, against one plain call after the other."""
        per_s, said = self.plains[name]
        count = min(len(said), 24)
        calls = [call_of(kind, name, index, tiny=self.tiny) for index in range(count)] * (16 if count < 10 else 6)
        worker.many(calls[: _CLIENTS * 2], _CLIENTS)
        seconds, answers = worker.many(calls, _CLIENTS)
        assert all(status == 200 for status, _ in answers), answers[0]
        told = [TOLD[kind](json.loads(data)) for _, data in answers[:count]]
        alone = [TOLD[kind](json.loads(self.done(worker, call)[1])) for call in calls[:3]]
        same = [alike(kind, one, other) for one, other in zip(told, said, strict=False)]
        same_alone = [alike(kind, one, other) for one, other in zip(alone, said, strict=False)]
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
        found = re.search(rf'^toolyard_worker_device_seconds_total\{{model="{re.escape(name)}"\}} (\S+)$', text, re.M)
        return float(found[1]) if found else 0.0

    def pair(self) -> tuple[str, str]:
        names = list(self.models)
        wanted = ("qwen3-vl-4b", "flux2-klein-4b") if not self.tiny else ("clip", "grounding_dino")
        found = [name for name in wanted if name in names]
        return (found[0], found[1]) if len(found) == 2 else (names[0], names[-1])

    def switch_budget(self) -> float:
        from toolyard.models.local.shelf.shelf import local_model

        sizes = [local_model(name).bytes for name in self.pair()]
        return (max(sizes) + min(sizes) / 2) / 1e9

    def switch(self, worker: Worker) -> Results:
        """Seconds to come back to a model that had to leave the GPU for another, beside those of a call."""
        told: Results = {}
        steady: dict[str, float] = {}
        for name in self.pair():
            call = call_of(self.models[name], name, 1, tiny=self.tiny)
            self.wait_until_parked(worker)
            for _ in range(3):
                started = time.monotonic()
                status, data = worker.ask("POST", *call)
                steady[name] = time.monotonic() - started
                assert status == 200, data
            self.wait_until_parked(worker)
        for _ in range(3):
            for name in self.pair():
                started = time.monotonic()
                status, _ = worker.ask("POST", *call_of(self.models[name], name, 1, tiny=self.tiny))
                assert status == 200
                told.setdefault(name, []).append(time.monotonic() - started - steady[name])
        from toolyard.models.local.shelf.shelf import local_model

        rows: Results = {}
        for name, seconds in told.items():
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
            found = dict(re.findall(r'toolyard_worker_model_bytes\{place="(\w+)"\} (\S+)', text))
            if float(found["parked"]) >= float(found["device"]):
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
            self.done(worker, call_of(self.models[name], name, 1, tiny=False))
        free, _ = torch.cuda.mem_get_info()
        hog = torch.empty(max(1, free - (600 << 20)), dtype=torch.uint8, device="cuda")
        before = worker.figures().get("out_of_memory_total", 0)
        calls = [call_of(self.models[large], large, index, tiny=False) for index in range(16)]
        _, crowded = worker.many(calls, 16)
        middle = worker.figures().get("out_of_memory_total", 0)
        rows = {"crowded": _counted(crowded), "out_of_memory": middle - before}
        shown = url_of(picture(5, 1024))
        content = [{"type": "image_url", "image_url": {"url": shown}}] * 40 + [{"type": "text", "text": ASKED}]
        body = {"model": large, "messages": [{"role": "user", "content": content}], "max_tokens": 8, "temperature": 0}
        status, data = worker.ask("POST", "/v1/chat/completions", json.dumps(body).encode())
        rows |= {"too_large": status, "said": data.decode()[:300]}
        rows["next_call"] = worker.ask("POST", *calls[0])[0]
        del hog
        _free()
        rows["after"] = [
            self.done(worker, call_of(self.models[name], name, 1, tiny=False))[0] for name in [*others, large]
        ]
        return rows | {"health": json.loads(worker.ask("GET", "/health")[1])["status"]}


def _counted(answers: Sequence[tuple[int, bytes]]) -> dict[str, int]:
    statuses = [str(status) for status, _ in answers]
    return {status: statuses.count(status) for status in sorted(set(statuses))}


def alike(kind: str, one: Any, other: Any) -> float:
    """How far two answers say the same, 0 to 1: cosine, part of the boxes, part of the words that begin alike."""
    if kind == "embeddings":
        return float(sum(a * b for a, b in zip(one, other, strict=False)))
    if kind == "objects":
        theirs = [tuple(box) for box in other]
        near = sum(
            any(max(abs(a - b) for a, b in zip(box, their, strict=False)) < 8 for their in theirs) for box in one[:50]
        )
        return near / max(1, len(one[:50]))
    one, other = "".join(one.split()), "".join(other.split())
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared / max(1, len(one), len(other))


def _free() -> None:
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


if __name__ == "__main__":
    sys.exit(main())
