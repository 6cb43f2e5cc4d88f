"""Reads requests with exported graphs, as the scorer's backend does, one question a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime

from .render import BLOCK, Question, Rendered

KEY_CHUNK = 512


class Reader:
    def __init__(self, folder: Path, half: bool, threads: int = 1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # As in the backend: the graphs are fused by hand.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        self.sessions = {
            name: onnxruntime.InferenceSession(folder / f"{name}.onnx", options, providers=["CPUExecutionProvider"])
            for name in ("state", "question", "wide", "readout")
        }
        self.stored = np.float16 if half else np.float32

    def __call__(self, request: Rendered) -> list[np.ndarray]:
        state = self.read_state(request.state)
        return [self.read_question(question, *state) for question in request.questions]

    def read_state(self, ids: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        keys, values, sums, rows = zip(
            *(self.sessions["state"].run(["keys", "values", "sums", "rows"], {"ids": np.array([ids[at : at + BLOCK]], np.int32)})
              for at in range(0, len(ids), BLOCK))
        )
        mean = np.concatenate(sums).sum(0, dtype=np.float64) / len(ids)
        return np.concatenate(keys, 2), np.concatenate(values, 2), np.concatenate(rows), mean.astype(np.float32)

    def read_question(self, question: Question, keys, values, rows, mean) -> np.ndarray:
        own = np.array([question.segments], np.int32)
        feeds = {
            "ids": np.array([question.ids], np.int32),
            "places": np.array([question.positions], np.int32) + BLOCK * (own > 0).astype(np.int32),
            "own": own,
            "reads": np.zeros_like(own),
            "state_keys": keys,
            "state_values": values,
        }
        if question.focus:
            nothing = np.zeros((len(keys) * 2, keys.shape[1], 0, keys.shape[3]), self.stored)
            feeds |= {"focus": _ranges(question.focus), "instruction_keys": nothing, "instruction_values": nothing}
            mean = rows[question.focus].mean(0, dtype=np.float64).astype(np.float32)
        read = self.sessions["wide" if question.focus else "question"].run(["rows"], feeds)[0]
        options = np.stack([read[chosen].mean(0) for chosen in _option_rows(question)])
        return self.sessions["readout"].run(["logits"], {
            "openings": read[question.openings], "options": options, "state": mean[None], "scale": np.ones(1, np.float32),
        })[0]


def _ranges(rows: list[int]) -> np.ndarray:
    """Sorted rows as [start, end) of at most KEY_CHUNK."""
    starts = [row for i, row in enumerate(rows) if i == 0 or rows[i - 1] != row - 1]
    ends = [row + 1 for i, row in enumerate(rows) if i + 1 == len(rows) or rows[i + 1] != row + 1]
    return np.array(
        [[at, min(at + KEY_CHUNK, end)] for start, end in zip(starts, ends) for at in range(start, end, KEY_CHUNK)],
        np.int64,
    )


def _option_rows(question: Question) -> list[np.ndarray]:
    segments = np.array(question.segments)
    rows = [segments == o + 1 for o in range(len(question.openings))]
    if question.type == "noul":
        rows[0] |= segments == 0
    return rows
