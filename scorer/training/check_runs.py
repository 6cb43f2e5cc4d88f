"""Self-checks of runs and of the commands around them: `python -m scorer.training.check` runs them."""

import errno
import json
import lzma
import tempfile
import threading
import unittest.mock
from argparse import Namespace
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import islice
from pathlib import Path

import torch
from safetensors.torch import save_file

from . import askers, checkpoint, corpus, development, evaluate, export, schedule, temperature, train
from .called import called, refusal
from .check_examples import TOKENIZER, line_of
from .choose import mixed
from .feed import POOL, steps
from .learner import Learner
from .mixture import Mixture
from .model import VOCABULARY, Decider
from .run import Run, goes_on_from, own_log


def what_goes_on_is_not_drawn_back() -> None:
    """A run that begins with other weights continues with the weak pull that fits the tokens
    they were trained on, and a mean knows how many those were."""
    run = Run.__new__(Run)
    run.args, run.model = Namespace(step_tokens=8192), Decider()
    with tempfile.TemporaryDirectory() as folder:
        long, short, unknown = (f"{folder}/{name}" for name in ("long", "short", "unknown"))
        for path, tokens in ((long, 80_000_000), (short, 1_000_000), (unknown, 0)):
            checkpoint.save(run.model, path, {"tokens": tokens})
        run._begin_with(long)
        assert schedule.pull(run.step, 0.005) == schedule.WEAKEST_PULL
        assert mixed(f"{long}*2+{short}")[1]["tokens"] == run.tokens == 80_000_000
        assert "how many tokens" in refusal(lambda: run._begin_with(unknown))
        state, foreign = Path(folder) / "state.pt", Path(folder) / "foreign.safetensors"
        torch.save({}, state)
        save_file({}, foreign)
        for other in (state, foreign):
            assert f"{other} is no checkpoint" in refusal(partial(run._begin_with, str(other)))


def a_run_is_not_written_over() -> None:
    """No run starts anew in a used folder or branches into it, none goes on in one where another process
    is training, and none resumes or learns from a file that is not there."""
    with tempfile.TemporaryDirectory() as folder:
        there, elsewhere = Path(folder) / "there", Path(folder) / "elsewhere"
        there.mkdir()
        (there / "state.pt").touch()
        asked = lambda run, resume=False, branch=None: Namespace(
            run=str(run), resume=resume, branch=branch and str(branch / "state.pt")
        )
        assert (
            goes_on_from(asked(there, resume=True))
            == goes_on_from(asked(elsewhere, branch=there))
            == there / "state.pt"
        )
        assert goes_on_from(asked(elsewhere)) is None
        for again in (asked(there), asked(there, branch=there)):
            assert "there already" in refusal(partial(Run, again))
        for nothing in (asked(elsewhere, resume=True), asked(there / "next", branch=elsewhere)):
            assert "missing" in refusal(partial(Run, nothing))
        started = partial(
            called, train, "--corpus", folder, "--requests", folder, "--base", folder, "--run", folder
        )
        assert "lacks table_lookups" in refusal(started)
        assert "--decay-tokens is for a branch" in refusal(lambda: started("--decay-tokens", "1e6"))
        with own_log(there):
            assert "another process" in refusal(partial(Run, asked(there, resume=True)))


def a_decay_goes_on_as_it_began() -> None:
    """A resumed branch remembers where its decay began, over how many tokens it decays, and its place in the
    stream."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run.__new__(Run)
        run.folder, run.model = Path(folder), Decider()
        run.average, run.learner = run.model.state_dict(), Learner(run.model, 1e-4, 5.0, 1)
        run.step, run.began_at, run.pool, run.pool_steps = 9, 0, 3, 7
        run.decay_from, run.decay_tokens, run.tokens = 50_000, 2e5, 100_000
        run.save()
        run.decay_from, run.decay_tokens, run.tokens = None, 1e6, 0  # the command's defaults
        run.pool = run.pool_steps = 0
        run._restore(torch.load(Path(folder) / "state.pt", weights_only=True))
        assert "weights alone" in refusal(lambda: run._restore(run.model.state_dict()))
    assert run.decayed() == 0.25, run.decayed()
    assert (run.pool, run.pool_steps) == (3, 7)


def a_snapshot_is_new_proved_and_whole() -> None:
    """Nothing has its id before it is, and nothing that has it is written over."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        weights, vocabulary, to = folder / "decider.safetensors", folder / "vocab.txt", folder / "mine-1"
        checkpoint.save(Decider(), weights, {"tokens": 7})
        vocabulary.write_text("\n".join(map(str, range(VOCABULARY))), encoding="utf-8")
        exported = lambda to, *more: called(export, weights, "--vocabulary", vocabulary, "--to", to, *more)
        with unittest.mock.patch.object(export, "prove", side_effect=SystemExit("the graphs differ")):
            assert "differ" in refusal(lambda: exported(to))
        neighbour = folder / "mine-1.part"
        neighbour.mkdir()
        seen = set()

        def write_nothing(*_):
            seen.update(path.name for path in folder.iterdir() if path.is_dir())
            raise OSError(errno.ENOSPC, "No space left")

        with unittest.mock.patch.object(export, "write_tokenizer", write_nothing):
            told = refusal(lambda: exported(to, "--parity-requests", "0"))
        assert f"{to} could not be written: No space left" in told, told
        unfinished = seen - {neighbour.name}
        assert unfinished and all(found.startswith(".") for found in unfinished), "a scorer would open it"
        assert [path for path in folder.iterdir() if path.is_dir()] == [neighbour]
        exported(to, "--parity-requests", "0")
        assert json.loads((to / "snapshot.json").read_text(encoding="utf-8"))["id"] == "mine-1"
        assert "there already" in refusal(lambda: exported(to))
        assert "a snapshot's id" in refusal(lambda: exported(folder / "my tickets"))
        given = lambda path: refusal(lambda: exported(folder / "other", "--vocabulary", path))
        assert "not there" in given(folder / "none")
        assert "cannot be read" in given(folder) and "cannot be read" in given(weights)
        assert "30,522" in given(to / "tokenizer.json")


def nothing_is_computed_that_could_not_be_written() -> None:
    """A folder that is missing, that is a file or that is not ours is told from the arguments alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "file").touch()
        fitted = lambda out: called(
            temperature, "--corpus", name, "--base", name, "--checkpoint", "none", "--out", f"{folder}/{out}"
        )
        exported = lambda to: called(export, "none", "--to", f"{folder}/{to}", "--vocabulary", "none")
        assert "is no folder" in refusal(lambda: fitted("none/decider.safetensors"))
        assert "is no folder" in refusal(lambda: exported("file/models/mine-1"))
        with unittest.mock.patch("os.access", lambda path, _: path != folder):
            assert "may not be written to" in refusal(lambda: fitted("decider.safetensors"))
            assert "may not be written to" in refusal(lambda: exported("models/mine-1"))


def measuring_says_what_it_lacks() -> None:
    """A card needs a snapshot next to it, a report a folder and a service a key: all are said
    before anything is read. A service's refusal is shown, and one that does not answer is named."""

    class Refusing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(402)
            self.end_headers()
            self.wfile.write(b"insufficient_credits")

        log_message = lambda *_: None

    bodies: list[dict] = []
    needed = ("--corpus", "none", "--base", "none")
    assert "snapshot.json" in refusal(
        lambda: called(evaluate, *needed, "--checkpoint", "none", "--card", "none/MODEL_CARD.md")
    )
    assert "no folder" in refusal(
        lambda: called(evaluate, *needed, "--checkpoint", "none", "--report", "none/figures.json")
    )
    assert "--key" in refusal(lambda: called(evaluate, *needed, "--service", "http://127.0.0.1:1"))
    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.handle_request).start()
        ask = askers.of_service(f"http://127.0.0.1:{server.server_port}", "key", "mine-1")
        assert "402: insufficient_credits" in refusal(
            lambda: ask([("a", [{"type": "noul", "instructions": "b"}])])
        )
    assert [body["model"] for body in bodies] == ["mine-1"]
    assert "cannot be reached" in refusal(lambda: ask([("a", [{"type": "noul", "instructions": "b"}])]))


def a_card_is_of_the_snapshot_it_describes() -> None:
    """Also if the service has a newer one, which it answers with by itself."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "snapshot.json").write_text('{"id": "mine-1"}', encoding="utf-8")
        assert evaluate.snapshot_of(Path(folder) / "MODEL_CARD.md") == "mine-1"
    assert evaluate.snapshot_of(None) == "decider-1"


def a_step_takes_no_more_than_its_pool_has() -> None:
    """Were a larger step waited for, pools would be drawn without end."""
    small = ("a", [({"type": "noul", "instructions": "b", "criteria": None}, 0)])
    mixture = Namespace(pool=lambda _, size: [small] * size)
    asked = lambda tokens: [
        sum(len(batch.gold) for batch in batches)
        for *_, batches in islice(steps(mixture, TOKENIZER, 0, 0, tokens), 2)
    ]
    assert max(asked(8192)) < POOL and asked(10_000_000) == [POOL, POOL]


def a_stream_goes_on_where_it_stopped() -> None:
    """In the middle of a pool and at its end: nothing is left out and nothing comes twice."""
    asked = [({"type": "noul", "instructions": "b", "criteria": None}, 0)]
    mixture = Namespace(
        pool=lambda number, size: [("a" * (1 + (number + 7 * n) % 60), asked) for n in range(size)]
    )
    drawn = lambda *place: [
        (number, done, [batch.ids.tolist() for batch in batches])
        for number, done, batches in islice(steps(mixture, TOKENIZER, *place, 8192), 12)
    ]
    whole = drawn(0, 0)
    steps_of_a_pool = max(done for number, done, _ in whole if number == 0)
    assert 1 < steps_of_a_pool < len(whole)
    for done in (1, steps_of_a_pool):
        assert drawn(0, done)[: len(whole) - done] == whole[done:]


def a_faulty_corpus_says_where() -> None:
    """Before anything is learned, and by the file and the line."""
    noul = {"file": "x.xz", "type": "noul", "group": "topic", "instructions": ["So?"]}
    rows = '{"t": "x", "s": "a", "y": 1}\n' * 99
    packed = lambda line: lzma.compress((rows + line).encode())
    faults = {
        "incomplete": packed("")[:-20],
        "damaged": b"no archive",
        "line 100: no JSON": packed('{"t": "x"'),
        "line 100: a row has": packed('{"t": "y", "s": "a", "y": 1}'),
        "state (s)": packed('{"t": "x", "y": 1}'),
        "label of that task (y)": packed('{"t": "x", "s": "a", "y": 2}'),
        "(s), a label": packed("[]"),
        "question (q)": packed('{"t": "x", "s": "a", "y": 1, "q": 5}'),
        "options (o)": packed('{"t": "x", "s": "a", "y": 1, "o": [["a"], ["b"]]}'),
        "not UTF-8": lzma.compress(b'{"t": "x", "s": "\xe9", "y": 1}'),
    }
    misdescribed = {
        "a task has a file": {**noul, "group": None},
        "a score has levels": {**noul, "type": "score"},
        "a choice has variants": {**noul, "type": "choice", "variants": [[["a", None]], []]},
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tasks").mkdir()
        (folder / "tasks.json").write_text(json.dumps({"x": noul}), encoding="utf-8")
        for told, content in faults.items():
            (folder / "tasks" / "x.xz").write_bytes(content)
            found = refusal(lambda: corpus.load(folder, None))
            assert "x.xz" in found and told in found, found
        (folder / "tasks" / "x.xz").unlink()
        assert "x.xz cannot be read" in refusal(lambda: corpus.load(folder, None))
        for told, task in misdescribed.items():
            (folder / "tasks.json").write_text(json.dumps({"fine": noul, "y": task}), encoding="utf-8")
            assert f"tasks.json, y: {told}" in refusal(lambda: corpus.load(folder, None)), told
        (folder / "tasks.json").unlink()
        assert "tasks.json cannot be read" in refusal(lambda: corpus.load(folder, None))


def a_faulty_request_says_where() -> None:
    """A label in quotes would be learned as a yes, and a level that no score has as one far off."""
    claim = {"type": "noul", "instructions": "So?", "label": True}
    score = {"type": "score", "instructions": "How?", "criteria": ["low", "high"], "label": 1}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tasks.json").write_text("{}", encoding="utf-8")
        for faulty in ({**claim, "label": "false"}, {**score, "label": 2}, {**score, "criteria": None}):
            lines = "\n".join(map(line_of, (claim, score, faulty)))
            (folder / "asked.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
            assert "asked.jsonl.xz, line 3: a " in refusal(lambda: corpus.load(folder, folder))


def a_field_named_as_the_label_is_no_label() -> None:
    task = {"file": "x.xz", "type": "noul", "group": "topic", "instructions": ["So?"]}
    rows = [{"t": "x", "s": {"x": n, "y": n}, "y": n % 2} for n in range(99)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tasks").mkdir()
        (folder / "tasks.json").write_text(json.dumps({"x": task}), encoding="utf-8")
        lines = "\n".join(map(json.dumps, rows))
        (folder / "tasks" / "x.xz").write_bytes(lzma.compress(lines.encode()))
        groups = corpus.load(folder, None).by_label["x"]
    assert groups.keys() == {0, 1} and all(
        json.loads(line)["y"] == label for label, lines in groups.items() for line in lines
    )


def a_corpus_that_lacks_tasks_is_refused() -> None:
    """Before the first step, not when the task is measured or drawn."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "tasks.json").write_text("{}", encoding="utf-8")
        for lacking in (corpus.load(Path(name), None), corpus.load_never_trained(Path(name))):
            assert "no rows of snips" in refusal(partial(development.items, lacking, ("snips",), 5))
    told = refusal(lambda: next(Mixture(lacking, None, None).pool(0, 1)))
    assert "row, pair, alike, scored, attitude, request" in told, told


CHECKS = (
    what_goes_on_is_not_drawn_back,
    a_run_is_not_written_over,
    a_decay_goes_on_as_it_began,
    a_snapshot_is_new_proved_and_whole,
    nothing_is_computed_that_could_not_be_written,
    measuring_says_what_it_lacks,
    a_card_is_of_the_snapshot_it_describes,
    a_step_takes_no_more_than_its_pool_has,
    a_stream_goes_on_where_it_stopped,
    a_faulty_corpus_says_where,
    a_faulty_request_says_where,
    a_field_named_as_the_label_is_no_label,
    a_corpus_that_lacks_tasks_is_refused,
)
