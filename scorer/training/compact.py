"""JSON as the service reads it and the model sees it: compact, in its order, and digit by digit."""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A number as it was sent: 12.50 is read as five characters, and not as 12.5."""

    digits: str


def sent(text: str) -> object:
    """The value of a JSON text. A ValueError says what the service would refuse, without quoting it."""
    try:
        return json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError:
        raise ValueError("no JSON") from None


def compact(value: object) -> str:
    if isinstance(value, Number):
        return value.digits
    if isinstance(value, dict):
        return "{" + ",".join(f"{compact(key)}:{compact(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _object(pairs: list[tuple[str, object]]) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _refuse_constant(_: str) -> None:
    raise ValueError("no JSON")  # NaN and infinities, which Python reads
