"""The training run: resumable at any checkpoint, for as long as it takes.

python -m scorer.training.train --corpus C --requests R --base B --run RUN [--resume]
python -m scorer.training.train … --run BRANCH --from RUN/state.pt --decay-tokens 1e6
"""

import argparse
import json
import signal
import time
from pathlib import Path

import torch

from . import corpus, development
from .feed import POOL, steps
from .heldout import NEVER_TRAINED_TASKS
from .mixture import REQUEST_FILES, Mixture
from .phases import PHASES
from .planted import Planter
from .run import Run
from .textual import Texts
from .tokenizer import Tokenizer


def main() -> None:
    args = _arguments()
    torch.set_num_threads(args.threads)  # for the optimizer; each batch is read by a thread of its own
    torch.manual_seed(args.seed)
    run = Run(args)
    tokenizer = Tokenizer.from_file(Path(args.base) / "vocab.txt")
    data = corpus.load(Path(args.corpus), Path(args.requests))
    text = Path(args.corpus) / "text"
    mixture = Mixture(data, Texts(text), Planter(text), PHASES[args.phase], args.seed)
    watched = development.items(data, NEVER_TRAINED_TASKS, args.watch_rows)
    watched_requests = development.rendered(watched, tokenizer)

    def report(**entry) -> None:
        line = json.dumps(
            {"time": time.strftime("%H:%M:%S"), "tokens": run.tokens, "step": run.step, **entry},
            default=str,  # the device
        )
        print(line, file=run.log, flush=True)
        print(line, flush=True)

    report(started=vars(args), rows=sum(map(len, data.train.values())), dropped=data.dropped)
    saved = since = time.monotonic()
    watched_times = run.tokens // args.watch_tokens
    loss = right = spent = 0.0
    counted = tokens_then = 0
    stopping: list[int] = []  # the signal that asks for a last checkpoint
    for asks in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asks, lambda number, _: stopping.append(number))
    source = steps(mixture, tokenizer, run.pool, run.pool_steps, args.step_tokens)
    while True:
        began = time.monotonic()
        run.pool, run.pool_steps, batches = next(source)
        spent += time.monotonic() - began
        step_loss, step_right = run.learn(batches)
        loss, right, counted = loss + step_loss, right + step_right, counted + 1
        if counted == args.log_steps:
            now = time.monotonic()
            report(
                loss=round(loss / counted, 4),
                right=round(right / counted, 4),
                per_second=round((run.tokens - tokens_then) / (now - since)) if tokens_then else None,
                data_share=round(spent / (now - since), 3),
            )
            loss = right = spent = 0.0
            counted, tokens_then, since = 0, run.tokens, now
        done = stopping or run.decayed() >= 1 or run.tokens >= args.until
        if done or time.monotonic() - saved > args.save_seconds:
            run.save()
            saved = time.monotonic()
        if stopping:
            return
        if done or run.tokens // args.watch_tokens > watched_times:
            watched_times = run.tokens // args.watch_tokens
            report(weights="average", **development.figures(run.keep(), watched, watched_requests))
            if done:
                report(weights="last", **development.figures(run.model, watched, watched_requests))
                return


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--corpus", required=True, help="folder with tasks.json, tasks/ and text/")
    add("--requests", required=True, help="folder with rows that are whole requests")
    add("--base", required=True, help="model folder of the unpacked base package")
    add("--run", required=True, help="folder for checkpoints and the log")
    begins = parser.add_mutually_exclusive_group()
    begins.add_argument(
        "--resume", action="store_true", help="continue from the run's own checkpoint, including its decay"
    )
    begins.add_argument("--from", dest="branch", help="start from another run's state.pt and decay")
    begins.add_argument("--weights", help="begin with another run's weights, without its optimizer")
    add("--phase", default="mixture", choices=PHASES, help="what it learns from")
    add(
        "--decay-tokens",
        type=float,
        help="over how many tokens a branch decays (default: 1e6); a resumed branch remembers",
    )
    add("--until", type=float, default=float("inf"), help="stop at this number of tokens")
    add("--lr", type=float, default=1e-4)
    add(
        "--new-times",
        type=float,
        default=5.0,
        help="learning rate of the new parts, as a multiple; twice that for the comparison",
    )
    add("--pull", type=float, default=0.005)
    add(
        "--step-tokens",
        type=int,
        default=8192,
        help=f"about how many tokens a step learns from, at most those of {POOL} requests",
    )
    add("--seed", type=int, default=0)
    add("--threads", type=int, default=2)
    add(
        "--float32",
        action="store_true",
        help="compute in float32 instead of bf16: faster on processors without bf16 tiles (AMX)",
    )
    add("--device", default="cpu", type=torch.device, help="where it computes: cpu, cuda, cuda:1 …")
    add("--log-steps", type=int, default=25)
    add("--save-seconds", type=float, default=600)
    add("--watch-tokens", type=float, default=4e6)
    add("--watch-rows", type=int, default=80)
    args = parser.parse_args()
    if args.decay_tokens is not None and not args.branch:
        parser.error("--decay-tokens is for a branch (--from): no other run begins to decay")
    if args.decay_tokens is None:
        args.decay_tokens = 1e6
    lacking = [name for name in REQUEST_FILES if not (Path(args.requests) / f"{name}.jsonl.xz").exists()]
    if lacking:
        parser.error(f"{args.requests} lacks {', '.join(lacking)} (.jsonl.xz)")
    return args


if __name__ == "__main__":
    main()
