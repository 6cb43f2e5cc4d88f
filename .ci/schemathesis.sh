#!/usr/bin/env bash
# Sends what the OpenAPI document allows and forbids, and checks every answer against the document.
# Usage: .ci/schemathesis.sh URL KEY
set -euo pipefail
cd "$(dirname "$0")/.."
exec .ci/python.sh 'schemathesis==4.32.5' schemathesis --config-file .ci/schemathesis.toml run "$1/openapi.json" \
  --url "$1" --max-examples "${SCHEMATHESIS_EXAMPLES:-25}" --seed "${SCHEMATHESIS_SEED:-1}" --no-color --header "Authorization: Bearer $2"
