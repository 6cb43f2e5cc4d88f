"""Graphs for providers without products of 8-bit integers, as CUDA and WebGPU are.

There, each such product would run on the CPU, between two copies of all rows. In these graphs the
weights are widened once, when a graph is loaded, and rows are not rounded to 8 bits at all.
"""

from collections.abc import Iterable

from onnx import ModelProto, NodeProto, helper

from .onnx_graph import FLOAT


def for_gpu(model: ModelProto) -> ModelProto:
    """The same graph with float32 in place of 8-bit integers, on the same stored weights."""
    rounded = {node.output[0]: node for node in model.graph.node if node.op_type == "QuantizeLinear"}
    nodes: list[NodeProto] = []
    for node in model.graph.node:
        if node.op_type == "MatMulIntegerToFloat":
            nodes += _widened(node, rounded[node.input[0]].input[0])
        elif node.op_type != "QuantizeLinear":
            nodes.append(node)
    used = _used(nodes)
    made = ModelProto()
    made.CopyFrom(model)
    del made.graph.node[:], made.graph.initializer[:]
    made.graph.node.extend(nodes)
    made.graph.initializer.extend(weight for weight in model.graph.initializer if weight.name in used)
    return made


def _widened(product: NodeProto, rows: str) -> list[NodeProto]:
    _, columns, _, scales, _, _, bias = product.input
    name = product.name
    weight = [
        helper.make_node("Cast", [columns], [f"{name}.wide"], f"{name}.wide", to=FLOAT),
        helper.make_node("Mul", [f"{name}.wide", scales], [f"{name}.weight"], f"{name}.weight"),
    ]
    plain = f"{name}.plain" if bias else product.output[0]
    multiplied = helper.make_node("MatMul", [rows, f"{name}.weight"], [plain], name)
    added = [helper.make_node("Add", [plain, bias], product.output, f"{name}.bias")] if bias else []
    return [*weight, multiplied, *added]


def _used(nodes: Iterable[NodeProto]) -> set[str]:
    """The names that nodes read, in the bodies of loops, too."""
    bodies = [attribute.g for node in nodes for attribute in node.attribute]
    read = {name for node in nodes for name in node.input}
    return read.union(*(_used(body.node) | {value.name for value in body.output} for body in bodies))
