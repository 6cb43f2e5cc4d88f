#!/usr/bin/env bash
# Runs a Python tool for CI in its own virtual environment: .ci/python.sh "PACKAGE==VERSION …" COMMAND [ARGUMENT…]
set -euo pipefail
packages=$1
shift
venv="${TMPDIR:-/tmp}/decider-ci-$(id -u)-$(printf %s "$packages" | cksum | cut -d' ' -f1)"
# Two runs at once would install into the same folder.
exec 9>"$venv.lock"
flock 9
if [ ! -f "$venv/ready" ]; then
  python3 -m venv --clear "$venv"
  # Word splitting is intended: one word per package.
  # shellcheck disable=SC2086
  "$venv/bin/pip" install --quiet --disable-pip-version-check $packages
  touch "$venv/ready"
fi
flock -u 9
command=$1
shift
exec "$venv/bin/$command" "$@"
