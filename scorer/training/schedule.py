"""Warm-up, stable, decay: the stable part can go on for as long as there is time.

A snapshot branches off by decaying from any stable checkpoint. The stable run is not
disturbed.
"""

WARM_UP_TOKENS = 200_000
FIRST_TOKENS = 4096  # counted before the first step, which would learn nothing at a rate of zero
WEAKEST_PULL = 0.0004


def rate(tokens: int, decayed: float) -> float:
    """The learning rate's factor after a number of tokens. In a branch it falls linearly to zero,
    and `decayed` is the share of that decay that is done."""
    return min(1.0, (tokens + FIRST_TOKENS) / WARM_UP_TOKENS) * max(0.0, 1.0 - decayed)


def pull(step: int, strongest: float) -> float:
    """How far the encoder is pulled back towards the base after a step, at the full learning rate.

    A constant pull forgets everything older than its inverse (200 steps at 0.005), which a
    long run must not do. Falling as 1/step, it keeps the weights near an even blend of base and
    free training, the blend that served best among the prototypes.
    """
    return min(strongest, max(WEAKEST_PULL, 1.0 / max(1, step)))
