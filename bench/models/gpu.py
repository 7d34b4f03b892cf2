"""Measure the worker on a GPU, with models of real size and random weights: no download, under five minutes on an H100.

    python bench/models/gpu.py --out gpu.json          # in the environment of the worker, on a machine with a GPU
    python bench/models/gpu.py --tiny --out tiny.json  # the same steps on the CPU with tiny models, to try the script

For each family: seconds of the first call (with the load), of a call, bytes of weights, calls a second of many clients
against plain transformers calls one by one, and whether both say the same. Then: switching between two models that do
not fit together, against the copy of their bytes; and memory that another program takes away.
"""

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(Path(__file__).parent)]
os.environ["HF_HUB_OFFLINE"] = "1"

from calls import wav_samples  # noqa: E402 - of this folder
from plain import REFERENCE_CALLS  # noqa: E402
from steps import Results, Yard  # noqa: E402

_STARTED = time.monotonic()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm/yardkit-gpu"), help="for 35 GB of models")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--serve", type=float, help="be the worker, with a budget of so many gigabytes (0: its own)")
    arguments = parser.parse_args()
    os.environ["YARDKIT_MODELS"] = str(arguments.folder / "shelf")
    if arguments.serve is not None:
        return serve_worker(arguments.serve, "cpu" if arguments.tiny else "cuda:0")
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
        if yard.models[name] in REFERENCE_CALLS:
            record(f"plain {name}", lambda name=name: yard.measure_reference(name))
    with yard.worker(0) as worker:
        for name in yard.models:
            record(f"worker {name}", lambda name=name: yard.measured(worker, name))
        record("overhead", lambda: yard.overhead(worker))
        record("figures", worker.figures)
    return 0


def serve_worker(gigabytes: float, device: str) -> int:
    """The worker itself, without the parts of Yardkit that need more packages than a GPU machine may have."""
    import uvicorn

    from yardkit.models.local.worker import routes, writing
    from yardkit.models.local.worker.app import create_app
    from yardkit.models.local.worker.engine import Settings

    routes.decode_sound = wav_samples
    writing.mp4_bytes = lambda film: film.frames.tobytes()
    app = create_app(Settings(device, int(gigabytes * 1e9)))
    port = int(os.environ["PORT"])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False, http="h11")
    return 0


if __name__ == "__main__":
    sys.exit(main())
