"""Whether the files of a model may be loaded: complete safetensors, no pickle, no code.

The format: https://github.com/huggingface/safetensors#format
"""

import hashlib
import json
import math
import struct
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.models.local.shelf.kinds import read_json
from yardkit.world import Problem

PICKLES = frozenset({".bin", ".ckpt", ".pickle", ".pkl", ".pt", ".pth"})
SAFE = ".safetensors"
_MAX_HEADER_BYTES = 100_000_000
_BITS = {
    "F64": 64,
    "I64": 64,
    "U64": 64,
    "C64": 64,
    "F32": 32,
    "I32": 32,
    "U32": 32,
    "F16": 16,
    "BF16": 16,
    "I16": 16,
    "U16": 16,
    "I8": 8,
    "U8": 8,
    "BOOL": 8,
    "F8_E4M3": 8,
    "F8_E5M2": 8,
    "F8_E8M0": 8,
    "F4": 4,
}
_CODE_KEYS = ("auto_map", "trust_remote_code", "custom_pipelines")


@dataclass(frozen=True)
class FileMark:
    """The state of a file when the model was added.

    Attributes:
        bytes: its size.
        sha256: its SHA-256, in hexadecimal.
        time_ns: its time of modification.
    """

    bytes: int
    sha256: str
    time_ns: int


def weight_files(folder: Path) -> list[Path]:
    """List the files of weights in a model's directory, in name order."""
    return sorted(path for path in folder.rglob(f"*{SAFE}") if path.is_file())


def check_files(folder: Path) -> int:
    """Refuse a model that may not be loaded, before anything loads it; return the size of its weights.

    Raises:
        Problem: it needs its own code, has weights only as pickles, or incomplete safetensors.
    """
    for config in sorted(folder.rglob("*.json")):
        _check_config(config)
    _refuse_pickles(folder)
    files = weight_files(folder)
    if not files:
        raise Problem(f"there are no weights in {folder.name!r}: no file ends in {SAFE}; download the model again")
    for index in folder.rglob(f"*{SAFE}.index.json"):
        _check_shards(index)
    return sum(_check_tensors(path) for path in files)


def mark_files(folder: Path) -> dict[str, FileMark]:
    """Compute size and SHA-256 of each file of weights, by its path in the directory."""
    files = weight_files(folder)
    names = [path.relative_to(folder).as_posix() for path in files]
    statuses = [path.stat() for path in files]
    return {
        name: FileMark(status.st_size, digest, status.st_mtime_ns)
        for name, status, digest in zip(names, statuses, _hash_files(files), strict=True)
    }


def check_marks(folder: Path, marks: Mapping[str, FileMark], *, unchanged: bool = False) -> None:
    """Refuse a model whose weights differ from those that were added.

    Args:
        folder: the folder of the model.
        marks: the marks of its files.
        unchanged: accept a file with the same size and time, since reading it all takes as long as loading it.

    Raises:
        Problem: a file is missing or differs.
    """
    files = [folder / name for name in marks]
    for path, mark in zip(files, marks.values(), strict=True):
        if not path.is_file():
            raise Problem(f"{path.name!r} is missing from {folder.name!r}; download the model again, or add it again")
        if path.stat().st_size != mark.bytes:
            raise Problem(_describe_change(path, f"it has {path.stat().st_size:,} bytes, and had {mark.bytes:,}"))
    read = {
        path: mark for path, mark in zip(files, marks.values(), strict=True) if not (unchanged and _is_of(path, mark))
    }
    for (path, mark), digest in zip(read.items(), _hash_files(read), strict=True):
        if digest != mark.sha256:
            raise Problem(_describe_change(path, f"its SHA-256 is {digest[:12]}..., and was {mark.sha256[:12]}..."))


def _is_of(path: Path, mark: FileMark) -> bool:
    return path.stat().st_mtime_ns == mark.time_ns


def _describe_change(path: Path, how: str) -> str:
    return (
        f"{path.name!r} is not the file that was added ({how}); download it again, or add the model again if you trust "
        "it"
    )


def _hash_files(files: Iterable[Path]) -> list[str]:
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(_hash_file, files))


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_config(path: Path) -> None:
    if path.name.endswith((".index.json", "tokenizer.json", "vocab.json", "merges.json")):
        return
    try:
        config = read_json(path)
    except Problem:
        if path.name in ("config.json", "model_index.json"):
            raise
        return  # the code that reads it will report the fault
    key = next((name for name, value in _list_settings(config) if name in _CODE_KEYS and value), None)
    if key is not None:
        raise Problem(
            f"{path.name!r} in {path.parent.name!r} asks to run its own code ({key}), which is never run here; "
            "take the version of the model that transformers itself knows (often named -hf)"
        )
    if path.name == "model_index.json" and not isinstance(config.get("_class_name", ""), str):
        raise Problem(f"{path.name!r} names its own pipeline, whose code is never run here")


def _list_settings(config: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    for name, value in config.items():
        yield name, value
        if isinstance(value, dict):
            yield from _list_settings(value)


def _refuse_pickles(folder: Path) -> None:
    """Refuse pickles without safetensors, the only copy of those weights; one beside safetensors is never opened."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in PICKLES and not any(path.parent.glob(f"*{SAFE}")):
            raise Problem(
                f"the weights {path.name!r} in {path.parent.name!r} are a pickle, which runs whatever code is in it; "
                f"take the model's {SAFE} files, or convert it where you trust it"
            )


def _check_shards(index: Path) -> None:
    shards = read_json(index).get("weight_map", {})
    missing = sorted({name for name in shards.values() if not (index.parent / str(name)).is_file()})
    if missing:
        raise Problem(f"{missing[0]!r} is missing: {index.name!r} names it; download the model again")


def _check_tensors(path: Path) -> int:
    """Compare the header of a file with its size; return the bytes of its tensors."""
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else size
        if length > min(_MAX_HEADER_BYTES, size - 8):
            raise Problem(_describe_damage(path, "it ends within its header"))
        try:
            header = json.loads(file.read(length))
            header.pop("__metadata__", None)
            ends = [_end_of(tensor) for tensor in header.values()]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Problem(_describe_damage(path, "its header cannot be read")) from error
    stated = max(ends, default=0)
    if size != 8 + length + stated:
        raise Problem(_describe_damage(path, f"it has {size:,} bytes, and its header states {8 + length + stated:,}"))
    return stated


def _end_of(tensor: Mapping[str, Any]) -> int:
    begin, end = tensor["data_offsets"]
    if not 0 <= begin <= end or (end - begin) * 8 != math.prod(tensor["shape"]) * _BITS[tensor["dtype"]]:
        raise ValueError(tensor)
    return int(end)


def _describe_damage(path: Path, how: str) -> str:
    return f"{path.name!r} in {path.parent.name!r} is damaged: {how}; download the model again"
