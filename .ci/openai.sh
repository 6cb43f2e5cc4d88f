#!/usr/bin/env bash
# Runs OpenAI's own Python SDK against both of its base URLs. Usage: .ci/openai.sh URL KEY
set -euo pipefail
cd "$(dirname "$0")/.."
exec .ci/python.sh 'openai==3.57.0' python .ci/openai_client.py "$1" "$2"
