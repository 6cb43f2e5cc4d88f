"""Labelled rows: read once, split by state, and kept as their JSON lines."""

import json
import random
import re
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from .corpus_files import lines_of, read_rows, read_tasks
from .examples import parsed
from .heldout import LEFT_OUT, NEVER_TRAINED_TASKS, UNSETTLED
from .render import text_of
from .repairs import repaired

VALIDATION_IN = 20  # one state in twenty is never trained on
SHARED_TEXT_MIN, SHARED_SENTENCE_MIN = 16, 24  # letters and digits; shorter ones coincide by chance
SENTENCE_END = re.compile(r"(?<=[.!?])[\s\"')]+")
QUOTED = re.compile(r"[\"'](.+)[\"']")


@dataclass
class Corpus:
    tasks: dict[str, dict]
    train: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    validation: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    never_trained: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    # Rows on the same state, by its key.
    siblings: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    by_label: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    requests: dict[str, list[str]] = field(default_factory=dict)  # rows that are whole requests, by file
    dropped: int = 0  # rows whose state repeats a never-trained text

    def measured(self, task: str) -> list[str]:
        """The rows of a never-trained task."""
        if not self.never_trained.get(task):
            raise SystemExit(f"the corpus has no rows of {task}, which is measured (heldout.py)")
        return self.never_trained[task]


def load(tasks_folder: Path, requests_folder: Path | None) -> Corpus:
    corpus = Corpus(read_tasks(tasks_folder))
    rows = read_rows(tasks_folder, corpus.tasks, {task["file"] for task in corpus.tasks.values()})
    reserved = {
        code
        for task in NEVER_TRAINED_TASKS
        for line in rows[task]
        for code in text_codes(json.loads(line)["s"])
    }
    siblings = defaultdict(list)
    for task, lines in rows.items():
        if task in NEVER_TRAINED_TASKS:
            corpus.never_trained[task] = lines
        if task in LEFT_OUT or task in UNSETTLED:
            continue
        for line in repaired(task, lines, corpus.tasks[task]):
            state = json.loads(line)["s"]
            if reserved.intersection(text_codes(state)):
                corpus.dropped += 1
                continue
            if state_code(state) % VALIDATION_IN == 0:
                corpus.validation[task].append(line)
            else:
                corpus.train[task].append(line)
                siblings[state_key(state)].append((task, line))
    corpus.siblings = {key: found for key, found in siblings.items() if len(found) > 1}
    corpus.by_label = {
        task: _by_label(corpus.train[task])
        for task in corpus.train
        if not corpus.tasks[task].get("options_per_row")
    }
    for path in sorted(requests_folder.glob("*.jsonl.xz")) if requests_folder else []:
        requests = parsed(path, lines_of(path))
        kept = [request.line for request in requests if _may_train(request.state, reserved)]
        corpus.requests[path.name.split(".")[0]] = kept
    return corpus


def load_never_trained(tasks_folder: Path) -> Corpus:
    """Only what evaluation needs, in a fraction of the time."""
    corpus = Corpus(read_tasks(tasks_folder))
    files = {corpus.tasks[task]["file"] for task in NEVER_TRAINED_TASKS if task in corpus.tasks}
    rows = read_rows(tasks_folder, corpus.tasks, files)
    corpus.never_trained = {task: rows[task] for task in NEVER_TRAINED_TASKS}
    return corpus


def sample(rows: list[str], n: int, seed: int) -> list[dict]:
    """The same n rows on every call with this seed."""
    return [json.loads(line) for line in _chosen(rows, n, seed)]


def sample_and_rest(rows: list[str], n: int, seed: int) -> tuple[list[dict], list[dict]]:
    """The same n rows, and all others."""
    chosen = set(_chosen(rows, n, seed))
    return sample(rows, n, seed), [json.loads(line) for line in rows if line not in chosen]


def state_code(state: object) -> int:
    return zlib.crc32(text_of(state).encode())


def state_key(state: object) -> int:
    """A 64-bit key. Among a million states, some share the 32 bits of `state_code`."""
    return hash(text_of(state))


def text_codes(value: object) -> set[int]:
    """Fingerprints of every longer text in a state, of its sentences and of what it quotes, ignoring case and
    punctuation. One data set may ask about a sentence that stands in another's text."""
    if isinstance(value, str):
        parts = [part for text in (value, *QUOTED.findall(value)) for part in SENTENCE_END.split(text)]
        return _codes([value], SHARED_TEXT_MIN) | _codes(parts, SHARED_SENTENCE_MIN)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {code for item in inner for code in text_codes(item)}


def _codes(texts: list[str], shortest: int) -> set[int]:
    bare = (re.sub(r"[\W_]+", "", text).lower() for text in texts)
    return {hash(text) for text in bare if len(text) >= shortest}


def _chosen(rows: list[str], n: int, seed: int) -> list[str]:
    return random.Random(seed).sample(rows, min(n, len(rows)))


def _may_train(state: object, reserved: set[int]) -> bool:
    return state_code(state) % VALIDATION_IN != 0 and not reserved.intersection(text_codes(state))


def _by_label(lines: list[str]) -> dict[int, list[str]]:
    groups = defaultdict(list)
    for line in lines:
        groups[json.loads(line)["y"]].append(line)
    return dict(groups)
