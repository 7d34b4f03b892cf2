"""The place of a model's weights: in the memory of the host, and of a GPU while they are used.

All weights are in one block, so that moving them to the GPU is one copy at the speed of the bus. They never change, so
the block in the host's memory stays, and leaving the GPU needs no copy.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yardkit.models.local.families.contract import LocalModel

if TYPE_CHECKING:
    import torch

_ALIGNED = 256


@dataclass(frozen=True)
class _Piece:
    """A parameter or buffer, and its offset in the block."""

    tensor: "torch.Tensor"
    start: int

    def lies_in(self, block: "torch.Tensor") -> "torch.Tensor":
        size = self.tensor.numel() * self.tensor.element_size()
        return block[self.start : self.start + size].view(self.tensor.dtype).view(self.tensor.shape)


class Placement:
    """The weights of one model.

    Attributes:
        bytes: their size.
    """

    def __init__(self, model: LocalModel, device: "torch.device") -> None:
        self.model = model
        self.device = device
        self._pieces = list(_list_pieces(model.parts))
        last = self._pieces[-1] if self._pieces else None
        self.bytes = last.start + last.tensor.numel() * last.tensor.element_size() if last else 0
        self._host: torch.Tensor | None = None
        self._block: torch.Tensor | None = None

    @property
    def parked(self) -> bool:
        """Whether the host's memory has a copy from which the GPU can be filled."""
        return self._host is not None

    def bring_weights(self) -> None:
        """Move the weights to the device: from the host's copy at once, else each from where it was loaded."""
        if self.device.type == "cpu":
            return
        import torch

        block = torch.empty(self.bytes, dtype=torch.uint8, device=self.device)
        if self._host is not None:
            block.copy_(self._host, non_blocking=True)
        else:
            for piece in self._pieces:
                piece.lies_in(block).copy_(piece.tensor)
        torch.cuda.synchronize(self.device)
        self._point_to(block)
        self._block = block
        self.model.device = self.device
        self._flatten_weights()

    def park_weights(self) -> None:
        """Make the host's copy, in pinned memory that the GPU reads directly. Runs in parallel to calls."""
        block = self._block
        if block is None or self._host is not None:
            return
        import torch

        host = torch.empty(self.bytes, dtype=torch.uint8)
        torch.cuda.cudart().cudaHostRegister(host.data_ptr(), self.bytes, 0)  # without it, copying is only slower
        host.copy_(block)
        self._host = host

    def leave_device(self) -> None:
        """Free the device's memory; the weights stay in the host's. Needs `parked`."""
        import torch

        assert self._host is not None  # noqa: S101 - callers ask `parked`
        self._point_to(self._host)
        self._block = None
        self.model.device = torch.device("cpu")

    def drop_copy(self) -> None:
        """Free the host's memory before the model itself is dropped."""
        if self._host is not None:
            import torch

            torch.cuda.cudart().cudaHostUnregister(self._host.data_ptr())
        self._host = self._block = None
        self._pieces.clear()

    def _point_to(self, block: "torch.Tensor") -> None:
        for piece in self._pieces:
            piece.tensor.data = piece.lies_in(block)

    def _flatten_weights(self) -> None:
        """Flatten the weights of recurrent layers, which must be contiguous in the layers' own order."""
        import torch

        for part in self.model.parts:
            for module in part.modules():
                if isinstance(module, torch.nn.RNNBase):
                    module.flatten_parameters()


def _list_pieces(parts: "Sequence[torch.nn.Module]") -> Iterator[_Piece]:
    """List each parameter and buffer once, even if modules share it."""
    seen: set[int] = set()
    start = 0
    for part in parts:
        for tensor in (*part.parameters(), *part.buffers()):
            if id(tensor) not in seen:
                seen.add(id(tensor))
                yield _Piece(tensor, start)
                start += -(-tensor.numel() * tensor.element_size() // _ALIGNED) * _ALIGNED
