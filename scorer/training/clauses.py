"""Documents of rules, and what follows from them.

Every matter is regulated in three ways, each told in three wordings. Each statement about it holds
under one of the three and not under another, so its own words say nothing: the clause must be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from .asked import Asked, Request
from .present import Presenter
from .shelf import shelf

LENGTHS = ((1, 6), (2, 4), (3, 3), (5, 2), (8, 1), (12, 1))  # how many clauses, and how often
NUMBERINGS = (
    "{n}. {h}. {c}",
    "{n}. {h}\n{c}",
    "§ {n} {h}: {c}",
    "({n}) {c}",
    "{h}: {c}",
    "{h}\n{c}",
    "- {c}",
    "{c}",
    "Article {n} - {h}. {c}",
)
DOCUMENTS = (
    "document",
    "text",
    "source",
    "context",
    "passage",
    "policy",
    "terms",
    "rules",
    "contract",
    "agreement",
    "handbook",
)
CLAIMS = ("claim", "statement", "answer", "reply", "summary", "draft", "response", "assertion")
VERDICTS = (
    ("supported", "contradicted", "not stated"),
    ("true", "false", "cannot be told"),
    ("follows", "is ruled out", "is left open"),
    ("entailment", "contradiction", "neutral"),
    ("the text says so", "the text says otherwise", "the text does not say"),
    ("right", "wrong", "unknown"),
    ("grounded", "in conflict with the text", "made up"),
)
SUPPORTS = (
    "The {d} supports the {x}.",
    "`{x}` is supported by `{d}`.",
    "The {x} follows from the {d}.",
    "`{d}` says what `{x}` says.",
    "Everything in `{x}` can be found in `{d}`.",
    "The {x} is grounded in the {d}.",
)
DENIES = (
    "The {d} contradicts the {x}.",
    "`{x}` is in conflict with `{d}`.",
    "According to the {d} the {x} is wrong.",
)
JUDGES = (
    "How does `{x}` stand to `{d}`?",
    "Check the {x} against the {d}.",
    "Is the {x} supported by the {d}?",
    "What does the {d} say of the {x}?",
)
ASIDE = (
    'Statement: "{s}"',
    "Check this against the text: {s}",
    "{s} - what does the document say?",
    "How does the text stand to this? {s}",
    "Claim to be checked: {s}",
)
QUESTIONS = ("question", "query", "user_question", "customer_question", "search", "asked")
ANSWERS = (
    "`{d}` answers `{x}`.",
    "The {d} contains the answer to the {x}.",
    "`{x}` can be answered from `{d}`.",
    "The {d} is relevant to the {x}.",
    "Somebody who reads the {d} knows the answer to `{x}`.",
)
SILENT = (
    "`{d}` does not answer `{x}`.",
    "`{x}` remains open after reading `{d}`.",
    "The {d} says nothing about the {x}.",
)
RANKED = (
    "Which passage answers the question?",
    "Where is the answer?",
    "Which of these is relevant?",
    "Pick the passage that helps with this.",
    "Best match for the query",
)
NOT_REGULATED = ("not regulated", "the text does not say", "nothing is said about it", "not mentioned")
# How often: a matter as a choice; such a choice with an option for what is not said; a choice about a matter
# the document leaves out.
CHOICE, UNSAID, ABSENT = 0.3, 0.3, 0.1
# How often a statement is judged as supported, contradicted or neither; how often it stands next to the
# document; how often it is about a matter left open.
JUDGED, BESIDE, OPEN = 0.25, 0.2, 0.25
SOUGHT = 0.12  # how often it is asked whether, or which part of, a document answers a question


@dataclass(frozen=True)
class Topic:
    heading: str
    variants: Sequence[Sequence[str]]
    statements: Sequence[tuple[str, Sequence[bool | None]]]
    asks: Sequence[str]
    options: Sequence[str]


@dataclass(frozen=True)
class Book:
    titles: Sequence[str]
    topics: Sequence[Topic]


class Clauses:
    def __init__(self, unseen: bool = False):
        self.books = [
            Book(book["titles"], [Topic(**topic) for topic in book["topics"]])
            for book in shelf("clauses", unseen)
        ]

    def request(self, random: Random, presenter: Presenter) -> Request:
        book = random.choice(self.books)
        lengths, weights = zip(*LENGTHS)
        topics = random.sample(book.topics, len(book.topics))
        count = random.choices(lengths, weights)[0]
        told = [(topic, random.randrange(len(topic.variants))) for topic in topics[:count]]
        open_topics = topics[count:]
        document = _document(random.choice(book.titles), told, random)
        if open_topics and random.random() < SOUGHT:
            return _sought(document, told, open_topics, random, presenter)
        if random.random() < BESIDE:
            return _beside(document, *_claim(told, open_topics, random), random, presenter)
        asked = []
        for topic, variant in random.sample(told, min(count, 3)):
            asked += _asked(topic, variant, random, presenter)
        if random.random() < JUDGED:
            statement, truth = _claim(told, open_topics, random)
            asked.append(_judged(random.choice(ASIDE).format(s=statement), truth, random, presenter))
        if open_topics and random.random() < ABSENT:
            asked.append(_choice(open_topics[0], None, random, presenter))
        return document, asked


def _asked(topic: Topic, variant: int, random: Random, presenter: Presenter) -> list[Asked]:
    settled = [
        (statement, truths[variant]) for statement, truths in topic.statements if truths[variant] is not None
    ]
    asked = [
        presenter.noul(statement, holds)
        for statement, holds in random.sample(settled, min(len(settled), random.choice((1, 2, 2, 3))))
    ]
    return [*asked, _choice(topic, variant, random, presenter)] if random.random() < CHOICE else asked


def _claim(
    told: list[tuple[Topic, int]], open_topics: list[Topic], random: Random
) -> tuple[str, bool | None]:
    """A statement and its truth: None if the document does not settle it."""
    if open_topics and random.random() < OPEN:
        return random.choice(random.choice(open_topics).statements)[0], None
    topic, variant = random.choice(told)
    statement, truths = random.choice(topic.statements)
    return statement, truths[variant]


def _beside(
    document: object, statement: str, truth: bool | None, random: Random, presenter: Presenter
) -> Request:
    """The document and a statement as two parts of one state, like an answer next to its source."""
    d, x = random.choice(DOCUMENTS), random.choice(CLAIMS)
    said = lambda forms: random.choice(forms).format(d=d, x=x)
    asked = [
        _judged(said(JUDGES), truth, random, presenter),
        presenter.noul(said(SUPPORTS), truth is True),
        presenter.noul(said(DENIES), truth is False),
    ]
    state = {d: document, x: statement} if random.random() < 0.7 else {x: statement, d: document}
    return state, random.sample(asked, random.choice((1, 2)))


def _sought(
    document: object,
    told: list[tuple[Topic, int]],
    open_topics: list[Topic],
    random: Random,
    presenter: Presenter,
) -> Request:
    """A question next to a document that answers it or leaves it open; or
    a question, and which passage answers it."""
    topic, variant = random.choice(told)
    if random.random() < 0.4:
        passages = [
            topic.variants[variant],
            *(
                random.choice(other.variants)
                for other in random.sample(open_topics, min(len(open_topics), 5))
            ),
        ]
        options = presenter.behind_opaque_keys([(random.choice(wordings), None) for wordings in passages])
        question = random.choice(topic.asks)
        return (question if random.random() < 0.5 else {random.choice(QUESTIONS): question}), [
            presenter.shuffled(random.choice(RANKED), options, 0)
        ]
    answered = random.random() < 0.5
    d, x = random.choice(DOCUMENTS), random.choice(QUESTIONS)
    question = random.choice(topic.asks if answered else random.choice(open_topics).asks)
    state = {x: question, d: document} if random.random() < 0.5 else {d: document, x: question}
    says = random.random() < 0.65
    return state, [
        presenter.noul(random.choice(ANSWERS if says else SILENT).format(d=d, x=x), answered == says)
    ]


def _judged(told: str, truth: bool | None, random: Random, presenter: Presenter) -> Asked:
    verdicts = [(verdict, None) for verdict in random.choice(VERDICTS)]
    return presenter.shuffled(told, verdicts, 2 if truth is None else 1 - truth)


def _choice(topic: Topic, variant: int | None, random: Random, presenter: Presenter) -> Asked:
    options = [(option, None) for option in topic.options]
    gold = len(options) if variant is None else variant
    if variant is None or random.random() < UNSAID:
        options.append((random.choice(NOT_REGULATED), None))
    if random.random() < 0.2:
        options = presenter.behind_opaque_keys(options)
    return presenter.shuffled(random.choice(topic.asks), options, gold)


def _document(title: str, told: list[tuple[Topic, int]], random: Random) -> object:
    clauses = [(topic.heading, random.choice(topic.variants[variant])) for topic, variant in told]
    draw = random.random()
    if draw < 0.07:
        return {random.choice(DOCUMENTS): [{"title": heading, "text": clause} for heading, clause in clauses]}
    if draw < 0.14:
        return dict(clauses)
    numbering = random.choice(NUMBERINGS)
    parts = [numbering.format(n=n, h=heading, c=clause) for n, (heading, clause) in enumerate(clauses, 1)]
    text = random.choice(("\n", "\n\n", "\n", " ")).join([title, *parts] if random.random() < 0.6 else parts)
    return {random.choice(DOCUMENTS): text} if draw < 0.24 else text
