"""Workers of models in processes of their own, as a user starts them."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_ADDRESS = re.compile(r"worker at (http://[^/\s]+)/v1")
_START_S = 240.0


@contextmanager
def serve_models(
    models: Path, log: Path, *options: str, settings: Mapping[str, str] | None = None
) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """The address and the process of `yardkit models serve` over a folder of models; what it says goes to `log`.

    Its standard output goes beside it, with the suffix ``.out``.
    """
    environment = {**os.environ, "YARDKIT_MODELS": str(models), **(settings or {})}
    command = [sys.executable, "-m", "yardkit", "models", "serve", "--port", "0", "--device", "cpu", *options]
    with log.open("wb") as log_handle, log.with_suffix(".out").open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=log_handle)
    try:
        yield _read_address(process, log), process
    finally:
        process.terminate()
        process.wait(240)


def _read_address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        if match := _ADDRESS.search(log.read_text()):
            return match[1]
        assert process.poll() is None, log.read_text()
        time.sleep(0.05)
    raise AssertionError(log.read_text())
