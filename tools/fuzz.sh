#!/usr/bin/env bash
# The random testers for as long as one likes; see tools/fuzz.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 tools/fuzz.py "$@"
