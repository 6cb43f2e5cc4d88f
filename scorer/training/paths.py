"""Backtick paths: `tickets[4].text` in an instruction points at a part of a JSON state.

    path := (name | index | quoted) ("." name | index | quoted)*
    index := "[" digits "]"     quoted := "[" JSON string "]"     digits are those of ASCII
    name  := one or more characters other than . [ ] ` " and control characters

Structured instructions come as JSON text, in which the quotes of a path are escaped.
"""

import json
import re

from .compact import compact

MAX_STEPS = 128  # the service refuses what nests deeper
PATH = re.compile(r"`([^`\n]+)`")
STRING = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"'
STEP = re.compile(
    rf'\[(?P<index>[0-9]+)\]|\[(?P<quoted>{STRING})\]|(?P<dot>\.)?(?P<name>[^.\[\]`"\x00-\x1f]+)'
)


def focused_spans(instructions: str, state: object) -> list[tuple[int, int]]:
    """Character ranges, in the state's compact JSON, of the parts the instructions name."""
    found = []
    for path in PATH.findall(instructions):
        steps = parse(path) or parse(unescaped(path))
        span = steps and locate(state, steps)
        if span:
            found.append(span)
    return found


def unescaped(path: str) -> str:
    try:
        return json.loads(f'"{path}"')
    except ValueError:
        return path


def parse(path: str) -> list[str | int] | None:
    steps: list[str | int] = []
    at = 0
    while at < len(path):
        step = STEP.match(path, at)
        if step is None:
            return None
        if step["name"] is not None and bool(step["dot"]) == (at == 0):
            return None  # a name stands bare at the start of a path and after a dot elsewhere
        if step["index"] is not None:
            steps.append(int(min(float(step["index"]), 2**53)))  # `int` refuses thousands of digits
        else:
            steps.append(json.loads(step["quoted"]) if step["quoted"] is not None else step["name"])
        if len(steps) > MAX_STEPS:
            return None
        at = step.end()
    return steps


def locate(value: object, steps: list[str | int]) -> tuple[int, int] | None:
    """The range, in the compact JSON of the whole, of the value at the end of the path."""
    at = 0
    for step in steps:
        at += 1  # the opening bracket
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            at += sum(len(compact(item)) + 1 for item in value[:step])
        elif isinstance(value, dict) and isinstance(step, str) and step in value:
            for key, item in value.items():
                at += len(compact(key)) + 1  # the colon
                if key == step:
                    break
                at += len(compact(item)) + 1  # the comma
        else:
            return None
        value = value[step]
    return at, at + len(compact(value))
