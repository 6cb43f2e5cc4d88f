"""What the kinds of tasks (their `group` in the corpus) are drawn for, and how often."""

# A task is drawn by the square root of its size times the weight of its kind, which is small for kinds
# that are at chance on their own rows after 100 million tokens.
KIND_WEIGHTS = {
    "tabular": 0.1,
    "ordinal tabular": 0.1,
    "math": 0.1,
    "trivia": 0.15,
    "science": 0.15,
    "exams": 0.2,
    "grammar": 0.2,
    "persona": 0.4,
    "code comments": 0.6,
    "genre": 0.6,
    "emoji": 0.1,
    "word knowledge": 0.3,
    "bias": 0.2,
    "fact checking": 0.2,
    "ordinal maturity": 0.5,
    "paraphrase": 1.5,
    "ordinal similarity": 1.5,
    "answer selection": 2.0,
    "temporal commonsense": 1.5,
    "coreference": 1.3,
    "logic": 1.3,
    "reading comprehension": 2.0,
    "reading comprehension with unknown option": 1.5,
    "medical QA": 1.5,
    "legal": 1.5,
    "sentiment": 2.3,
    "topic": 2.2,
    "intent": 2.0,
    "intent with descriptions": 2.0,
    "emotion": 1.8,
    "toxicity": 2.0,
    "routing": 1.3,
    "routing with descriptions": 1.3,
    "dialogue act": 1.3,
    "stance": 2.0,
    "security": 1.5,
    "question type": 1.3,
    "commonsense": 0.3,
    "comparison": 0.3,
    "ordinal sentiment": 1.8,
    "ordinal empathy": 0.8,
    "ordinal severity": 1.5,
    "ordinal difficulty": 0.2,
    "ordinal quality": 0.2,
}
# Questions about what someone wants or where something belongs: for a text of another kind, none of the
# options is right.
ROUTING_KINDS = (
    "intent",
    "intent with descriptions",
    "routing",
    "routing with descriptions",
    "security",
    "slot value",
    "dialogue act",
)
# What these are asked about is the same in a mail or a talk. Formality, length or kind of text would not be.
RECEIVED_KINDS = frozenset(
    (
        "intent",
        "intent with descriptions",
        "routing",
        "routing with descriptions",
        "sentiment",
        "ordinal sentiment",
        "topic",
        "emotion",
        "toxicity",
        "stance",
    )
)
# Cutting these would cut the evidence, which stands in one place. Rows that are too long are not drawn.
UNCUT_KINDS = frozenset(
    (
        "reading comprehension",
        "reading comprehension with unknown option",
        "table fact checking",
        "logic",
        "exams",
        "medical QA",
        "legal",
        "math",
        "coreference",
        "slot value",
        "dialogue state",
        "agent decision",
        "answer selection",
        "temporal commonsense",
        "nli",
        "paraphrase",
        "ordinal similarity",
        "ordinal empathy",
        "comparison",
        "sentiment",
        "ordinal sentiment",  # a review says first what a film is about, and what the writer thinks of it at its end
    )
)
# Texts of these kinds are set next to each other, to ask which have the same answer.
ALIKE_KINDS = (
    "topic",
    "intent",
    "routing",
    "sentiment",
    "emotion",
    "dialogue emotion",
    "question type",
    "toxicity",
    "security",
    "stance",
)
