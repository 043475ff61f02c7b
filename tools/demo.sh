#!/usr/bin/env bash
# Computes, replays, verifies and shows the protocol of a real class. Run by `./dev demo`; what it
# prints fits one screen.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tacit=build/tacit
out=build/demo
mkdir -p "$out"

run() {
  printf '\n$ %s\n' "$*"
  "$@"
}

printf '\nThe list iterator of java.util.LinkedList: when may one call remove?\n'
run "$tacit" synth jdk: --class 'java.util.LinkedList$ListItr' --error throws:java.lang.IllegalStateException --methods next,previous,add,set,remove \
  -o "$out/listitr.json"
run "$tacit" replay "$out/listitr.json" next:returns remove:returns remove || true
run "$tacit" verify "$out/listitr.json"
run "$tacit" show "$out/listitr.json" --as html -o "$out/listitr.html"
printf '\nThe report to open in a browser: %s\n' "$PWD/$out/listitr.html"
