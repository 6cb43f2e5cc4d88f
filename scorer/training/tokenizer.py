"""The reference tokenizer: BERT's uncased WordPiece, except that nothing is lost.

Four things differ from BERT. A line feed is a token. A word that WordPiece cannot spell is
never [UNK]: the greedy match continues, and a code point without a piece becomes its UTF-8
bytes. Letters in bold, full-width, circled and the like, and ligatures, are read as the letters
that they stand for. And text never yields a special token: "[SEP]" in a state is three plain
words.

Every rule works on one code point at a time, so that another implementation needs no
string-wide Unicode algorithm: decompose, drop marks (Mn), lower-case, in that order.
"""

import re
import unicodedata
from pathlib import Path

NEWLINE = 11
FIRST_BYTE = 200
SLICE_CODE_POINTS = 100
WORD_CACHE_LIMIT = 1_000_000

# The blocks BERT sets apart as single words.
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
ASCII_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
DROPPED_CATEGORIES = ("Cc", "Cf")
SPACE_CATEGORIES = ("Zs", "Zl", "Zp")

# What means something else than what it is compatible with: 10² is not 102, and a name™ ends before its sign.
DISTINCT = "ªº…″№"
DISTINCT_KINDS = ("<super>", "<sub>", "<fraction>", "<noBreak>")


class Tokenizer:
    def __init__(self, vocabulary: list[str]):
        self.vocabulary = vocabulary
        self.ids = {piece: i for i, piece in enumerate(vocabulary)}
        self.longest_piece = max(map(len, vocabulary))
        self.words: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    @classmethod
    def from_file(cls, path: str | Path) -> "Tokenizer":
        """Reads a vocab.txt: one piece a line; the line number is the id."""
        return cls(Path(path).read_text(encoding="utf-8").rstrip("\n").split("\n"))

    def encode(self, text: str) -> list[int]:
        out: list[int] = []
        for word in WORD.findall(text.translate(NORMAL)):
            out.extend(self._word(word)[0])
        return out

    def encode_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """The ids, and for each the half-open range of code points of `text` it came from."""
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        normal = text.translate(NORMAL)
        origin = _origins(text, normal)
        for match in WORD.finditer(normal):
            pieces, lengths = self._word(match.group())
            at = match.start()
            for piece, length in zip(pieces, lengths):
                # A byte that is not the first of its code point has length 0 and shares its span.
                first, last = (at, at + length - 1) if length else (at - 1, at - 1)
                ids.append(piece)
                spans.append((origin[first], origin[last] + 1))
                at += length
        return ids, spans

    def _word(self, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Ids of one word, and how many of its code points each one consumes."""
        found = self.words.get(word)
        if found is None:
            if len(self.words) >= WORD_CACHE_LIMIT:
                self.words.clear()
            found = self.words[word] = self._spell(word)
        return found

    def _spell(self, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if word == "\n":
            return (NEWLINE,), (1,)
        ids: list[int] = []
        lengths: list[int] = []
        for start in range(0, len(word), SLICE_CODE_POINTS):
            at, end = start, min(start + SLICE_CODE_POINTS, len(word))
            while at < end:
                to = self._longest_match(word, at, end)
                if to > at:
                    ids.append(self.ids[("##" if at else "") + word[at:to]])
                    lengths.append(to - at)
                    at = to
                    continue
                for n, byte in enumerate(word[at].encode("utf-8")):
                    ids.append(FIRST_BYTE + byte)
                    lengths.append(0 if n else 1)
                at += 1
        return tuple(ids), tuple(lengths)

    def _longest_match(self, word: str, at: int, end: int) -> int:
        prefix = "##" if at else ""
        for to in range(min(end, at + self.longest_piece), at, -1):
            if prefix + word[at:to] in self.ids:
                return to
        return at


class _NormalForm(dict):
    """str.translate table, filled on demand: code point -> its normal form (possibly empty)."""

    def __missing__(self, code: int) -> str:
        self[code] = form = _normalise(chr(code))
        return form


def _normalise(char: str) -> str:
    if char == "\n":
        return char
    if char in "\t\r":
        return " "
    category = unicodedata.category(char)
    if char == "\ufffd" or category in DROPPED_CATEGORIES:
        return ""
    if category in SPACE_CATEGORIES:
        return " "
    bare = (c for c in _decomposed(char) if unicodedata.category(c) != "Mn")
    return "".join(c.lower() for c in bare)


def _decomposed(char: str) -> str:
    """By compatibility (NFKD) if that is what the character stands for, otherwise canonically (NFD)."""
    compatible = unicodedata.normalize("NFKD", char)
    kind = unicodedata.decomposition(char).partition(" ")[0]
    category = unicodedata.category(char)
    distinct = (
        char in DISTINCT
        or (kind in DISTINCT_KINDS and not category.startswith("L"))
        or (kind == "<compat>" and category == "Sm")
        or " " in compatible  # an accent that stands alone, or several words
    )
    return unicodedata.normalize("NFD", char) if distinct else compatible


def _origins(text: str, normal: str) -> list[int] | range:
    """For each code point of the normal form, the index in the text it came from."""
    if text.isascii() and len(text) == len(normal):
        return range(len(text))
    return [i for i, char in enumerate(text) for _ in NORMAL[ord(char)]]


def _single_words() -> str:
    """A regular-expression class of the code points that are words on their own."""
    punctuation = {c for c in map(chr, range(0x110000)) if unicodedata.category(c)[0] == "P"}
    marks = "".join(map(re.escape, sorted(punctuation | set(ASCII_PUNCTUATION))))
    return marks + "".join(f"{chr(a)}-{chr(b)}" for a, b in IDEOGRAPHS)


NORMAL = _NormalForm()
_SINGLE = _single_words()
WORD = re.compile(f"\n|[{_SINGLE}]|[^ \n{_SINGLE}]+")
