"""Linear layers in an ONNX graph: plain float32, or 8-bit integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .onnx_graph import Graph


class Linears(Protocol):
    def apply(self, g: Graph, x: str, name: str) -> str: ...


@dataclass(frozen=True)
class FloatLinears:
    tensors: dict[str, np.ndarray]

    def apply(self, g: Graph, x: str, name: str) -> str:
        weight, bias = self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"]
        return g.op("Add", g.op("MatMul", x, g.weight(f"{name}.weight", weight.T)), g.weight(f"{name}.bias", bias))
