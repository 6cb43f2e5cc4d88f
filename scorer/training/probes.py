"""Properties that every decision should have, whatever it decides."""

from collections.abc import Callable
from random import Random

import numpy as np

from . import extracted, lookups
from .asked import Request, noul
from .askers import Asker, singly
from .assistants import Assistants
from .calls import Calls
from .clauses import Clauses
from .corpus import Corpus, sample
from .degrees import Degrees
from .denials import Denials
from .described import PHRASES
from .development import Item, answered, worded
from .events import Events
from .facts import UNSEEN_FACTS, UNSEEN_FLAGS
from .metrics import Answer, Figures, figures
from .planted import Planter
from .present import Presenter, Source
from .uses import Uses
from .wording import NEGATIONS

SEED = 5
TOKENS_TO_CHARACTERS = 4.2
CHANGED_TASKS = ("yelp_sentences", "bbc_news", "snips", "isear", "hwu64_scenario")


def order_flips(ask: Asker, items: list[Item]) -> float:
    """The share of choices that change when the options are reversed."""
    choices = [i for i in items if i.question["type"] == "choice"]
    forward = singly(ask, [(i.state, i.question) for i in choices])
    turned = _with_criteria(ask, choices, lambda criteria: dict(reversed(criteria.items())))
    flips = [int(a.argmax()) != len(b) - 1 - int(b.argmax()) for a, b in zip(forward, turned)]
    return float(np.mean(flips))


def paraphrase_flips(ask: Asker, corpus: Corpus, tasks: tuple[str, ...], rows: int) -> float:
    """Of pairs of wordings of one instruction, the mean share that decide a row differently."""
    shares = []
    for name in tasks:
        task = corpus.tasks[name]
        wordings = range(len(task["instructions"]))
        if len(wordings) < 2:
            continue
        asked = [
            [worded(corpus, name, row, w)[:2] for w in wordings]
            for row in sample(corpus.measured(name), rows, SEED)
        ]
        requests = [(ways[0][0], [question for _, question in ways]) for ways in asked]
        for answers in ask(requests):
            decided = [int(p.argmax()) for p in answers]
            pairs = [(a, b) for n, a in enumerate(decided) for b in decided[n + 1 :]]
            shares.append(np.mean([a != b for a, b in pairs]))
    return float(np.mean(shares))


def options_changed(ask: Asker, by_task: dict[str, list[Item]]) -> dict[str, dict[str, Figures]]:
    """Choices with one more option that is never right, and with names behind keys that say nothing."""
    return {
        name: {
            task: figures(answered(by_task[task], _with_criteria(ask, by_task[task], changed)))
            for task in CHANGED_TASKS
        }
        for name, changed in CHANGES.items()
    }


def described(ask: Asker, by_task: dict[str, list[Item]]) -> dict[str, Figures]:
    """Choices whose data have names alone, with a phrase that says what belongs to each."""
    found = {}
    for task, phrases in PHRASES.items():
        phrased = lambda criteria, phrases=phrases: {name: phrases[name] for name in criteria}
        found[task] = figures(answered(by_task[task], _with_criteria(ask, by_task[task], phrased)))
    return found


def _with_criteria(ask: Asker, items: list[Item], changed: Callable[[dict], dict]) -> list[np.ndarray]:
    return singly(
        ask, [(i.state, {**i.question, "criteria": changed(i.question["criteria"])}) for i in items]
    )


def behind_opaque_keys(criteria: dict) -> dict:
    return {
        f"team_{n}": f"{key}: {about}" if about else key for n, (key, about) in enumerate(criteria.items())
    }


def scales(ask: Asker, by_task: dict[str, list[Item]]) -> dict[str, dict[str, float]]:
    """The correlation of the expected level with the label, by what the levels are called."""
    found: dict[str, dict[str, float]] = {name: {} for name in SCALES}
    for task, (told, least, most) in SCALED_TASKS.items():
        items = by_task[task][:SCALE_ROWS]
        labels = [i.gold for i in items]
        for name, (wording, levels, rising) in SCALES.items():
            criteria = levels or [
                least,
                f"rather {least.split()[-1]}",
                "neither",
                f"rather {most.split()[-1]}",
                most,
            ]
            asked = {"type": "score", "instructions": wording.format(told, least, most), "criteria": criteria}
            answers = singly(ask, [(i.state, asked) for i in items])
            found[name][task] = _correlation(answers, labels) * (1 if rising else -1)
    return found


def _correlation(answers: list[np.ndarray], labels: list[int]) -> float:
    """Of the expected level with the label."""
    expected = [float(answer @ np.arange(len(answer))) for answer in answers]
    return float(np.corrcoef(expected, labels)[0, 1])


def coherence(ask: Asker, items: list[Item]) -> dict[str, float]:
    """How far P(statement) and P(its negation) are from adding up to one,
    and a noul from the same question as a choice."""
    random = Random(SEED)
    nouls = [i for i in items if i.question["type"] == "noul"]
    requests = []
    for item in nouls:
        told = item.question["instructions"]
        denied = random.choice(NEGATIONS).format(told, told)
        requests.append(
            (
                item.state,
                [
                    item.question,
                    {"type": "noul", "instructions": denied, "criteria": None},
                    {"type": "choice", "instructions": told, "criteria": {"yes": None, "no": None}},
                ],
            )
        )
    answers = ask(requests)
    yes, denied, chosen = (np.array([a[n][0] for a in answers]) for n in range(3))
    return {
        "P(statement) + P(negation) - 1, mean absolute": float(np.abs(yes + denied - 1).mean()),
        "statement and negation are answered alike (incoherent)": float(
            ((yes > 0.5) == (denied > 0.5)).mean()
        ),
        "P(yes) as a noul - P(yes) as a choice, mean absolute": float(np.abs(yes - chosen).mean()),
        "noul and yes/no choice disagree": float(((yes > 0.5) != (chosen > 0.5)).mean()),
    }


def planted_facts(ask: Asker, planter: Planter, tokens: int, count: int, rival: bool) -> dict[str, Figures]:
    """Questions about one made-up fact, planted anywhere in a long state."""
    random = Random(SEED)
    return _decided(
        ask, [planter.lone(int(tokens * TOKENS_TO_CHARACTERS), random, rival) for _ in range(count)]
    )


def skills(ask: Asker, count: int) -> dict[str, dict[str, Figures]]:
    """Requests composed as in training, but of facts and books that
    are not in training. Scores are left out."""
    found = {}
    corpus = Corpus({})
    for name, draw in _ways(corpus).items():
        random = Random(SEED)
        presenter = Presenter(corpus, random)
        requests = [draw(random, presenter) for _ in range(count)]
        unordered = [
            (state, [(question, gold) for question, gold in asked if question["type"] != "score"])
            for state, asked in requests
        ]
        found[name] = _decided(ask, [(state, asked) for state, asked in unordered if asked])
    return found


def _ways(corpus: Corpus) -> dict[str, Source]:
    looked_up = lambda way: lambda random, _: lookups.looked_up(UNSEEN_FACTS, UNSEEN_FLAGS, random, [way])
    return {f"records, unseen fields: {name}": looked_up(way) for name, way in lookups.WAYS.items()} | {
        "values extracted from a text, unseen facts": lambda random, _: extracted.request(
            UNSEEN_FACTS, random
        ),
        "documents of rules, unseen kinds": Clauses(unseen=True).request,
        "tool calls compared with what was asked for, unseen domain": Calls(unseen=True).request,
        "use cases, unseen areas": Uses(corpus, unseen=True).request,
        "utterances to an unseen assistant": Assistants(corpus, unseen=True).request,
    }


def statements(ask: Asker) -> dict[str, Figures]:
    """Bare statements about texts that say so, deny it or leave it open, none of them in training."""
    entries, found = Denials(in_mails=0.0, unseen=True).entries, {}
    for kind, name in (("says", "said"), ("denies", "denied"), ("open", "left open")):
        asked = [
            (text, noul(entry["statement"][0], None, kind == "says"))
            for entry in entries
            for text in entry[kind]
        ]
        answers = singly(ask, [(text, question) for text, (question, _) in asked])
        found[name] = figures([Answer(answer, gold) for answer, (_, (_, gold)) in zip(answers, asked)])
    return found


def degrees(ask: Asker) -> dict[str, float]:
    """The correlation of the expected level with the level a text was written
    for, on kinds and domains that are not in training."""
    told = [(SEVERITY, book.kind, book.levels) for book in Events(unseen=True).books]
    told += [
        (
            {"type": "score", "instructions": book.asks[0], "criteria": list(book.scales[0])},
            book.attribute,
            book.levels,
        )
        for book in Degrees(unseen=True).books
    ]
    found = {}
    for question, about, levels in told:
        texts = [
            (phrase, level) for level, phrases in enumerate(levels) for phrase in phrases if "{" not in phrase
        ]
        answers = singly(ask, [(phrase, question) for phrase, _ in texts])
        found[about] = _correlation(answers, [level for _, level in texts])
    return found


def _decided(ask: Asker, requests: list[Request]) -> dict[str, Figures]:
    """Figures by type and of all. Asks one request at a time, because some are long."""
    answers: dict[str, list[Answer]] = {"choice": [], "noul": [], "all": []}
    for state, asked in requests:
        for (question, gold), answer in zip(asked, ask([(state, [q for q, _ in asked])])[0]):
            for kind in (question["type"], "all"):
                answers[kind].append(Answer(answer, gold))
    return {kind: figures(found) for kind, found in answers.items() if found}


def repeated(ask: Asker, items: list[Item]) -> dict[str, float]:
    """The largest difference in a probability between asking alone, asking again and asking in company."""
    by_state = [(i.state, i.question) for i in items]
    cold, again = (singly(ask, by_state) for _ in range(2))
    company = [q for _, q in by_state[:3]]
    among = [answers[0] for answers in ask([(state, [q, *company]) for state, q in by_state])]
    gap = lambda others: max(float(np.abs(a - b).max()) for a, b in zip(cold, others))
    return {"asked again": gap(again), "asked among other questions": gap(among)}


SCALE_ROWS = 300
SCALED_TASKS = {
    "emobank_valence": ("How positive does this text sound?", "very negative", "very positive"),
    "yelp_sentences": ("How satisfied is the customer?", "very unhappy", "very happy"),
    "product_sentences": ("How satisfied is the customer?", "very unhappy", "very happy"),
}
SEVERITY = {
    "type": "score",
    "instructions": "How severe is this event?",
    "criteria": ["harmless", "minor", "moderate", "severe", "very severe"],
}
NUMBERS = ["1", "2", "3", "4", "5"]
# The wording, the levels, and whether they rise with the label.
SCALES = {
    "in words": ("{0}", None, True),
    "of 1 to 5, both ends explained": ("{0} From 1 ({1}) to 5 ({2}).", NUMBERS, True),
    "of 1 to 5, 1 is the most": ("{0} From 1 ({2}) to 5 ({1}).", NUMBERS, False),
    "of 1 to 10, neither end explained": ("{0} (1-10)", [str(n) for n in range(1, 11)], True),
}
CHANGES = {
    'with an "other" added that is never right': lambda criteria: {**criteria, "other": None},
    "behind opaque keys": behind_opaque_keys,
}
