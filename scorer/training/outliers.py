"""Tames outliers before weights and activations become 8-bit integers.

A few channels of this kind of encoder are ten times larger than the rest, and a scale that
has to reach them leaves few steps for the others. There are two remedies, and neither changes
what the network computes: a large channel is divided by a number that its weights are
multiplied by, and an inner neuron with a large weight is split into copies that share the weight.
"""

import random

import numpy as np
import torch

from .model import LAYERS, Decider
from .onnx_graph import Graph
from .onnx_linear import Bias, IntegerLinears, integer_product
from .requests import random_request

CALIBRATION_REQUESTS = 8
CHANNEL_LIMIT = 2.0  # times the median channel
COPIES = 64  # of inner neurons, in each layer


class TamedLinears(IntegerLinears):
    """8-bit layers. If the input comes from a norm, its size is known: its large channels are
    divided first, and all rows share a scale, which saves five passes over them."""

    def __init__(self, largest: dict[str, np.ndarray]):
        self.divisors = {
            name: np.maximum(1, size / (CHANNEL_LIMIT * np.median(size))).astype(np.float32)
            for name, size in largest.items()
        }
        self.largest = {name: float((size / self.divisors[name]).max()) for name, size in largest.items()}

    def apply(
        self, g: Graph, x: str, name: str, weight: np.ndarray, bias: Bias = None, positive: bool = False
    ) -> str:
        divisor = self.divisors.get(name)
        if divisor is None:
            return super().apply(g, x, name, weight, bias, positive)
        x = g.op("Mul", x, g.weight(f"{name}.divisor", 1 / divisor))
        return integer_product(g, x, name, weight * divisor[:, None], self.largest[name], bias=bias)


def largest_inputs(model: Decider) -> dict[str, np.ndarray]:
    """The largest value each channel takes on its way into the layers that follow a norm.
    Which channels stand out hardly depends on the text, so made-up requests will do."""
    largest: dict[str, np.ndarray] = {}

    def watch(name: str):
        def note(_module, inputs, _output):
            size = inputs[0].detach().abs().reshape(-1, inputs[0].shape[-1]).amax(0).numpy()
            largest[name] = np.maximum(largest.get(name, size), size)

        return note

    parts = [
        (f"layers.{n}.{part}", getattr(model.layers[n], part))
        for n in range(LAYERS)
        for part in ("qkv", "f1")
    ]
    hooks = [module.register_forward_hook(watch(name)) for name, module in parts]
    chance = random.Random(0)
    with torch.no_grad():
        for _ in range(CALIBRATION_REQUESTS):
            model(random_request(chance))
    for hook in hooks:
        hook.remove()
    return largest


def split_neurons(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same network, with several copies of the inner neurons that have the largest weights."""
    split = dict(tensors)
    for layer in range(LAYERS):
        inner, bias, outer = (f"layers.{layer}.{name}" for name in ("f1.weight", "f1.bias", "f2.weight"))
        typical = np.sqrt((tensors[outer] ** 2).mean(axis=1))
        columns = list(tensors[outer].T)
        sources = list(range(len(columns)))
        excess = [np.abs(column / typical).max() for column in columns]
        for _ in range(COPIES):
            worst = int(np.argmax(excess))
            columns[worst] = columns[worst] / 2
            excess[worst] /= 2
            for values in (columns, sources, excess):
                values.append(values[worst])
        split |= {
            inner: tensors[inner][sources],
            bias: tensors[bias][sources],
            outer: np.stack(columns, axis=1),
        }
    return split
