"""What the form costs in which a text is sent (mail, transcript, HTML …): the figures of docs/questions.md.

python -m scorer.training.received --corpus C --service http://127.0.0.1:8787 --key K

For each form: the share of right answers, its difference from that of the bare texts with one standard
error, and how far the probability of what the bare text is answered with moves on average.
"""

import argparse
import base64
import html
import quopri
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from . import askers, corpus, development

TASKS = ("yelp_sentences", "snips", "dnc_sentiment")
NOT_BESIDE = ("dnc_sentiment",)  # each row has a question of its own, which the other text may not answer
Form = Callable[[str, Random], object]

GREETING = "Hello,\n\n"
SIGNATURE = (
    "\n\nKind regards,\nMartin Weber\nHead of Procurement | Northfield Ltd.\nPhone: +44 20 7946 0112\n"
    "12 Mill Lane, Leeds LS1 4DL"
)
DISCLAIMER = (
    "\n\nThis e-mail and any attachments are confidential and intended solely for the addressee. If you have"
    " received it in error, please notify the sender and delete it. Any views are those of the author. Please"
    " consider the environment before printing this e-mail."
)
THREAD = (
    "On Tue, 3 Mar 2026 at 09:14, Desk <desk@example.com> wrote:\n> Hello Martin,\n>\n> your message"
    " has reached us under number 48213. Somebody will look at it\n> within two working days."
    " If there is anything to add, just answer this mail.\n>\n> Best wishes\n> Anna, Desk"
)
LINK = "https://click.example.com/t/c/9f3a7b21?utm_source=mail&utm_medium=link&utm_campaign=q3&uid=8812f0"
PARAGRAPH = "margin:0 0 12px 0;font-family:Arial,sans-serif;font-size:14px;color:#333333"
EMOJI = "📎📅👉🔧📦📍"


def whole_mail(text: str, random: Random) -> str:
    return f"{GREETING}{text}{SIGNATURE}{DISCLAIMER}\n\n{THREAD}"


def turns(text: str) -> list[tuple[str, str]]:
    return [
        ("agent", "Hello, this is Anna. What can I do for you?"),
        ("customer", "Hi, one moment please."),
        ("agent", "Of course, take your time."),
        ("customer", text),
        ("agent", "Thank you, I have noted that. Is there anything else?"),
        ("customer", "No, that is all."),
    ]


def entities(text: str, random: Random) -> str:
    """Markup escaped, and one space in ten one that does not break."""
    return re.sub(" ", lambda _: "&nbsp;" if random.random() < 0.1 else " ", html.escape(text))


def html_mail(text: str, random: Random) -> str:
    paragraphs = "".join(f'<p style="{PARAGRAPH}">{entities(p, random)}</p>' for p in text.split("\n") if p)
    return (
        '<!DOCTYPE html><html><head><meta charset="utf-8"><style>body{margin:0;padding:0}.x{line-height:1.4}'
        f'</style></head><body bgcolor="#ffffff"><div dir="ltr" class="x">{paragraphs}<br></div>'
        '<img src="https://t.example.com/o.gif?id=8812f0" width="1" height="1" alt=""></body></html>'
    )


def typeset(text: str, random: Random) -> str:
    """As word processors write it: curly quotes, dashes, spaces that do not break or have no width."""
    curled = re.sub(r'(^|[\s(])"', "\\1\u201c", text).replace('"', "\u201d").replace("'", "\u2019")
    space = lambda _: "\u00a0" if random.random() < 0.2 else " \u200b" if random.random() < 0.1 else " "
    return re.sub(" ", space, re.sub(r" --? ", " \u2013 ", curled))


def misspelled(text: str, random: Random) -> str:
    """One letter in twenty dropped, doubled, replaced or exchanged with the next."""
    out, at = [], 0
    while at < len(text):
        char = text[at]
        kind = random.randrange(4) if char.isalpha() and random.randrange(20) == 0 else None
        if kind is None:
            out.append(char)
        elif kind == 1:
            out.append(char * 2)
        elif kind == 2:
            out.append(random.choice("abcdefghijklmnopqrstuvwxyz"))
        elif kind == 3:
            out.append(text[at : at + 2][::-1])
            at += 1
        at += 1
    return "".join(out)


def after_sentences(text: str, addition: Callable[[], str]) -> str:
    return " ".join(f"{sentence} {addition()}" for sentence in re.split(r"(?<=[.!?])\s+", text))


def image(random: Random) -> str:
    return f"![logo](data:image/png;base64,{base64.b64encode(random.randbytes(450)).decode()})"


def envelope(text: str) -> dict:
    return {"id": "msg_01J8Z3K7", "created_at": "2026-03-03T11:02:45Z", "channel": "email", "text": text}


# With the path of the text, if it has one: the question is then also asked with it.
FORMS: dict[str, tuple[Form, str | None]] = {
    "greeting and signature": (lambda t, _: GREETING + t + SIGNATURE, None),
    "whole mail": (whole_mail, None),
    "whole mail in a JSON field": (lambda t, r: envelope(whole_mail(t, r)), "text"),
    "transcript": (lambda t, _: "\n".join(f"{who.title()}: {said}" for who, said in turns(t)), None),
    "turns in JSON": (lambda t, _: [{"from": who, "text": said} for who, said in turns(t)], "[3].text"),
    "JSON": (lambda t, _: envelope(t), "text"),
    "HTML": (html_mail, None),
    "quoted-printable": (lambda t, r: quopri.encodestring(typeset(t, r).encode()).decode(), None),
    "UTF-8 read as Windows-1252": (lambda t, r: typeset(t, r).encode().decode("cp1252", "replace"), None),
    "curly quotes": (typeset, None),
    "mathematical letters": (
        lambda t, _: re.sub("[a-z]", lambda c: chr(0x1D41A + ord(c[0]) - ord("a")), t),
        None,
    ),
    "image in base64": (lambda t, r: f"{t}\n\n{image(r)}", None),
    "links": (lambda t, r: after_sentences(t, lambda: f"<{LINK}{r.randrange(16**6):06x}>"), None),
    "emoji": (lambda t, r: after_sentences(t, lambda: r.choice(EMOJI)), None),
    "letters wrong": (misspelled, None),
    "capitals": (lambda t, _: t.upper(), None),
    "no punctuation": (lambda t, _: re.sub(r"[^\w\s]", "", t), None),
    "twice": (lambda t, _: f"{t}\n\n{t}", None),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", required=True, type=Path)
    parser.add_argument("--service", required=True, help="measure the service at this address")
    parser.add_argument("--key", required=True, help="its bearer key")
    parser.add_argument("--rows", type=int, default=300, help="rows a task")
    args = parser.parse_args()
    ask = askers.of_service(args.service, args.key, askers.ANY_SNAPSHOT)
    data = corpus.load_never_trained(args.corpus)
    for task in TASKS:
        measure(ask, development.items(data, (task,), args.rows))


def measure(ask: askers.Asker, items: list[development.Item]) -> None:
    task = items[0].task
    bare = askers.singly(ask, [(i.state, i.question) for i in items])
    right = lambda answers: np.array([a.argmax() == i.gold for a, i in zip(answers, items)], float)

    def report(how: str, answers: list[np.ndarray]) -> None:
        gain = right(answers) - right(bare)
        error = gain.std(ddof=1) / len(gain) ** 0.5
        moved = np.mean([abs(a[b.argmax()] - b.max()) for a, b in zip(answers, bare)])
        print(
            f"{task:15} {right(answers).mean():.3f} {gain.mean():+.3f} ± {error:.3f} {moved:.3f}  {how}",
            flush=True,
        )

    report("bare", bare)
    others = {} if task in NOT_BESIDE else beside([i.state for i in items])
    for how, (form, path) in (FORMS | others).items():
        answers = ask(
            [
                (form(i.state, Random(n)), [i.question, *([pointed(i.question, path)] if path else [])])
                for n, i in enumerate(items)
            ]
        )
        report(how, [a[0] for a in answers])
        if path:
            report(f"{how}, by path", [a[1] for a in answers])


def beside(texts: list[str]) -> dict[str, tuple[Form, str | None]]:
    """Above another text of the same task, as the one that is answered."""
    other = lambda random: (
        "On Tue, 3 Mar 2026 at 09:14, Eva wrote:\n" + textwrap.indent(random.choice(texts), "> ")
    )
    return {
        "another text quoted": (lambda t, r: f"{t}\n\n{other(r)}", None),
        "another text quoted, in JSON": (lambda t, r: {"text": t, "quoted": other(r)}, "text"),
    }


def pointed(question: dict, path: str) -> dict:
    return question | {"instructions": f"`{path}`: {question['instructions']}"}


if __name__ == "__main__":
    main()
