"""Runs TypeSafe's own Python SDK, unmodified, against a running service: systemone_client.py URL KEY."""

import sys

from typesafe_sdk import (
    Choice,
    Noul,
    RetryPolicy,
    Score,
    TypeSafeAuthenticationError,
    TypeSafeBadRequestError,
    TypeSafeClient,
    TypeSafeNotFoundError,
    TypeSafeUnprocessableEntityError,
)

url, key = sys.argv[1:]
QUESTIONS = {
    "refund": Noul(
        instructions="Is the customer asking for money back?", criteria={"true": "They want a refund"}
    ),
    "team": Choice(criteria={"billing": "Payments", "technical": {"what": "Bugs"}, "sales": None}),
    "anger": Score(instructions={"scale": "frustration"}, criteria=["Calm", {"label": "Angry"}]),
}
TICKET = "I was charged twice for March. Refund me today!"


def expect(kind, message, call):
    try:
        call()
    except kind as error:
        assert message in str(error), str(error)
        assert error.request_id.startswith("req_"), error.request_id
        return
    raise AssertionError(f"no {kind.__name__}")


with TypeSafeClient(api_key=key, base_url=url, retry=RetryPolicy(max_retries=3)) as client:
    # The SDK sends the larger body as zstd of its own accord, if Python can.
    for state in (TICKET, {"history": [TICKET] * 50}):
        result = client.system_one(state=state, questions=QUESTIONS)
        assert 0 <= result.nouls["refund"].noul <= 1
        assert result.choices["team"].choice in {"billing", "technical", "sales"}
        assert abs(sum(result.choices["team"].probabilities.values()) - 1) < 1e-9
        assert result.scores["anger"].legend == {0: "Calm", 1: {"label": "Angry"}}
        assert result.usage.input_tokens > 0 and result.usage.output_tokens == 0
    assert client._config.compression == "zstd"

    assert "jev-latest" in {model.name for model in client.models.list().models}

    ask = lambda **change: client.system_one(**{"state": TICKET, "questions": QUESTIONS, **change})
    expect(TypeSafeNotFoundError, "model", lambda: ask(model="no-such-model"))
    expect(
        TypeSafeUnprocessableEntityError,
        "questions.q.type",
        lambda: ask(questions={"q": {"type": "boolean"}}),
    )
    expect(TypeSafeBadRequestError, "tokens", lambda: ask(state="lorem ipsum dolor " * 60_000))

with TypeSafeClient(api_key="wrong", base_url=url) as stranger:
    expect(TypeSafeAuthenticationError, "key", lambda: stranger.models.list())

print("typesafe-sdk reads every answer and error.")
