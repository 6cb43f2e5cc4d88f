"""What follows from a sentence when words of it are made wider or narrower, which depends on "every", "no",
"at most".

"No guest brought an animal" rules out dogs; "every guest brought a dog" does not make it a spaniel. A
place in a sentence passes on to the wider term (up), to the narrower (down), or to neither. Where it
passes on, the sentence implies the same sentence with that term.
"""

from dataclasses import dataclass, field, replace
from random import Random

from .asked import Request
from .facts import FIRST_NAMES, PLACES
from .pairs import ENTAILS, NAMES, TOGETHER, side_by_side
from .present import Presenter

UP, DOWN, NEITHER = 1, -1, 0
# From narrower to wider; all have regular plurals.
PEOPLE = [
    chain.split("<")
    for chain in (
        "nurse<employee|clerk<employee|trainee<employee|driver<employee|violinist<musician|drummer<musician|surgeon<doctor|dentist<doctor|goalkeeper<player|"
        "striker<player|tenant<resident|lodger<resident|freshman student<student|law student<student|premium member<member|honorary member<member|night guard<guard|"
        "school teacher<teacher|maths teacher<teacher|painter<artist|sculptor<artist|plumber<worker|carpenter<worker|regular customer<customer|new customer<customer|"
        "hotel guest<guest|day visitor<visitor|foreign visitor<visitor|junior engineer<engineer|site engineer<engineer|soprano<singer|tenor<singer"
    ).split("|")
]
OBJECTS = [
    chain.split("<")
    for chain in (
        "laptop<computer<device|tablet<device|phone<device|rose<flower<plant|tulip<flower<plant|fern<plant|novel<book|cookbook<book|dictionary<book|spaniel<dog<animal|"
        "poodle<dog<animal|kitten<cat<animal|parrot<bird<animal|trout<fish<animal|pear<fruit|banana<fruit|carrot<vegetable|onion<vegetable|sports car<car<vehicle|van<vehicle|"
        "motorbike<vehicle|violin<instrument|flute<instrument|hammer<tool|drill<tool|invoice<document|contract<document|passport<document|sandal<shoe|boot<shoe|scarf<garment|"
        "jacket<garment|cheesecake<cake<dessert|pancake<dessert|espresso<coffee<drink|lemonade<drink|necklace<jewel|medicine bottle<bottle|wine bottle<bottle|armchair<chair|sailing boat<boat|"
        "love letter<letter|birthday card<card|train ticket<ticket|concert ticket<ticket|house key<key|steel knife<knife"
    ).split("|")
]
PERSON_ADJECTIVES = (
    "tall|young|new|tired|foreign|retired|busy|friendly|careful|experienced|married|local".split("|")
)
OBJECT_ADJECTIVES = "red|small|old|cheap|heavy|broken|wooden|new|expensive|black|second-hand|large|fresh|blue|rusty|borrowed".split(
    "|"
)
WHO = "from the second floor|in uniform|with a badge|from {place}|over forty|on the night shift|with two children|in the front row|near the exit|who had joined that year|who spoke French|who arrived late".split(
    "|"
)
# Base form and past.
VERBS = [
    verb.split("/")
    for verb in (
        "buy/bought|carry/carried|sell/sold|repair/repaired|order/ordered|bring/brought|lose/lost|clean/cleaned|borrow/borrowed|return/returned|photograph/photographed|find/found|"
        "choose/chose|paint/painted|keep/kept|steal/stole|inspect/inspected|describe/described|want/wanted|receive/received"
    ).split("|")
]
DOINGS = [
    verb.split("/")
    for verb in (
        "sleep/slept|complain/complained|sing/sang|leave/left|smile/smiled|wait/waited|stay for dinner/stayed for dinner|pay by card/paid by card|work/worked|dance/danced|apologise/apologised|"
        "vote/voted|park in the yard/parked in the yard|miss the bus/missed the bus|read the rules/read the rules|wear a helmet/wore a helmet"
    ).split("|")
]
WHEN = "on Monday|last week|at night|in the kitchen|in {place}|in a hurry|with a friend|during the meeting|before breakfast|without asking|for the neighbours|in the rain|after the match|twice|online|with care|abroad".split(
    "|"
)
# How a subject is counted: {n} is singular, {s} plural. PASSES tells for each meaning how its subject passes
# on, and how what is said of the subject does.
COUNTS = {
    "all": ("every {n}", "all {s}", "each {n}", "all of the {s}", "every single {n}"),
    "some": ("some {s}", "a {n}"),
    "three": ("at least three {s}", "more than two {s}", "three {s}"),
    "two": ("two {s}", "at least two {s}", "a couple of {s}"),
    "none": ("no {n}", "not a single {n}", "none of the {s}"),
    "at most two": ("at most two {s}", "no more than two {s}"),
    "at most five": ("no more than five {s}", "at most five {s}"),
    "under four": ("fewer than four {s}", "not even four {s}"),
    "not all": ("not every {n}", "not all {s}"),
    "most": ("most {s}",),
    "exactly two": ("exactly two {s}",),
}
MEANING = {count: meaning for meaning, counts in COUNTS.items() for count in counts}
PASSES = {
    "all": (DOWN, UP),
    "some": (UP, UP),
    "three": (UP, UP),
    "two": (UP, UP),
    "none": (DOWN, DOWN),
    "at most two": (DOWN, DOWN),
    "at most five": (DOWN, DOWN),
    "under four": (DOWN, DOWN),
    "not all": (UP, DOWN),
    "most": (NEITHER, UP),
    "exactly two": (NEITHER, NEITHER),
}
# The other meanings that follow from a meaning for the same subject. All others do not follow.
ALSO = {
    "all": ("some", "most"),
    "three": ("two", "some"),
    "two": ("some",),
    "none": ("at most two", "at most five", "under four"),
    "at most two": ("at most five", "under four"),
    "under four": ("at most five",),
    "most": ("some",),
    "exactly two": ("two", "some", "at most two", "at most five", "under four"),
}
# The mood of a rule: what none or at most a number may do, and what all must do.
RULES = {"none": "may", "at most two": "may", "at most five": "may", "under four": "may", "all": "must"}


@dataclass(frozen=True)
class Thing:
    """A noun, made wider or narrower by its place in the chain, its adjectives and what follows it."""

    chain: list[str]
    at: int
    adjectives: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def words(self, plural: bool) -> str:
        noun = self.chain[self.at]
        return " ".join([*self.adjectives, _several(noun) if plural else noun, *self.after])


@dataclass(frozen=True)
class Sentence:
    count: str
    subject: Thing | str  # or a name
    verb: list[str]
    thing: Thing | None
    when: tuple[str, ...] = ()
    denied: bool = False
    joined: tuple[str, list[str]] | None = None  # "and" or "or", and what else was done
    mood: str = ""  # "may" or "must": a rule

    def __str__(self) -> str:
        said = self._did(self.verb, self.thing)
        if self.joined:
            word, verb = self.joined
            said += f" {word} {self._form(verb)}"
        if isinstance(self.subject, str):
            who = self.subject
        else:
            who = self.count.format(n=self.subject.words(False), s=self.subject.words(True))
            who = f"an {who[2:]}" if who.startswith("a ") and who[2] in "aeiou" else who
        helper = f"{self.mood or 'did'} not" if self.denied else self.mood
        told = " ".join(word for word in (who, helper, said, *self.when) if word)
        return told[:1].upper() + told[1:] + "."

    def _did(self, verb: list[str], thing: Thing | None) -> str:
        return f"{self._form(verb)} {_one(thing.words(False))}" if thing else self._form(verb)

    def _form(self, verb: list[str]) -> str:
        return verb[0] if self.denied or self.mood else verb[1]


@dataclass
class Change:
    """The sentence after a change, and whether it follows from the one before."""

    sentence: Sentence
    follows: bool
    done: list[str] = field(default_factory=list)


def request(random: Random, presenter: Presenter) -> Request:
    sentence = drawn(random)
    told = [str(sentence)]
    if random.random() < 0.25:  # among other sentences, of other people
        told += [str(drawn(random)) for _ in range(random.choice((1, 2)))]
        random.shuffle(told)
    claims = [
        (str(claim), follows)
        for claim, follows in (changed(sentence, random) for _ in range(random.choice((1, 2, 3, 4))))
    ]
    if random.random() < 0.2:
        claim, follows = claims[0]
        state, question = side_by_side((" ".join(told), claim), NAMES[ENTAILS], TOGETHER[ENTAILS], random)
        return state, [presenter.noul(question, follows)]
    return " ".join(told), [
        presenter.noul(random.choice(ENTAILS).format(b=claim), follows) for claim, follows in claims
    ]


def changed(sentence: Sentence, random: Random) -> tuple[Sentence, bool]:
    """Another sentence, and whether it follows."""
    if sentence.count and random.random() < 0.25:
        return _counted_otherwise(sentence, random)
    change = Change(sentence, True)
    for _ in range(random.choice((1, 1, 1, 2))):
        change = _step(change, random)
    return change.sentence, change.follows


def _counted_otherwise(sentence: Sentence, random: Random) -> tuple[Sentence, bool]:
    meaning = MEANING[sentence.count]
    also = [meaning, *ALSO.get(meaning, ())]
    follows = random.random() < 0.6
    other = random.choice(also if follows else [found for found in COUNTS if found not in also])
    return replace(sentence, count=random.choice(COUNTS[other])), follows


def _step(change: Change, random: Random) -> Change:
    """Makes one place wider or narrower, often so that claims which
    follow and claims which do not stay balanced."""
    passes = dict(zip(("subject", "said"), _directions(change.sentence)))
    ways = [
        (found, how == passes[where], where)
        for where in passes
        for found, how in _edits(change.sentence, where, random)
        if where not in change.done
    ]
    wanted = random.random() < 0.5
    fitting = [way for way in ways if way[1] == wanted] or ways
    if not fitting:
        return change
    found, follows, where = random.choice(fitting)
    return Change(found, change.follows and follows, [*change.done, where])


def _directions(sentence: Sentence) -> tuple[int, int]:
    if isinstance(sentence.subject, str):
        return NEITHER, DOWN if sentence.denied else UP
    return PASSES[MEANING[sentence.count]]


def _edits(sentence: Sentence, where: str, random: Random) -> list[tuple[Sentence, int]]:
    """Sentences with this place made wider (UP) or narrower (DOWN)."""
    if where == "subject":
        if isinstance(sentence.subject, str):
            return []
        return [
            (replace(sentence, subject=thing), how)
            for thing, how in _widths(sentence.subject, PERSON_ADJECTIVES, WHO, random)
        ]
    out = []
    if sentence.thing:
        out += [
            (replace(sentence, thing=thing), how)
            for thing, how in _widths(sentence.thing, OBJECT_ADJECTIVES, [], random)
        ]
    if sentence.when:
        out.append((replace(sentence, when=sentence.when[:-1]), UP))
    if len(sentence.when) < 2:
        added = _placed(random.choice(WHEN), random)
        if added not in sentence.when:
            out.append((replace(sentence, when=(*sentence.when, added)), DOWN))
    if not sentence.joined and not sentence.when and not sentence.thing:
        verb = random.choice([doing for doing in DOINGS if doing != sentence.verb])
        word = random.choice(("and", "or"))
        out.append((replace(sentence, joined=(word, verb)), DOWN if word == "and" else UP))
    elif sentence.joined:
        out.append((replace(sentence, joined=None), UP if sentence.joined[0] == "and" else DOWN))
    return out


def _widths(thing: Thing, adjectives: list[str], after: list[str], random: Random) -> list[tuple[Thing, int]]:
    out = []
    if thing.at:
        out.append((replace(thing, at=thing.at - 1), DOWN))
    if thing.at + 1 < len(thing.chain):
        out.append((replace(thing, at=thing.at + 1), UP))
    if thing.adjectives:
        out.append((replace(thing, adjectives=()), UP))
    else:
        added = random.choice([word for word in adjectives if word not in thing.chain[thing.at]])
        out.append((replace(thing, adjectives=(added,)), DOWN))
    if thing.after:
        out.append((replace(thing, after=()), UP))
    elif after:
        out.append((replace(thing, after=(_placed(random.choice(after), random),)), DOWN))
    return out


def drawn(random: Random) -> Sentence:
    denied, count = False, ""
    if random.random() < 0.3:
        subject, denied = random.choice(FIRST_NAMES), random.random() < 0.5
    else:
        count = random.choice(COUNTS[random.choice(list(COUNTS))])
        chain = random.choice(PEOPLE)
        subject = Thing(
            chain,
            random.randrange(len(chain)),
            _perhaps(PERSON_ADJECTIVES, 0.3, random),
            tuple(_placed(w, random) for w in _perhaps(WHO, 0.3, random)),
        )
    mood = (
        (RULES.get(MEANING[count], "") if count else "may" if denied else "must")
        if random.random() < 0.4
        else ""
    )
    when = tuple(_placed(w, random) for w in _perhaps(WHEN, 0.5, random))
    if random.random() < 0.3:
        joined = (
            (random.choice(("and", "or")), random.choice(DOINGS[:8]))
            if not when and random.random() < 0.6
            else None
        )
        return Sentence(
            count, subject, random.choice(DOINGS[8:] if joined else DOINGS), None, when, denied, joined, mood
        )
    chain = random.choice(OBJECTS)
    thing = Thing(chain, random.randrange(len(chain)), _perhaps(OBJECT_ADJECTIVES, 0.4, random))
    return Sentence(count, subject, random.choice(VERBS), thing, when, denied, mood=mood)


def _perhaps(words: list[str], chance: float, random: Random) -> tuple[str, ...]:
    return (random.choice(words),) if random.random() < chance else ()


def _placed(words: str, random: Random) -> str:
    return words.format(place=random.choice(PLACES[:18]))


def _several(noun: str) -> str:
    if noun.endswith("fe"):
        return noun[:-2] + "ves"
    return noun + ("es" if noun[-1] in "sxh" and noun[-2:] != "th" else "s")


def _one(words: str) -> str:
    return ("an " if words[0] in "aeiou" else "a ") + words
