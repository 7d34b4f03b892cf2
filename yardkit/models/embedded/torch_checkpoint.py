"""Reading PyTorch checkpoints without PyTorch and without running code named in a pickle.

The form is the one that `torch.save` wrote until version 1.5: four pickles (a magic number, a version, facts of the
machine, the saved object), a pickle with the keys of the storages, then each storage: its length and its values.
"""

import io
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.world import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAGIC = 0x1950A86A20F9469CFC6C
_VERSION = 1001
_KINDS = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
}
_LENGTH_BYTES = 8


def read_checkpoint(data: bytes) -> Any:
    """Read the contents of a checkpoint: numbers, text, lists and dicts, with tensors as arrays.

    Raises:
        Problem: it is not such a checkpoint, is truncated, or names anything except tensors.
    """
    file = io.BytesIO(data)
    try:
        if (_Tensors(file).load(), _Tensors(file).load()) != (_MAGIC, _VERSION):
            raise Problem(
                "this is not a PyTorch checkpoint in the format used before 1.6; save it in that format or as "
                "safetensors"
            )
        _Tensors(file).load()
        tensors = _Tensors(file)
        tensor_tree, keys = tensors.load(), _Tensors(file).load()
        for key in keys:
            _fill_storage(tensors.storages[key], file)
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
        raise Problem(f"the checkpoint cannot be read ({error}); it is damaged or of another form") from error
    return _with_arrays(tensor_tree)


@dataclass
class _Storage:
    """Values that tensors are views of."""

    kind: str
    length: int
    values: "NDArray[Any] | None" = None


@dataclass(frozen=True)
class _Tensor:
    """A view of a storage: its offset, shape and strides."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def array(self) -> "NDArray[Any]":
        from numpy.lib.stride_tricks import as_strided

        values = self.storage.values
        last = self.offset + sum((size - 1) * stride for size, stride in zip(self.shape, self.strides, strict=True))
        if values is None or min(self.offset, *self.shape, *self.strides, 0) < 0 or last >= len(values):
            raise Problem("the checkpoint has a tensor that reaches beyond its values; it is damaged")
        return as_strided(
            values[self.offset :], self.shape, [stride * values.itemsize for stride in self.strides]
        ).copy()


class _Tensors(pickle.Unpickler):
    """An unpickler that only makes the objects of a checkpoint of tensors."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.storages: dict[str, _Storage] = {}

    def find_class(self, module: str, name: str) -> Any:
        if module == "torch" and name in _KINDS:
            return _KINDS[name]
        if (module, name) not in _KNOWN:
            raise Problem(f"the checkpoint names {module}.{name}, which is not a tensor; it is not read")
        return _KNOWN[module, name]

    def persistent_load(self, reference: Any) -> _Storage:
        _, kind, key, _, length, _ = reference
        return self.storages.setdefault(key, _Storage(kind, length))


class _Names(dict[str, Any]):
    """An ordered dict; the attributes that a model sets on it are dropped."""

    def __setstate__(self, state: object) -> None:
        pass


def _rebuild_tensor(
    storage: _Storage, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: object
) -> _Tensor:
    return _Tensor(storage, offset, shape, strides)


_KNOWN: Mapping[tuple[str, str], Callable[..., Any]] = {
    ("collections", "OrderedDict"): _Names,
    ("torch._utils", "_rebuild_tensor_v2"): _rebuild_tensor,
}


def _fill_storage(storage: _Storage, file: io.BytesIO) -> None:
    import numpy as np

    if int.from_bytes(file.read(_LENGTH_BYTES), "little") != storage.length:
        raise ValueError("a storage has another length than its tensors say")
    kind = np.dtype(storage.kind)
    storage.values = np.frombuffer(file.read(storage.length * kind.itemsize), kind, storage.length)


def _with_arrays(tensor_tree: Any) -> Any:
    if isinstance(tensor_tree, _Tensor):
        return tensor_tree.array()
    if isinstance(tensor_tree, dict):
        return {key: _with_arrays(value) for key, value in tensor_tree.items()}
    return [_with_arrays(value) for value in tensor_tree] if isinstance(tensor_tree, list | tuple) else tensor_tree
