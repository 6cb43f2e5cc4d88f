"""How well examples are answered."""

from .askers import Asker
from .examples import Example
from .metrics import Answer, Figures, figures


def judged(ask: Asker, examples: list[Example]) -> dict[str, Figures]:
    """The figures of each question."""
    requests = [(e.state, [question for question, _ in e.asked.values()]) for e in examples]
    answers: dict[str, list[Answer]] = {}
    for example, found in zip(examples, ask(requests)):
        for (name, (_, gold)), probabilities in zip(example.asked.items(), found):
            answers.setdefault(name, []).append(Answer(probabilities, gold))
    return {name: figures(given) for name, given in answers.items()}
