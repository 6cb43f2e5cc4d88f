"""Which weights of a run to ship: the last, the running average, or a blend of one with what it began with.

    python -m scorer.training.choose --corpus C --base B --run RUN [--began-with W] --out chosen.safetensors

What a run learned and what was known before often serve best mixed, and the cosine with
less weight than training gave it. The candidate of the highest mean lift on the never-trained
tasks is written, so those figures flatter it by the little that separates the candidates.
"""

import argparse
import math
from pathlib import Path

import torch

from . import checkpoint, corpus, development
from .heldout import NEVER_TRAINED_TASKS
from .model import Decider
from .run import is_new
from .tokenizer import Tokenizer

CANDIDATES = ("average:1:1", "average:0.8:1", "average:0.6:1", "average:0.6:0.3", "last:1:1")


def blended(model: Decider, before: Decider, share: float, base_only: bool) -> Decider:
    """`share` of the model and the rest of what was before; the base has nothing of the new parts."""
    theirs = before.state_dict()
    mixed = {n: own if base_only and is_new(n) else torch.lerp(theirs[n], own, share) for n, own in model.state_dict().items()}
    out = Decider(model.see)
    out.load_state_dict(mixed)
    return out.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("corpus", "base", "run", "out"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--began-with", type=Path, help="the run's --weights; without it the base encoder")
    parser.add_argument("--rows", type=int, default=300, help="rows a task")
    parser.add_argument("--candidates", nargs="+", default=CANDIDATES, help="weights:share of them:weight of the cosine")
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(args.base / "vocab.txt")
    items = development.items(corpus.load_never_trained(args.corpus), NEVER_TRAINED_TASKS, args.rows)
    requests = development.rendered(items, tokenizer)
    before = checkpoint.load(args.began_with)[0] if args.began_with else checkpoint.from_base(args.base)
    best = -1.0
    for candidate in args.candidates:
        weights, share, cosine = candidate.split(":")
        model, metadata = checkpoint.load(args.run / f"{weights}.safetensors")
        model = blended(model, before, float(share), base_only=args.began_with is None)
        with torch.no_grad():
            model.gs += math.log(float(cosine))
        found = development.figures(model, items, requests)
        print(candidate, found, flush=True)
        if found["lift"] > best:
            best = found["lift"]
            checkpoint.save(model, args.out, {**metadata, "weights": candidate})


if __name__ == "__main__":
    main()
