"""The files of a corpus. Of one that is not in the form README.md gives, it is said where and what is wrong,
before anything is learned."""

import json
import lzma
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path


def read_tasks(folder: Path) -> dict[str, dict]:
    """What tasks.json says of each task."""
    path = folder / "tasks.json"
    try:
        tasks = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise SystemExit(f"{path} is no JSON") from None
    if not isinstance(tasks, dict):
        raise SystemExit(f"{path} has no tasks by their name")
    for name, task in tasks.items():
        if lacking := _lacking(task):
            raise SystemExit(f"{path}, {name}: {lacking}")
    return tasks


def read_rows(folder: Path, tasks: dict[str, dict], files: set[str]) -> dict[str, list[str]]:
    """The lines of these files, by their task."""
    rows: dict[str, list[str]] = defaultdict(list)
    for name in sorted(files):
        path = folder / "tasks" / name
        for number, line in enumerate(lines_of(path), 1):
            try:
                row = json.loads(line)
            except ValueError:
                raise SystemExit(f"{path}, line {number}: no JSON") from None
            if not _is_labelled(row, tasks):
                raise SystemExit(
                    f"{path}, line {number}: a row has a task of tasks.json (t), a text or an object as its state (s), "
                    "a label of that task (y) and, if it has its own, a question (q) and options (o), "
                    "which are names or pairs of name and description"
                )
            rows[row["t"]].append(line)
    return rows


def lines_of(path: Path, characters: float = float("inf")) -> Iterator[str]:
    """The first lines of a file, up to a number of characters."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                characters -= len(line)
                if characters < 0:
                    break
                yield line
    except (EOFError, lzma.LZMAError) as error:
        raise SystemExit(f"{path} is incomplete or damaged: {error}") from None
    except UnicodeDecodeError:
        raise SystemExit(f"{path} is not UTF-8") from None
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error.strerror}") from None


def _lacking(task: object) -> str | None:
    if not (
        isinstance(task, dict)
        and task.get("type") in ("choice", "noul", "score")
        and all(map(_is_text, (task.get("file"), task.get("group"))))
        and _are_equally_long([task.get("instructions")], _is_text)
    ):
        return "a task has a file, a type (choice, noul or score), a group and a list of instructions"
    if task["type"] == "score" and not _are_equally_long(task.get("levels"), _is_text):
        return "a score has levels: lists of names, all equally long"
    listed = task["type"] == "choice" and not task.get("options_per_row")
    if listed and not _are_equally_long(task.get("variants"), _is_pair):
        return "a choice has variants: lists of pairs of name and description, all equally long; or options_per_row"
    return None


def _is_labelled(row: object, tasks: dict[str, dict]) -> bool:
    """A label that its task does not have would be noticed only when it is drawn, or be taken for a no."""
    if not isinstance(row, dict) or not _is_text(row.get("t")) or row["t"] not in tasks:
        return False
    if not isinstance(row.get("s"), (str, dict)) or not _is_text(row.get("q", "")):
        return False
    if "o" in row and not (isinstance(row["o"], list) and all(map(_is_option, row["o"]))):
        return False
    return type(row.get("y")) is int and 0 <= row["y"] < _label_count(tasks[row["t"]], row)


def _label_count(task: dict, row: dict) -> int:
    if task["type"] == "noul":
        return 2
    if task["type"] == "score":
        return len(task["levels"][0])
    return len(row.get("o") or task.get("variants", [[]])[0])


def _are_equally_long(lists: object, fits: Callable[[object], bool]) -> bool:
    return (
        isinstance(lists, list)
        and all(isinstance(found, list) and found and all(map(fits, found)) for found in lists)
        and len(set(map(len, lists))) == 1
    )


def _is_option(option: object) -> bool:
    return _is_text(option) or _is_pair(option)


def _is_pair(option: object) -> bool:
    return isinstance(option, list) and len(option) == 2 and _is_text(option[0])


def _is_text(value: object) -> bool:
    return isinstance(value, str)
