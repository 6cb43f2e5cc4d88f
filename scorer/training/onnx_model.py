"""The network as ONNX graphs, written by hand so that every bit is accounted for.

A question's numbers must not depend on what else rides in the same run. Each operation
used here treats rows apart, and sums over tokens of a question add in the order of its
own tokens: a masked key contributes an exact zero to a matrix product, which adds keys
one by one. Row sums made by vector lanes would not do, so the sum of a question's own
attention weights is one more column of the product with the values. That holds up to
256 rows a slot: a product over more keys is added up in panels.

state     ids [blocks, T]                            -> rows [blocks * T, 384], sums [blocks, 384]
question  ids, places, own, reads [slots, T]         -> rows [slots * T, 384]
wide      the same + long instructions               -> rows, keys, values of all layers
compare   rows of questions [N, 384], a state's rows -> found [N, 384]
readout   per option and per question, what question gave -> logits [O]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .model import LIKENESS
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
    """[.., 3 * width], with the bias of the queries alone. One of the keys moves all scores of a query
    alike, so it changes nothing; that of the values comes out whole, and joins the next bias."""
    t, name = plan.tensors, f"layers.{layer}.qkv"
    return plan.linears.apply(g, x, name, t[f"{name}.weight"].T, t[f"{name}.bias"][:WIDTH])


def state_places(g: Graph, plan: Plan) -> str:
    t = plan.tensors
    return g.weight("state.places", t["pos.weight"][:BLOCK] + t["typ.weight"][0] + t["kind.weight"][0])


def all_places(g: Graph, plan: Plan) -> str:
    """Those of instructions, then those of options, then those of states."""
    t = plan.tensors
    kinds = [t["pos.weight"][:BLOCK] + t["typ.weight"][segment] + t["kind.weight"][kind] for segment, kind in ((1, 1), (1, 2), (0, 0))]
    return g.weight("all.places", np.concatenate(kinds))


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
    inner = g.fused("Gelu", apply(x, "f1", bias=t[f"{at}.f1.bias"]))
    return add_norm(g, plan, x, apply(inner, "f2", positive=True), f"{at}.n2", t[f"{at}.f2.bias"])


def stored_layers(g: Graph, plan: Plan, parts: list[str]) -> str:
    stack = g.op("Concat", *(g.op("Unsqueeze", part, g.integers(0)) for part in parts), axis=0)
    return g.op("Cast", stack, to=HALF) if plan.half else stack


def state_graph(g: Graph, plan: Plan) -> Graph:
    """Blocks of one length, each attending inside itself."""
    ids = g.input("ids", INT32, ["blocks", "T"])
    length = g.op("Shape", ids, start=1, end=2)
    places = g.op("Slice", state_places(g, plan), g.integers(0), length, g.integers(0))
    x = g.op("Add", token_rows(g, plan, ids), places)
    x = layer_norm(g, plan, x, "n0")
    for layer in range(LAYERS):
        q, k, v = g.ops(3, "Split", queries_keys_values(g, plan, x, layer), axis=-1, num_outputs=3)
        x = finish_layer(g, plan, x, g.fused("MultiHeadAttention", q, k, v, num_heads=HEADS), layer)
    ones = g.op("Expand", g.number(1.0), g.op("Concat", g.integers(1), length, axis=0))
    g.output(g.op("Squeeze", g.op("MatMul", ones, x), g.integers(1)), "sums", FLOAT, ["blocks", WIDTH])
    rows = g.op("Cast", x, to=HALF) if plan.half else x
    g.output(g.op("Reshape", rows, g.integers(-1, WIDTH)), "rows", plan.stored, ["S", WIDTH])
    return g


def question_graph(g: Graph, plan: Plan, wide: bool) -> Graph:
    """Rows of several segments in slots of one length. `own` numbers a row's segment, `reads`
    the segment of its instruction; `places` is its position, plus 256 in an option, plus 512 in a
    state: a short one is read in a slot as well."""
    ids, places, own, reads = (g.input(name, INT32, ["slots", "T"]) for name in ("ids", "places", "own", "reads"))
    instruction = _Instruction(g, plan) if wide else None
    x = first_rows(g, plan, ids, places, all_places(g, plan))
    slots = _Slots(g, ids, visible=_either(g, own, own, reads))
    keys, values = [], []
    for layer in range(LAYERS):
        q, k, v = heads(g, queries_keys_values(g, plan, x, layer))
        keys.append(k)
        values.append(v)
        sums = slots.attend(q, k, v)
        if instruction:
            sums = instruction.attend(q, sums, layer)
        x = finish_layer(g, plan, x, rows_of(g, sums), layer)
    g.output(x, "rows", FLOAT, ["N", WIDTH])
    if wide:
        for name, parts in (("keys", keys), ("values", values)):
            g.output(stored_layers(g, plan, parts), name, plan.stored, [LAYERS, HEADS, "N", HEAD_WIDTH])
    return g


def compare_graph(g: Graph, plan: Plan) -> Graph:
    """What each row has in common with the state's rows that are like it, in float32: there is little of it."""
    x = g.input("rows", FLOAT, ["N", WIDTH])
    state = _State(g, plan)
    t = plan.tensors
    count = g.op("Shape", x, start=0, end=1)
    zeros = lambda width: g.op("Expand", g.number(0.0), g.op("Concat", count, g.integers(width), axis=0))
    queries = g.op("MatMul", x, g.weight("align.weight", t["align.weight"].T))
    # To begin with there is a row of nothing, whose score is zero.
    none = (zeros(1), zeros(WIDTH), g.op("Exp", zeros(1)))
    _, weighted, total = state.attend(queries, none)
    likened = g.op("Mul", weighted, g.op("Reciprocal", total))
    common = g.op("Concat", x, likened, g.op("Mul", x, likened), axis=-1)
    compared = g.op("MatMul", common, g.weight("compare.weight", t["compare.weight"].T))
    g.output(g.fused("BiasGelu", compared, g.weight("compare.bias", t["compare.bias"])), "found", FLOAT, ["N", WIDTH])
    return g


def first_rows(g: Graph, plan: Plan, ids: str, places: str, table: str) -> str:
    """[slots * T, width]"""
    ids, places = (g.op("Reshape", value, g.integers(-1)) for value in (ids, places))
    return layer_norm(g, plan, g.op("Add", token_rows(g, plan, ids), g.op("Gather", table, places, axis=0)), "n0")


def heads(g: Graph, packed: str) -> list[str]:
    """[N, 3 * width] as three of [heads, N, head width]"""
    return g.ops(3, "Split", heads_first(g, packed, 3 * HEADS), axis=0, num_outputs=3)


def heads_first(g: Graph, x: str, heads: int) -> str:
    """[.., heads * head width] as [heads, N, head width]. The fourth axis is for speed: with
    three, onnxruntime turns them by a way that takes two to three times as long."""
    apart = g.op("Reshape", x, g.integers(-1, heads, 1, HEAD_WIDTH))
    return g.op("Reshape", g.op("Transpose", apart, perm=[1, 2, 0, 3]), g.integers(heads, -1, HEAD_WIDTH))


def rows_of(g: Graph, sums: tuple[str, str, str]) -> str:
    """What was attended to, [N, width], from the sums over it."""
    _, weighted, total = sums
    attended = g.op("Unsqueeze", g.op("Mul", weighted, g.op("Reciprocal", total)), g.integers(2))
    return g.op("Reshape", g.op("Transpose", attended, perm=[1, 2, 0, 3]), g.integers(-1, WIDTH))


def _either(g: Graph, own: str, *seen: str) -> str:
    """Which rows of a slot see which, [slots, T, T]: those whose own number is among a row's `seen`."""
    column = g.op("Unsqueeze", own, g.integers(1))
    first, *others = (g.op("Equal", g.op("Unsqueeze", number, g.integers(2)), column) for number in seen)
    for other in others:
        first = g.op("Or", first, other)
    return first


class _Slots:
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
        # The largest of the softmax is one over its sum. ReduceSum would do worse than cost a pass:
        # it adds up a row in another order when the row lies elsewhere in memory.
        shares = b.op("Softmax", scores, axis=-1)
        chunk_total = b.op("Reciprocal", b.op("ReduceMax", shares, b.integers(-1), keepdims=1))
        new_top = b.op("Max", top, chunk_top)
        fade = b.op("Exp", b.op("Sub", top, new_top))
        share = b.op("Mul", b.op("Exp", b.op("Sub", chunk_top, new_top)), chunk_total)
        taken = b.op("Mul", b.op("MatMul", shares, values), share)
        b.output(more, b.name("again"), BOOL, [])
        b.output(new_top, b.name("top"), FLOAT, None)
        b.output(b.op("Add", b.op("Mul", weighted, fade), taken), b.name("weighted"), FLOAT, None)
        b.output(b.op("Add", b.op("Mul", total, fade), share), b.name("total"), FLOAT, None)
        return b.body(b.prefix + "body")


class _Instruction(_Memory):
    """An instruction that was read before."""

    def __init__(self, g: Graph, plan: Plan):
        self.half = plan.half
        shape = [LAYERS, HEADS, "instruction_tokens", HEAD_WIDTH]
        self.keys = g.input("instruction_keys", plan.stored, shape)
        self.values = g.input("instruction_values", plan.stored, shape)
        super().__init__(g, "instruction", g.op("Shape", self.keys, start=2, end=3), SCORE_SCALE)

    def keys_values(self, b: Graph, start: str, end: str, layer: int) -> tuple[str, str]:
        first, last = b.op("Concat", b.integers(layer), start, axis=0), b.op("Concat", b.integers(layer + 1), end, axis=0)
        part = lambda value: b.op("Squeeze", b.op("Slice", value, first, last, b.integers(0, 2)), b.integers(0))
        return tuple(_floats(b, part(value), self.half) for value in (self.keys, self.values))


class _State(_Memory):
    """The state's rows: what they are compared by and what is taken of them is the same."""

    def __init__(self, g: Graph, plan: Plan):
        self.half = plan.half
        self.rows = g.input("state_rows", plan.stored, ["S", WIDTH])
        super().__init__(g, "state", g.op("Shape", self.rows, start=0, end=1), LIKENESS)

    def keys_values(self, b: Graph, start: str, end: str, layer: int) -> tuple[str, str]:
        rows = _floats(b, b.op("Slice", self.rows, start, end, b.integers(0)), self.half)
        return rows, rows


def _floats(b: Graph, value: str, half: bool) -> str:
    return b.op("Cast", value, to=FLOAT) if half else value


def readout_graph(g: Graph, plan: Plan) -> Graph:
    """Logits of one question's options; at least two rows a run, so that one kind of product serves
    all. `common` and `told` are mean and maximum, side by side, of what was found of each option
    and of the instruction; `sides` numbers the opening markers."""
    t = plan.tensors
    openings, options = (g.input(name, FLOAT, ["O", WIDTH]) for name in ("openings", "options"))
    common = g.input("found", FLOAT, ["O", 2 * WIDTH])
    told, state = g.input("told", FLOAT, [2, 2 * WIDTH]), g.input("state", FLOAT, [2, WIDTH])
    sides = g.input("sides", INT32, ["O"])
    scale = g.input("scale", FLOAT, [1])
    first = lambda x: g.op("Slice", x, g.integers(0), g.integers(1), g.integers(0))
    unit = lambda x: g.op("Div", x, g.op("Max", g.op("ReduceL2", x, g.integers(-1), keepdims=1), g.number(1e-12)))
    dot = lambda a, b: g.op("ReduceSum", g.op("Mul", a, b), g.integers(-1), keepdims=0)
    alike = dot(unit(options), first(unit(state)))
    read = g.op("Add", dot(openings, g.weight("head.weight", t["head.weight"])), g.weight("head.bias", t["head.bias"]))
    weigh = t["weigh.weight"].T
    of_options = g.op("MatMul", g.op("Concat", openings, common, axis=-1), g.weight("weigh.options", weigh[: 3 * WIDTH]))
    of_told = first(g.op("MatMul", told, g.weight("weigh.told", weigh[3 * WIDTH :])))
    of_side = g.op("Gather", g.weight("side", t["side.weight"] + t["weigh.bias"]), sides, axis=0)
    inner = g.fused("Gelu", g.op("Add", g.op("Add", of_options, of_told), of_side))
    judged = dot(inner, g.weight("verdict.weight", t["verdict.weight"]))
    strength = g.op("Gather", g.weight("strength", np.exp(t["gs"])), sides, axis=0)
    logit = g.op("Add", g.op("Add", read, g.op("Mul", alike, strength)), judged)
    g.output(g.op("Mul", logit, scale), "logits", FLOAT, ["O"])
    return g
