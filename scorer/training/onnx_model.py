"""The network as ONNX graphs, written by hand so that every bit is accounted for.

A question's numbers must not depend on what else rides in the same run. Each operation
used here treats rows apart, and sums over tokens of a question add in the order of its
own tokens: a masked key contributes an exact zero to a matrix product, which adds keys
one by one. Row sums made by vector lanes would not do, so the sum of a question's own
attention weights is one more column of the product with the values. That holds up to
256 rows a slot: a product over more keys is added up in panels.

state     ids [blocks, T]                       -> keys, values [layers, heads, blocks*T, 32], rows, sums [blocks, 384]
question  ids, places, own, reads [slots, T] + state -> rows [slots * T, 384]
wide      the same + focus + long instructions  -> rows, keys, values of all layers
readout   openings, options [O, 384], state mean, scale -> logits [O]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .onnx_graph import BOOL, FLOAT, HALF, INT32, INT64, Graph
from .onnx_linear import Linears

WIDTH, HEADS, HEAD_WIDTH, LAYERS, BLOCK = 384, 12, 32, 6, 256
EPSILON = 1e-12
KEY_CHUNK = 512
HIDDEN_SCORE = -1e9
SCORE_SCALE = 1 / math.sqrt(HEAD_WIDTH)


@dataclass(frozen=True)
class Plan:
    """What a set of graphs is built from."""

    tensors: dict[str, np.ndarray]
    see: int
    linears: Linears
    half: bool  # token table, keys, values and rows in half precision

    @property
    def stored(self) -> int:
        return HALF if self.half else FLOAT


def layer_norm(g: Graph, plan: Plan, x: str, name: str) -> str:
    weight, bias = (plan.tensors[f"{name}.{part}"] for part in ("weight", "bias"))
    return g.op("LayerNormalization", x, g.weight(f"{name}.weight", weight), g.weight(f"{name}.bias", bias),
                axis=-1, epsilon=EPSILON)


def add_norm(g: Graph, plan: Plan, x: str, change: str, name: str, change_bias: np.ndarray) -> str:
    change = g.op("Add", change, g.weight(f"{name}.before", change_bias))
    return layer_norm(g, plan, g.op("Add", x, change), name)


def queries_keys_values(g: Graph, plan: Plan, x: str, layer: int) -> str:
    """[.., 3 * width], without biases. A bias of the keys moves all scores of a query alike,
    so it changes nothing; that of the values comes out whole, and joins the next bias."""
    weight = plan.tensors[f"layers.{layer}.qkv.weight"]
    return plan.linears.apply(g, x, f"layers.{layer}.qkv", weight.T)


def query_bias(g: Graph, plan: Plan, layer: int, shape: tuple[int, ...]) -> str:
    bias = plan.tensors[f"layers.{layer}.qkv.bias"][:WIDTH].reshape(shape)
    return g.weight(f"layers.{layer}.q.bias_{len(shape)}", bias)


def token_rows(g: Graph, plan: Plan, ids: str) -> str:
    table = plan.tensors["tok.weight"]
    if not plan.half:
        return g.op("Gather", g.weight("tok.weight", table), ids, axis=0)
    rows = g.op("Gather", g.weight("tok.weight", table.astype(np.float16)), ids, axis=0)
    return g.op("Cast", rows, to=FLOAT)


def finish_layer(g: Graph, plan: Plan, x: str, attended: str, layer: int) -> str:
    t, at = plan.tensors, f"layers.{layer}"
    apply = lambda value, part, **how: plan.linears.apply(g, value, f"{at}.{part}", t[f"{at}.{part}.weight"].T, **how)
    values_bias = t[f"{at}.o.weight"] @ t[f"{at}.qkv.bias"][2 * WIDTH :]
    x = add_norm(g, plan, x, apply(attended, "o"), f"{at}.n1", t[f"{at}.o.bias"] + values_bias)
    inner = g.fused("BiasGelu", apply(x, "f1"), g.weight(f"{at}.f1.bias", t[f"{at}.f1.bias"]))
    return add_norm(g, plan, x, apply(inner, "f2", positive=True), f"{at}.n2", t[f"{at}.f2.bias"])


def stored_layers(g: Graph, plan: Plan, parts: list[str]) -> str:
    stack = g.op("Concat", *(g.op("Unsqueeze", part, g.integers(0)) for part in parts), axis=0)
    return g.op("Cast", stack, to=HALF) if plan.half else stack


def state_graph(g: Graph, plan: Plan) -> Graph:
    """Blocks of one length, each attending inside itself."""
    t = plan.tensors
    ids = g.input("ids", INT32, ["blocks", "T"])
    length = g.op("Shape", ids, start=1, end=2)
    places = g.weight("state.places", t["pos.weight"][:BLOCK] + t["typ.weight"][0] + t["kind.weight"][0])
    x = g.op("Add", token_rows(g, plan, ids), g.op("Slice", places, g.integers(0), length, g.integers(0)))
    x = layer_norm(g, plan, x, "n0")
    keys, values = [], []
    for layer in range(LAYERS):
        q, k, v = g.ops(3, "Split", queries_keys_values(g, plan, x, layer), axis=-1, num_outputs=3)
        q = g.op("Add", q, query_bias(g, plan, layer, (WIDTH,)))
        if layer >= plan.see:
            keys.append(_state_heads(g, k))
            values.append(_state_heads(g, v))
        x = finish_layer(g, plan, x, g.fused("MultiHeadAttention", q, k, v, num_heads=HEADS), layer)
    seen = LAYERS - plan.see
    shape = [seen, HEADS, "S", HEAD_WIDTH]
    g.output(stored_layers(g, plan, keys), "keys", plan.stored, shape)
    g.output(stored_layers(g, plan, values), "values", plan.stored, shape)
    g.output(g.op("ReduceSum", x, g.integers(1), keepdims=0), "sums", FLOAT, ["blocks", WIDTH])
    rows = g.op("Cast", x, to=HALF) if plan.half else x
    g.output(g.op("Reshape", rows, g.integers(-1, WIDTH)), "rows", plan.stored, ["S", WIDTH])
    return g


def _state_heads(g: Graph, x: str) -> str:
    """[blocks, T, width] -> [heads, blocks*T, head width]"""
    return g.op("Transpose", g.op("Reshape", x, g.integers(-1, HEADS, HEAD_WIDTH)), perm=[1, 0, 2])


def question_graph(g: Graph, plan: Plan, wide: bool) -> Graph:
    """Rows of several segments in slots of one length. `own` numbers a row's segment, `reads`
    the segment of its instruction; `places` is its position, plus 256 in an option."""
    t = plan.tensors
    ids, places, own, reads = (g.input(name, INT32, ["slots", "T"]) for name in ("ids", "places", "own", "reads"))
    seen = LAYERS - plan.see
    state = _Memory(g, "state", seen, plan)
    focus = _Focus(g, state) if wide else None
    instruction = _Memory(g, "instruction", LAYERS, plan) if wide else None
    kinds = [t["pos.weight"][:BLOCK] + t["typ.weight"][1] + t["kind.weight"][kind] for kind in (1, 2)]
    table = g.weight("question.places", np.concatenate(kinds))
    x = layer_norm(g, plan, g.op("Add", token_rows(g, plan, ids), g.op("Gather", table, places, axis=0)), "n0")
    hidden = _hidden(g, own, reads)
    slots = _Slots(g, ids)
    keys, values = [], []
    for layer in range(LAYERS):
        q, k, v = slots.heads(queries_keys_values(g, plan, x, layer), query_bias(g, plan, layer, (HEADS, 1, HEAD_WIDTH)))
        keys.append(k)
        values.append(v)
        sums = _own_attention(g, q, k, v, hidden)
        if wide or layer >= plan.see:
            q, sums = slots.joined(q), tuple(map(slots.joined, sums))
            if instruction:
                sums = instruction.attend(q, sums, layer)
            if layer >= plan.see:
                sums = state.attend(q, sums, layer - plan.see)
            if focus and layer >= plan.see:
                gain = np.expm1(t["beta"][layer - plan.see]).astype(np.float32).reshape(HEADS, 1, 1)
                sums = focus.attend(q, sums, layer - plan.see, g.weight(f"layers.{layer}.focus", gain))
            attended = slots.rows_of_joined(g.op("Mul", sums[1], g.op("Reciprocal", sums[2])))
        else:
            attended = slots.rows_of_heads(g.op("Mul", sums[1], g.op("Reciprocal", sums[2])))
        x = finish_layer(g, plan, x, attended, layer)
    g.output(g.op("Reshape", x, g.integers(-1, WIDTH)), "rows", FLOAT, ["N", WIDTH])
    if wide:
        for name, parts in (("keys", keys), ("values", values)):
            g.output(stored_layers(g, plan, [slots.joined(p) for p in parts]), name, plan.stored, [LAYERS, HEADS, "N", HEAD_WIDTH])
    return g


class _Slots:
    """Rows as [slots, T, width]; heads apart as [slots, heads, T, ..] within slots, and as
    [heads, slots * T, ..] where all rows read the same keys."""

    def __init__(self, g: Graph, ids: str):
        self.g = g
        self.count, self.length = g.op("Shape", ids, start=0, end=1), g.op("Shape", ids, start=1, end=2)
        self.by_head = g.op("Concat", self.count, self.length, g.integers(-1), g.integers(HEAD_WIDTH), axis=0)

    def heads(self, packed: str, bias: str) -> tuple[str, str, str]:
        g = self.g
        apart = g.op("Transpose", g.op("Reshape", packed, self.by_head), perm=[0, 2, 1, 3])
        q, k, v = g.ops(3, "Split", apart, axis=1, num_outputs=3)
        return g.op("Add", q, bias), k, v

    def joined(self, value: str) -> str:
        g = self.g
        shape = g.op("Concat", g.integers(HEADS), g.op("Mul", self.count, self.length), g.op("Shape", value, start=3), axis=0)
        return g.op("Reshape", g.op("Transpose", value, perm=[1, 0, 2, 3]), shape)

    def rows_of_joined(self, value: str) -> str:
        return self._rows(self.g.op("Transpose", value, perm=[1, 0, 2]))

    def rows_of_heads(self, value: str) -> str:
        return self._rows(self.g.op("Transpose", value, perm=[0, 2, 1, 3]))

    def _rows(self, value: str) -> str:
        return self.g.op("Reshape", value, self.g.op("Concat", self.count, self.length, self.g.integers(WIDTH), axis=0))


def _hidden(g: Graph, own: str, reads: str) -> str:
    """What to add to the scores of a slot's rows, [slots, 1, T, T]: each sees its own segment and its instruction."""
    column = lambda value: g.op("Unsqueeze", value, g.integers(2))
    row = g.op("Unsqueeze", own, g.integers(1))
    visible = g.op("Or", g.op("Equal", column(own), row), g.op("Equal", column(reads), row))
    return g.op("Unsqueeze", g.op("Where", visible, g.number(0.0), g.number(HIDDEN_SCORE)), g.integers(1))


def _own_attention(g: Graph, q: str, k: str, v: str, hidden: str) -> tuple[str, str, str]:
    """Running maximum, weighted values and total of the rows' attention within their slot."""
    scores = g.op("Add", g.fused("FusedMatMul", q, k, transB=1, alpha=SCORE_SCALE), hidden)
    top = g.op("ReduceMax", scores, g.integers(-1), keepdims=1)
    weights = g.op("Exp", g.op("Sub", scores, top))
    with_ones = g.op("Pad", v, g.integers(0, 0, 0, 0, 0, 0, 0, 1), g.number(1.0))
    both = g.op("MatMul", weights, with_ones)
    part = lambda start, end: g.op("Slice", both, g.integers(start), g.integers(end), g.integers(3))
    return top, part(0, HEAD_WIDTH), part(HEAD_WIDTH, HEAD_WIDTH + 1)


class _Memory:
    """Keys and values read before, any number of tokens, gone through in chunks."""

    def __init__(self, g: Graph, name: str, layers: int, plan: Plan):
        self.g, self.name, self.half = g, name, plan.half
        shape = [layers, HEADS, f"{name}_tokens", HEAD_WIDTH]
        self.keys = g.input(f"{name}_keys", plan.stored, shape)
        self.values = g.input(f"{name}_values", plan.stored, shape)
        tokens = g.op("Shape", self.keys, start=2, end=3)
        self.chunks = g.op("Div", g.op("Add", tokens, g.integers(KEY_CHUNK - 1)), g.integers(KEY_CHUNK))

    def bounds(self, b: Graph, turn: str) -> tuple[str, str]:
        start = b.op("Unsqueeze", b.op("Mul", turn, b.integer(KEY_CHUNK)), b.integers(0))
        return start, b.op("Add", start, b.integers(KEY_CHUNK))

    def attend(self, q: str, sums: tuple[str, str, str], layer: int, gain: str | None = None) -> tuple[str, ...]:
        """Adds what `q` takes from here to running sums, its weight times `gain` where given."""
        always = self.g.weight("always", np.array(True))
        turns = self.g.op("Squeeze", self.chunks, self.g.integers(0))
        return tuple(self.g.ops(3, "Loop", turns, always, *sums, body=self._chunk(q, layer, gain)))

    def _chunk(self, q: str, layer: int, gain: str | None):
        b = Graph(self.g.weights, prefix=self.g.name(f"{self.name}_{layer}") + "_")
        turn = b.input(b.name("turn"), INT64, [])
        more = b.input(b.name("more"), BOOL, [])
        top, weighted, total = (b.input(b.name(part), FLOAT, None) for part in ("top", "weighted", "total"))
        start, end = self.bounds(b, turn)
        first, last = b.op("Concat", b.integers(layer), start, axis=0), b.op("Concat", b.integers(layer + 1), end, axis=0)
        keys, values = (self._slice(b, value, first, last) for value in (self.keys, self.values))
        scores = b.fused("FusedMatMul", q, keys, transB=1, alpha=SCORE_SCALE)
        chunk_top = b.op("ReduceMax", scores, b.integers(-1), keepdims=1)
        # The largest of the softmax is one over its sum. ReduceSum would do worse than cost a pass:
        # it adds up a row in another order when the row lies elsewhere in memory.
        shares = b.op("Softmax", scores, axis=-1)
        chunk_total = b.op("Reciprocal", b.op("ReduceMax", shares, b.integers(-1), keepdims=1))
        new_top = b.op("Max", top, chunk_top)
        fade = b.op("Exp", b.op("Sub", top, new_top))
        share = b.op("Mul", b.op("Exp", b.op("Sub", chunk_top, new_top)), chunk_total)
        share = b.op("Mul", share, gain) if gain else share
        taken = b.op("Mul", b.op("MatMul", shares, values), share)
        b.output(more, b.name("again"), BOOL, [])
        b.output(new_top, b.name("top"), FLOAT, None)
        b.output(b.op("Add", b.op("Mul", weighted, fade), taken), b.name("weighted"), FLOAT, None)
        b.output(b.op("Add", b.op("Mul", total, fade), share), b.name("total"), FLOAT, None)
        return b.body(b.prefix + "body")

    def _slice(self, b: Graph, value: str, first: str, last: str) -> str:
        chunk = b.op("Squeeze", b.op("Slice", value, first, last, b.integers(0, 2)), b.integers(0))
        return b.op("Cast", chunk, to=FLOAT) if self.half else chunk


class _Focus(_Memory):
    """The state's tokens that a question points at, as rows [start, end) of at most KEY_CHUNK tokens.

    Their scores are to rise by beta. The state's own pass has counted them once, so they
    are counted exp(beta) - 1 times more, and the long pass stays the same for everyone.
    """

    def __init__(self, g: Graph, state: _Memory):
        self.g, self.name, self.half, self.keys, self.values = g, "focus", state.half, state.keys, state.values
        self.table = g.input("focus", INT64, ["chunks", 2])
        self.chunks = g.op("Shape", self.table, start=0, end=1)

    def bounds(self, b: Graph, turn: str) -> tuple[str, str]:
        start, end = b.ops(2, "Split", b.op("Gather", self.table, turn, axis=0), axis=0, num_outputs=2)
        return start, end


def readout_graph(g: Graph, plan: Plan) -> Graph:
    """Logits of one question's options; at least two rows a run, so that one kind of product serves all."""
    t = plan.tensors
    openings, options = (g.input(name, FLOAT, ["O", WIDTH]) for name in ("openings", "options"))
    state = g.input("state", FLOAT, [1, WIDTH])
    scale = g.input("scale", FLOAT, [1])
    project = lambda x, name: g.op(
        "Add", g.op("MatMul", x, g.weight(f"{name}.weight", t[f"{name}.weight"].T)), g.weight(f"{name}.bias", t[f"{name}.bias"])
    )
    unit = lambda x: g.op("Div", x, g.op("Max", g.op("ReduceL2", x, g.integers(-1), keepdims=1), g.number(1e-12)))
    dot = lambda a, b: g.op("ReduceSum", g.op("Mul", a, b), g.integers(-1), keepdims=0)
    alike = dot(unit(project(options, "Q")), unit(project(state, "P")))
    read = g.op("Add", dot(openings, g.weight("head.weight", t["head.weight"])), g.weight("head.bias", t["head.bias"]))
    strength = g.weight("strength", np.exp(t["gs"]).astype(np.float32).reshape(1))
    g.output(g.op("Mul", g.op("Add", read, g.op("Mul", alike, strength)), scale), "logits", FLOAT, ["O"])
    return g
