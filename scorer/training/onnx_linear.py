"""Linear layers in an ONNX graph: plain float32, or 8-bit integers.

The integer form gives every row its own scale, so that a row's result does not depend on
the rows beside it, and every column of the weights theirs. Activations are unsigned: the
processor multiplies unsigned by signed bytes, and signed activations are eight times slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .onnx_graph import Graph


class Linears(Protocol):
    def apply(self, g: Graph, x: str, name: str, weight: np.ndarray, positive: bool = False) -> str:
        """x times weight [in, out], without bias. `positive`: hardly any of x is below zero."""


class FloatLinears:
    def apply(self, g: Graph, x: str, name: str, weight: np.ndarray, positive: bool = False) -> str:
        return g.op("MatMul", x, g.weight(name, weight))


@dataclass(frozen=True)
class Range:
    """How a row is laid over the 256 steps: `steps` of them from zero to its largest value."""

    zero: int
    steps: int
    least: float


EVEN = Range(zero=128, steps=127, least=1e-6)
# GELU never falls below -0.17, so 20 steps below zero do where a row's largest value is at least 2.
AFTER_GELU = Range(zero=20, steps=235, least=2.0)


class IntegerLinears:
    def apply(self, g: Graph, x: str, name: str, weight: np.ndarray, positive: bool = False) -> str:
        span = AFTER_GELU if positive else EVEN
        largest = g.op("ReduceMax", x if positive else g.op("Abs", x), g.integers(-1), keepdims=1)
        largest = g.op("Max", largest, g.number(span.least))
        step = g.number(1 / span.steps)
        zero = g.weight(f"zero_{span.zero}", np.array(span.zero, np.uint8))
        # One reciprocal a row and a product: a division of every number takes twice as long.
        rows = g.op("QuantizeLinear", g.op("Mul", x, g.op("Reciprocal", largest)), step, zero)
        columns, scales = quantise_columns(weight)
        product = g.fused("MatMulIntegerToFloat", rows, g.weight(f"{name}.int8", columns), step,
                          g.weight(f"{name}.scale", scales), zero, "")
        return g.op("Mul", product, largest)


def quantise_columns(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scales = np.abs(weight).max(axis=0) / 127
    return np.clip(np.round(weight / scales), -127, 127).astype(np.int8), scales.astype(np.float32)
