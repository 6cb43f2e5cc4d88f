"""Self-checks: no corpus, no base weights, about a minute.

python -m scorer.training.check           # needs what the commands of README.md install
python -m scorer.training.check --texts   # how examples are read and rows are made; needs NumPy alone
"""

import argparse
import importlib
import time

TEXTS = ("check_texts", "check_rows", "check_requests", "check_examples")
REST = ("check_network", "check_baselines", "check_runs", "check_tune")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", action="store_true", help="only what needs no PyTorch")
    given = parser.parse_args()
    if not given.texts:
        import torch

        torch.set_num_threads(1)
    for name in TEXTS if given.texts else TEXTS + REST:
        for check in importlib.import_module(f"scorer.training.{name}").CHECKS:
            began = time.monotonic()
            check()
            print(f"ok  {check.__name__.replace('_', ' ')}  ({time.monotonic() - began:.1f} s)")


if __name__ == "__main__":
    main()
