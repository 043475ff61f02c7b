#!/usr/bin/env bash
# From a C++ and a Java class, as people have them, to their protocols and a finding. Run by
# `./dev demo`; what it prints fits two screens.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tacit=build/tacit
out=build/demo
mkdir -p "$out"

run() {
  local words
  printf -v words '%q ' "$@"
  printf '\n$ %s\n' "${words% }"
  "$@"
}

printf '\nA ticket of a car park, in C++: in which order may it be used?\n'
run "$tacit" synth examples/parking/src/ticket.cpp --class Ticket -o "$out/ticket.json" -- -Iexamples/parking/include
run "$tacit" replay "$out/ticket.json" issue leave || true
printf '\nIs there something odd about it?\n'
run "$tacit" show "$out/ticket.json" --as review
if command -v javac >/dev/null; then
  printf '\nThe barrier of the car park, in Java:\n'
  mkdir -p "$out/classes"
  javac --release 17 -g -d "$out/classes" examples/parking_java/src/main/java/com/acme/parking/*.java
  run "$tacit" synth "$out/classes" --class com.acme.parking.Barrier -o "$out/barrier.json"
  run "$tacit" verify "$out/barrier.json"
fi
run "$tacit" show "$out/ticket.json" --as html -o "$out/ticket.html"
printf '\nThe report to open in a browser: %s\n' "$PWD/$out/ticket.html"
