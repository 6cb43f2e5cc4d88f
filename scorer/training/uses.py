"""Use cases: a set of questions that somebody sets up once, and the states it is run on.

The same questions have different answers on different states, so they give nothing away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from . import wrap
from .asked import Asked, Request
from .corpus import Corpus
from .present import Presenter
from .shelf import shelf

MOST_ASKED = 5
STATED = 0.2  # how often a choice is claimed as well
WRAPPED, SEVERAL = 0.12, 0.12  # how often a state stands in an object, and texts of one use in an array


@dataclass(frozen=True)
class Question:
    task: str | None  # its name in the corpus; None for a claim
    says: Sequence[str] = ()
    denies: Sequence[str] = ()


@dataclass(frozen=True)
class Case:
    state: object
    answers: Sequence[int | bool | None]  # None if the state does not settle it


@dataclass(frozen=True)
class Use:
    questions: Sequence[Question]
    cases: Sequence[Case]


class Uses:
    def __init__(self, corpus: Corpus, unseen: bool = False):
        """Reads the books and registers each of their choices and scores as a task."""
        self.uses = [
            _read(use, f"{book['area']}: {use['name']}", corpus)
            for book in shelf("uses", unseen)
            for use in book["uses"]
        ]

    def request(self, random: Random, presenter: Presenter) -> Request:
        use = random.choice(self.uses)
        case = random.choice(use.cases)
        if isinstance(case.state, str) and random.random() < SEVERAL:
            return _array(use, random, presenter)
        asked = _asked(use, case, random.randint(1, MOST_ASKED), random, presenter)
        # Paths into a list begin with its items.
        wrapped = not isinstance(case.state, list) and random.random() < WRAPPED
        return wrap.in_object(case.state, random) if wrapped else case.state, asked


def _asked(use: Use, case: Case, most: int, random: Random, presenter: Presenter) -> list[Asked]:
    settled = [
        (question, answer) for question, answer in zip(use.questions, case.answers) if answer is not None
    ]
    asked = []
    for question, answer in random.sample(settled, min(most, len(settled))):
        if question.task is None:
            asked.append(presenter.claim(question.says, question.denies, bool(answer)))
            continue
        asked.append(presenter.ask(question.task, {"y": answer}))
        if random.random() < STATED:
            asked += presenter.statement(question.task, {"y": answer})
    return asked


def _array(use: Use, random: Random, presenter: Presenter) -> Request:
    texts = [case for case in use.cases if isinstance(case.state, str)]
    cases = random.sample(texts, min(len(texts), random.choice((2, 3))))
    state, asked = wrap.together(
        [(case.state, _asked(use, case, 2, random, presenter)) for case in cases], random
    )
    return state, random.sample(asked, min(len(asked), 4))


def _read(use: dict, name: str, corpus: Corpus) -> Use:
    questions = []
    for n, question in enumerate(use["questions"]):
        if question["type"] == "noul":
            questions.append(Question(None, question["says"], question["denies"]))
            continue
        task = f"{name}, question {n}"
        corpus.tasks[task] = {"type": question["type"], "instructions": question["asks"], **_labels(question)}
        questions.append(Question(task))
    return Use(questions, [Case(**case) for case in use["cases"]])


def _labels(question: dict) -> dict:
    """The labels of a question. Each of an option's three namings comes with its description."""
    if question["type"] == "score":
        return {"levels": question["scales"]}
    return {"variants": [[[option[n], option[1]] for option in question["options"]] for n in (0, 2, 3)]}
