"""Decides about many states with Python alone, and says what the answers cost.

    python3 examples/batch.py <examples/support-tickets.jsonl >answers.jsonl

It reads the `state` of each line, and needs DECIDER_API_KEY, and DECIDER_URL unless the service listens at
http://127.0.0.1:8787. For answers that say whether they are sure enough, add a profile to the body as
"calibration", and the snapshot it was fitted on as "model" (docs/calibration.md).
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

KEY = os.environ.get("DECIDER_API_KEY") or sys.exit("Set DECIDER_API_KEY to an API key of the service.")
URL = os.environ.get("DECIDER_URL", "http://127.0.0.1:8787").rstrip("/") + "/v1/decisions"
HEADERS = {
    "Content-Type": "application/json",
    "User-Agent": "decider-batch",  # Cloudflare refuses urllib under its own name.
}
QUESTIONS = {
    "team": {
        "type": "choice",
        "instructions": "Which team should handle this ticket?",
        "criteria": {
            "billing": "payments, invoices, refunds and prices",
            "shipping": "delivery, parcels, addresses and damage on the way",
            "technical": "errors, crashes and things that do not work as they should",
            "account": "signing in, passwords, personal data and membership",
        },
    }
}
IN_FLIGHT = 4  # Refused together, they come back after a second, in which a playground key has room for five.
RETRIES = 6
TIMEOUT_SECONDS = 15  # The service itself gives up after 10.


def decide(state):
    """The answer about one state, however often the service has to be asked."""
    body = json.dumps({"state": state, "questions": QUESTIONS}).encode()
    for retries_left in reversed(range(RETRIES + 1)):
        # Made anew each time: behind a proxy, urllib cannot send a request twice.
        request = urllib.request.Request(URL, body, HEADERS)
        # Among the other headers, urllib would hand the key on to wherever an answer refers.
        request.add_unredirected_header("Authorization", f"Bearer {KEY}")
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            # Any other refusal would be the same again, so it ends the whole run.
            if error.code not in (429, 503) or retries_left == 0:
                raise SystemExit(f"{error.code} {error.read().decode()}") from None
            told = error.headers.get("Retry-After", "")
            seconds = int(told) if told.isdigit() else 1
        except (OSError, http.client.HTTPException) as error:
            if retries_left == 0:
                raise SystemExit(f"{URL} does not answer: {error}. DECIDER_URL says where.") from None
            seconds = 1
        # Those refused together must not come back together.
        time.sleep(seconds + random.uniform(0, seconds))


states = [json.loads(line)["state"] for line in sys.stdin.buffer]
cost_usd = 0
with ThreadPoolExecutor(IN_FLIGHT) as pool:
    for answer in pool.map(decide, states):
        cost_usd += answer["usage"]["cost_usd"]
        print(json.dumps(answer["answers"]))
print(f"{len(states)} answers, ${cost_usd:.6f}", file=sys.stderr)
