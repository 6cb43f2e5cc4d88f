"""Reference vectors for src/calibration, from SciPy and scikit-learn.

    python -m venv .venv && .venv/bin/pip install -r test/reference/requirements.txt
    .venv/bin/python test/reference/calibration.py          # writes calibration.json; then: npm run format
    .venv/bin/python test/reference/calibration.py --check  # fails where the committed file differs

Nothing here shares code, or a method of computing, with what it checks.
"""

import json
import pathlib
import sys

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from scipy.stats import beta, rankdata
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss

OUT = pathlib.Path(__file__).with_name("calibration.json")
CONFIDENCE, STEPS, FORGIVEN, LEAST_SHARE, MOST_SHARE, PULL, OFFSET_PULL, BINS = (
    0.9,
    100,
    10,
    0.1,
    0.2,
    0.5,
    0.5,
    15,
)


def upper_bound(errors, trials, confidence=CONFIDENCE):
    return float(beta.ppf(confidence, errors + 1, trials - errors)) if errors < trials else 1.0


def temperature(logits, labels):
    def objective(u):
        chosen = log_softmax(logits / np.exp(u), axis=1)[np.arange(len(labels)), labels]
        return -chosen.sum() + PULL * u * u

    if len(labels) == 0:
        return 1.0
    found = minimize_scalar(objective, bounds=np.log([0.05, 20]), method="bounded", options={"xatol": 1e-12})
    return float(np.exp(found.x))


def offsets(logits, labels, t):
    """By Newton's method, with steps halved until they lower the objective."""
    options = logits.shape[1]
    counts = np.bincount(labels, minlength=options)

    def objective(b):
        return (
            -log_softmax(logits / t + b, axis=1)[np.arange(len(labels)), labels].sum() + OFFSET_PULL * b @ b
        )

    b = np.zeros(options)
    for _ in range(100):
        p = softmax(logits / t + b, axis=1)
        gradient = p.sum(axis=0) - counts + 2 * OFFSET_PULL * b
        step = np.linalg.solve(np.diag(p.sum(axis=0)) - p.T @ p + 2 * OFFSET_PULL * np.eye(options), gradient)
        while objective(b - step) > objective(b) and np.abs(step).max() > 1e-13:
            step = step / 2
        b = b - step
    return b


def top(logits, t):
    """Confidences, with the ties of equal rows kept although the columns
    of a matrix may round differently."""
    return np.round(softmax(logits / t, axis=1).max(axis=1), 14)


def metrics(logits, labels, t):
    """`t` is one temperature, or one per row."""
    t = np.broadcast_to(np.asarray(t, float), len(labels))[:, None]
    p = softmax(logits / t, axis=1)
    options = list(range(logits.shape[1]))
    confidence = top(logits, t)
    correct = logits.argmax(axis=1) == labels
    bins = np.floor((rankdata(confidence, method="min") - 1) * BINS / len(labels))
    ece = sum(abs(confidence[bins == b].sum() - correct[bins == b].sum()) for b in np.unique(bins)) / len(
        labels
    )
    return {
        "accuracy": accuracy_score(labels, logits.argmax(axis=1)),
        "ece": float(ece),
        "brier": brier_score_loss(labels, p, labels=options, scale_by_half=False)
        if len(options) > 1
        else 0.0,
        "nll": log_loss(labels, p, labels=options) if len(options) > 1 else 0.0,
        "mean_confidence": float(confidence.mean()),
        "n": len(labels),
    }


def accepted(confidence, correct, counts):
    """Threshold, rows and errors of the whole tie groups that hold the first `count` rows, for each count."""
    order = np.argsort(-confidence, kind="stable")
    confidence, wrong = confidence[order], np.cumsum(~correct[order])
    ends = np.flatnonzero(np.r_[confidence[1:] != confidence[:-1], True])
    last = ends[np.searchsorted(ends, np.asarray(counts) - 1)]
    return zip(confidence[last].tolist(), (last + 1).tolist(), wrong[last].tolist())


def counts_to_test(n, target):
    starts = [next(m for m in range(1, 10_000) if upper_bound(k, m) <= target) for k in range(FORGIVEN + 1)]
    if starts[0] > n:
        return []
    first = max([starts[0]] + [m for m in starts if m <= MOST_SHARE * n] + [int(np.ceil(LEAST_SHARE * n))])
    return [int(np.floor(first * (n / first) ** (step / (STEPS - 1)) + 0.5)) for step in range(STEPS)]


def cutoff(orders, correct, target):
    """Every order must pass; the threshold is one of the first."""
    best = None
    counts = counts_to_test(len(correct), target)
    for sets in zip(*(accepted(confidence, correct, counts) for confidence in orders)):
        if any(upper_bound(wrong, rows) > target for _, rows, wrong in sets):
            break
        best = sets[0][0]
    return best


def rule(logits, labels, folds, target):
    of_fold = {f: temperature(logits[folds != f], labels[folds != f]) for f in np.unique(folds).tolist()}
    t = temperature(logits, labels)
    others = of_fold.values() if logits.shape[1] > 2 else []
    orders = [top(logits, scale) for scale in [t, *others]]
    correct = logits.argmax(axis=1) == labels
    return t, cutoff(orders, correct, target), np.array([of_fold[f] for f in folds.tolist()]), orders[0]


def fit(logits, labels, folds, target):
    t, threshold, ts, shipped = rule(logits, labels, folds, target)
    covered = wrong = 0
    for fold in np.unique(folds):
        seen, held = folds != fold, folds == fold
        fold_t, fold_threshold, _, _ = rule(logits[seen], labels[seen], folds[seen], target)
        if fold_threshold is None:
            continue
        answered = top(logits[held], fold_t) >= fold_threshold
        covered += int(answered.sum())
        wrong += int((answered & (logits[held].argmax(axis=1) != labels[held])).sum())
    return {
        **metrics(logits, labels, ts),
        "temperature": t,
        "cutoff": threshold,
        "coverage": 0.0 if threshold is None else float((shipped >= threshold).mean()),
        "coverage_at_target_error": covered / len(labels),
        "error_when_covered": wrong / covered if covered else None,
    }


def data_set(rng, name, n, options, sharpness, overconfidence, target, label_rule=None, decimals=4):
    truth = rng.normal(size=(n, options)) * sharpness
    labels = np.array([rng.choice(options, p=softmax(row)) for row in truth])
    logits = np.round(truth * overconfidence + rng.normal(size=(n, options)) * 0.3 + 7, decimals)
    # Equal highest logits are one prediction by chance of order; the service's own tests cover them.
    logits[np.arange(n), logits.argmax(axis=1)] += 0.01
    if label_rule:
        labels = label_rule(logits, labels)
    folds = rng.permutation(np.arange(n) % 5)
    return {
        "name": name,
        "target_error": target,
        "logits": logits.round(6).tolist(),
        "labels": labels.tolist(),
        "folds": folds.tolist(),
        "raw": metrics(logits, labels, 1),
        "at_2.5": metrics(logits, labels, 2.5),
        "offsets": offsets(logits, labels, temperature(logits, labels)).tolist(),
        "fit": fit(logits, labels, folds, target),
    }


def main():
    rng = np.random.default_rng(2026)
    right = lambda logits, labels: logits.argmax(axis=1)
    wrong = lambda logits, labels: logits.argmin(axis=1)
    bounds = [
        [k, n, c, upper_bound(k, n, c)]
        for n in (1, 2, 3, 10, 22, 45, 114, 200, 999, 5_000, 66_000)
        for k in sorted({0, 1, 2, 3, n // 50, n // 20, n // 10, n // 2, n - 1, n})
        if k <= n
        for c in (0.5, 0.9, 0.99)
    ]
    sets = [
        data_set(rng, "two options, overconfident", 300, 2, 2.5, 2.0, 0.05),
        data_set(rng, "two options, underconfident", 200, 2, 4, 0.4, 0.1),
        data_set(rng, "four options", 400, 4, 3.5, 1.4, 0.1),
        data_set(rng, "four options, many ties", 300, 4, 3, 1.2, 0.2, decimals=0),
        data_set(rng, "twelve options, hard", 120, 12, 1, 1.5, 0.3),
        data_set(rng, "easy", 250, 3, 9, 1.0, 0.02),
        data_set(rng, "one class only", 100, 3, 1, 1.0, 0.1, lambda logits, labels: labels * 0),
        data_set(rng, "all right", 60, 3, 1, 1.0, 0.05, right),
        data_set(rng, "all wrong", 60, 3, 1, 1.0, 0.05, wrong),
        data_set(rng, "one option", 50, 1, 1, 1.0, 0.05),
    ]
    text = (
        json.dumps({"bounds": bounds, "sets": sets}, separators=(",", ":")).replace('{"name"', '\n{"name"')
        + "\n"
    )
    if "--check" not in sys.argv:
        OUT.write_text(text)
    elif not equal(json.loads(text), json.loads(OUT.read_text())):
        sys.exit(f"{OUT.name} is not what this script makes")


def equal(made, kept):
    if isinstance(made, dict):
        return made.keys() == kept.keys() and all(equal(made[key], kept[key]) for key in made)
    if isinstance(made, list):
        return len(made) == len(kept) and all(map(equal, made, kept))
    return abs(made - kept) <= 1e-9 if isinstance(made, float) else made == kept


main()
