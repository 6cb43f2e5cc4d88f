"""Questions that any text answers on its own: what it says, and what its title is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from .asked import Request
from .corpus_files import lines_of
from .pairs import ENTAILS, NAMES, TOGETHER, side_by_side
from .telling import claimed

MAX_CHARACTERS_READ = 6_000_000
SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<![A-Z]\.)(?<!Mr\.)(?<!Ms\.)(?<!Mrs\.)(?<!Dr\.)(?<!St\.)(?<!Sen\.)(?<!Rep\.)(?<!Gov\.)\s+(?=[A-Z\"“(])"
)
# Only what somebody wrote as sentences is taken from documents, posts and manuals: no header fields, code,
# tables or quotes of others.
FIELD = re.compile(r"[A-Z][\w-]*( \w+)?:(\s|$)")
TITLE_FIELD = re.compile(r"(Subject|Title):\s*((Re|Fwd?):\s*)*", re.IGNORECASE)
MARKUP = re.compile(r"[|<>{}`\\_=*#@~^\[\]]|://|--|\.\.\.\s*$")
SENTENCE = re.compile(r"[A-Z\"“(].*[.!?][\"”)]*")
FULL_LINE = 55  # characters; a shorter line that does not end a sentence is not continued by the next line
NUMBER = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
SAID = ("{0}", "{0}", "The text says: {0}", "According to the text, {0}", "It is stated that {0}")


# Words that turn a statement into its contrary, either way.
OPPOSITES = dict(
    pair
    for words in (
        "raised/lowered|increased/decreased|rose/fell|rising/falling|opened/closed|before/after|more/less|accepted/rejected|won/lost|first/last|up/down|bought/sold|began/ended|started/stopped|"
        "allowed/forbidden|always/never|with/without|high/low|higher/lower|early/late|many/few|old/new|good/bad|better/worse|best/worst|large/small|inside/outside|increase/decrease|"
        "open/closed|above/below|possible/impossible|likely/unlikely|agreed/refused|strong/weak|easy/hard|fast/slow|cheap/expensive|success/failure|succeeded/failed|enable/disable|"
        "enabled/disabled|add/remove|added/removed|all/none|everyone/nobody|everything/nothing|same/different|public/private|rich/poor|hot/cold|alive/dead|gained/lost|arrived/left|"
        "positive/negative|maximum/minimum|longer/shorter|larger/smaller|most/least|true/false|legal/illegal|present/absent|remember/forget|supports/opposes|approved/rejected|north/south|east/west"
    ).split("|")
    for one, other in [words.split("/")]
    for pair in ((one, other), (other, one))
)
OPPOSED = re.compile(rf"\b({'|'.join(OPPOSITES)})\b")
VERB = re.compile(
    r"\b(is|are|was|were|will|would|can|could|should|has been|have been|had been)\b(?! not| no\b)"
)
DENIED = re.compile(r"(?<=\w) not\b")


@dataclass(frozen=True)
class Document:
    title: str | None
    sentences: Sequence[str]


class Texts:
    def __init__(self, text_folder: Path, files: Sequence[str] = ("news", "docs", "forum_medical")):
        self.documents = [
            document for name in files for document in _documents(text_folder / f"{name}.txt.xz")
        ]
        self.titled = [
            document for document in self.documents if document.title and len(document.sentences) > 2
        ]

    def request(self, random: Random) -> Request:
        return self._title(random) if random.random() < 0.3 else self._statements(random)

    def _statements(self, random: Random) -> Request:
        """Claims that are sentences of the text, and others with one detail exchanged."""
        document = random.choice(self.documents).sentences
        start = random.randrange(max(1, len(document) - 3))
        sentences = document[start : start + random.choice((2, 3, 4, 6))]
        state = " ".join(sentences)
        others = [sentence for sentence in document if sentence not in sentences] or random.choice(
            self.documents
        ).sentences
        claims = [
            _claim(sentence, state, others, random)
            for sentence in random.sample(sentences, min(2, len(sentences)))
        ]
        if random.random() < 0.3:
            told, holds = claims[0]
            beside, question = side_by_side((state, told), NAMES[ENTAILS], TOGETHER[ENTAILS], random)
            return beside, [claimed(question, holds, random)]
        return state, [claimed(random.choice(SAID).format(claim), holds, random) for claim, holds in claims]

    def _title(self, random: Random) -> Request:
        document = random.choice(self.titled)
        body = _beginning(" ".join(document.sentences), random.choice((150, 300, 700)))
        others = [random.choice(self.titled).title for _ in range(random.choice((1, 2, 3, 7, 15)))]
        titles = list(dict.fromkeys([document.title, *others]))
        order = random.sample(range(len(titles)), len(titles))
        told = random.choice(
            (
                "Which headline fits the article?",
                "Pick the title of this text.",
                "What is this about?",
                "Which title belongs to it?",
            )
        )
        return body, [
            (
                {"type": "choice", "instructions": told, "criteria": {titles[i]: None for i in order}},
                order.index(0),
            )
        ]


def _claim(sentence: str, text: str, others: Sequence[str], random: Random) -> tuple[str, bool]:
    if random.random() < 0.5:
        return _part(sentence, random), True
    return _altered(sentence, text, random) or random.choice(others), False


def _altered(sentence: str, text: str, random: Random) -> str | None:
    """The sentence with one number or name exchanged for another, a word for its
    opposite, or a verb denied. None if there is nothing to exchange."""
    draw = random.random()
    if draw < 0.35 and (opposed := list(OPPOSED.finditer(sentence))):
        match = random.choice(opposed)
        return sentence[: match.start()] + OPPOSITES[match[0]] + sentence[match.end() :]
    if draw < 0.5 and DENIED.search(sentence):
        return DENIED.sub("", sentence, count=1)
    if draw < 0.5 and (verbs := list(VERB.finditer(sentence))):
        at = random.choice(verbs).end()
        return f"{sentence[:at]} not{sentence[at:]}"
    numbers, names = list(NUMBER.finditer(sentence)), list(NAME.finditer(sentence))
    found = random.choice([kind for kind in (numbers, names) if kind] or [[]])
    if not found:
        return None
    match = random.choice(found)
    if found is numbers:
        new = str(random.randint(2, 9) * 10 ** (len(match[0]) - 1) + random.randint(0, 9))
    else:
        others = [n for n in NAME.findall(text) if n != match[0]]
        if not others:
            return None
        new = random.choice(others)
    return None if new == match[0] else sentence[: match.start()] + new + sentence[match.end() :]


def _part(sentence: str, random: Random) -> str:
    """Sometimes only the clause before a comma: shorter than what the text says, but still said."""
    head = sentence.split(", ")[0]
    return head + "." if random.random() < 0.3 and 30 < len(head) < len(sentence) else sentence


def _beginning(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: text.rfind(" ", 0, limit)]


def _documents(path: Path) -> list[Document]:
    out: list[Document] = []
    lines: list[str] = []
    for line in lines_of(path, MAX_CHARACTERS_READ):
        if line := line.strip():
            lines.append(line)
        elif lines:
            out.append(Document(_title_of(lines), _sentences(lines[1:])))
            lines = []
    return [document for document in out if len(document.sentences) >= 2]


def _title_of(lines: Sequence[str]) -> str | None:
    named = next((line for line in lines[:8] if TITLE_FIELD.match(line)), None)
    title = TITLE_FIELD.sub("", named) if named else lines[0].lstrip("#- ")
    return (
        title
        if 15 < len(title) < 110
        and title.count(" ") > 1
        and not MARKUP.search(title)
        and not FIELD.match(title)
        else None
    )


def _sentences(lines: Sequence[str]) -> list[str]:
    text = ""
    for line in lines:
        if FIELD.match(line) or MARKUP.search(line) or not (line[0].isalnum() or line[0] in '"“('):
            text += "\0"
        else:
            text += line + (" " if len(line) >= FULL_LINE or line[-1] in ".!?" else "\0")
    parts = (part.strip() for run in text.split("\0") for part in SENTENCE_END.split(run))
    return [part for part in parts if 25 < len(part) < 300 and SENTENCE.fullmatch(part)]
