"""The network over a batch: the same arithmetic as `model.py`, arranged for throughput.

Attention is written as matmul, softmax, matmul, which on CPUs is faster in bf16 than the
fused kernel.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from .batch import HIDDEN, Batch, Padding, hide, own_mask
from .model import FIRST_SIDE, HEAD_WIDTH, HEADS, LIKENESS, WIDTH, Decider

PADDING_LOGIT = -1e4


def logits(model: Decider, batch: Batch) -> Tensor:
    """[questions, largest number of options], before temperature. Places
    without an option hold PADDING_LOGIT."""
    return logits_and_cosines(model, batch)[0]


def logits_and_cosines(model: Decider, batch: Batch) -> tuple[Tensor, Tensor]:
    """The logits, and the cosines that are part of them."""
    x = model.n0(
        model.tok(batch.ids) + model.pos(batch.positions) + model.typ(batch.types) + model.kind(batch.kinds)
    )
    unseen_state = hide(~batch.states.filled)[:, None, None]
    rows = batch.packed
    bias_of_own = own_mask(batch, rows)
    for layer in model.layers:
        qkv = layer.qkv(x)
        of_states, of_questions = _apart(qkv, batch)
        state_q, state_k, state_v = _heads(_Pad.apply(of_states, batch.states), batch.states)
        attended_state = _join(_attend(state_q, state_k, state_v, unseen_state.to(qkv.dtype)))
        q, k, v = _heads(_Pad.apply(of_questions, rows), rows)
        attended = _join(_attend(q, k, v, bias_of_own.to(qkv.dtype)))
        x = layer.finish(
            x, torch.cat([_Unpad.apply(attended_state, batch.states), _Unpad.apply(attended, rows)])
        )
    return _read_out(model, x, batch)


def _evidence(model: Decider, state_rows: Tensor, question_rows: Tensor, batch: Batch) -> Tensor:
    """For each option: its opening row, and what the comparison with the
    state found for it and for its instruction."""
    rows = batch.questions.rows
    state = _Pad.apply(state_rows, batch.states).view(rows, -1, WIDTH)
    queries = _Pad.apply(model.align(question_rows), batch.questions).view(rows, -1, WIDTH)
    scores = torch.matmul(queries, state.transpose(1, 2)).float() * LIKENESS + _state_bias(batch)
    if batch.focus is not None:
        pointing = batch.focus.any(-1, keepdim=True)
        scores = scores.masked_fill(pointing & (batch.focus == 0), HIDDEN)
    shares = torch.softmax(F.pad(scores, (1, 0)), -1)[..., 1:]
    likened = _Unpad.apply(torch.matmul(shares.to(state.dtype), state).view(-1, WIDTH), batch.questions)
    found = model.compared(question_rows, likened.to(question_rows.dtype)).float()
    pooled = _pooled(found, batch.segments, len(batch.openings) + len(batch.gold))
    options, questions = pooled.split([len(batch.openings), len(batch.gold)])
    return torch.cat(
        [question_rows[batch.openings].float(), options, questions[batch.question_of_option]], -1
    )


def _pooled(rows: Tensor, segments: Tensor, count: int) -> Tensor:
    """Mean and maximum of each segment's rows, side by side."""
    sums = rows.new_zeros(count, rows.shape[1]).index_add(0, segments, rows)
    lengths = rows.new_zeros(count, 1).index_add(0, segments, rows.new_ones(len(rows), 1))
    wide = segments.unsqueeze(1).expand_as(rows)
    most = rows.new_zeros(count, rows.shape[1]).scatter_reduce(0, wide, rows, "amax", include_self=False)
    return torch.cat([sums / lengths, most], -1)


def _read_out(model: Decider, x: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    state_rows, question_rows = _apart(x, batch)
    sides = batch.ids[batch.state_tokens + batch.openings] - FIRST_SIDE
    read = model.head(question_rows[batch.openings]).squeeze(-1).float()
    judged = model.judged(_evidence(model, state_rows, question_rows, batch), sides).float()
    with torch.autocast(x.device.type, enabled=False):
        state = F.normalize(batch.state_weights @ state_rows.float(), dim=-1)[batch.question_of_option]
        option = F.normalize(batch.option_weights @ question_rows.float(), dim=-1)
        cosines = (state * option).sum(-1)
        return _by_question(read + judged + model.gs.exp()[sides] * cosines, batch), _by_question(
            cosines, batch
        )


def _by_question(values: Tensor, batch: Batch) -> Tensor:
    out = values.new_full((len(batch.gold), batch.most_options), PADDING_LOGIT)
    return out.index_put((batch.question_of_option, batch.place_of_option), values)


def _apart(rows: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """The rows of the states and those of the questions. Unlike that of two
    slices, the gradient of a split needs no zeros filled in."""
    return rows.split([batch.state_tokens, len(rows) - batch.state_tokens])


def _state_bias(batch: Batch) -> Tensor:
    """[requests, 1, blocks * state width]"""
    return hide(~batch.states.filled).view(batch.questions.rows, 1, -1)


def _heads(padded: Tensor, padding: Padding) -> tuple[Tensor, Tensor, Tensor]:
    """[rows * width, 3 * WIDTH] -> three of [rows, heads, width, head width]"""
    return padded.view(padding.rows, padding.width, 3, HEADS, HEAD_WIDTH).permute(2, 0, 3, 1, 4).unbind(0)


def _attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    scores = torch.matmul(q * (1 / math.sqrt(HEAD_WIDTH)), k.transpose(-1, -2))
    return torch.matmul(torch.softmax(scores + bias, -1, dtype=scores.dtype), v)


def _join(heads: Tensor) -> Tensor:
    return heads.transpose(1, 2).reshape(-1, WIDTH)


class _Pad(torch.autograd.Function):
    """Flat tokens to padded rows. Except for copies, every token has
    one slot, so the gradient is a gather too."""

    @staticmethod
    def forward(ctx, flat: Tensor, padding: Padding) -> Tensor:
        ctx.padding = padding
        return flat.index_select(0, padding.token_of_slot)

    @staticmethod
    def backward(ctx, gradient: Tensor):
        padding = ctx.padding
        flat = gradient.index_select(0, padding.slot_of_token)
        return flat.index_add_(0, padding.token_of_slot[padding.copies], gradient[padding.copies]), None


class _Unpad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, padded: Tensor, padding: Padding) -> Tensor:
        ctx.padding = padding
        return padded.index_select(0, padding.slot_of_token)

    @staticmethod
    def backward(ctx, gradient: Tensor):
        padding = ctx.padding
        padded = gradient.index_select(0, padding.token_of_slot) * padding.filled.view(-1, 1)
        return padded.index_fill_(0, padding.copies, 0), None
