"""Checkpoints of PyTorch are read without it; what they name beyond tensors is refused, not run."""

import pickle
import struct
from collections.abc import Sequence

import numpy as np
import pytest

from yardkit.models.embedded.torch_checkpoint import read_checkpoint
from yardkit.world import Problem

REBUILD = b"ctorch._utils\n_rebuild_tensor_v2\n"
FLOATS = b"ctorch\nFloatStorage\n"


def pickle_number(value: int) -> bytes:
    return b"J" + struct.pack("<i", value)


def pickle_numbers(values: Sequence[int]) -> bytes:
    return b"(" + b"".join(map(pickle_number, values)) + b"t"


def pickle_tensor(
    offset: int, shape: Sequence[int], strides: Sequence[int], length: int = 6, rebuild: bytes = REBUILD
) -> bytes:
    """A call that makes a tensor of the storage ``s``, in the opcodes of a pickle."""
    storage = b"(Vstorage\n" + FLOATS + b"Vs\nVcpu\n" + pickle_number(length) + b"NtQ"
    return (
        rebuild + b"(" + storage + pickle_number(offset) + pickle_numbers(shape) + pickle_numbers(strides) + b"\x89NtR"
    )


def make_checkpoint(saved: bytes, values: Sequence[float] = range(6), *, length: int | None = None) -> bytes:
    """A whole file as `torch.save` wrote it, of what `saved` says in opcodes."""
    head = [0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}]
    stored = struct.pack("<q", len(values) if length is None else length) + np.array(values, "<f4").tobytes()
    return (
        b"".join(pickle.dumps(part, 2) for part in head) + b"\x80\x02" + saved + b"." + pickle.dumps(["s"], 2) + stored
    )


def test_tensors_come_out_with_their_names_shapes_and_values() -> None:
    ordered = b"ccollections\nOrderedDict\n)R(Vwhole\n" + pickle_tensor(0, (2, 3), (3, 1))
    ordered += (
        b"Vturned\n" + pickle_tensor(0, (3, 2), (1, 3)) + b"Vpart\n" + pickle_tensor(4, (2,), (1,)) + b"Vepoch\nK\x07u"
    )
    tensors = read_checkpoint(make_checkpoint(ordered))
    assert tensors["whole"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert tensors["turned"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert tensors["part"].tolist() == [4, 5]
    assert tensors["epoch"] == 7


@pytest.mark.parametrize("named", [b"cos\nsystem\n", b"cbuiltins\neval\n", b"ctorch\nload\n", b"c__main__\nNet\n"])
def test_what_is_no_tensor_is_named_and_not_run(named: bytes) -> None:
    module, name = named[1:].decode().split()
    with pytest.raises(Problem, match=rf"names {module}\.{name}, which is not a tensor"):
        read_checkpoint(make_checkpoint(named + b"(Vtouch /tmp/was-here\ntR"))


@pytest.mark.parametrize(
    "broken",
    [
        make_checkpoint(pickle_tensor(4, (3,), (1,))),
        make_checkpoint(pickle_tensor(-1, (3,), (1,))),
        make_checkpoint(pickle_tensor(0, (2, 3), (30, 1))),
        make_checkpoint(pickle_tensor(0, (6,), (1,)), length=5),
        make_checkpoint(pickle_tensor(0, (6,), (1,)), [1, 2, 3], length=6),
        make_checkpoint(pickle_tensor(0, (6,), (1,)))[:60],
        b"PK\x03\x04",
        b"",
    ],
)
def test_a_damaged_checkpoint_is_said(broken: bytes) -> None:
    with pytest.raises(Problem, match="checkpoint"):
        read_checkpoint(broken)
