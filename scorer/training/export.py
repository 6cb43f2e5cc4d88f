"""From a checkpoint to a snapshot folder that the scorer serves.

    python -m scorer.training.export CHECKPOINT --vocabulary vocab.txt \
        --to scorer/models/<id> --released 2026-10-13

The folder's name is the snapshot's id. Calibration profiles are bound to it, so once a snapshot serves
anybody, other weights need another id.

Begins with the proof that the graphs compute what the network computes (see parity).
"""

import argparse
import json
import re
import shutil
from datetime import date
from pathlib import Path

from . import checkpoint, render, tokenizer
from .graphs import ARITHMETICS, served_plan, write_graphs
from .model import FIRST_SIDE, HEAD_WIDTH, HEADS, LAYERS, VOCABULARY, WIDTH
from .outputs import new_folder, written
from .parity import prove
from .temperature import BUCKETS

MAX_STATE_TOKENS = 65_536
SNAPSHOT_ID = re.compile(r"[\w-][\w.-]*", re.ASCII)
UNIT_TEMPERATURES = {"choice": dict.fromkeys(BUCKETS, 1.0), "noul": 1.0, "score": 1.0}


def write_tokenizer(vocabulary: Path, folder: Path) -> None:
    """The Hugging Face format as far as it goes; what it cannot express stands under `decider`."""
    described = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": tokenizer.SLICE_CODE_POINTS,
            "vocab": tokenizer.Tokenizer.from_file(vocabulary).ids,
        },
        "decider": {
            "rendering": render.RENDERING,
            "newline": tokenizer.NEWLINE,
            "first_byte": tokenizer.FIRST_BYTE,
            "type": render.TYPE,
            "end_of_instructions": render.END_OF_INSTRUCTIONS,
            "end_of_question": render.END_OF_QUESTION,
            "open": {**render.OPEN, "noul": list(render.NOUL_OPEN)},
            "close": render.CLOSE,
            "state_open": render.STATE_OPEN,
            "state_form": render.FORM,
            "state_close": render.STATE_CLOSE,
            "rest": render.REST,
        },
    }
    text = json.dumps(described, ensure_ascii=False, separators=(",", ":"))
    (folder / "tokenizer.json").write_text(text + "\n", encoding="utf-8")


def write_description(
    snapshot_id: str, metadata: dict, arithmetic: str, released: date, folder: Path
) -> None:
    files = sorted(p for p in folder.iterdir() if p.suffix in (".onnx", ".bin") or p.name == "tokenizer.json")
    described = {
        "id": snapshot_id,
        "released": released.isoformat(),
        "status": "preview",
        "base": "decider-1",
        "max_state_tokens": MAX_STATE_TOKENS,
        "modalities": ["text"],
        "retire_after": None,
        "rendering": render.RENDERING,
        "arithmetic": arithmetic,
        "shape": {
            "layers": LAYERS,
            "heads": HEADS,
            "head_width": HEAD_WIDTH,
            "width": WIDTH,
            "block": render.BLOCK,
            "first_side": FIRST_SIDE,
        },
        "temperatures": {**UNIT_TEMPERATURES, **metadata.get("temperatures", {})},
        "training": {
            name: metadata.get(name) for name in ("tokens", "calibration_error_left_out", "tuned_from")
        },
        "files": {p.name: checkpoint.digest_of(p) for p in files},
    }
    (folder / "snapshot.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")


def export(path: Path, vocabulary: Path, folder: Path, arithmetic: str, released: date) -> None:
    """Writes next to the target and renames, so that half a snapshot never has its id. It is hidden
    meanwhile: a scorer that starts then passes over it, and no other snapshot can have such a name."""
    model, metadata = checkpoint.load(path)
    unfinished = folder.with_name(f".{folder.name}.part")
    try:
        with written(folder):
            write_graphs(served_plan(model, arithmetic), unfinished)
            write_tokenizer(vocabulary, unfinished)
            write_description(folder.name, metadata, arithmetic, released, unfinished)
            unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def new_snapshot(given: str) -> Path:
    """A command's argument: the folder of a snapshot that is still to be written."""
    if not SNAPSHOT_ID.fullmatch(Path(given).resolve().name):
        raise argparse.ArgumentTypeError(
            "a snapshot's id has only letters, digits, underscores, hyphens and points, and does not begin with a point"
        )
    return new_folder(given)


def whole_vocabulary(given: str | Path) -> Path:
    """A command's argument: the encoder's vocab.txt. With another file the snapshot would be served, and
    every text read as other words."""
    path = Path(given)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"{path} is not there")
    try:
        pieces = len(tokenizer.Tokenizer.from_file(path).ids)
    except (OSError, UnicodeDecodeError):
        raise argparse.ArgumentTypeError(f"{path} cannot be read") from None
    if pieces != VOCABULARY:
        raise argparse.ArgumentTypeError(
            f"{path} is not the encoder's vocabulary, which has {VOCABULARY:,} lines with a piece each"
        )
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--vocabulary", type=whole_vocabulary, required=True, help="vocab.txt of the base")
    parser.add_argument(
        "--to", type=new_snapshot, required=True, help="a new folder; its name is the snapshot's id"
    )
    parser.add_argument("--released", type=date.fromisoformat, default=date.today(), help="default: today")
    parser.add_argument("--arithmetic", choices=ARITHMETICS, default="int8")
    parser.add_argument("--parity-requests", type=int, default=200, help="0: no proof")
    given = parser.parse_args()
    if given.parity_requests:
        prove(given.checkpoint, given.arithmetic, given.parity_requests)
    export(given.checkpoint, given.vocabulary, given.to, given.arithmetic, given.released)


if __name__ == "__main__":
    main()
