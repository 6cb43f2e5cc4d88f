"""The network as ONNX graphs, written by hand so that every bit is accounted for.

A question's numbers must not depend on what else is in the same run. Each operation used
here treats rows separately, and sums over the tokens of a question add in the order of its
own tokens: a masked key contributes an exact zero to a matrix product, which adds keys one
by one. Row sums over vector lanes would break this, so the sum of a question's own attention
weights is one more column of the product with the values. This holds up to 256 rows a slot:
a product over more keys is added up in panels.

state     ids [blocks, T]                            -> rows [blocks * T, 384], sums [blocks, 384]
question  ids, places, own, reads [slots, T]         -> rows [slots * T, 384]
wide      the same + long instructions               -> rows, keys, values of all layers
compare   rows of questions [N, 384], a state's rows -> found [N, 384]
readout   per option and per question, what question gave -> logits [O]
"""

import numpy as np

from .model import HEAD_WIDTH, HEADS, LAYERS, WIDTH
from .onnx_attention import InstructionMemory, Slots, StateMemory, heads, rows_of
from .onnx_graph import FLOAT, HALF, INT32, Graph
from .onnx_plan import Plan
from .render import BLOCK

EPSILON = 1e-12


def layer_norm(g: Graph, plan: Plan, x: str, name: str) -> str:
    weight, bias = (plan.tensors[f"{name}.{part}"] for part in ("weight", "bias"))
    return g.op(
        "LayerNormalization",
        x,
        g.weight(f"{name}.weight", weight),
        g.weight(f"{name}.bias", bias),
        axis=-1,
        epsilon=EPSILON,
    )


def add_norm(g: Graph, plan: Plan, x: str, change: str, name: str, change_bias: np.ndarray) -> str:
    change = g.op("Add", change, g.weight(f"{name}.before", change_bias))
    return layer_norm(g, plan, g.op("Add", x, change), name)


def queries_keys_values(g: Graph, plan: Plan, x: str, layer: int) -> str:
    """[.., 3 * width], with only the bias of the queries. A bias of the keys moves all scores of a query
    alike, so it changes nothing. That of the values comes out unchanged and joins the next bias."""
    t, name = plan.tensors, f"layers.{layer}.qkv"
    return plan.linears.apply(g, x, name, t[f"{name}.weight"].T, t[f"{name}.bias"][:WIDTH])


def state_places(g: Graph, plan: Plan) -> str:
    t = plan.tensors
    return g.weight("state.places", t["pos.weight"][:BLOCK] + t["typ.weight"][0] + t["kind.weight"][0])


def all_places(g: Graph, plan: Plan) -> str:
    """The places of instructions, then those of options, then those of states."""
    t = plan.tensors
    kinds = [
        t["pos.weight"][:BLOCK] + t["typ.weight"][segment] + t["kind.weight"][kind]
        for segment, kind in ((1, 1), (1, 2), (0, 0))
    ]
    return g.weight("all.places", np.concatenate(kinds))


def token_rows(g: Graph, plan: Plan, ids: str) -> str:
    table = plan.tensors["tok.weight"]
    if not plan.half:
        return g.op("Gather", g.weight("tok.weight", table), ids, axis=0)
    rows = g.op("Gather", g.weight("tok.weight", table.astype(np.float16)), ids, axis=0)
    return g.op("Cast", rows, to=FLOAT)


def finish_layer(g: Graph, plan: Plan, x: str, attended: str, layer: int) -> str:
    t, at = plan.tensors, f"layers.{layer}"
    apply = lambda value, part, **how: plan.linears.apply(
        g, value, f"{at}.{part}", t[f"{at}.{part}.weight"].T, **how
    )
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
    """Rows of several segments in slots of one length. `own` numbers a row's segment, and `reads`
    the segment of its instruction. `places` is its position, plus 256 in an option, plus 512 in a
    state, because short states are read in slots too."""
    ids, places, own, reads = (
        g.input(name, INT32, ["slots", "T"]) for name in ("ids", "places", "own", "reads")
    )
    instruction = InstructionMemory(g, plan) if wide else None
    x = first_rows(g, plan, ids, places, all_places(g, plan))
    slots = Slots(g, ids, visible=_visible(g, own, reads))
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
    """What each row has in common with the state's rows that are like it. In
    float32, because there is little to compute."""
    x = g.input("rows", FLOAT, ["N", WIDTH])
    state = StateMemory(g, plan)
    t = plan.tensors
    count = g.op("Shape", x, start=0, end=1)
    zeros = lambda width: g.op("Expand", g.number(0.0), g.op("Concat", count, g.integers(width), axis=0))
    queries = g.op("MatMul", x, g.weight("align.weight", t["align.weight"].T))
    # The sums start with a row of nothing, whose score is zero.
    none = (zeros(1), zeros(WIDTH), g.op("Exp", zeros(1)))
    _, weighted, total = state.attend(queries, none)
    likened = g.op("Mul", weighted, g.reciprocal(total))
    common = g.op("Concat", x, likened, g.op("Mul", x, likened), axis=-1)
    compared = g.op("MatMul", common, g.weight("compare.weight", t["compare.weight"].T))
    g.output(
        g.fused("BiasGelu", compared, g.weight("compare.bias", t["compare.bias"])),
        "found",
        FLOAT,
        ["N", WIDTH],
    )
    return g


def first_rows(g: Graph, plan: Plan, ids: str, places: str, table: str) -> str:
    """[slots * T, width]"""
    ids, places = (g.op("Reshape", value, g.integers(-1)) for value in (ids, places))
    return layer_norm(
        g, plan, g.op("Add", token_rows(g, plan, ids), g.op("Gather", table, places, axis=0)), "n0"
    )


def _visible(g: Graph, own: str, reads: str) -> str:
    """Which rows of a slot see which, [slots, T, T]: those whose
    segment is a row's own or the one it reads."""
    column = g.op("Unsqueeze", own, g.integers(1))
    return g.op(
        "Or", *(g.op("Equal", g.op("Unsqueeze", segment, g.integers(2)), column) for segment in (own, reads))
    )


def readout_graph(g: Graph, plan: Plan) -> Graph:
    """Logits of one question's options, at least two rows a run, so that one kind of product serves
    all. `common` and `told` are the mean and maximum, concatenated, of what was found for each option
    and for the instruction. `sides` numbers the opening markers."""
    t = plan.tensors
    openings, options = (g.input(name, FLOAT, ["O", WIDTH]) for name in ("openings", "options"))
    common = g.input("found", FLOAT, ["O", 2 * WIDTH])
    told, state = g.input("told", FLOAT, [2, 2 * WIDTH]), g.input("state", FLOAT, [2, WIDTH])
    sides = g.input("sides", INT32, ["O"])
    scale = g.input("scale", FLOAT, [1])
    first = lambda x: g.op("Slice", x, g.integers(0), g.integers(1), g.integers(0))
    unit = lambda x: g.op(
        "Div", x, g.op("Max", g.op("ReduceL2", x, g.integers(-1), keepdims=1), g.number(1e-12))
    )
    dot = lambda a, b: g.op("ReduceSum", g.op("Mul", a, b), g.integers(-1), keepdims=0)
    alike = dot(unit(options), first(unit(state)))
    read = g.op(
        "Add", dot(openings, g.weight("head.weight", t["head.weight"])), g.weight("head.bias", t["head.bias"])
    )
    weigh = t["weigh.weight"].T
    of_options = g.op(
        "MatMul", g.op("Concat", openings, common, axis=-1), g.weight("weigh.options", weigh[: 3 * WIDTH])
    )
    of_told = first(g.op("MatMul", told, g.weight("weigh.told", weigh[3 * WIDTH :])))
    of_side = g.op("Gather", g.weight("side", t["side.weight"] + t["weigh.bias"]), sides, axis=0)
    inner = g.fused("Gelu", g.op("Add", g.op("Add", of_options, of_told), of_side))
    judged = dot(inner, g.weight("verdict.weight", t["verdict.weight"]))
    strength = g.op("Gather", g.weight("strength", np.exp(t["gs"])), sides, axis=0)
    logit = g.op("Add", g.op("Add", read, g.op("Mul", alike, strength)), judged)
    g.output(g.op("Mul", logit, scale), "logits", FLOAT, ["O"])
    return g
