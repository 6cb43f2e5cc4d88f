"""What a set of graphs is built from."""

from dataclasses import dataclass

import numpy as np

from .onnx_graph import FLOAT, HALF
from .onnx_linear import Linears


@dataclass(frozen=True)
class Plan:
    tensors: dict[str, np.ndarray]
    linears: Linears
    half: bool  # token table, keys, values and rows in half precision

    @property
    def stored(self) -> int:
        return HALF if self.half else FLOAT
