"""The graphs of a model, and the plan for the served ones."""

from pathlib import Path

import numpy as np
import onnx

from .model import Decider
from .onnx_gpu import for_gpu
from .onnx_graph import Graph, WeightFile
from .onnx_linear import FloatLinears
from .onnx_model import compare_graph, question_graph, readout_graph, state_graph
from .onnx_plan import Plan
from .outliers import TamedLinears, largest_inputs, split_neurons

ARITHMETICS = ("int8", "float32")
FOR_GPU = ".gpu"
GRAPHS = {
    "state": state_graph,
    "question": lambda g, plan: question_graph(g, plan, wide=False),
    "wide": lambda g, plan: question_graph(g, plan, wide=True),
    "compare": compare_graph,
    "readout": readout_graph,
}


def tensors_of(model: Decider) -> dict[str, np.ndarray]:
    return {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}


def served_plan(model: Decider, arithmetic: str = "int8") -> Plan:
    tensors = tensors_of(model)
    if arithmetic == "float32":
        return Plan(tensors, FloatLinears(), half=True)
    return Plan(split_neurons(tensors), TamedLinears(largest_inputs(model)), half=True)


def write_graphs(plan: Plan, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    weights = WeightFile()
    for name, build in GRAPHS.items():
        model = build(Graph(weights), plan).model(name)
        onnx.save(model, folder / f"{name}.onnx")
        onnx.save(for_gpu(model), folder / f"{name}{FOR_GPU}.onnx")
    weights.write(folder)
