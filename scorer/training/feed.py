"""Requests of the mixture as batches, step by step."""

from collections.abc import Iterator
from random import Random

from .batch import Batch, collate, reach
from .mixture import Mixture
from .predict import grouped, length
from .render import Rendered, render
from .tokenizer import Tokenizer

POOL = 1200
# At this size, the fixed cost of a batch (gradients of all weights) is a tenth of the whole.
BATCH_TOKENS = 4096
STATE_STRATUM = 64  # tokens; within a stratum of states, requests are sorted by the reach of their questions


def steps(
    mixture: Mixture, tokenizer: Tokenizer, number: int, done: int, tokens: int
) -> Iterator[tuple[int, int, list[Batch]]]:
    """The batches of each step from a place in the stream: after this many steps of the pool of this number.
    Each comes with the place after it. A request longer than a batch is a batch of its own. A step takes no
    more than its pool has."""
    while True:
        pool = list(mixture.pool(number, POOL))
        requests = [render(state, [q for q, _ in asked], tokenizer) for state, asked in pool]
        golds = [[gold for _, gold in asked] for _, asked in pool]
        lengths = [length(r) for r in requests]
        groups = grouped(sorted(range(POOL), key=lambda i: _snake(requests[i])), lengths, BATCH_TOKENS)
        Random(number).shuffle(groups)
        per_step = min(max(1, tokens // BATCH_TOKENS), len(groups))
        for step in range(done, len(groups) // per_step):
            chosen = groups[step * per_step : (step + 1) * per_step]
            batches = [collate([requests[i] for i in g], [golds[i] for i in g]) for g in chosen]
            yield number, step + 1, batches
        number, done = number + 1, 0


def _snake(request: Rendered) -> tuple[int, int]:
    """To keep padding small: states by strata of length, the reach
    of questions rising and falling in turn."""
    stratum = len(request.state) // STATE_STRATUM
    longest = max(map(reach, request.questions))
    return stratum, longest if stratum % 2 else -longest
