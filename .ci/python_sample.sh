#!/usr/bin/env bash
# Runs the Python sample of docs/compatibility.md as it is printed, and examples/batch.py. Usage: .ci/python_sample.sh URL KEY
set -euo pipefail
cd "$(dirname "$0")/.."
export DECIDER_URL=$1 DECIDER_API_KEY=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

node_modules/.bin/node scripts/calibrate.ts examples/support-tickets.jsonl --target-error 0.1 \
  --profile "$folder/profile.txt" --report "$folder/report.html" >/dev/null
sed -n '/^```python$/,/^```$/{/^```/!p}' docs/compatibility.md | sed "s|http://127.0.0.1:8787|$1|" >"$folder/sample.py"

python=$PWD/.ci/python.sh
answer=$(cd "$folder" && "$python" 'typesafe-sdk==0.7.5' python sample.py)
echo "The Python sample answers: $answer"
[ "$answer" = billing ]

python3 examples/batch.py <examples/support-tickets.jsonl >"$folder/answers.jsonl"
[ "$(grep -c '"choice": "' "$folder/answers.jsonl")" = 400 ]
