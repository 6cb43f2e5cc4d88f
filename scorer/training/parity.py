"""Whether exported graphs compute what the network computes, on random requests.

    python -m scorer.training.parity CHECKPOINT

The graphs in float32 must agree with the reference reading to 0.001 in every logit. The served
graphs, with half-precision memory and mostly 8-bit, are compared with the float32 graphs, and so
are those served on a GPU, which widen the stored weights.
"""

import argparse
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from . import checkpoint
from .graphs import ARITHMETICS, FOR_GPU, served_plan, tensors_of, write_graphs
from .onnx_linear import FloatLinears
from .onnx_plan import Plan
from .onnx_reading import Reader
from .requests import random_request

MOST_DIFFERENCE = 1e-3


@dataclass(frozen=True)
class Difference:
    largest: float
    typical: float
    decisions: float  # share of questions with a different first option


def compare(path: Path, arithmetic: str, requests: int) -> tuple[Difference, Difference, Difference]:
    """Float graphs against the network, and the served ones and those for a GPU against float graphs."""
    model, _ = checkpoint.load(path)
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        plain, served = Path(folder) / "float", Path(folder) / "served"
        write_graphs(Plan(tensors_of(model), FloatLinears(), half=False), plain)
        write_graphs(served_plan(model, arithmetic), served)
        readers = Reader(plain), Reader(served), Reader(served, FOR_GPU)
        logits: tuple[list, list, list, list] = ([], [], [], [])
        for _ in range(requests):
            request = random_request(chance)
            logits[0].extend(answer.numpy() for answer in model(request))
            for reader, mine in zip(readers, logits[1:]):
                mine.extend(reader(request))
    network, plain, *others = logits
    return difference(network, plain), *(difference(plain, other) for other in others)


def difference(left: list[np.ndarray], right: list[np.ndarray]) -> Difference:
    gaps = np.concatenate([np.abs(a - b) for a, b in zip(left, right)])
    flips = np.mean([a.argmax() != b.argmax() for a, b in zip(left, right)])
    return Difference(float(gaps.max()), float(np.sqrt((gaps**2).mean())), float(flips))


def prove(path: Path, arithmetic: str, requests: int) -> None:
    torch.set_num_threads(1)
    plain, *served = compare(path, arithmetic, requests)
    print(
        f"float32 graphs against the network: largest |Δlogit| {plain.largest:.1e}, root mean square {plain.typical:.1e}"
    )
    for where, found in zip(("a CPU", "a GPU"), served):
        print(
            f"graphs served on {where} against float32: largest {found.largest:.3f}, root mean square "
            f"{found.typical:.3f}, a different first option in {found.decisions:.1%} of random questions"
        )
    if plain.largest > MOST_DIFFERENCE:
        raise SystemExit(f"the graphs differ from the network by more than {MOST_DIFFERENCE}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--arithmetic", choices=ARITHMETICS, default="int8")
    parser.add_argument("--requests", type=int, default=200)
    given = parser.parse_args()
    prove(given.checkpoint, given.arithmetic, given.requests)


if __name__ == "__main__":
    main()
