"""What people say to assistants: every intent is an area and an action in it.

"When am I on next?" and "move me to Friday" have the area in common. Words that a text shares with an
option do not tell the two apart. So the options of a question have siblings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from . import wrap
from .asked import Asked, Request
from .corpus import Corpus
from .present import Presenter
from .shelf import shelf
from .slots import filled

NAMED = (
    "{area} {action}",
    "{area}_{action}",
    "{area}.{action}",
    "{area}: {action}",
    "{action} {area}",
    "{area}/{action}",
)
INTENT_ASKS = (
    "Choose the intent.",
    "What does the user want?",
    "Which intent is it?",
    "Intent of the utterance",
    "Route the request.",
    "Which command was meant?",
    "What is the user asking the assistant for?",
    "Pick the handler for this message.",
    "intent",
)
AREA_ASKS = (
    "Which area is it about?",
    "Which part of the app is this for?",
    "Scenario",
    "Choose the skill that handles it.",
    "What is it about?",
    "Domain of the utterance",
    "area",
)
ACTION_ASKS = (
    "What is to be done about the {area}?",
    "What does the user want to do here?",
    "Which action?",
    "It is about the {area}. What is wanted?",
    "Choose the action.",
)
KIND_ASKS = (
    "What kind of utterance is it?",
    "What does the user do here?",
    "Kind of request",
    "What sort of thing is wanted?",
)
KINDS = {
    "ask": ("question", "asks for information", "wants to know something"),
    "make": ("new request", "wants something new to be set up, sent or ordered", "create"),
    "change": ("change", "wants something that is there to be other than it is", "edit or adjust"),
    "remove": ("removal", "wants something to end or to be gone", "cancel, delete or stop"),
    "tell": ("report", "tells something without wanting anything done at once", "information given"),
    "talk": ("small talk", "talks with the assistant itself", "conversation"),
}
# Claims about kinds: the claim, its denial, the kinds it holds for and those it does not. It is not asked of
# other kinds.
CLAIMS = (
    (
        (
            "The user wants to know something.",
            "The user asks for information.",
            "Is the user asking a question that needs an answer?",
        ),
        ("The user does not ask for information.",),
        ("ask",),
        ("make", "change", "remove", "tell"),
    ),
    (
        (
            "The user wants something to be done.",
            "The assistant has to do something, not just to answer.",
            "Is an action requested?",
        ),
        ("Nothing has to be done beyond an answer.",),
        ("make", "change", "remove"),
        ("ask",),
    ),
    (
        (
            "The user wants something to stop or to be gone.",
            "Something is to be cancelled, deleted or switched off.",
        ),
        ("Nothing is to be cancelled, deleted or switched off.",),
        ("remove",),
        ("ask", "make", "tell"),
    ),
)
CLAIMED = ("The user {about}.", "The person {about}.", "Whoever wrote this {about}.", "The speaker {about}.")
# How often each is asked in addition to the intent.
AREA, ACTION, KIND, CLAIM, KIND_CLAIM, INTENT_STATED = 0.35, 0.3, 0.12, 0.4, 0.12, 0.15
# As a test of meaning, most texts of the books have no word of their intent's names. But people use those
# words all the time.
PLAIN = 0.5  # how often a text with such a word is taken if the action has any
SEVERAL, WRAPPED = 0.08, 0.12  # how often utterances stand in an array, and one in an object


@dataclass(frozen=True)
class Action:
    intent: int  # its place among all of the assistant
    area: int
    place: int  # among those of its area
    about: str
    kind: str
    texts: Sequence[str]
    plain: Sequence[str]  # those with a word of its names or the area's


@dataclass(frozen=True)
class Assistant:
    name: str  # the corpus knows its questions by this name
    areas: Sequence[Sequence[Action]]
    kinds: Sequence[str]

    @property
    def actions(self) -> list[Action]:
        return [action for area in self.areas for action in area]


class Assistants:
    def __init__(self, corpus: Corpus, unseen: bool = False):
        """Reads the books and registers each of their choices as a task."""
        self.assistants = [_read(book, corpus) for book in shelf("assistants", unseen)]

    def request(self, random: Random, presenter: Presenter) -> Request:
        assistant = random.choice(self.assistants)
        if random.random() < SEVERAL:
            state, asked = wrap.together(
                [self._one(assistant, random, presenter) for _ in range(random.choice((2, 3)))], random
            )
            return state, random.sample(asked, min(len(asked), 4))
        text, asked = self._one(assistant, random, presenter)
        return wrap.in_object(text, random) if random.random() < WRAPPED else text, asked

    def _one(self, assistant: Assistant, random: Random, presenter: Presenter) -> Request:
        action = random.choice(random.choice(assistant.areas))
        asked = [presenter.ask(f"{assistant.name}, intent", {"y": action.intent})]
        if random.random() < INTENT_STATED:
            asked += presenter.statement(f"{assistant.name}, intent", {"y": action.intent})
        if random.random() < AREA:
            asked.append(presenter.ask(f"{assistant.name}, area", {"y": action.area}))
        if random.random() < ACTION:
            asked.append(presenter.ask(f"{assistant.name}, area {action.area}", {"y": action.place}))
        if random.random() < KIND:
            asked.append(presenter.ask(f"{assistant.name}, kind", {"y": assistant.kinds.index(action.kind)}))
        if random.random() < CLAIM:
            asked.append(_claimed(assistant, action, random, presenter))
        if random.random() < KIND_CLAIM:
            says, denies, holds, fails = random.choice(CLAIMS)
            if action.kind in (*holds, *fails):
                asked.append(presenter.claim(says, denies, action.kind in holds))
        texts = action.plain if action.plain and random.random() < PLAIN else action.texts
        return filled(random.choice(texts), random), asked


def _claimed(assistant: Assistant, action: Action, random: Random, presenter: Presenter) -> Asked:
    """A sentence about what the user wants: this, something else in the same area, or anything else."""
    holds = random.random() < 0.5
    others = assistant.areas[action.area] if random.random() < 0.6 else assistant.actions
    told = action if holds else random.choice([other for other in others if other.intent != action.intent])
    return presenter.noul(random.choice(CLAIMED).format(about=told.about), holds)


def _read(book: dict, corpus: Corpus) -> Assistant:
    name, areas = book["assistant"], book["areas"]
    every = [(area, action) for area in areas for action in area["actions"]]
    kinds = sorted({action["kind"] for _, action in every})
    read, intent = [], 0
    for n, area in enumerate(areas):
        read.append(
            [
                Action(
                    intent + place,
                    n,
                    place,
                    action["about"],
                    action["kind"],
                    action["texts"],
                    _plain(action["texts"], (*area["names"], *action["names"])),
                )
                for place, action in enumerate(area["actions"])
            ]
        )
        intent += len(area["actions"])
        asks = [ask.format(area=area["names"][0]) for ask in ACTION_ASKS]
        corpus.tasks[f"{name}, area {n}"] = _task(
            asks, [[[action["names"][k], action["about"]] for action in area["actions"]] for k in range(3)]
        )
    corpus.tasks[f"{name}, intent"] = _task(
        INTENT_ASKS,
        [
            [
                [named.format(area=area["names"][k], action=action["names"][k]), action["about"]]
                for area, action in every
            ]
            for named in NAMED
            for k in range(3)
        ],
    )
    corpus.tasks[f"{name}, area"] = _task(
        AREA_ASKS, [[[area["names"][k], area["about"]] for area in areas] for k in range(3)]
    )
    corpus.tasks[f"{name}, kind"] = _task(
        KIND_ASKS, [[[KINDS[kind][k], None] for kind in kinds] for k in range(3)]
    )
    return Assistant(name, read, kinds)


def _plain(texts: Sequence[str], names: Sequence[str]) -> list[str]:
    words = tuple(word for name in names for word in name.lower().split() if len(word) > 2)
    return [text for text in texts if any(word.startswith(words) for word in text.lower().split())]


def _task(asks: Sequence[str], variants: list) -> dict:
    return {"type": "choice", "instructions": asks, "variants": variants}
