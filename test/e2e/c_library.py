#!/usr/bin/env python3
"""Facts about library objects that protocols depend on: in each file of test/library, `legal: WORD` and `refused: WORD`
say what must be found; letters may name their outcome. Native runs must agree with what is claimed: of all files with
TACIT_FULL=1, else of a sample."""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _protocol import ROOT, TACIT

sys.path.insert(0, str(ROOT / "test" / "tools"))
import native_harness  # noqa: E402  pylint: disable=wrong-import-position


def walk(result, word):
    """Whether every call of a word is allowed, up to the last one, and the last one."""
    states = {entry["state"] for entry in result["initial"] if entry["state"] is not None}
    allows = {state["id"]: state["allows"] for state in result["states"]}
    before = True
    for i, letter in enumerate(word):
        call, _, outcome = letter.partition(":")
        allowed = bool(states) and all(call in allows[state] for state in states)
        if i + 1 == len(word):
            return before, allowed
        before = before and allowed
        states = {t["to"] for t in result["transitions"] for state in states
                  if t["from"] == state and t["call"] == call and (not outcome or t["outcome"] in (outcome, "any"))}
    return before, True


def check(path, length):
    text = path.read_text()
    problems = []
    with tempfile.TemporaryDirectory(prefix="tacit-library-") as folder:
        out = Path(folder) / "result.json"
        options = re.search(r"tacit: (.*)", text)
        done = subprocess.run([TACIT, "synth", "--arguments", "demonic", str(path), "--class", "T", *(options.group(1).split() if options else []), "-o", str(out),
                               "--", "-std=c++20"],
                              capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):
            return [f"exit {done.returncode}: {done.stderr.strip()}"]
        result = json.loads(out.read_text())
        if result["verdict"]["safe"] != "proved":
            problems.append(f"safe is {result['verdict']['safe']}")
        words = re.findall(r"(legal|refused): (.*)", text)
        if len({kind for kind, _ in words}) < 2:
            problems.append("words of both kinds are needed")
        for kind, word in words:
            before, last = walk(result, word.split())
            if not before or last != (kind == "legal"):
                problems.append(f"'{word}' should be {kind}")
        if length == 0:
            return problems
        native = native_harness.Native(path, result, folder, "class", "T", native_harness.parse_arguments(re.findall(r"harness: (.*)", text)))
        found, _ = native_harness.compare(native, result, length)
        return problems + found[:5]


def main():
    failures = 0
    files = [Path(name) for name in sys.argv[1:]] or sorted((ROOT / "test" / "library").iterdir())
    full = os.environ.get("TACIT_FULL") == "1" or len(sys.argv) > 1
    lengths = [4 if full else 3 if i % 4 == 0 else 0 for i in range(len(files))]
    with ThreadPoolExecutor(max_workers=2) as pool:
        for path, problems in zip(files, pool.map(check, files, lengths)):
            for problem in problems:
                failures += 1
                print(f"{path.name}: {problem}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
