"""Cross-entropy and Brier over a question's options, an ordinal term for
scores, and a term that keeps the cosine useful."""

import torch
import torch.nn.functional as F
from torch import Tensor

BRIER_WEIGHT = 0.5
ORDINAL_WEIGHT = 2.0
COSINE_WEIGHT = 0.5
COSINE_SCALE = 20.0  # what the base encoder was trained with


def losses(logits: Tensor, gold: Tensor, is_score: Tensor, option_counts: Tensor) -> Tensor:
    """One loss a question. Logits of places without an option are far below the others."""
    logits = logits.float()
    probabilities = logits.softmax(-1)
    right = F.one_hot(gold, logits.shape[1]).float()
    loss = F.cross_entropy(logits, gold, reduction="none") + BRIER_WEIGHT * (
        probabilities - right
    ).square().sum(-1)
    # A score is penalised by its distance: the squared gap between the two cumulative distributions.
    gap = (probabilities.cumsum(-1) - right.cumsum(-1)).square().sum(-1) / option_counts
    return loss + ORDINAL_WEIGHT * torch.where(is_score, gap, 0.0)


def cosine_losses(cosines: Tensor, gold: Tensor, is_choice: Tensor) -> Tensor:
    """One loss a question, for a choice made by the cosines alone. Without it the comparison, which
    learns faster, leaves the cosines nothing to do, and what the base encoder knew of meanings is lost."""
    return COSINE_WEIGHT * is_choice * F.cross_entropy(COSINE_SCALE * cosines, gold, reduction="none")
