#!/usr/bin/env python3
"""Soundness probes: files in which a wrong guess about a construct that is not followed would prove something false.

`refuse: CALL` says that the call may err after some word of calls that never err themselves, so that a safe interface
refuses it in some state; `note: TEXT` that the result must list an assumption with that text if it claims safety.
`tacit: OPTIONS` adds options, `flags: FLAGS` flags of the compiler.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, TACIT


def check(path, out):
    text = path.read_text()
    options = ["--class", "T"] if path.suffix == ".cpp" else []
    more = re.search(r"tacit: (.*)", text)
    options += more.group(1).split() if more else ["--time", "20"]
    flags = re.search(r"flags: (.*)", text)
    done = subprocess.run([TACIT, "synth", "--arguments", "demonic", str(path), *options, "--error", "assert", "-o", str(out),
                           *(["--", *flags.group(1).split()] if flags else [])], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        return f"exit {done.returncode}: {done.stderr.strip()}"
    result = json.loads(out.read_text())
    if result["verdict"]["safe"] != "proved":
        return None
    refused = {call for state in result["states"] for call in result["methods"] if call not in state["allows"]}
    for call in re.findall(r"refuse: (\w+)", text):
        if call not in refused:
            return f"'{call}' is said to be safe everywhere, with assumptions {result['verdict']['assumptions']}"
    for note in re.findall(r"note: (\w+)", text):
        if not any(note in assumption for assumption in result["verdict"]["assumptions"]):
            return f"no assumption mentions '{note}': {result['verdict']['assumptions']}"
    return None


def main():
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tacit-probes-") as folder:
        for path in sorted((ROOT / "test" / "probes").iterdir()):
            problem = check(path, Path(folder) / "result.json")
            if problem:
                failures += 1
                print(f"{path.name}: {problem}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
