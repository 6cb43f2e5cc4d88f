#!/usr/bin/env bash
# Checks conformance to System One: every MUST and SHOULD of jevcompat, and TypeSafe's own Python SDK.
# Usage: .ci/jevcompat.sh URL KEY [MARKDOWN REPORT]
set -euo pipefail
cd "$(dirname "$0")/.."
url=$1
key=$2
report=${3:-$(mktemp)}
packages='jevcompat==0.1.1 typesafe-sdk[zstd]==0.7.5'

.ci/python.sh "$packages" jevcompat test "$url" --key "$key" --title Decider --json "$report.json" --markdown "$report"
.ci/python.sh "$packages" python - "$report.json" <<'PYTHON'
import json, sys

report = json.load(open(sys.argv[1]))
# The one requirement for servers without authentication does not apply.
applicable = [r for r in report["results"] if r["id"] != "auth.ignored-when-off"]
short = [r["id"] for r in applicable if r["status"] != "pass"]
if short or report["inconclusive"] or report["case_errors"]:
    sys.exit(f"Not shown to be met: {short}, {report['inconclusive']}, {report['case_errors']}")
print(f"All {len(applicable)} applicable requirements are met.")
PYTHON
.ci/python.sh "$packages" python .ci/systemone_client.py "$url" "$key"
