"""Measure the worker on the CPU with small models: what a call costs beside the model, batching, and switching.

.venv-models/bin/python bench/models/worker.py        # make models-env first
"""

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ["OMP_NUM_THREADS"] = str(len(os.sched_getaffinity(0)))

from support import checkpoints  # noqa: E402
from support.model_workers import serve_models  # noqa: E402

from yardkit.models.local.requests import EmbeddingRequest, ObjectsRequest  # noqa: E402
from yardkit.models.local.shelf.shelf import add_directory  # noqa: E402
from yardkit.models.local.worker.engine import Engine, Settings  # noqa: E402

_CALLS = 300
_CROWD = 128


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["YARDKIT_MODELS"] = folder
        for name, capability in (("clip", "embeddings"), ("owlv2", "objects"), ("middle_clip", "embeddings")):
            add_directory(_build_model(name, Path(folder) / "weights" / name), [capability], name)
        figures = {"overhead_ms": measure_overhead(Path(folder))}
        figures["batching_times"] = {
            name: asyncio.run(measure_batching(name)) for name in ("clip", "owlv2", "middle_clip")
        }
    print(json.dumps(figures, indent=2))
    return 0


def _build_model(name: str, folder: Path) -> Path:
    if name != "middle_clip":
        return checkpoints.build_checkpoint(name, folder)
    import torch
    import transformers

    torch.manual_seed(0)
    tokenizer = checkpoints.clip_tokenizer(16)
    size = {"hidden_size": 192, "intermediate_size": 768, "num_hidden_layers": 12, "num_attention_heads": 3}
    config = transformers.CLIPConfig(
        text_config={**size, "max_position_embeddings": 16, **checkpoints.text_ids(tokenizer)},
        vision_config={**size, "image_size": 224, "patch_size": 32},
        projection_dim=192,
    )
    processor = transformers.CLIPProcessor(transformers.CLIPImageProcessor(), tokenizer)
    return checkpoints.save(folder, transformers.CLIPModel(config), processor)


def measure_overhead(folder: Path) -> dict[str, float]:
    """Milliseconds of a call by one client over HTTP, and of them those in which the device did not work."""
    import http.client

    body = json.dumps({"model": "clip", "input": "a cat"})
    with serve_models(folder, folder / "log") as (url, _):
        connection = http.client.HTTPConnection(url.removeprefix("http://"))

        def call() -> float:
            started = time.perf_counter()
            connection.request("POST", "/v1/embeddings", body, {"Content-Type": "application/json"})
            assert connection.getresponse().read().startswith(b'{"object"')
            return time.perf_counter() - started

        for _ in range(20):
            call()
        before = _device_seconds(connection)
        seconds = [call() for _ in range(_CALLS)]
        worked = (_device_seconds(connection) - before) / _CALLS
    return {
        "call": round(statistics.median(seconds) * 1000, 2),
        "device": round(worked * 1000, 2),
        "rest": round((statistics.mean(seconds) - worked) * 1000, 2),
    }


def _device_seconds(connection: Any) -> float:
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    return float(
        next(line for line in lines if line.startswith('yardkit_worker_device_seconds_total{model="clip"')).split()[-1]
    )


async def measure_batching(name: str) -> dict[str, float]:
    """Calls a second of the engine, asked by many at once, against one after the other."""
    from PIL import Image

    images = [Image.linear_gradient("L").rotate(index).resize((96, 64)).convert("RGB") for index in range(_CROWD)]
    requests: Sequence[Any] = [
        EmbeddingRequest(image) if "clip" in name else ObjectsRequest(image, ("a cat",), 0.5) for image in images
    ]
    engine = Engine(Settings("cpu"))
    try:
        await engine.answer(name, requests[0])
        rates = []
        for _ in range(3):
            started = time.perf_counter()
            for request in requests[:48]:
                await engine.answer(name, request)
            alone = 48 / (time.perf_counter() - started)
            started = time.perf_counter()
            await asyncio.gather(*(engine.answer(name, request) for request in requests))
            rates.append((alone, _CROWD / (time.perf_counter() - started)))
    finally:
        engine.close()
    alone, together = (statistics.median(rate) for rate in zip(*rates, strict=False))
    return {
        "one_by_one_per_s": round(alone, 1),
        "together_per_s": round(together, 1),
        "times": round(together / alone, 2),
    }


if __name__ == "__main__":
    sys.exit(main())
