"""A command called in this process, and what a refused call says: for the self-checks."""

import contextlib
import io
import unittest.mock
from collections.abc import Callable
from types import ModuleType


def called(command: ModuleType, *given: object) -> None:
    with unittest.mock.patch("sys.argv", ["", *map(str, given)]):
        command.main()


def refusal(asked: Callable[[], object]) -> str:
    """The message of a refused call."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stderr(out):
            asked()
    except SystemExit as refused:
        return f"{refused} {out.getvalue()}"
    raise AssertionError("not refused")
