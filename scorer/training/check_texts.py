"""Self-checks of how a request becomes tokens: `python -m scorer.training.check` runs them."""

import json
from random import Random

from .paths import focused_spans, locate, parse
from .render import BLOCK, option_name, render, text_of
from .tokenizer import FIRST_BYTE, NEWLINE, Tokenizer

PIECES = 'a b c ab red green blue text row ##a ##b ##c ##s e ##e 1 2 [ ] { } " : , . ` 東'.split()
TOKENIZER = Tokenizer([f"[unused{i}]" for i in range(1000)] + PIECES)


def tokenizer_loses_nothing() -> None:
    pieces = lambda text: [TOKENIZER.vocabulary[i] for i in TOKENIZER.encode(text)]
    assert pieces("ÄB") == ["ab"], "case and marks fall away"
    assert pieces("ab[unused1]")[:3] == ["ab", "[", *pieces("unused1")[:1]], "text yields no special token"
    assert TOKENIZER.encode("a\nb")[1] == NEWLINE
    emoji = [FIRST_BYTE + byte for byte in "🙂".encode()]
    assert TOKENIZER.encode("ab🙂s") == [TOKENIZER.ids["ab"], *emoji, TOKENIZER.ids["##s"]]
    assert TOKENIZER.encode("a東b") == [TOKENIZER.ids[p] for p in ("a", "東", "b")]
    assert len(TOKENIZER.encode("z" * 250)) == 250
    for text in ("a\u200db\r\n 🙂é", "東\tab", "{}", "İ ß Σ", ""):
        ids, spans = TOKENIZER.encode_with_spans(text)
        assert ids == TOKENIZER.encode(text)
        assert all(0 <= start < end <= len(text) for start, end in spans) and spans == sorted(spans)


def paths_point_at_their_part() -> None:
    state = {"a b": [1, {"c": 'x,"y'}], "d": {"e.f": None, "g": []}, "h": "日本"}
    compact = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    for path, part in {
        "a b[1].c": 'x,"y',
        "a b[0]": 1,
        'd["e.f"]': None,
        "d.g": [],
        "h": "日本",
        "d": state["d"],
    }.items():
        start, end = locate(state, parse(path))
        assert json.loads(compact[start:end]) == part, path
    assert focused_spans("`nothing` and `a b[7]` and `d..g` and `.d`", state) == []
    assert len(focused_spans("compare `h` with `d.g`", state)) == 2
    assert text_of({"a\nb": "c\r\n\\n"}) == '{"a  b":"c    \\\\n"}' and text_of("a\n") == "a\n"
    assert focused_spans("`b`", broken := {"a": "\n\t", "b": 1}) == [
        (text_of(broken).index("1"), text_of(broken).index("1") + 1)
    ]
    for prose in (r'`["\q"]`', r'`d["\ud8"]`', "`a b[\u0660]`", "`" + "[0]" * 129 + "`"):
        assert focused_spans(prose, state) == [], prose
    assert parse(f"[{'0' * 5000}1]") == [1] and locate(state, parse(f"d.g[{'9' * 5000}]")) is None
    told = 'is `d["e.f"]` null'
    assert focused_spans(json.dumps({"what": told}), state) == focused_spans(told, state) != []


def names_are_parted_at_capitals() -> None:
    """As scorer/core/rendering/option-name.test.ts wants it."""
    tokenizer = Tokenizer(["youtube", "a", "##a"])
    for key, name in {
        "RefundRequest": "Refund_Request",
        "SheWantsAToy": "She_Wants_A_Toy",
        "HTTPServerError": "HTTP_Server_Error",
        "Tier2Support": "Tier2_Support",
        "parseURLs": "parse_URLs",
        "alarm.SetNew/FromNow": "alarm.Set_New/From_Now",
        "YouTube or TikTok": "YouTube or Tik_Tok",
        "refund_request": "refund_request",
        "größeÄnderung": "größeÄnderung",
    }.items():
        assert option_name(key, tokenizer) == name, key


def framing_is_the_bill() -> None:
    for seed in range(20):
        state, questions = request(Random(seed))
        rendered = render(state, questions, TOKENIZER)
        options = sum(len(q.openings) for q in rendered.questions)
        markers = [
            i
            for row in (rendered.state, *(q.ids for q in rendered.questions))
            for i in row
            if i < 11 or i in (12, 13, 14, 101, 102)
        ]
        assert len(markers) == 4 + 3 * len(questions) + 2 * options


def focus_reaches_its_part_only() -> None:
    rendered = render(
        {"a": "red", "b": "green"},
        [{"type": "noul", "instructions": "`b` is row", "criteria": None}],
        TOKENIZER,
    )
    focused = [TOKENIZER.vocabulary[rendered.state[i]] for i in rendered.questions[0].focus]
    assert focused == ['"', "green", '"']


def request(random: Random) -> tuple[object, list[dict]]:
    words = lambda n: " ".join(random.choice(PIECES[:9]) for _ in range(n))
    state = (
        {"text": words(random.choice((3, 30, 2 * BLOCK))), "row": [words(2), {"a": words(3)}]}
        if random.random() < 0.7
        else words(9)
    )
    told = lambda: random.choice((None, words(4), "`row[1].a` " + words(2), {"about": "`row`"}))
    questions = []
    for _ in range(random.randint(1, 3)):
        kind = random.choice(("choice", "noul", "score"))
        criteria = {
            "choice": {
                f"{words(1)} {n}": random.choice((None, words(3), {"what": words(2)}))
                for n in range(random.randint(1, 6))
            },
            "noul": random.choice((None, {"true": words(2)}, {"true": words(1), "false": words(2)})),
            "score": [words(2) for _ in range(random.randint(2, 5))],
        }[kind]
        questions.append({"type": kind, "instructions": told(), "criteria": criteria})
    return state, questions


CHECKS = (
    tokenizer_loses_nothing,
    paths_point_at_their_part,
    names_are_parted_at_capitals,
    framing_is_the_bill,
    focus_reaches_its_part_only,
)
