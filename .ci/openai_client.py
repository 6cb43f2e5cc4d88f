"""Runs OpenAI's own Python SDK, unmodified, against a running service: openai_client.py URL KEY."""

import asyncio
import sys

from openai import AsyncOpenAI, AuthenticationError, NotFoundError, OpenAI, UnprocessableEntityError

url, key = sys.argv[1:]
# Strict: an answer that the SDK's types do not describe is an error.
TYPED = {"api_key": key, "base_url": f"{url}/openai/v1", "_strict_response_validation": True}
REQUEST = {
    "model": "decider-1",
    "input": [
        {"role": "developer", "content": "You triage tickets."},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "Charged twice for March. Refund me today!"},
                {"type": "input_json", "data": {"order": 4471, "plan": None}},
            ],
        },
        {"type": "function_call", "call_id": "call_1", "name": "charges", "arguments": '{"order":4471}'},
        {"type": "function_call_output", "call_id": "call_1", "output": "2 charges of $20"},
    ],
    "questions": [
        {"type": "predicate", "name": "refund", "instructions": "The customer asks for money back"},
        {
            "type": "choice",
            "instructions": [{"type": "input_text", "text": "Escalate?"}],
            "choices": [{"value": True, "description": "to a person"}, {"value": "true"}, {"value": False}],
        },
        {
            "type": "score",
            "name": "anger",
            "instructions": "Anger",
            "levels": [{"label": "calm"}, {"label": "angry"}],
        },
    ],
}


def check(decision):
    refund, escalate, anger = decision.answers
    assert (refund.type, refund.name, escalate.name, anger.name) == ("predicate", "refund", None, "anger")
    assert 0 <= refund.probability <= 1
    assert [choice.value for choice in escalate.probabilities] == [True, "true", False]
    assert escalate.choice == max(escalate.probabilities, key=lambda choice: choice.probability).value
    assert abs(sum(choice.probability for choice in escalate.probabilities) - 1) < 1e-9
    assert abs(anger.score - anger.probabilities[1].probability) < 1e-9
    assert decision.usage.total_tokens == decision.usage.input_tokens > 0
    # The SDK's types cover every field of the answer.
    assert not any(part.model_extra for part in [decision, decision.usage, *decision.answers])


def expect(kind, code, param, call):
    try:
        call()
    except kind as error:
        assert (error.code, error.param) == (code, param), (error.code, error.param)
        assert error.request_id.startswith("req_"), error.request_id
        return
    raise AssertionError(f"no {kind.__name__}")


with OpenAI(**TYPED) as client:
    decision = client.decisions.create(**REQUEST)
    check(decision)
    assert decision._request_id.startswith("req_")
    raw = client.decisions.with_raw_response.create(
        **REQUEST, prompt_cache_key=None, safety_identifier="tester"
    )
    assert raw.headers["decider-model-version"] == decision.model
    check(raw.parse())

    assert client.models.retrieve("decider-1") in client.models.list().data

    ask = lambda **change: client.decisions.create(**{**REQUEST, **change})
    expect(NotFoundError, "model_not_found", None, lambda: ask(model="no-such-model"))
    expect(UnprocessableEntityError, "invalid_schema", "questions", lambda: ask(questions=[]))
    expect(
        UnprocessableEntityError, "state_too_long", "input", lambda: ask(input="lorem ipsum dolor " * 60_000)
    )

with OpenAI(**{**TYPED, "api_key": "wrong"}) as stranger:
    expect(AuthenticationError, "invalid_api_key", None, lambda: stranger.models.list())


async def at_once():
    async with AsyncOpenAI(**TYPED) as client:
        for decision in await asyncio.gather(*[client.decisions.create(**REQUEST) for _ in range(8)]):
            check(decision)


asyncio.run(at_once())

with OpenAI(api_key=key, base_url=f"{url}/v1") as native:
    named = [question for question in REQUEST["questions"] if "name" in question]
    answers = native.decisions.create(**{**REQUEST, "questions": named}).answers
    assert 0 <= answers["refund"]["noul"] <= 1 and answers["anger"]["legend"] == {"0": "calm", "1": "angry"}

print("openai reads every answer and error.")
