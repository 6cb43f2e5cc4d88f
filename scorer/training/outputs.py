"""Where commands write. That nothing can be written there is said, if possible before the work."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def new_file(given: str) -> Path:
    """A command's argument: a file in a folder that is there."""
    return _in_folder(Path(given), Path(given).absolute().parent)


def new_folder(given: str) -> Path:
    """A command's argument: a folder that is still to be made, with those around it."""
    folder = Path(given).resolve()
    if folder.exists():
        raise argparse.ArgumentTypeError(f"{folder} is there already")
    return _in_folder(folder, next(around for around in folder.parents if around.exists()))


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Around what writes there: a full disk is told in a sentence."""
    try:
        yield
    except OSError as error:
        raise SystemExit(f"{path} could not be written: {error.strerror}") from None


def _in_folder(path: Path, folder: Path) -> Path:
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{folder} is no folder")
    if not os.access(folder, os.W_OK):
        raise argparse.ArgumentTypeError(f"{folder} may not be written to")
    return path
