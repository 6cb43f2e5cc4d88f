"""Asks with the client that openapi-python-client makes of /openapi.json."""

import os

from decider_client import AuthenticatedClient
from decider_client.api.calibration import create_calibration
from decider_client.api.decisions import create_decision
from decider_client.models import CalibrationRequest, DecisionRequest, DecisionResponse, ErrorEnvelope

QUESTIONS = {
    "refund": {"type": "noul", "instructions": "The customer wants a refund"},
    "team": {"type": "choice", "criteria": {"billing": {"what": "payments"}, "sales": None}},
    "mood": {"type": "score", "instructions": ["mood"], "criteria": ["calm", "angry"]},
}
client = AuthenticatedClient(base_url=os.environ["DECIDER_URL"], token=os.environ["DECIDER_API_KEY"])
request = DecisionRequest.from_dict({"state": {"subject": "Charged twice"}, "questions": QUESTIONS})
answer = create_decision.sync(client=client, body=request)
assert isinstance(answer, DecisionResponse), answer
answers = answer.answers.additional_properties
assert [found.type_ for found in answers.values()] == ["noul", "choice", "score"], answers

labelled = {"state": "x", "questions": {"refund": QUESTIONS["refund"] | {"label": True}}}
refused = create_calibration.sync(
    client=client, body=CalibrationRequest.from_dict({"examples": [labelled] * 3})
)
assert isinstance(refused, ErrorEnvelope) and refused.error.code == "too_few_examples", refused
print(f"The client that openapi-python-client makes hears: {answers['team'].choice}")
