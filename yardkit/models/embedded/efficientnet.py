"""EfficientNet-Lite0 as ONNX, from the weights of its PyTorch checkpoint.

Source: M. Tan and Q. Le, "EfficientNet" (2019), and the Lite variants of TensorFlow's TPU models: no squeeze and
excitation, ReLU6, padding as TensorFlow's SAME. Each batch normalisation is folded into the convolution before it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.tfjs import OPSET
from yardkit.models.embedded.torch_checkpoint import read_checkpoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE = 224
LOGITS, VECTOR = "logits", "vector"
_STAGES = ((1, 1, 1), (2, 2, 6), (2, 2, 6), (3, 2, 6), (3, 1, 6), (4, 2, 6), (1, 1, 6))
"""Blocks, stride of the first one, and by how much each widens its channels."""
# Of batch normalization, as in TensorFlow.
_EPSILON = 1e-3


def convert_efficientnet(checkpoint: bytes) -> bytes:
    """Convert the network: ``picture`` [n, 3, 224, 224] to ``logits`` [n, 1000] and the pooled ``vector`` [n, 1280].

    Raises:
        Problem: the checkpoint cannot be read, or is of another network.
    """
    from onnx import TensorProto, helper

    network = _Network(read_checkpoint(checkpoint))
    features = network.add_blocks(network.add_convolution("picture", "_conv_stem", "_bn0", stride=2))
    pooled = network.put("GlobalAveragePool", network.add_convolution(features, "_conv_head", "_bn1"))
    network.put("Flatten", pooled, out=VECTOR)
    network.put("Gemm", VECTOR, network.add_weight("_fc.weight"), network.add_weight("_fc.bias"), out=LOGITS, transB=1)
    graph = helper.make_graph(
        network.nodes,
        "efficientnet-lite0",
        [helper.make_tensor_value_info("picture", TensorProto.FLOAT, ["n", 3, SIDE, SIDE])],
        [
            helper.make_tensor_value_info(LOGITS, TensorProto.FLOAT, ["n", 1000]),
            helper.make_tensor_value_info(VECTOR, TensorProto.FLOAT, ["n", 1280]),
        ],
        network.list_initializers(),
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    serialized: bytes = model.SerializeToString(deterministic=True)
    return serialized


class _Network:
    """The graph built from the weights by name."""

    def __init__(self, weights: "Mapping[str, NDArray[Any]]") -> None:
        import numpy as np

        self._weights = weights
        self._initial: dict[str, NDArray[Any]] = {"zero": np.array(0, np.float32), "six": np.array(6, np.float32)}
        self.nodes: list[Any] = []

    def add_blocks(self, name: str) -> str:
        """Add all inverted residual blocks; return the name of the output."""
        steps = [
            (stride if number == 0 else 1, widening) for blocks, stride, widening in _STAGES for number in range(blocks)
        ]
        for number, (stride, widening) in enumerate(steps):
            name = self._add_block(name, f"_blocks.{number}.", stride, widens=widening > 1)
        return name

    def _add_block(self, before: str, prefix: str, stride: int, *, widens: bool) -> str:
        name = before
        if widens:
            name = self.add_convolution(name, f"{prefix}_expand_conv", f"{prefix}_bn0")
        name = self.add_convolution(name, f"{prefix}_depthwise_conv", f"{prefix}_bn1", stride)
        name = self.add_convolution(name, f"{prefix}_project_conv", f"{prefix}_bn2", bends=False)
        first = self._weights[f"{prefix}{'_expand' if widens else '_depthwise'}_conv.weight"]
        channels = first.shape[1] if widens else first.shape[0]
        same = stride == 1 and channels == len(self._weights[f"{prefix}_project_conv.weight"])
        return self.put("Add", name, before) if same else name

    def add_convolution(self, name: str, layer: str, normalised: str, stride: int = 1, *, bends: bool = True) -> str:
        """Add a convolution with its batch normalization folded in, and ReLU6 if it `bends`."""
        import numpy as np

        kernel = self._weights[f"{layer}.weight"]
        scale, bias, mean, variance = (
            self._weights[f"{normalised}.{part}"] for part in ("weight", "bias", "running_mean", "running_var")
        )
        factor = scale / np.sqrt(variance + _EPSILON)
        self._initial[f"{layer}.folded"] = kernel * factor[:, None, None, None]
        self._initial[f"{layer}.shift"] = bias - mean * factor
        by_depth = "_depthwise_" in layer
        output_name = self.put(
            "Conv",
            name,
            f"{layer}.folded",
            f"{layer}.shift",
            strides=[stride, stride],
            group=len(kernel) if by_depth else 1,
            kernel_shape=list(kernel.shape[2:]),
            auto_pad="SAME_UPPER",
        )
        return self.put("Clip", output_name, "zero", "six") if bends else output_name

    def add_weight(self, name: str) -> str:
        self._initial[name] = self._weights[name]
        return name

    def put(self, operator: str, *inputs: str, out: str = "", **attributes: Any) -> str:
        """Add a node; return the name of its output."""
        from onnx import helper

        out = out or f"_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [out], **attributes))
        return out

    def list_initializers(self) -> list[Any]:
        import numpy as np
        from onnx import numpy_helper

        return [
            numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name)
            for name, value in self._initial.items()
        ]
