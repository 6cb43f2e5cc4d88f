"""Self-checks of how rows are asked: `python -m scorer.training.check` runs them."""

import json
import lzma
import re
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np

from . import alike, heldout
from .asked import DrawAgain, noul, plain
from .composed import Books
from .corpus import Corpus, load, state_code, state_key
from .labelled import from_request
from .mixture import Mixture
from .pairs import PAIRS, SAYS_THE_SAME, ask_pair
from .present import Presenter
from .render import text_of
from .repairs import repaired
from .textual import Texts
from .wording import NONE_OF_THESE, leaves_open, restyled

TASK = {
    "type": "choice",
    "group": "topic",
    "instructions": ["Which colour?", "Name the colour."],
    "variants": [[["red", "like blood"], ["green", "like grass"], ["blue", "like the sky"], ["black", None]]],
    "statements": ["The colour is {label}."],
}


def presentations_keep_the_answer() -> None:
    corpus = Corpus({"colour": TASK})
    corpus.by_label = {"colour": {}}
    presenter = Presenter(corpus, Random(1))
    kinds = set()
    for n in range(2000):
        label = n % 4
        try:
            question, gold = presenter.ask("colour", {"s": "x", "y": label})
        except DrawAgain:
            continue
        kinds.add(question["type"])
        criteria = json.dumps(question["criteria"]).lower()
        if question["type"] == "noul" or any(
            word in criteria for word in ("yes", "true", "correct", "holds", "agree")
        ):
            continue
        key, described = list(question["criteria"].items())[gold]
        shown = f"{key} {json.dumps(described)}".lower()
        name, about = TASK["variants"][0][label]
        assert any(word in shown for word in (name, about or name, *NONE_OF_THESE)), (question, gold)
    assert kinds == {"choice", "noul"}
    assert plain(TASK, {"s": "x", "y": 2}) == (
        {
            "type": "choice",
            "instructions": "Which colour?",
            "criteria": dict(map(tuple, TASK["variants"][0])),
        },
        2,
    )


def what_an_answer_needs_is_there() -> None:
    """Rows that ask about something of their own lose neither that nor the
    end of the text, whether alone or in an array."""
    read = {
        "type": "choice",
        "group": "reading comprehension",
        "instructions": ["How ends {q}?"],
        "statements": ["The end of {q} is {label}."],
        "variants": [[["negative", None], ["neutral", None], ["positive", None]]],
    }
    row = lambda text, **own: json.dumps({"s": text, "y": 1, **own})
    train = {
        "read": [row("word " * length + "needle", q="the tale") for length in (10, 150)],
        "colour": [row("sea " * length) for length in (5, 300)],
    }
    corpus = Corpus({"read": read, "colour": TASK}, train=train)
    mixture, random = Mixture(corpus, None, None), Random(7)  # neither texts nor facts are drawn from
    presenter, met = Presenter(corpus, random), set()
    for n in range(1500):
        source = ("row", "array")[n % 2]
        try:
            state, asked = mixture.sources[source](random, presenter)
        except DrawAgain:
            continue
        state = text_of(state)
        if not ("word word" in state or "sea sea" in state):  # texts of a phrase book
            continue
        for question, _ in asked:
            told = text_of(question["instructions"] or "") + json.dumps(question["criteria"])
            of_tale = (
                any(label in told.lower() for label in ("negative", "neutral", "positive")) or "{q}" in told
            )
            assert not of_tale or "the tale" in told, question
            assert "the tale" not in told or "needle" in state, state
            met.add((source, of_tale))
    assert {("row", True), ("array", True), ("array", False)} <= met, met


def misfits_choose_what_leaves_it_open() -> None:
    """For a text of another kind, only an option that leaves it open is
    right. The task may have one of its own."""
    task = {
        "type": "choice",
        "group": "slot value",
        "instructions": ["Which size?"],
        "variants": [[["small", None], ["large", None], ["not mentioned", None]]],
    }
    presenter = Presenter(Corpus({"size": task}), Random(8))
    for _ in range(500):
        question, gold = presenter.misfit("size", {"s": "x", "y": 0})
        assert [place for place, key in enumerate(question["criteria"]) if leaves_open(key)] == [gold], (
            question
        )


def what_leaves_it_open_is_told_from_what_does_not() -> None:
    for name in (
        *NONE_OF_THESE,
        "Undetermined",
        "Not answerable",
        "Can't answer",
        "not_enough_info",
        "Cannot be determined",
        "no clear emotion",
        "other information",
        "Nobody",
    ):
        assert leaves_open(name), name
    for name in (
        "asks for other options",
        "General Practitioner",
        "talk to each other",
        "unknown_charge",
        "general surgery",
        "another",
        "no damage",
    ):
        assert not leaves_open(name), name


def misfits_come_from_another_source() -> None:
    """A text of the same source may be just what is asked about."""
    wish = {"source": "talks", **TASK, "group": "intent", "instructions": ["What is wanted?"]}
    train = {"wish": ['{"s": "a wish", "y": 0}'], "slot": ['{"s": "gulls", "y": 0}']}
    corpus = Corpus({"wish": wish, "slot": {"source": "talks", **TASK}}, train=train)
    mixture, random = Mixture(corpus, None, None), Random(1)
    presenter = Presenter(corpus, random)
    for _ in range(1000):
        try:
            state, asked = mixture.sources["row"](random, presenter)
        except DrawAgain:
            continue
        assert not ("gulls" in text_of(state) and "wanted" in json.dumps(asked).lower()), (state, asked)


def statements_are_framed_once() -> None:
    """A statement is announced, asked about or denied, at most one of these,
    and only yes-or-no questions are treated as such."""
    frames = re.compile(
        r"statement:|claim:|check:|true or false:|is it true|is this true|does this hold|is the following|it is (not|false)|the following is|this is wrong|not true:|the statement \"|the answer to \"",
        re.IGNORECASE,
    )
    presenter, bare = Presenter(Corpus({}), Random(11)), 0
    for n in range(4000):
        statement = ("The box is red.", "Is the box red?", "Merge with: how do I open the box?")[n % 3]
        asked = [presenter.noul(statement, True)]
        for question, _ in asked + presenter.said_again(asked):
            told = text_of(question["instructions"] or "").lower()
            assert len(frames.findall(told)) + told.endswith("? - no") <= 1, told
            assert n % 3 != 2 or not (told.endswith("no") or "answer" in told.replace("please answer", "")), (
                told
            )
            assert n % 3 != 1 or "is it true that" not in told, told
            bare += not frames.search(told)
    assert bare > 2000, bare


def names_are_in_one_style() -> None:
    names = [("two words", None), ("three of them", None), ("one", None)]
    styles = {tuple(name for name, _ in restyled(names, Random(seed))) for seed in range(300)}
    assert len(styles) == 6 and all("_" in b for a, b, _ in styles if "_" in a), styles
    sentence = [("She wanted to give the baby a toy.", None)]
    assert all(restyled(sentence, Random(seed)) == sentence for seed in range(50))


def pairs_are_asked_as_what_they_are() -> None:
    """Whether two texts say the same is not asked as entailment, nor by the second
    text alone, which would be a claim about the first."""
    row = {"s": {"sentence_1": "A dog ran home and slept.", "sentence_2": "A dog ran home."}, "y": 0}
    task = {"type": "noul", "group": "paraphrase", "instructions": ["The two say the same."]}
    presenter, random = Presenter(Corpus({"mrpc": task}), Random(12)), Random(12)
    assert PAIRS["mrpc"].templates is SAYS_THE_SAME and not PAIRS.keys() & set(heldout.UNSETTLED)
    for _ in range(1000):
        _, (question, _) = ask_pair(presenter, "mrpc", row, 0.3, random)
        told = text_of(question["instructions"] or question["criteria"]).lower()
        assert told.rstrip(".") != "a dog ran home" and not any(
            "entail" in key or "follow" in key or "support" in key for key in question["criteria"] or ()
        ), question


def rows_do_not_tell_their_answers() -> None:
    """Neither the form of a name nor options that are never right give the answer away, and
    what is asked about a whole talk comes with the whole talk."""
    talk = lambda n, first="user": {"conversation": [f"{first}: talk {n}"]}
    lines = lambda rows: [json.dumps(row) for row in rows]
    buses = [["Buses_1", "a"], ["Buses_11", "b"], ["Buses_12", "c"]]
    flights = [["Flights_2", "d"], ["Flights_21", "e"]]
    rows = [
        {
            "s": talk(n),
            "o": [buses[0], flights[1]] if n % 2 else [buses[n % 3], flights[0]],
            "y": 0 if n % 2 else 1,
        }
        for n in range(300)
    ]
    named = [row["o"][row["y"]] for row in map(json.loads, repaired("sgd_service", lines(rows), {}))]
    assert all(named.count(form) > 20 for form in (*buses, *flights))
    find, book, ride = ["Find", "Find a hotel"], ["Book", "Book rooms"], ["Ride", "Call a taxi"]
    rows = [{"s": talk(n), "o": [find, book, ["Seek", "Seek a bed"]], "y": n % 2} for n in range(4)] + [
        {"s": talk(n), "o": [ride, ["Trip", "Order a lift"]], "y": 0} for n in range(4, 8)
    ]
    for row, kept in zip(rows, map(json.loads, repaired("sgd_intent", lines(rows), {}))):
        assert (
            kept["o"][kept["y"]] == row["o"][row["y"]]
            and len(kept["o"]) == len(row["o"])
            and all(option in (find, book, ride) for option in kept["o"])
        ), kept
    rows = [{"s": talk(n, ("user", "assistant")[n % 2]), "y": n % 4 // 2} for n in range(400)]
    kept = [json.loads(line) for line in repaired("sgd_slot_known", lines(rows), {})]
    assert (
        all(row["s"]["conversation"][0].startswith("user") for row in kept)
        and sum(row["y"] for row in kept) == 100
        and 15 < len(kept) - 100 < 55
    )
    rows = [
        {"s": {"required": ["a"], "collected": {"a": 1} if n % 2 else {}, "n": n}, "y": n % 4 == 1}
        for n in range(400)
    ]
    kept = [json.loads(line) for line in repaired("sgd_ready_to_call", lines(rows), {})]
    assert (
        all(row["y"] == ("a" in row["s"]["collected"]) for row in kept)
        and 30 < sum(row["y"] for row in kept) < 70
        and len(kept) > 200
    )
    described = {
        "variants": [
            [["music", None], ["newest", None], ["history", None]],
            [["about music", None], ["the newest", None], ["about history", None]],
        ]
    }
    kept = repaired("trivia_category", lines([{"s": "x", "y": n} for n in range(3)]), described)
    assert [json.loads(line)["y"] for line in kept] == [0, 1] and [
        [name for name, _ in variant] for variant in described["variants"]
    ] == [["music", "history"], ["about music", "about history"]]
    rows = [
        {"s": str(n), "o": ["the first", "the second", "Not enough info"], "y": 2 if n % 2 else 0}
        for n in range(400)
    ]
    assert 70 < sum('"y": 2' in line for line in repaired("bbq", lines(rows), {})) < 130


def denials_are_thinned() -> None:
    questions = {str(n): {"type": "noul", "instructions": "so?", "label": n < 2} for n in range(4)}
    questions["where"] = {
        "type": "choice",
        "criteria": {"here": None, "not_stated": None},
        "label": "not_stated",
    }
    questions["how far"] = {"type": "score", "criteria": ["little", "much"], "label": 0}
    asked = [
        question
        for seed in range(800)
        for question in from_request(
            json.dumps({"state": "x", "questions": questions}), Random(seed), 0.5, most=9
        )[1]
    ]
    found = Counter((question["type"], gold) for question, gold in asked)
    assert found["score", 0] + found["score", 1] == 800, "the lowest level denies nothing"
    assert found["noul", 0] > 1.6 * found["noul", 1], found
    assert 100 < found["choice", 0] + found["choice", 1] < 300, found


def reviews_keep_their_end() -> None:
    """A review says what the film is about first, and what the writer thinks of it at the end."""
    task = {
        "type": "choice",
        "group": "sentiment",
        "instructions": ["Liked?"],
        "variants": [[["negative", None], ["positive", None]]],
    }
    train = [
        json.dumps({"s": "a story goes on " * length + "verdict", "y": n}) for n, length in enumerate((9, 90))
    ]
    corpus, random = Corpus({"imdb_polarity": task}, train={"imdb_polarity": train}), Random(13)
    mixture, presenter, met = Mixture(corpus, None, None), Presenter(corpus, random), 0
    for n in range(600):
        try:
            state = text_of(mixture.sources[("row", "attitude")[n % 2]](random, presenter)[0])
        except DrawAgain:
            continue
        met += "verdict" in state
        assert "verdict" in state, state
    assert met > 300


def texts_are_prose() -> None:
    """No claim is made of fields, code or quotes, titles are real
    titles, and sentences continue across line ends."""
    post = (
        "From: ann@example.org (Ann)\nSubject: Re: A title of some words\nOrganization: Institute of Many Things, Town.\nLines: 9\n> quoted words of somebody else here.\nThe first sentence of this post goes on over the end of a line that\n"
        "is long enough, as Mr. Smith said. It is followed by another one.\nCode such as a[1] | sort {{now}} is no prose.\nA heading alone\nThe last sentence is said by nobody else.\n\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "some.txt.xz").write_bytes(lzma.compress(post.encode()))
        (document,) = Texts(Path(folder), ("some",)).documents
    first = "The first sentence of this post goes on over the end of a line that is long enough, as Mr. Smith said."
    assert document.title == "A title of some words", document
    assert document.sentences == [
        first,
        "It is followed by another one.",
        "The last sentence is said by nobody else.",
    ], document


def only_requests_have_duplicates() -> None:
    """In books of texts with several aspects a label says only what a text is about,
    so two texts of one kind of junk mail are not duplicates."""
    books, random = Books(Corpus({})), Random(14)
    requests = {tuple(book.main["asks"]) for book in books.books if len(book.aspects) == 1}
    groups = [books.matters(random) for _ in range(400)]
    assert (
        all(group.matter == (tuple(group.asks) in requests) for group in groups)
        and len({group.matter for group in groups}) == 2
    )


def texts_of_a_label_ask_the_same() -> None:
    questions, random = alike.Questions(), Random(9)
    for _ in range(500):
        group = questions.group(random)
        for label in set(group.labels):
            texts = {group.draw(label, random) for _ in range(9)}
            assert len(texts) == 1 or any(texts <= set(same) for same, _ in questions.blocks), texts


def what_is_held_out_stays_out() -> None:
    """No row of a left-out task is trained on, and none that repeats a never-trained text or a
    sentence of it. One state in twenty is kept for validation."""
    secret = "What a strange and lovely little film this is!"
    rows = {
        "dnc_sentiment": [f"When asked about the movie, Ana said, '{secret} '."],
        "race": ["a text whose terms forbid it"],
        "argus_yesno": ["news that settles nothing"],
        "sgd_slot_known": [
            {"conversation": ["assistant: And when?", "user: At nine."]}
        ],  # the beginning of the talk is lost
        "imdb_polarity": [
            f"I went to see it. {secret} Go!",
            {"review": [secret.upper().rstrip("!")]},
            *(f"review number {n}" for n in range(400)),
        ],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tasks").mkdir()
        (folder / "tasks.json").write_text(
            json.dumps({task: {**TASK, "file": f"{task}.xz"} for task in rows}), encoding="utf-8"
        )
        for task, texts in rows.items():
            lines = "\n".join(json.dumps({"t": task, "s": text, "y": 0}) for text in texts)
            (folder / "tasks" / f"{task}.xz").write_bytes(lzma.compress(lines.encode()))
        corpus = load(folder, None)
    assert corpus.train.keys() | corpus.validation.keys() == {"imdb_polarity"} and corpus.dropped == 2, (
        corpus.dropped
    )
    assert state_code("plumless") == state_code("buckeroo") and state_key("plumless") != state_key(
        "buckeroo"
    ), "what is asked of one state is not asked of another"
    trained, kept = (
        {json.loads(line)["s"] for line in part["imdb_polarity"]}
        for part in (corpus.train, corpus.validation)
    )
    assert not any("strange" in text.lower() for text in trained | kept) and not trained & kept
    assert 5 < len(kept) < 40 and len(trained) + len(kept) == 400


def opaque_keys_say_nothing() -> None:
    """The right option is the first of those shown, but its key must not be the first."""
    task = {
        "type": "choice",
        "group": "topic",
        "instructions": ["Which?"],
        "variants": [[[f"label {n}", None] for n in range(20)]],
    }
    presenter, last = Presenter(Corpus({"many": task}), Random(3)), []
    for n in range(4000):
        question, gold = presenter.ask("many", {"s": "x", "y": n % 20})
        keys = sorted(question["criteria"] or ())
        if (
            question["type"] == "choice"
            and len(keys) > 2
            and all(len(key) == 1 and key.isupper() for key in keys)
        ):
            last.append(keys.index(list(question["criteria"])[gold]) / (len(keys) - 1))
    assert len(last) > 50 and 0.4 < np.mean(last) < 0.6, np.mean(last)


def what_is_said_again_agrees() -> None:
    presenter = Presenter(Corpus({}), Random(5))
    again = [
        found
        for n in range(2000)
        for found in presenter.said_again([noul("The box is red.", None, n % 2 == 0)])
    ]
    for question, _ in again:
        if question["type"] == "noul":
            assert question["instructions"] != "The box is red."
        else:
            assert len(question["criteria"]) == 2
    assert 200 < len(again) < 400
    says_yes = [
        gold
        for n in (0, 1)
        for question, gold in presenter.said_again([noul("The box is red.", None, n == 0)] * 500)
        if question["type"] == "noul" and gold == n
    ]
    assert not says_yes, "a denial has the other answer"


CHECKS = (
    presentations_keep_the_answer,
    what_an_answer_needs_is_there,
    misfits_choose_what_leaves_it_open,
    what_leaves_it_open_is_told_from_what_does_not,
    misfits_come_from_another_source,
    statements_are_framed_once,
    names_are_in_one_style,
    pairs_are_asked_as_what_they_are,
    rows_do_not_tell_their_answers,
    denials_are_thinned,
    reviews_keep_their_end,
    texts_are_prose,
    only_requests_have_duplicates,
    texts_of_a_label_ask_the_same,
    what_is_held_out_stays_out,
    opaque_keys_say_nothing,
    what_is_said_again_agrees,
)
