"""The state of a training run, one step at a time, and its checkpoints."""

import argparse
import fcntl
from pathlib import Path
from typing import TextIO

import torch

from . import checkpoint
from .batch import Batch
from .learner import Learner, is_new
from .model import Decider
from .schedule import pull, rate

AVERAGE_DECAY = 0.998
COUNTERS = ("tokens", "step", "pool", "pool_steps", "began_at", "decay_from", "decay_tokens")


class Run:
    def __init__(self, args: argparse.Namespace):
        self.args = args
        self.folder = Path(args.run)
        source = goes_on_from(args)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = own_log(self.folder)  # before a checkpoint is read that another process still replaces
        self.model = checkpoint.from_base(args.base).to(args.device)
        self.base = {n: p.detach().clone() for n, p in self.model.named_parameters() if not is_new(n)}
        self.tokens = self.step = self.pool = self.pool_steps = 0
        if args.weights:
            self._begin_with(args.weights)
        self.began_at = self.tokens
        self.average = {n: p.detach().clone() for n, p in self.model.named_parameters()}
        self.learner = Learner(self.model, args.lr, args.new_times, args.threads, args.float32)
        self.decay_from: int | None = None
        self.decay_tokens = args.decay_tokens
        if source:
            self._restore(torch.load(source, map_location=args.device, weights_only=True))
            if args.branch:
                self.decay_from, self.decay_tokens = self.tokens, args.decay_tokens

    def _begin_with(self, path: str) -> None:
        """Takes another run's weights without its optimizer: the rate warms up again, the pull does not."""
        model, about = checkpoint.load(path)
        if not about.get("tokens"):
            raise SystemExit(
                f"{path} does not say how many tokens it was trained on: the pull would be as strong as at the start and undo them"
            )
        self.model.load_state_dict(model.state_dict())
        self.tokens = int(about["tokens"])
        self.step = self.tokens // self.args.step_tokens

    def _restore(self, state: dict) -> None:
        if "optimizer" not in state:
            raise SystemExit("these are weights alone: --weights begins with them, --from needs a state.pt")
        self.model.load_state_dict(state["model"])
        self.learner.optimizer.load_state_dict(state["optimizer"])
        self.average = state["average"]
        # An older checkpoint has no `pool_steps`: it begins with a new pool.
        vars(self).update({name: state.get(name, 0) for name in COUNTERS})

    def save(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.learner.optimizer.state_dict(),
            "average": self.average,
            **{name: getattr(self, name) for name in COUNTERS},
        }
        unfinished = self.folder / "state.pt.part"
        torch.save(state, unfinished)
        unfinished.replace(self.folder / "state.pt")
        checkpoint.save(self.averaged(), self.folder / "average.safetensors", self._about("average"))
        checkpoint.save(self.model, self.folder / "last.safetensors", self._about("last"))

    def keep(self) -> Decider:
        """The running average, also saved as a file of its own."""
        model = self.averaged()
        checkpoint.save(
            model, self.folder / f"average-{self.tokens // 1_000_000}M.safetensors", self._about("average")
        )
        return model

    def averaged(self) -> Decider:
        model = Decider().to(self.model.device)
        model.load_state_dict(self.average)
        return model

    def _about(self, weights: str) -> dict:
        return {
            "tokens": self.tokens,
            "steps": self.step,
            "weights": weights,
            "temperatures": {},
            "run": self.folder.name,
        }

    def learn(self, batches: list[Batch]) -> tuple[float, float]:
        """One step. Returns the mean loss and the share of right answers."""
        factor = rate(self.tokens - self.began_at, self.decayed())
        total, right = self.learner.step(batches, factor)
        self.step += 1
        self.tokens += sum(len(b.ids) for b in batches)
        self._settle(factor)
        return total, right

    def decayed(self) -> float:
        """The share of the run's decay that is done."""
        return 0.0 if self.decay_from is None else (self.tokens - self.decay_from) / self.decay_tokens

    @torch.no_grad()
    def _settle(self, factor: float) -> None:
        """Applies the pull towards the base and updates the running average."""
        keep = min(AVERAGE_DECAY, (1 + self.step) / (10 + self.step))
        strength = pull(self.step, self.args.pull) * factor
        parameters = dict(self.model.named_parameters())
        known = [n for n in parameters if n in self.base]
        torch._foreach_lerp_([parameters[n] for n in known], [self.base[n] for n in known], strength)
        torch._foreach_lerp_([self.average[n] for n in parameters], list(parameters.values()), 1 - keep)


def own_log(folder: Path) -> TextIO:
    """The run's log, which one process at a time may write: two would replace each other's checkpoints."""
    log = (folder / "log.jsonl").open("a")
    try:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"another process is training in {folder}") from None
    return log


def goes_on_from(args: argparse.Namespace) -> Path | None:
    """The state.pt to begin with, if any. Only the run that continues from a state.pt may overwrite it."""
    own = Path(args.run) / "state.pt"
    if own.exists() and not args.resume:
        raise SystemExit(
            f"{own} is there already: --resume continues it, another run needs a folder of its own"
        )
    source = own if args.resume else args.branch and Path(args.branch)
    if source and not source.exists():
        raise SystemExit(f"{source} is missing: there is nothing to continue from")
    return source
