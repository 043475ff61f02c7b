#!/usr/bin/env bash
# Computes, shows and verifies the interface of a small socket. Run by `./dev demo`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tacit=build/tacit
out=build/demo
mkdir -p "$out"

run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

run "$tacit" synth examples/socket/socket.tir -o "$out/socket.json"
run "$tacit" show "$out/socket.json"
run "$tacit" verify "$out/socket.json"

printf '\nThe result is in %s\n' "$out/socket.json"
# Help goes into a variable first: grep -q would end the pipe early and pipefail would see that.
help="$("$tacit" show --help)"
if grep -qw html <<<"$help"; then
  "$tacit" show "$out/socket.json" --as html -o "$out/socket.html"
  printf 'A page to open in a browser is in %s\n' "$out/socket.html"
fi
