"""From a labelled row to a question: every way of asking it that keeps its answer."""

import json
from collections.abc import Callable, Sequence
from random import Random

from .asked import Asked, DrawAgain, Request, instructions_of, noul, options_of
from .corpus import Corpus
from .wording import (
    BARE_CLAIMS,
    GENERIC_CHOICE,
    NONE_ABOUT,
    NONE_OF_THESE,
    WRAPPED,
    is_framed,
    is_question,
    leaves_open,
    negated,
    opaque_keys,
    restyled,
    retold,
    wrapped,
)

MOST_OPTIONS_SHOWN = 32
EXAMPLE_CHARACTERS = 120
WHOLE = 0.3  # of the choices among more than eight options, the share that shows all of them
YES_NO = (
    ("yes", "no"),
    ("Yes", "No"),
    ("true", "false"),
    ("correct", "incorrect"),
    ("holds", "does not hold"),
    ("agree", "disagree"),
)
ASKED_WHETHER = ("Is this true? ", "True or false: ", "Does this hold? ", "Is the following correct? ")
SAID_AGAIN = 0.15  # the share of bare statements asked once more, denied or as a choice between yes and no
# How often a choice gets an option for what no other covers: as the right one, as a wrong one.
NONE_RIGHT, NONE_WRONG = 0.025, 0.50
# Labels that have an order can be asked for as a score.
ORDERED_LABELS = (["negative", "neutral", "positive"], ["negative", "positive"], ["left", "center", "right"])
SCALES = (
    "{0}, from {1} ({2}) to {3} ({4}).",
    "{0} ({1} = {2}, {3} = {4})",
    "{0}: {1} is {2}, {3} is {4}",
    "{0} on a scale from {1} to {3}, where {1} means {2} and {3} means {4}.",
)
BARE_SCALES = (
    "{0}? From {1} to {2}.",
    "{0} ({1}-{2})",
    "{0}, on a scale from {1} to {2}",
    "{0}? {1} is the least, {2} the most.",
    "{0}: {1} to {2}, higher is more",
)


class Presenter:
    def __init__(self, corpus: Corpus, random: Random, numbers: float = 0.25):
        self.corpus = corpus
        self.random = random
        self.numbers = numbers  # the share of scores whose levels are bare numbers

    def ask(self, name: str, row: dict) -> Asked:
        """One random presentation of a row."""
        task = self.corpus.tasks[name]
        told = instructions_of(self.random.choice(task["instructions"]), row)
        if task["type"] == "noul":
            return self.noul(told, row["y"] == 1)
        if task["type"] == "score":
            return self.score(task["levels"], told, row["y"])
        if self.random.random() < 0.2 and _is_ordered(task):
            namings = [
                [f"{name}: {about}" if about else name for name, about in variant]
                for variant in task["variants"]
            ]
            return self.score(namings, told, row["y"], needed=bool(row.get("q")))
        return self._choice(name, task, told, row)

    def misfit(self, name: str, row: dict) -> Asked:
        """A choice about a state for which none of its options is right,
        except one that leaves it open, if there is any."""
        task = self.corpus.tasks[name]
        options = self._options(task, row)
        if not row.get("o"):
            options = self._described(name, options)
        options, _ = self._subset(options, self.random.randrange(len(options)))
        told = instructions_of(self.random.choice(task["instructions"]), row)
        gold = next((place for place, (key, _) in enumerate(options) if leaves_open(key)), len(options))
        return self.shuffled(told, options if gold < len(options) else [*options, self._nothing()], gold)

    def statement(self, name: str, row: dict) -> list[Asked]:
        """The choice as one more statement, true or false. Empty if it cannot be said as a statement."""
        task = self.corpus.tasks[name]
        if task["type"] != "choice":
            return []
        options = self._options(task, row)
        if not _short(options):
            return []
        return [
            self._choice_as_noul(
                task, instructions_of(self.random.choice(task["instructions"]), row), options, row
            )
        ]

    # ── noul ────────────────────────────────────────────────────────────

    def noul(self, statement: str, holds: bool) -> Asked:
        random = self.random
        denied = random.random() < 0.12
        if denied:
            statement, holds = negated(statement, random), not holds
        draw = random.random()
        if draw < 0.12:
            return self._as_yes_no_choice(statement, holds)
        if draw < 0.18 and not denied:  # the statement stands in the criteria
            sides = {
                "true": statement,
                "false": random.choice((negated(statement, random), "otherwise", "anything else")),
            }
            return noul(random.choice((None, "Decide.", "Which side holds?", "Does it hold?")), sides, holds)
        criteria = None
        if draw < 0.30:
            criteria = random.choice(
                (
                    {"true": "yes"},
                    {"true": "the statement holds", "false": "it does not hold"},
                    {"false": "no"},
                    {"true": "Yes, this is right.", "false": "No, this is wrong."},
                    {"true": "correct", "false": "incorrect"},
                    {"false": "not so, or it cannot be told"},
                    {"true": None, "false": None},
                    {},
                )
            )
        if random.random() < WRAPPED:
            statement = wrapped(statement, random)
        return noul(retold(statement, random), criteria, holds)

    def claim(self, says: Sequence[str], denies: Sequence[str], holds: bool) -> Asked:
        """A claim that holds or not, in one of its wordings or one of its denial's."""
        random = self.random
        said, denied = random.choice(says), random.choice(denies)
        draw = random.random()
        if draw < 0.10:
            return noul(None, {"true": said, "false": denied}, holds)
        return self.noul(denied, not holds) if draw < 0.35 else self.noul(said, holds)

    def said_again(self, asked: list[Asked]) -> list[Asked]:
        """Some bare statements of a request once more: a statement, its denial
        and the same as a choice must agree."""
        statements = [
            (question["instructions"], gold)
            for question, gold in asked
            if question["type"] == "noul" and not question["criteria"]
        ]
        return [
            noul(negated(told, self.random), None, gold == 1)
            if self.random.random() < 0.6
            else self._as_yes_no_choice(told, gold == 0)
            for told, gold in statements
            if isinstance(told, str) and not is_framed(told) and self.random.random() < SAID_AGAIN
        ]

    def _as_yes_no_choice(self, statement: str, holds: bool) -> Asked:
        random = self.random
        asks = is_question(statement)
        names = random.choice(YES_NO[:2] if asks else YES_NO)
        options = [(names[0], None), (names[1], None)]
        if random.random() < 0.25:
            options = self.behind_opaque_keys(options)
        if not (asks or is_framed(statement) or random.random() < 0.4):
            statement = random.choice(ASKED_WHETHER) + statement
        return self.shuffled(statement, options, 0 if holds else 1)

    # ── score ───────────────────────────────────────────────────────────

    def score(self, namings: Sequence[Sequence[str]], told: str, level: int, needed: bool = False) -> Asked:
        """`needed`: the instructions name what the text is asked about, so they must not be missing."""
        random = self.random
        levels = list(random.choice(namings))
        top = len(levels) - 1
        if random.random() < self.numbers:
            return self._in_numbers(told, levels, level)
        draw = random.random()
        if draw < 0.12:  # the same levels without their order
            options = [(str(text), None) for text in levels]
            if len(dict(options)) == len(options):
                return self.shuffled(told, options, level)
        if draw < 0.20:  # a threshold
            at = random.randint(1, top)
            statement = random.choice(
                ('{0} The answer is at least "{1}".', '{0} - "{1}" or higher', "{0} It is {1} or more.")
            ).format(told, levels[at])
            return noul(statement, None, level >= at)
        if draw < 0.45:
            levels, level = levels[::-1], top - level
        style = random.random()
        if style < 0.08:
            levels = [f"{i}: {text}" for i, text in enumerate(levels)]
        elif style < 0.14:
            levels = [f"{i + 1} - {text}" for i, text in enumerate(levels)]
        elif style < 0.18:
            levels = [{"what": text} for text in levels]
        return {
            "type": "score",
            "instructions": told if needed else self._maybe_missing(told),
            "criteria": levels,
        }, level

    def _in_numbers(self, told: str, levels: list[str], level: int) -> Asked:
        """Levels as bare numbers, mostly with the meaning of the first and the
        last. There may be more numbers than levels."""
        random, top = self.random, len(levels) - 1
        draw = random.random()
        named = draw < 0.75
        if named and draw < 0.2:
            levels, level = levels[::-1], top - level
        count = max(len(levels), random.choice((5, 6, 7, 10)) if random.random() < 0.3 else 0)
        start = 0 if count == 6 else random.choice((0, 1, 1))
        numbers = [str(n + start) for n in range(count)]
        place = round(level / top * (count - 1))
        told = told.rstrip(".?")
        if named:
            told = random.choice(SCALES).format(told, numbers[0], levels[0], numbers[-1], levels[-1])
        else:  # more of it is higher
            told = random.choice(BARE_SCALES).format(told, numbers[0], numbers[-1])
        unit = random.choice(("{0}", "{0}", "{0}", "{0}", "level {0}", "{0} points", "{0}/{1}"))
        shown = [unit.format(number, numbers[-1]) for number in numbers]
        return {"type": "score", "instructions": told, "criteria": shown}, place

    # ── choice ──────────────────────────────────────────────────────────

    def _choice(self, name: str, task: dict, told: str, row: dict) -> Asked:
        random = self.random
        gold = row["y"]
        options = self._options(task, row)
        own_options = bool(row.get("o"))
        if self._fits_a_statement(task, options, own_options):
            return self._choice_as_noul(task, told, options, row)
        if not own_options:
            options = self._described(name, options)
        elif random.random() < 0.5:
            options = restyled(options, random)
        options, gold = self._subset(options, gold)
        options, gold = self._none_of_these(options, gold)
        if random.random() < (0.35 if own_options else 0.2):
            options = self.behind_opaque_keys(options)
        if not own_options and not row.get("q"):
            told = self._maybe_missing(told)
        return self.shuffled(told, options, gold)

    def _options(self, task: dict, row: dict) -> list[tuple[str, object]]:
        """The row's own options, or the task's in one of their namings."""
        return options_of(task, row, self.random.randrange(len(task.get("variants") or [0])))

    def _fits_a_statement(self, task: dict, options: list, own_options: bool) -> bool:
        return _short(options) and self.random.random() < (
            0.18 if task.get("statements") else 0.08 if own_options else 0.06
        )

    def _choice_as_noul(self, task: dict, told: str, options: list, row: dict) -> Asked:
        random = self.random
        wrong = [i for i in range(len(options)) if i != row["y"]]
        holds = random.random() < 0.5 or not wrong
        claimed, about = options[row["y"] if holds else random.choice(wrong)]
        if not row.get("q") and random.random() < 0.15:
            statement = random.choice(BARE_CLAIMS).format(claimed)
        elif task.get("statements"):
            statement = (
                random.choice(task["statements"])
                .replace("{label}", claimed)
                .replace("{q}", row.get("q") or "")
            )
        else:
            statement = random.choice(
                (
                    "{0} Answer: {1}",
                    'The answer to "{0}" is {1}.',
                    "{1} is the right answer to: {0}",
                    "{0} - {1}",
                )
            ).format(told, claimed)
        if about and random.random() < 0.3:
            return noul(statement, {"true": about}, holds)
        return self.noul(statement, holds)

    def _subset(self, options: list, gold: int) -> tuple[list, int]:
        random, n = self.random, len(options)
        if n > 8 and not (n <= 80 and random.random() < WHOLE):
            shown = random.randint(4, min(n, MOST_OPTIONS_SHOWN))
        elif 2 < n <= 8 and random.random() < 0.15:
            shown = random.randint(2, n - 1)
        else:
            return options, gold
        others = random.sample([i for i in range(n) if i != gold], shown - 1)
        return [options[gold], *(options[i] for i in others)], 0

    def _described(self, name: str, options: list) -> list:
        """Descriptions as given, dropped, or structured with examples from other rows."""
        random = self.random
        draw = random.random()
        options = restyled(options, random) if random.random() < 0.6 else options
        if draw < 0.3:
            return [(key, None) for key, _ in options]
        if draw < 0.4 and len(options) <= 12:
            return [(key, self._structured(name, label, options)) for label, (key, _) in enumerate(options)]
        return options

    def _structured(self, name: str, label: int, options: list) -> dict:
        """The description as an object: what it is, perhaps what it is not, perhaps texts with this label."""
        random = self.random
        key, about = options[label]
        out: dict = {"what": about or key.replace("_", " ")}
        if random.random() < 0.4:
            other, other_about = random.choice(options)
            if other != key:
                out["not_for"] = other_about or other
        if random.random() < 0.4:
            rows = self.corpus.by_label.get(name, {}).get(label, [])
            states = [json.loads(line)["s"] for line in random.sample(rows, min(len(rows), 2))]
            examples = [
                state for state in states if isinstance(state, str) and len(state) <= EXAMPLE_CHARACTERS
            ]
            if examples:
                out["examples"] = examples
        return out

    def _none_of_these(self, options: list, gold: int) -> tuple[list, int]:
        """Often there and seldom right: an option that was right wherever it
        stood would be chosen wherever it stands."""
        random, nothing = self.random, self._nothing()
        if any(leaves_open(key) for key, _ in options):  # that option would be just as right
            return options, gold
        draw = random.random()
        if draw < NONE_RIGHT and len(options) > 2:
            options = [nothing if i == gold else option for i, option in enumerate(options)]
        elif draw < NONE_RIGHT + NONE_WRONG:
            options = [*options, nothing]
        return options, gold

    def _nothing(self) -> tuple[str, str | None]:
        """An option for what no other option covers."""
        return self.random.choice(NONE_OF_THESE), self.random.choice(NONE_ABOUT)

    def behind_opaque_keys(self, options: list) -> list:
        """The keys have an order of their own: the right option may stand
        first here, and its key must not say so."""
        keys = opaque_keys(len(options), self.random)
        self.random.shuffle(keys)
        text = lambda key, about: (
            key if about is None else about if isinstance(about, dict) else f"{key}: {about}"
        )
        return [(new, text(key, about)) for new, (key, about) in zip(keys, options)]

    def shuffled(self, told: str | None, options: list, gold: int) -> Asked:
        order = list(range(len(options)))
        self.random.shuffle(order)
        criteria = {options[i][0]: options[i][1] for i in order}
        if len(criteria) < len(options):
            raise DrawAgain("two options with one key")
        return {
            "type": "choice",
            "instructions": told and retold(told, self.random),
            "criteria": criteria,
        }, order.index(gold)

    def _maybe_missing(self, told: str) -> str | None:
        draw = self.random.random()
        return None if draw < 0.08 else self.random.choice(GENERIC_CHOICE) if draw < 0.12 else told


Source = Callable[[Random, Presenter], Request]


def _short(options: list) -> bool:
    return len(options) <= 64 and all(len(key) < 60 for key, _ in options)


def _is_ordered(task: dict) -> bool:
    return bool(task.get("variants")) and [name for name, _ in task["variants"][0]] in ORDERED_LABELS
