"""Teaches a snapshot your own labels, and writes what it became as another snapshot.

    python -m scorer.training.tune scorer/models/<id> --base $BASE --examples examples.jsonl \\
        --kept kept.jsonl --to my-models/<another id>

The examples are those of `npm run calibrate`. Half of the states are learned from, the other half is kept
back: it tells what is gained, and the new snapshot is calibrated on it, because examples that it has learned
prove nothing.
"""

import argparse
import tempfile
from datetime import date
from pathlib import Path
from random import Random

import torch

from . import checkpoint
from .askers import of_model
from .batch import collate
from .examples import Example, divided, read
from .export import export, new_snapshot, whole_vocabulary
from .judged import judged
from .learner import Learner
from .model import Decider
from .outputs import new_file, written
from .parity import prove
from .predict import grouped, length
from .render import Rendered, render
from .restore import described, restore
from .tokenizer import Tokenizer

EPOCHS = 4  # with twice as many, hard tasks gain nothing and answers become too sure
RATE = 2e-4
NEW_TIMES = 2.0
WARM_UP = 0.1  # the share of the steps in which the rate rises; then it falls to zero
STEP_EXAMPLES = 16
BATCH_TOKENS = 1024  # what is computed at once; a step has as many batches as its examples need
SEED = 0
PARITY_REQUESTS = 50
CALIBRATION_EXAMPLES = 200  # the fewest that the service takes


def tune(model: Decider, examples: list[Example], tokenizer: Tokenizer, epochs: int, threads: int) -> int:
    """Returns how many tokens were learned from."""
    requests = rendered(examples, tokenizer)
    golds = [[gold for _, gold in e.asked.values()] for e in examples]
    lengths = [length(request) for request in requests]
    keep_integers(model)
    learner, random = Learner(model, RATE, NEW_TIMES, threads, exact=True), Random(SEED)
    order = list(range(len(examples)))
    steps = -(-len(examples) // STEP_EXAMPLES)
    for epoch in range(epochs):
        random.shuffle(order)
        for n in range(steps):
            groups = grouped(order[n::steps], lengths, BATCH_TOKENS)
            done = (epoch + (n + 0.5) / steps) / epochs
            learner.step(
                [collate([requests[i] for i in group], [golds[i] for i in group]) for group in groups],
                min(done / WARM_UP, 1.0) * (1 - done),
            )
    return epochs * sum(lengths)


def keep_integers(model: Decider) -> None:
    """Keeps what the snapshot holds as 8-bit integers. These weights lie on the integers' steps, and so
    little training moves them by less than half a step: the export would round away what they learned."""
    for name, parameter in model.named_parameters():
        if name.startswith("layers") and parameter.ndim > 1:
            parameter.requires_grad_(False)


def rendered(examples: list[Example], tokenizer: Tokenizer) -> list[Rendered]:
    return [render(e.state, [question for question, _ in e.asked.values()], tokenizer) for e in examples]


def legible(name: str) -> str:
    """An id of the caller's own, without what would command a terminal."""
    return "".join(c if c.isprintable() else "?" for c in name)


def main() -> None:
    # Without abbreviations: a misspelt --keep would be taken for --kept, and its share for a file's name.
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    add = parser.add_argument
    add("snapshot", type=Path, help="what to begin with")
    add("--base", type=Path, required=True, help="model folder of the unpacked base package")
    add(
        "--examples",
        type=Path,
        required=True,
        help="a line for each: a state, and questions with their right answer as label",
    )
    add("--kept", type=new_file, required=True, help="where the examples go that are kept back")
    add("--to", type=new_snapshot, required=True, help="the new snapshot's folder; its name is its id")
    add("--keep", type=float, default=0.5, help="the share of the states that is kept back")
    add("--epochs", type=int, default=EPOCHS)
    add("--threads", type=int, default=2)
    args = parser.parse_args()
    if args.kept.exists():
        parser.error(f"{args.kept} is there already")
    try:
        vocabulary = whole_vocabulary(args.base / "vocab.txt")
    except argparse.ArgumentTypeError as error:
        parser.error(str(error))
    if not 0 < args.keep < 1:
        parser.error("--keep: a share, above 0 and below 1")
    if min(args.epochs, args.threads) < 1:
        parser.error("--epochs and --threads: whole numbers from 1")
    torch.set_num_threads(args.threads)  # for the optimizer; each batch is read by a thread of its own
    tokenizer = Tokenizer.from_file(vocabulary)
    learned, kept = divided(read(args.examples), tokenizer, args.keep, SEED)
    if not learned or not kept:
        parser.error("the examples have too few different states to learn from some and keep the others")
    begun = described(args.snapshot)
    temperatures = begun["temperatures"]
    model = restore(args.snapshot, checkpoint.from_base(args.base))
    print(f"{len(learned)} examples to learn, {len(kept)} to keep back", flush=True)
    if len(kept) < CALIBRATION_EXAMPLES:
        print(
            f"a calibration needs {CALIBRATION_EXAMPLES} (--keep): these only tell what is gained", flush=True
        )
    ask = of_model(model, temperatures, tokenizer, threads=args.threads)
    before = judged(ask, kept)
    tokens = tune(model, learned, tokenizer, args.epochs, args.threads)
    after = judged(ask, kept)
    print(f"{'on those kept back':24} {'rows':>6} {'before':>8} {'after':>8}")
    for name, found in after.items():
        print(
            f"{legible(name):24} {found.rows:6} {before[name].accuracy:8.3f} {found.accuracy:8.3f} ± {found.standard_error:.3f}",
            flush=True,
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tuned.safetensors"
        about = {
            "temperatures": temperatures,
            "tokens": (begun["training"]["tokens"] or 0) + tokens,
            "tuned_from": begun["id"],
        }
        checkpoint.save(model, path, about)
        prove(path, begun["arithmetic"], PARITY_REQUESTS)
        try:
            # Before the snapshot: without these lines, nobody could tell which ones it has learned.
            with written(args.kept):
                args.kept.write_text("".join(e.line + "\n" for e in kept), encoding="utf-8")
            export(path, vocabulary, args.to, begun["arithmetic"], date.today())
        except BaseException:
            # Kept back from nothing, it would only be in the way of another try.
            args.kept.unlink(missing_ok=True)
            raise
    print(f"{args.to} is the new snapshot, {args.kept} the examples kept back: calibrate it on these")


if __name__ == "__main__":
    main()
