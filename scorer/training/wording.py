"""Small changes of wording that must not change a decision."""

import re
from random import Random

NONE_OF_THESE = (
    "none of these",
    "other",
    "none of the above",
    "something else",
    "none",
    "not listed",
    "no option fits",
    "none_of_these",
    "unknown",
    "other / unclear",
    "general",
    "general question",
    "miscellaneous",
    "everything else",
    "anything else",
)
# The whole name must say so, or begin with it: "other reason", but not "asks for other options".
LEAVES_OPEN = re.compile(
    r"^(others?|unknown|general( (question|news))?)$|^other( [/(-]| (information|matters?|reasons?|topics?)\b)"
    r"|\b(none|else|unclear|unsure|undecided|undetermined|unspecified|nothing|nobody|miscellaneous|misc|no (option|clear)|"
    r"not (listed|stated|mentioned|said|given|named|sure|known|told|answerable|enough)|(cannot|can't) (answer|be (told|determined|decided)|tell))\b"
)
NONE_ABOUT = (
    "nothing else fits",
    "None of the other options applies.",
    "use this if no other option is right",
    None,
    None,
)
KEY_WORDS = (
    "option choice label queue class group bucket category type topic dept route folder code cat id opt item tag level status box lane "
    "tier unit desk c k x t q s grp bin case kind section stage"
).split()
# For a statement of one sentence.
NEGATIONS = (
    "It is not the case that {0}",
    "It is not true that {0}",
    "It is false that {0}",
)
# For any statement.
DENIALS = (
    "The following is false: {0}",
    "This is wrong: {0}",
    "Not true: {0}",
    'The statement "{0}" does not hold.',
)
# How a yes-or-no question opens. "Merge with: how do I pay?" is not one, though it ends like one.
YES_OR_NO = re.compile(
    r"(is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|must|may|might)(n't)?\b",
    re.IGNORECASE,
)
POINTED = re.compile(r"[^:.]*`[^`]+`[^:.]*[:.] ")
BARE_CLAIMS = ("{0}", "{0}", "This is {0}.", "Category: {0}", "Label: {0}")
WRAPPED = 0.25  # the share of statements that are announced as one: hardly anybody sends them that way
WRAPS = ("Is it true that {0}?", "True or false: {1}", "Statement: {1}", "Claim: {1}", "Check: {1}")
# How a statement begins that has been announced as one, denied, or addressed to somebody.
WRAPPING = re.compile(
    r"is it true that|true or false:|statement:|claim:|check:|question:|task:|decide:|please answer|it is not |it is false|the following is|this is wrong:|not true:|the statement \"|the answer to \"|the right answer is no",
    re.IGNORECASE,
)
GENERIC_CHOICE = (
    "Pick the best option.",
    "Choose the label that fits.",
    "Classify.",
    "Which option applies?",
    "Select one.",
    "Label this.",
)


def restyled(options: list[tuple[str, object]], random: Random) -> list[tuple[str, object]]:
    """All names in one style (snake, kebab or upper case and the like), but
    mostly as they are. Sentences are not names."""
    if any(len(name) >= 40 or len(name.split()) > 5 for name, _ in options):
        return options
    style = random.choices(STYLES, (12, 5, 4, 4, 6, 69))[0]
    return [
        (style([word for word in re.split(r"[\s_]+", name) if word], name), about) for name, about in options
    ]


STYLES = (
    lambda words, _: "_".join(words).lower(),
    lambda words, _: "-".join(words).lower(),
    lambda words, _: "_".join(words).upper(),
    lambda words, _: "".join(word[:1].upper() + word[1:] for word in words),
    lambda _, name: name[:1].upper() + name[1:],
    lambda _, name: name,
)


def leaves_open(name: str) -> bool:
    """Whether the name is that of an option for what the others do not cover."""
    return len(name) <= 30 and bool(LEAVES_OPEN.search(name.lower().replace("_", " ").replace("-", " ")))


def negated(statement: str, random: Random) -> str:
    if is_question(statement):
        return random.choice(
            ('The answer to "{0}" is no.', "{0} - no", "The right answer is no: {0}")
        ).format(statement)
    if is_plain(statement) and random.random() < 0.5:
        return random.choice(NEGATIONS).format(_lowered(statement))
    return random.choice(DENIALS).format(statement)


def wrapped(statement: str, random: Random) -> str:
    """The statement announced as one, or asked about."""
    wrap = random.choice(WRAPS)
    return statement if not is_plain(statement) else wrap.format(_lowered(statement).rstrip("."), statement)


def is_question(statement: str) -> bool:
    """Whether it is a yes-or-no question."""
    return statement.endswith("?") and bool(YES_OR_NO.match(POINTED.sub("", statement, count=1)))


def is_framed(statement: str) -> bool:
    """Whether the statement is announced as one, denied or addressed to somebody."""
    return bool(WRAPPING.match(statement)) or statement.endswith("? - no")


def is_plain(statement: str) -> bool:
    """Whether it is one sentence that says something, and has no frame yet."""
    return (
        not statement.endswith("?")
        and not is_framed(statement)
        and not re.search(r"[.:?!] ", statement)
        and "`" not in statement[:1]
    )


def _lowered(statement: str) -> str:
    return (
        statement[:1].lower() + statement[1:]
        if statement[:2].istitle() or statement[:2] in ("I ", "A ")
        else statement
    )


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
    word, between = random.choice(KEY_WORDS), random.choice(("", "_", "_", "-", " "))
    width = random.choice((1, 1, 2))
    if random.random() < 0.2:
        word = word.upper()
    return [f"{word}{between}{i:0{width}d}" for i in range(start, start + count)]
