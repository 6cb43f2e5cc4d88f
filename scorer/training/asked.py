"""A question with its right answer, and a labelled row as such a question, in its task's first wording."""

Asked = tuple[dict, int]  # a question and the place of the right option
Request = tuple[object, list[Asked]]  # a state and what is asked about it


class DrawAgain(Exception):
    """What was drawn by chance makes no good request."""


def plain(task: dict, row: dict, template: int = 0) -> Asked:
    """The row in its task's first wording: for evaluation."""
    instructions = instructions_of(task["instructions"][template % len(task["instructions"])], row)
    if task["type"] == "noul":
        return noul(instructions, None, row["y"] == 1)
    if task["type"] == "score":
        return {"type": "score", "instructions": instructions, "criteria": task["levels"][0]}, row["y"]
    options = options_of(task, row, 0)
    return {"type": "choice", "instructions": instructions, "criteria": dict(options)}, row["y"]


def noul(told: object, criteria: dict | None, holds: bool) -> Asked:
    return {"type": "noul", "instructions": told, "criteria": criteria}, 0 if holds else 1


def instructions_of(template: str, row: dict) -> str:
    return template.replace("{q}", row["q"]) if row.get("q") else template


def options_of(task: dict, row: dict, variant: int) -> list[tuple[str, object]]:
    listed = row.get("o") or task["variants"][variant]
    return [(x[0], x[1]) if isinstance(x, list) else (x, None) for x in listed]
