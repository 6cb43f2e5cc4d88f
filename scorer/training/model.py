"""The network, and its reference reading of one request: unbatched, float32.

A state is read in blocks that see only themselves. A question is read through the same
layers, and so are the blocks of a long text in it. Questions never see each other or a state,
and neither do options.

Reading one sentence after the other does not compare them: a product of their rows is what
layers of additions learn last. So the last rows of a question are compared with those of
the state once more. Each takes the state's rows that are like it, and what they have in
common decides together with the opening row and the cosine.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .render import BLOCK, NOUL_OPEN, OPEN, Question, Rendered

VOCABULARY, WIDTH, HEADS, LAYERS, INNER, POSITIONS = 30522, 384, 12, 6, 1536, 512
HEAD_WIDTH = WIDTH // HEADS
FIRST_SIDE, SIDES = min(OPEN.values()), max(NOUL_OPEN) - min(OPEN.values()) + 1
LIKENESS = 0.2  # times the product of two rows, whose lengths are about 7


class Layer(nn.Module):
    """One post-LN BERT layer. The caller decides which rows see which."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.o = nn.Linear(WIDTH, WIDTH)
        self.n1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.f1 = nn.Linear(WIDTH, INNER)
        self.f2 = nn.Linear(INNER, WIDTH)
        self.n2 = nn.LayerNorm(WIDTH, eps=1e-12)

    def heads(self, x: Tensor) -> Tensor:
        """[T, width] -> queries, keys, values, each [heads, T, head width]."""
        return self.qkv(x).view(-1, 3, HEADS, HEAD_WIDTH).permute(1, 2, 0, 3)

    def finish(self, x: Tensor, attended: Tensor) -> Tensor:
        x = self.n1(x + self.o(attended))
        return self.n2(x + self.f2(F.gelu(self.f1(x))))


class Decider(nn.Module):
    def __init__(self):
        super().__init__()
        # Its gradient has only the rows that were read.
        self.tok = nn.Embedding(VOCABULARY, WIDTH, sparse=True)
        self.pos = nn.Embedding(POSITIONS, WIDTH)
        self.typ = nn.Embedding(2, WIDTH)
        self.kind = nn.Embedding(4, WIDTH)
        self.n0 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, 1)
        self.gs = nn.Parameter(torch.full((SIDES,), 2.0))
        self.align = nn.Linear(WIDTH, WIDTH, bias=False)
        self.compare = nn.Linear(3 * WIDTH, WIDTH)
        self.weigh = nn.Linear(5 * WIDTH, WIDTH)
        self.side = nn.Embedding(SIDES, WIDTH)
        self.verdict = nn.Linear(WIDTH, 1, bias=False)

    @property
    def device(self) -> torch.device:
        return self.head.weight.device

    def embed(self, ids: Tensor, positions: Tensor, segment_type: int, kind: Tensor) -> Tensor:
        return self.n0(self.tok(ids) + self.pos(positions) + self.typ.weight[segment_type] + self.kind(kind))

    def read_state(self, ids: list[int]) -> Tensor:
        """The last layer's rows."""
        blocks = [torch.tensor(ids[i : i + BLOCK]) for i in range(0, len(ids), BLOCK)]
        return torch.cat([self._read_block(block) for block in blocks])

    def _read_block(self, ids: Tensor) -> Tensor:
        x = self.embed(ids, torch.arange(len(ids)), 0, torch.zeros_like(ids))
        return self._through_layers(x, torch.zeros(1))

    def _through_layers(self, x: Tensor, bias: Tensor) -> Tensor:
        for layer in self.layers:
            q, k, v = layer.heads(x)
            x = layer.finish(x, _join(attention(q, k, bias) @ v))
        return x

    def read_question(self, question: Question, rows: Tensor) -> Tensor:
        """One logit an option, before temperature. `rows` are those of the state."""
        segments = torch.tensor(question.segments)
        x = self.embed(
            torch.tensor(question.ids), torch.tensor(question.positions), 1, 1 + (segments > 0).long()
        )
        x = self._through_layers(x, torch.zeros(1).masked_fill(~visible(question), -math.inf))
        mine = rows[question.focus] if question.focus else rows
        options = torch.stack([x[m].mean(0) for m in option_rows(question)])
        found = self.compared(x, liken(self.align(x), mine))
        told = _pooled(found[segments == 0])
        evidence = torch.stack(
            [
                torch.cat([x[opening], _pooled(found[segments == o + 1]), told])
                for o, opening in enumerate(question.openings)
            ]
        )
        alike = F.normalize(options, dim=-1) @ F.normalize(mine.mean(0), dim=-1)
        sides = torch.tensor(question.ids)[question.openings] - FIRST_SIDE
        return (
            self.head(x[question.openings]).squeeze(-1)
            + self.gs.exp()[sides] * alike
            + self.judged(evidence, sides)
        )

    def compared(self, rows: Tensor, likened: Tensor) -> Tensor:
        """What each row of a question has in common with the state's rows that are like it."""
        return F.gelu(self.compare(torch.cat([rows, likened, rows * likened], -1)))

    def judged(self, evidence: Tensor, sides: Tensor) -> Tensor:
        """A share of each option's logit, from its opening row and what the comparison found for it and its
        instruction.

        The opening marker counts once more on its own, because the layers make the rows of all
        markers alike and nothing else tells the two sides of a bare yes-or-no question apart.
        """
        return self.verdict(F.gelu(self.weigh(evidence) + self.side(sides))).squeeze(-1)

    def forward(self, request: Rendered) -> list[Tensor]:
        state = self.read_state(request.state)
        return [self.read_question(question, state) for question in request.questions]


def liken(queries: Tensor, state: Tensor) -> Tensor:
    """For each query, a blend of the state's rows weighted by likeness; nothing if none is alike."""
    scores = queries @ state.transpose(-1, -2) * LIKENESS
    return torch.softmax(F.pad(scores, (1, 0)), -1)[..., 1:] @ state


def _pooled(rows: Tensor) -> Tensor:
    return torch.cat([rows.mean(0), rows.amax(0)])


def option_rows(question: Question) -> list[Tensor]:
    """Masks of the rows over which an option's mean is taken. A noul's true side includes its statement."""
    segments = torch.tensor(question.segments)
    masks = [segments == o + 1 for o in range(len(question.openings))]
    if question.type == "noul":
        masks[0] = masks[0] | (segments == 0)
    return masks


def visible(question: Question) -> Tensor:
    """Which rows see which: each its block of its own text, and those of an option the whole instruction."""
    segments, blocks = torch.tensor(question.segments), torch.tensor(question.blocks)
    of_block = (segments[None] == segments[:, None]) & (blocks[None] == blocks[:, None])
    return of_block | (segments[None] == 0) & (segments[:, None] > 0)


def attention(q: Tensor, k: Tensor, bias: Tensor) -> Tensor:
    return torch.softmax((q / math.sqrt(HEAD_WIDTH)) @ k.transpose(-1, -2) + bias, -1)


def _join(heads: Tensor) -> Tensor:
    return heads.transpose(0, 1).reshape(heads.shape[1], WIDTH)
