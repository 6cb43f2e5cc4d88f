"""How often a statement is seen not to hold of a text that denies it: figures of docs/questions.md.

    python -m scorer.training.denied --service http://127.0.0.1:8787 --key K

Asks about each pair of texts in three ways: the statement alone, the statement with what its sides mean, and
a choice between the sides. The pairs were written before any of them was measured, but by somebody who had
seen "Please don't cancel my subscription" taken for a wish to cancel.
"""

import argparse

from . import askers
from .asked import noul

# A statement, a name for each of its sides, a text that says so, and one that denies it.
PAIRS = (
    ("The test passed", "passed", "did not pass", "The nightly test passed on the second try.", "The nightly test has not passed since Monday."),
    ("The invoice was paid", "paid", "not paid", "Invoice 4471 was paid on Monday.", "Invoice 4471 still hasn't been paid."),
    ("The parcel was delivered", "delivered", "not delivered", "The courier delivered the parcel at noon.", "The courier couldn't deliver the parcel."),
    ("The author recommends the hotel", "recommends it", "does not recommend it", "I'd recommend this hotel to my friends.", "I wouldn't recommend this hotel to anybody."),
    ("The user wants a reminder", "wants a reminder", "wants no reminder", "Remind me about the dentist tomorrow.", "No need to remind me about the dentist."),
    ("The tenant may keep pets", "allowed", "not allowed", "Tenants may keep pets.", "Tenants may not keep pets."),
    ("The team agreed to postpone the launch", "agreed", "did not agree", "We agreed to postpone the launch.", "We could not agree to postpone the launch."),
    ("The employee wants to quit", "wants to quit", "wants to stay", "I've decided to hand in my notice.", "I have no intention of handing in my notice."),
    ("The bug is reproducible", "reproducible", "not reproducible", "I can reproduce this every time.", "I could not reproduce this."),
    ("The customer received a refund", "received it", "did not receive it", "The refund arrived today, thanks.", "The refund never arrived."),
    ("The driver was injured", "was injured", "was not injured", "The driver was injured in the crash.", "The driver walked away without injuries."),
    ("The customer accepts the offer", "accepts", "does not accept", "We accept your offer of 12,000.", "We cannot accept your offer of 12,000."),
    ("The contract renews automatically", "renews by itself", "does not renew by itself", "The contract renews automatically every year.", "The contract does not renew unless both parties sign."),
    ("The alarm is on", "is on", "is off", "The alarm in the warehouse is on.", "Nobody switched the alarm on in the warehouse."),
    ("The patient smokes", "smokes", "does not smoke", "He smokes a pack a day.", "He has never smoked."),
    ("The passenger needs a wheelchair", "needs one", "needs none", "My mother needs a wheelchair at the gate.", "My mother doesn't need the wheelchair any more."),
    ("The code was reviewed", "was reviewed", "was not reviewed", "Two people reviewed the code.", "It was merged without review."),
    ("The supplier gives a guarantee", "gives one", "gives none", "The supplier guarantees the parts for two years.", "The parts are sold as is, without any guarantee."),
    ("The backup succeeded", "succeeded", "did not succeed", "Last night's backup completed.", "Last night's backup did not complete."),
    ("The child has an allergy", "has an allergy", "has no allergy", "Tom is allergic to nuts.", "Tom has no known allergies."),
    ("The employee can work from home", "can", "cannot", "Employees may work from home on Fridays.", "Working from home is not permitted."),
    ("The guest will come back", "will come back", "will not come back", "We'll be back next summer!", "We won't be back."),
    ("The package contains batteries", "contains batteries", "contains no batteries", "The package contains lithium batteries.", "The package contains no batteries."),
    ("The meeting takes place", "takes place", "does not take place", "The meeting takes place on Tuesday at 10.", "The meeting on Tuesday isn't happening."),
    ("The candidate speaks French", "speaks French", "does not speak French", "She speaks French and Dutch.", "She speaks Dutch but no French."),
    ("The user agrees to the terms", "agrees", "does not agree", "I agree to the new terms.", "I do not agree to the new terms."),
    ("The customer wants to be called", "wants a call", "wants no call", "Call me back this afternoon.", "Please do not call me, write instead."),
    ("The disk is full", "is full", "is not full", "The disk is full.", "The disk isn't full, there are 40 GB left."),
    ("The writer blames the driver", "blames the driver", "does not blame the driver", "It was the driver's fault.", "It wasn't the driver's fault."),
    ("The item is in stock", "in stock", "not in stock", "The blue one is in stock.", "The blue one is out of stock."),
    ("The product works", "works", "does not work", "The replacement works.", "The replacement doesn't work either."),
    ("The tenant has paid the deposit", "has paid", "has not paid", "The tenant paid the deposit in May.", "The tenant has yet to pay the deposit."),
    ("Smoking is allowed", "allowed", "not allowed", "You may smoke on the balcony.", "Smoking is not allowed anywhere on the premises."),
    ("The bug is fixed", "fixed", "not fixed", "The bug is fixed in 2.4.", "The bug is still not fixed in 2.4."),
)  # fmt: skip

WAYS = {
    "statement": lambda told, yes, no: noul(told, None, True)[0],
    "with both sides": lambda told, yes, no: noul(told, {"true": yes, "false": no}, True)[0],
    "choice between sides": lambda told, yes, no: {
        "type": "choice",
        "instructions": f"{told}?",
        "criteria": {yes: None, no: None},
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--service", required=True, help="base URL of a running service")
    parser.add_argument("--key", required=True)
    args = parser.parse_args()
    ask = askers.of_service(args.service, args.key, askers.ANY_SNAPSHOT)

    for way, question in WAYS.items():
        right = [
            sum(
                int(answer.argmax()) == gold
                for answer in askers.singly(ask, [(pair[place], question(*pair[:3])) for pair in PAIRS])
            )
            for place, gold in ((3, 0), (4, 1))
        ]
        print(f"{way:22} {right[0]} said, {right[1]} denied, of {len(PAIRS)} each", flush=True)


if __name__ == "__main__":
    main()
