"""Folders of books in `books/`. A few of each kind are for evaluation only."""

import json
from pathlib import Path

BOOKS = Path(__file__).parent / "books"
UNSEEN = frozenset(
    (
        "first_aid_station",
        "wind_farm",
        "boarding_kennel_terms",
        "loan_contract",
        "electronic_mail",
        "politeness",
        "risk_of_plan",
        "telecom_internet",
        "meetings_and_chat",
        "museum_guide",
        "server_room",
        "unseen_statements",
        "log_object_store",
        "log_video_platform",
    )
)


def shelf(kind: str, unseen: bool) -> list[dict]:
    return [
        json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((BOOKS / kind).glob("*.json"))
        if (path.stem in UNSEEN) == unseen
    ]
