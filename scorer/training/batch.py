"""Many rendered requests as one batch for training.

Tokens lie flat, states first, so that the matrix products see no padding at all. Only
attention works on padded rows: one per state block, and questions of any requests packed
into rows. An option sees only the instructions and itself, so a question with many options
stands in several parts, each repeating the instructions.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from torch import Tensor

from .render import BLOCK, Question, Rendered

SHORT = 64  # parts of questions need not be shorter
TILE = 16  # the length of attention rows is a multiple of it: the processor works in tiles
HIDDEN = -1e4  # added to scores that must not count; finite, so that rows of padding stay finite


class Movable:
    def to(self, device: torch.device):
        """The same with all its tensors on this device."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(
            self, **{name: v.to(device) for name, v in values.items() if isinstance(v, Tensor | Movable)}
        )


@dataclass
class Padding(Movable):
    """Maps between flat tokens [N] and rows [rows, width]."""

    token_of_slot: Tensor  # [rows * width]; slots of padding point at token 0
    slot_of_token: Tensor  # [N]
    filled: Tensor  # [rows, width], bool
    copies: Tensor  # slots of tokens that belong elsewhere and are only seen here
    parts: Tensor  # [rows, width]; tokens of another part are not seen
    rows: int
    width: int


@dataclass
class Batch(Movable):
    ids: Tensor  # [N], states first
    positions: Tensor
    types: Tensor
    kinds: Tensor
    states: Padding  # over the first `state_tokens` tokens; rows = requests * blocks
    questions: Padding  # over the rest; rows = requests, as the comparison with the state needs
    packed: Padding  # over the rest too; rows hold parts of questions, of any requests
    state_tokens: int
    blocks: Tensor  # [question tokens]: the block of its segment that the token belongs to
    segments: Tensor  # [question tokens]: the token's option, or the number of options + its question
    instructions: Tensor  # [question tokens]: the segment of its question's instructions
    focus: Tensor | None  # [requests, width, blocks * state width], 0 or 1
    state_weights: Tensor  # [questions, state tokens], 0 or 1
    option_weights: Tensor  # [options, question tokens], 0 or 1
    openings: Tensor  # [options], into the question tokens
    question_of_option: Tensor  # [options]
    place_of_option: Tensor  # [options], counted within the question
    gold: Tensor  # [questions]
    is_score: Tensor  # [questions], bool
    is_choice: Tensor
    option_counts: Tensor  # [questions]
    most_options: int


def collate(requests: list[Rendered], golds: list[list[int]]) -> Batch:
    blocks = -(-max(len(r.state) for r in requests) // BLOCK)
    states = _padding(
        [
            min(max(0, len(r.state) - start), BLOCK)
            for r in requests
            for start in range(0, blocks * BLOCK, BLOCK)
        ]
    )
    questions = _padding([sum(len(q.ids) for q in r.questions) for r in requests])
    state_ids = np.concatenate([r.state for r in requests])
    state_tokens = len(state_ids)
    asked = [q for r in requests for q in r.questions]
    question_ids = np.concatenate([q.ids for q in asked])
    segments = np.concatenate([q.segments for q in asked])
    return Batch(
        ids=_long(np.concatenate([state_ids, question_ids])),
        positions=_long(
            np.concatenate(
                [*(np.arange(len(r.state)) % BLOCK for r in requests), *(q.positions for q in asked)]
            )
        ),
        types=_long(np.repeat([0, 1], [state_tokens, len(question_ids)])),
        kinds=_long(np.concatenate([np.zeros(state_tokens, int), 1 + (segments > 0)])),
        states=states,
        questions=questions,
        packed=_packed(asked),
        state_tokens=state_tokens,
        blocks=_long(np.concatenate([q.blocks for q in asked])),
        focus=_focus(requests, questions.width, states.width, blocks),
        **_readout(requests, state_tokens, len(question_ids)),
        gold=_long([g for gold in golds for g in gold]),
        is_score=torch.tensor([q.type == "score" for q in asked]),
        is_choice=torch.tensor([q.type == "choice" for q in asked]),
        option_counts=_long([len(q.openings) for q in asked]),
        most_options=max(len(q.openings) for q in asked),
    )


def _long(values) -> Tensor:
    return torch.as_tensor(np.asarray(values, dtype=np.int64))


def _padding(lengths: list[int]) -> Padding:
    """One row each."""
    width = _tiles(max(lengths))
    slots = np.flatnonzero(np.arange(width)[None] < np.asarray(lengths)[:, None])
    return _padded(
        np.arange(len(slots)), slots, np.zeros(0, int), np.zeros(len(slots), int), len(lengths), width
    )


def _packed(asked: list[Question]) -> Padding:
    """First-fit decreasing: the longest part first, each into the first row that has room."""
    width = _tiles(max(reach(q) for q in asked))
    parts, copied, at = [], [], 0
    for q in asked:
        of_question = _parts(q, width)
        parts += [at + part for part in of_question]
        copied += [0] + [_lengths(q)[0]] * (len(of_question) - 1)
        at += len(q.ids)
    left: list[int] = []
    starts = [0] * len(parts)
    for i in sorted(range(len(parts)), key=lambda i: -len(parts[i])):
        row = next((row for row, room in enumerate(left) if room >= len(parts[i])), len(left))
        if row == len(left):
            left.append(width)
        starts[i] = (row + 1) * width - left[row]
        left[row] -= len(parts[i])
    slots = np.concatenate([start + np.arange(len(part)) for start, part in zip(starts, parts)])
    copies = np.concatenate([start + np.arange(count) for start, count in zip(starts, copied)])
    return _padded(
        np.concatenate(parts),
        slots,
        copies,
        np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
        len(left),
        width,
    )


def _lengths(question: Question) -> list[int]:
    """The number of tokens of the instructions and of each option."""
    return np.bincount(question.segments).tolist()


def reach(question: Question) -> int:
    """How long its parts may be. Attention over many options costs least
    if half of a part is instructions."""
    instructions, *options = _lengths(question)
    return min(len(question.ids), max(instructions + max(options, default=0), 2 * instructions, SHORT))


def _parts(question: Question, width: int) -> list[np.ndarray]:
    """The places of its tokens: each part has the instructions and as many options as fit."""
    instructions, *options = _lengths(question)
    parts, begin, end = [], instructions, instructions
    for length in options:
        if instructions + end + length - begin > width:
            parts.append((begin, end))
            begin = end
        end += length
    return [np.concatenate([np.arange(instructions), np.arange(*part)]) for part in [*parts, (begin, end)]]


def _tiles(length: int) -> int:
    return -(-length // TILE) * TILE


def _padded(
    tokens: np.ndarray, slots: np.ndarray, copies: np.ndarray, parts: np.ndarray, rows: int, width: int
) -> Padding:
    """Which tokens stand in which slots, which of these are copies, and which part each slot belongs to."""
    token_of_slot, part_of_slot, filled, copied = (
        np.zeros(rows * width, np.int64),
        np.zeros(rows * width, np.int64),
        np.zeros(rows * width, bool),
        np.zeros(rows * width, bool),
    )
    token_of_slot[slots], part_of_slot[slots], filled[slots], copied[copies] = tokens, parts, True, True
    own = ~copied[slots]
    slot_of_token = np.zeros(np.count_nonzero(own), np.int64)
    slot_of_token[tokens[own]] = slots[own]
    shaped = lambda values: torch.as_tensor(values).view(rows, width)
    return Padding(
        _long(token_of_slot),
        _long(slot_of_token),
        shaped(filled),
        _long(copies),
        shaped(part_of_slot),
        rows,
        width,
    )


def own_mask(batch: Batch, rows: Padding) -> Tensor:
    """[rows, 1, width, width], 0 or HIDDEN: tokens see their block of their own text, and those
    of an option all instructions. None sees another part."""
    nothing = ~rows.filled.view(-1)
    in_slots = lambda of: of[rows.token_of_slot].masked_fill(nothing, -1).view(rows.rows, rows.width)
    segment, instructions, block = map(in_slots, (batch.segments, batch.instructions, batch.blocks))
    each, other = lambda of: of[:, :, None], lambda of: of[:, None, :]
    of_block = (other(segment) == each(segment)) & (other(block) == each(block))
    told = (other(segment) == each(instructions)) & (each(segment) != each(instructions))
    readable = of_block | told
    readable &= rows.parts[:, None, :] == rows.parts[:, :, None]
    return hide(~readable)[:, None]


def hide(unseen: Tensor) -> Tensor:
    """What is added to scores: HIDDEN where nothing may be seen, 0 elsewhere."""
    return torch.zeros(unseen.shape, device=unseen.device).masked_fill_(unseen, HIDDEN)


def _focus(requests: list[Rendered], width: int, state_width: int, blocks: int) -> Tensor | None:
    if not any(q.focus for r in requests for q in r.questions):
        return None
    focus = torch.zeros(len(requests), width, blocks * state_width)
    for i, r in enumerate(requests):
        at = 0
        for q in r.questions:
            rows = np.asarray(q.focus, int)
            columns = rows // BLOCK * state_width + rows % BLOCK
            focus[i, at : at + len(q.ids), columns] = 1.0
            at += len(q.ids)
    return focus


def _readout(requests: list[Rendered], state_tokens: int, question_tokens: int) -> dict[str, Tensor]:
    options = sum(len(q.openings) for r in requests for q in r.questions)
    segment_of, instructions_of = np.zeros(question_tokens, int), np.zeros(question_tokens, int)
    state_weights = np.zeros((sum(len(r.questions) for r in requests), state_tokens), np.float32)
    option_weights = np.zeros((options, question_tokens), np.float32)
    openings, question_of, place_of = [], [], []
    state_at = question_at = number = 0
    for r in requests:
        for q in r.questions:
            rows = np.asarray(q.focus, int) if q.focus else np.arange(len(r.state))
            state_weights[number, state_at + rows] = 1.0
            segments = np.asarray(q.segments)
            here = slice(question_at, question_at + len(segments))
            segment_of[here] = np.where(segments > 0, len(openings) + segments - 1, options + number)
            instructions_of[here] = options + number
            for o, opening in enumerate(q.openings):
                read = (segments == o + 1) | ((segments == 0) & (q.type == "noul" and o == 0))
                option_weights[len(openings), question_at + np.flatnonzero(read)] = 1.0
                openings.append(question_at + opening)
                question_of.append(number)
                place_of.append(o)
            question_at += len(q.ids)
            number += 1
        state_at += len(r.state)
    return {
        "segments": _long(segment_of),
        "instructions": _long(instructions_of),
        "state_weights": torch.as_tensor(state_weights),
        "option_weights": torch.as_tensor(option_weights),
        "openings": _long(openings),
        "question_of_option": _long(question_of),
        "place_of_option": _long(place_of),
    }
