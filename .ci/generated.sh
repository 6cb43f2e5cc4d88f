#!/usr/bin/env bash
# Clients that others' tools generate from /openapi.json, with their default settings, ask for decisions.
# Usage: .ci/generated.sh URL KEY
set -euo pipefail
cd "$(dirname "$0")/.."
node=$PWD/node_modules/.bin/node
python=$PWD/.ci/python.sh
tools='openapi-python-client==0.29.1 ruff==0.17.6'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A test keeps this file equal to /openapi.json.
cp docs/openapi.json .ci/generated_client.ts .ci/generated_client.py "$folder"

cd "$folder"
echo '{"type": "module"}' >package.json
# The generator needs TypeScript's old API.
npm install --silent --no-save openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@24
npx --no-install openapi-typescript openapi.json -o api.d.ts >/dev/null
npx --no-install tsc --noEmit --strict --module nodenext --target es2022 --skipLibCheck generated_client.ts
DECIDER_URL=$1 DECIDER_API_KEY=$2 "$node" generated_client.ts

# Warns of everything that it leaves out of a client.
PATH="$(dirname "$("$python" "$tools" python -c 'import sys; print(sys.executable)')"):$PATH" \
  openapi-python-client generate --path openapi.json --output-path client --fail-on-warning >/dev/null
PYTHONPATH=client DECIDER_URL=$1 DECIDER_API_KEY=$2 "$python" "$tools" python generated_client.py
