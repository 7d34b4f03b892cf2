"""Converting graph models of TensorFlow.js to ONNX: each operator becomes one or a few ONNX operators.

Only operators used by models of the catalog are supported. Pictures are NHWC there and NCHW in ONNX convolutions, so
each convolution is put between two transpositions; onnxruntime removes adjacent ones.
"""

import base64
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPSET = 17
_TYPES = {"DT_FLOAT": 1, "DT_INT32": 3, "DT_BOOL": 10}
_DIRECT_OPERATORS = {
    **{name: name for name in ("Add", "Mul", "Sub", "Equal", "Greater", "Less", "Relu", "Sigmoid", "Exp", "Tanh")},
    **{name: name for name in ("Sqrt", "Abs", "Identity", "MatMul", "Reciprocal", "Reshape", "Tile", "Shape", "Size")},
    "AddV2": "Add",
    "RealDiv": "Div",
    "Minimum": "Min",
    "Maximum": "Max",
    "GreaterEqual": "GreaterOrEqual",
    "LogicalAnd": "And",
    "AddN": "Sum",
    "BiasAdd": "Add",
    "Prelu": "PRelu",
    "Range": "Range",
    "Select": "Where",
}


class Unsupported(Exception):
    """An unsupported operator."""


def convert_graph(model: bytes, weights: bytes) -> bytes:
    """Convert a graph model to ONNX.

    Args:
        model: its ``model.json``.
        weights: its weights, the parts in order.

    Raises:
        Unsupported: it uses an unsupported operator.
    """
    described = json.loads(model)
    return _Graph(described, _read_constants(described, weights)).serialize()


def _read_constants(described: Mapping[str, Any], weights: bytes) -> "dict[str, NDArray[Any]]":
    import numpy as np

    constants, start = {}, 0
    for entry in (entry for group in described["weightsManifest"] for entry in group["weights"]):
        quantized = entry.get("quantization")
        stored = np.dtype(quantized["dtype"] if quantized else entry["dtype"])
        count = int(np.prod(entry["shape"], dtype=np.int64))
        values = np.frombuffer(weights, stored, count, start).reshape(entry["shape"])
        start += count * stored.itemsize
        if quantized and "scale" in quantized:
            values = values.astype(np.float32) * quantized["scale"] + quantized["min"]
        # ONNX requires shapes and indices as 64-bit integers.
        constants[entry["name"]] = values.astype(np.int64 if entry["dtype"] == "int32" else entry["dtype"])
    return constants


class _Node:
    """A node of the graph: its name, operator, inputs, and attributes as plain values."""

    def __init__(self, node: Mapping[str, Any]) -> None:
        self.name: str = node["name"]
        self.operator: str = node["op"]
        self.inputs = [name for name in node.get("input", []) if not name.startswith("^")]
        self._attributes: Mapping[str, Any] = node.get("attr", {})

    def get_integer(self, key: str, default: int = 0) -> int:
        return int(self._attributes.get(key, {}).get("i", default))

    def number(self, key: str, default: float) -> float:
        return float(self._attributes.get(key, {}).get("f", default))

    def get_flag(self, key: str) -> bool:
        return bool(self._attributes.get(key, {}).get("b", False))

    def get_integers(self, key: str) -> list[int]:
        return [int(value) for value in self._attributes.get(key, {}).get("list", {}).get("i", [])]

    def word(self, key: str) -> str:
        return base64.b64decode(self._attributes[key]["s"]).decode() if key in self._attributes else ""

    def words(self, key: str) -> list[str]:
        listed = self._attributes.get(key, {}).get("list", {}).get("s", [])
        return [base64.b64decode(value).decode() for value in listed]

    def type(self, key: str) -> int:
        value = self._attributes.get(key, {}).get("type", "DT_FLOAT")
        return _TYPES.get(value, 0) if isinstance(value, str) else int(value)

    def shape(self) -> list[int]:
        dimensions = self._attributes.get("shape", {}).get("shape", {}).get("dim", [])
        return [int(dimension["size"]) for dimension in dimensions]


class _Graph:
    """The graph under construction."""

    def __init__(self, described: Mapping[str, Any], constants: "dict[str, NDArray[Any]]") -> None:
        self.constants = constants
        self.nodes: list[Any] = []
        self.inputs: list[Any] = []
        self.initial: dict[str, NDArray[Any]] = {}
        self._known: set[str] = set()
        """Names of nodes that are constants."""
        self._made = 0
        nodes = [_Node(node) for node in described["modelTopology"]["node"]]
        for node in nodes:
            self._add_node(node)
        self.outputs = _list_outputs(described, nodes)

    def serialize(self) -> bytes:
        from onnx import helper, numpy_helper

        for name in self.outputs:
            self._resolve_reference(name)
        used_names = {name for node in self.nodes for name in node.input} | set(self.outputs)
        graph = helper.make_graph(
            self.nodes,
            "graph",
            self.inputs,
            [helper.make_empty_tensor_value_info(name) for name in self.outputs],
            [numpy_helper.from_array(value, name) for name, value in self.initial.items() if name in used_names],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        serialized: bytes = model.SerializeToString(deterministic=True)
        return serialized

    def _add_node(self, node: _Node) -> None:
        if node.operator == "NoOp":
            return
        if node.operator == "Const":
            self._known.add(node.name)
        elif node.operator == "Placeholder":
            self._add_input(node)
        elif node.operator == "Identity" and self._is_known(node.inputs[0]):
            self._fix_constant(node.name, self.value(node.inputs[0]))
        elif node.operator == "SparseToDense":
            self._fix_constant(node.name, _densify_tensor(*map(self.value, node.inputs)))
        elif node.operator in _DIRECT_OPERATORS:
            self.put(_DIRECT_OPERATORS[node.operator], map(self._resolve_reference, node.inputs), node.name)
        elif node.operator in _CONVERTERS:
            _CONVERTERS[node.operator](self, node, [self._resolve_reference(name) for name in node.inputs])
        else:
            raise Unsupported(f"the operator {node.operator!r} of the node {node.name!r}")

    def _add_input(self, node: _Node) -> None:
        from onnx import TensorProto, helper

        is_integer = node.type("dtype") == _TYPES["DT_INT32"]
        name = f"{node.name}__in" if is_integer else node.name
        shape = [size if size > 0 else f"d{number}" for number, size in enumerate(node.shape())]
        kind = TensorProto.INT32 if is_integer else TensorProto.FLOAT
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        if is_integer:
            self.put("Cast", [name], node.name, to=TensorProto.INT64)

    def put(self, operator: str, inputs: Any, name: str = "", outputs: int = 1, **attributes: Any) -> str:
        """Add a node; return the name of its first output."""
        from onnx import helper

        name = name or self._new_name()
        names = [name, *(f"{name}:{number}" for number in range(1, outputs))]
        self.nodes.append(helper.make_node(operator, list(inputs), names, **attributes))
        return name

    def add_constant(self, value: Any) -> str:
        """Add a constant; return its name."""
        import numpy as np

        name = self._new_name()
        self.initial[name] = np.ascontiguousarray(value)
        return name

    def value(self, name: str) -> "NDArray[Any]":
        """Return a constant's value."""
        return self.constants[name.partition(":")[0]]

    def _fix_constant(self, name: str, value: "NDArray[Any]") -> None:
        self.constants[name] = value
        self._known.add(name)

    def _is_known(self, name: str) -> bool:
        return name.partition(":")[0] in self._known

    def _resolve_reference(self, name: str) -> str:
        """Return the ONNX name of an input; a constant is added at its first use."""
        import numpy as np

        node, _, number = name.partition(":")
        is_first_output = node if number in ("", "0") else f"{node}:{number}"
        if node in self._known and is_first_output not in self.initial:
            self.initial[is_first_output] = np.ascontiguousarray(self.constants[node])
        return is_first_output

    def _new_name(self) -> str:
        self._made += 1
        return f"_{self._made}"


def _densify_tensor(places: Any, shape: Any, values: Any, default: Any) -> "NDArray[Any]":
    """Convert a sparse tensor to a dense one; indices are numbers along its only axis, or rows of them."""
    import numpy as np

    dense_values = np.full(shape.astype(int), default, dtype=values.dtype)
    for number, place in enumerate(np.atleast_1d(places)):
        dense_values[tuple(np.atleast_1d(place))] = values if values.ndim == 0 else values[number]
    return dense_values


def _list_outputs(described: Mapping[str, Any], nodes: list[_Node]) -> list[str]:
    """List the outputs declared by the model, else those that no node uses."""
    signature = described.get("signature") or described.get("userDefinedMetadata", {}).get("signature") or {}
    named = [output["name"].partition(":")[0] for output in signature.get("outputs", {}).values()]
    read = {name.partition(":")[0] for node in nodes for name in node.inputs}
    ends = [node.name for node in nodes if node.name not in read and node.operator not in ("NoOp", "Const")]
    return list(dict.fromkeys(named or ends))


_Converter = Callable[[_Graph, _Node, list[str]], object]


def _channels_first(graph: _Graph, name: str) -> str:
    return graph.put("Transpose", [name], perm=[0, 3, 1, 2])


def _channels_last(graph: _Graph, name: str, out: str) -> None:
    graph.put("Transpose", [name], out, perm=[0, 2, 3, 1])


def _build_padding(node: _Node) -> dict[str, Any]:
    kind = node.word("padding")
    if kind == "EXPLICIT":
        edges = node.get_integers("explicit_paddings")
        return {"pads": [edges[2], edges[4], edges[3], edges[5]]}
    return {"auto_pad": "SAME_UPPER" if kind == "SAME" else "VALID"}


def _add_convolution(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    if node.word("data_format") == "NCHW":
        raise Unsupported("a convolution with channels first")
    kernel = graph.value(node.inputs[1])
    by_depth = "epthwise" in node.operator
    weights = (
        kernel.transpose(2, 3, 0, 1).reshape(-1, 1, *kernel.shape[:2]) if by_depth else kernel.transpose(3, 2, 0, 1)
    )
    output_name = graph.put(
        "Conv",
        [_channels_first(graph, inputs[0]), graph.add_constant(weights.astype(np.float32))],
        strides=node.get_integers("strides")[1:3],
        dilations=(node.get_integers("dilations") or [1] * 4)[1:3],
        group=kernel.shape[2] if by_depth else 1,
        kernel_shape=list(kernel.shape[:2]),
        **_build_padding(node),
    )
    _channels_last(graph, _add_fused_steps(graph, node, output_name), node.name)


def _add_fused_steps(graph: _Graph, node: _Node, name: str) -> str:
    """Add the steps that TensorFlow.js fuses into a convolution: a bias and an activation."""
    import numpy as np

    others = iter(node.inputs[2:])
    for operator in node.words("fused_ops"):
        if operator == "BiasAdd":
            name = graph.put("Add", [name, graph.add_constant(graph.value(next(others)).reshape(1, -1, 1, 1))])
        elif operator == "Prelu":
            name = graph.put("PRelu", [name, graph.add_constant(graph.value(next(others)).reshape(-1, 1, 1))])
        elif operator == "Relu6":
            name = graph.put("Clip", [name, graph.add_constant(np.float32(0)), graph.add_constant(np.float32(6))])
        elif operator == "LeakyRelu":
            name = graph.put("LeakyRelu", [name], alpha=node.number("leakyrelu_alpha", 0.2))
        elif operator in ("Relu", "Elu"):
            name = graph.put(operator, [name])
        else:
            raise Unsupported(f"the fused operator {operator!r}")
    return name


def _convolution_back(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    kernel = graph.add_constant(graph.value(node.inputs[1]).transpose(3, 2, 0, 1).astype(np.float32))
    strides = node.get_integers("strides")[1:3]
    output_name = graph.put(
        "ConvTranspose", [_channels_first(graph, inputs[2]), kernel], strides=strides, **_build_padding(node)
    )
    _channels_last(graph, output_name, node.name)


def _fused_product(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    name = graph.put("MatMul", inputs[:2])
    for operator in node.words("fused_ops"):
        name = graph.put("Add", [name, inputs[2]]) if operator == "BiasAdd" else graph.put("Relu", [name])
    graph.put("Identity", [name], node.name)


def _add_pool(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    operator = "MaxPool" if node.operator == "MaxPool" else "AveragePool"
    sizes: dict[str, Any] = {
        "kernel_shape": node.get_integers("ksize")[1:3],
        "strides": node.get_integers("strides")[1:3],
    }
    output_name = graph.put(operator, [_channels_first(graph, inputs[0])], **sizes, **_build_padding(node))
    _channels_last(graph, output_name, node.name)


def _add_reduction(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    axes, keep = np.atleast_1d(graph.value(node.inputs[1])).astype(np.int64), int(node.get_flag("keep_dims"))
    if node.operator == "Sum":
        graph.put("ReduceSum", [inputs[0], graph.add_constant(axes)], node.name, keepdims=keep)
    else:
        graph.put(f"Reduce{node.operator}", [inputs[0]], node.name, axes=axes.tolist(), keepdims=keep)


def _add_resize(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    aligned, half = node.get_flag("align_corners"), node.get_flag("half_pixel_centers")
    mode = "align_corners" if aligned else "half_pixel" if half else "asymmetric"
    first = _channels_first(graph, inputs[0])
    batch = graph.put(
        "Slice", [graph.put("Shape", [first]), graph.add_constant(np.array([0])), graph.add_constant(np.array([2]))]
    )
    sizes = graph.put("Concat", [batch, inputs[1]], axis=0)
    output_name = graph.put("Resize", [first, "", "", sizes], mode="linear", coordinate_transformation_mode=mode)
    _channels_last(graph, output_name, node.name)


def _clip_to_six(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    graph.put("Clip", [inputs[0], graph.add_constant(np.float32(0)), graph.add_constant(np.float32(6))], node.name)


def _squared_difference(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    difference = graph.put("Sub", inputs)
    graph.put("Mul", [difference, difference], node.name)


def _floor_quotient(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    if node.type("T") == _TYPES["DT_FLOAT"]:
        graph.put("Floor", [graph.put("Div", inputs)], node.name)
    else:
        graph.put("Div", inputs, node.name)


def _add_cast(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    from onnx import TensorProto

    kinds = {_TYPES["DT_FLOAT"]: TensorProto.FLOAT, _TYPES["DT_BOOL"]: TensorProto.BOOL}
    graph.put("Cast", inputs, node.name, to=kinds.get(node.type("DstT"), TensorProto.INT64))


def _add_top(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    count = graph.put("Reshape", [inputs[1], graph.add_constant(np.array([1]))])
    graph.put("TopK", [inputs[0], count], node.name, outputs=2, axis=-1)


def _add_expand(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    axes = np.atleast_1d(graph.value(node.inputs[1])).astype(np.int64)
    graph.put("Unsqueeze", [inputs[0], graph.add_constant(axes)], node.name)


def _add_squeeze(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    axes = node.get_integers("squeeze_dims") or node.get_integers("axis")
    graph.put("Squeeze", [inputs[0], *([graph.add_constant(np.array(axes))] if axes else [])], node.name)


def _add_gather(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    axis = int(graph.value(node.inputs[2])) if len(inputs) > 2 else 0
    graph.put("Gather", inputs[:2], node.name, axis=axis)


def _add_pad(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    edges = graph.value(node.inputs[1])
    sizes = graph.add_constant(np.concatenate([edges[:, 0], edges[:, 1]]).astype(np.int64))
    filling = inputs[2] if node.operator == "PadV2" else graph.add_constant(np.float32(0))
    graph.put("Pad", [inputs[0], sizes, filling], node.name)


def _add_pack(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    axis = node.get_integer("axis")
    expanded_names = [graph.put("Unsqueeze", [name, graph.add_constant(np.array([axis]))]) for name in inputs]
    graph.put("Concat", expanded_names, node.name, axis=axis)


def _add_unpack(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    for number in range(node.get_integer("num")):
        name = f"{node.name}:{number}" if number else node.name
        graph.put("Gather", [inputs[0], graph.add_constant(np.int64(number))], name, axis=node.get_integer("axis"))


def _add_split(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    axis = int(graph.value(node.inputs[0]))
    graph.put("Split", [inputs[1]], node.name, outputs=node.get_integer("num_split"), axis=axis)


def _split_by_sizes(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    axis, parts = int(graph.value(node.inputs[2])), len(graph.value(node.inputs[1]))
    graph.put("Split", inputs[:2], node.name, outputs=parts, axis=axis)


def _add_slice(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    import numpy as np

    if node.get_integer("ellipsis_mask") or node.get_integer("new_axis_mask"):
        raise Unsupported("a slice with an ellipsis or a new axis")
    begins, ends, steps = (graph.value(name).astype(np.int64).copy() for name in node.inputs[1:4])
    singles = [axis for axis in range(len(begins)) if node.get_integer("shrink_axis_mask") >> axis & 1]
    for axis in range(len(begins)):
        if node.get_integer("begin_mask") >> axis & 1:
            # ONNX clips bounds to the axis, so a huge number means its end.
            begins[axis] = 0 if steps[axis] > 0 else 2**31
        if node.get_integer("end_mask") >> axis & 1:
            ends[axis] = 2**31 if steps[axis] > 0 else -(2**31)
        if axis in singles:
            ends[axis] = begins[axis] + 1 if begins[axis] != -1 else 2**31
    edges = [graph.add_constant(values) for values in (begins, ends, np.arange(len(begins)), steps)]
    output_name = graph.put("Slice", [inputs[0], *edges])
    if singles:
        graph.put("Squeeze", [output_name, graph.add_constant(np.array(singles))], node.name)
    else:
        graph.put("Identity", [output_name], node.name)


def _depth_to_space(graph: _Graph, node: _Node, inputs: list[str]) -> None:
    size = node.get_integer("block_size")
    output_name = graph.put("DepthToSpace", [_channels_first(graph, inputs[0])], blocksize=size, mode="DCR")
    _channels_last(graph, output_name, node.name)


def _with_axis(operator: str) -> _Converter:
    def convert_node(graph: _Graph, node: _Node, inputs: list[str]) -> None:
        graph.put(operator, inputs, node.name, axis=-1)

    return convert_node


_CONVERTERS: dict[str, _Converter] = {
    **dict.fromkeys(
        ("Conv2D", "_FusedConv2D", "DepthwiseConv2dNative", "FusedDepthwiseConv2dNative"), _add_convolution
    ),
    "Conv2DBackpropInput": _convolution_back,
    "_FusedMatMul": _fused_product,
    **dict.fromkeys(("MaxPool", "AvgPool"), _add_pool),
    **dict.fromkeys(("Mean", "Sum", "Max"), _add_reduction),
    "ResizeBilinear": _add_resize,
    "Relu6": _clip_to_six,
    "LeakyRelu": lambda graph, node, inputs: graph.put("LeakyRelu", inputs, node.name, alpha=node.number("alpha", 0.2)),
    "Softmax": _with_axis("Softmax"),
    "SquaredDifference": _squared_difference,
    "FloorDiv": _floor_quotient,
    "FloorMod": lambda graph, node, inputs: graph.put("Mod", inputs, node.name, fmod=1),
    "Cast": _add_cast,
    "TopKV2": _add_top,
    "ExpandDims": _add_expand,
    "Squeeze": _add_squeeze,
    "GatherV2": _add_gather,
    "GatherNd": lambda graph, node, inputs: graph.put("GatherND", inputs, node.name),
    **dict.fromkeys(("Pad", "PadV2"), _add_pad),
    "Transpose": lambda graph, node, inputs: graph.put(
        "Transpose", inputs[:1], node.name, perm=[int(axis) for axis in graph.value(node.inputs[1])]
    ),
    "ConcatV2": lambda graph, node, inputs: graph.put(
        "Concat", inputs[:-1], node.name, axis=int(graph.value(node.inputs[-1]))
    ),
    "Fill": lambda graph, node, inputs: graph.put("Expand", [inputs[1], inputs[0]], node.name),
    "ArgMax": lambda graph, node, inputs: graph.put(
        "ArgMax", inputs[:1], node.name, axis=int(graph.value(node.inputs[1])), keepdims=0
    ),
    "DepthToSpace": _depth_to_space,
    "Pack": _add_pack,
    "Unpack": _add_unpack,
    "Split": _add_split,
    "SplitV": _split_by_sizes,
    "StridedSlice": _add_slice,
}
