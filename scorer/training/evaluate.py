r"""Measures a snapshot on the never-trained tasks and writes the figures.

    python -m scorer.training.evaluate --corpus C --base B --checkpoint X [--report R.json]
    python -m scorer.training.evaluate --corpus C --base B \
        --service http://127.0.0.1:8787 --key K --card scorer/models/ID/MODEL_CARD.md

The first form is for development. The second asks the real HTTP API of a running service, so
that it measures the served arithmetic, and writes the model card.
"""

import argparse
import dataclasses
import json
import sys
from pathlib import Path

import numpy as np

from . import askers, baselines, card, checkpoint, corpus, development, probes
from .development import answered
from .examples import read
from .heldout import NEVER_TRAINED, NEVER_TRAINED_TASKS
from .judged import judged
from .metrics import calibration_errors, figures
from .outputs import new_file
from .planted import Planter
from .tokenizer import Tokenizer

PLANTED_TOKENS = (1_000, 4_000, 16_000)
PARAPHRASE_ROWS = 40
MADE_UP = 200  # requests
PROBE_ITEMS = 400
EXAMPLES = Path(__file__).parents[2] / "examples" / "support-tickets.jsonl"


def measure(
    ask: askers.Asker, base: askers.Asker, data: corpus.Corpus, text: Path, rows: int, planted: int
) -> dict:
    items = development.items(data, NEVER_TRAINED_TASKS, rows)
    by_task = {task: [i for i in items if i.task == task] for task in NEVER_TRAINED_TASKS}
    _say("never-trained tasks")
    tasks, answers = {}, {}
    for task, mine in by_task.items():
        asked = [(i.state, i.question) for i in mine]
        answers[task] = answered(mine, askers.singly(ask, asked))
        tasks[task] = {
            "type": mine[0].question["type"],
            "options": max(len(i.question["criteria"] or "tf") for i in mine),
            "model": figures(answers[task]),
            "untouched base": figures(
                answered(mine, baselines.nearest_meaning(mine, askers.singly(base, asked)))
            ),
            "TF-IDF": figures(answered(mine, baselines.nearest_words(mine))),
            "majority": figures(answered(mine, baselines.majority(mine))),
            baselines.LEARNED: figures(baselines.learned(data, task, rows)),
        }
        _say(
            f"{task}: {tasks[task]['model'].accuracy:.3f} (base {tasks[task]['untouched base'].accuracy:.3f})"
        )
    mean = lambda names: (
        _mean([tasks[name] for name in names])
        | {"calibration_error": calibration_errors([answers[name] for name in names])}
    )
    sampled = items[:: max(1, len(items) // PROBE_ITEMS)]
    _say("order, wording, coherence, repetition")
    report = {
        "tasks": tasks,
        "types": {
            kind: mean([name for name, task in tasks.items() if task["type"] == kind])
            for kind in ("choice", "noul", "score")
        },
        "kinds": {kind: mean(names) for kind, names in NEVER_TRAINED.items()},
        "all": mean(NEVER_TRAINED_TASKS),
        "order flips": probes.order_flips(ask, sampled),
        "paraphrase flips": probes.paraphrase_flips(
            ask, data, NEVER_TRAINED_TASKS, min(rows, PARAPHRASE_ROWS)
        ),
        "coherence": probes.coherence(ask, sampled),
        "repetition": probes.repeated(ask, sampled[:60]),
    }
    report["pairs in one state"] = {
        task: figures(answered(mine, askers.singly(ask, [(i.state, i.question) for i in mine])))
        for task, mine in development.pairs_in_one_state(data, rows).items()
    }
    report["example tickets"] = {
        who: judged(them, read(EXAMPLES)) for who, them in (("model", ask), ("untouched base", base))
    }
    report["described"] = {
        who: probes.described(them, by_task) for who, them in (("model", ask), ("untouched base", base))
    }
    report["options changed"] = probes.options_changed(ask, by_task)
    report["scales"] = probes.scales(ask, by_task)
    report["statements"] = probes.statements(ask)
    report["degrees"] = probes.degrees(ask)
    report["skills"] = probes.skills(ask, MADE_UP)
    planter = Planter.unseen(text)
    report["planted facts"] = {}
    for tokens in PLANTED_TOKENS if planted else ():
        _say(f"planted facts at {tokens} tokens")
        report["planted facts"][str(tokens)] = {
            name: probes.planted_facts(ask, planter, tokens, planted, rival)
            for name, rival in (("alone", False), ("with a rival", True))
        }
    return report


def _mean(tasks: list[dict]) -> dict:
    """Means over tasks, each weighing the same."""
    mean = lambda who, what: float(np.mean([getattr(t[who], what) for t in tasks]))
    out = {
        who: {"accuracy": mean(who, "accuracy"), "lift": mean(who, "lift")}
        for who in ("model", *baselines.NAMES)
    }
    return out | {"brier": mean("model", "brier"), "macro_f1": mean("model", "macro_f1")}


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def snapshot_of(described: Path | None) -> str:
    """Which snapshot a service is asked for: one that serves several answers with the newest otherwise."""
    if not described:
        return askers.ANY_SNAPSHOT
    return json.loads(described.with_name("snapshot.json").read_text(encoding="utf-8"))["id"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--corpus", required=True, type=Path)
    add("--base", required=True, type=Path, help="model folder of the unpacked base package")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--checkpoint", type=Path, help="measured in this process")
    asked.add_argument("--service", help="measure the service at this address")
    add("--key", help="its bearer key")
    add("--model", help="which of its snapshots; default: the one that the card describes, else decider-1")
    add("--rows", type=int, default=1000, help="rows a task")
    add(
        "--planted",
        type=int,
        default=100,
        help="planted facts a length, alone and with a rival; 0 leaves them out",
    )
    add("--report", type=new_file, help="where the figures go as JSON")
    add("--card", type=Path, help="where the model card goes: next to the snapshot.json it describes")
    args = parser.parse_args()
    if args.service and not args.key:
        parser.error("--service needs --key")
    if args.card and not args.card.with_name("snapshot.json").exists():
        parser.error(f"there is no snapshot.json next to {args.card}")
    tokenizer = Tokenizer.from_file(args.base / "vocab.txt")
    untouched = askers.of_model(checkpoint.from_base(args.base), {}, tokenizer)
    ask = (
        askers.of_service(args.service, args.key, args.model or snapshot_of(args.card))
        if args.service
        else askers.of_checkpoint(args.checkpoint, tokenizer)
    )
    data = corpus.load_never_trained(args.corpus)
    report = measure(ask, untouched, data, args.corpus / "text", args.rows, args.planted)
    if args.report:
        args.report.write_text(
            json.dumps(
                report, indent=1, default=lambda found: dataclasses.asdict(found) | {"lift": found.lift}
            )
            + "\n",
            encoding="utf-8",
        )
    if args.card:
        way = "the HTTP API of a running service" if args.service else "the checkpoint in PyTorch, float32"
        args.card.write_text(
            card.written(report, args.card.with_name("snapshot.json"), way), encoding="utf-8"
        )
    print(card.tables(report))


if __name__ == "__main__":
    main()
