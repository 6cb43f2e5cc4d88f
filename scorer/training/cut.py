"""Texts that are too long to be learned from as they are."""

from .render import text_of


def cut(state: object, limit: int) -> object:
    """No more than about `limit` characters: long texts in the state lose their ends."""
    total = len(text_of(state))
    if total <= limit:
        return state
    return _cut_texts(state, limit / total)


def _cut_texts(value: object, share: float) -> object:
    if isinstance(value, str):
        if len(value) < 60:
            return value
        kept = value[: max(60, int(len(value) * share))]
        return kept[: kept.rfind(" ")] if " " in kept[30:] else kept
    if isinstance(value, dict):
        return {key: _cut_texts(item, share) for key, item in value.items()}
    if isinstance(value, list):
        return [_cut_texts(item, share) for item in value]
    return value
