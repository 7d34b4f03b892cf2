"""Tiny checkpoints for all tests here, each made once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from support import checkpoints
from support.model_workers import serve_models

from yardkit.models.local.shelf.shelf import add_directory

torch.set_num_threads(1)  # threads that wait for one another are slow where others compute, too


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The directory of a tiny checkpoint by the name of its family."""
    folder, checkpoint_paths = tmp_path_factory.mktemp("checkpoints"), dict[str, Path]()

    def build(name: str) -> Path:
        if name not in checkpoint_paths:
            checkpoint_paths[name] = checkpoints.build_checkpoint(name, folder / name)
        return checkpoint_paths[name]

    return build


CAPABILITIES = {
    "grounding_dino": ["objects"],
    "owlv2": ["objects"],
    "sam2": ["masks"],
    "qwen3_vl": ["vision", "ocr"],
    "pp_formulanet": ["formulas"],
    "clip": ["embeddings"],
    "whisper": ["transcription"],
    "vits": ["voice"],
    "stable_diffusion": ["images", "image_edits"],
    "wan": ["video"],
    "musicgen": ["music"],
}
"""The models of the shelf, and what they are put there for."""


@pytest.fixture(scope="session")
def shelf(checkpoint: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A shelf that holds them all."""
    folder = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("YARDKIT_MODELS", str(folder))
        for name, capabilities in CAPABILITIES.items():
            add_directory(checkpoint(name), capabilities, name)
        yield folder


@pytest.fixture(scope="session")
def worker_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the worker of all tests says what it has to say."""
    return tmp_path_factory.mktemp("worker") / "log"


@pytest.fixture(scope="session")
def worker(shelf: Path, worker_log: Path) -> Iterator[str]:
    """The address of a worker over the shelf, in a process of its own."""
    with serve_models(shelf, worker_log) as (url, _):
        yield url
