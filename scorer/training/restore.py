"""From a snapshot folder back to a checkpoint, to continue training from what was published.

    python -m scorer.training.restore scorer/models/<id> --base $BASE --out restored.safetensors
    python -m scorer.training.train … --run runs/next --weights restored.safetensors

The 8-bit rounding stays in the weights: it is far below what training changes. Weights that
the graphs hold only as a sum (a bias with the one after it, places with kinds) are taken
apart so that the sum stays the same.
"""

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from . import checkpoint
from .graphs import served_plan, write_graphs
from .model import INNER, LAYERS, WIDTH, Decider
from .outputs import new_file
from .render import BLOCK

GRAPHS = ("state", "wide", "compare", "readout")


def described(folder: Path) -> dict:
    """What snapshot.json says of a snapshot. Its files are those that it lists, as the scorer wants them."""
    path = folder / "snapshot.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        files = found["files"].items()
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise SystemExit(f"{path} describes no snapshot") from None
    for name, digest in files:
        if checkpoint.digest_of(folder / name) != digest:
            raise SystemExit(f"{folder / name} does not belong to this snapshot: its SHA-256 is not {digest}")
    return found


def restore(folder: Path, model: Decider) -> Decider:
    """Sets the model's weights to the snapshot's. `model` must hold the base encoder's."""
    stored = _stored(folder)
    own = {name: tensor.detach().numpy().copy() for name, tensor in model.state_dict().items()}
    values = own | {name: stored[name].astype(np.float32) for name in own if name in stored}
    for name in ("align", "compare"):
        values[f"{name}.weight"] = stored[f"{name}.weight"].T
    values["weigh.weight"] = np.concatenate([stored["weigh.options"], stored["weigh.told"]]).T
    values["side.weight"], values["weigh.bias"] = stored["side"], np.zeros(WIDTH)
    values["gs"] = np.log(stored["strength"])
    for layer in range(LAYERS):
        values |= _layer(stored, own, f"layers.{layer}")
    values |= _places(stored["all.places"].reshape(3, BLOCK, WIDTH), own)
    model.load_state_dict(
        {
            name: torch.tensor(np.asarray(value, np.float32).reshape(own[name].shape))
            for name, value in values.items()
        }
    )
    return model


def as_served(model: Decider, base: Decider, arithmetic: str) -> Decider:
    """What an export makes of a model's weights. `base` must hold the base encoder's weights, and is set."""
    with tempfile.TemporaryDirectory() as folder:
        write_graphs(served_plan(model, arithmetic), Path(folder))
        return restore(Path(folder), base)


def _stored(folder: Path) -> dict[str, np.ndarray]:
    graphs = [onnx.load(folder / f"{name}.onnx") for name in GRAPHS]
    return {
        tensor.name: numpy_helper.to_array(tensor) for graph in graphs for tensor in graph.graph.initializer
    }


def _layer(stored: dict, own: dict, at: str) -> dict[str, np.ndarray]:
    """Keys need no bias and take the base's. The bias of the values is part of that of `o`."""
    qkv, o, inner, outer = (_columns(stored, f"{at}.{part}") for part in ("qkv", "o", "f1", "f2"))
    bias = own[f"{at}.qkv.bias"].copy()
    bias[:WIDTH] = stored[f"{at}.qkv.bias"]
    # Copies of an inner neuron share what it passes on.
    for copy in range(INNER, inner.shape[1]):
        original = int(np.flatnonzero((inner[:, :INNER] == inner[:, copy : copy + 1]).all(0))[0])
        outer[original] += outer[copy]
    return {
        f"{at}.qkv.weight": qkv.T,
        f"{at}.qkv.bias": bias,
        f"{at}.o.weight": o.T,
        f"{at}.o.bias": stored[f"{at}.n1.before"] - o.T @ bias[2 * WIDTH :],
        f"{at}.f1.weight": inner[:, :INNER].T,
        f"{at}.f1.bias": stored[f"{at}.f1.bias"][:INNER],
        f"{at}.f2.weight": outer[:INNER].T,
        f"{at}.f2.bias": stored[f"{at}.n2.before"],
    }


def _columns(stored: dict, name: str) -> np.ndarray:
    """[in, out], from 8-bit integers if it is stored as such."""
    if name in stored:
        return stored[name].copy()
    weight = stored[f"{name}.int8"].astype(np.float32) * stored[f"{name}.scale"]
    return weight * stored.get(f"{name}.divisor", np.ones(1))[..., None]


def _places(sums: np.ndarray, own: dict) -> dict[str, np.ndarray]:
    """The places of instructions, options and states, each the sum of position, type and kind."""
    position, types, kinds = own["pos.weight"].copy(), own["typ.weight"], own["kind.weight"].copy()
    kinds[0] = 0
    position[:BLOCK] = sums[2] - types[0]
    for kind, places in ((1, sums[0]), (2, sums[1])):
        kinds[kind] = (places - position[:BLOCK] - types[1]).mean(0)
    return {"pos.weight": position, "kind.weight": kinds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--base", required=True, help="model folder of the unpacked base package")
    parser.add_argument("--out", type=new_file, required=True)
    given = parser.parse_args()
    about = described(given.snapshot)
    model = restore(given.snapshot, checkpoint.from_base(given.base))
    checkpoint.save(
        model,
        given.out,
        {"temperatures": about["temperatures"], "weights": about["id"], **about["training"]},
    )


if __name__ == "__main__":
    main()
