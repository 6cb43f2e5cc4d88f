"""Which weights of a run to ship: those of one checkpoint, or the mean of several.

    python -m scorer.training.choose --corpus C --base B --out chosen.safetensors \\
        --candidates RUN/average-48M.safetensors RUN/average-44M.safetensors+RUN/average-48M.safetensors*2

Along a run single tasks swing, mostly because of a leaning towards one option. In the mean of
checkpoints far apart these leanings cancel. The candidate with the highest mean lift on the
never-trained tasks is written, so those figures flatter it by the little that separates the
candidates. For each candidate the command also prints how well it does on requests of made-up
facts, and what an added "other" and opaque keys cost it, because a mean with weights that lack
a skill may lose it.
"""

import argparse
from pathlib import Path

import torch

from . import askers, checkpoint, corpus, development, probes
from .heldout import NEVER_TRAINED_TASKS
from .model import Decider
from .outputs import new_file
from .tokenizer import Tokenizer

SKILL_REQUESTS = 150


def mixed(candidate: str) -> tuple[Decider, dict]:
    """The weighted mean of the files, and the metadata of the one that was trained longest."""
    parts = [part.partition("*") for part in candidate.split("+")]
    shares = [float(share or 1) for _, _, share in parts]
    models = [checkpoint.load(path) for path, _, _ in parts]
    states = [model.state_dict() for model, _ in models]
    mean = {
        name: sum(state[name] * share for state, share in zip(states, shares)) / sum(shares)
        for name in states[0]
    }
    model, metadata = max(models, key=lambda found: found[1].get("tokens", 0))
    model.load_state_dict(mean)
    return model, metadata


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("corpus", "base"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--out", required=True, type=new_file)
    parser.add_argument("--rows", type=int, default=300, help="rows a task")
    parser.add_argument(
        "--candidates",
        nargs="+",
        required=True,
        help="files; join several with + for their mean, each optionally with *WEIGHT",
    )
    args = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = Tokenizer.from_file(args.base / "vocab.txt")
    items = development.items(corpus.load_never_trained(args.corpus), NEVER_TRAINED_TASKS, args.rows)
    requests = development.rendered(items, tokenizer)
    by_task = {task: [i for i in items if i.task == task] for task in probes.CHANGED_TASKS}
    best = -1.0
    for candidate in args.candidates:
        model, metadata = mixed(candidate)
        found = development.figures(model, items, requests)
        ask = askers.of_model(model, {}, tokenizer)
        skills = {
            name: figures["all"].accuracy for name, figures in probes.skills(ask, SKILL_REQUESTS).items()
        }
        options = {
            name: {task: figures.accuracy for task, figures in changed.items()}
            for name, changed in probes.options_changed(ask, by_task).items()
        }
        print(candidate, found, "skills", skills, "options", options, flush=True)
        if found["lift"] > best:
            best = found["lift"]
            names = "+".join(Path(part).name for part in candidate.split("+"))
            checkpoint.save(model, args.out, {**metadata, "weights": names})


if __name__ == "__main__":
    main()
