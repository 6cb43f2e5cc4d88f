"""Attention in the graphs: within a slot, and in chunks over what was read before, whatever its length.

Sums over tokens come in parts (running maximum, weighted values, total) that can be added to.
"""

import math

import numpy as np

from .model import HEAD_WIDTH, HEADS, LAYERS, LIKENESS, WIDTH
from .onnx_graph import BOOL, FLOAT, INT64, Graph
from .onnx_plan import Plan

KEY_CHUNK = 512
HIDDEN_SCORE = -1e9
SCORE_SCALE = 1 / math.sqrt(HEAD_WIDTH)


def heads(g: Graph, packed: str) -> list[str]:
    """[N, 3 * width] as three of [heads, N, head width]. The fourth axis is for speed: with only
    three, onnxruntime's transpose takes two to three times as long."""
    apart = g.op("Reshape", packed, g.integers(-1, 3 * HEADS, 1, HEAD_WIDTH))
    turned = g.op(
        "Reshape", g.op("Transpose", apart, perm=[1, 2, 0, 3]), g.integers(3 * HEADS, -1, HEAD_WIDTH)
    )
    return g.ops(3, "Split", turned, axis=0, num_outputs=3)


def rows_of(g: Graph, sums: tuple[str, str, str]) -> str:
    """The attended values, [N, width], from the running sums."""
    _, weighted, total = sums
    attended = g.op("Unsqueeze", g.op("Mul", weighted, g.reciprocal(total)), g.integers(2))
    return g.op("Reshape", g.op("Transpose", attended, perm=[1, 2, 0, 3]), g.integers(-1, WIDTH))


class Slots:
    """Rows [heads, slots * T, ..] that attend within their slot."""

    def __init__(self, g: Graph, laid: str, visible: str):
        self.g = g
        self.apart = g.op("Concat", g.integers(HEADS), g.op("Shape", laid), g.integers(HEAD_WIDTH), axis=0)
        ones = g.op("Concat", g.integers(HEADS), g.op("Shape", laid), g.integers(1), axis=0)
        self.ones = g.op("Expand", g.number(1.0), ones)
        self.hidden = g.op("Where", visible, g.number(0.0), g.number(HIDDEN_SCORE))

    def attend(self, q: str, k: str, v: str) -> tuple[str, str, str]:
        """Running maximum, weighted values and total of the rows' attention within their slot."""
        g = self.g
        q, k, v = (g.op("Reshape", value, self.apart) for value in (q, k, v))
        scores = g.op("Add", g.fused("FusedMatMul", q, k, transB=1, alpha=SCORE_SCALE), self.hidden)
        top = g.op("ReduceMax", scores, g.integers(-1), keepdims=1)
        weights = g.op("Exp", g.op("Sub", scores, top))
        both = g.op("MatMul", weights, g.op("Concat", v, self.ones, axis=-1))
        joined = lambda value, width: g.op("Reshape", value, g.integers(HEADS, -1, width))
        weighted, total = g.ops(2, "Split", joined(both, HEAD_WIDTH + 1), g.integers(HEAD_WIDTH, 1), axis=-1)
        return joined(top, 1), weighted, total


class _Memory:
    """Keys and values of any number of tokens, gone through in chunks."""

    def __init__(self, g: Graph, name: str, tokens: str, scale: float):
        self.g, self.name, self.scale = g, name, scale
        self.chunks = g.op("Div", g.op("Add", tokens, g.integers(KEY_CHUNK - 1)), g.integers(KEY_CHUNK))

    def keys_values(self, b: Graph, start: str, end: str, layer: int) -> tuple[str, str]:
        raise NotImplementedError

    def attend(self, q: str, sums: tuple[str, str, str], layer: int = 0) -> tuple[str, ...]:
        """Adds what `q` takes from here to running sums."""
        always = self.g.weight("always", np.array(True))
        turns = self.g.op("Squeeze", self.chunks, self.g.integers(0))
        return tuple(self.g.ops(3, "Loop", turns, always, *sums, body=self._chunk(q, layer)))

    def _chunk(self, q: str, layer: int):
        b = Graph(self.g.weights, prefix=self.g.name(f"{self.name}_{layer}") + "_")
        turn = b.input(b.name("turn"), INT64, [])
        more = b.input(b.name("more"), BOOL, [])
        top, weighted, total = (b.input(b.name(part), FLOAT, None) for part in ("top", "weighted", "total"))
        start = b.op("Unsqueeze", b.op("Mul", turn, b.integer(KEY_CHUNK)), b.integers(0))
        keys, values = self.keys_values(b, start, b.op("Add", start, b.integers(KEY_CHUNK)), layer)
        scores = b.fused("FusedMatMul", q, keys, transB=1, alpha=self.scale)
        chunk_top = b.op("ReduceMax", scores, b.integers(-1), keepdims=1)
        # The largest value of the softmax is one over its sum. ReduceSum would cost a pass and, worse,
        # adds up a row in another order when the row lies elsewhere in memory.
        shares = b.op("Softmax", scores, axis=-1)
        chunk_total = b.reciprocal(b.op("ReduceMax", shares, b.integers(-1), keepdims=1))
        new_top = b.op("Max", top, chunk_top)
        fade = b.op("Exp", b.op("Sub", top, new_top))
        share = b.op("Mul", b.op("Exp", b.op("Sub", chunk_top, new_top)), chunk_total)
        taken = b.op("Mul", b.op("MatMul", shares, values), share)
        b.output(more, b.name("again"), BOOL, [])
        b.output(new_top, b.name("top"), FLOAT, None)
        b.output(b.op("Add", b.op("Mul", weighted, fade), taken), b.name("weighted"), FLOAT, None)
        b.output(b.op("Add", b.op("Mul", total, fade), share), b.name("total"), FLOAT, None)
        return b.body(b.prefix + "body")


class InstructionMemory(_Memory):
    """An instruction that was read before."""

    def __init__(self, g: Graph, plan: Plan):
        self.half = plan.half
        shape = [LAYERS, HEADS, "instruction_tokens", HEAD_WIDTH]
        self.keys = g.input("instruction_keys", plan.stored, shape)
        self.values = g.input("instruction_values", plan.stored, shape)
        super().__init__(g, "instruction", g.op("Shape", self.keys, start=2, end=3), SCORE_SCALE)

    def keys_values(self, b: Graph, start: str, end: str, layer: int) -> tuple[str, str]:
        first = b.op("Concat", b.integers(layer), start, axis=0)
        last = b.op("Concat", b.integers(layer + 1), end, axis=0)
        part = lambda value: b.op(
            "Squeeze", b.op("Slice", value, first, last, b.integers(0, 2)), b.integers(0)
        )
        return tuple(_floats(b, part(value), self.half) for value in (self.keys, self.values))


class StateMemory(_Memory):
    """The state's rows, which serve as both keys and values."""

    def __init__(self, g: Graph, plan: Plan):
        self.half = plan.half
        self.rows = g.input("state_rows", plan.stored, ["S", WIDTH])
        super().__init__(g, "state", g.op("Shape", self.rows, start=0, end=1), LIKENESS)

    def keys_values(self, b: Graph, start: str, end: str, layer: int) -> tuple[str, str]:
        rows = _floats(b, b.op("Slice", self.rows, start, end, b.integers(0)), self.half)
        return rows, rows


def _floats(b: Graph, value: str, half: bool) -> str:
    return b.op("Cast", value, to=FLOAT) if half else value
