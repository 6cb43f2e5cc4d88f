"""The figures as tables, and the model card around them."""

import json
from pathlib import Path

from .baselines import DRAWS, LABELS, LEARNED, NAMES
from .metrics import BINS, Figures
from .model import Decider

ENCODER_PARAMETERS = 10_650_000  # without the embedding table, whose rows cost nothing to look up
TEXT = Path(__file__).with_name("card.md")
GOALS = (
    ("mean lift over chance", 0.42, lambda r: r["all"]["model"]["lift"]),
    ("binary sentiment, accuracy", 0.88, lambda r: _accuracy(r, "product_sentences", "yelp_sentences")),
    ("4- to 8-way topic, accuracy", 0.80, lambda r: _accuracy(r, "bbc_news", "snips")),
    ("routing among 50+ intents by their names alone, accuracy", 0.65, lambda r: _accuracy(r, "hwu64")),
    (
        "the same with a phrase that describes each",
        0.65,
        lambda r: r["described"]["model"]["hwu64"].accuracy,
    ),
    (
        "entailment and paraphrase, two-way, accuracy",
        0.70,
        lambda r: _accuracy(r, "medical_question_pairs", "med_monotonicity", "dnc_sentiment"),
    ),
    (
        "the same without `dnc_sentiment`",
        0.70,
        lambda r: _accuracy(r, "medical_question_pairs", "med_monotonicity"),
    ),
)


def written(report: dict, snapshot: Path, way: str) -> str:
    """The whole card: the words of card.md, the facts from the snapshot's folder, and the tables."""
    described = json.loads(snapshot.read_text(encoding="utf-8"))
    training = described["training"]
    tokens, left_out = training["tokens"], training["calibration_error_left_out"]
    facts = {
        "id": described["id"],
        "parameters": f"{sum(parameter.numel() for parameter in Decider().parameters()) / 1e6:.1f}",
        "arithmetic": described["arithmetic"],
        "size": f"{sum(f.stat().st_size for f in snapshot.parent.iterdir()) / 1e6:.0f}",
        "tokens": f"{tokens / 1e6:.1f}",
        "compute": f"{6 * ENCODER_PARAMETERS * tokens:.1e}",
        "way": way,
        "tasks": len(report["tasks"]),
        "overtaken": sum(
            task[LEARNED].accuracy > task["model"].accuracy for task in report["tasks"].values()
        ),
        "tables": tables(report, left_out),
    }
    text = TEXT.read_text(encoding="utf-8")
    for name, value in facts.items():
        text = text.replace("{{" + name + "}}", str(value))
    return text


def tables(report: dict, left_out: dict | None = None) -> str:
    """`left_out`: the calibration errors if each task has temperatures that were fitted without it."""
    return "\n\n".join((_goals(report, left_out), _tasks(report), _means(report), _properties(report)))


def _goals(report: dict, left_out: dict | None) -> str:
    rows = [_goal(name, f"{goal:.2f}", found := of(report), found >= goal) for name, goal, of in GOALS]
    for how, what in (("tasks", "mean of the tasks"), ("together", "all answers together")):
        for error, fitted in (
            (report["all"]["calibration_error"][how], ""),
            *([(left_out[how], "; each task left out of the fit")] if left_out else []),
        ):
            rows.append(_goal(f"calibration error, {what}{fitted}", "≤ 0.06", error, error <= 0.06))
    if far := report["planted facts"].get("16000"):
        right = far["alone"]["all"].accuracy
        rows.append(_goal("a fact planted alone in 16,000 tokens, accuracy", "0.80", right, right >= 0.8))
    return "### Goals\n\n" + table(["", "goal", "measured", "reached"], rows)


def _goal(name: str, goal: str, found: float, reached: bool) -> list[str]:
    return [name, goal, f"{found:.3f}", "yes" if reached else "no"]


def _tasks(report: dict) -> str:
    rows = []
    for name, task in report["tasks"].items():
        own = task["model"]
        rows.append(
            [
                name,
                task["type"],
                str(task["options"]),
                str(own.rows),
                f"**{own.accuracy:.3f}** ± {own.standard_error:.3f}",
                f"{own.macro_f1:.3f}",
                f"{own.calibration_error:.3f}",
                f"{own.brier:.3f}",
                f"{own.lift:.3f}",
                f"{own.chance:.3f}",
                *(f"{task[who].accuracy:.3f}" for who in NAMES),
            ]
        )
    head = [
        "task",
        "type",
        "options",
        "rows",
        "accuracy",
        "macro-F1",
        "ECE",
        "Brier",
        "lift",
        "chance",
        *NAMES,
    ]
    fewer = [
        f"`{name}` on {task[LEARNED].rows // DRAWS}"
        for name, task in report["tasks"].items()
        if task[LEARNED].rows < DRAWS * task["model"].rows
    ]
    told = (
        "The model was never trained on these tasks, but its weights were chosen and its temperatures fitted by them "
        "(see the limits).\n\n"
        "- Accuracy is given with one standard error.\n"
        "- Lift is (accuracy - chance) / (1 - chance).\n"
        "- ECE is the calibration error: the gap between the highest probability and the share of right answers, "
        f"in {BINS} bins of equal width. A calibration of the service has bins of equal mass, "
        "so its figures are a little different.\n"
        "- The last five columns are the accuracies of the baselines. "
        "TF-IDF and the untouched base take a statement to hold "
        "if it is at least as near to the state as in the median row of its task.\n"
        f"- The {LEARNED} reads TF-IDF of words and word pairs. It is trained on other rows of the task "
        f"than it is judged on, in {DRAWS} draws, of which the mean is given. A task with too few rows for that "
        f"is judged on fewer, and all its draws are the same {LABELS} rows ({', '.join(fewer) or 'none here'})."
    )
    return f"### Never-trained tasks\n\n{told}\n\n" + table(head, rows)


def _means(report: dict) -> str:
    rows = []
    groups = (
        {"all": report["all"]}
        | {f"type {k}": v for k, v in report["types"].items()}
        | {f"kind {k}": v for k, v in report["kinds"].items()}
    )
    for name, mean in groups.items():
        rows.append(
            [
                name,
                *(f"{mean[who]['lift']:.3f}" for who in ("model", *NAMES)),
                f"{mean['model']['accuracy']:.3f}",
                *(f"{mean['calibration_error'][how]:.3f}" for how in ("tasks", "together")),
            ]
        )
    told = (
        "With all answers together, tasks on which the model is too sure and tasks on which it is not sure enough "
        "cancel: it is the error of a mixture of such tasks, not of one."
    )
    return f"### Means over tasks\n\n{told}\n\n" + table(
        [
            "",
            "lift",
            *(f"lift, {who}" for who in NAMES),
            "accuracy",
            "ECE, mean of the tasks",
            "ECE, all answers together",
        ],
        rows,
    )


def _properties(report: dict) -> str:
    rows = [
        ["order flips (options reversed)", f"{report['order flips']:.4f}"],
        ["paraphrase flips (between wordings of an instruction)", f"{report['paraphrase flips']:.3f}"],
    ]
    rows += [[name, f"{value:.3f}"] for name, value in report["coherence"].items()]
    rows += [
        [f"largest change in a probability: {name}", f"{value:.2g}"]
        for name, value in report["repetition"].items()
    ]
    rows += [
        [f"{name}, both texts in the state: accuracy", f"{found.accuracy:.3f}", f"{found.chance:.3f}"]
        for name, found in report["pairs in one state"].items()
    ]
    rows += [
        [f"example tickets, accuracy: {who}", *_accuracies(found)]
        for who, found in report["example tickets"].items()
    ]
    rows += [
        [f"names with a phrase that describes each, accuracy: {who}", *_accuracies(found)]
        for who, found in report["described"].items()
    ]
    changed = report["options changed"]
    given = {task: report["tasks"][task]["model"] for found in changed.values() for task in found}
    rows += [
        [f"options {name}: accuracy", *_accuracies(found)]
        for name, found in {"as given": given, **changed}.items()
    ]
    rows += [
        [f"scale {name}: correlation of the expected level with the label", _listed(found)]
        for name, found in report["scales"].items()
    ]
    rows += [["statements about texts, unseen statements: accuracy", *_accuracies(report["statements"])]]
    rows += [[f"{name}: accuracy", *_accuracies(found)] for name, found in report["skills"].items()]
    rows += [
        [
            "degrees, unseen kinds: correlation of the expected level with the level the text was written for",
            _listed(report["degrees"]),
        ]
    ]
    for tokens, found in report["planted facts"].items():
        rows += [
            [f"planted fact {name}, {int(tokens):,} tokens: accuracy", *_accuracies(right)]
            for name, right in found.items()
        ]
    told = "Chance is the accuracy of guessing evenly among the options; only accuracies have one."
    return f"### Properties\n\n{told}\n\n" + table(
        ["", "", "chance"], [row if len(row) == 3 else [*row, ""] for row in rows]
    )


def _accuracies(found: dict[str, Figures]) -> tuple[str, str]:
    """Two cells: what was right, and what would have been by chance."""
    return _listed({name: figures.accuracy for name, figures in found.items()}), _listed(
        {name: figures.chance for name, figures in found.items()}
    )


def _listed(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in found.items())


def _accuracy(report: dict, *tasks: str) -> float:
    return sum(report["tasks"][t]["model"].accuracy for t in tasks) / len(tasks)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
