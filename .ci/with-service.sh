#!/usr/bin/env bash
# Runs checks against a fresh local service: .ci/with-service.sh COMMAND… gives each the arguments URL and KEY.
set -euo pipefail
cd "$(dirname "$0")/.."
data=$(mktemp -d)
export EDGE_PORT=${EDGE_PORT:-8787} SCORER_PORT=${SCORER_PORT:-8788} DATA_DIR=$data
# Not through npm, which would exit before the processes it started.
node_modules/.bin/node scripts/dev.ts >"$data/dev.log" 2>&1 &
service=$!
trap 'kill $service 2>/dev/null; wait $service || true; rm -rf "$data"' EXIT
until grep -q 'Ctrl-C stops' "$data/dev.log"; do
  kill -0 $service 2>/dev/null || { cat "$data/dev.log" >&2; exit 1; }
  sleep 0.2
done
key=$(sed -n 's/.*"standard": "\(.*\)".*/\1/p' "$data/demo.json")
for check in "$@"; do "$check" "http://127.0.0.1:$EDGE_PORT" "$key"; done
