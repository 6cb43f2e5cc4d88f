"""States as callers send them: objects with other fields, and arrays with questions about single items."""

from random import Random

from .asked import Request
from .render import text_of

TEXT_KEYS = (
    "text",
    "message",
    "content",
    "input",
    "body",
    "document",
    "comment",
    "description",
    "note",
    "utterance",
)
LIST_KEYS = (
    "items",
    "tickets",
    "messages",
    "rows",
    "entries",
    "comments",
    "documents",
    "posts",
    "records",
    "results",
    "reviews",
    "cases",
)
OUTER_KEYS = ("data", "payload", "batch", "context", "request")
POINTING = (
    "`{p}`: {i}",
    "For `{p}`: {i}",
    "Consider only `{p}`. {i}",
    "{i} (`{p}`)",
    "Look at `{p}`. {i}",
    "About `{p}`: {i}",
    "{i} Read `{p}`.",
    "In `{p}`: {i}",
    "Given `{p}`, decide: {i}",
)


def in_object(state: object, random: Random) -> object:
    """A plain text under a key, sometimes among fields that say nothing."""
    body = {random.choice(TEXT_KEYS): state} if isinstance(state, str) else state
    if random.random() < 0.5:
        return body
    extra = {
        "id": f"{random.choice('ABTX')}-{random.randint(1, 99999)}",
        "channel": random.choice(("email", "chat", "web", "phone", "api")),
        "created_at": f"20{random.randint(18, 26)}-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}",
        "language": "en",
        "priority": None,
        "read": random.random() < 0.5,
    }
    chosen = {key: extra[key] for key in random.sample(list(extra), random.randint(1, 4)) if key not in body}
    return {**chosen, **body} if random.random() < 0.5 else {**body, **chosen}


def as_lines(state: dict) -> str:
    return "\n".join(f"{key}: {text_of(value)}" for key, value in state.items())


def in_array(states: list[object], random: Random) -> tuple[object, list[str]]:
    """The states as items of one array, and the path to each."""
    key = random.choice(TEXT_KEYS)
    bare = random.random() < 0.3
    numbered = random.random() < 0.4
    items, inside = [], []
    for n, state in enumerate(states):
        if bare or not isinstance(state, str):
            items.append(state)
            inside.append("")
        else:
            items.append(({"id": n + 1} if numbered else {}) | {key: state})
            inside.append(f".{key}")
    paths = lambda array: [f"{array}[{n}]{rest}" for n, rest in enumerate(inside)]
    if random.random() < 0.2:
        return items, paths("")
    name = random.choice(LIST_KEYS)
    if random.random() < 0.2:
        outer = random.choice(OUTER_KEYS)
        return {outer: {name: items}}, paths(f"{outer}.{name}")
    return {name: items}, paths(name)


def in_named_fields(states: list[object], random: Random) -> tuple[object, list[str]]:
    """The states as different fields of one object."""
    names = random.sample(
        (
            "subject",
            "message",
            "reply",
            "summary",
            "notes",
            "first",
            "second",
            "left",
            "right",
            "draft",
            "old text",
            "new-text",
            "customer",
            "agent",
            "a",
            "b",
        ),
        len(states),
    )
    path = lambda name: f'["{name}"]' if random.random() < 0.15 else name
    return dict(zip(names, states)), [path(name) for name in names]


def together(drawn: list[Request], random: Random, build=in_array) -> Request:
    """Several states with their questions as one request, in which
    every question names the path to its state."""
    state, paths = build([state for state, _ in drawn], random)
    return state, [
        (pointed_at(path, question, random), gold)
        for path, (_, asked) in zip(paths, drawn)
        for question, gold in asked
    ]


def pointed_at(path: str, question: dict, random: Random) -> dict:
    told = question["instructions"]
    if told is not None and not isinstance(told, str):
        return {**question, "instructions": {"about": f"`{path}`", "question": told}}
    pointed = random.choice(POINTING).format(p=path, i=told) if told else f"`{path}`"
    return {**question, "instructions": pointed}
