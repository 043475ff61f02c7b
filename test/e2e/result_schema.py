#!/usr/bin/env python3
"""Results are what test/schema/result.json says, in both versions, and damaged ones are not. Without
the Python package jsonschema the test counts as skipped."""

import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from _browser import ROOT, TACIT

try:
    import jsonschema
except ImportError:
    print("the package jsonschema is not installed")
    sys.exit(77)

VALIDATOR = jsonschema.Draft202012Validator(json.loads((ROOT / "test/schema/result.json").read_text()))
FAILED = []


def complaint(result):
    return next((f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(result)), None)


def wants(name, result, version):
    if wrong := complaint(result):
        FAILED.append(f"{name}: {wrong}")
    if result["tacit"] != version:
        FAILED.append(f"{name}: is of version {result['tacit']}, not {version}")


def rejects(name, result, change):
    damaged = copy.deepcopy(result)
    change(damaged)
    if not complaint(damaged):
        FAILED.append(f"{name} is accepted")


def written(*arguments):
    """What a command of the program writes to a file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "r.json"
        subprocess.run([TACIT, *map(str, arguments), "-o", out], capture_output=True, cwd=ROOT, check=False)
        return json.loads(out.read_text())


for example in ("signature/signature", "listitr/listitr"):
    source = ROOT / "examples" / f"{example}.tir"
    if source.exists():
        wants(example, written("synth", source), 2)
guarded = ROOT / "test/cases/replay_guarded/player.json"
player = written("show", guarded, "--as", "json")
wants("player.json", json.loads(guarded.read_text()), 2)
wants("player.json, written again", player, 2)
for file in sorted((ROOT / "test" / "guarded").rglob("*.json")):
    if "tacit" in (found := json.loads(file.read_text())):
        wants(file.name, found, found["tacit"])

rejects("version 1 with guards", player, lambda r: r.update(tacit=1))
rejects("an empty condition", player, lambda r: r["initial"][0].update(when=""))
rejects("an update that is no text", player, lambda r: r["transitions"][0].update(set={"n": 1}))
rejects("a tracked value without a term", player, lambda r: r["tracked"][0].pop("term"))
rejects("a site set aside without a reason", player, lambda r: r["aside"][0].pop("because"))
rejects("a constant that is no number", player, lambda r: r["constants"]["Mode"].update(Fast="4"))
rejects("a guard with two conditions", player, lambda r: r["guards"][0].update(condition="x"))

print("\n".join(FAILED) or "results are as the schema says")
sys.exit(1 if FAILED else 0)
