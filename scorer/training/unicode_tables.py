"""Writes the tables by which the service's tokenizer normalises text.

    python -m scorer.training.unicode_tables

A snapshot's tokens must not change when Node adopts a newer Unicode, so the service reads
the reference's decisions from a file instead of asking its runtime. Every list is a string
of hexadecimal code points: ranges `a-b` separated by spaces, and `c>d,e` for a code point that
becomes others. Hangul syllables (U+AC00..U+D7A3) decompose by arithmetic and are left out.
"""

import json
import re
import unicodedata
from pathlib import Path

from .tokenizer import NORMAL, WORD

TABLES = Path(__file__).parent.parent / "core" / "tokenizer" / "unicode.json"
SURROGATES = range(0xD800, 0xE000)
HANGUL = range(0xAC00, 0xD7A4)


def tables() -> dict[str, str]:
    dropped, spaces, single, becomes = [], [], [], []
    for code in range(0x110000):
        if code in SURROGATES:
            dropped.append(code)
            continue
        form = NORMAL[code]
        if form == "":
            dropped.append(code)
        elif form == " ":
            spaces.append(code)
        elif form != chr(code):
            if code not in HANGUL:
                becomes.append(f"{code:x}>" + ",".join(f"{ord(c):x}" for c in form))
        elif stands_alone(chr(code)):
            single.append(code)
    return {
        "unicode": unicodedata.unidata_version,
        "dropped": ranges(dropped),
        "spaces": ranges(spaces),
        "single": ranges(single),
        "becomes": " ".join(becomes),
    }


def stands_alone(char: str) -> bool:
    """Whether a code point is a word on its own: between two letters it separates them."""
    return char != "\n" and re.findall(WORD, f"a{char}a") == ["a", char, "a"]


def ranges(codes: list[int]) -> str:
    out: list[list[int]] = []
    for code in codes:
        if out and out[-1][1] == code - 1:
            out[-1][1] = code
        else:
            out.append([code, code])
    return " ".join(f"{a:x}" if a == b else f"{a:x}-{b:x}" for a, b in out)


if __name__ == "__main__":
    TABLES.write_text(json.dumps(tables(), indent=2) + "\n")
