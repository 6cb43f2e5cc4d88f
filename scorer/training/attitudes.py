"""What a named writer thinks of something: rows of opinions, quoted as
somebody's words, and claims about that person."""

from random import Random

from .asked import Request
from .facts import FIRST_NAMES
from .present import Presenter

# What the opinions of a task are about; {q} is the row's own target.
TARGETS = {
    "imdb_polarity": ("the film", "the movie", "it"),
    "pros_cons": ("the product", "the device", "it", "the thing"),
    "aspect_sentiment_restaurant": ("the {q}",),
    "aspect_sentiment_laptop": ("the {q}",),
}
REPORTS = (
    "{who} wrote: {t}",
    '{who} about {what}: "{t}"',
    '"{t}" ({who})',
    "{who}: {t}",
    "{t}\n- {who}",
    "According to {who}, '{t}'",
    "What {who} said of {what} was this: {t}",
)
LIKES = (
    "{who} likes {what}.",
    "{who} liked {what}.",
    "{who} was pleased with {what}.",
    "{who} speaks well of {what}.",
    "{who} would recommend {what}.",
    "{who} enjoyed {what}.",
    "{who} is happy with {what}.",
    "{who} thinks highly of {what}.",
    "{who} has a good opinion of {what}.",
)
UNLIKES = (
    "{who} does not like {what}.",
    "{who} didn't like {what}.",
    "{who} was not pleased with {what}.",
    "{who} complains about {what}.",
    "{who} would not recommend {what}.",
    "{who} was disappointed by {what}.",
    "{who} is unhappy with {what}.",
    "{who} thinks little of {what}.",
    "{who} has a poor opinion of {what}.",
    "{who} dislikes {what}.",
)
WRITERS = ("the writer", "the author", "the customer", "this person", "the reviewer")


def request(name: str, row: dict, random: Random, presenter: Presenter) -> Request:
    """Labels run from negative to positive, with neutral between them if there are three."""
    text, what = row["s"], random.choice(TARGETS[name]).format(q=row.get("q"))
    told = random.random() < 0.8
    who = random.choice(FIRST_NAMES) if told else random.choice(WRITERS)
    likes, dislikes = row["y"] == (1 if "{q}" not in TARGETS[name][0] else 2), row["y"] == 0
    asked = []
    for _ in range(random.choice((1, 2))):
        says = random.random() < 0.5
        claim = random.choice(LIKES if says else UNLIKES).format(who=who, what=what)
        asked.append(presenter.noul(claim, likes if says else dislikes))
    if not told:
        return text, asked
    if random.random() < 0.2:
        return {
            random.choice(("author", "from", "by", "customer")): who,
            random.choice(("text", "review", "comment")): text,
        }, asked
    return random.choice(REPORTS).format(who=who, what=what, t=text), asked
