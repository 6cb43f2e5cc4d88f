"""Weights in and out: the public base encoder, and our own safetensors files."""

import hashlib
import json
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import nn

from .model import Decider
from .render import CLOSE, END_OF_INSTRUCTIONS, END_OF_QUESTION, FORM, NOUL_OPEN, OPEN, REST, TYPE
from .tokenizer import FIRST_BYTE, NEWLINE

BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
CLS, SEP, UNKNOWN, FULL_STOP = 101, 102, 100, 1012
MARKERS = (
    *TYPE.values(),
    END_OF_INSTRUCTIONS,
    END_OF_QUESTION,
    *OPEN.values(),
    CLOSE,
    *NOUL_OPEN,
    *FORM.values(),
    REST,
)
NOISE = 0.01
SIDE_NOISE = 0.5


def from_base(folder: str | Path) -> Decider:
    """The untouched base encoder in our shape: the cosine term alone decides."""
    path = Path(folder) / "model.safetensors"
    if digest_of(path) != BASE_SHA256:
        raise SystemExit(
            f"{path} does not hold the weights of all-MiniLM-L6-v2: its SHA-256 is not {BASE_SHA256}"
        )
    weights = load_file(path)
    model = Decider()
    with torch.no_grad():
        for ours, theirs in _parts(model):
            ours.copy_(torch.cat([weights[name] for name in theirs]))
        _begin_new_rows(model.tok.weight, torch.Generator().manual_seed(0))
        for part in (model.kind.weight, model.head.weight, model.head.bias):
            part.zero_()
        nn.init.eye_(model.align.weight)
        model.side.weight.normal_(0, SIDE_NOISE, generator=torch.Generator().manual_seed(1))
        model.verdict.weight.zero_()
    return model


def digest_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error.strerror}") from None


def save(model: Decider, path: str | Path, metadata: dict) -> None:
    """Writes next to the target and renames, so that a reader never sees half a file."""
    path = Path(path)
    unfinished = path.with_name(path.name + ".part")
    tensors = {
        name: tensor.detach().float().cpu().contiguous() for name, tensor in model.state_dict().items()
    }
    save_file(tensors, unfinished, metadata={"decider": json.dumps(metadata, sort_keys=True)})
    unfinished.replace(path)


def load(path: str | Path) -> tuple[Decider, dict]:
    try:
        with safe_open(path, framework="pt") as file:
            metadata = json.loads((file.metadata() or {})["decider"])
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error}") from None
    except (SafetensorError, KeyError):
        raise SystemExit(f"{path} is no checkpoint of this training") from None
    model = Decider()
    model.load_state_dict(load_file(path))
    return model, metadata


def _parts(model: Decider):
    yield model.tok.weight, ["embeddings.word_embeddings.weight"]
    yield model.pos.weight, ["embeddings.position_embeddings.weight"]
    yield model.typ.weight, ["embeddings.token_type_embeddings.weight"]
    yield from _pair(model.n0, "embeddings.LayerNorm")
    for n, layer in enumerate(model.layers):
        at = f"encoder.layer.{n}."
        for kind in ("weight", "bias"):
            theirs = [f"{at}attention.self.{part}.{kind}" for part in ("query", "key", "value")]
            yield getattr(layer.qkv, kind), theirs
        yield from _pair(layer.o, at + "attention.output.dense")
        yield from _pair(layer.n1, at + "attention.output.LayerNorm")
        yield from _pair(layer.f1, at + "intermediate.dense")
        yield from _pair(layer.f2, at + "output.dense")
        yield from _pair(layer.n2, at + "output.LayerNorm")


def _pair(module: nn.Module, name: str):
    yield module.weight, [name + ".weight"]
    yield module.bias, [name + ".bias"]


def _begin_new_rows(table: torch.Tensor, random: torch.Generator) -> None:
    """Initialises the rows BERT left unused. Markers begin half way between [CLS] and [SEP], a line
    feed as a full stop, a byte as the unknown token, each with a little noise to tell them apart."""
    noise = lambda: torch.randn(table.shape[1], generator=random) * NOISE
    for marker in MARKERS:
        table[marker] = (table[CLS] + table[SEP]) / 2 + noise()
    table[NEWLINE] = table[FULL_STOP] + noise()
    for byte in range(256):
        table[FIRST_BYTE + byte] = table[UNKNOWN] + noise()
