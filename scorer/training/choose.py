"""Which weights of a run to ship: the last, the running average, or a blend of one with the base.

    python -m scorer.training.choose --corpus C --base B --run RUN --out chosen.safetensors

What is trained and what the base knew often serve best mixed. The candidate of the highest
mean lift on the never-trained tasks is written, so those figures flatter it by the little
that separates the candidates.
"""

import argparse
from pathlib import Path

import torch

from . import checkpoint, corpus, development
from .heldout import NEVER_TRAINED_TASKS
from .model import Decider
from .run import is_new
from .tokenizer import Tokenizer

CANDIDATES = ("average:1", "average:0.85", "average:0.7", "last:1")


def blended(model: Decider, base: Decider, share: float) -> Decider:
    """`share` of the model and the rest of the base, where the base has such weights."""
    theirs = base.state_dict()
    mixed = {n: own if is_new(n) else torch.lerp(theirs[n], own, share) for n, own in model.state_dict().items()}
    out = Decider(model.see)
    out.load_state_dict(mixed)
    return out.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("corpus", "base", "run", "out"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--rows", type=int, default=300, help="rows a task")
    parser.add_argument("--candidates", nargs="+", default=CANDIDATES, help="weights:share")
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(args.base / "vocab.txt")
    items = development.items(corpus.load_never_trained(args.corpus), NEVER_TRAINED_TASKS, args.rows)
    requests = development.rendered(items, tokenizer)
    base = checkpoint.from_base(args.base)
    best = -1.0
    for candidate in args.candidates:
        weights, share = candidate.split(":")
        model, metadata = checkpoint.load(args.run / f"{weights}.safetensors")
        model = blended(model, base, float(share))
        found = development.figures(model, items, requests)
        print(candidate, found, flush=True)
        if found["lift"] > best:
            best = found["lift"]
            checkpoint.save(model, args.out, {**metadata, "weights": candidate})


if __name__ == "__main__":
    main()
