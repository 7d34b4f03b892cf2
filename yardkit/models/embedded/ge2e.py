"""The speaker encoder of Resemblyzer as ONNX, from its PyTorch checkpoint: three layers of LSTM and one of neurons.

Source: L. Wan et al., "Generalized End-to-End Loss for Speaker Verification" (2018).
"""

from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.tfjs import OPSET
from yardkit.models.embedded.torch_checkpoint import read_checkpoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LAYERS = 3


def convert_ge2e(checkpoint: bytes) -> bytes:
    """Convert the network: ``mels`` [n, frames, 40] to ``vectors`` [n, 256] of length 1.

    Raises:
        Problem: the checkpoint cannot be read.
    """
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    weights = read_checkpoint(checkpoint)["model_state"]
    constants: dict[str, NDArray[Any]] = {"first": np.array([0]), "directions": np.array([1])}
    nodes = [helper.make_node("Transpose", ["mels"], ["layer0"], perm=[1, 0, 2])]
    for layer in range(_LAYERS):
        constants |= {f"{name}{layer}": value for name, value in _list_layer_weights(weights, layer).items()}
        size = constants[f"R{layer}"].shape[-1]
        inputs = [f"layer{layer}", f"W{layer}", f"R{layer}", f"B{layer}"]
        nodes += [
            helper.make_node("LSTM", inputs, [f"all{layer}", f"last{layer}"], hidden_size=size),
            helper.make_node("Squeeze", [f"all{layer}", "directions"], [f"layer{layer + 1}"]),
        ]
    constants |= {"W": weights["linear.weight"], "B": weights["linear.bias"]}
    nodes += [
        helper.make_node("Squeeze", [f"last{_LAYERS - 1}", "first"], ["last"]),
        helper.make_node("Gemm", ["last", "W", "B"], ["sums"], transB=1),
        helper.make_node("Relu", ["sums"], ["positive"]),
        helper.make_node("LpNormalization", ["positive"], ["vectors"], axis=1, p=2),
    ]
    mels, size = constants["W0"].shape[-1], len(constants["B"])
    graph = helper.make_graph(
        nodes,
        "ge2e",
        [helper.make_tensor_value_info("mels", TensorProto.FLOAT, ["n", "frames", mels])],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["n", size])],
        [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    serialized: bytes = model.SerializeToString(deterministic=True)
    return serialized


def _list_layer_weights(weights: Any, layer: int) -> "dict[str, NDArray[Any]]":
    """List the weights of a layer in ONNX's layout."""
    import numpy as np

    of = {
        name: _reorder_gates(weights[f"lstm.{name}_l{layer}"])
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    }
    biases = np.concatenate([of["bias_ih"], of["bias_hh"]])
    return {"W": of["weight_ih"][None], "R": of["weight_hh"][None], "B": biases[None]}


def _reorder_gates(values: "NDArray[Any]") -> "NDArray[Any]":
    """Reorder gates to ONNX's order (input, output, forget, cell) from PyTorch's (input, forget, cell, output)."""
    import numpy as np

    entry, forget, cell, output = np.split(values, 4)
    return np.concatenate([entry, output, forget, cell])
