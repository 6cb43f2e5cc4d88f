"""Reads requests with exported graphs, as the scorer's backend does, one question or block a run."""

import os
from pathlib import Path

import numpy as np

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read once, on import; ../backend/no-telemetry.ts says why
import onnxruntime

from .graphs import GRAPHS
from .model import FIRST_SIDE, HEAD_WIDTH, HEADS, LAYERS, WIDTH, option_rows
from .render import BLOCK, Question, Rendered

BRIEF_STATE = 128  # tokens; states up to this length share a run with others
MAX_ROWS = 256  # of a question that is read whole


class Reader:
    def __init__(self, folder: Path, variant: str = ""):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        # Exact products of bytes on every processor, which only this level can set. As in the backend, it
        # changes nothing else, because the graphs are fused by hand.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.add_session_config_entry("session.x64quantprecision", "1")
        self.sessions = {
            name: onnxruntime.InferenceSession(
                folder / f"{name}{variant}.onnx", options, providers=["CPUExecutionProvider"]
            )
            for name in GRAPHS
        }
        stored = {part.name: part.type for part in self.sessions["compare"].get_inputs()}["state_rows"]
        self.stored = np.float16 if stored == "tensor(float16)" else np.float32

    def __call__(self, request: Rendered) -> list[np.ndarray]:
        state = self.read_state(request.state)
        return [self.read_question(question, *state) for question in request.questions]

    def read_state(self, ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
        if len(ids) <= BRIEF_STATE:
            read = self.sessions["question"].run(["rows"], _slot(ids, np.arange(len(ids)) + 2 * BLOCK))[0]
            return read.astype(self.stored), read.mean(0, dtype=np.float64).astype(np.float32)
        sums, rows = zip(
            *(
                self.sessions["state"].run(
                    ["sums", "rows"], {"ids": np.array([ids[at : at + BLOCK]], np.int32)}
                )
                for at in range(0, len(ids), BLOCK)
            )
        )
        mean = np.concatenate(sums).sum(0, dtype=np.float64) / len(ids)
        return np.concatenate(rows), mean.astype(np.float32)

    def read_question(self, question: Question, rows: np.ndarray, mean: np.ndarray) -> np.ndarray:
        if question.focus:
            rows = rows[question.focus]
            mean = rows.mean(0, dtype=np.float64).astype(np.float32)
        read = self._rows(question)
        found = self.sessions["compare"].run(["found"], {"rows": read, "state_rows": rows})[0]
        segments = np.array(question.segments)
        pooled = lambda of: np.concatenate([found[of].mean(0), found[of].max(0)])
        return self.sessions["readout"].run(
            ["logits"],
            {
                "openings": read[question.openings],
                "options": np.stack([read[chosen.numpy()].mean(0) for chosen in option_rows(question)]),
                "found": np.stack([pooled(segments == o + 1) for o in range(len(question.openings))]),
                "told": np.stack([pooled(segments == 0)] * 2),
                "state": np.stack([mean] * 2),
                "sides": np.array(question.ids, np.int32)[question.openings] - FIRST_SIDE,
                "scale": np.ones(1, np.float32),
            },
        )[0]

    def _rows(self, question: Question) -> np.ndarray:
        """The last layer's rows. If they are too many, every block is read alone: those of the instruction
        first, whose keys and values the options then see."""
        ids, segments, blocks = (np.array(of) for of in (question.ids, question.segments, question.blocks))
        places = np.array(question.positions) + BLOCK * (segments > 0)
        if len(ids) <= MAX_ROWS:
            return self.sessions["question"].run(["rows"], _slot(ids, places, segments))[0]
        rows = np.zeros((len(ids), WIDTH), np.float32)
        nothing = [np.zeros((LAYERS, HEADS, 0, HEAD_WIDTH), self.stored)] * 2
        kept = [nothing]
        memory = nothing
        for segment in range(max(segments) + 1):
            for block in range(max(blocks[segments == segment]) + 1):
                here = (segments == segment) & (blocks == block)
                feeds = dict(zip(("instruction_keys", "instruction_values"), memory))
                rows[here], *own = self.sessions["wide"].run(
                    ["rows", "keys", "values"], _slot(ids[here], places[here]) | feeds
                )
                if segment == 0:
                    kept.append(own)
            memory = [np.concatenate(of, axis=2) for of in zip(*kept)]
        return rows


def _slot(ids: np.ndarray, places: np.ndarray, own: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Rows of one text, or of an instruction and of options that see it."""
    column = lambda of: np.array([of], np.int32)
    nothing = np.zeros(len(ids))
    return {
        "ids": column(ids),
        "places": column(places),
        "own": column(nothing if own is None else own),
        "reads": column(nothing),
    }
