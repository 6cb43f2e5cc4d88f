"""The endless stream of training requests, determined by its seed and the place in it."""

import json
from collections.abc import Iterator
from random import Random

from . import alike, attitudes, extracted, quantifiers, wrap
from .asked import DrawAgain, Request
from .assistants import Assistants
from .calls import Calls
from .clauses import Clauses
from .composed import Books
from .corpus import Corpus, state_key
from .cut import cut
from .degrees import Degrees
from .denials import Denials
from .events import Events
from .facts import FACTS, FLAGS
from .kinds import ALIKE_KINDS, KIND_WEIGHTS, RECEIVED_KINDS, ROUTING_KINDS, UNCUT_KINDS
from .labelled import from_request
from .lookups import looked_up
from .mails import received
from .pairs import PAIRS, ask_pair
from .phases import PHASES, Phase
from .planted import Planter
from .present import Presenter, Source
from .render import text_of
from .textual import Texts
from .uses import Uses

REQUEST_FILES = {
    "table_lookups": 2,
    "tabfact_statements": 1,
    "sgd_dialogue_decisions": 4,
    "word_difficulty_scores": 0.5,
}
# For files where most answers are "no" or "not stated": the share of "no" that is kept; of "not stated", its
# square.
MOSTLY_DENIED = {"sgd_dialogue_decisions": 0.5}
MISFITS = 0.04
PAIR_WEIGHTS = {
    "snli": 6.0,
    "mrpc": 2.5,
    "sts": 3.0,
    "answer_sentence": 1.0,
    "mctaco": 1.0,
    "fnc_stance": 0.7,
}
PAIR_WEIGHT = 0.3  # for the other pair tasks
PAIR_AS_ROW = 0.15  # tasks drawn as pairs are drawn less often as rows
BALANCED = 0.5  # the share of draws that give every label the same chance
UNCUT_LIMIT = 4000
ATTITUDE_CHARACTERS = 1000
CHARACTER_LIMITS = ((400, 0.50), (800, 0.33), (1600, 0.13), (4000, 0.04))


class Mixture:
    def __init__(
        self, corpus: Corpus, texts: Texts, planter: Planter, phase: Phase = PHASES["mixture"], seed: int = 0
    ):
        self.corpus, self.planter, self.phase, self.seed = corpus, planter, phase, seed
        self.names = sorted(corpus.train)
        self.weights = [self._weight(name) for name in self.names]
        self.elsewhere = tuple(
            zip(*((n, w) for n, w in zip(self.names, self.weights) if self._kind(n) not in ROUTING_KINDS))
        )
        self.alike = [n for n in self.names if self._kind(n) in ALIKE_KINDS and self._has_one_question(n)]
        self.scored = [n for n in self.names if corpus.tasks[n]["type"] == "score"]
        self.attitudes = [n for n in attitudes.TARGETS if corpus.train.get(n)]
        self.pair_names = [n for n in PAIRS if corpus.train.get(n)]
        self.books = Books(corpus)
        self.questions = alike.Questions()
        self.sources: dict[str, Source] = {
            "row": self._row,
            "pair": self._pair,
            "array": self._array,
            "request": self._request,
            "planted": self._planted,
            "composed": self._composed,
            "everyday": self.books.everyday,
            "alike": self._alike,
            "scored": self._scored,
            "attitude": self._attitude,
            "quantified": quantifiers.request,
            "extracted": lambda random, _: extracted.request(FACTS, random),
            "textual": lambda random, _: texts.request(random),
            "event": Events().request,
            "degree": Degrees().request,
            "denial": Denials(self.phase.received).request,
            "clause": Clauses().request,
            "call": Calls().request,
            "use": Uses(corpus).request,
            "assistant": Assistants(corpus).request,
        }

    def pool(self, number: int, size: int) -> Iterator[Request]:
        """The n-th pool of requests: the same on every machine and after every resume."""
        self._refuse_sources_without_tasks()
        random = Random(f"{self.seed}:{number}")
        presenter = Presenter(self.corpus, random, self.phase.numbers)
        made = 0
        while made < size:
            source = random.choices(list(self.phase.sources), list(self.phase.sources.values()))[0]
            try:
                state, asked = self.sources[source](random, presenter)
            except DrawAgain:
                continue
            if asked:
                made += 1
                yield state, asked + presenter.said_again(asked)

    def _refuse_sources_without_tasks(self) -> None:
        tasks = {
            "row": self.elsewhere,
            "pair": self.pair_names,
            "alike": self.alike,
            "scored": self.scored,
            "attitude": self.attitudes,
            "request": all(self.corpus.requests.get(name) for name in REQUEST_FILES),
        }
        lacking = [source for source, found in tasks.items() if source in self.phase.sources and not found]
        if lacking:
            raise SystemExit(f"the corpus has no rows for {', '.join(lacking)}, which are drawn (phases.py)")

    def _weight(self, name: str) -> float:
        share = PAIR_AS_ROW if name in PAIRS else 1.0
        return share * len(self.corpus.train[name]) ** 0.5 * KIND_WEIGHTS.get(self._kind(name), 1.0)

    def _kind(self, name: str) -> str:
        return self.corpus.tasks[name]["group"]

    def _uncut(self, name: str) -> bool:
        return self._kind(name) in UNCUT_KINDS

    def _has_one_question(self, name: str) -> bool:
        """Whether the rows are plain texts that are all asked the same,
        so that a label means the same for each."""
        row = json.loads(self.corpus.train[name][0])
        return bool(self.corpus.by_label.get(name)) and isinstance(row["s"], str) and not row.get("q")

    def _pick(self, name: str, random: Random) -> dict:
        groups = self.corpus.by_label.get(name)
        rows = (
            random.choice(list(groups.values()))
            if groups and random.random() < BALANCED
            else self.corpus.train[name]
        )
        return json.loads(random.choice(rows))

    def _row(self, random: Random, presenter: Presenter) -> Request:
        name = random.choices(self.names, self.weights)[0]
        row = self._pick(name, random)
        if self._kind(name) in ROUTING_KINDS and random.random() < MISFITS:
            return self._misfit(name, row, random, presenter)
        asked = [presenter.ask(name, row)]
        if random.random() < 0.25:
            asked.append(presenter.ask(name, row))
        if random.random() < 0.5:  # a statement costs little, because the state is read anyway
            asked += presenter.statement(name, row)
        siblings = self.corpus.siblings.get(state_key(row["s"]))
        uncut = self._uncut(name)
        if siblings and random.random() < 0.7:
            for other, line in random.sample(siblings, min(len(siblings), random.choice((1, 2, 3)))):
                asked.append(presenter.ask(other, json.loads(line)))
                uncut = uncut or self._uncut(other)
        state = self._sized(row["s"], random, uncut)
        draw = random.random()
        if isinstance(state, str):
            # Nothing is drawn in phases without: their streams stay as they were.
            share = self.phase.received if self._kind(name) in RECEIVED_KINDS else 0.0
            if share and random.random() < share:
                state = received(state, random)
            if draw < 0.12:
                state = wrap.in_object(state, random)
        elif draw < 0.2:
            state = wrap.as_lines(state)
        elif draw < 0.26:
            state = wrap.in_object(state, random)
        return state, asked

    def _misfit(self, name: str, row: dict, random: Random, presenter: Presenter) -> Request:
        elsewhere, weights = self.elsewhere
        other = random.choices(elsewhere, weights)[0]
        if self.corpus.tasks[other].get("source") == self.corpus.tasks[name].get("source"):
            # For example, talks that are asked about slots are about services too.
            raise DrawAgain("a text of the same kind")
        state = self._pick(other, random)["s"]
        return self._sized(state, random, False), [presenter.misfit(name, row)]

    def _pair(self, random: Random, presenter: Presenter) -> Request:
        name = random.choices(self.pair_names, [PAIR_WEIGHTS.get(n, PAIR_WEIGHT) for n in self.pair_names])[0]
        state, asked = ask_pair(presenter, name, self._pick_pair(name, random), self.phase.together, random)
        if isinstance(state, str) and random.random() < 0.08:
            state = wrap.in_object(state, random)
        return state, [asked]  # uncut: what one text says about the other may stand at its end

    def _pick_pair(self, name: str, random: Random) -> dict:
        """A row that holds as often as one that does not: mostly false
        rows would teach the model to say no."""
        groups, holds, wanted = self.corpus.by_label.get(name, {}), PAIRS[name].holds, random.random() < 0.5
        labels = [label for label in groups if holds and holds(label) == wanted]
        return (
            json.loads(random.choice(groups[random.choice(labels)])) if labels else self._pick(name, random)
        )

    def _array(self, random: Random, presenter: Presenter) -> Request:
        """Several rows in one state, each asked about by its path."""
        items = self._items(random, presenter)
        build = wrap.in_named_fields if len(items) <= 4 and random.random() < 0.3 else wrap.in_array
        state, asked = wrap.together(
            [(state, [random.choice(asked)]) for state, asked in items], random, build
        )
        return state, random.sample(asked, min(len(asked), random.choice((1, 2, 2, 3, 4))))

    def _items(self, random: Random, presenter: Presenter) -> list[Request]:
        """States and what is asked about each, from different tasks, one task or one phrase book."""
        count = random.choices((2, 3, 4, 5, 6, 8, 12, 30), (3, 3, 3, 3, 2, 2, 1, 0.15))[0]
        draw = random.random()
        if draw < 0.3:
            return self.books.requests(count, random, presenter)
        if draw < 0.5:
            names, limit = random.choices(self.names, self.weights, k=random.choice((2, 3))), 500
        else:
            names, limit = random.choices(self.names, self.weights) * count, max(100, 1200 // count)
        rows = [(name, self._pick(name, random)) for name in names]
        whole = [
            (name, row) for name, row in rows if not self._uncut(name) or len(text_of(row["s"])) <= limit
        ]
        if len(whole) < 2:
            raise DrawAgain("too long to keep whole")
        return [(cut(row["s"], limit), [presenter.ask(name, row)]) for name, row in whole]

    def _request(self, random: Random, presenter: Presenter) -> Request:
        name = random.choices(list(REQUEST_FILES), list(REQUEST_FILES.values()))[0]
        return from_request(random.choice(self.corpus.requests[name]), random, MOSTLY_DENIED.get(name, 1.0))

    def _planted(self, random: Random, presenter: Presenter) -> Request:
        lengths, weights = zip(*self.phase.background)
        longest = random.choices(lengths, weights)[0]
        if not longest and random.random() < self.phase.records:
            return looked_up(FACTS, FLAGS, random, self.phase.ways)
        return self.planter.request(int(longest * random.uniform(0.5, 1.0)), random)

    def _composed(self, random: Random, presenter: Presenter) -> Request:
        state, asked = self.books.request(random, presenter)
        return wrap.in_object(state, random) if random.random() < 0.12 else state, asked

    def _alike(self, random: Random, presenter: Presenter) -> Request:
        draw = random.random()
        group = (
            self.books.matters(random)
            if draw < 0.4
            else self.questions.group(random)
            if draw < 0.75
            else self._grouped(random)
        )
        return alike.request(group, random, presenter)

    def _grouped(self, random: Random) -> alike.Group:
        name = random.choice(self.alike)
        groups = self.corpus.by_label[name]
        draw = lambda label, random: json.loads(random.choice(groups[label]))["s"]
        return alike.Group(self.corpus.tasks[name]["instructions"], False, sorted(groups), draw)

    def _scored(self, random: Random, presenter: Presenter) -> Request:
        """A score of a row, or of a text composed to have that score."""
        if random.random() < 0.6:
            return self.books.scored(random, presenter)
        name = random.choices(self.scored, [self._weight(name) for name in self.scored])[0]
        row = self._pick(name, random)
        return self._sized(row["s"], random, self._uncut(name)), [
            presenter.ask(name, row) for _ in range(random.choice((1, 2)))
        ]

    def _attitude(self, random: Random, presenter: Presenter) -> Request:
        name = random.choice(self.attitudes)
        row = self._pick(name, random)
        if len(row["s"]) > ATTITUDE_CHARACTERS:
            raise DrawAgain("too long to keep whole")
        return attitudes.request(name, row, random, presenter)

    def _sized(self, state: object, random: Random, uncut: bool) -> object:
        if uncut:
            if len(text_of(state)) > UNCUT_LIMIT:
                raise DrawAgain("too long to keep whole")
            return state
        limits, weights = zip(*CHARACTER_LIMITS)
        return cut(state, random.choices(limits, weights)[0])
