"""Facts we make up, planted in other people's text: the answer is in one place only."""

import lzma
from pathlib import Path
from random import Random

from .present import Asked
from .wording import negated

MAX_CHARACTERS_READ = 3_000_000
PEOPLE = "Ana Torres|Ben Okafor|Chen Wei|Dora Lind|Elif Kaya|Farid Haddad|Grace Kim|Hugo Blanc|Irina Petrova|Jonas Weber|Kavya Rao|Liam Byrne|Mona Said|Nils Berg|Olga Novak|Pedro Silva|Quinn Hale|Rosa Marin|Sami Aalto|Tara Singh|李伟|Анна Орлова|Γιώργος Νίκου|नेहा शर्मा|ليلى حسن|田中 さくら|김민준".split("|")
PLACES = "Lisbon|Oslo|Nairobi|Lima|Hanoi|Quebec|Tunis|Perth|Riga|Porto|Kyoto|Denver|Cork|Bergen|Accra|Malmo|Graz|Izmir|Leeds|Tampere|東京|Москва|Αθήνα|القاهرة|서울|São Paulo|Kraków".split("|")
THINGS = "red folder|spare key|blue suitcase|old camera|signed contract|backup disk|silver ring|green parcel|broken printer|visitor badge|first aid kit|projector|rental car|grey cat|master copy|test device".split("|")
SPOTS = "in the kitchen|under the stairs|on the third shelf|behind the mirror|in locker 14|at the front desk|in the garage|next to the window|in the archive|on the roof|in room 207|in the drawer".split("|")
COLOURS = "red|blue|green|yellow|black|white|orange|purple|grey|brown|🔴 red|🟢 green|🔵 blue".split("|")
TEAMS = "billing|support|sales|legal|security|logistics|design|research|marketing|operations".split("|")
DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday".split("|")


def number(random: Random) -> str:
    return str(random.choice((random.randint(2, 99), random.randint(100, 9999), random.randint(10_000, 999_999))))


# sentence, question, statement about it; {s} is the subject, {v} the value
FACTS = (
    (lambda r: r.choice(THINGS), SPOTS, "The {s} is {v}.", "Where is the {s}?", "The {s} is {v}."),
    (lambda r: r.choice(PEOPLE), PLACES, "{s} lives in {v}.", "Where does {s} live?", "{s}'s home is {v}."),
    (lambda r: r.choice(PEOPLE), TEAMS, "{s} works in the {v} team.", "Which team does {s} belong to?", "{s} is in {v}."),
    (lambda r: r.choice(PLACES), COLOURS, "The door of the {s} office is painted {v}.", "What colour is the door in {s}?", "In {s} the door is {v}."),
    (lambda r: r.choice(PLACES), DAYS, "The shop in {s} is closed on {v}.", "On which day is the {s} shop closed?", "You cannot buy anything at the {s} shop on {v}."),
    (lambda r: r.choice(PLACES), number, "The access code for the {s} gate is {v}.", "What is the access code for the {s} gate?", "The {s} gate opens with {v}."),
    (lambda r: r.choice(PEOPLE), number, "{s} was given ticket number {v}.", "Which ticket number does {s} have?", "{s} holds ticket {v}."),
    (lambda r: "order " + number(r), PEOPLE, "The customer of {s} is {v}.", "Who placed {s}?", "{s} was placed by {v}."),
    (lambda r: "order " + number(r), ("was refunded", "was shipped", "was cancelled", "is waiting for payment", "was lost in transit", "was delivered"), "Note that {s} {v}.", "What happened to {s}?", "{s} {v}."),
    (lambda r: r.choice(PEOPLE), THINGS, "{s} borrowed the {v}.", "What did {s} borrow?", "The {v} was taken by {s}."),
)

# Kinds of fact no training request holds, for evaluation, and the background they are planted in.
UNSEEN_FACTS = (
    (lambda r: r.choice(PEOPLE), ("a violin", "a bakery", "two sailing boats", "a vineyard", "an old lighthouse", "a chess club"), "It turned out that {s} owns {v}.", "What does {s} own?", "{s} is the owner of {v}."),
    (lambda r: "meeting " + number(r), DAYS, "Please remember that {s} was moved to {v}.", "When will {s} take place?", "{s} takes place on {v}."),
    (lambda r: r.choice(PEOPLE), ("peanuts", "shellfish", "penicillin", "cat hair", "pollen", "wool"), "The nurse wrote down that {s} is allergic to {v}.", "What is {s} allergic to?", "{s} cannot tolerate {v}."),
    (lambda r: "flight " + number(r), PLACES, "Because of the storm {s} landed in {v} instead.", "Where did {s} land?", "{s} came down in {v}."),
    (lambda r: "invoice " + number(r), ("was paid twice", "has never been paid", "was sent to the wrong address", "contains a wrong amount"), "We found out that {s} {v}.", "What is wrong with {s}?", "{s} {v}."),
)
UNSEEN_BACKGROUND = ("encyclopedic",)  # for evaluation only


class Planter:
    def __init__(self, text_folder: Path, files: tuple[str, ...] = ("books", "news", "docs", "reviews"), facts: tuple = FACTS):
        self.facts = facts
        self.passages = [p for name in files for p in _passages(text_folder / f"{name}.txt.xz")]

    def background(self, characters: int, random: Random) -> list[str]:
        """Consecutive passages from random places, about so long in all."""
        out: list[str] = []
        while characters > 0:
            at = random.randrange(len(self.passages))
            for passage in self.passages[at : at + random.choice((1, 3, 20))]:
                out.append(passage)
                characters -= len(passage)
                if characters <= 0:
                    break
        return out

    def request(self, characters: int, random: Random) -> tuple[object, list[Asked]]:
        parts = self.background(characters, random) if characters else []
        questions: list[Asked] = []
        subjects: set[str] = set()
        for _ in range(random.choice((1, 1, 2, 3))):
            subject_of, values, sentence, question, statement = random.choice(self.facts)
            subject = subject_of(random)
            if subject in subjects:
                continue
            subjects.add(subject)
            # Another subject with another value makes the subject matter, not only the kind of fact.
            draw = (lambda: values(random)) if callable(values) else (lambda: random.choice(values))
            value, wrong = draw(), []
            while len(wrong) < random.choice((1, 2, 3, 5)):
                other = draw()
                if other != value and other not in wrong:
                    wrong.append(other)
            parts.insert(random.randint(0, len(parts)), sentence.format(s=subject, v=value))
            if random.random() < 0.5:
                rival = subject_of(random)
                if rival not in subjects:
                    subjects.add(rival)
                    parts.insert(random.randint(0, len(parts)), sentence.format(s=rival, v=wrong[0]))
            questions.append(_question(question, statement, subject, value, wrong, random))
        separator = random.choice(("\n", " ", "\n\n"))
        state: object = separator.join(parts)
        if random.random() < 0.15:
            state = {random.choice(("notes", "log", "document", "text")): parts}
        return state, questions


def _question(question: str, statement: str, subject: str, value: str, wrong: list[str], random: Random) -> Asked:
    if random.random() < 0.5:
        options = [value, *wrong]
        order = random.sample(range(len(options)), len(options))
        return {"type": "choice", "instructions": question.format(s=subject), "criteria": {options[i]: None for i in order}}, order.index(0)
    holds = random.random() < 0.5
    told = statement.format(s=subject, v=value if holds else wrong[0])
    if random.random() < 0.1:
        told, holds = negated(told, random), not holds
    return {"type": "noul", "instructions": told, "criteria": None}, 0 if holds else 1


def _passages(path: Path) -> list[str]:
    out, read = [], 0
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            read += len(line)
            if read > MAX_CHARACTERS_READ:
                break
            line = line.strip()
            if len(line) > 20:
                out.append(line[:600])
    return out
