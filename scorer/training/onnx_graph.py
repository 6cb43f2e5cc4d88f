"""A small builder of ONNX graphs whose weights share one file.

Several graphs of a snapshot use the same weights. The weights are written once, to
`weights.bin`, and every graph refers to its tensors by offset and length.
"""

from pathlib import Path

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
OPSET, MICROSOFT_OPSET, IR_VERSION = 21, 1, 10
WEIGHT_FILE = "weights.bin"
ALIGNMENT = 64
SMALL_BYTES = 2048

FLOAT, HALF, INT32, INT64, BOOL = (
    TensorProto.FLOAT,
    TensorProto.FLOAT16,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.BOOL,
)


class WeightFile:
    """Tensors one after the other; each name is stored once."""

    def __init__(self):
        self._parts: list[bytes] = []
        self._size = 0
        self._stored: dict[str, TensorProto] = {}

    def store(self, name: str, array: np.ndarray) -> TensorProto:
        if name not in self._stored:
            self._stored[name] = self._append(name, np.ascontiguousarray(array))
        return self._stored[name]

    def _append(self, name: str, array: np.ndarray) -> TensorProto:
        padding = -self._size % ALIGNMENT
        data = array.tobytes()
        tensor = TensorProto(
            name=name,
            data_type=helper.np_dtype_to_tensor_dtype(array.dtype),
            dims=array.shape,
            data_location=TensorProto.EXTERNAL,
        )
        place = {"location": WEIGHT_FILE, "offset": self._size + padding, "length": len(data)}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=str(value))
        self._parts += [bytes(padding), data]
        self._size += padding + len(data)
        return tensor

    def write(self, folder: Path) -> None:
        (folder / WEIGHT_FILE).write_bytes(b"".join(self._parts))


class Graph:
    """Nodes in order; every method returns the name of the value it makes."""

    def __init__(self, weights: WeightFile, prefix: str = ""):
        self.weights = weights
        self.prefix = prefix
        self.nodes: list[NodeProto] = []
        self.initializers: dict[str, TensorProto] = {}
        self.inputs: list[ValueInfoProto] = []
        self.outputs: list[ValueInfoProto] = []
        self._made = 0

    def name(self, stem: str) -> str:
        self._made += 1
        return f"{self.prefix}{stem}_{self._made}"

    def input(self, name: str, kind: int, shape: list[int | str] | None) -> str:
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, value: str, name: str, kind: int, shape: list[int | str] | None) -> None:
        self.nodes.append(helper.make_node("Identity", [value], [name], name=self.name("out")))
        self.outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def op(self, kind: str, *inputs: str, **attributes) -> str:
        return self._node(kind, inputs, 1, "", attributes)[0]

    def ops(self, count: int, kind: str, *inputs: str, **attributes) -> list[str]:
        return self._node(kind, inputs, count, "", attributes)

    def fused(self, kind: str, *inputs: str, **attributes) -> str:
        """One of onnxruntime's own operators."""
        return self._node(kind, inputs, 1, MICROSOFT, attributes)[0]

    def _node(self, kind, inputs, count, domain, attributes) -> list[str]:
        outputs = [self.name(kind.lower()) for _ in range(count)]
        self.nodes.append(
            helper.make_node(kind, inputs, outputs, domain=domain, name=self.name("node"), **attributes)
        )
        return outputs

    def weight(self, name: str, array: np.ndarray) -> str:
        """A named tensor; large ones go to the weight file."""
        array = np.asarray(array)
        if name not in self.initializers:
            large = array.nbytes > SMALL_BYTES
            self.initializers[name] = (
                self.weights.store(name, array) if large else numpy_helper.from_array(array, name)
            )
        return name

    def integers(self, *values: int) -> str:
        name = f"{self.prefix}int_" + "_".join(str(v).replace("-", "minus") for v in values)
        return self.weight(name, np.array(values, np.int64))

    def integer(self, value: int) -> str:
        return self.weight(f"{self.prefix}scalar_{value}", np.array(value, np.int64))

    def number(self, value: float) -> str:
        return self.weight(f"{self.prefix}number_{value}", np.array(value, np.float32))

    def reciprocal(self, value: str) -> str:
        """One over each number, by a division. On ARM, onnxruntime's Reciprocal is not exact, and the last
        one to three numbers of an array come out unlike the rest, so they would depend on how many there are.

        The signs keep onnxruntime from making one division of one over a number and a product with it."""
        return self.op("Div", self.number(-1.0), self.op("Neg", value))

    def body(self, name: str):
        """This graph as the body of a loop; it may use values of the graph around it."""
        return helper.make_graph(
            self.nodes, name, self.inputs, self.outputs, list(self.initializers.values())
        )

    def model(self, name: str) -> ModelProto:
        versions = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, MICROSOFT_OPSET)]
        return helper.make_model(
            self.body(name), opset_imports=versions, ir_version=IR_VERSION, producer_name="decider"
        )
