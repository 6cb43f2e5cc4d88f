"""Rows about two texts, asked so that one is the state and the other is in the question.

Whether one text follows from another is what every noul question is: these rows teach it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from .asked import Asked, noul
from .present import Presenter

ENTAILS = (
    "{b}",
    "{b}",
    "{b}",
    "{b}",
    "The text implies: {b}",
    "It follows that {b}",
    "According to the text: {b}",
    "From this we can conclude: {b}",
    "If the text is true, so is this: {b}",
    'The text supports the statement "{b}"',
    "This must be true: {b}",
)
# Never the second text alone: one that says less than the first is true of it, but does not say the same.
SAYS_THE_SAME = (
    "The text says the same as: {b}",
    'This is a paraphrase of "{b}"',
    "Same meaning as: {b}",
    "The text and this sentence are equivalent: {b}",
    "Another way to say it: {b}",
)


@dataclass(frozen=True)
class Pair:
    kept: str  # the field that becomes the state
    asked: tuple[str, ...]  # the fields that go into the question
    templates: tuple[str, ...]
    holds: Callable[[int], bool] | None  # None: the task's own labels stay


PAIRS = {
    "snli": Pair("premise", ("hypothesis",), ENTAILS, lambda y: y == 0),
    "mrpc": Pair("sentence_1", ("sentence_2",), SAYS_THE_SAME, lambda y: y == 1),
    "sts": Pair(
        "text_1",
        ("text_2",),
        (
            "How similar is it to: {b}",
            'Similarity to "{b}"',
            "How close in meaning is the text to this one? {b}",
        ),
        None,
    ),
    "answer_sentence": Pair(
        "sentence",
        ("question",),
        ("The text answers the question: {b}", 'Here is the answer to "{b}"', "This tells us: {b}"),
        lambda y: y == 1,
    ),
    "mctaco": Pair(
        "context",
        ("question", "answer"),
        ("{b}", "Question and answer: {b}", "Plausible: {b}", "Judging by the text: {b}"),
        lambda y: y == 1,
    ),
    "fnc_stance": Pair(
        "article",
        ("headline",),
        (
            "How does the article relate to the headline: {b}",
            "Headline: {b}",
            "What does the text make of this claim? {b}",
        ),
        None,
    ),
} | {
    f"dnc_{part}": Pair("premise", ("hypothesis",), ENTAILS, lambda y: y == 1)
    for part in ("factuality", "megaveridicality", "puns", "verbnet", "winogender")
}
# For sts, from "mostly equivalent" on.
SAME_OR_NOT = Pair("text_1", ("text_2",), SAYS_THE_SAME, lambda y: y >= 4)
# Claims about both texts in one state, and names for the two. {a} and the first name are those of the text in
# `kept`.
TOGETHER = {
    ENTAILS: (
        "`{b}` follows from `{a}`.",
        "If {a} is true, {b} is true.",
        "{a} entails {b}",
        "The {b} is supported by the {a}.",
        "According to the {a}, the {b} is right.",
        "Is the {b} backed by the {a}?",
        "The {a} says what the {b} says.",
        "The {b} can be concluded from the {a}.",
        "`{a}` implies `{b}`.",
    ),
    SAYS_THE_SAME: (
        "`{a}` and `{b}` say the same thing.",
        "The {b} is a paraphrase of the {a}.",
        "{a} and {b} mean the same.",
        "Do {a} and {b} say the same?",
        "`{b}` is `{a}` in other words.",
        "The {a} and the {b} are equivalent.",
    ),
}
NAMES = {
    ENTAILS: (
        ("premise", "hypothesis"),
        ("text", "claim"),
        ("source", "statement"),
        ("context", "answer"),
        ("passage", "summary"),
        ("document", "sentence"),
        ("evidence", "claim"),
        ("a", "b"),
        ("first", "second"),
        ("article", "statement"),
        ("report", "conclusion"),
    ),
    SAYS_THE_SAME: (
        ("a", "b"),
        ("first", "second"),
        ("text_1", "text_2"),
        ("left", "right"),
        ("original", "rewritten"),
        ("sentence", "other"),
        ("question_1", "question_2"),
    ),
}
RELATION = (
    {
        "entailment": "it must be true",
        "neutral": "it may or may not be true",
        "contradiction": "it cannot be true",
    },
    {"follows": None, "undecided": None, "contradicts": None},
    {"true": None, "unknown": None, "false": None},
    {"yes": "the text says so", "maybe": "the text leaves it open", "no": "the text rules it out"},
)
YES_OR_NO = (("yes", "no"), ("Yes", "No"), ("true", "false"), ("right", "wrong"))
HOLDS_OR_NOT = {
    ENTAILS: (
        ("entailment", "not entailment"),
        ("follows", "does not follow"),
        ("yes", "no"),
        ("supported", "not supported"),
        ("entailed", "not entailed"),
    ),
    SAYS_THE_SAME: (
        ("same", "different"),
        ("the same", "not the same"),
        ("paraphrase", "no paraphrase"),
        ("equivalent", "not equivalent"),
        ("yes", "no"),
    ),
}


# The pairs that are never trained on. Each template is the task's own instruction, with the second text
# filled in.
FOLLOWS = (
    "It follows from the text: {b}",
    "If the text is true, this has to be true: {b}",
    "The text implies: {b}",
)
NEVER_TRAINED_PAIRS = {
    "medical_question_pairs": Pair(
        "question_1",
        ("question_2",),
        (
            "The text asks the same thing as: {b}",
            "The text is a rephrasing of: {b}",
            "The same answer would serve: {b}",
        ),
        lambda y: y == 1,
    ),
    "med_monotonicity": Pair("premise", ("hypothesis",), FOLLOWS, lambda y: y == 1),
    "dnc_sentiment": Pair("premise", ("hypothesis",), FOLLOWS, lambda y: y == 1),
}


def plain_pair(name: str, row: dict, template: int) -> tuple[object, Asked]:
    """A never-trained pair asked as the documentation advises, with one
    text in the question: for evaluation."""
    pair = NEVER_TRAINED_PAIRS[name]
    told = pair.templates[template % len(pair.templates)].format(b=_asked_text(pair, row["s"]))
    return row["s"][pair.kept], noul(told, None, pair.holds(row["y"]))


def _asked_text(pair: Pair, state: dict) -> str:
    return " ".join(str(state[field]) for field in pair.asked)


def ask_pair(
    presenter: Presenter, name: str, row: dict, together: float, random: Random
) -> tuple[object, Asked]:
    """A state and one question: in the task's own wording, with both texts in
    the state, or with one text moved into the question."""
    pair = SAME_OR_NOT if name == "sts" and random.random() < 0.5 else PAIRS[name]
    state = row["s"]
    if pair.templates in TOGETHER and random.random() < together:
        return _together(presenter, pair, row, random)
    draw = random.random()
    if draw < 0.2:
        return state, presenter.ask(name, row)
    told = random.choice(pair.templates).format(b=_asked_text(pair, state))
    kept = state[pair.kept]
    if pair.holds is None:
        task = presenter.corpus.tasks[name]
        if task["type"] == "choice":
            return kept, presenter.shuffled(
                told, [tuple(option) for option in random.choice(task["variants"])], row["y"]
            )
        return kept, presenter.score(task["levels"], told, row["y"])
    if name == "snli" and draw > 0.8:
        return kept, _three_way(presenter, state[pair.asked[0]], row["y"], random)
    if draw > 0.72:
        names = random.choice(HOLDS_OR_NOT.get(pair.templates, YES_OR_NO))
        return kept, presenter.shuffled(told, [(n, None) for n in names], 0 if pair.holds(row["y"]) else 1)
    return kept, presenter.noul(told, pair.holds(row["y"]))


def side_by_side(
    texts: tuple[str, str], names: Sequence[tuple[str, str]], claims: Sequence[str], random: Random
) -> tuple[dict[str, str], str]:
    """Two texts as one state, and a claim about them."""
    a, b = random.choice(names)
    return {a: texts[0], b: texts[1]}, random.choice(claims).format(a=a, b=b)


def _together(presenter: Presenter, pair: Pair, row: dict, random: Random) -> tuple[object, Asked]:
    """Both texts in the state, in either order."""
    texts = (row["s"][pair.kept], _asked_text(pair, row["s"]))
    state, told = side_by_side(texts, NAMES[pair.templates], TOGETHER[pair.templates], random)
    return state if random.random() < 0.6 else dict(reversed(state.items())), presenter.noul(
        told, pair.holds(row["y"])
    )


def _three_way(presenter: Presenter, hypothesis: str, label: int, random: Random) -> Asked:
    names = random.choice(RELATION)
    told = random.choice(
        ("{0}", "Is this true given the text? {0}", "How does this relate to the text: {0}", "Statement: {0}")
    ).format(hypothesis)
    return presenter.shuffled(told, list(names.items()), label)
