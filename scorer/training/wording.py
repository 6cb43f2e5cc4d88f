"""Small changes of wording that must not change a decision."""

import re
from random import Random

NONE_OF_THESE = (
    "none of these", "other", "none of the above", "something else", "none", "not listed", "no option fits",
    "none_of_these", "unknown", "other / unclear", "general", "general question", "miscellaneous", "everything else", "anything else",
)
LEAVES_OPEN = re.compile(r"\b(other|none|else|general|unclear|unsure|unknown|undecided|nothing|not (listed|stated|mentioned|said|given|named|sure)|miscellaneous|misc|no option|cannot (be told|tell))\b")
NONE_ABOUT = ("nothing else fits", "None of the other options applies.", "use this if no other option is right", None, None)
KEY_WORDS = (
    "option choice label queue class group bucket category type topic dept route folder code cat id opt item tag level status box lane "
    "tier unit desk c k x t q s grp bin case kind section stage"
).split()
NEGATIONS = (
    "It is not the case that {0}", "It is not true that {0}", "The following is false: {1}", "This is wrong: {1}",
    "Not true: {1}", "The statement \"{1}\" does not hold.", "It is false that {0}",
)
BARE_CLAIMS = ("{0}", "{0}", "This is {0}.", "Category: {0}", "Label: {0}")
TRUTH_PREFIXES = ("", "", "", "Is it true that ", "True or false: ", "Statement: ", "Claim: ", "Check: ")
GENERIC_CHOICE = ("Pick the best option.", "Choose the label that fits.", "Classify.", "Which option applies?", "Select one.", "Label this.")


def restyle(name: str, random: Random) -> str:
    """Snake, kebab, camel, upper or title case; mostly as it is."""
    draw = random.random()
    words = [w for w in re.split(r"[\s_]+", name) if w]
    if draw < 0.12:
        return "_".join(words).lower()
    if draw < 0.17:
        return "-".join(words).lower()
    if draw < 0.21:
        return "_".join(words).upper()
    if draw < 0.25:
        return "".join(w[:1].upper() + w[1:] for w in words)
    if draw < 0.31:
        return name[:1].upper() + name[1:]
    return name


def leaves_open(name: str) -> bool:
    """An option for what the others are not."""
    return len(name) <= 30 and bool(LEAVES_OPEN.search(name.lower().replace("_", " ").replace("-", " ")))


def negated(statement: str, random: Random) -> str:
    if statement.endswith("?"):
        return random.choice(('The answer to "{0}" is no.', "{0} - no", 'The right answer is no: {0}')).format(statement)
    lowered = statement[:1].lower() + statement[1:] if statement[:2].istitle() or statement[:2] in ("I ", "A ") else statement
    return random.choice(NEGATIONS).format(lowered, statement)


def retold(instructions: str, random: Random) -> str | dict | list:
    draw = random.random()
    if draw < 0.06:
        return instructions.lower()
    if draw < 0.12:
        return instructions.rstrip(".?")
    if draw < 0.15:
        return random.choice(("Question: ", "Task: ", "Decide: ", "Please answer. ")) + instructions
    if draw < 0.17:
        return {random.choice(("task", "question", "what", "goal")): instructions}
    if draw < 0.18:
        return [instructions]
    return instructions


def opaque_keys(count: int, random: Random) -> list[str]:
    """Names that say nothing: letters, numbers, or a word with numbers."""
    draw = random.random()
    if draw < 0.3 and count <= 26:
        first = ord(random.choice("Aa"))
        return [chr(first + i) for i in range(count)]
    start = random.choice((0, 1, 1))
    if draw < 0.4:
        return [str(i) for i in range(start, start + count)]
    word, between, width = random.choice(KEY_WORDS), random.choice(("", "_", "_", "-", " ")), random.choice((1, 1, 2))
    if random.random() < 0.2:
        word = word.upper()
    return [f"{word}{between}{i:0{width}d}" for i in range(start, start + count)]
