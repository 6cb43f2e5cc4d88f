"""Warm-up, stable, decay: the stable part can go on for as long as there is time.

A snapshot is branched off by decaying from any stable checkpoint; the stable run is not
disturbed.
"""

WARM_UP_TOKENS = 200_000
WEAKEST_PULL = 0.0005


def rate(tokens: int, decay_from: int | None, decay_tokens: int) -> float:
    """The learning rate's factor. In a branch it falls in a straight line to zero."""
    warm = min(1.0, (tokens + 4096) / WARM_UP_TOKENS)
    if decay_from is None:
        return warm
    return warm * max(0.0, 1.0 - (tokens - decay_from) / decay_tokens)


def pull(step: int, strongest: float) -> float:
    """How far the encoder is drawn back to the base after a step, at the full learning rate.

    A constant pull forgets everything older than its inverse (200 steps at 0.005), which a
    long run must not. Falling as 1/step it keeps the weights near an even blend of base and
    free training, the blend that served best among the prototypes.
    """
    return min(strongest, max(WEAKEST_PULL, 1.0 / max(1, step)))
