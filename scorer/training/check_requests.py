"""Self-checks of what training composes: `python -m scorer.training.check` runs them."""

import json
import lzma
import re
import tempfile
from pathlib import Path
from random import Random

from . import events, logged, quantifiers
from .asked import Asked, DrawAgain
from .assistants import KINDS, Assistants
from .calls import Calls
from .clauses import Clauses
from .composed import Books
from .corpus import Corpus
from .degrees import Degrees
from .denials import Denials
from .facts import FACTS, FLAGS, UNSEEN_FACTS
from .lookups import by_name, looked_up
from .planted import Planter
from .present import Presenter, Source
from .render import text_of
from .small_worlds import is_true, world
from .uses import Uses


def events_stand_on_their_level() -> None:
    found = events.Events()
    for book in found.books:
        assert len(book.levels) == 5 and len(book.sources) > 5, book.kind
        phrases = [phrase for level in book.levels for phrase in level]
        assert len(set(phrases)) == len(phrases), book.kind
    for joined, namings in events.SCALES:
        assert list(joined) == sorted(joined) and all(
            len(set(naming)) == joined[-1] + 1 for naming in namings
        ), namings
    tags = [tag for tags, _ in logged.LEVELS for tag in tags]
    assert len(set(tags)) == len(tags) and all(len(n) == len(logged.LEVELS) for n in logged.NAMINGS)
    assert any(book.is_log for book in found.books) and not all(book.is_log for book in found.books)
    _compose(found.request)


def degrees_have_five_levels() -> None:
    for unseen in (False, True):
        degrees = Degrees(unseen)
        for book in degrees.books:
            assert [len(scale) for scale in (book.levels, *book.scales, *book.thirds)] == [5] * (
                1 + len(book.scales)
            ) + [3] * len(book.thirds), book.asks
        _compose(degrees.request)


def rules_say_nothing_by_themselves() -> None:
    """Each statement holds under one of the three ways its matter is regulated, and not under another."""
    for unseen in (False, True):
        clauses = Clauses(unseen)
        for book in clauses.books:
            for topic in book.topics:
                assert len(topic.variants) == len(topic.options) == 3, topic.heading
                assert all(
                    True in truths and False in truths and len(truths) == 3 for _, truths in topic.statements
                ), topic.heading
        _compose(clauses.request)


def calls_stand_beside_requests() -> None:
    for unseen in (False, True):
        calls = Calls(unseen)
        for domain in calls.domains:
            assert len(domain.targets) == 16 and all(
                "{t}" in told for tool in domain.tools for told in (*tool.requests, *tool.forbids)
            )
        _compose(calls.request)


def uses_are_settled_by_their_states() -> None:
    """Every question of a use case has more than one answer across its states."""
    for unseen in (False, True):
        corpus = Corpus({})
        uses = Uses(corpus, unseen)
        for use in uses.uses:
            for n, question in enumerate(use.questions):
                answers = {case.answers[n] for case in use.cases} - {None}
                labels = corpus.tasks.get(question.task, {}).get("variants", [[]])[0]
                assert len(answers) > 1 and (not labels or max(answers) < len(labels)), (question, answers)
        _compose(uses.request, corpus)


def assistants_are_told_apart() -> None:
    """No two intents of an assistant share a name in any of their namings, or an utterance."""
    for unseen in (False, True):
        corpus = Corpus({})
        assistants = Assistants(corpus, unseen)
        for assistant in assistants.assistants:
            assert all(
                len(dict(named)) == len(assistant.actions)
                for named in corpus.tasks[f"{assistant.name}, intent"]["variants"]
            ), assistant.name
            texts = [text.lower() for action in assistant.actions for text in action.texts]
            assert (
                len(set(texts)) == len(texts)
                and {action.kind for action in assistant.actions} <= KINDS.keys()
            ), assistant.name
        _compose(assistants.request, corpus)


def denials_are_not_told_by_negations() -> None:
    """Whether a text denies a statement is not given away by "no" or "not": a rule about them is hardly right
    more often than chance."""
    negation = re.compile(r"n.t\b|\b(?:no|not|never|none|nobody|nothing|neither|without|cannot)\b", re.I)
    for unseen in (False, True):
        denials = Denials(0.3, unseen)
        right = asked = 0
        for entry in denials.entries:
            texts = [text for kind in ("says", "denies", "open") for text in entry[kind]]
            assert len(set(texts)) == len(texts), entry["statement"]
            assert all(yes != no for yes, no in entry["sides"]), entry["statement"]
            for kind in ("says", "denies"):
                right += sum(bool(negation.search(text)) == (kind == "denies") for text in entry[kind])
                asked += len(entry[kind])
        assert right / asked < 0.6, right / asked
        _compose(denials.request)


def _answered_by_options(asked: list[Asked]) -> None:
    assert all(
        0 <= gold < (2 if question["type"] == "noul" else len(question["criteria"]))
        for question, gold in asked
    )


def _compose(request: Source, corpus: Corpus | None = None) -> None:
    """Composes many requests: no slot is left open, and every answer is an option of its question."""
    random, presenter = Random(6), Presenter(corpus or Corpus({}), Random(6))
    for _ in range(2000):
        state, asked = request(random, presenter)
        assert asked and not re.search(r"\{[a-z]+\}", text_of(state)), state
        _answered_by_options(asked)


def phrase_books_compose() -> None:
    corpus, random = Corpus({}), Random(2)
    books, presenter = Books(corpus), Presenter(corpus, random)
    assert len(books.books) > 50
    alike = 0
    for _ in range(3000):
        try:
            state, asked = books.request(random, presenter)
        except DrawAgain:  # two options came out alike
            alike += 1
            continue
        assert "{" not in state and asked, state
        _answered_by_options(asked)
    assert alike < 100, alike


def planted_facts_decide() -> None:
    """Each wording names what it must, and the right option is what the state says about the subject."""
    for fact in (*FACTS, *UNSEEN_FACTS):
        assert all("{s}" in told and "{v}" in told for told in (fact.said + "|" + fact.claimed).split("|")), (
            fact.said
        )
        assert all("{s}" in asked and "{v}" not in asked for asked in fact.asked.split("|")), fact.asked
    with tempfile.TemporaryDirectory() as folder:
        passages = b"a passage of some length that says nothing of it\n" * 20
        (Path(folder) / "some.txt.xz").write_bytes(lzma.compress(passages))
        for fact in (*FACTS, *UNSEEN_FACTS):
            planter = Planter(Path(folder), ("some",), (fact,))
            for seed in range(8):
                random = Random(seed)
                for state, asked in (
                    planter.request(200, random),
                    looked_up((fact,), FLAGS, random, [by_name]),
                    planter.lone(200, random, rival=True),
                ):
                    said = json.dumps(state, ensure_ascii=False).lower()
                    for question, gold in asked:
                        options = list(question["criteria"] or [])
                        assert not options or _core(options[gold]).lower() in said, (state, question)


def _core(value: str) -> str:
    """A record may say "shipped" for "was shipped" and 12 for "room 12"."""
    digits = re.search(r"\d+", value)
    return digits[0] if digits else re.sub(r"^(was|is|an?|the) ", "", value)


def claims_hold_in_every_world() -> None:
    """A claim that follows is true in every small world in which the sentence is
    true. One that does not is false in some such world."""
    random = Random(4)
    for _ in range(150):
        said = quantifiers.drawn(random)
        claim, follows = quantifiers.changed(said, random)
        worlds = [world(said, claim, random) for _ in range(1500)]
        outcomes = {is_true(claim, found) for found in worlds if is_true(said, found)} - {None}
        assert (outcomes == {True}) if follows else (False in outcomes), f"{said} -> {claim}: {follows}"


CHECKS = (
    events_stand_on_their_level,
    degrees_have_five_levels,
    rules_say_nothing_by_themselves,
    calls_stand_beside_requests,
    uses_are_settled_by_their_states,
    assistants_are_told_apart,
    denials_are_not_told_by_negations,
    phrase_books_compose,
    planted_facts_decide,
    claims_hold_in_every_world,
)
