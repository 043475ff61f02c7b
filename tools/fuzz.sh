#!/usr/bin/env bash
# Feeds damaged programs and results to the tool; see tools/fuzz.py. `./dev fuzz 300` goes on for five minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 tools/fuzz.py "$@"
