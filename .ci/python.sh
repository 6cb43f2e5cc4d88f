#!/usr/bin/env bash
# Runs a Python tool of CI in an environment of its own: .ci/python.sh "PACKAGE==VERSION …" COMMAND [ARGUMENT…]
set -euo pipefail
packages=$1
shift
venv="${TMPDIR:-/tmp}/decider-ci-$(id -u)-$(printf %s "$packages" | cksum | cut -d' ' -f1)"
# Two runs at once would install into one folder.
exec 9>"$venv.lock"
flock 9
if [ ! -f "$venv/ready" ]; then
  python3 -m venv --clear "$venv"
  # Word splitting is meant: one word a package.
  # shellcheck disable=SC2086
  "$venv/bin/pip" install --quiet --disable-pip-version-check $packages
  touch "$venv/ready"
fi
flock -u 9
command=$1
shift
exec "$venv/bin/$command" "$@"
