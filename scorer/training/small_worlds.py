"""What is true in a world of a few people: for the self-checks, an
independent way to know what follows from what."""

from random import Random

from .quantifiers import MEANING, Sentence

# How many (`did`) out of a number of people (`of`) must have done it.
HOLDS = {
    "all": lambda did, of: did == of,
    "some": lambda did, of: did > 0,
    "three": lambda did, of: did > 2,
    "two": lambda did, of: did > 1,
    "none": lambda did, of: did == 0,
    "at most two": lambda did, of: did < 3,
    "at most five": lambda did, of: did < 6,
    "under four": lambda did, of: did < 4,
    "not all": lambda did, of: did < of,
    "most": lambda did, of: 2 * did > of,
    "exactly two": lambda did, of: did == 2,
}


def world(said: Sentence, claim: Sentence, random: Random) -> list[tuple]:
    """People, and what each did to what and when, made from the words
    of the two sentences and one more of each."""
    pick = lambda words: {word for word in words if random.random() < 0.7}
    both = (said, claim)
    things = [s.thing for s in both if s.thing]
    people = [s.subject for s in both if not isinstance(s.subject, str)]
    some = lambda of, field: {word for thing in of for word in getattr(thing, field)}
    verbs = {s.verb[0] for s in both} | {s.joined[1][0] for s in both if s.joined}
    eager, likely = random.choice((0.1, 0.5, 0.9, 1.0)), random.choice((0.3, 0.9))
    out = []
    for _ in range(random.choice((1, 2, 3, 4, 7))):
        deeds = [
            (
                verb,
                random.randrange(-1, 3) if random.random() > likely else 0,
                pick(some(things, "adjectives")),
                pick({when for s in both for when in s.when}),
            )
            for verb in verbs
            if random.random() < eager
            for _ in range(random.choice((1, 2)))
        ]
        out.append(
            (
                random.randrange(-1, 3) if random.random() > likely else 0,
                pick(some(people, "adjectives") | some(people, "after")),
                deeds,
            )
        )
    return out


def is_true(sentence: Sentence, world: list[tuple]) -> bool | None:
    """None if there is nobody the sentence is about."""

    def did(deeds: list[tuple], verb: list[str]) -> bool:
        return any(
            name == verb[0]
            and set(sentence.when) <= when
            and (
                sentence.thing is None
                or (0 <= width <= sentence.thing.at and set(sentence.thing.adjectives) <= marks)
            )
            for name, width, marks, when in deeds
        )

    def acted(deeds: list[tuple]) -> bool:
        if not sentence.joined:
            return did(deeds, sentence.verb)
        word, other = sentence.joined
        return (all if word == "and" else any)((did(deeds, sentence.verb), did(deeds, other)))

    if isinstance(sentence.subject, str):
        return acted(world[0][2]) != sentence.denied
    subject = sentence.subject
    meant = [
        deeds
        for width, marks, deeds in world
        if 0 <= width <= subject.at and {*subject.adjectives, *subject.after} <= marks
    ]
    return HOLDS[MEANING[sentence.count]](sum(map(acted, meant)), len(meant)) if meant else None
