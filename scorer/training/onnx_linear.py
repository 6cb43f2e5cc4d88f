"""Linear layers in an ONNX graph: plain float32, or 8-bit integers.

In the integer form every row has its own scale, or all rows share one that is fixed
beforehand, so that a row's result does not depend on its neighbours. Every column of the
weights has its own scale. Activations are unsigned: the processor multiplies unsigned by
signed bytes, and signed activations are eight times slower.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .onnx_graph import Graph

Bias = np.ndarray | None  # for all columns or, if it is shorter, for the first ones


class Linears(Protocol):
    def apply(
        self, g: Graph, x: str, name: str, weight: np.ndarray, bias: Bias = None, positive: bool = False
    ) -> str:
        """x times weight [in, out], plus bias. `positive`: hardly any of x is below zero."""


class FloatLinears:
    def apply(
        self, g: Graph, x: str, name: str, weight: np.ndarray, bias: Bias = None, positive: bool = False
    ) -> str:
        return _plus(g, g.op("MatMul", x, g.weight(name, weight)), name, weight, bias)


@dataclass(frozen=True)
class Range:
    """How a row maps to the 256 steps: `steps` of them from zero to its largest value."""

    zero: int
    steps: int
    least: float


EVEN = Range(zero=128, steps=127, least=1e-6)
# GELU never falls below -0.17, so 20 steps below zero do where a row's largest value is at least 2.
AFTER_GELU = Range(zero=20, steps=235, least=2.0)


class IntegerLinears:
    def apply(
        self, g: Graph, x: str, name: str, weight: np.ndarray, bias: Bias = None, positive: bool = False
    ) -> str:
        """For rows of any size, each on its own scale."""
        span = AFTER_GELU if positive else EVEN
        largest = g.op("ReduceMax", x if positive else g.op("Abs", x), g.integers(-1), keepdims=1)
        largest = g.op("Max", largest, g.number(span.least))
        # One reciprocal a row and a product: dividing every number takes twice as long.
        product = integer_product(g, g.op("Mul", x, g.reciprocal(largest)), name, weight, 1.0, span)
        return _plus(g, g.op("Mul", product, largest), name, weight, bias)


def integer_product(
    g: Graph, x: str, name: str, weight: np.ndarray, largest: float, span: Range = EVEN, bias: Bias = None
) -> str:
    """x times weight, with x clipped at `largest`."""
    step = g.number(largest / span.steps)
    zero = g.weight(f"zero_{span.zero}", np.array(span.zero, np.uint8))
    columns, scales = quantise_columns(weight)
    rows = g.op("QuantizeLinear", x, step, zero)
    return g.fused(
        "MatMulIntegerToFloat",
        rows,
        g.weight(f"{name}.int8", columns),
        step,
        g.weight(f"{name}.scale", scales),
        zero,
        "",
        _bias(g, name, weight, bias),
    )


def _plus(g: Graph, product: str, name: str, weight: np.ndarray, bias: Bias) -> str:
    return product if bias is None else g.op("Add", product, _bias(g, name, weight, bias))


def _bias(g: Graph, name: str, weight: np.ndarray, bias: Bias) -> str:
    if bias is None:
        return ""
    first, rest = g.weight(f"{name}.bias", bias), weight.shape[1] - len(bias)
    return g.op("Concat", first, g.op("Expand", g.number(0.0), g.integers(rest)), axis=0) if rest else first


def quantise_columns(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scales = np.abs(weight).max(axis=0) / 127
    return np.clip(np.round(weight / scales), -127, 127).astype(np.int8), scales.astype(np.float32)
