#!/usr/bin/env bash
# Compares the service's tokenizer with the reference on 10,000 fresh texts of many scripts: ids and spans.
# Needs Python 3.11 (its Unicode is the reference's) and no Python packages. SEED repeats a run.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${SEED:-$RANDOM}
vectors=$(mktemp)
trap 'rm -f "$vectors"' EXIT
"${PYTHON:-python3}" -m scorer.training.tokenizer_vectors \
  "${SCORER_MODELS:-scorer/models}/decider-preview-2026-10-13/tokenizer.json" --count 10000 --seed "$seed" >"$vectors"
echo "comparing 10,000 texts, SEED=$seed"
TOKENIZER_VECTORS="$vectors" npx vitest run --project node scorer/core/tokenizer
