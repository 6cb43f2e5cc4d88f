"""Reads requests with exported graphs, as the scorer's backend does, one question a run."""

import os
from pathlib import Path

import numpy as np

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read once, on import; ../backend/no-telemetry.ts says why
import onnxruntime

from .model import FIRST_SIDE, option_rows
from .render import BLOCK, Question, Rendered

BRIEF_STATE = 128  # tokens; states up to this length share a run with others


class Reader:
    def __init__(self, folder: Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        # As in the backend: the graphs are fused by hand.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        self.sessions = {
            name: onnxruntime.InferenceSession(
                folder / f"{name}.onnx", options, providers=["CPUExecutionProvider"]
            )
            for name in ("state", "question", "compare", "readout")
        }
        stored = {part.name: part.type for part in self.sessions["compare"].get_inputs()}["state_rows"]
        self.stored = np.float16 if stored == "tensor(float16)" else np.float32

    def __call__(self, request: Rendered) -> list[np.ndarray]:
        state = self.read_state(request.state)
        return [self.read_question(question, *state) for question in request.questions]

    def read_state(self, ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
        if len(ids) <= BRIEF_STATE:
            alone = np.zeros((1, len(ids)), np.int32)
            feeds = {
                "ids": np.array([ids], np.int32),
                "places": np.arange(len(ids), dtype=np.int32)[None] + 2 * BLOCK,
                "own": alone,
                "reads": alone,
            }
            read = self.sessions["question"].run(["rows"], feeds)[0]
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
        own = np.array([question.segments], np.int32)
        if question.focus:
            rows = rows[question.focus]
            mean = rows.mean(0, dtype=np.float64).astype(np.float32)
        read = self.sessions["question"].run(
            ["rows"],
            {
                "ids": np.array([question.ids], np.int32),
                "places": np.array([question.positions], np.int32) + BLOCK * (own > 0).astype(np.int32),
                "own": own,
                "reads": np.zeros_like(own),
            },
        )[0]
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
