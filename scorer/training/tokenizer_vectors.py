"""Texts of many scripts with the reference's tokens, for checking another tokenizer.

    python -m scorer.training.tokenizer_vectors TOKENIZER_JSON --count 400 --seed 1 > vectors.json

Texts are drawn from Unicode ranges and from the vocabulary itself, never from a corpus.
Spans are in UTF-16 code units, as JavaScript counts.
"""

import argparse
import json
import random
import sys
import unicodedata

from .tokenizer import Tokenizer
from .unicode_tables import TABLES

RANGES = {
    "ascii": (0x20, 0x7E),
    "latin": (0xA0, 0x24F),
    "ipa and modifiers": (0x250, 0x2FF),
    "combining": (0x300, 0x36F),
    "greek": (0x370, 0x3FF),
    "cyrillic": (0x400, 0x52F),
    "armenian": (0x531, 0x58F),
    "hebrew": (0x591, 0x5F4),
    "arabic": (0x600, 0x6FF),
    "devanagari": (0x900, 0x97F),
    "bengali": (0x980, 0x9FE),
    "tamil": (0xB82, 0xBFA),
    "thai": (0xE01, 0xE5B),
    "tibetan": (0xF00, 0xFDA),
    "georgian": (0x10A0, 0x10FF),
    "jamo": (0x1100, 0x11FF),
    "cherokee": (0x13A0, 0x13FD),
    "extended latin": (0x1E00, 0x1EFF),
    "extended greek": (0x1F00, 0x1FFE),
    "punctuation": (0x2000, 0x206F),
    "raised and lowered": (0x2070, 0x209C),
    "currency": (0x20A0, 0x20C0),
    "letterlike": (0x2100, 0x214F),
    "number forms": (0x2150, 0x218B),
    "arrows and mathematics": (0x2190, 0x22FF),
    "circled": (0x2460, 0x24FF),
    "boxes and dingbats": (0x2500, 0x27BF),
    "ideographic punctuation": (0x3000, 0x303F),
    "kana": (0x3041, 0x30FF),
    "squared": (0x3200, 0x33FF),
    "extension a": (0x3400, 0x4DBF),
    "ideographs": (0x4E00, 0x9FFF),
    "hangul": (0xAC00, 0xD7A3),
    "private": (0xE000, 0xE0FF),
    "compatibility": (0xF900, 0xFAFF),
    "presentation": (0xFB00, 0xFDFF),
    "widths": (0xFF00, 0xFFEF),
    "specials": (0xFFF9, 0xFFFD),
    "gothic": (0x10330, 0x1034A),
    "deseret": (0x10400, 0x1044F),
    "music": (0x1D100, 0x1D1FF),
    "mathematical letters": (0x1D400, 0x1D7FF),
    "enclosed letters": (0x1F100, 0x1F1FF),
    "emoji": (0x1F300, 0x1FAFF),
    "extension b": (0x20000, 0x2A6DF),
    "supplement": (0x2F800, 0x2FA1D),
    "tags": (0xE0001, 0xE007F),
    "controls": (0x00, 0x1F),
    "anything": (0x80, 0xD7FF),
    "anything far": (0xE000, 0x10FFFF),
}
PARTINGS = [" "] * 12 + ["", "", "\n", "\t", "\r\n", "  ", "\u00a0", "\u3000", "-", "_", "."]
LONG_WORD = 260


def text(draw: random.Random, vocabulary: list[str]) -> str:
    scripts = draw.sample(sorted(RANGES), k=draw.choice([1, 1, 2, 3]))
    words = []
    for _ in range(draw.randint(1, 9)):
        words.append(word(draw, scripts, vocabulary))
        words.append(draw.choice(PARTINGS))
    return "".join(words)


def word(draw: random.Random, scripts: list[str], vocabulary: list[str]) -> str:
    kind = draw.random()
    if kind < 0.3:
        piece = draw.choice(vocabulary)
        return draw.choice([str.lower, str.upper, str.title])(piece)
    if kind < 0.4:  # pieces run together, with and without their ##
        return "".join(draw.choice(vocabulary).removeprefix("##") for _ in range(draw.randint(2, 4)))
    length = draw.randint(90, LONG_WORD) if kind > 0.985 else draw.randint(1, 8)
    first, last = RANGES[draw.choice(scripts)]
    return "".join(chr(draw.randint(first, last)) for _ in range(length))


def vector(text: str, tokenizer: Tokenizer) -> dict[str, str]:
    ids, spans = tokenizer.encode_with_spans(text)
    at = [0]
    for char in text:
        at.append(at[-1] + (2 if ord(char) > 0xFFFF else 1))
    return {
        "text": text,
        "ids": " ".join(map(str, ids)),
        "spans": " ".join(f"{at[start]}-{at[end]}" for start, end in spans),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("tokenizer", help="a snapshot's tokenizer.json")
    arguments.add_argument("--count", type=int, default=400)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    pinned = json.loads(TABLES.read_text())["unicode"]
    if unicodedata.unidata_version != pinned:
        sys.exit(
            f"This Python knows Unicode {unicodedata.unidata_version}; the reference is Unicode {pinned} (Python 3.11)"
        )
    with open(chosen.tokenizer, encoding="utf-8") as file:
        ids = json.load(file)["model"]["vocab"]
    vocabulary = sorted(ids, key=ids.get)
    tokenizer = Tokenizer(vocabulary)
    draw = random.Random(chosen.seed)
    vectors = [vector(text(draw, vocabulary), tokenizer) for _ in range(chosen.count)]
    json.dump({"seed": chosen.seed, "vectors": vectors}, sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
